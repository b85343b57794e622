/** Sentences about rights that are given, changed and taken away. */
import { accessAllowed, accessDenied, isAllowed } from '../../src/checks/authorization/access.js';
import { type Access, reviewOf } from '../../src/checks/authorization/access-questions.js';
import { type Answered, seenIn } from '../../src/checks/common/answers.js';
import { isAbsent, isThere, type Presence } from '../../src/checks/common/presence.js';
import { GROUP_AUTHENTICATED } from '../../src/kubernetes/names.js';
import type { Binding, PolicyRule, Role } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then, When } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import { clusterBinding, clusterRole, onceKnown, user as userNamed } from '../common/grants.js';
import { soon } from '../common/soon.js';
import { IN_TIME } from '../common/waiting.js';

const WRITES = { needs: ['writes', 'reviews', 'ours'], waits: true } as const;

const rule = (verb: string): PolicyRule => ({ verbs: [verb], apiGroups: [''], resources: ['services'] });

/** A user of the scenario's own, with one role and one binding, of one name. */
interface Bound {
  readonly user: string;
  readonly name: string;
}

const { clusterRoles, clusterRoleBindings } = resources;
const makeRole = ({ writes }: World, { name }: Bound, verb: string) =>
  writes.create<Role>(clusterRoles, clusterRole(name, [rule(verb)]));
const makeBinding = ({ writes }: World, { name, user }: Bound) =>
  writes.create<Binding>(clusterRoleBindings, clusterBinding(name, name, userNamed(user)));
const patchRole = ({ writes }: World, { name }: Bound, ...verbs: readonly string[]) =>
  writes.patch(clusterRoles, name, undefined, { rules: verbs.map(rule) });
const patchSubjects = ({ writes }: World, { name }: Bound, ...users: readonly string[]) =>
  writes.patch(clusterRoleBindings, name, undefined, { subjects: users.map(userNamed) });

/** What is done to his role and his binding, by what the features call it. */
const CHANGES: Readonly<Record<string, (world: World, bound: Bound) => Promise<unknown>>> = {
  'a role to get, and a binding': async (world, bound) => {
    await makeRole(world, bound, 'get');
    await makeBinding(world, bound);
  },
  'the role is to list as well': (world, bound) => patchRole(world, bound, 'get', 'list'),
  'the role is to list alone': (world, bound) => patchRole(world, bound, 'list'),
  'the role is to do nothing': (world, bound) => patchRole(world, bound),
  'the role is to get again': (world, bound) => patchRole(world, bound, 'get'),
  'the binding is of somebody else': (world, bound) => patchSubjects(world, bound, `${bound.user}-other`),
  'the binding is of somebody else and him': (world, bound) =>
    patchSubjects(world, bound, `${bound.user}-other`, `${bound.user}-third`, bound.user),
  'the role is deleted': ({ writes }, { name }) => writes.delete(clusterRoles, name),
  'the role is made again, to list': (world, bound) => makeRole(world, bound, 'list'),
  'the binding is deleted': ({ writes }, { name }) => writes.delete(clusterRoleBindings, name),
};

/** Each is waited for: what was changed is not known at once. */
Then(
  'what a user may do is what his role and his binding say, after each of:',
  WRITES,
  async function (this: World, table: DataTable) {
    const bound = { user: `jp-${this.random(10)}`, name: `jp-${this.random(10)}` };
    const reviews = this.ability('reviews');
    const ask = async (verb: string, after: string): Promise<Answered> => {
      const item: Access = { verb, group: '', resource: 'services', subresource: '', namespace: 'default', name: '' };
      const answer = await reviews.review(reviewOf(item, { user: bound.user, groups: [GROUP_AUTHENTICATED] }));
      return { subject: `${verb} services, as the user, after "${after}"`, answer: seenIn(answer) };
    };
    for (const { change = '', get = '', list = '' } of table.hashes()) {
      const act = CHANGES[change] ?? this.unknown(`the steps know no change "${change}"`);
      await act(this, bound);
      for (const [verb, wanted] of [
        ['get', get],
        ['list', list],
      ] as const) {
        const may = wanted === 'yes';
        const answers = await onceKnown(
          this,
          async () => [await ask(verb, change)],
          (answer) => isAllowed(answer) === may,
        );
        this.check(may ? accessAllowed : accessDenied, answers);
      }
    }
  },
);

/** A role that collects those of a label of its own, and one of them. */
interface Collecting {
  readonly name: string;
  readonly part: string;
}
const COLLECTING = slot<Collecting>('a role that collects another');
const LABEL = 'joinproof.invalid/collected';
const ASIDE = 'joinproof.invalid/aside';
const NEVER = 'joinproof.invalid/never';
/** Labels of the collected role, by what the features call it. */
const PUT_ASIDE: Readonly<Record<string, object>> = {
  'put aside': { [ASIDE]: 'yes' },
  'not put aside': { [ASIDE]: 'no' },
  'never to be collected': { [NEVER]: '' },
};
const CONTROLLED = { needs: ['writes', 'controllers', 'ours'], waits: true } as const;

/** `own`: what it was made to do itself, under the label that it collects by. */
async function makeCollecting(
  world: World,
  selectorsOf: (value: string) => readonly object[],
  ...own: readonly PolicyRule[]
): Promise<void> {
  const [name, part] = [`jp-${world.random(10)}`, `jp-${world.random(10)}`];
  const labels = own.length === 0 ? {} : { labels: { [LABEL]: name } };
  const made = clusterRole(name, own);
  const collecting = {
    ...made,
    metadata: { ...made.metadata, ...labels },
    aggregationRule: { clusterRoleSelectors: selectorsOf(name) },
  };
  await world.writes.create<Role>(clusterRoles, collecting as Role);
  const other = clusterRole(part, [rule('get')]);
  await world.writes.create<Role>(clusterRoles, {
    ...other,
    metadata: { ...other.metadata, labels: { [LABEL]: name } },
  });
  world.put(COLLECTING, { name, part });
}

Given('a role that collects another one', CONTROLLED, async function (this: World) {
  await makeCollecting(this, (value) => [{ matchLabels: { [LABEL]: value } }]);
});

Given('a role that collects another one, and would collect itself', CONTROLLED, async function (this: World) {
  await makeCollecting(this, (value) => [{ matchLabels: { [LABEL]: value } }], rule('list'));
});

Given('a role that collects another one by its second selector', CONTROLLED, async function (this: World) {
  await makeCollecting(this, (value) => [
    { matchLabels: { [LABEL]: `${value}-none` } },
    { matchExpressions: [{ key: LABEL, operator: 'In', values: [`${value}-too`, value] }] },
  ]);
});

Given('a role that collects another one unless it is put aside', CONTROLLED, async function (this: World) {
  await makeCollecting(this, (value) => [
    {
      matchLabels: { [LABEL]: value },
      matchExpressions: [
        { key: ASIDE, operator: 'NotIn', values: ['yes'] },
        { key: NEVER, operator: 'DoesNotExist' },
      ],
    },
  ]);
});

When('the collected role is from now on {}', CONTROLLED, async function (this: World, how: string) {
  const labels = PUT_ASIDE[how] ?? this.unknown(`the steps know no role that is "${how}"`);
  await this.writes.patch(clusterRoles, this.get(COLLECTING).part, undefined, { metadata: { labels } });
});

When('the collected role is to {word} alone', CONTROLLED, async function (this: World, verb: string) {
  await this.writes.patch(clusterRoles, this.get(COLLECTING).part, undefined, { rules: [rule(verb)] });
});

/** `null`: it has none. */
const relabel = (world: World, value: string | null): Promise<unknown> =>
  world.writes.patch(clusterRoles, world.get(COLLECTING).part, undefined, { metadata: { labels: { [LABEL]: value } } });

When('the label of the collected role has another value', CONTROLLED, async function (this: World) {
  await relabel(this, `${this.get(COLLECTING).name}x`);
});

When('the collected role has its label again', CONTROLLED, async function (this: World) {
  await relabel(this, this.get(COLLECTING).name);
});

When('the collected role loses its label', CONTROLLED, async function (this: World) {
  await relabel(this, null);
});

When('the collected role is deleted', CONTROLLED, async function (this: World) {
  await this.writes.delete(clusterRoles, this.get(COLLECTING).part);
});

async function collected(world: World, verbs: readonly string[]): Promise<Presence[]> {
  const role = await world.objects.get<Role>(clusterRoles, world.get(COLLECTING).name);
  const held = (role?.rules ?? []).flatMap((one) => one.verbs);
  return verbs.map((verb) => ({
    subject: `the right to ${verb}, in the role that collects`,
    there: held.includes(verb),
  }));
}

Then('the role that collects soon holds the right to {word}', CONTROLLED, async function (this: World, verb: string) {
  const parameters = { demanded: 'is soon collected' };
  this.check(
    isThere,
    await soon(this, { check: isThere, within: IN_TIME, parameters }, () => collected(this, [verb])),
    parameters,
  );
});

Then('the role that collects soon holds no right to {word}', CONTROLLED, async function (this: World, verb: string) {
  const parameters = { demanded: 'is soon gone' };
  this.check(
    isAbsent,
    await soon(this, { check: isAbsent, within: IN_TIME, parameters }, () => collected(this, [verb])),
    parameters,
  );
});
