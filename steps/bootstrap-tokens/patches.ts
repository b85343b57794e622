/** Sentences about patches: each is only tried, on a Secret of the run, and told what it would leave. */
import { requestRefused } from '../../src/checks/authorization/access.js';
import { type Held, heldBy, NOTES, type Patched, patchedAsNamed } from '../../src/checks/bootstrap-tokens/patches.js';
import { seenIn } from '../../src/checks/common/answers.js';
import { base64, record, records, text } from '../../src/kubernetes/json.js';
import type { KubeObject, Secret } from '../../src/kubernetes/objects.js';
import { OWN_FINALIZERS } from '../../src/kubernetes/own-objects.js';
import { PATCH_TYPES } from '../../src/kubernetes/patch-types.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import type { Question } from '../../src/targets/types.js';
import { attempts } from '../authorization/attempts.js';
import { forEach } from '../common/each.js';
import { DRY, triedPatch } from '../common/trials.js';

const WRITES = { needs: ['writes', 'requests'] } as const;
const NAMESPACE = 'default';
const [FIRST, SECOND, THIRD] = ['one', 'two', 'three'].map((end) => OWN_FINALIZERS + end);
const KEPT = [FIRST ?? '', SECOND ?? ''];
/** What the Secret holds when it has been made. */
const BEFORE: Held = { data: { one: '1', two: '2' }, notes: { a: 'x', b: 'y' }, finalizers: KEPT };
/** In a pointer a slash within a key is written as ~1. Source: RFC 6901, 3. */
const note = (key: string): string => `/metadata/annotations/${`${NOTES}${key}`.replace('/', '~1')}`;

const SECRET = slot<string>('a Secret of two keys, two annotations and two finalizers');

const encoded = (data: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(data).map(([key, value]) => [key, base64(value)]));
const annotated = (notes: Readonly<Record<string, string | null>>) =>
  Object.fromEntries(Object.entries(notes).map(([key, value]) => [NOTES + key, value]));

Given('a Secret of two keys, two annotations and two finalizers', WRITES, async function (this: World) {
  const name = `jp-${this.random(10)}`;
  await this.writes.create<Secret>(resources.secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name,
      namespace: NAMESPACE,
      annotations: annotated(BEFORE.notes) as Record<string, string>,
      finalizers: KEPT,
    },
    type: 'Opaque',
    data: encoded(BEFORE.data),
  });
  this.put(SECRET, name);
});

type Kind = 'json' | 'merge' | 'strategic';
type Row = readonly [kind: Kind, patch: unknown, left: Partial<Held>];

/** Each with what it leaves otherwise than it was. */
const PATCHES: Readonly<Record<string, Row>> = {
  'a JSON patch that adds': [
    'json',
    [
      { op: 'add', path: '/data/three', value: base64('3') },
      { op: 'add', path: '/metadata/finalizers/-', value: THIRD },
    ],
    { data: { ...BEFORE.data, three: '3' }, finalizers: [...KEPT, THIRD ?? ''] },
  ],
  'a JSON patch that adds before another': [
    'json',
    [{ op: 'add', path: '/metadata/finalizers/1', value: THIRD }],
    { finalizers: [FIRST ?? '', THIRD ?? '', SECOND ?? ''] },
  ],
  'a JSON patch that replaces': [
    'json',
    [{ op: 'replace', path: note('a'), value: 'z' }],
    { notes: { ...BEFORE.notes, a: 'z' } },
  ],
  'a JSON patch that removes': [
    'json',
    [
      { op: 'remove', path: '/data/one' },
      { op: 'remove', path: '/metadata/finalizers/0' },
    ],
    { data: { two: '2' }, finalizers: [SECOND ?? ''] },
  ],
  'a JSON patch that copies': [
    'json',
    [{ op: 'copy', from: '/data/one', path: '/data/three' }],
    { data: { ...BEFORE.data, three: '1' } },
  ],
  'a JSON patch that moves': [
    'json',
    [{ op: 'move', from: '/data/one', path: '/data/three' }],
    { data: { two: '2', three: '1' } },
  ],
  'a JSON patch that tests what is so': [
    'json',
    [
      { op: 'test', path: '/data/one', value: base64('1') },
      { op: 'replace', path: '/data/one', value: base64('3') },
    ],
    { data: { ...BEFORE.data, one: '3' } },
  ],
  'a merge patch that adds': ['merge', { data: encoded({ three: '3' }) }, { data: { ...BEFORE.data, three: '3' } }],
  'a merge patch of null': [
    'merge',
    { data: { one: null }, metadata: { annotations: annotated({ a: null }) } },
    { data: { two: '2' }, notes: { b: 'y' } },
  ],
  'a merge patch of a list': ['merge', { metadata: { finalizers: [THIRD] } }, { finalizers: [THIRD ?? ''] }],
  'a strategic patch that adds': [
    'strategic',
    { metadata: { finalizers: [THIRD] }, data: encoded({ three: '3' }) },
    // What is new stands first where the patch says nothing of the order. Source: patch.go mergeSortedSlice.
    { data: { ...BEFORE.data, three: '3' }, finalizers: [THIRD ?? '', ...KEPT] },
  ],
  'a strategic patch of null': ['strategic', { data: { one: null } }, { data: { two: '2' } }],
  'a strategic patch that puts a map in the place of another': [
    'strategic',
    { data: { $patch: 'replace', three: base64('3') } },
    { data: { three: '3' } },
  ],
  'a strategic patch that takes a map away': ['strategic', { data: { $patch: 'delete' } }, { data: {} }],
  'a strategic patch that names what is kept': [
    'strategic',
    { data: { $retainKeys: ['two', 'three'], three: base64('3') } },
    { data: { two: '2', three: '3' } },
  ],
  'a strategic patch that takes out of a list': [
    'strategic',
    { metadata: { '$deleteFromPrimitiveList/finalizers': [FIRST] } },
    { finalizers: [SECOND ?? ''] },
  ],
  'a strategic patch of an order': [
    'strategic',
    { metadata: { '$setElementOrder/finalizers': [SECOND, FIRST] } },
    { finalizers: [SECOND ?? '', FIRST ?? ''] },
  ],
};

/** Each of them cannot be applied as a whole. */
const WITHOUT_GROUND: Readonly<Record<string, unknown>> = {
  'a JSON patch that tests what is not so': [
    { op: 'test', path: '/data/one', value: base64('2') },
    { op: 'remove', path: '/data/two' },
  ],
  'a JSON patch that tests at its end': [
    { op: 'remove', path: '/data/two' },
    { op: 'test', path: '/data/two', value: base64('2') },
  ],
  'a JSON patch that removes what is not there': [{ op: 'remove', path: '/data/three' }],
  'a JSON patch that replaces within what is not there': [{ op: 'replace', path: '/none/three', value: base64('3') }],
  'a JSON patch that moves what is not there': [{ op: 'move', from: '/data/three', path: '/data/one' }],
  'a JSON patch that copies from within what is not there': [{ op: 'copy', from: '/none/three', path: '/data/one' }],
};

const tried = (name: string, kind: Kind, body: unknown): Question =>
  triedPatch(pathOf(resources.secrets, { namespace: NAMESPACE, name }), kind, body);

interface Trial {
  readonly subject: string;
  readonly question: Question;
  readonly wanted: Held;
}

async function judgeLeft(world: World, trials: readonly Trial[]): Promise<void> {
  const all = await forEach(world, trials, async ({ subject, question, wanted }): Promise<Patched> => {
    const answer = await world.admin.ask(question);
    return { subject, answer: seenIn(answer), held: heldBy(answer.body), wanted };
  });
  world.check(patchedAsNamed, all);
}

Then('these leave of it what they are to leave:', WRITES, async function (this: World, table: DataTable) {
  const name = this.get(SECRET);
  const rows = table.raw().map(([subject = '']) => {
    const [kind, patch, left] = PATCHES[subject] ?? this.unknown(`the steps know no patch that is "${subject}"`);
    return { subject, question: tried(name, kind, patch), wanted: { ...BEFORE, ...left } };
  });
  await judgeLeft(this, rows);
});

Then('these are refused altogether:', WRITES, async function (this: World, table: DataTable) {
  const name = this.get(SECRET);
  const rows = table.raw().map(([subject = '']) => {
    const patch = WITHOUT_GROUND[subject] ?? this.unknown(`the steps know no patch that is "${subject}"`);
    return { subject, question: tried(name, 'json', patch) };
  });
  this.check(requestRefused, await attempts(this, this.admin, rows), { statuses: [422] });
});

/** An apply configuration of one of two managers. */
const applied = (name: string, [manager, data]: readonly [string, Held['data']], query: object = {}): Question => ({
  method: 'PATCH',
  path: pathOf(resources.secrets, { namespace: NAMESPACE, name }),
  query: { fieldManager: manager, ...query },
  contentType: PATCH_TYPES.apply,
  body: JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, data: encoded(data) }),
});
const [FRONT, BACK] = ['joinproof-front', 'joinproof-back'] as const;

Given('two managers, who have applied what both say and what one of them says', WRITES, async function (this: World) {
  const name = this.get(SECRET);
  for (const question of [
    applied(name, [FRONT, { three: '3', four: '4' }]),
    applied(name, [BACK, { four: '4', five: '5' }]),
  ]) {
    const { status } = await this.admin.ask(question);
    if (status !== 200) this.unknown(`a Secret of the run was not applied: ${status}`);
  }
});

/** Applied by the front one: what is tried, and what is left then of three, four and five. */
const APPLIES: Readonly<Record<string, readonly [data: Held['data'], query: object, left: Held['data']]>> = {
  'that says the same again': [{ three: '3', four: '4' }, {}, { three: '3', four: '4', five: '5' }],
  'that says something else of what is its own': [{ three: '0', four: '4' }, {}, { three: '0', four: '4', five: '5' }],
  'that says no more what it alone has said': [{ four: '4' }, {}, { four: '4', five: '5' }],
  'that says no more what both have said': [{ three: '3' }, {}, { three: '3', four: '4', five: '5' }],
  'that takes over by force what is of the other': [
    { three: '3', four: '4', five: '0' },
    { force: 'true' },
    { three: '3', four: '4', five: '0' },
  ],
};
const CONFLICTS: Readonly<Record<string, Held['data']>> = {
  'that says something else of what the other has said': { three: '3', four: '4', five: '0' },
  'that says something else of what both have said': { three: '3', four: '0' },
  'that says something else of what was not applied': { three: '3', four: '4', one: '0' },
};

Then('what one of them applies leaves what it is to leave:', WRITES, async function (this: World, table: DataTable) {
  const name = this.get(SECRET);
  const rows = table.raw().map(([what = '']) => {
    const [data, query, left] = APPLIES[what] ?? this.unknown(`the steps know no configuration ${what}`);
    const question = applied(name, [FRONT, data], { ...DRY, ...query });
    return { subject: `a configuration ${what}`, question, wanted: { ...BEFORE, data: { ...BEFORE.data, ...left } } };
  });
  await judgeLeft(this, rows);
});

Then('what one of them applies is a conflict:', WRITES, async function (this: World, table: DataTable) {
  const name = this.get(SECRET);
  const rows = table.raw().map(([what = '']) => ({
    subject: `a configuration ${what}`,
    question: applied(name, [FRONT, CONFLICTS[what] ?? this.unknown(`the steps know no configuration ${what}`)], DRY),
  }));
  this.check(requestRefused, await attempts(this, this.admin, rows), { statuses: [409] });
});

/** By nobody else set or heeded, in the order in which a Node has them. */
const [ONE, TWO, THREE] = ['JoinproofOne', 'JoinproofTwo', 'JoinproofThree'] as const;
const condition = (type: string, more: object = { status: 'True' }): object => ({ type, ...more });
const CONDITIONS: Readonly<Record<string, string>> = { [ONE]: 'True', [TWO]: 'True' };

/** A Node as what is held: its conditions of the run, and the status of each. */
function conditionsIn(node: unknown): Held | null {
  const { kind, status } = record(node);
  if (kind !== 'Node') return null;
  const own = records(record(status).conditions).filter(({ type }) => text(type).startsWith('Joinproof'));
  const data = Object.fromEntries(own.map((one) => [text(one.type), text(one.status)]));
  return { data, notes: {}, finalizers: own.map(({ type }) => text(type)) };
}

/** Each with the conditions that it leaves, in their order. Source: core/v1 NodeStatus, patchMergeKey of conditions. */
const OF_CONDITIONS: Readonly<Record<string, readonly [kind: Kind, conditions: unknown, left: Held['data']]>> = {
  'a strategic patch of one': [
    'strategic',
    { conditions: [condition(TWO, { status: 'False' })] },
    { ...CONDITIONS, [TWO]: 'False' },
  ],
  'a strategic patch of a new one, behind the others': [
    'strategic',
    { '$setElementOrder/conditions': [ONE, TWO, THREE].map((type) => ({ type })), conditions: [condition(THREE)] },
    { ...CONDITIONS, [THREE]: 'True' },
  ],
  'a strategic patch that takes one away': [
    'strategic',
    { conditions: [condition(ONE, { $patch: 'delete' })] },
    { [TWO]: 'True' },
  ],
  'a strategic patch that puts one in the place of all': [
    'strategic',
    { conditions: [condition(THREE), { $patch: 'replace' }] },
    { [THREE]: 'True' },
  ],
  'a strategic patch of an order': [
    'strategic',
    { '$setElementOrder/conditions': [{ type: TWO }, { type: ONE }] },
    { [TWO]: 'True', [ONE]: 'True' },
  ],
  'a merge patch of one': ['merge', { conditions: [condition(TWO)] }, { [TWO]: 'True' }],
};

Then('patches of the conditions of a Node leave of them:', WRITES, async function (this: World, table: DataTable) {
  const name = `jp-${this.random(10)}`;
  const conditions = Object.keys(CONDITIONS).map((type) => condition(type));
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name }, status: { conditions } };
  await this.writes.create<KubeObject>(resources.nodes, node);
  const all = await forEach(this, table.raw(), async ([what = '']): Promise<Patched> => {
    const [kind, status, data] = OF_CONDITIONS[what] ?? this.unknown(`the steps know no patch that is "${what}"`);
    const answer = await this.admin.ask(triedPatch(`${pathOf(resources.nodes, { name })}/status`, kind, { status }));
    return {
      subject: `${what}, of two conditions`,
      answer: seenIn(answer),
      held: conditionsIn(answer.body),
      wanted: { data, notes: {}, finalizers: Object.keys(data) },
    };
  });
  this.check(patchedAsNamed, all);
});

/** One of them takes by force what the other has said, and then says it no more: who had it does not hold it. */
Then('what was taken over by force goes with who took it', WRITES, async function (this: World) {
  const name = this.get(SECRET);
  const taken = await this.admin.ask(applied(name, [FRONT, { three: '3', four: '4', five: '0' }], { force: 'true' }));
  if (taken.status !== 200) this.unknown(`a Secret of the run was not applied by force: ${taken.status}`);
  const data = { three: '3', four: '4' };
  const question = applied(name, [FRONT, data], DRY);
  const wanted = { ...BEFORE, data: { ...BEFORE.data, ...data } };
  await judgeLeft(this, [{ subject: 'a configuration that says no more what was taken over', question, wanted }]);
});
