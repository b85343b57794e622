import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { demand } from '../model/finding.js';
import type { Report, RuleResult } from '../model/report.js';
import type { VerdictKind } from '../model/verdict.js';
import { bindingBehind, causeOf } from './causes.js';
import { toConsole } from './console.js';
import { report } from './testing-report.js';

const [pattern] = report.rules;

/** Rules of one verdict whose scenarios each ended as `say` says. */
const rules = (count: number, verdict: VerdictKind, say: (index: number) => string): readonly RuleResult[] =>
  Array.from({ length: count }, (_, index) => {
    const reason = { kind: 'target', text: say(index) } as const;
    const id = `TOY-${100 + index}`;
    const findings = [demand({ subject: `the token ${index}`, demanded: 'logs in', seen: say(index), ok: false })];
    const judgements = [{ check: 'toys/sound', observation: 'o1', findings: verdict === 'failed' ? findings : [] }];
    const scenario = { id: `${id}/s`, name: 's', verdict, reason, ended: null, seconds: 0, judgements };
    return { ...(pattern as RuleResult), id, verdict, reason, scenarios: [scenario, { ...scenario, id: `${id}/t` }] };
  });
const told = (all: readonly RuleResult[], verbose = false): readonly string[] =>
  toConsole({ ...report, rules: all } as Report, { colour: false, detail: verbose ? 'verbose' : undefined }).split(
    '\n',
  );

describe('causes that are alike', () => {
  it('are told once, with what they hold for, whatever is in error', () => {
    const lines = told(rules(60, 'error', (index) => `GET /a/jp-x${index}${index}q: no answer within ${index} s`));
    assert.ok(lines.length < 12, lines.join('\n'));
    assert.match(lines.join('\n'), /TOY-100 TOY-101 .* and 48 more/);
    assert.equal(lines.filter((line) => line.includes('no answer within')).length, 1);
  });

  it('are told once where rules fail of them, but for --verbose', () => {
    const failed = rules(19, 'failed', () => '401 Unauthorized');
    const lines = told(failed);
    assert.ok(lines.length < 25, lines.join('\n'));
    assert.match(lines.join('\n'), /alike: +TOY-101 .* and 6 more ended as this one did/);
    assert.ok(told(failed, true).length > 100);
  });

  it('are kept apart where more than a name differs', () => {
    const lines = told(rules(2, 'failed', (index) => (index === 0 ? '401 Unauthorized' : 'no answer')));
    assert.equal(lines.filter((line) => line.startsWith('failed')).length, 2);
  });

  it('are kept apart where a later scenario alone differs', () => {
    const [one, other] = rules(2, 'failed', () => 'it does not');
    assert.ok(one !== undefined && other !== undefined);
    const [first, second] = other.scenarios;
    assert.ok(first !== undefined && second !== undefined);
    const findings = [demand({ subject: 'the token', demanded: 'is forbidden that', seen: 'it may', ok: false })];
    const judgements = [{ check: 'toys/sound', observation: 'o1', findings }];
    const alike = told([one, other]).filter((line) => line.includes('ended as this one did'));
    const apart = told([one, { ...other, scenarios: [first, { ...second, judgements }] }]);
    assert.equal(alike.length, 1);
    assert.deepEqual(
      apart.filter((line) => line.includes('ended as this one did')),
      [],
    );
  });
  it('are one where requests are lost on one connection', () => {
    const lost = rules(9, 'error', (index) => `GET /api/v1/${'abcdefghi'[index]}?limit=500: the connection was closed`);
    assert.equal(told(lost).filter((line) => line.includes('connection was closed')).length, 1);
  });

  it('are one binding that grants too much, with each rule that it breaks', () => {
    const allowed = (name: string) => `allowed (RBAC: allowed by ClusterRoleBinding "${name}" of ClusterRole "a" to b)`;
    const lines = told(rules(3, 'failed', () => allowed('wide'))).join('\n');
    assert.match(lines, /failed {2}ClusterRoleBinding wide breaks 3 rules\n {2}TOY-100 MUST/);
    for (const id of ['TOY-101', 'TOY-102']) assert.match(lines, new RegExp(`\n {2}${id} MUST`));
    assert.equal(
      told(rules(2, 'failed', (index) => allowed(`b${index}x`)))
        .join('\n')
        .includes('breaks'),
      false,
    );
    assert.equal(
      told(
        rules(3, 'failed', () => allowed('wide')),
        true,
      )
        .join('\n')
        .includes('breaks'),
      false,
    );
  });

  it('are no binding where several are named', () => {
    const finding = (subject: string, seen = '200') => ({ subject, seen });
    assert.equal(bindingBehind([finding('RoleBinding a/b'), finding('x')]), 'RoleBinding a/b');
    assert.equal(bindingBehind([finding('RoleBinding a/b'), finding('ClusterRoleBinding c')]), undefined);
    assert.equal(bindingBehind([finding('x')]), undefined);
  });

  it('are found in time that grows with the text only', () => {
    for (const nasty of ['"', '(', 'jp-', '1', 'the token a', '("'])
      assert.ok(causeOf(nasty.repeat(500_000)).length < 2_000);
  });
});
