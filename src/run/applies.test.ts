import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Fact, Target } from '../targets/types.js';
import { decideBefore } from './applies.js';
import type { Rule, Scenario } from './features.js';
import { packageProfile } from './profiles.js';

const rule = { id: 'AUTH-001', problems: [], place: 'a.feature:1' } as unknown as Rule;
const scenario = { problems: [], range: {} } as unknown as Scenario;
const targetOf = (absent: readonly Fact[]): Target =>
  ({
    kind: 'cluster',
    facts: { holds: new Set(), absent: new Set(absent), version: { gitVersion: 'v1.36.0', minor: 36 } },
    abilities: {},
    why: (need: string) => `no ${need}`,
  }) as unknown as Target;
const decided = (profile: string, absent: readonly Fact[] = []) =>
  decideBefore(rule, scenario, ['controllers', 'writes'], {
    target: targetOf(absent),
    profile: packageProfile(profile),
  });

describe('a scenario before it is played', () => {
  it('fails where the controllers that it needs are known not to run, and says so as a finding', () => {
    const outcome = decided('kubeadm', ['controllers']);
    assert.equal(outcome?.verdict.kind, 'failed');
    assert.deepEqual(
      outcome.judged.map(({ check, findings }) => [check, findings[0]?.subject, findings[0]?.demanded]),
      [['presence/there', 'kube-controller-manager', 'runs: no controllers']],
    );
    assert.equal(outcome.ended, undefined);
  });

  it('is skipped where nobody can see them, or the profile lets them be absent', () => {
    assert.deepEqual(decided('kubeadm')?.verdict, {
      kind: 'skipped',
      reason: { kind: 'fact', text: 'no controllers' },
    });
    const profile = { ...packageProfile('kubeadm'), controllersMustRun: false };
    const target = targetOf(['controllers']);
    assert.equal(decideBefore(rule, scenario, ['controllers'], { target, profile })?.verdict.kind, 'skipped');
  });

  it('is skipped where the profile excuses it, with its name, reason and source', () => {
    const verdict = decided('openshift', ['controllers'])?.verdict;
    assert.equal(verdict?.kind, 'skipped');
    assert.match(verdict.reason.text, /^the profile openshift excuses it: it has no bootstrap tokens.* \(openshift\//);
    assert.equal(verdict.reason.kind, 'profile');
  });
});
