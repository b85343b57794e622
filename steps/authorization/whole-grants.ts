/** Sentences about roles and bindings that say too little, or what cannot be granted. */

import { rightsReviewAllows, rightsReviewDenies } from '../../src/checks/authenticators/rights-reviews.js';
import { requestAllowed, requestRefused } from '../../src/checks/authorization/access.js';
import { record } from '../../src/kubernetes/json.js';
import type { Binding, Role } from '../../src/kubernetes/objects.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import type { Question } from '../../src/targets/types.js';
import { clusterBinding, clusterRole, onceKnown, RBAC, roleBinding } from '../common/grants.js';
import { accessReview } from '../common/login.js';
import { attempts } from './attempts.js';

/** No sweep knows roles, and nobody is to need the right to make them for being judged. */
const OURS = { needs: ['writes', 'requests', 'ours'] } as const;
const INSIDE = 'default';
const READS = { verbs: ['get'], apiGroups: [''], resources: ['configmaps'] };
const VIEW = 'view';

const role = (rule: object): object => ({ ...clusterRole('', []), rules: [rule] });
const inside = (rule: object): object => ({
  ...role(rule),
  kind: 'Role',
  metadata: { namespace: INSIDE },
});
const of = (subject: object): object => ({ ...clusterBinding('', VIEW), subjects: [subject] });
const to = (roleRef: object): object => ({ ...clusterBinding('', VIEW), roleRef: { apiGroup: RBAC, ...roleRef } });
const account = { kind: 'ServiceAccount', name: 'jp-account' };

/** By what the features call them. Source: pkg/apis/rbac/validation/validation.go. */
export const GRANTS: Readonly<Record<string, () => object>> = {
  'a role': () => role(READS),
  'a role over a path': () => role({ verbs: ['get'], nonResourceURLs: ['/joinproof'] }),
  'a role of a namespace': () => inside(READS),
  'a binding of an account': () => of({ ...account, namespace: INSIDE }),
  'a binding of an account of its own namespace': () => ({
    ...roleBinding([INSIDE, ''], VIEW),
    subjects: [account],
  }),
  'a role to do nothing': () => role({ ...READS, verbs: [] }),
  'a role over no API group': () => role({ ...READS, apiGroups: [] }),
  'a role over no resources': () => role({ ...READS, resources: [] }),
  'a role over resources and a path at once': () => role({ ...READS, nonResourceURLs: ['/joinproof'] }),
  'a role to do nothing to a path': () => role({ verbs: [], nonResourceURLs: ['/joinproof'] }),
  'a role over an API group and a path at once': () =>
    role({ verbs: ['get'], apiGroups: ['apps'], nonResourceURLs: ['/joinproof'] }),
  'a role over a name and a path at once': () =>
    role({ verbs: ['get'], resourceNames: ['jp-map'], nonResourceURLs: ['/joinproof'] }),
  'a role over a name in no API group': () => role({ ...READS, apiGroups: [], resourceNames: ['jp-map'] }),
  'a role that collects by no selector': () => ({
    ...clusterRole('', []),
    aggregationRule: { clusterRoleSelectors: [] },
  }),
  'a role of a namespace over a path': () => inside({ verbs: ['get'], nonResourceURLs: ['/joinproof'] }),
  'a binding of an account of no namespace': () => of(account),
  'a binding of nobody': () => of({ kind: 'User', name: '' }),
  'a binding of a kind that nobody is of': () => of({ kind: 'Node', name: 'jp-node' }),
  'a binding of a group of another API group': () => of({ kind: 'Group', name: 'jp-group', apiGroup: 'apps' }),
  'a binding of a user of another API group': () => of({ kind: 'User', name: 'jp-user', apiGroup: 'apps' }),
  'a binding of an account of an API group': () => of({ ...account, namespace: INSIDE, apiGroup: RBAC }),
  'a binding to a role of another API group': () =>
    to({ apiGroup: 'certificates.k8s.io', kind: 'ClusterRole', name: VIEW }),
  'a binding to no role': () => to({ kind: 'ClusterRole', name: '' }),
  'a binding for all namespaces to the role of one': () => to({ kind: 'Role', name: VIEW }),
};

const COLLECTIONS: Readonly<Record<string, string>> = {
  ClusterRole: pathOf(resources.clusterRoles),
  Role: pathOf(resources.roles, { namespace: INSIDE }),
  ClusterRoleBinding: pathOf(resources.clusterRoleBindings),
  RoleBinding: pathOf(resources.roleBindings, { namespace: INSIDE }),
};

function made(world: World, what: string): { readonly subject: string; readonly question: Question } {
  const object = GRANTS[what]?.() ?? world.unknown(`the steps know no role or binding that is "${what}"`);
  const { kind, metadata } = record(object);
  const body = { ...object, metadata: { ...record(metadata), name: `jp-${world.random(10)}` } };
  const path = COLLECTIONS[String(kind)] ?? '';
  return { subject: what, question: { method: 'POST', path, query: { dryRun: 'All' }, body } };
}
const tried = (world: World, table: DataTable): ReturnType<typeof attempts> =>
  attempts(
    world,
    world.admin,
    table.raw().map(([what = '']) => made(world, what)),
  );

Then('these roles and bindings are taken:', OURS, async function (this: World, table: DataTable) {
  this.check(requestAllowed, await tried(this, table), {});
});

Then('these roles and bindings are refused:', OURS, async function (this: World, table: DataTable) {
  this.check(requestRefused, await tried(this, table), { statuses: [422] });
});

/** A review of somebody who would read ConfigMaps. */
const reviewed = (who: string, by: object) => ({
  subject: `a review of ${who}, which would read ConfigMaps of ${INSIDE}`,
  question: accessReview({ ...by, resourceAttributes: { verb: 'get', resource: 'configmaps', namespace: INSIDE } }),
});
const allowed = ({ answer }: { readonly answer: { readonly body: unknown } }): boolean =>
  record(record(answer.body).status).allowed === true;

const OURS_IN_TIME = { ...OURS, waits: true } as const;

Then(
  'an account that a binding names without a namespace is that of its own',
  OURS_IN_TIME,
  async function (this: World) {
    const [name, bound] = [`jp-${this.random(10)}`, `jp-${this.random(10)}`];
    const given = { ...clusterRole(name, [READS]), kind: 'Role', metadata: { name, namespace: INSIDE } };
    await this.writes.create<Role>(resources.roles, given);
    const subject = { kind: 'ServiceAccount', name: bound };
    const binding = roleBinding([INSIDE, name], name, subject);
    await this.writes.create<Binding>(resources.roleBindings, {
      ...binding,
      roleRef: { ...binding.roleRef, kind: 'Role' },
    });
    const asked = (of: string) =>
      reviewed(`the account ${of}/${bound}`, { user: `system:serviceaccount:${of}:${bound}` });
    this.check(rightsReviewAllows, await onceKnown(this, () => attempts(this, this.admin, [asked(INSIDE)]), allowed));
    this.check(rightsReviewDenies, await attempts(this, this.admin, [asked('kube-system')]));
  },
);

Then('a user is what a binding names by the groups of each request alone', OURS_IN_TIME, async function (this: World) {
  const [name, user, group] = [`jp-${this.random(10)}`, `jp-${this.random(10)}`, `jp-${this.random(10)}`];
  await this.writes.create<Role>(resources.clusterRoles, clusterRole(name, [READS]));
  const subject = { kind: 'Group', name: group, apiGroup: RBAC };
  await this.writes.create<Binding>(resources.clusterRoleBindings, clusterBinding(name, name, subject));
  const asked = (...groups: readonly string[]) =>
    attempts(this, this.admin, [reviewed(`the user ${user} in ${groups.join(' and ')}`, { user, groups })]);
  this.check(rightsReviewAllows, await onceKnown(this, () => asked(group), allowed));
  this.check(rightsReviewDenies, await asked(`${group}x`));
  this.check(rightsReviewAllows, await onceKnown(this, () => asked(`${group}x`, group), allowed));
  this.check(rightsReviewDenies, await asked(`${group}x`, `${group}y`));
});
