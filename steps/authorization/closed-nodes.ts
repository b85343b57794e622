/** Sentences about Nodes that are closed to Pods by what their kubelets say. */

import { isThere, type Presence } from '../../src/checks/common/presence.js';
import { record, records, text } from '../../src/kubernetes/json.js';
import type { KubeObject } from '../../src/kubernetes/objects.js';
import { PATCH_TYPES } from '../../src/kubernetes/patch-types.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import { soon } from '../common/soon.js';
import { IN_TIME } from '../common/waiting.js';

const CONTROLLED = { needs: ['writes', 'requests', 'controllers', 'ours'], waits: true } as const;
const SAID = { demanded: 'is what shows' };
const NODE = slot<string>('a Node whose kubelet says that it is ready');
const TAINTS = 'node.kubernetes.io/';
/** What a kubelet says of a Node that can take Pods. Source: pkg/kubelet/nodestatus. */
const SOUND: Readonly<Record<string, string>> = {
  Ready: 'True',
  MemoryPressure: 'False',
  DiskPressure: 'False',
  PIDPressure: 'False',
  NetworkUnavailable: 'False',
};

/** Says of the Node what its kubelet would, just now. */
async function says(world: World, name: string, statuses: Readonly<Record<string, string>>): Promise<void> {
  const at = new Date(world.now()).toISOString().replace(/\.\d+Z$/, 'Z');
  const conditions = Object.entries(statuses).map(([type, status]) => ({
    type,
    status,
    reason: 'Joinproof',
    lastHeartbeatTime: at,
    lastTransitionTime: at,
  }));
  const { status } = await world.admin.ask({
    method: 'PATCH',
    path: `${pathOf(resources.nodes, { name })}/status`,
    contentType: PATCH_TYPES.merge,
    body: { status: { conditions } },
  });
  if (status !== 200) world.unknown(`the status of a Node of the run was not written: ${status}`);
}

/**
 * Whether it is closed by just these taints, each of which says since when. Those that drive Pods away come zone by zone, and not where every Node is
 * silent. Source: pkg/controller/nodelifecycle, doNoScheduleTaintingPass; processNoExecuteTaint.
 */
async function judgeTaints(world: World, name: string, subject: string, wanted: readonly string[]): Promise<Presence> {
  const parameters = { demanded: 'is what closes it' };
  const observe = async (): Promise<Presence[]> => {
    const node = await world.objects.get<KubeObject>(resources.nodes, name);
    const closing = records(record(node?.spec).taints).filter(({ effect }) => effect === 'NoSchedule');
    const keys = closing.map(({ key }) => text(key)).filter((key) => key.startsWith(TAINTS));
    const there = JSON.stringify(keys.sort()) === JSON.stringify(wanted.map((key) => TAINTS + key).sort());
    const sinceWhen = closing.every(({ timeAdded }) => !Number.isNaN(Date.parse(text(timeAdded))));
    return [{ subject, there: node === undefined ? undefined : there && sinceWhen }];
  };
  const [seen] = await soon(world, { check: isThere, within: IN_TIME, parameters }, observe);
  return seen ?? { subject, there: undefined };
}

Given('a Node whose kubelet says that it is ready', CONTROLLED, async function (this: World) {
  const name = this.put(NODE, `jp-${this.random(10)}`);
  await this.writes.create<KubeObject>(resources.nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name } });
  await says(this, name, SOUND);
});

Then('it is soon closed by nothing', CONTROLLED, async function (this: World) {
  const name = this.get(NODE);
  const seen = await judgeTaints(this, name, 'no taint, of a Node that is ready', []);
  this.check(isThere, [seen], { demanded: 'is what closes it' });
});

Then('it is soon closed by just what its kubelet says:', CONTROLLED, async function (this: World, table: DataTable) {
  const name = this.get(NODE);
  const seen: Presence[] = [];
  for (const { condition = '', is = '', taint = '' } of table.hashes()) {
    await says(this, name, { ...SOUND, [condition]: is });
    const subject = `the taint ${TAINTS}${taint}, of a Node whose condition ${condition} is ${is}`;
    seen.push(await judgeTaints(this, name, subject, [taint]));
  }
  await says(this, name, SOUND);
  seen.push(await judgeTaints(this, name, 'no taint, of a Node that is ready again', []));
  this.check(isThere, seen, { demanded: 'is what closes it' });
});

/** Source: pkg/controller/nodelifecycle, doNoScheduleTaintingPass. */
Then('it is soon closed as long as an administrator has cordoned it', CONTROLLED, async function (this: World) {
  const name = this.get(NODE);
  const seen: Presence[] = [];
  for (const unschedulable of [true, false]) {
    await this.writes.patch(resources.nodes, name, undefined, { spec: { unschedulable } });
    const subject = `${unschedulable ? 'the taint' : 'no taint'} ${TAINTS}unschedulable, of a Node that ${
      unschedulable ? 'was cordoned' : 'is open again'
    }`;
    seen.push(await judgeTaints(this, name, subject, unschedulable ? ['unschedulable'] : []));
  }
  this.check(isThere, seen, { demanded: 'is what closes it' });
});

/** Source: pkg/controller/nodelifecycle, reconcileNodeLabels. */
Then(
  'it is soon labelled in the words of old as in those of today:',
  CONTROLLED,
  async function (this: World, table: DataTable) {
    const name = this.get(NODE);
    const rows = table.hashes();
    const labels = rows.flatMap(({ today = '', value = '', old = '', before = '' }) => [
      [today, value],
      ...(before === '' ? [] : [[old, before]]),
    ]);
    await this.writes.patch(resources.nodes, name, undefined, { metadata: { labels: Object.fromEntries(labels) } });
    const observe = async (): Promise<Presence[]> => {
      const node = await this.objects.get<KubeObject>(resources.nodes, name);
      const found = node?.metadata.labels ?? {};
      return rows.map(({ today = '', value = '', old = '' }) => ({
        subject: `${old} of a Node that is labelled ${today}=${value}`,
        there: node === undefined ? undefined : found[old] === value && found[today] === value,
      }));
    };
    const awaited = { check: isThere, within: IN_TIME, parameters: SAID };
    this.check(isThere, await soon(this, awaited, observe), SAID);
  },
);

const SILENT = slot<string>('a Node of which no kubelet says anything');
/** What is heard of a kubelet. Source: pkg/controller/nodelifecycle, tryUpdateNodeHealth. */
const HEARD = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];
/**
 * A kubelet is given 50 s, one that has not begun 60 s, and somebody looks each 5 s; the rest is for clocks that are slow.
 * Source: pkg/controller/nodelifecycle/config; --node-startup-grace-period.
 */
const A_WHILE = 120_000;

Given('a Node of which no kubelet says anything', CONTROLLED, async function (this: World) {
  const name = this.put(SILENT, `jp-${this.random(10)}`);
  await this.writes.create<KubeObject>(resources.nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name } });
});

/** Whether each condition of the Node is of that status and reason, and changed lately where `since` is given, milliseconds. */
async function conditionsAre(
  world: World,
  name: string,
  wanted: Readonly<Record<string, string>>,
  { since, reason }: { readonly since?: number; readonly reason?: string } = {},
) {
  const node = await world.objects.get<KubeObject>(resources.nodes, name);
  const conditions = records(record(node?.status).conditions);
  return Object.entries(wanted).map(([type, status]) => {
    const found = conditions.find((condition) => condition.type === type);
    const isNews = since === undefined || Date.parse(text(found?.lastTransitionTime)) >= since;
    const isSo = found?.status === status && (reason === undefined || found.reason === reason);
    const why = reason === undefined ? '' : ` by ${reason}`;
    const subject = `${type} of a Node, ${status}${why}${since === undefined ? '' : ' since it is'}`;
    return { subject, there: node === undefined ? undefined : isSo && isNews };
  });
}
const all = (status: string) => Object.fromEntries(HEARD.map((type) => [type, status]));

Then('in a while neither is known to be what it was said to be', CONTROLLED, async function (this: World) {
  const since = Math.floor(this.now() / 1000) * 1000 + 1000;
  const observe = async (): Promise<Presence[]> => [
    ...(await conditionsAre(this, this.get(NODE), all('Unknown'), { since, reason: 'NodeStatusUnknown' })),
    ...(await conditionsAre(this, this.get(SILENT), all('Unknown'), { since, reason: 'NodeStatusNeverUpdated' })),
  ];
  const awaited = { check: isThere, within: A_WHILE, every: 1_000, parameters: SAID };
  this.check(isThere, await soon(this, awaited, observe), SAID);
});

Then('when the first is heard of again it is ready', CONTROLLED, async function (this: World) {
  await says(this, this.get(NODE), SOUND);
  this.check(isThere, await conditionsAre(this, this.get(NODE), SOUND), SAID);
});
