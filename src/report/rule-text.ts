/** Rules as text for people and as Markdown: what is demanded, why, what repairs it, where it comes from, its proof. */
import type { RuleTold, SentenceTold } from '../model/specification.js';
import { documentName } from './documents.js';
import { repairer } from './told.js';

const WIDTH = 100;

function wrapped(text: string, indent: string): string {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last === undefined || `${indent}${last} ${word}`.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.map((line) => `${indent}${line}`).join('\n');
}

const from = ({ places }: SentenceTold): string =>
  places.map(({ document, heading }) => `${documentName(document)}, "${heading}"`).join('; ') || 'beyond the documents';

/** Everything that is known of one rule. */
export function ruleText(rule: RuleTold): string {
  const part = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : ['', title, ...lines];
  return [
    `${rule.id} ${rule.level}  ${rule.title}`,
    `  ${rule.chapter}, features/${rule.place}${rule.beyond ? ', beyond the documents' : ''}`,
    ...part('Why', [wrapped(rule.why, '  ')]),
    ...part(repairer(rule), [wrapped(rule.repair.text, '  ')]),
    ...part('Sentences', rule.sentences.flatMap(sentence)),
    ...part(
      'Where the documents mislead',
      rule.errata.flatMap(({ id, trap, today }) => [
        wrapped(`${id}: ${trap}`, '  '),
        wrapped(`Kubernetes: ${today}`, '    '),
      ]),
    ),
    ...part(
      'Scenarios',
      rule.scenarios.map(({ name, needs, releases }) =>
        [`  ${name}`, needs.length === 0 ? '' : `needs ${needs.join(', ')}`, releases]
          .filter((text) => text !== '')
          .join('; '),
      ),
    ),
    '',
    ...rule.gherkin.split('\n').map((line) => (line === '' ? '' : `    ${line}`)),
    ...part(
      'Proved by',
      rule.mutants.map(({ name, defect }) => `  ${name}: ${defect}`),
    ),
    '',
  ].join('\n');
}

const sentence = (told: SentenceTold): readonly string[] => [
  wrapped(`${told.id} ${told.level}: ${told.statement}`, '  '),
  wrapped(from(told), '    '),
  wrapped(`Kubernetes: ${told.today}`, '    '),
  ...(told.erratum === undefined
    ? []
    : [
        wrapped(
          `Erratum: ${[told.erratum.claim, told.erratum.fact].filter((text) => text !== undefined).join(' ')}`,
          '    ',
        ),
      ]),
];

const cell = (text: string): string => text.replace(/[\\|`<>*_]/g, '\\$&');

/** A table for each chapter, in the order given. */
export function rulesMarkdown(rules: readonly RuleTold[]): string {
  const chapters = [...new Set(rules.map(({ chapter }) => chapter))];
  const rows = (chapter: string): readonly string[] =>
    rules
      .filter((rule) => rule.chapter === chapter)
      .map(({ id, level, title, sentences, errata, mutants, beyond }) => {
        const documents = [
          ...new Set(sentences.flatMap(({ places }) => places.map(({ document }) => document))),
        ].sort();
        const source = beyond ? 'beyond' : documents.join(', ');
        return `| ${id} | ${level} | ${cell(title)} | ${source} | ${errata.map(({ id: trap }) => trap).join(', ')} | ${mutants.length} |`;
      });
  return chapters
    .map((chapter) =>
      [
        `## ${chapter}`,
        '',
        '| rule | level | demands | documents | errata | mutants |',
        '|---|---|---|---|---|---:|',
        ...rows(chapter),
        '',
      ].join('\n'),
    )
    .join('\n');
}
