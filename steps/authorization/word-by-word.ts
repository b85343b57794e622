/** Sentences about a user whose rights are worded in every way that RBAC knows. */
import { accessAllowed, accessDenied, isAllowed } from '../../src/checks/authorization/access.js';
import { type Access, type Asked, accessText, reviewOf } from '../../src/checks/authorization/access-questions.js';
import { type ListedOf, listedWhole, readListed } from '../../src/checks/authorization/listed-rights.js';
import { type Answered, seenIn } from '../../src/checks/common/answers.js';
import { readSaying, saysJustThat } from '../../src/checks/common/sayings.js';
import { accountUser, GROUP_AUTHENTICATED } from '../../src/kubernetes/names.js';
import type { Binding, PolicyRule, Role, Subject } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import { forEach } from '../common/each.js';
import {
  clusterBinding,
  clusterRole,
  group as groupNamed,
  onceKnown,
  roleBinding,
  user as userNamed,
} from '../common/grants.js';
import { accessesOf } from '../common/permission-tables.js';
import { rulesReview } from './attempts.js';

const WRITES = { needs: ['writes', 'reviews', 'ours'], waits: true } as const;
const NAMESPACE = 'default';

const rule = (verb: string, apiGroup: string, resource: string, ...resourceNames: readonly string[]): PolicyRule => ({
  verbs: [verb],
  apiGroups: [apiGroup],
  resources: [resource],
  ...(resourceNames.length === 0 ? {} : { resourceNames }),
});
const EVERYWHERE: readonly PolicyRule[] = [
  rule('get', '', 'services'),
  rule('Update', '', 'services'),
  rule('update', 'apps', 'deployments'),
  rule('delete', 'coordination.k8s.io', 'leases'),
  rule('get', 'apps', '*/scale'),
  rule('get', '', 'pods/*'),
  rule('get', '', 'nodes/status'),
  rule('patch', '', 'configmaps', 'jp-one'),
  rule('create', '', 'pods/eviction'),
  rule('create', '', 'serviceaccounts/token', 'jp-one'),
  {
    verbs: ['create', 'patch'],
    apiGroups: ['apps', 'batch'],
    resources: ['daemonsets', 'jobs'],
    resourceNames: ['jp-two', 'jp-three'],
  },
  { verbs: ['get'], nonResourceURLs: ['/joinproof', '/joinproof-below/*', '/joinproof-from*'] },
  { verbs: ['put', 'options'], nonResourceURLs: ['/joinproof-written'] },
];
/** Other verbs on what they give: nobody is given these. */
const NOWHERE: readonly PolicyRule[] = [
  rule('delete', '', 'services'),
  { verbs: ['post'], nonResourceURLs: ['/joinproof'] },
];
/** Paths are in no namespace: a binding of one gives none. */
const INSIDE: readonly PolicyRule[] = [
  rule('list', '', 'secrets'),
  { verbs: ['get'], nonResourceURLs: ['/joinproof-inside'] },
];
/** Of an account of another namespace, in this one. */
const FOREIGN: readonly PolicyRule[] = [rule('list', '', 'limitranges')];

/** What the binding of everything, and that of a namespace, give there, and what they do not. */
const rulesIn = (namespace: string) => ({
  held: namespace === NAMESPACE ? [...EVERYWHERE, ...INSIDE] : EVERYWHERE,
  elsewhere: namespace === NAMESPACE ? NOWHERE : [...NOWHERE, ...INSIDE],
});

/** By how the features call them. */
const WHO = slot<Readonly<Record<string, Asked>>>('a user with rights of many words');

Given('a user, a group and an account with rights of many words', WRITES, async function (this: World) {
  const [user, group, account, name, spaced, misled] = [1, 2, 3, 4, 5, 6].map(() => `jp-${this.random(10)}`) as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const subjects = [
    userNamed(user),
    groupNamed(group),
    userNamed(` ${spaced} `),
    groupNamed(` ${spaced} `),
    { kind: 'ServiceAccount', name: account, namespace: NAMESPACE },
  ] satisfies readonly Subject[];
  const inside = `${name}-inside`;
  await this.writes.create<Role>(resources.clusterRoles, clusterRole(inside, INSIDE));
  await this.writes.create<Binding>(resources.roleBindings, roleBinding([NAMESPACE, inside], inside, ...subjects));
  const foreign = `${name}-foreign`;
  const ofElsewhere = { kind: 'ServiceAccount', name: account, namespace: 'kube-system' } as const;
  await this.writes.create<Role>(resources.clusterRoles, clusterRole(foreign, FOREIGN));
  await this.writes.create<Binding>(resources.roleBindings, roleBinding([NAMESPACE, foreign], foreign, ofElsewhere));
  await this.writes.create<Role>(resources.clusterRoles, clusterRole(name, EVERYWHERE));
  await this.writes.create<Binding>(resources.clusterRoleBindings, clusterBinding(name, name, ...subjects));
  const none = roleBinding([NAMESPACE, `${name}-misled`], name, userNamed(misled));
  const toRole = { ...none, roleRef: { ...none.roleRef, kind: 'Role' as const } };
  await this.writes.create<Binding>(resources.roleBindings, toRole);
  const groups = [GROUP_AUTHENTICATED];
  this.put(WHO, {
    'the user': { user, groups },
    'a member of the group': { user: `${user}-other`, groups: [...groups, group] },
    'him who was a member': { user: `${user}-other`, groups },
    'a member of it and others': { user: `${user}-other`, groups: [`${group}-a`, ...groups, group, `${group}-z`] },
    'a user of the name of the group': { user: group, groups: [...groups, user] },
    'a user of a Role of the name of a ClusterRole': { user: misled, groups },
    'a user of a name between blanks': { user: ` ${spaced} `, groups },
    'a user of that name without them': { user: spaced, groups: [...groups, spaced] },
    'the account': { user: accountUser({ namespace: NAMESPACE, name: account }), groups },
    'an account of its name elsewhere': { user: accountUser({ namespace: 'kube-system', name: account }), groups },
  });
});

/** What the API server says of each. */
const reviews = (world: World, who: string, wanted: readonly Access[]): Promise<Answered[]> =>
  forEach(world, wanted, async (item) => {
    const asked = world.get(WHO)[who] ?? world.unknown(`the steps know nobody who is "${who}"`);
    return {
      subject: `${accessText(item)}, as ${who}`,
      answer: seenIn(await world.ability('reviews').review(reviewOf(item, asked))),
    };
  });

Then(/^RBAC lets (.+) do:$/, WRITES, async function (this: World, who: string, table: DataTable) {
  const wanted = accessesOf(this, table);
  this.check(accessAllowed, await onceKnown(this, () => reviews(this, who, wanted), isAllowed));
});

Then(/^RBAC does not let (.+) do:$/, WRITES, async function (this: World, who: string, table: DataTable) {
  this.check(accessDenied, await reviews(this, who, accessesOf(this, table)));
});

/** Nodes are allowed what no rule lists. Source: plugin/pkg/auth/authorizer/node/node_authorizer.go RulesFor. */
const LISTED: Readonly<Record<string, { readonly user: string; readonly groups: readonly string[] }>> = {
  'a node': { user: 'system:node:jp-absent', groups: ['system:nodes', 'system:authenticated'] },
  'a user who has logged in': { user: 'jp-absent', groups: ['system:authenticated'] },
};

Then(
  'who asks for his rights is told whether there may be others:',
  { needs: ['requests', 'ours'] },
  async function (this: World, table: DataTable) {
    const seen = await forEach(this, table.hashes(), async ({ who = '', others = '' }) => {
      const { user, groups } = LISTED[who] ?? this.unknown(`the steps know nobody who is "${who}"`);
      const headers = { 'Impersonate-User': user, 'Impersonate-Group': groups };
      const answer = await this.admin.ask({ ...rulesReview('default'), headers });
      const wanted = { status: 201, says: { 'status.incomplete': others } };
      return readSaying(`the rights of ${who}, as they are listed`, wanted, answer);
    });
    this.check(saysJustThat, seen);
  },
);

Then('nobody is told of his rights in no namespace', { needs: ['requests'] }, async function (this: World) {
  const wanted = { status: 400, says: { reason: 'BadRequest' } };
  const answer = await this.admin.ask(rulesReview(''));
  this.check(saysJustThat, [readSaying('a request for rights in no namespace', wanted, answer)]);
});

Then(
  'each of these is told in {string} all that RBAC lets him do there:',
  { needs: ['requests', 'ours'], waits: true },
  async function (this: World, namespace: string, table: DataTable) {
    const ask = (): Promise<readonly ListedOf[]> =>
      forEach(this, table.raw(), async ([who = '']) => {
        const { user, groups } = this.get(WHO)[who] ?? this.unknown(`the steps know nobody who is "${who}"`);
        const subject = `the rights of ${who} in ${namespace}`;
        const answer = await this.admin.ask({
          ...rulesReview(namespace),
          headers: { 'Impersonate-User': user, 'Impersonate-Group': groups },
        });
        return { ...readListed({ subject, namespace }, answer), ...rulesIn(namespace) };
      });
    const isWhole = (one: ListedOf): boolean => listedWhole.judge([one], undefined)[0]?.result !== 'unmet';
    this.check(listedWhole, await onceKnown(this, ask, isWhole));
  },
);
