/**
 * The site of a small specification, as it is written: src/site/recorded/site.txt. `node dist/src/site/recorded.test.js
 * --write` writes it anew: read the diff.
 */
import type { Report } from '../model/report.js';
import type { RuleTold, SentenceFate, Specification } from '../model/specification.js';
import { testRecorded } from '../report/recorded.testing.js';
import { report } from '../report/testing-report.js';
import { packageFile } from '../run/package-root.js';
import { siteOf } from './site.js';

const place = (document: string, heading: string) => ({ document, heading });
const sentence = (id: string, more: Partial<SentenceFate>): SentenceFate => ({
  id,
  level: 'MUST',
  statement: `What \`${id}\` says`,
  places: [],
  today: `It does \`${id}\``,
  area: id.slice(0, 1),
  areaTitle: 'An area',
  rules: [],
  ...more,
});
const sentences: readonly SentenceFate[] = [
  sentence('A-1', { places: [place('001', 'First'), place('002', 'Other')], rules: ['TOY-01', 'TOY-02'] }),
  sentence('A-2', {
    places: [place('001', 'First'), place('001', 'Second')],
    rules: ['TOY-02'],
    erratum: { claim: 'it claims', fact: 'it is `not`', since: '1.30' },
  }),
  sentence('A-3', { places: [place('001', 'Second')], unjudged: 'nobody `sees` it', erratum: { fact: 'another' } }),
  sentence('B-1', { rules: ['TOY-03', 'GONE-01'] }),
  sentence('B-2', { unjudged: 'no reason <b>' }),
];
const rule = (id: string, chapter: string, more: Partial<RuleTold>): RuleTold => ({
  id,
  level: 'MUST',
  chapter,
  title: `rule ${id} <i>`,
  why: `why ${id}`,
  repair: { for: 'operator', text: `mend ${id}` },
  place: `${chapter}/a.feature:1`,
  beyond: false,
  sentences: [],
  errata: [],
  scenarios: [],
  gherkin: `Rule: ${id}\n  Scenario: a <b>`,
  mutants: [],
  ...more,
});
const scenario = (name: string, releases: string, ...needs: readonly string[]) => ({ id: name, name, releases, needs });
const trap = { id: 'TRAP-1', trap: 'a `trap`', today: 'today `so`' };
const rules: readonly RuleTold[] = [
  rule('TOY-01', 'toys', {
    sentences: sentences.slice(0, 2),
    errata: [trap],
    scenarios: [scenario('one', ''), scenario('two', 'since 1.29', 'tls', 'writes'), scenario('three', '', 'clock')],
    mutants: [
      { name: 'b-mutant', defect: 'it is broken' },
      { name: 'a-mutant', defect: 'it is broken, too' },
    ],
  }),
  rule('TOY-02', 'toys', {
    level: 'SHOULD',
    repair: { for: 'maker', text: 'make it anew' },
    scenarios: [scenario('a', '')],
  }),
  rule('TOY-03', 'others', {
    level: 'MAY',
    sentences: sentences.slice(3, 4),
    scenarios: [scenario('b', 'until 1.30')],
    mutants: [{ name: 'b-mutant', defect: 'it is broken' }],
  }),
];
const specification: Specification = {
  chapters: [
    { chapter: 'toys', title: 'Toys', about: 'About toys.' },
    { chapter: 'others', title: 'Others', about: 'About others.' },
  ],
  rules,
  sentences,
  traps: [
    {
      ...trap,
      places: [place('002', 'Other'), place('001', 'Second')],
      advice: 'do `not`',
      rules: ['TOY-01', 'TOY-03'],
    },
    { id: 'TRAP-2', trap: 'another', today: 'it is', places: [], advice: 'wait', rules: [] },
  ],
};
const reported = (name: string, version: string | null, more: Partial<Report> = {}): Report => ({
  ...report,
  target: { ...report.target, name, version },
  observations: {},
  ...more,
});
const seen = [{ what: 'GET /version', as: 'nobody', answered: 200 }];
const reports: readonly Report[] = [
  reported('a cluster', 'v1.36.0', { observations: { a: [{ subject: 'ok-pin (honest)', exit: 0, seen }] } }),
  reported('kubeadm 1.30.1', 'v1.30.1'),
  reported('a client', null, { rules: report.rules.slice(1, 3) }),
];
const documentName = (document: string): string => `document ${document}`;

/** Pages and the index; what is the same for every site is left out. */
const told = (site: ReadonlyMap<string, string>): string =>
  [...site].flatMap(([file, text]) => (/^(style|search)\./.test(file) ? [] : [`#### ${file}\n${text}\n`])).join('');
testRecorded(
  'the site',
  packageFile('src/site/recorded'),
  new Map([
    ['site.txt', told(siteOf({ specification, reports, documentName }))],
    [
      'nothing.txt',
      told(
        siteOf({
          specification: { chapters: [], rules: [], sentences: [], traps: [] },
          reports: [],
          documentName,
        }),
      ),
    ],
  ]),
);
