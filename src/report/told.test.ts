import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Report, RuleResult } from '../model/report.js';
import type { Reason, VerdictKind } from '../model/verdict.js';
import { report } from './testing-report.js';
import { conformity, countsOf, endedAt, heldTo, notJudged, objectOf, targetName, toldOf, uuidOf } from './told.js';

const [pattern] = report.rules;
const ruleOf = (id: string, verdict: VerdictKind, kind?: Reason['kind'], chapter = 'toys'): RuleResult => ({
  ...(pattern as RuleResult),
  ...{ id, verdict, chapter, reason: kind === undefined ? null : { kind, text: 'so' } },
});

describe('what a target is held to', () => {
  const held = (signs: readonly string[], rules: readonly RuleResult[] = []): string =>
    heldTo({
      ...report,
      profile: { ...report.profile, held: { name: 'kubeadm', chosen: 'detected', signs, parameters: {} } },
      rules,
    });

  it('is told with at most five of the signs that it was chosen by', () => {
    assert.equal(heldTo(report), '');
    assert.equal(held([]), 'kubeadm (detected)');
    assert.equal(held(['a', 'b', 'c', 'd', 'e', 'f']), 'kubeadm (detected: a; b; c; d; e)');
  });

  it('names the rules that the profile excuses, and no advice, nor what is skipped for another reason', () => {
    const rules = [
      ruleOf('A', 'skipped', 'profile'),
      ruleOf('B', 'advised', 'profile'),
      ruleOf('C', 'skipped', 'ability'),
      ruleOf('D', 'passed'),
      ruleOf('E', 'skipped', 'profile'),
    ];
    assert.equal(held([], rules), 'kubeadm (detected); it excuses 2: A E');
    assert.equal(held([], rules.slice(1, 4)), 'kubeadm (detected)');
  });
});

describe('whether a target conforms', () => {
  const said = (counts: Partial<Report['summary']>, changed: Partial<Report> = {}): string => {
    const none = { rules: 3, scenarios: 3, passed: 0, waived: 0, skipped: 0, advised: 0, failed: 0, error: 0 };
    return conformity({ ...report, ...changed, summary: { ...none, exitCode: 0, ...counts } });
  };
  const gate = (...shortfalls: readonly string[]): Partial<Report> => ({
    gate: { failOn: 'MUST', require: [], maxSkipped: null, shortfalls },
  });
  const left = { count: 1, examples: ['Secret a'] };

  it('follows how the run ended', () => {
    assert.equal(said({ failed: 1, passed: 2, exitCode: 1 }), 'not conformant');
    assert.equal(said({ passed: 3 }), 'conformant');
    assert.equal(said({ passed: 1, waived: 2 }), 'conformant');
    assert.equal(said({ passed: 1, waived: 1, skipped: 1 }), 'conformant in 2 of 3');
    assert.equal(said({ passed: 2, skipped: 1 }), 'conformant in 2 of 3');
  });

  it('is not known where something ended with an error, or nothing was judged', () => {
    assert.equal(said({ passed: 2, error: 1, exitCode: 3 }), 'could not be judged');
    assert.equal(said({ passed: 2, error: 1, exitCode: 3 }, { left, ...gate('it lacks') }), 'could not be judged');
    assert.equal(said({ skipped: 3, exitCode: 3 }, gate('it lacks')), 'could not be judged');
    assert.equal(said({ passed: 3, exitCode: 3 }), 'could not be judged');
    assert.equal(said({ passed: 3, exitCode: 3 }, gate()), 'could not be judged');
  });

  it('says what else was not as it should be', () => {
    assert.equal(said({ passed: 3, exitCode: 3 }, { left }), 'conformant, but not as it was before');
    assert.equal(said({ passed: 3, exitCode: 3 }, { left, ...gate('x') }), 'conformant, but not as it was before');
    assert.equal(said({ waived: 3, exitCode: 3 }, gate('x')), 'conformant, but not what was demanded');
    assert.equal(
      said({ passed: 1, skipped: 2, exitCode: 3 }, gate('x')),
      'conformant in 1 of 3, but not what was demanded',
    );
  });

  it('is counted by verdict, and what was not judged by chapter', () => {
    const rules = [
      ruleOf('A', 'error', 'target', 'b'),
      ruleOf('B', 'skipped', 'fact', 'a'),
      ruleOf('C', 'skipped', 'fact', 'b'),
      ruleOf('D', 'failed', 'unmet', 'c'),
      ruleOf('E', 'waived', 'waiver', 'd'),
    ];
    assert.equal(notJudged({ ...report, rules }), '1 of a, 2 of b');
    assert.equal(notJudged({ ...report, rules: rules.slice(3) }), '');
    assert.deepEqual(countsOf({ ...report, summary: { ...report.summary, passed: 0, waived: 0, failed: 2 } }), [
      ['skipped', '1 skipped'],
      ['advised', '1 advised'],
      ['failed', '2 failed'],
      ['error', '1 not judged (error)'],
    ]);
  });
});

describe('what was found', () => {
  it('is told of the scenarios that ended as their rule did, without what is met', () => {
    const [, , , failed] = report.rules;
    assert.ok(failed);
    const [scenario] = failed.scenarios;
    const [judgement] = scenario?.judgements ?? [];
    assert.ok(scenario && judgement);
    const findings = (['met', 'unmet', 'unclear'] as const).map((result) => ({
      ...{ subject: result, role: 'demand' as const, demanded: 'd', seen: 's', result },
    }));
    const judgements = [{ ...judgement, findings }];
    const scenarios = [
      { ...scenario, judgements },
      { ...scenario, verdict: 'skipped' as const, judgements },
    ];
    assert.deepEqual(
      toldOf({ ...failed, scenarios }).map(({ finding }) => finding.subject),
      ['unmet', 'unclear'],
    );
  });

  it('names an object where it is of one, and only whole', () => {
    assert.deepEqual(objectOf('Secret kube-system/bootstrap-token-07401b'), {
      kind: 'Secret',
      namespace: 'kube-system',
      name: 'bootstrap-token-07401b',
    });
    assert.deepEqual(objectOf('ClusterRoleBinding kubeadm:get-nodes'), {
      kind: 'ClusterRoleBinding',
      name: 'kubeadm:get-nodes',
    });
    for (const other of [
      'GET /version as anonymous',
      'the Secret a',
      'secret a',
      'Secret a of the machine',
      'Secret Upper/a',
      'Secret -a/b',
      'Secret ',
      'S a',
      `Node ${'a'.repeat(254)}`,
      `Secret ${'a'.repeat(64)}/b`,
    ])
      assert.equal(objectOf(other), undefined, other);
    assert.equal(objectOf(`Node ${'a'.repeat(253)}`)?.name.length, 253);
    assert.equal(objectOf(`Secret ${'a'.repeat(63)}/b`)?.namespace?.length, 63);
  });

  it('is known by UUIDs of version 5 that come of names alone', () => {
    const one = uuidOf('finding', 'a', 'b');
    assert.match(one, /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.equal(uuidOf('finding', 'a', 'b'), one);
    assert.equal(new Set([one, uuidOf('finding', 'ab'), uuidOf('finding', 'b', 'a')]).size, 3);
  });

  it('was found of a target, at a time', () => {
    assert.equal(endedAt(report), '2026-11-21T10:00:01.250Z');
    assert.equal(targetName(report), 'https://10.0.0.1:6443 (context a), Kubernetes v1.36.0');
    assert.equal(targetName({ ...report, target: { ...report.target, version: null } }), report.target.name);
  });
});
