import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { error } from '../model/verdict.js';
import type { Fact, Need, Target } from '../targets/types.js';
import { decideBefore, unplayed } from './applies.js';
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

  it('is skipped by the first of its needs that the target lacks: an ability or a fact', () => {
    const target = { ...targetOf([]), abilities: { objects: {} } } as unknown as Target;
    const facts = { ...target.facts, holds: new Set(['kubeadm']) } as Target['facts'];
    const why = (...needs: readonly Need[]) =>
      decideBefore(rule, scenario, needs, { target: { ...target, facts }, profile: packageProfile('kubeadm') })
        ?.verdict;
    assert.equal(why(), undefined);
    assert.equal(why('objects', 'kubeadm'), undefined);
    assert.deepEqual(why('objects', 'writes', 'tls'), {
      kind: 'skipped',
      reason: { kind: 'ability', text: 'no writes' },
    });
    assert.deepEqual(why('kubeadm', 'fresh'), { kind: 'skipped', reason: { kind: 'fact', text: 'no fresh' } });
  });

  it('does not fail for controllers that it does not need', () => {
    const held = { target: targetOf(['controllers']), profile: packageProfile('kubeadm') };
    assert.equal(decideBefore(rule, scenario, [], held), undefined);
    assert.deepEqual(decideBefore(rule, scenario, ['writes'], held)?.verdict.kind, 'skipped');
    const failed = decideBefore(rule, scenario, ['controllers'], held);
    assert.deepEqual([failed?.judged[0]?.taken, failed?.played, failed?.milliseconds], [false, 0, 0]);
  });

  it('is an error where it or its rule is malformed, whatever else', () => {
    const verdict = (ofRule: readonly string[], own: readonly string[]) =>
      decideBefore({ ...rule, problems: ofRule }, { ...scenario, problems: own }, [], {
        target: targetOf([]),
        profile: packageProfile('openshift'),
      })?.verdict;
    const malformed = (text: string) => error('joinproof', `the rule is malformed (a.feature:1): ${text}`);
    assert.deepEqual(verdict(['a'], ['b']), malformed('a; b'));
    assert.deepEqual(verdict([], ['b']), malformed('b'));
  });

  it('is skipped on other releases, and where no release can be read an error of who ought to show it', () => {
    const verdict = (range: Scenario['range'], kind: string, version: object) => {
      const known = targetOf([]);
      const target = { ...known, kind, facts: { ...known.facts, version } } as Target;
      return decideBefore(rule, { ...scenario, range }, [], { target, profile: packageProfile('kubeadm') })?.verdict;
    };
    const [known, hidden] = [{ gitVersion: 'v1.36.0', minor: 36 }, { unreadable: 'it shows none' }];
    for (const [range, ok] of [
      [{ since: [{ minor: 36 }] }, true],
      [{ since: [{ minor: 37 }] }, false],
      [{ until: [{ minor: 36 }] }, true],
      [{ until: [{ minor: 35 }] }, false],
    ] as const) {
      const found = verdict(range, 'cluster', known);
      assert.equal(found === undefined, ok);
      if (found !== undefined)
        assert.deepEqual([found.kind, 'reason' in found && found.reason.kind], ['skipped', 'version']);
      for (const kind of ['dump', 'node'])
        assert.deepEqual(verdict(range, kind, hidden), {
          kind: 'skipped',
          reason: { kind: 'version', text: 'it shows none' },
        });
      assert.deepEqual(verdict(range, 'cluster', hidden), error('target', 'it shows none'));
    }
    assert.equal(verdict({}, 'cluster', hidden), undefined);
  });

  it('has nothing judged where it is not played', () => {
    const verdict = error('target', 'lost');
    assert.deepEqual(unplayed(verdict), { verdict, ended: verdict, judged: [], played: 0, milliseconds: 0 });
  });
});
