/**
 * What each format says of two reports, word by word: src/report/recorded has the texts. `node
 * dist/src/report/recorded.test.js --write` writes them anew: git diff tells what is said otherwise now.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { control, demand } from '../model/finding.js';
import type { Report, RuleResult } from '../model/report.js';
import { packageFile } from '../run/package-root.js';
import { toConsole } from './console.js';
import { FORMATS, writerOf } from './formats.js';
import type { FeatureTexts } from './messages.js';
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
  '',
].join('\n');
const features: FeatureTexts = {
  texts: new Map([['toys/a.feature', FEATURE]]),
  places: new Map([
    ['TOY-04/s', 'toys/a.feature:4'],
    ['TOY-07/one', 'toys/a.feature:10'],
    ['TOY-07/two', 'toys/a.feature:13'],
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

const REPORTS: Readonly<Record<string, Report>> = { small: report, full };

async function textsOf(name: string, given: Report): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const format of FORMATS)
    texts.set(`${name}-${format}.txt`, await (await writerOf(format))(given, async () => features));
  for (const detail of [undefined, 'quiet', 'verbose'] as const)
    texts.set(`${name}-console-${detail ?? 'usual'}.txt`, toConsole(given, { colour: false, detail }));
  return texts;
}

const write = process.argv.includes('--write');
if (write) mkdirSync(packageFile(FOLDER), { recursive: true });
for (const [name, given] of Object.entries(REPORTS))
  for (const [file, text] of await textsOf(name, given)) {
    const place = packageFile(`${FOLDER}/${file}`);
    if (write) writeFileSync(place, text);
    else
      describe('what is said of a report', () => {
        it(`is as recorded in ${file}`, () => assert.equal(text, readFileSync(place, 'utf8')));
      });
  }
