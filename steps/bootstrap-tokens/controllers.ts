/** Sentences about controllers that keep what joining leans on: what is owned, and what every namespace has. */
import { requestAllowed } from '../../src/checks/authorization/access.js';
import { seenIn } from '../../src/checks/common/answers.js';
import { isDeleted, isLeftAlone, isThere } from '../../src/checks/common/presence.js';
import { list, record, text } from '../../src/kubernetes/json.js';
import type { ConfigMap, KubeObject, OwnerReference } from '../../src/kubernetes/objects.js';
import { OWN_FINALIZERS } from '../../src/kubernetes/own-objects.js';
import { pathOf, type Resource, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then, When } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import { forEach } from '../common/each.js';
import { presenceOf } from '../common/presence.js';
import { soon } from '../common/soon.js';
import { DRY } from '../common/trials.js';
import { IN_TIME } from '../common/waiting.js';

const CONTROLLED = { needs: ['writes', 'controllers', 'ours'], waits: true } as const;
const DEFAULT = 'default';
const ROOT_CA = 'kube-root-ca.crt';
const NO_UID = '00000000-0000-4000-8000-000000000000';

const configMap = (name: string, ownerReferences: readonly OwnerReference[] = [], more: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: DEFAULT, ...(ownerReferences.length === 0 ? {} : { ownerReferences }), ...more },
});
const ownedBy = ({ metadata: { name = '', uid = '' } }: KubeObject): OwnerReference => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name,
  uid,
});

/** Names by what the features call them, and of the first of two owners. */
interface Owned {
  readonly first: string;
  readonly names: Readonly<Record<string, string>>;
  /** How many owners each has; one where nothing is said. */
  readonly owners?: Readonly<Record<string, number>>;
}
const OWNED = slot<Owned>('ConfigMaps that others own');

Given('ConfigMaps that others own', CONTROLLED, async function (this: World) {
  const name = `jp-${this.random(8)}`;
  const [first, second] = [`${name}-first`, `${name}-second`];
  const one = ownedBy(await this.writes.create<KubeObject>(resources.configMaps, configMap(first)));
  const other = ownedBy(await this.writes.create<KubeObject>(resources.configMaps, configMap(second)));
  const owners: Readonly<Record<string, readonly OwnerReference[]>> = {
    // else nothing says which of the two goes first
    'the one of the first owner': [{ ...one, blockOwnerDeletion: true }],
    'the one of both owners': [one, other],
    'the one of the second owner': [other],
    'the one of an owner of that name and another UID': [{ ...other, uid: NO_UID }],
    'the one of a Node that nobody has': [{ apiVersion: 'v1', kind: 'Node', name: `${name}-none`, uid: NO_UID }],
  };
  const names: Record<string, string> = {};
  for (const [what, references] of Object.entries(owners)) {
    const own = `${name}-${Object.keys(names).length}`;
    await this.writes.create<KubeObject>(resources.configMaps, configMap(own, references));
    names[what] = own;
  }
  this.put(OWNED, { first, names, owners: { 'the one of both owners': 2 } });
});

/** `more`: of what says who owns it. */
async function ownsHeld(world: World, more: Partial<OwnerReference> = {}): Promise<void> {
  const name = `jp-${world.random(8)}`;
  const [first, held] = [`${name}-first`, `${name}-held`];
  const one = ownedBy(await world.writes.create<KubeObject>(resources.configMaps, configMap(first)));
  const finalizers = [`${OWN_FINALIZERS}held`];
  await world.writes.create<KubeObject>(resources.configMaps, configMap(held, [{ ...one, ...more }], { finalizers }));
  world.put(OWNED, { first, names: { [HELD]: held } });
}
const HELD = 'the one of the first owner, held';

/** It does not say that its owner has to wait for it. Source: pkg/controller/garbagecollector processDeletingDependentsItem. */
Given('ConfigMaps that others own, one of them held', CONTROLLED, async function (this: World) {
  await ownsHeld(this);
});

Given('ConfigMaps that others own, one of them held, and to be waited for', CONTROLLED, async function (this: World) {
  await ownsHeld(this, { blockOwnerDeletion: true });
});

When('the first owner is deleted', CONTROLLED, async function (this: World) {
  await this.writes.delete(resources.configMaps, this.get(OWNED).first, DEFAULT);
});

/** What becomes of what is owned, in the words of the features and of the API. */
When(
  /^the first owner is deleted (without|after) what it owns$/,
  CONTROLLED,
  async function (this: World, how: 'without' | 'after') {
    const path = pathOf(resources.configMaps, { namespace: DEFAULT, name: this.get(OWNED).first });
    const query = { propagationPolicy: how === 'without' ? 'Orphan' : 'Foreground' };
    const { status } = await this.admin.ask({ method: 'DELETE', path, query });
    if (status !== 200 && status !== 202) this.unknown(`the deletion of a ConfigMap ${how} what it owns: ${status}`);
  },
);

async function firstIsSoonGone(world: World): Promise<void> {
  const parameters = { demanded: 'is soon gone' };
  const look = async () => {
    world.lookAfresh();
    const there = (await world.objects.get(resources.configMaps, world.get(OWNED).first, DEFAULT)) !== undefined;
    return [{ subject: 'the owner', there }];
  };
  world.check(isDeleted, await soon(world, { check: isDeleted, within: IN_TIME, parameters }, look), parameters);
}
Then('the first owner is soon gone', CONTROLLED, async function (this: World) {
  await firstIsSoonGone(this);
});

/** Looked at once what it owns is to be deleted: by then it is known who waits for whom. */
Then('the first owner is there until what it owns is gone, and then goes', CONTROLLED, async function (this: World) {
  const { first, names } = this.get(OWNED);
  const held = names[HELD] ?? '';
  const look = (name: string) => {
    this.lookAfresh();
    return this.objects.get<KubeObject>(resources.configMaps, name, DEFAULT);
  };
  const isEnding = await this.eventually(IN_TIME, async () => {
    const { metadata } = (await look(held)) ?? {};
    return metadata?.deletionTimestamp === undefined ? undefined : true;
  });
  const subject = 'what the first owner owns';
  this.check(isThere, [{ subject, there: isEnding === true }], { demanded: 'is soon being deleted' });
  const owner = { subject: 'the first owner, while it is held up', there: (await look(first)) !== undefined };
  this.check(isThere, [owner], { demanded: 'is there' });
  await this.writes.patch(resources.configMaps, held, DEFAULT, { metadata: { finalizers: null } });
  await firstIsSoonGone(this);
});

Then('these are there, and no more of the first owner:', CONTROLLED, async function (this: World, table: DataTable) {
  const { first, names, owners = {} } = this.get(OWNED);
  this.lookAfresh();
  const seen = await forEach(this, table.raw(), async ([what = '']) => {
    const name = names[what] ?? this.unknown(`the steps know no ConfigMap that is "${what}"`);
    const found = await this.objects.get<KubeObject>(resources.configMaps, name, DEFAULT);
    const left = found?.metadata.ownerReferences ?? [];
    const isKept = left.length === (owners[what] ?? 1) - 1;
    const there = found !== undefined && isKept && !left.some((owner) => owner.name === first);
    return { subject: `${what}, owned by others alone`, there };
  });
  this.check(isThere, seen, { demanded: 'is there' });
});

Then('these are gone with it:', CONTROLLED, async function (this: World, table: DataTable) {
  this.lookAfresh();
  this.check(isDeleted, await presence(this, table), { demanded: 'is gone before its owner' });
});

const presence = (world: World, table: DataTable) =>
  presenceOf(world, table, { resource: resources.configMaps, namespace: DEFAULT, names: world.get(OWNED).names });

Then('these are soon gone:', CONTROLLED, async function (this: World, table: DataTable) {
  const parameters = { demanded: 'is soon deleted' };
  const awaited = { check: isDeleted, within: IN_TIME, parameters };
  this.check(isDeleted, await soon(this, awaited, () => presence(this, table)), parameters);
});

Then('these stay:', CONTROLLED, async function (this: World, table: DataTable) {
  this.lookAfresh();
  this.check(isLeftAlone, await presence(this, table), { demanded: 'stays with its owner' });
});

/** How an owner is deleted, in the words of the API. Source: meta/v1 DeleteOptions. */
const DELETIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'in the foreground': { propagationPolicy: 'Foreground' },
  'without what it owns': { propagationPolicy: 'Orphan' },
  'without what it owns, in the old words': { orphanDependents: 'true' },
  'with what it owns, in the old words': { orphanDependents: 'false' },
  'in the background': { propagationPolicy: 'Background' },
};
const FINALIZERS = ['foregroundDeletion', 'orphan'];

Then(
  'an owner whose deletion is tried waits for what is to be done about what it owns:',
  { needs: ['writes', 'requests'] },
  async function (this: World, table: DataTable) {
    const name = `jp-${this.random(10)}`;
    await this.writes.create<KubeObject>(resources.configMaps, configMap(name));
    const path = pathOf(resources.configMaps, { namespace: DEFAULT, name });
    const told = await forEach(this, table.hashes(), async ({ deletion = '', finalizer = '' }) => {
      const how = DELETIONS[deletion] ?? this.unknown(`the steps know no deletion "${deletion}"`);
      const subject = `a ConfigMap whose deletion ${deletion} is tried`;
      const answer = await this.admin.ask({ method: 'DELETE', path, query: { ...DRY, ...how } });
      this.grant(requestAllowed, [{ subject, answer: seenIn(answer) }], {});
      const { finalizers } = record(record(answer.body).metadata);
      return FINALIZERS.map((one) => ({
        subject: `the finalizer ${one} of ${subject}`,
        there: list(finalizers).includes(one) === (one === finalizer),
      }));
    });
    this.check(isThere, told.flat(), { demanded: 'is there for that deletion alone' });
  },
);

const NEW = slot<{ readonly namespace: string; readonly authority: string }>('a namespace that was made now');

const find = <T extends KubeObject>(world: World, resource: Resource, name: string, namespace: string) =>
  world.eventually(IN_TIME, () => {
    world.lookAfresh();
    return world.objects.get<T>(resource, name, namespace);
  });

Given('a namespace that was made now', CONTROLLED, async function (this: World) {
  const namespace = `jp-${this.random(10)}`;
  const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  await this.writes.create<KubeObject>(resources.namespaces, object);
  const root = await find<ConfigMap>(this, resources.configMaps, ROOT_CA, namespace);
  const account = await find(this, resources.serviceAccounts, DEFAULT, namespace);
  const authority = root?.data?.['ca.crt'] ?? '';
  const things = [
    { subject: `the ConfigMap ${ROOT_CA} of a new namespace`, there: authority !== '' },
    { subject: 'the ServiceAccount default of a new namespace', there: account !== undefined },
  ];
  this.check(isThere, things, { demanded: 'is soon made' });
  this.put(NEW, { namespace, authority });
});

/** What others have said of it is theirs. */
const MARK = 'joinproof.invalid/seen';
const REPAIRS = { demanded: 'is soon as it was made' };

Then(
  'its root certificates are soon there again, once somebody has changed them',
  CONTROLLED,
  async function (this: World) {
    const { namespace, authority } = this.get(NEW);
    for (const [key, how] of [
      ['ca.crt', 'changed'],
      ['joinproof.crt', 'added to'],
    ] as const) {
      const metadata = { labels: { [MARK]: 'yes' } };
      await this.writes.patch(resources.configMaps, ROOT_CA, namespace, {
        metadata,
        data: { [key]: 'made by joinproof' },
      });
      this.lookAfresh();
      const look = async () => {
        const found = await this.objects.get<ConfigMap>(resources.configMaps, ROOT_CA, namespace);
        const data = found?.data ?? {};
        const isRepaired = data['ca.crt'] === authority && Object.keys(data).length === 1;
        const there = isRepaired && found?.metadata.labels?.[MARK] === 'yes';
        return [{ subject: `the ConfigMap ${ROOT_CA}, which was ${how}`, there }];
      };
      this.check(isThere, await soon(this, { check: isThere, within: IN_TIME, parameters: REPAIRS }, look), REPAIRS);
    }
  },
);

Then('its account is soon there again, once somebody has deleted it', CONTROLLED, async function (this: World) {
  const { namespace } = this.get(NEW);
  const uidOf = async (): Promise<string> =>
    text(record((await this.objects.get<KubeObject>(resources.serviceAccounts, DEFAULT, namespace))?.metadata).uid);
  const before = await uidOf();
  await this.writes.delete(resources.serviceAccounts, DEFAULT, namespace);
  this.lookAfresh();
  const look = async () => {
    const uid = await uidOf();
    return [{ subject: 'the ServiceAccount default, which was deleted', there: uid !== '' && uid !== before }];
  };
  this.check(isThere, await soon(this, { check: isThere, within: IN_TIME, parameters: REPAIRS }, look), REPAIRS);
});
