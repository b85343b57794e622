import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LONGEST_TEXT } from '../model/foreign.js';
import { redacted } from '../model/redacted.js';
import type { Report } from '../model/report.js';
import { report } from './testing-report.js';

const CANARY = 'canary';
const redact = (text: string): string => text.replaceAll(CANARY, '[redacted]');
const foreign = (text: string): string => `${text} ${CANARY}`;

/** A report with the canary in every text that comes from outside. */
const whole = (text: (text: string) => string): Report => ({
  ...report,
  gate: { failOn: 'MUST', require: [], maxSkipped: null, shortfalls: [text('u'), text('v')] },
  target: { ...report.target, name: text('a'), server: text('b'), version: text('c') },
  rules: report.rules.map((rule) => ({
    ...rule,
    reason: { kind: 'unmet', text: text('d') },
    scenarios: rule.scenarios.map((scenario) => ({
      ...scenario,
      reason: { kind: 'unmet', text: text('e') },
      ended: { kind: 'error', reason: { kind: 'target', text: text('f') } },
      judgements: scenario.judgements.map((judgement) => ({
        ...judgement,
        parameters: { [text('g')]: [text('h')] },
        findings: judgement.findings.map((finding) => ({
          ...finding,
          subject: text('i'),
          demanded: text('j'),
          seen: text('k'),
          note: text('l'),
        })),
        exchanges: [
          {
            as: text('m'),
            request: text('n'),
            status: 200,
            headers: [text('t')],
            sent: text('o'),
            received: text('p'),
          },
        ],
      })),
    })),
  })),
  ownObjects: {
    leftOut: { count: 3, examples: [text('w'), text('x')] },
    leftBehind: { count: 4, examples: [text('y')] },
  },
  left: { count: 5, examples: [text('z')] },
  observations: { o1: { [text('q')]: [{ [text('r')]: text('s') }] } },
});

test('no text from outside is shown with a secret in it', () => {
  const shown = JSON.stringify(redacted(whole(foreign), redact));
  assert.ok(!shown.includes(CANARY));
});

test('a secret at the edge of what is shown leaves nothing of itself', () => {
  const edge = (text: string): string => `${text.padEnd(LONGEST_TEXT - 3, '-')}${CANARY}${'-'.repeat(99)}`;
  const { observations: _, ...shown } = redacted(whole(edge), redact);
  assert.doesNotMatch(JSON.stringify(shown), /-can/);
});

test('every text from outside is shown as what redacts it says, and nothing else is changed', () => {
  const plain = whole((text) => text);
  assert.deepEqual(
    redacted(plain, (text) => text),
    plain,
  );
  const marked = (text: string): string => `<${text}>`;
  assert.deepEqual(redacted(plain, marked), whole(marked));
});

test('what joinproof says by itself stays, whatever is called a secret', () => {
  const shown = redacted(report, () => '[redacted]');
  const own = ({ rules, summary, observations }: Report): unknown => [
    summary,
    Object.keys(observations),
    rules.map((rule) => [rule.id, rule.title, rule.why, rule.repair, rule.verdict, rule.place, rule.sentences]),
    rules.flatMap((rule) =>
      rule.scenarios.map(({ id, name, verdict, judgements }) => [
        id,
        name,
        verdict,
        judgements.map(({ check }) => check),
      ]),
    ),
  ];
  assert.deepEqual(own(shown), own(report));
});

test('what is shown of texts without end is bounded', () => {
  const { observations: _, ...shown } = redacted(
    whole((text) => text.repeat(1_000_000)),
    redact,
  );
  const texts = 22 * report.rules.length + 17;
  assert.ok(
    JSON.stringify({
      ...shown,
      rules: shown.rules.map((rule) => ({
        ...rule,
        scenarios: rule.scenarios.map((scenario) => ({
          ...scenario,
          judgements: scenario.judgements.map(({ parameters: _own, ...judged }) => judged),
        })),
      })),
    }).length <
      texts * (LONGEST_TEXT + 100),
  );
});
