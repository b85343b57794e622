/** Sentences about a user who asks in the name of others, as far as he may. */

import { type LoginAs, loginIs, loginIsStranger } from '../../src/checks/authenticators/authenticated.js';
import { forbiddenUser, heardIn } from '../../src/checks/authenticators/login.js';
import { requestForbidden } from '../../src/checks/authorization/access.js';
import type { Heard } from '../../src/checks/common/answers.js';
import { GROUP_MASTERS, GROUP_NODES, NODE_USER_PREFIX, USER_ANONYMOUS } from '../../src/kubernetes/names.js';
import type { Binding, PolicyRule, Role } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import type { Asker, Question } from '../../src/targets/types.js';
import { attempts, rulesReview } from '../authorization/attempts.js';
import { forEach } from '../common/each.js';
import { clusterBinding, clusterRole, group as groupNamed, roleBinding } from '../common/grants.js';
import { ownAccessReview, whoAmIQuestion } from '../common/login.js';
import { clientOf, joiningToken } from '../common/tokens.js';
import { SOON } from '../common/waiting.js';

const WRITES = { needs: ['writes', 'requests', 'ours'], waits: true } as const;

/** In whose names somebody may ask. */
interface Names {
  readonly user: string;
  readonly group: string;
  readonly secondGroup: string;
  readonly uid: string;
  readonly value: string;
  readonly secondValue: string;
  readonly account: string;
}
const ASKS = slot<{ readonly client: Asker; readonly names: Names }>('a user who may ask in the name of others');
const KEY = 'reason';
const EXTRA = `Impersonate-Extra-${KEY}`;
/** A key that no header can bear as it is. */
const PATH_KEY = 'joinproof.invalid/reason';
const PATH_EXTRA = 'Impersonate-Extra-joinproof.invalid%2freason';

const may = (apiGroup: string, resource: string, ...resourceNames: readonly string[]): PolicyRule => ({
  verbs: ['impersonate'],
  apiGroups: [apiGroup],
  resources: [resource],
  resourceNames,
});
const rulesFor = ({ user, group, secondGroup, uid, value, secondValue }: Names): readonly PolicyRule[] => {
  return [
    may('', 'users', user, USER_ANONYMOUS),
    may('', 'groups', group, secondGroup),
    may('authentication.k8s.io', 'uids', uid),
    may('authentication.k8s.io', `userextras/${KEY}`, value, secondValue),
    may('authentication.k8s.io', `userextras/${PATH_KEY}`, value),
  ];
};

/** Of who may ask so in some requests alone. Source: KEP-5284. */
const constrained = (kind: string, resource: string, ...resourceNames: readonly string[]): PolicyRule => ({
  ...may('authentication.k8s.io', resource, ...resourceNames),
  verbs: [`impersonate:${kind}`],
});
const node = (name: string): string => NODE_USER_PREFIX + name;
const KINDS = ['user-info', 'arbitrary-node', 'serviceaccount'];
/** A node is no user, and nobody is an administrator, whatever is granted. */
const someRulesFor = ({ user, group, uid, value, account }: Names): readonly PolicyRule[] => [
  constrained('user-info', 'users', user, node(user)),
  constrained('user-info', 'groups', group, GROUP_MASTERS),
  constrained('user-info', 'uids', uid),
  constrained('user-info', `userextras/${PATH_KEY}`, value),
  constrained('arbitrary-node', 'nodes', account),
  {
    verbs: KINDS.map((kind) => `impersonate-on:${kind}:create`),
    apiGroups: ['authentication.k8s.io'],
    resources: ['selfsubjectreviews'],
  },
];

/** What the features call whom: the headers, and who one then is, where one may. */
interface Name {
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly is?: Omit<LoginAs, 'subject' | 'heard'>;
}
const named = (username: string, headers: Name['headers'] = {}): Name => ({
  headers: { 'Impersonate-User': username, ...headers },
  is: { username, uid: '', groups: [], extra: {} },
});
const inGroups = (user: string, ...groups: readonly string[]): Name => ({
  ...named(user, { 'Impersonate-Group': groups }),
  is: { username: user, uid: '', groups, extra: {} },
});
const withValues = (user: string, ...values: readonly string[]): Name => ({
  ...named(user, { [EXTRA]: values }),
  is: { username: user, uid: '', groups: [], extra: { [KEY]: values } },
});
export const NAMES: Readonly<Record<string, (names: Names) => Name>> = {
  'the user': ({ user }) => named(user),
  'the user in the group': ({ user, group }) => inGroups(user, group),
  'the user in both groups': ({ user, group, secondGroup }) => inGroups(user, group, secondGroup),
  'the user with the UID': ({ user, uid }) => ({
    ...named(user, { 'Impersonate-Uid': uid }),
    is: { username: user, uid, groups: [] },
  }),
  'the user with the value of extra': ({ user, value }) => withValues(user, value),
  'the user with both values of extra': ({ user, value, secondValue }) => withValues(user, value, secondValue),
  'the user with the value of extra, of a key that is written in percents': ({ user, value }) => ({
    ...named(user, { [PATH_EXTRA]: value }),
    is: { username: user, uid: '', groups: [], extra: { [PATH_KEY]: [value] } },
  }),
  'the account': ({ account }) => ({
    ...named(`system:serviceaccount:default:${account}`),
    is: {
      username: `system:serviceaccount:default:${account}`,
      uid: '',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:default'],
      extra: {},
    },
  }),
  'the account in the group': ({ account, group }) => inGroups(`system:serviceaccount:default:${account}`, group),
  'the account in another group': ({ account, group }) =>
    inGroups(`system:serviceaccount:default:${account}`, `${group}x`),
  'the account in the group system:masters': ({ account }) =>
    inGroups(`system:serviceaccount:default:${account}`, GROUP_MASTERS),
  'the account with another UID': ({ account, uid }) =>
    named(`system:serviceaccount:default:${account}`, { 'Impersonate-Uid': `${uid}x` }),
  'the account with another value of extra': ({ account, value }) =>
    withValues(`system:serviceaccount:default:${account}`, `${value}x`),
  'another user': ({ user }) => named(`${user}x`),
  'the user in another group': ({ user, group }) => inGroups(user, `${group}x`),
  'the user in the group system:masters': ({ user }) => inGroups(user, GROUP_MASTERS),
  'the user in the group and system:masters': ({ user, group }) => inGroups(user, group, GROUP_MASTERS),
  'the user in another group and the group': ({ user, group }) => inGroups(user, `${group}x`, group),
  'the user in both groups and three others': ({ user, group, secondGroup }) =>
    inGroups(user, group, secondGroup, ...['x', 'y', 'z'].map((end) => `${group}${end}`)),
  'the user with another UID': ({ user, uid }) => named(user, { 'Impersonate-Uid': `${uid}x` }),
  'the user with another value of extra': ({ user, value }) => withValues(user, `${value}x`),
  'the user with the value of extra and another one': ({ user, value }) => withValues(user, value, `${value}x`),
  'the user with the value of extra, and of another key': ({ user, value }) =>
    named(user, { [EXTRA]: value, [`${EXTRA}x`]: value }),
  'the user in the group, with another UID': ({ user, group, uid }) =>
    named(user, { 'Impersonate-Group': group, 'Impersonate-Uid': `${uid}x` }),
  'the user with another key of extra': ({ user, value }) => named(user, { [`Impersonate-Extra-${KEY}x`]: value }),
  'the account of another namespace': ({ account }) => named(`system:serviceaccount:kube-system:${account}`),
  'another account': ({ account }) => named(`system:serviceaccount:default:${account}x`),
  'a node': ({ user }) => named(node(user)),
  'the node': ({ account }) => ({
    ...named(node(account)),
    is: { username: node(account), uid: '', groups: [GROUP_NODES], extra: {} },
  }),
  'the node in the group': ({ account, group }) => inGroups(node(account), group),
  'another node': ({ account }) => named(node(`${account}x`)),
};

/** @param ofAccount of the account, in its namespace alone */
async function asksInNames(
  world: World,
  rules: (names: Names) => readonly PolicyRule[],
  ofAccount: (name: string) => PolicyRule,
): Promise<void> {
  const own = (): string => `jp-${world.random(10)}`;
  const names: Names = {
    user: own(),
    group: own(),
    secondGroup: own(),
    uid: own(),
    value: own(),
    secondValue: own(),
    account: own(),
  };
  const group = `system:bootstrappers:${own()}`;
  const name = own();
  await world.writes.create<Role>(resources.clusterRoles, clusterRole(name, rules(names)));
  const inside = `${name}-account`;
  await world.writes.create<Role>(resources.clusterRoles, clusterRole(inside, [ofAccount(names.account)]));
  const boundInside = roleBinding(['default', inside], inside, groupNamed(group));
  await world.writes.create<Binding>(resources.roleBindings, boundInside);
  const bound = clusterBinding(name, name, groupNamed(group));
  await world.writes.create<Binding>(resources.clusterRoleBindings, bound);
  world.put(ASKS, { client: clientOf(world, await joiningToken(world, group)), names });
}

Given('a user who may ask in the name of others', WRITES, async function (this: World) {
  await asksInNames(this, rulesFor, (name) => may('', 'serviceaccounts', name));
});

Given('a user who may ask in the name of others who he is, and nothing else', WRITES, async function (this: World) {
  await asksInNames(this, someRulesFor, (name) => constrained('serviceaccount', 'serviceaccounts', name));
});

/** What is answered to who asks in that name, once the new role is known. */
async function heardSoon(
  world: World,
  headers: Name['headers'],
  isAnswered: (heard: Heard) => boolean,
): Promise<Heard> {
  const { client } = world.get(ASKS);
  let heard = heardIn({ status: 0, body: undefined });
  await world.eventually(SOON, async () => {
    heard = heardIn(await client.ask({ ...whoAmIQuestion, headers }));
    return isAnswered(heard) ? true : undefined;
  });
  return heard;
}

const nameOf = (world: World, what: string): Name =>
  NAMES[what]?.(world.get(ASKS).names) ?? world.unknown(`the steps know nobody who is "${what}"`);

Then('who asks in these names is just that:', WRITES, async function (this: World, table: DataTable) {
  const logins = await forEach(this, table.raw(), async ([what = '']): Promise<LoginAs> => {
    const { headers, is } = nameOf(this, what);
    const heard = await heardSoon(this, headers, ({ status }) => status === 201 || status === 404);
    if (heard.status === 404) this.skip('ability', 'nobody is told who he is: SelfSubjectReviews are not found');
    return { subject: `who asks in the name of ${what}`, heard, ...(is ?? this.unknown(`nobody may be ${what}`)) };
  });
  this.check(loginIs, logins);
});

Then('who asks in the name of a stranger is one', WRITES, async function (this: World) {
  const isStranger = (heard: Heard): boolean => heard.status === 201 || forbiddenUser(heard) === USER_ANONYMOUS;
  const heard = await heardSoon(this, { 'Impersonate-User': USER_ANONYMOUS }, isStranger);
  this.check(loginIsStranger, [{ subject: 'who asks in the name of a stranger', heard }]);
});

Then('it is forbidden to ask in these names:', WRITES, async function (this: World, table: DataTable) {
  const { client } = this.get(ASKS);
  const asked = table.raw().map(([what = '']) => ({
    subject: `who asks in the name of ${what}`,
    question: { ...whoAmIQuestion, headers: nameOf(this, what).headers },
  }));
  this.check(requestForbidden, await attempts(this, client, asked));
});

const OTHER_REQUESTS: Readonly<Record<string, Question>> = {
  'for what he may do': rulesReview('default'),
  'whether he may do something': ownAccessReview({ verb: 'get', resource: 'pods' }),
  'which versions there are': { path: '/api' },
};

/** Everybody may ask so in his own name; that he may ask in the name of the user at all has been seen. */
Then('it is forbidden to ask in the name of the user:', WRITES, async function (this: World, table: DataTable) {
  const { client, names } = this.get(ASKS);
  const { headers } = named(names.user);
  const asked = table.raw().map(([what = '']) => {
    const question = OTHER_REQUESTS[what] ?? this.unknown(`the steps know no request that asks "${what}"`);
    return { what, question };
  });
  const others = asked.map(({ what, question }) => ({
    subject: `who asks ${what} in the name of the user`,
    question: { ...question, headers },
  }));
  this.check(requestForbidden, await attempts(this, client, others));
});
