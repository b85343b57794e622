/** Sentences about Pods that nothing runs: how they end, and what of them stays as it was made. */
import { requestAllowed, requestRefused } from '../../src/checks/authorization/access.js';
import { readSaying, saysJustThat } from '../../src/checks/common/sayings.js';
import type { KubeObject } from '../../src/kubernetes/objects.js';
import { noContainer, OWN_FINALIZERS } from '../../src/kubernetes/own-objects.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import type { Question } from '../../src/targets/types.js';
import { attempts } from '../authorization/attempts.js';
import { podObject } from '../common/node-client.js';
import { DRY, triedPatch } from '../common/trials.js';

const WRITES = { needs: ['writes', 'requests'] } as const;
/** An eviction is no object that could be marked. */
const OURS = { needs: ['writes', 'requests', 'ours'] } as const;
const NAMESPACE = 'default';
const pods = pathOf(resources.pods, { namespace: NAMESPACE });
/** Seconds that the Pods of the scenario ask for until they are stopped. */
const GRACE = 300;
const TOLERATED = { key: 'joinproof.invalid/kept', operator: 'Exists', effect: 'NoSchedule' };

export const NODE = slot<string>('a Node that no kubelet keeps');
export const POD = slot<string>('a Pod that takes its time');

Given('a Node that no kubelet keeps', WRITES, async function (this: World) {
  const name = this.put(NODE, `jp-${this.random(10)}`);
  await this.writes.create<KubeObject>(resources.nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name } });
});

function takingTime(world: World, nodeName: string): KubeObject {
  const { spec, ...rest } = podObject(world, nodeName);
  return { ...rest, spec: { ...(spec as object), terminationGracePeriodSeconds: GRACE, tolerations: [TOLERATED] } };
}

Given('a Pod on it that takes its time to end', WRITES, async function (this: World) {
  const pod = await this.writes.create<KubeObject>(resources.pods, takingTime(this, this.get(NODE)));
  this.put(POD, pod.metadata.name ?? '');
});

const at = (world: World, subresource = ''): string => `${pods}/${world.get(POD)}${subresource}`;

/** What shows of a Pod: whether it is to end, and how long that may take. */
async function lookedAt(world: World, subject: string, seconds: string) {
  const answer = await world.admin.ask({ path: at(world) });
  const wanted =
    seconds === 'gone'
      ? { status: 404, says: { reason: 'NotFound' } }
      : { status: 200, says: { 'metadata.deletionGracePeriodSeconds': seconds === 'not ending' ? '' : seconds } };
  return readSaying(subject, wanted, answer);
}

const DELETIONS: Readonly<Record<string, Pick<Question, 'query' | 'body'>>> = {
  'no time': {},
  '100 seconds': { query: { gracePeriodSeconds: '100' } },
  '200 seconds': { query: { gracePeriodSeconds: '200' } },
  '50 seconds, in a body': { body: { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 50 } },
  '0 seconds': { query: { gracePeriodSeconds: '0' } },
};

Then('one deletion after another gives it time to end:', WRITES, async function (this: World, table: DataTable) {
  const seen: Awaited<ReturnType<typeof lookedAt>>[] = [];
  for (const { 'that names': what = '', left = '' } of table.hashes()) {
    const how = DELETIONS[what] ?? this.unknown(`the steps know no deletion that names ${what}`);
    const { status } = await this.admin.ask({ method: 'DELETE', path: at(this), ...how });
    if (status !== 200) this.unknown(`a deletion of a Pod of the run is answered with ${status}`);
    seen.push(await lookedAt(this, `the Pod, after a deletion that names ${what}`, left));
  }
  this.check(saysJustThat, seen);
});

Then('a Pod that has ended goes at once, and one that has not does not', WRITES, async function (this: World) {
  const seen: Awaited<ReturnType<typeof lookedAt>>[] = [];
  for (const phase of ['Running', 'Succeeded', 'Failed']) {
    const pod = await this.writes.create<KubeObject>(resources.pods, takingTime(this, this.get(NODE)));
    this.put(POD, pod.metadata.name ?? '');
    const patch = { ...triedPatch(at(this, '/status'), 'merge', { status: { phase } }), query: {} };
    const { status } = await this.admin.ask(patch);
    if (status !== 200) this.unknown(`a report that a Pod of the run is ${phase} is answered with ${status}`);
    await this.admin.ask({ method: 'DELETE', path: at(this) });
    const left = phase === 'Running' ? String(GRACE) : 'gone';
    seen.push(await lookedAt(this, `a Pod that is ${phase}, after its deletion`, left));
  }
  this.check(saysJustThat, seen);
});

/** Source: apiserver, pkg/registry/generic/registry/store.go deleteWithoutFinalizers, ShouldDeleteDuringUpdate. */
Then('a Pod that nobody holds any more has its time to end all the same', WRITES, async function (this: World) {
  const { metadata, ...rest } = takingTime(this, this.get(NODE));
  const held = { ...rest, metadata: { ...metadata, finalizers: [`${OWN_FINALIZERS}held`] } };
  const pod = await this.writes.create<KubeObject>(resources.pods, held);
  this.put(POD, pod.metadata.name ?? '');
  await this.admin.ask({ method: 'DELETE', path: at(this) });
  const letGo = { ...triedPatch(at(this), 'merge', { metadata: { finalizers: null } }), query: {} };
  const { status } = await this.admin.ask(letGo);
  if (status !== 200) this.unknown(`a patch of a Pod of the run is answered with ${status}`);
  this.check(saysJustThat, [await lookedAt(this, 'a Pod that is to end, once nobody holds it', String(GRACE))]);
});

const evicted = (world: World, name: string, query: Question['query'] = {}): Question => ({
  method: 'POST',
  path: at(world, '/eviction'),
  query,
  body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: NAMESPACE } },
});

Then('an eviction that is only tried, or of another name, leaves it there', WRITES, async function (this: World) {
  const name = this.get(POD);
  const tried = [{ subject: 'an eviction of the Pod, tried', question: evicted(this, name, DRY) }];
  this.check(requestAllowed, await attempts(this, this.admin, tried), {});
  const { body, ...rest } = evicted(this, name);
  const options = { apiVersion: 'v1', kind: 'DeleteOptions', dryRun: ['All'] };
  const inside = { ...rest, body: { ...(body as object), deleteOptions: options } };
  const asked = await attempts(this, this.admin, [
    { subject: 'an eviction of the Pod, tried by its options', question: inside },
  ]);
  this.check(requestAllowed, asked, {});
  const other = [{ subject: 'an eviction of another name than its path', question: evicted(this, `${name}x`, DRY) }];
  this.check(requestRefused, await attempts(this, this.admin, other), { statuses: [400] });
  this.check(saysJustThat, [await lookedAt(this, 'the Pod, after all of them', 'not ending')]);
});

Then('an eviction gives it its time to end', OURS, async function (this: World) {
  const real = [{ subject: 'an eviction of the Pod', question: evicted(this, this.get(POD)) }];
  this.check(requestAllowed, await attempts(this, this.admin, real), {});
  this.check(saysJustThat, [await lookedAt(this, 'the Pod, after its eviction', String(GRACE))]);
});

const container = (more: object) => ({ containers: [{ ...noContainer(), ...more }] });
const MORE = { ...TOLERATED, key: 'joinproof.invalid/more' };
/** Specifications by what the features call them. Source: pkg/apis/core/validation ValidatePodUpdate. */
const CHANGES: Readonly<Record<string, object>> = {
  'its image': container({ image: 'joinproof.invalid/other' }),
  'how long it may run': { activeDeadlineSeconds: 3_600 },
  'what it tolerates besides': { tolerations: [TOLERATED, MORE] },
  'what it tolerated': { tolerations: [] },
  'a variable of its container': container({ env: [{ name: 'JP', value: 'x' }] }),
  'the rights of its container': container({ securityContext: { runAsUser: 1 } }),
  'its Node': { nodeName: 'jp-other' },
  'its account': { serviceAccountName: 'jp-other' },
};

const OF_METADATA: Readonly<Record<string, object>> = {
  'what makes it a mirror': { metadata: { annotations: { 'kubernetes.io/config.mirror': 'joinproof' } } },
};

const changed = (world: World, table: DataTable) =>
  attempts(
    world,
    world.admin,
    table.raw().map(([what = '']) => {
      const spec = CHANGES[what];
      const change = spec === undefined ? OF_METADATA[what] : { spec };
      if (change === undefined) return world.unknown(`the steps know no change of "${what}"`);
      return { subject: `another Pod by ${what}`, question: triedPatch(at(world), 'strategic', change) };
    }),
  );

Then('of the Pod these may be changed:', WRITES, async function (this: World, table: DataTable) {
  this.check(requestAllowed, await changed(this, table), {});
});

Then('of the Pod these may not be changed:', WRITES, async function (this: World, table: DataTable) {
  this.check(requestRefused, await changed(this, table), { statuses: [422] });
});

/** Source: pkg/apis/core/validation ValidatePodStatusUpdate. */
Then('its status does not say another quality of service', WRITES, async function (this: World) {
  const patch = triedPatch(at(this, '/status'), 'merge', { status: { qosClass: 'BestEffort' } });
  const says = { reason: 'Invalid', 'details.causes.0.field': 'status.qosClass' };
  const answer = await this.admin.ask(patch);
  this.check(saysJustThat, [readSaying('another quality of service of the Pod', { status: 422, says }, answer)]);
});

const MIRROR = { annotations: { 'kubernetes.io/config.mirror': 'joinproof' } };
/** Who takes a mirror for a mirror looks at its annotation: it comes with the Pod. */
Then('no mirror is made without a Node, or of a Pod that is none', WRITES, async function (this: World) {
  const made = (nodeName: string): Question => {
    const { metadata, spec } = podObject(this, nodeName);
    const { nodeName: _node, ...nowhere } = spec as { readonly nodeName: string };
    const body = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...metadata, ...MIRROR },
      spec: nodeName === '' ? nowhere : spec,
    };
    return { method: 'POST', path: pods, query: DRY, body };
  };
  const sound = [{ subject: 'a mirror on a Node', question: made(this.get(NODE)) }];
  this.check(requestAllowed, await attempts(this, this.admin, sound), {});
  const odd = [
    { subject: 'a mirror on no Node', question: made('') },
    { subject: 'a Pod that is made a mirror', question: triedPatch(at(this), 'merge', { metadata: MIRROR }) },
  ];
  this.check(requestRefused, await attempts(this, this.admin, odd), { statuses: [422] });
});
