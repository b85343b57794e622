/** The kill matrix as a page to read. */
import { isControl } from './demands.js';
import type { Matrix } from './matrix.js';

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const row = (...cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(...head), `|${head.map(() => '---').join('|')}|`, ...rows.map((cells) => row(...cells))].join('\n');
const list = (names: readonly string[]): string => names.join(', ') || '–';

export function toMarkdown(matrix: Matrix): string {
  const killed = matrix.rules.filter(({ killedBy }) => killedBy.length > 0).length;
  const [demands, controls] = [matrix.rows.filter((one) => !isControl(one)), matrix.rows.filter(isControl)];
  const parts = [
    '# Kill matrix',
    'Every rule has been seen to fail: each mutant is the bundled reference with one decision or object changed, and must be noticed by the rules it names.',
    `${killed} of ${matrix.rules.length} rules killed by ${matrix.mutants.length} mutants; ${matrix.harmless.length} harmless variants; ${matrix.miniatures.length} miniatures; ${matrix.problems.length} problems.`,
    ...(matrix.problems.length === 0
      ? []
      : ['## Problems', matrix.problems.map((problem) => `- ${problem}`).join('\n')]),
    '## Rules',
    table(
      ['rule', 'chapter', 'what it demands', 'killed by'],
      matrix.rules.map(({ id, chapter, title, killedBy }) => [id, chapter, title, list(killedBy)]),
    ),
    '## What the rules look at',
    `${demands.length} demands and ${controls.length} controls, as src/matrix/rows lists them. A demand is broken where its scenario fails by it, a control where its scenario cannot be judged for it. "~": of a subject that the unchanged reference has not; "0 ×": only mutants show it.`,
    table(
      ['scenario', 'what it looks at', 'broken by'],
      matrix.rows.map(({ scenario, times, text, by }) => [
        scenario,
        times === 1 ? text : `${times} × ${text}`,
        list(by),
      ]),
    ),
    '## Mutants',
    table(
      ['mutant', 'defect', 'must be noticed by', 'also noticed by'],
      matrix.mutants.map(({ name, defect, named, failed }) => [
        name,
        defect,
        list(named),
        list(failed.filter((id) => !named.includes(id))),
      ]),
    ),
    '## Harmless variants',
    'What is allowed to differ. No rule may fail or err on them.',
    table(
      ['variant', 'what differs', 'noticed by'],
      matrix.harmless.map(({ name, defect, noticedBy }) => [name, defect, list(noticedBy)]),
    ),
    '## Miniatures',
    'Things that are no cluster. The suite is run on them without the guard that refuses them; not one rule may pass.',
    table(
      ['miniature', 'passed', 'skipped', 'failed', 'error', 'what joinproof run says'],
      matrix.miniatures.map(({ name, counts, refusal }) => [
        name,
        ...['passed', 'skipped', 'failed', 'error'].map((verdict) => String(counts[verdict] ?? 0)),
        refusal,
      ]),
    ),
    '## Paralysed variants',
    'Clusters in which somebody may do nothing, or nothing is done. Rules about refusing must not pass on them.',
    table(
      ['variant', 'passed', 'skipped', 'failed', 'error'],
      matrix.paralysed.map(({ name, counts }) => [
        name,
        ...['passed', 'skipped', 'failed', 'error'].map((verdict) => String(counts[verdict] ?? 0)),
      ]),
    ),
  ];
  return `${parts.join('\n\n')}\n`;
}
