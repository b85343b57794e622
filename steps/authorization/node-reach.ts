/** Sentences about what a node may read because of what its Pods use. */
import { type Attempt, requestAllowed, requestForbidden } from '../../src/checks/authorization/access.js';
import { NODE_USER_PREFIX } from '../../src/kubernetes/names.js';
import { type DataTable, Given, Then } from '../../src/run/define.js';
import type { Machine as Kubelet } from '../../src/run/making.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import { onceKnown } from '../common/grants.js';
import { attempts } from './attempts.js';
import {
  mirrorWithMap,
  objectUsed,
  type Using,
  usesAndHasEnded,
  usesAndIsToEnd,
  usesDevices,
  usesEphemeralContainer,
  usesVolumeMadeLater,
  usesVolumes,
} from './node-graph.js';
import { read } from './node-questions.js';
import { nodes, THROUGH } from './two-nodes.js';

const USING = slot<Using>('a Pod of the first node');
const MIRROR = slot<Using>('a mirror Pod of the first node');

const GRAPH = { needs: ['writes', 'requests', 'ours'], waits: true } as const;

Given('a Pod on the first node that uses Secrets and volumes in other ways', GRAPH, async function (this: World) {
  this.put(USING, await usesVolumes(this, nodes(this).first.nodeName));
});

Given('a Pod on the first node that a container was added to', GRAPH, async function (this: World) {
  this.put(USING, await usesEphemeralContainer(this, nodes(this).first.nodeName));
});

Given('a Pod on the first node that is to end, and is held', GRAPH, async function (this: World) {
  this.put(USING, await usesAndIsToEnd(this, nodes(this).first.nodeName));
});

Given('a Pod on the first node that has ended', GRAPH, async function (this: World) {
  this.put(USING, await usesAndHasEnded(this, nodes(this).first.nodeName));
});

Given(
  'a Pod on the first node whose volume was made after that node had asked for it',
  GRAPH,
  async function (this: World) {
    const { first } = nodes(this);
    this.put(USING, await usesVolumeMadeLater(this, first.nodeName, (using) => readBy(this, first, LOOKED_FOR, using)));
  },
);

Given('a Pod on the first node that uses device claims', GRAPH, async function (this: World) {
  this.put(USING, await usesDevices(this, nodes(this).first.nodeName));
});

Given(
  'a mirror Pod on the first node that an administrator has made, with a ConfigMap',
  GRAPH,
  async function (this: World) {
    this.put(MIRROR, await mirrorWithMap(this, nodes(this).first.nodeName));
  },
);

/** Of a volume that is not there yet. */
const LOOKED_FOR = [
  'the volume of its claim',
  'the attachment of that volume',
  'the Secret by which a node publishes the volume of its claim',
];

const told = (table: DataTable): readonly string[] => table.raw().map(([what = '']) => what);

/** What a node is answered that reads what a Pod uses. */
const readBy = (
  world: World,
  { node, nodeName }: Kubelet,
  what: readonly string[],
  of = world.get(USING),
): Promise<Attempt[]> =>
  attempts(
    world,
    node,
    what.map((one) => ({
      subject: `${NODE_USER_PREFIX}${nodeName}, trying to read ${one}`,
      question: read(objectUsed(one, of) ?? world.unknown(`the steps know no object "${one}"`)),
    })),
  );

Then(
  'the first node may read of that Pod, and the second may not:',
  GRAPH,
  async function (this: World, table: DataTable) {
    const { first, second } = nodes(this);
    const isThrough = ({ answer }: Attempt): boolean => THROUGH.statuses.includes(answer.status);
    this.check(requestAllowed, await onceKnown(this, () => readBy(this, first, told(table)), isThrough), THROUGH);
    this.check(requestForbidden, await readBy(this, second, told(table)));
  },
);

Then('the first node may not read of that Pod:', GRAPH, async function (this: World, table: DataTable) {
  this.check(requestForbidden, await readBy(this, nodes(this).first, told(table)));
});

Then('the first node may not read of the mirror Pod:', GRAPH, async function (this: World, table: DataTable) {
  this.check(requestForbidden, await readBy(this, nodes(this).first, told(table), this.get(MIRROR)));
});
