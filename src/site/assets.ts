/** Style and script of the site. Colours have a contrast of 4.5 to 1 at least, in light and dark. */
export const STYLE = `:root { color-scheme: light dark; --back: #fff; --front: #1b1f24; --soft: #57606a; --line: #d0d7de;
  --raised: #f6f8fa; --link: #0b5cad; --passed: #116329; --waived: #0b5c8a; --skipped: #6a5300; --advised: #8a3a00;
  --failed: #a40e26;
  --error: #6639ba; }
@media (prefers-color-scheme: dark) { :root { --back: #0d1117; --front: #e6edf3; --soft: #9aa4af; --line: #30363d;
  --raised: #161b22; --link: #79b8ff; --passed: #56d364; --waived: #6cb6ff; --skipped: #e3b341; --advised: #ffa657;
  --failed: #ff7b72;
  --error: #d2a8ff; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 82rem; padding: 0 1rem 3rem; background: var(--back); color: var(--front);
  font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: break-word; display: grid;
  grid-template-columns: 15rem minmax(0, 1fr); gap: 0 2rem; }
body > header { grid-column: 1 / -1; border-bottom: 1px solid var(--line); margin-bottom: 1rem; }
.name { font-weight: 700; } a { color: var(--link); } h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin-top: 2rem; }
h3 { font-size: 1.05rem; margin: 1.5rem 0 .3rem; } nav ul { list-style: none; padding: 0; margin: 0; }
nav li { margin: .15rem 0; } nav [aria-current] { font-weight: 700; text-decoration: none; color: var(--front); }
article { border: 1px solid var(--line); border-radius: .4rem; padding: .2rem 1rem 1rem; margin: 1rem 0; scroll-margin-top: 1rem; }
article:target, tr:target, li:target { background: var(--raised); outline: 2px solid var(--link); }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: .3rem; padding: .6rem; overflow-x: auto;
  font-size: .85rem; line-height: 1.4; } code { font-size: .9em; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: .9rem; }
th, td { border: 1px solid var(--line); padding: .25rem .5rem; text-align: left; vertical-align: top; }
thead th { background: var(--raised); } td.number { text-align: right; }
.soft { color: var(--soft); font-size: .9rem; } .level { color: var(--soft); font-weight: 400; }
.passed { color: var(--passed); } .waived { color: var(--waived); } .skipped { color: var(--skipped); } .advised { color: var(--advised); }
.failed { color: var(--failed); font-weight: 700; } .error { color: var(--error); font-weight: 700; }
.sentence { border-left: .25rem solid var(--line); padding-left: .7rem; margin: .5rem 0; } .erratum { color: var(--failed); }
.skip { position: absolute; left: -99rem; } .skip:focus { position: static; }
search input { font: inherit; width: min(26rem, 90%); } #found { list-style: none; padding: 0; }
svg.sequence { width: 100%; height: auto; max-width: 60rem; } svg.sequence text { fill: var(--front); font: 13px system-ui, sans-serif; }
svg.sequence line, svg.sequence path { stroke: var(--front); fill: none; } svg.sequence .life { stroke: var(--line); }
svg.sequence .arrow { fill: var(--front); stroke: none; } svg.sequence .status { fill: var(--soft); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
@media (max-width: 50rem) { body { display: block; } nav ul { columns: 2; } }
@media print { nav, search, .skip { display: none; } body { display: block; max-width: none; } article { break-inside: avoid; } }
`;

/** Searches in what search-index.js holds; nothing of it is needed to read. */
export const SCRIPT = `(() => {
  const box = document.querySelector('search');
  const input = document.getElementById('search');
  const list = document.getElementById('found');
  const index = window.joinproofIndex || [];
  const up = document.body.dataset.up;
  box.hidden = false;
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean);
    list.textContent = '';
    if (words.length === 0) return;
    const hits = index.filter(([, , text]) => words.every((word) => text.includes(word)));
    for (const [path, title] of hits.slice(0, 20)) {
      const link = document.createElement('a');
      link.href = up + path;
      link.textContent = title;
      const item = document.createElement('li');
      item.append(link);
      list.append(item);
    }
    const rest = document.createElement('li');
    rest.className = 'soft';
    rest.textContent = hits.length === 0 ? 'nothing found' : hits.length > 20 ? hits.length + ' found' : '';
    list.append(rest);
  });
})();
`;
