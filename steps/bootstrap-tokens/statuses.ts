/** Sentences about the two ways to write what has a status: as a whole, and its status alone. */

import { requestAllowed } from '../../src/checks/authorization/access.js';
import { seenIn } from '../../src/checks/common/answers.js';
import { isAbsent, isThere } from '../../src/checks/common/presence.js';
import { readSaying, saysJustThat } from '../../src/checks/common/sayings.js';
import { record, records } from '../../src/kubernetes/json.js';
import type { KubeObject } from '../../src/kubernetes/objects.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import type { Question } from '../../src/targets/types.js';
import { forEach } from '../common/each.js';
import { podObject } from '../common/node-client.js';
import { DRY, triedPatch } from '../common/trials.js';

const WRITES = { needs: ['writes', 'requests'] } as const;

/** A Node that no kubelet keeps, and a Pod on it that nothing runs. */
interface Two {
  readonly Node: KubeObject;
  readonly Pod: KubeObject;
}
const TWO = slot<Two>('a Node and a Pod on it');

Given('a Node and a Pod on it', WRITES, async function (this: World) {
  const name = `jp-${this.random(10)}`;
  const made = { apiVersion: 'v1', kind: 'Node', metadata: { name } };
  const node = await this.writes.create<KubeObject>(resources.nodes, made);
  this.put(TWO, { Node: node, Pod: await this.writes.create<KubeObject>(resources.pods, podObject(this, name)) });
});

type Part = 'specification' | 'status';
/** A condition that no controller sets or heeds. */
const SEEN = { type: 'joinproof.invalid/seen', status: 'True' };
/** One field of each part, which whoever may write that part may set. */
const CHANGES: Readonly<Record<keyof Two, Readonly<Record<string, unknown>>>> = {
  Node: { unschedulable: true },
  Pod: { activeDeadlineSeconds: 3_600 },
};

/** Whether the object that was answered has the change. */
function holds(kind: keyof Two, part: Part, body: unknown): boolean {
  const { spec, status } = record(body);
  if (part === 'status') return records(record(status).conditions).some(({ type }) => type === SEEN.type);
  return Object.entries(CHANGES[kind]).every(([field, value]) => record(spec)[field] === value);
}

interface Way {
  readonly kind: keyof Two;
  readonly part: Part;
  readonly how: 'patch' | 'replacement';
  readonly through: 'status' | 'object';
}

/** "the status of a Node, by a patch of the Node" */
const WAY =
  /^the (specification|status) of a (Node|Pod), by a (patch|replacement) of (?:its (status)|the (?:Node|Pod))$/;

function wayOf(world: World, words: string): Way {
  const [, part, kind, how, status] = WAY.exec(words) ?? [];
  if (part === undefined) return world.unknown(`the steps know no write of "${words}"`);
  return { part, kind, how, through: status ?? 'object' } as Way;
}

function questionOf(two: Two, { kind, part, how, through }: Way): Question {
  const object = two[kind];
  const { name = '', namespace } = object.metadata;
  const resource = kind === 'Node' ? resources.nodes : resources.pods;
  const path = pathOf(resource, {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(through === 'status' ? { subresource: 'status' } : {}),
  });
  const { spec, status, ...rest } = object;
  const conditions = [...records(record(status).conditions), SEEN];
  const change: { readonly spec?: object; readonly status?: object } =
    part === 'status' ? { status: { conditions } } : { spec: CHANGES[kind] };
  if (how === 'patch') return triedPatch(path, 'merge', change);
  // without a version: controllers write to it meanwhile
  const { resourceVersion: _seen, ...metadata } = rest.metadata;
  const whole = {
    ...rest,
    metadata,
    spec: { ...record(spec), ...change.spec },
    status: { ...record(status), ...change.status },
  };
  return { method: 'PUT', path, query: DRY, body: whole };
}

const LABEL = { metadata: { labels: { 'joinproof.invalid/seen': 'yes' } } };
/** Merge patches of a Pod by what the features call them, and through which path. Source: core/pod/strategy.go. */
const GENERATIONS: Readonly<Record<string, readonly [path: string, body: object]>> = {
  'a patch of its specification': ['', { spec: CHANGES.Pod }],
  'a patch of its status': ['/status', { status: { conditions: [SEEN] } }],
  'a patch of its labels': ['', LABEL],
  'a patch that changes nothing': ['', {}],
};

Then(
  'a Pod is of another generation after a change of its specification, and of no other:',
  WRITES,
  async function (this: World, table: DataTable) {
    const { name = '', namespace = '', generation = 0 } = this.get(TWO).Pod.metadata;
    const path = pathOf(resources.pods, { namespace, name });
    const seen = await forEach(this, table.raw(), async ([what = '', more = '']) => {
      const [sub, body] = GENERATIONS[what] ?? this.unknown(`the steps know no patch that is "${what}"`);
      const wanted = { status: 200, says: { 'metadata.generation': String(1 + Number(more)) } };
      return readSaying(`a Pod after ${what}`, wanted, await this.admin.ask(triedPatch(path + sub, 'merge', body)));
    });
    const first = { subject: 'the first generation of a Pod', there: generation === 1 };
    this.check(isThere, [first], { demanded: 'is 1' });
    this.check(saysJustThat, seen);
  },
);

async function written(world: World, table: DataTable) {
  const stored = world.get(TWO);
  const now: Two = {
    Node: (await world.objects.get<KubeObject>(resources.nodes, stored.Node.metadata.name ?? '')) ?? stored.Node,
    Pod: (await world.objects.get<KubeObject>(resources.pods, stored.Pod.metadata.name ?? '', 'default')) ?? stored.Pod,
  };
  return await forEach(world, table.raw(), async ([words = '']) => {
    const way = wayOf(world, words);
    const said = await world.admin.ask(questionOf(now, way));
    return { subject: words, answer: seenIn(said), there: holds(way.kind, way.part, said.body) };
  });
}

Then('these are written:', WRITES, async function (this: World, table: DataTable) {
  const seen = await written(this, table);
  this.grant(requestAllowed, seen, {});
  this.check(isThere, seen, { demanded: 'is held' });
});

Then('these are left as they were:', WRITES, async function (this: World, table: DataTable) {
  const seen = await written(this, table);
  this.grant(requestAllowed, seen, {});
  this.check(isAbsent, seen, { demanded: 'is not changed' });
});
