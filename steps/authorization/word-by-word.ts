/** Sentences about a user whose rights are worded in every way that RBAC knows. */
import { accessAllowed, accessDenied } from '../../src/checks/access.js';
import { type Access, type Asked, accessText, reviewOf } from '../../src/checks/access-questions.js';
import { type Answered, seenIn } from '../../src/checks/answers.js';
import { record } from '../../src/kubernetes/json.js';
import { accountUser, GROUP_AUTHENTICATED } from '../../src/kubernetes/names.js';
import type { Binding, PolicyRule, Role, Subject } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import { forEach } from '../common/each.js';
import { accessesOf } from '../common/permission-tables.js';
import { SOON } from '../common/waiting.js';

const WRITES = { needs: ['writes', 'reviews'], waits: true } as const;
const RBAC = 'rbac.authorization.k8s.io';
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
  { verbs: ['get'], nonResourceURLs: ['/joinproof', '/joinproof-below/*'] },
];
const INSIDE: readonly PolicyRule[] = [rule('list', '', 'secrets')];

/** Of whom the features speak. */
type Who =
  | 'the user'
  | 'a member of the group'
  | 'a user of the name of the group'
  | 'the account'
  | 'an account of its name elsewhere';
const WHO = slot<Readonly<Record<Who, Asked>>>('a user with rights of many words');

const subject = (kind: 'User' | 'Group', name: string): Subject => ({ kind, name, apiGroup: RBAC });

Given('a user, a group and an account with rights of many words', WRITES, async function (this: World) {
  const [user, group, account, name] = [1, 2, 3, 4].map(() => `jp-${this.random(10)}`) as [
    string,
    string,
    string,
    string,
  ];
  const subjects = [
    subject('User', user),
    subject('Group', group),
    { kind: 'ServiceAccount', name: account, namespace: NAMESPACE },
  ] satisfies readonly Subject[];
  const roleRef = { apiGroup: RBAC, kind: 'ClusterRole', name };
  const inside = `${name}-inside`;
  const role = (of: string, rules: readonly PolicyRule[]): Role => ({
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRole',
    metadata: { name: of },
    rules,
  });
  await this.writes.create<Role>(resources.clusterRoles, role(inside, INSIDE));
  await this.writes.create<Binding>(resources.roleBindings, {
    apiVersion: `${RBAC}/v1`,
    kind: 'RoleBinding',
    metadata: { name: inside, namespace: NAMESPACE },
    subjects,
    roleRef: { ...roleRef, name: inside },
  });
  await this.writes.create<Role>(resources.clusterRoles, role(name, EVERYWHERE));
  await this.writes.create<Binding>(resources.clusterRoleBindings, {
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    subjects,
    roleRef,
  });
  const groups = [GROUP_AUTHENTICATED];
  this.put(WHO, {
    'the user': { user, groups },
    'a member of the group': { user: `${user}-other`, groups: [...groups, group] },
    'a user of the name of the group': { user: group, groups: [...groups, user] },
    'the account': { user: accountUser({ namespace: NAMESPACE, name: account }), groups },
    'an account of its name elsewhere': { user: accountUser({ namespace: 'kube-system', name: account }), groups },
  });
});

const isWho = (who: string): who is Who =>
  Object.hasOwn(
    {
      'the user': 1,
      'a member of the group': 1,
      'a user of the name of the group': 1,
      'the account': 1,
      'an account of its name elsewhere': 1,
    },
    who,
  );

/** What the API server says of each. */
const reviews = (world: World, who: string, wanted: readonly Access[]): Promise<Answered[]> =>
  forEach(world, wanted, async (item) => {
    if (!isWho(who)) return world.unknown(`the steps know nobody who is "${who}"`);
    const asked = world.get(WHO)[who];
    return {
      subject: `${accessText(item)}, as ${who}`,
      answer: seenIn(await world.ability('reviews').review(reviewOf(item, asked))),
    };
  });

const isAllowed = ({ answer }: Answered): boolean => record(record(answer.body).status).allowed === true;

Then(/^RBAC lets (.+) do:$/, WRITES, async function (this: World, who: string, table: DataTable) {
  const wanted = accessesOf(this, table);
  let answers = await reviews(this, who, wanted);
  // the new roles are not known at once
  await this.eventually(SOON, async () => {
    if (answers.every(isAllowed)) return true;
    answers = await reviews(this, who, wanted);
    return undefined;
  });
  this.check(accessAllowed, answers);
});

Then(/^RBAC does not let (.+) do:$/, WRITES, async function (this: World, who: string, table: DataTable) {
  this.check(accessDenied, await reviews(this, who, accessesOf(this, table)));
});
