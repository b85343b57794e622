import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Gate, RuleResult } from '../model/report.js';
import type { VerdictKind } from '../model/verdict.js';
import type { Target } from '../targets/types.js';
import { gateOf, parseGate } from './gate.js';
import { exitCodeOf, summarise } from './results.js';
import { UsageError } from './usage-error.js';

const rule = (verdict: VerdictKind, level: RuleResult['level'] = 'MUST'): RuleResult =>
  ({ id: 'TOY-01', verdict, level, scenarios: [] }) as unknown as RuleResult;
const gate = (changed: Partial<Gate> = {}): Gate => ({
  failOn: 'SHOULD',
  require: [],
  maxSkipped: null,
  shortfalls: [],
  ...changed,
});
const target = {
  facts: { holds: new Set(['kubeadm']) },
  abilities: { objects: {} },
  why: (need: string) => `no ${need} here`,
} as unknown as Target;

describe('what is demanded of a run', () => {
  it('is read as it is given, in any case and with commas', () => {
    assert.deepEqual(parseGate({}), { failOn: 'SHOULD', require: [], maxSkipped: null });
    assert.deepEqual(parseGate({ failOn: 'may', require: ['write, kubeadm', 'kubeadm'], maxSkipped: '0' }), {
      failOn: 'MAY',
      require: ['kubeadm', 'writes'],
      maxSkipped: 0,
    });
    assert.deepEqual(parseGate({ require: ['kubeadm', 'objects'] }).require, ['kubeadm', 'objects']);
  });

  it('is that the credential may read something', () => {
    const blind = (readsNothing: boolean): readonly string[] =>
      gateOf(parseGate({}), { ...target, facts: { ...target.facts, readsNothing: () => readsNothing } }, 0).shortfalls;
    assert.deepEqual(blind(false), []);
    const [why = '', ...more] = blind(true);
    assert.match(why, /may read nothing .*"joinproof rbac"/);
    assert.deepEqual(more, []);
    assert.equal(exitCodeOf([rule('passed')], { gate: gate({ shortfalls: [why] }) }), 3);
  });

  it('is refused where it is unknown, in a sentence that says what there is', () => {
    assert.throws(() => parseGate({ failOn: 'ALWAYS' }), UsageError);
    assert.throws(() => parseGate({ require: ['contollers'] }), /Did you mean "controllers"/);
    assert.throws(() => parseGate({ require: [''] }), UsageError);
    for (const maxSkipped of ['-1', '1.5', 'x', '', '1e3'])
      assert.throws(() => parseGate({ maxSkipped }), UsageError, maxSkipped);
  });

  it('says what the target lacks and how many rules were skipped too many', () => {
    const { shortfalls } = gateOf(
      parseGate({ require: ['kubeadm,controllers,objects,tls'], maxSkipped: '3' }),
      target,
      4,
    );
    assert.equal(shortfalls.length, 3);
    assert.match(
      shortfalls.join('\n'),
      /"controllers".*no controllers here\n.*"tls".*\n4 rules were skipped.*allows 3/,
    );
    assert.deepEqual(gateOf(parseGate({ maxSkipped: '3' }), target, 3).shortfalls, []);
    assert.deepEqual(gateOf(parseGate({}), target, 4), gate());
  });
});

describe('the exit code', () => {
  const code = (rules: readonly RuleResult[], beside?: Parameters<typeof exitCodeOf>[1]) => exitCodeOf(rules, beside);

  it('is 1 where a rule failed that may not: by default MUST and SHOULD', () => {
    assert.equal(code([rule('failed'), rule('error')]), 1);
    assert.equal(code([rule('failed', 'SHOULD')]), 1);
    assert.equal(code([rule('passed'), rule('failed', 'MAY')]), 0);
    assert.equal(code([rule('failed', 'MAY')]), 0);
    assert.equal(code([rule('failed', 'MAY')], { gate: gate({ failOn: 'MAY' }) }), 1);
    assert.equal(code([rule('failed', 'SHOULD'), rule('passed')], { gate: gate({ failOn: 'MUST' }) }), 0);
  });

  it('is 3 where something demanded is missing, something is left, or nothing was judged', () => {
    assert.equal(code([rule('passed')], { gate: gate({ shortfalls: ['it lacks'] }) }), 3);
    assert.equal(code([rule('passed')], { left: { count: 1, examples: ['a'] } }), 3);
    assert.equal(code([rule('passed'), rule('error', 'MAY')]), 3);
    assert.equal(code([rule('skipped')]), 3);
    assert.equal(code([]), 3);
    assert.equal(code([rule('waived')]), 0);
    assert.equal(code([rule('failed')], { gate: gate({ shortfalls: ['it lacks'] }) }), 1);
  });

  it('stands in the summary', () => {
    assert.equal(summarise([rule('passed'), rule('skipped')], { gate: gate({ shortfalls: ['x'] }) }).exitCode, 3);
  });
});
