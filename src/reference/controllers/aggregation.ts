/**
 * Fills ClusterRoles that collect the rules of others. Source:
 * pkg/controller/clusterroleaggregation/clusterroleaggregation_controller.go.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Controller } from '../../apiserver/types.js';
import type { KubeObject, LabelSelector, PolicyRule, Role } from '../../kubernetes/objects.js';
import { type ControllerContext, createLoop, isResource } from './controller.js';

const OF_ROLES = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' };
/** Its account and its field manager. */
const NAME = 'clusterrole-aggregation-controller';
const CLUSTER_ROLES = { group: 'rbac.authorization.k8s.io', resource: 'clusterroles' };

/**
 * Whether a label selector of an object picks labels. An empty one picks all. Source: apimachinery,
 * pkg/apis/meta/v1/helpers.go LabelSelectorAsSelector.
 */
function selects(selector: LabelSelector, labels: Readonly<Record<string, string>>): boolean {
  if (Object.entries(selector.matchLabels ?? {}).some(([key, value]) => labels[key] !== value)) return false;
  return (selector.matchExpressions ?? []).every(({ key, operator, values = [] }) => {
    const value = labels[key];
    if (operator === 'In') return value !== undefined && values.includes(value);
    if (operator === 'NotIn') return value === undefined || !values.includes(value);
    return operator === 'Exists' ? value !== undefined : operator === 'DoesNotExist' && value === undefined;
  });
}

const selectorsOf = (object: KubeObject): readonly LabelSelector[] | undefined =>
  (object as Role).aggregationRule?.clusterRoleSelectors;

/** Rules of the roles that the selectors pick, by role name, each rule once; the role itself does not count. */
export function aggregate(role: KubeObject, all: readonly KubeObject[]): readonly PolicyRule[] {
  const rules = new Map<string, PolicyRule>();
  for (const selector of selectorsOf(role) ?? []) {
    for (const other of all) {
      if (other.metadata.name === role.metadata.name || !selects(selector, other.metadata.labels ?? {})) continue;
      for (const rule of (other as Role).rules ?? []) {
        const key = JSON.stringify([
          rule.verbs,
          rule.apiGroups,
          rule.resources,
          rule.resourceNames,
          rule.nonResourceURLs,
        ]);
        if (!rules.has(key)) rules.set(key, rule);
      }
    }
  }
  return [...rules.values()];
}

/**
 * Roles with their collected rules already in them, so that a new cluster need not wait for the controller. Collections
 * of collections too.
 */
export function aggregated(roles: readonly KubeObject[]): readonly KubeObject[] {
  const byName = new Map(
    [...roles]
      .sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1))
      .map((role) => [role.metadata.name, role]),
  );
  for (let changed = true; changed; ) {
    changed = false;
    for (const role of byName.values()) {
      if (selectorsOf(role) === undefined) continue;
      const rules = aggregate(role, [...byName.values()]);
      if (rules.length === ((role as Role).rules ?? []).length) continue;
      byName.set(role.metadata.name, { ...role, rules });
      changed = true;
    }
  }
  return [...byName.values()];
}

export function clusterRoleAggregation(context: ControllerContext): Controller {
  const { store, decisions } = context;
  const client = context.as(NAME);
  const collecting = (): string[] =>
    store.list(CLUSTER_ROLES).flatMap((role) => (selectorsOf(role) === undefined ? [] : [role.metadata.name ?? '']));
  return createLoop({
    name: NAME,
    context,
    keysOf: (event) => (isResource(event, CLUSTER_ROLES) ? collecting() : []),
    initial: collecting,
    sync(name) {
      const role = store.get(CLUSTER_ROLES, undefined, name);
      if (role === undefined || selectorsOf(role) === undefined) return;
      const held = (role as Role).rules ?? [];
      const rules = decisions.rulesCollected(aggregate(role, store.list(CLUSTER_ROLES)), held);
      if (isDeepStrictEqual(held, rules)) return;
      // Of none nothing is said, so what another wrote there stays.
      client.apply(CLUSTER_ROLES, { ...OF_ROLES, metadata: { name }, ...(rules.length === 0 ? {} : { rules }) }, NAME);
    },
  });
}
