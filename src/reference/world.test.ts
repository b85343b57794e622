/**
 * What the tests of this room share: a store with the bootstrap policy, a clock that stands still, certificates made on
 * the spot.
 */
import { randomBytes } from 'node:crypto';
import type { AuthorizationAttributes } from '../apiserver/access.js';
import { type ManualClock, manualClock } from '../apiserver/clock.js';
import type { StrategyContext } from '../apiserver/resource-definition.js';
import { createStore, type MemoryStore } from '../apiserver/storage/store.js';
import type { Binding, KubeObject, PolicyRule, UserInfo } from '../kubernetes/objects.js';
import { createAuthorizer, type ServerAuthorizer } from './authorization/authorizer.js';
import { reconcileBootstrapPolicy } from './authorization/bootstrap-policy.js';
import { type Decisions, decide } from './decisions.js';

export const NOW = Date.UTC(2026, 10, 20, 10, 30, 0);
const RBAC = 'rbac.authorization.k8s.io';

export interface TestWorld {
  readonly store: MemoryStore;
  readonly clock: ManualClock;
  readonly decisions: Decisions;
  readonly authorizer: ServerAuthorizer;
  readonly minor: number;
}

let uids = 0;

export function testWorld(minor = 36, replaced: Partial<Decisions> = {}): TestWorld {
  const store = createStore();
  const decisions = decide(replaced);
  reconcileBootstrapPolicy({ store, decisions, minor }, (object) => object);
  return {
    store,
    clock: manualClock(NOW),
    decisions,
    minor,
    authorizer: createAuthorizer({ store, decisions, minor }),
  };
}

/** Stores an object with a uid of its own. */
export function put(
  world: TestWorld,
  group: string,
  resource: string,
  object: Omit<KubeObject, 'apiVersion'>,
): KubeObject {
  uids += 1;
  const { metadata } = object as KubeObject;
  return world.store.create({ group, resource }, { ...object, metadata: { uid: `uid-${uids}`, ...metadata } });
}

/** A token Secret; a value of undefined leaves the key out. */
export function putToken(
  world: TestWorld,
  name: string,
  data: Readonly<Record<string, string | undefined>>,
  more: object = {},
): void {
  const encoded = Object.entries(data).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, Buffer.from(value).toString('base64')]],
  );
  put(world, '', 'secrets', {
    metadata: { namespace: 'kube-system', name },
    type: 'bootstrap.kubernetes.io/token',
    data: Object.fromEntries(encoded),
    ...more,
  });
}

/** A role and its binding, both of that name; `place`: "[namespace/]name". */
export const grant = (
  world: TestWorld,
  place: string,
  rules: readonly PolicyRule[],
  subjects: Binding['subjects'],
): void => {
  const [name = '', namespace] = place.split('/').reverse();
  put(world, RBAC, namespace === undefined ? 'clusterroles' : 'roles', {
    kind: namespace === undefined ? 'ClusterRole' : 'Role',
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
    rules,
  });
  put(world, RBAC, namespace === undefined ? 'clusterrolebindings' : 'rolebindings', {
    kind: namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding',
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
    roleRef: { apiGroup: RBAC, kind: namespace === undefined ? 'ClusterRole' : 'Role', name },
    ...(subjects === undefined ? {} : { subjects }),
  });
};

/** "verb resource[/sub][.group] [namespace/]name": a question about a resource. */
export function ask(
  user: UserInfo,
  verb: string,
  resource: string,
  at: Partial<AuthorizationAttributes> = {},
): AuthorizationAttributes {
  const [path = '', ...group] = resource.split('.');
  const [name = '', subresource = ''] = path.split('/');
  return {
    user,
    verb,
    isResourceRequest: true,
    path: '',
    group: group.join('.'),
    version: 'v1',
    resource: name,
    subresource,
    namespace: '',
    name: '',
    ...at,
  };
}

export const nodeUser = (name: string): UserInfo => ({
  username: `system:node:${name}`,
  groups: ['system:nodes', 'system:authenticated'],
});

export const context = (world: TestWorld, user: UserInfo, namespace = ''): StrategyContext => ({
  user,
  clock: world.clock,
  random: randomBytes,
  store: world.store,
  authorizer: world.authorizer,
  warnings: [],
  dryRun: false,
  namespace,
  subresource: '',
});
