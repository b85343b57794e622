import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { KubeObject } from '../../kubernetes/objects.js';
import { readCollectedRole, rolesCollected } from './aggregated-roles.js';

const rule = (resource: string) => ({ verbs: ['get'], apiGroups: [''], resources: [resource] });
const role = (name: string, rules: readonly object[] | null, more: object = {}, labels = {}): KubeObject =>
  ({ metadata: { name, labels }, rules, ...more }) as unknown as KubeObject;
const AGGREGATES = { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { view: 'true' } }] } };
const told = (...roles: readonly KubeObject[]): readonly string[] =>
  rolesCollected
    .judge(roles.map(readCollectedRole), undefined)
    .map(({ result, subject, seen }) => `${result}: ${subject}: ${seen}`);

it('a role that collects others holds their rules, and no others', () => {
  const parts = [role('a', [rule('pods')], {}, { view: 'true' }), role('b', [rule('services')], {}, { view: 'false' })];
  assert.deepEqual(told(role('view', [rule('pods')], AGGREGATES), ...parts), ['met: ClusterRole view: it does']);
  // fields that are left out, and those that are empty
  assert.deepEqual(told(role('view', [{ ...rule('pods'), resourceNames: [] }], AGGREGATES), ...parts), [
    'met: ClusterRole view: it does',
  ]);
  assert.deepEqual(told(role('view', null, AGGREGATES), ...parts), [
    'unmet: ClusterRole view: it lacks 1 of their rules',
  ]);
  assert.deepEqual(told(role('view', [rule('secrets')], AGGREGATES), ...parts), [
    'unmet: ClusterRole view: it lacks 1 of their rules; it has 1 beyond theirs',
  ]);
  // one that says less, or more, in any of its fields
  const paths = { verbs: ['get'], nonResourceURLs: ['/metrics'] };
  for (const [had, other] of [
    [rule('pods'), { ...rule('pods'), verbs: ['list'] }],
    [rule('pods'), { ...rule('pods'), apiGroups: ['apps'] }],
    [rule('pods'), { ...rule('pods'), resourceNames: ['one'] }],
    [paths, { ...paths, nonResourceURLs: ['/metrics', '/logs'] }],
  ] as const)
    assert.deepEqual(
      told(role('view', [other], AGGREGATES), role('a', [had], {}, { view: 'true' })),
      ['unmet: ClusterRole view: it lacks 1 of their rules; it has 1 beyond theirs'],
      JSON.stringify(other),
    );
  // each of them, by any of its selectors
  const both = {
    aggregationRule: {
      clusterRoleSelectors: [{ matchLabels: { view: 'true' } }, { matchLabels: { view: 'false' } }],
    },
  };
  assert.deepEqual(
    told(role('all', [rule('services'), rule('pods')], both), role('none', [rule('pods')], both), ...parts),
    ['met: ClusterRole all: it does', 'unmet: ClusterRole none: it lacks 1 of their rules'],
  );
  // one that nobody adds to, one that picks itself, and one that collects nothing
  assert.deepEqual(told(role('view', null, AGGREGATES, { view: 'true' })), ['met: ClusterRole view: it does']);
  assert.deepEqual(told(...parts), []);
});
