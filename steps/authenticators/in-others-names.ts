/** Sentences about a user who asks in the name of others, as far as he may. */
import { requestForbidden } from '../../src/checks/access.js';
import { type LoginAs, loginIs } from '../../src/checks/authenticated.js';
import { heardIn } from '../../src/checks/login.js';
import { NODE_USER_PREFIX } from '../../src/kubernetes/names.js';
import type { Binding, PolicyRule, Role } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import type { Asker } from '../../src/targets/types.js';
import { attempts } from '../authorization/attempts.js';
import { forEach } from '../common/each.js';
import { clusterBinding, clusterRole } from '../common/grants.js';
import { clientOf, joiningToken, whoAmIQuestion } from '../common/tokens.js';
import { SOON } from '../common/waiting.js';

const WRITES = { needs: ['writes', 'requests'], waits: true } as const;

/** In whose names somebody may ask. */
interface Names {
  readonly user: string;
  readonly group: string;
  readonly uid: string;
  readonly value: string;
  readonly account: string;
}
const ASKS = slot<{ readonly client: Asker; readonly names: Names }>('a user who may ask in the name of others');
const KEY = 'reason';

const rulesFor = ({ user, group, uid, value, account }: Names): readonly PolicyRule[] => {
  const may = (apiGroup: string, resource: string, name: string): PolicyRule => ({
    verbs: ['impersonate'],
    apiGroups: [apiGroup],
    resources: [resource],
    resourceNames: [name],
  });
  return [
    may('', 'users', user),
    may('', 'groups', group),
    may('', 'serviceaccounts', account),
    may('authentication.k8s.io', 'uids', uid),
    may('authentication.k8s.io', `userextras/${KEY}`, value),
  ];
};

/** What the features call whom: the headers, and who one then is, where one may. */
interface Name {
  readonly headers: Readonly<Record<string, string>>;
  readonly is?: Omit<LoginAs, 'subject' | 'heard'>;
}
const named = (username: string, headers: Name['headers'] = {}): Name => ({
  headers: { 'Impersonate-User': username, ...headers },
  is: { username, uid: '', groups: [] },
});
const NAMES: Readonly<Record<string, (names: Names) => Name>> = {
  'the user': ({ user }) => named(user),
  'the user in the group': ({ user, group }) => ({
    ...named(user, { 'Impersonate-Group': group }),
    is: { username: user, uid: '', groups: [group] },
  }),
  'the user with the UID': ({ user, uid }) => ({
    ...named(user, { 'Impersonate-Uid': uid }),
    is: { username: user, uid, groups: [] },
  }),
  'the user with the value of extra': ({ user, value }) => named(user, { [`Impersonate-Extra-${KEY}`]: value }),
  'the account': ({ account }) => ({
    ...named(`system:serviceaccount:default:${account}`),
    is: {
      username: `system:serviceaccount:default:${account}`,
      uid: '',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:default'],
    },
  }),
  'another user': ({ user }) => named(`${user}x`),
  'the user in another group': ({ user, group }) => named(user, { 'Impersonate-Group': `${group}x` }),
  'the user in the group system:masters': ({ user }) => named(user, { 'Impersonate-Group': 'system:masters' }),
  'the user with another UID': ({ user, uid }) => named(user, { 'Impersonate-Uid': `${uid}x` }),
  'the user with another value of extra': ({ user, value }) =>
    named(user, { [`Impersonate-Extra-${KEY}`]: `${value}x` }),
  'the user with another key of extra': ({ user, value }) => named(user, { [`Impersonate-Extra-${KEY}x`]: value }),
  'another account': ({ account }) => named(`system:serviceaccount:default:${account}x`),
  'a node': ({ user }) => named(`${NODE_USER_PREFIX}${user}`),
};

Given('a user who may ask in the name of others', WRITES, async function (this: World) {
  const own = (): string => `jp-${this.random(10)}`;
  const names: Names = { user: own(), group: own(), uid: own(), value: own(), account: own() };
  const group = `system:bootstrappers:${own()}`;
  const name = own();
  await this.writes.create<Role>(resources.clusterRoles, clusterRole(name, rulesFor(names)));
  const bound = clusterBinding(name, name, { kind: 'Group', name: group });
  await this.writes.create<Binding>(resources.clusterRoleBindings, bound);
  this.put(ASKS, { client: clientOf(this, await joiningToken(this, group)), names });
});

const nameOf = (world: World, what: string): Name =>
  NAMES[what]?.(world.get(ASKS).names) ?? world.unknown(`the steps know nobody who is "${what}"`);

Then('who asks in these names is just that:', WRITES, async function (this: World, table: DataTable) {
  const { client } = this.get(ASKS);
  const logins = await forEach(this, table.raw(), async ([what = '']): Promise<LoginAs> => {
    const { headers, is } = nameOf(this, what);
    let heard = heardIn({ status: 0, body: undefined });
    // the new role is not known at once
    await this.eventually(SOON, async () => {
      heard = heardIn(await client.ask({ ...whoAmIQuestion, headers }));
      return heard.status === 201 || heard.status === 404 ? true : undefined;
    });
    if (heard.status === 404) this.skip('ability', 'nobody is told who he is: SelfSubjectReviews are not found');
    return { subject: `who asks in the name of ${what}`, heard, ...(is ?? this.unknown(`nobody may be ${what}`)) };
  });
  this.check(loginIs, logins);
});

Then('it is forbidden to ask in these names:', WRITES, async function (this: World, table: DataTable) {
  const { client } = this.get(ASKS);
  const asked = table.raw().map(([what = '']) => ({
    subject: `who asks in the name of ${what}`,
    question: { ...whoAmIQuestion, headers: nameOf(this, what).headers },
  }));
  this.check(requestForbidden, await attempts(this, client, asked));
});
