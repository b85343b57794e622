import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { records } from '../../kubernetes/json.js';
import type { KubeObject, PolicyRule } from '../../kubernetes/objects.js';
import { startReference } from '../start.js';

const CLUSTER_ROLES = { group: 'rbac.authorization.k8s.io', resource: 'clusterroles' };
const rule = (resource: string): PolicyRule => ({ verbs: ['get'], apiGroups: [''], resources: [resource] });
const role = (
  name: string,
  rules: readonly PolicyRule[],
  labels: Readonly<Record<string, string>> = {},
): KubeObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name, labels },
  rules,
});
const sum = (rules: readonly PolicyRule[]): KubeObject => ({
  ...role('sum', rules),
  aggregationRule: { clusterRoleSelectors: [{ matchLabels: { to: 'sum' } }] },
});

async function inCluster(
  act: (at: {
    readonly create: (role: KubeObject) => Promise<void>;
    readonly remove: (name: string) => Promise<void>;
    readonly collected: () => KubeObject | undefined;
  }) => Promise<void>,
): Promise<void> {
  const reference = await startReference({});
  try {
    await act({
      async create(created) {
        reference.api.create(CLUSTER_ROLES, created);
        await reference.settle();
      },
      async remove(name) {
        reference.api.delete(CLUSTER_ROLES, undefined, name);
        await reference.settle();
      },
      collected: () => reference.api.get(CLUSTER_ROLES, undefined, 'sum'),
    });
  } finally {
    await reference.close();
  }
}

describe('aggregated ClusterRoles', () => {
  it('collect the rules of those that their selectors pick, each once, by name', () =>
    inCluster(async ({ create, collected }) => {
      await create(sum([]));
      await create(role('b', [rule('pods'), rule('nodes')], { to: 'sum' }));
      await create(role('a', [rule('nodes')], { to: 'sum' }));
      await create(role('c', [rule('secrets')]));
      assert.deepEqual(collected()?.rules, [rule('nodes'), rule('pods')]);
      const managers = records(collected()?.metadata.managedFields).filter(({ operation }) => operation === 'Apply');
      assert.deepEqual(
        managers.map(({ manager, fieldsV1 }) => [manager, fieldsV1]),
        [['clusterrole-aggregation-controller', { 'f:rules': {} }]],
      );
    }));
  it('hold nothing again when nothing is picked any more', () =>
    inCluster(async ({ create, remove, collected }) => {
      await create(sum([rule('secrets')]));
      await create(role('a', [rule('nodes')], { to: 'sum' }));
      assert.deepEqual(collected()?.rules, [rule('nodes')]);
      await remove('a');
      assert.deepEqual(collected()?.rules ?? [], []);
    }));
  it('are left alone where they hold what is picked already, and where that is nothing', () =>
    inCluster(async ({ create, collected }) => {
      const { rules: _none, ...bare } = sum([]);
      await create(bare as KubeObject);
      const before = collected();
      await create(role('c', [rule('secrets')]));
      assert.deepEqual(collected(), before);
      await create(role('a', [rule('nodes')], { to: 'sum' }));
      const filled = collected();
      await create(role('b', [rule('nodes')], { to: 'sum' }));
      assert.deepEqual(collected(), filled);
    }));
  it('keep what another wrote while nothing is picked: of no rules the controller says nothing', () =>
    inCluster(async ({ create, remove, collected }) => {
      await create(sum([rule('secrets')]));
      assert.deepEqual(collected()?.rules, [rule('secrets')]);
      await create(role('other', [rule('nodes')]));
      await remove('other');
      assert.deepEqual(collected()?.rules, [rule('secrets')]);
    }));
});
