/** Style and script of the HTML report: constants, so that the page can name the only ones it allows by their hash. */

/** Colours have a contrast of 4.5 to 1 at least, in light and dark. */
export const STYLE = `
:root { color-scheme: light dark; --back: #fff; --front: #1b1f24; --soft: #57606a; --line: #d0d7de;
  --raised: #f6f8fa;
  --passed: #116329; --waived: #0b5c8a; --skipped: #6a5300; --advised: #8a3a00; --failed: #a40e26; --error: #6639ba; }
@media (prefers-color-scheme: dark) { :root { --back: #0d1117; --front: #e6edf3; --soft: #9aa4af; --line: #30363d;
  --raised: #161b22; --passed: #56d364; --waived: #6cb6ff; --skipped: #e3b341; --advised: #ffa657; --failed: #ff7b72; --error: #d2a8ff;
  } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1rem; background: var(--back); color: var(--front);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; } h3 { font-size: 1rem;
  margin: 1rem 0 .3rem; }
a { color: inherit; } code { font-size: .9em; }
.verdict { font-size: 1.4rem; font-weight: 700; margin: .3rem 0; }
.v0 { color: var(--passed); } .v1 { color: var(--failed); } .v3 { color: var(--error); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: .5rem 0; }
dt { color: var(--soft); } dd { margin: 0; }
.controls { position: sticky; top: 0; background: var(--back); border-bottom: 1px solid var(--line);
  padding: .4rem 0; z-index: 1; }
.controls p { margin: .2rem 0; } .counts label { display: inline-block; margin-right: 1rem; font-weight: 600; }
.needs-script, .counts input { display: none; } .scripted .needs-script { display: block; }
.scripted .counts input { display: inline; }
#search { font: inherit; width: min(24rem, 60%); } button { font: inherit; }
.rule { border: 1px solid var(--line); border-left: .35rem solid var(--line); border-radius: .3rem;
  margin: .4rem 0; padding: .3rem .8rem; scroll-margin-top: 6rem; }
.rule[open] { background: var(--raised); } summary { cursor: pointer; }
.rule.passed { border-left-color: var(--passed); } .rule.waived { border-left-color: var(--waived); }
.rule.skipped { border-left-color: var(--skipped); } .rule.advised { border-left-color: var(--advised); }
 .rule.failed { border-left-color: var(--failed); }
.rule.error { border-left-color: var(--error); }
.badge { font-size: .8rem; font-weight: 700; border: 1px solid currentColor; border-radius: .3rem;
  padding: 0 .35rem; }
.passed > summary .badge, .badge.passed, label.passed { color: var(--passed); }
.waived > summary .badge, .badge.waived, label.waived { color: var(--waived); }
.skipped > summary .badge, .badge.skipped, label.skipped { color: var(--skipped); }
.advised > summary .badge, .badge.advised, label.advised { color: var(--advised); }
.failed > summary .badge, .badge.failed, label.failed { color: var(--failed); }
.error > summary .badge, .badge.error, label.error { color: var(--error); }
.level, .source, footer { color: var(--soft); font-size: .9rem; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { border: 1px solid var(--line); padding: .2rem .5rem; text-align: left; vertical-align: top;
  min-width: 5.5rem; }
th, td:last-child { white-space: nowrap; }
.unmet td:last-child { color: var(--failed); font-weight: 700; } .unclear td:last-child { color: var(--error);
  font-weight: 700; }
.sentences { font-size: .9rem; } .left { color: var(--failed); font-weight: 700; }
:focus-visible { outline: 2px solid var(--waived); outline-offset: 2px; }
@media print { .controls { position: static; } .needs-script, .counts input { display: none !important; }
  .rule { break-inside: avoid; } .scroll { overflow: visible; } body { max-width: none; } }
`;

export const SCRIPT = `
const rules = [...document.querySelectorAll('details.rule')];
const texts = new Map(rules.map((rule) => [rule, rule.textContent.toLowerCase()]));
const search = document.getElementById('search');
const boxes = [...document.querySelectorAll('.counts input')];
document.body.classList.add('scripted');
const filter = () => {
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const shown = new Set(boxes.filter((box) => box.checked).map((box) => box.name));
  let any = false;
  for (const rule of rules) {
    const text = texts.get(rule);
    rule.hidden = !shown.has(rule.dataset.verdict) || !words.every((word) => text.includes(word));
    any ||= !rule.hidden;
  }
  for (const section of document.querySelectorAll('main > section'))
    section.hidden = ![...section.querySelectorAll('details.rule')].some((rule) => !rule.hidden);
  document.getElementById('none').hidden = any;
};
search.addEventListener('input', filter);
for (const box of boxes) box.addEventListener('change', filter);
const all = (open) => { for (const rule of rules) if (!rule.hidden) rule.open = open; };
document.getElementById('open').addEventListener('click', () => all(true));
document.getElementById('close').addEventListener('click', () => all(false));
const target = () => {
  const rule = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (rule) rule.open = true;
};
addEventListener('hashchange', target);
target();
filter();
`;
