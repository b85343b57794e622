/**
 * What each format says of two reports, word by word: src/report/recorded has the texts. `node
 * dist/src/report/recorded.test.js --write` writes them anew: git diff tells what is said otherwise now.
 */

import { control, demand } from '../model/finding.js';
import { visibleLines } from '../model/foreign.js';
import type { Report, RuleResult, ScenarioResult } from '../model/report.js';
import { type Reason, VERDICTS, type VerdictKind } from '../model/verdict.js';
import { packageFile } from '../run/package-root.js';
import { toConsole } from './console.js';
import { DIFF_FORMATS, diffText } from './diff-text.js';
import { FORMATS, writerOf } from './formats.js';
import type { FeatureTexts } from './messages.js';
import { testRecorded } from './recorded.testing.js';
import { report } from './testing-report.js';

const FOLDER = 'src/report/recorded';
const FEATURE = [
  'Feature: Toys',
  '  @TOY-04 @MUST',
  '  Rule: A toy is sound',
  '    Scenario: s',
  '      Given a toy',
  '      Then it is sound',
  '      And it is round',
  '  @TOY-07 @SHOULD',
  '  Rule: Toys are many',
  '    Scenario: one',
  '      Given a toy',
  '      Then it is sound',
  '    Scenario: two',
  '      Given a toy',
  '      Then it is sound',
  '  @WIDE-1 @SHOULD',
  '  Rule: wide',
  ...Array.from({ length: 7 }, (_, at) => [
    `    Scenario: scenario ${at}`,
    '      Given a toy',
    '      Then it is sound',
  ]).flat(),
  '',
].join('\n');
const WIDE_FROM = 18;
const features: FeatureTexts = {
  texts: new Map([['toys/a.feature', FEATURE]]),
  places: new Map([
    ['TOY-04/s', 'toys/a.feature:4'],
    ['TOY-07/one', 'toys/a.feature:10'],
    ['TOY-07/two', 'toys/a.feature:13'],
    ...Array.from({ length: 7 }, (_, at) => [`WIDE-1/${at}`, `toys/a.feature:${WIDE_FROM + at * 3}`] as const),
  ]),
};

/** A rule of several scenarios, of which much was found, and by requests. */
const many: RuleResult = {
  id: 'TOY-07',
  level: 'SHOULD',
  chapter: 'more-toys',
  title: 'toys are many',
  why: 'one toy is none.',
  repair: { for: 'maker', text: 'make more.' },
  place: 'toys/a.feature:9',
  verdict: 'failed',
  reason: { kind: 'unmet', text: '1 of 2 scenarios failed: Node a: is a toy; seen: none' },
  sources: ['001', '013'],
  seconds: 1.5,
  sentences: [
    { id: '001-1', documents: ['001'], statement: 'Toys are many.', erratum: 'the document says: few; they are many' },
    { id: '013-2', documents: ['013'], statement: 'Each is a toy.' },
  ],
  errata: [],
  scenarios: [
    {
      id: 'TOY-07/one',
      name: 'one',
      verdict: 'failed',
      reason: { kind: 'unmet', text: 'Node a: is a toy; seen: none' },
      ended: null,
      seconds: 1,
      played: 2,
      judgements: [
        {
          check: 'toys/many',
          observation: 'o2',
          parameters: { least: 2 },
          findings: [
            ...['a', 'b', 'c', 'd', 'e', 'f'].map((name) =>
              demand({ subject: `Node ${name}`, demanded: 'is a toy', seen: 'none', ok: false }),
            ),
            demand({ subject: 'Secret kube-system/toy', demanded: 'is a toy', seen: 'one', ok: true }),
            demand({ subject: 'Node g', demanded: 'is a toy', seen: 'HTTP 500', ok: undefined }),
          ],
          more: { met: 1, unmet: 20, unclear: 3 },
          exchanges: [
            {
              as: 'anonymous',
              request: 'GET /api/v1/nodes/a',
              status: 404,
              headers: ['accept: text/plain'],
              sent: 'nothing',
              received: '{"kind":"Status"}',
            },
            { as: 'admin', request: 'GET /api/v1/nodes', status: null },
          ],
        },
        {
          check: 'toys/sound',
          observation: 'o1',
          taken: true,
          findings: [control({ subject: 'the maker', demanded: 'is there', seen: 'he is', ok: true })],
        },
      ],
    },
    {
      id: 'TOY-07/two',
      name: 'two',
      verdict: 'passed',
      reason: null,
      ended: null,
      seconds: 0.5,
      played: 2,
      judgements: [],
    },
  ],
};

const full: Report = {
  ...report,
  target: {
    ...report.target,
    kind: 'dump',
    server: '',
    version: null,
    authenticators: [
      { authenticator: 'client certificates', state: 'on', by: 'the flags of the API server' },
      { authenticator: 'token files', state: 'unknown', by: 'nobody has looked' },
    ],
  },
  profile: {
    level: 'SHOULD',
    chapters: ['toys'],
    rules: ['TOY-07'],
    tags: '@a and not @b',
    held: { name: 'k3s', chosen: 'detected', signs: ['its version is v1.36.0+k3s1'], parameters: { most: 5 } },
  },
  summary: { ...report.summary, rules: 7, scenarios: 8, failed: 2, exitCode: 1 },
  gate: { failOn: 'MUST', require: ['writes'], maxSkipped: 3, shortfalls: ['the target lacks "writes"'] },
  waivers: [
    {
      rule: 'TOY-02',
      subject: 'Secret *',
      owner: 'anna',
      reason: 'a toy',
      expires: '2027-01-31',
      state: 'used',
      findings: 1,
    },
    { rule: 'TOY-*', subject: '*', owner: 'bob', reason: 'gone', expires: '2026-01-31', state: 'expired', findings: 2 },
    { rule: 'TOY-09', subject: 'a', owner: 'bob', reason: 'none', expires: '2027-01-31', state: 'unused', findings: 0 },
  ],
  baseline: { startedAt: '2026-11-20T10:00:00.000Z', known: ['TOY-04 a'] },
  ownObjects: {
    leftOut: { count: 2, examples: ['Secret kube-system/jp-a'] },
    leftBehind: { count: 1, examples: ['Node jp-b'] },
  },
  left: { count: 7, examples: ['Secret kube-system/jp-c'] },
  rules: [...report.rules, many],
  observations: { o1: { toys: 1 }, o2: [{ node: 'a' }] },
};

/** More of everything than a format shows, and texts that are too long. */
const wideRule = (n: number, verdict: VerdictKind, change: Partial<RuleResult> = {}): RuleResult => {
  const reason: Reason = { kind: 'ability', text: `reason ${n % 5} of ${verdict}` };
  const findings = Array.from({ length: 7 }, (_, at) =>
    demand({
      subject: `${at % 2 === 0 ? 'Secret' : 'Role'} space-${at % 3}/thing-${at}`,
      demanded: `is a toy of ${n}`,
      seen: at === 6 ? 'x'.repeat(1_200) : `none of ${n} at ${at}`,
      ok: at === 5 ? undefined : at === 4,
    }),
  );
  const scenarios = Array.from({ length: 7 }, (_, at): ScenarioResult => {
    const ends = at === 6 ? 'passed' : verdict;
    return {
      id: `WIDE-${n}/${at}`,
      name: `scenario ${at}`,
      verdict: ends,
      reason: ends === 'passed' ? null : { ...reason, text: `${reason.text}, ${at % 4}` },
      ended: null,
      seconds: 0.25,
      played: at,
      judgements:
        verdict === 'skipped'
          ? []
          : [
              { check: 'toys/first', observation: null, findings: findings.slice(0, 3) },
              {
                check: 'toys/second',
                observation: 'o1',
                findings: findings.slice(3),
                more: { met: 0, unmet: 2, unclear: 1 },
              },
            ],
    };
  });
  return {
    ...many,
    id: `WIDE-${n}`,
    chapter: `chapter-${n % 3}`,
    title: `wide ${n}`,
    level: (['MUST', 'SHOULD', 'MAY'] as const)[n % 3] ?? 'MUST',
    repair: { for: n % 2 === 0 ? 'operator' : 'maker', text: `mend ${n}\nand once more.` },
    verdict,
    reason: verdict === 'passed' ? null : reason,
    sources: ['000', '001', '002'].slice(0, n % 4),
    scenarios,
    ...change,
  };
};
const binding = (n: number): RuleResult => ({
  ...many,
  id: `BOUND-${n}`,
  title: `bound ${n}`,
  scenarios: many.scenarios.slice(0, 1).map((scenario) => ({
    ...scenario,
    judgements: [
      {
        check: 'toys/bound',
        observation: null,
        findings: ['a', 'b'].map((name) =>
          demand({
            subject: `Group ${name}`,
            demanded: `may not play ${n}`,
            seen: 'it may: RBAC: allowed by ClusterRoleBinding "everybody" of ClusterRole "a"',
            ok: false,
          }),
        ),
      },
    ],
  })),
});
const wideRules = [
  ...[1, 2].map((n) => wideRule(n, 'failed')),
  wideRule(3, 'failed', { reason: { kind: 'unmet', text: 'so long '.repeat(300) } }),
  ...[4, 5].map((n) => wideRule(n, 'advised', { advice: true })),
  ...[6, 7, 8].map((n) => wideRule(n, 'error')),
  wideRule(9, 'error', { scenarios: [], reason: { kind: 'joinproof', text: 'it has no scenario' } }),
  ...Array.from({ length: 15 }, (_, n) => wideRule(n + 10, 'skipped')),
  wideRule(25, 'skipped', { reason: { kind: 'profile', text: 'excused' } }),
  ...[26, 27].map((n) => wideRule(n, 'waived')),
  ...[28, 29].map((n) => wideRule(n, 'passed', { scenarios: [] })),
  ...[30, 31].map(binding),
];
const countOf = (verdict: VerdictKind): number => wideRules.filter((rule) => rule.verdict === verdict).length;
const wide: Report = {
  ...report,
  target: { ...report.target, abilities: ['objects', 'writes'], facts: ['anonymous', 'kubeadm'] },
  profile: {
    ...report.profile,
    held: { name: 'kubeadm', chosen: 'detected', signs: ['1', '2', '3', '4', '5', '6'], parameters: {} },
  },
  summary: {
    rules: wideRules.length,
    scenarios: 9,
    ...(Object.fromEntries(VERDICTS.map((kind) => [kind, countOf(kind)])) as Record<VerdictKind, number>),
    exitCode: 3,
  },
  left: { count: 1, examples: ['Secret a'] },
  baseline: { startedAt: '2026-11-20T10:00:00.000Z', known: ['a', 'b'] },
  rules: wideRules,
};

const REPORTS: Readonly<Record<string, Report>> = { small: report, full, wide };

/** Rules that change in every way, with more findings than are shown. */
const CHANGED = (['worse', 'better', 'appeared', 'went'] as const).map((change, n) => ({
  change,
  rule: `TOY-${n}`,
  title: `toys *are* <${n}>`,
  level: 'MUST' as const,
  before: change === 'appeared' ? null : change === 'worse' ? ('failed' as const) : ('passed' as const),
  after: change === 'went' ? null : ('failed' as const),
  found: many.scenarios.flatMap(({ judgements }) => judgements.flatMap(({ findings }) => findings)).slice(0, n * 2),
  gone: Array.from({ length: 8 + n }, (_, at) =>
    demand({ subject: `Node ${at}`, demanded: 'is a toy', seen: 'none', ok: false }),
  ),
}));

async function textsOf(name: string, given: Report): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const format of FORMATS)
    texts.set(`${name}-${format}.txt`, await (await writerOf(format))(given, async () => features));
  for (const detail of [undefined, 'quiet', 'verbose'] as const) {
    const file = `${name}-console-${detail ?? 'usual'}`;
    texts.set(`${file}.txt`, toConsole(given, { colour: false, detail }));
    texts.set(`${file}-colour.txt`, visibleLines(toConsole(given, { colour: true, detail })));
  }
  return texts;
}

const everything = new Map<string, string>(
  DIFF_FORMATS.map((format) => [`diff-${format}.txt`, diffText(CHANGED, format)]),
);
for (const [name, given] of Object.entries(REPORTS))
  for (const [file, text] of await textsOf(name, given)) everything.set(file, text);
testRecorded('what is said of a report', packageFile(FOLDER), everything);
