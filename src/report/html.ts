/**
 * One HTML file: no network, readable without scripts, light and dark, for print too. With scripts it searches and
 * filters. Nothing of a target can become markup, and a policy in the page forbids every other script and connection.
 */
import { createHash } from 'node:crypto';
import { escapeHtml } from '../model/foreign.js';
import type { Report, RuleResult, ScenarioResult } from '../model/report.js';
import { VERDICTS } from '../model/verdict.js';
import { authenticatorsSeen } from './authenticators.js';
import { documentNames } from './documents.js';
import { SCRIPT, STYLE } from './html-page.js';
import { chaptersOf, conformity, heldTo, moreIn, notJudged, repairer, rulesOf, targetName } from './told.js';

/** Findings shown of one scenario. */
const MOST = 200;

const lines = (text: string): string => text.split('\n').map(escapeHtml).join('<br>');
const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const WORD = {
  passed: 'passed',
  waived: 'waived',
  skipped: 'skipped',
  advised: 'advice',
  failed: 'failed',
  error: 'not judged',
} as const;

export function toHtml(report: Report): string {
  const chapters = chaptersOf(report);
  const policy = [
    "default-src 'none'",
    `style-src ${hash(STYLE)}`,
    `script-src ${hash(SCRIPT)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const title = `joinproof: ${conformity(report)}: ${targetName(report)}`;
  return `${[
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)}</title>`,
    `<style>${STYLE}</style>`,
    '</head>',
    '<body>',
    header(report),
    controls(report),
    '<main>',
    ...chapters.map((chapter) =>
      section(
        chapter,
        report.rules.filter((rule) => rule.chapter === chapter),
      ),
    ),
    '<p id="none" hidden>No rule matches.</p>',
    '</main>',
    `<footer><p>joinproof ${escapeHtml(report.tool.version)}, ${escapeHtml(report.startedAt)}, `,
    `${report.seconds.toFixed(1)} s</p></footer>`,
    `<script>${SCRIPT}</script>`,
    '</body>',
    '</html>',
  ].join('\n')}\n`;
}

function header(report: Report): string {
  const { target, summary, left } = report;
  const believes = authenticatorsSeen(report);
  const facts: readonly (readonly [string, string])[] = [
    ['Target', target.name],
    ['Server', target.server],
    ['Kubernetes', target.version ?? 'unknown'],
    ['Profile', heldTo(report)],
    ...(believes === '' ? [] : [['Authenticators', believes] as const]),
    ['Abilities', target.abilities.join(', ')],
    ['Facts', target.facts.join(', ')],
  ];
  const open = notJudged(report);
  const asides = [...(open === '' ? [] : [`Not judged: ${open}.`]), ...(report.gate?.shortfalls ?? [])];
  const remains =
    left === undefined
      ? ''
      : `<p class="left">${left.count} objects that this run has made are left:
${escapeHtml(left.examples.join(', '))}</p>`;
  return `<header>
<h1>How machines join this cluster</h1>
<p class="verdict v${summary.exitCode}">${conformity(report)}</p>
<dl>${facts.map(([name, value]) => `<dt>${name}</dt><dd>${escapeHtml(value) || 'none'}</dd>`).join('')}</dl>
${remains}${asides.map((text) => `<p class="left">${escapeHtml(text)}</p>`).join('\n')}</header>`;
}

function controls(report: Report): string {
  const boxes = VERDICTS.map((verdict) => {
    const count = rulesOf(report, verdict).length;
    const box = `<input type="checkbox" name="${verdict}" checked>`;
    return `<label class="${verdict}">${box} ${count} ${WORD[verdict]}</label>`;
  });
  return `<search class="controls">
<p class="counts">${boxes.join('\n')}</p>
<p class="needs-script"><label for="search">Search</label> <input id="search" type="search" autocomplete="off">
<button type="button" id="open">Open all</button> <button type="button" id="close">Close all</button></p>
</search>`;
}

function section(chapter: string, rules: readonly RuleResult[]): string {
  return `<section><h2>${escapeHtml(chapter)}</h2>\n${rules.map(ruleBlock).join('\n')}\n</section>`;
}

function ruleBlock(rule: RuleResult): string {
  const open = rule.verdict === 'failed' || rule.verdict === 'error' ? ' open' : '';
  const more = moreIn(rule.scenarios);
  return `<details class="rule ${rule.verdict}" id="${escapeHtml(rule.id)}" data-verdict="${rule.verdict}"${open}>
<summary><span class="badge">${WORD[rule.verdict]}</span> <b>${escapeHtml(rule.id)}</b>
<span class="level">${rule.level}</span> ${escapeHtml(rule.title)}</summary>
${rule.reason === null ? '' : `<p class="reason">${escapeHtml(rule.reason.text)}</p>`}
<p><b>Why.</b> ${lines(rule.why)}</p>
<p><b>${repairer(rule)}.</b> ${lines(rule.repair.text)}</p>
${rule.scenarios.map(scenarioBlock).join('\n')}
${more.unmet + more.unclear > 0 ? `<p>And ${more.unmet + more.unclear} findings more that are counted only.</p>` : ''}
${sentences(rule)}
<p class="source">${escapeHtml(documentNames(rule.sources))}; <code>features/${escapeHtml(rule.place)}</code>
<a href="#${encodeURIComponent(rule.id)}">link</a></p>
</details>`;
}

function sentences({ sentences: told, errata }: RuleResult): string {
  const items = [
    ...told.map(({ id, statement, erratum }) =>
      [
        `<li><b>${escapeHtml(id)}</b> ${escapeHtml(statement)}`,
        erratum === undefined ? '' : ` <em>Erratum: ${escapeHtml(erratum)}</em>`,
        '</li>',
      ].join(''),
    ),
    ...errata.map(
      ({ id, trap, today }) => `<li><b>${escapeHtml(id)}</b> ${escapeHtml(trap)} ${escapeHtml(today)}</li>`,
    ),
  ];
  return items.length === 0 ? '' : `<ul class="sentences">${items.join('')}</ul>`;
}

const HEADINGS = ['Subject', 'Demanded', 'Seen', 'Result'] as const;

function scenarioBlock({ id, name, verdict, reason, judgements }: ScenarioResult): string {
  const findings = judgements.flatMap((judgement) => judgement.findings);
  const all = findings.filter(({ result }) => verdict === 'passed' || result !== 'met');
  const shown = all.slice(0, MOST);
  const rows = shown.map(({ subject, demanded, seen, result }) => {
    const cells = [subject, demanded, seen, result].map((text) => `<td>${escapeHtml(text)}</td>`);
    return `<tr class="${result}">${cells.join('')}</tr>`;
  });
  const heading = `<h3><span class="badge ${verdict}">${WORD[verdict]}</span> ${escapeHtml(name)}</h3>`;
  if (rows.length === 0) return reason === null ? heading : `${heading}\n<p>${escapeHtml(reason.text)}</p>`;
  return [
    heading,
    `<section class="scroll" tabindex="0" aria-label="Findings of ${escapeHtml(id)}"><table>`,
    `<thead><tr>${HEADINGS.map((text) => `<th scope="col">${text}</th>`).join('')}</tr></thead>`,
    `<tbody>${rows.join('\n')}</tbody></table></section>`,
    ...(all.length > MOST ? [`<p>And ${all.length - MOST} more, which a JSON report tells.</p>`] : []),
  ].join('\n');
}
