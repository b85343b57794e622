/** Sentences about writes that name what they are about, writes that are only tried, and watches. */

import { requestAllowed, requestForbidden, requestRefused } from '../../src/checks/authorization/access.js';
import { readWatched, watchBegins, watchTellsVersion } from '../../src/checks/bootstrap-tokens/watches.js';
import { seenIn } from '../../src/checks/common/answers.js';
import { isLeftAlone, isThere } from '../../src/checks/common/presence.js';
import { readSaying, saysJustThat } from '../../src/checks/common/sayings.js';
import { base64, list, record, text } from '../../src/kubernetes/json.js';
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
import { DEFAULT, ownSecret, SECRETS, secretAt } from '../common/secrets.js';
import { DRY, triedPatch } from '../common/trials.js';

const WRITES = { needs: ['writes', 'requests'] } as const;
const OURS = { needs: ['writes', 'requests', 'ours'] } as const;
const NO_UID = '00000000-0000-4000-8000-000000000000';

/** As it was read, and as it is since. */
interface Changed {
  readonly name: string;
  readonly uid: string;
  readonly before: string;
  readonly now: string;
}
const CHANGED = slot<Changed>('a Secret that was changed since it was read');

async function changedSecret(world: World, more: object = {}): Promise<Changed> {
  const name = `jp-${world.random(10)}`;
  const { metadata } = await world.writes.create<Secret>(resources.secrets, ownSecret(name, more));
  await world.writes.patch(resources.secrets, name, DEFAULT, { data: { more: base64('since') } });
  const stored = await world.objects.get<Secret>(resources.secrets, name, DEFAULT);
  const [before, now] = [metadata.resourceVersion, stored?.metadata.resourceVersion];
  if (before === undefined || now === undefined || before === now)
    return world.unknown('a Secret has the same version before and after it was changed');
  return { name, uid: metadata.uid ?? '', before, now };
}

Given('a Secret that was changed since it was read', WRITES, async function (this: World) {
  this.put(CHANGED, await changedSecret(this));
});

Given('a Secret that was changed since it was read, and that a finalizer holds', WRITES, async function (this: World) {
  this.put(CHANGED, await changedSecret(this, { finalizers: [`${OWN_FINALIZERS}one`] }));
});

const replaced = ({ name }: Changed, resourceVersion: string, query: object = {}, uid?: string): Question => ({
  method: 'PUT',
  path: secretAt(name),
  query: { ...query },
  body: {
    ...ownSecret(name, { resourceVersion, ...(uid === undefined ? {} : { uid }) }),
    data: { text: base64('another') },
  },
});
const patched = ({ name }: Changed, resourceVersion: string, query: object = {}): Question => ({
  method: 'PATCH',
  path: secretAt(name),
  query: { ...query },
  contentType: PATCH_TYPES.merge,
  body: { metadata: { resourceVersion }, data: { text: base64('another') } },
});
const deleted = ({ name }: Changed, preconditions: object): Question => ({
  method: 'DELETE',
  path: secretAt(name),
  body: { apiVersion: 'v1', kind: 'DeleteOptions', preconditions },
});

type Write = (changed: Changed) => Question;
const OF_OLD: Readonly<Record<string, Write>> = {
  'a replacement of that version': (one) => replaced(one, one.before),
  'a patch of that version': (one) => patched(one, one.before),
  'a deletion of that version': (one) => deleted(one, { resourceVersion: one.before }),
  'a replacement of another UID': (one) => replaced(one, one.now, {}, NO_UID),
  'a deletion of another UID': (one) => deleted(one, { uid: NO_UID }),
};
const OF_NOW: Readonly<Record<string, Write>> = {
  'a replacement of its version': (one) => replaced(one, one.now),
  'a patch of its version': (one) => patched(one, one.now),
  'a deletion of its UID and version': (one) => deleted(one, { uid: one.uid, resourceVersion: one.now }),
};
const triedDeletion = ({ name, uid }: Changed, more: object = {}): Question => ({
  method: 'DELETE',
  path: secretAt(name),
  query: DRY,
  body: { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid }, dryRun: ['All'], ...more },
});
const TRIED: Readonly<Record<string, Write>> = {
  'makes another one': ({ name }) => ({ method: 'POST', path: SECRETS, query: DRY, body: ownSecret(`${name}x`) }),
  'replaces it': (one) => replaced(one, one.now, DRY),
  'patches it': (one) => patched(one, one.now, DRY),
  'deletes it': (one) => triedDeletion(one),
  'deletes it after what it owns': (one) => triedDeletion(one, { propagationPolicy: 'Foreground' }),
};

const known = (world: World, writes: Readonly<Record<string, Write>>, what: string): Write =>
  writes[what] ?? world.unknown(`the steps know no write that is "${what}"`);

/** Whether a Secret is what it was, to the version. */
async function isAsItWas(world: World, { name, now }: Changed): Promise<boolean> {
  return (await world.objects.get<Secret>(resources.secrets, name, DEFAULT))?.metadata.resourceVersion === now;
}

Then(
  'whoever names what was read is refused, and changes nothing:',
  WRITES,
  async function (this: World, table: DataTable) {
    const rows = await forEach(this, table.raw(), async ([what = '']) => {
      const secret = what.startsWith('a deletion') ? await changedSecret(this) : this.get(CHANGED);
      const [answer] = await attempts(this, this.admin, [
        { subject: what, question: known(this, OF_OLD, what)(secret) },
      ]);
      return { what, answer, there: await isAsItWas(this, secret) };
    });
    this.check(
      requestRefused,
      rows.flatMap(({ answer }) => answer ?? []),
      { statuses: [409] },
    );
    const secrets = rows.map(({ what, there }) => ({ subject: `the Secret, after ${what}`, there }));
    this.check(isLeftAlone, secrets, { demanded: 'is as it was' });
  },
);

Then('whoever names what is there is let through:', WRITES, async function (this: World, table: DataTable) {
  const taken = await forEach(this, table.raw(), async ([what = '']) => {
    const { status } = await this.admin.ask(known(this, OF_NOW, what)(await changedSecret(this)));
    return { subject: what, there: status === 200 || (status === 409 ? false : undefined) };
  });
  this.check(isThere, taken, { demanded: 'goes through' });
});

Then('a dry run changes nothing that:', WRITES, async function (this: World, table: DataTable) {
  const secret = this.get(CHANGED);
  const rows = await forEach(this, table.raw(), async ([what = '']) => {
    const subject = `a dry run that ${what}`;
    const answers = await attempts(this, this.admin, [{ subject, question: known(this, TRIED, what)(secret) }]);
    const other = await this.objects.get<Secret>(resources.secrets, `${secret.name}x`, DEFAULT);
    return { subject, answers, there: other === undefined && (await isAsItWas(this, secret)) };
  });
  this.grant(
    requestAllowed,
    rows.flatMap(({ answers }) => answers),
    {},
  );
  const secrets = rows.map(({ subject, there }) => ({ subject: `all, after ${subject}`, there }));
  this.check(isLeftAlone, secrets, { demanded: 'is as it was' });
});

async function newNamespace(world: World): Promise<string> {
  const name = `jp-${world.random(10)}`;
  const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  await world.writes.create<KubeObject>(resources.namespaces, object);
  return name;
}

Then(
  'the deletion of a namespace of the system is forbidden, even where it is only tried:',
  OURS,
  async function (this: World, table: DataTable) {
    const requests = table.raw().map(([name = '']) => ({
      subject: `a dry run that deletes the namespace ${name}`,
      question: { method: 'DELETE', path: pathOf(resources.namespaces, { name }), query: DRY } as const,
    }));
    const own = await newNamespace(this);
    const question = { method: 'DELETE', path: pathOf(resources.namespaces, { name: own }), query: DRY } as const;
    const subject = 'a dry run that deletes a namespace of the run';
    this.grant(requestAllowed, await attempts(this, this.admin, [{ subject, question }]), {});
    this.check(requestForbidden, await attempts(this, this.admin, requests));
  },
);

/** A ConfigMap that holds its namespace until it is let go. */
const HELD_MAP = 'jp-held';
const letGo = (namespace: string): Question =>
  triedPatch(pathOf(resources.configMaps, { namespace, name: HELD_MAP }), 'merge', { metadata: { finalizers: null } });
const GOING = slot<string>('a namespace that is being deleted');

Given('a namespace that is being deleted', OURS, async function (this: World) {
  const name = await newNamespace(this);
  const map = (of: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: of, namespace: name } });
  const path = pathOf(resources.configMaps, { namespace: name });
  const made = await this.admin.ask({ method: 'POST', path, query: DRY, body: map('jp-first') });
  this.grant(requestAllowed, [{ subject: 'a ConfigMap in a new namespace', answer: seenIn(made) }], {});
  const held = map(HELD_MAP);
  await this.writes.create<KubeObject>(resources.configMaps, {
    ...held,
    metadata: { ...held.metadata, finalizers: [`${OWN_FINALIZERS}one`] },
  });
  const change = [{ subject: 'a patch of a ConfigMap in a new namespace', question: letGo(name) }];
  this.grant(requestAllowed, await attempts(this, this.admin, change), {});
  await this.admin.ask({ method: 'DELETE', path: pathOf(resources.namespaces, { name }) });
  this.put(GOING, name);
});

Then('nothing new is made in it', OURS, async function (this: World) {
  const namespace = this.get(GOING);
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'jp-second', namespace } };
  const question = { method: 'POST', path: pathOf(resources.configMaps, { namespace }), query: DRY, body } as const;
  const tried = await attempts(this, this.admin, [
    { subject: 'a ConfigMap in a namespace that is being deleted', question },
  ]);
  // it may be gone by now, and then nobody finds it
  this.check(
    requestForbidden,
    tried.map((one) => ({ ...one, gone: true as const })),
  );
  const answer = await this.admin.ask(question);
  if (answer.status !== 403) return;
  const says = {
    'details.causes.0.reason': 'NamespaceTerminating',
    'details.causes.0.field': 'metadata.namespace',
    'details.causes.0.message': `namespace ${namespace} is being terminated`,
  };
  this.check(saysJustThat, [readSaying('why nothing new is made in that namespace', { status: 403, says }, answer)]);
});

/** It is the one who deletes it that is to know. Source: pkg/registry/core/namespace/storage/storage.go Delete. */
Then(
  'it is there as long as what is in it, and goes under its own UID and version alone',
  OURS,
  async function (this: World) {
    const name = this.get(GOING);
    const path = pathOf(resources.namespaces, { name });
    await this.lasting(5_000, this.admin.ask({ path }));
    const there = await this.admin.ask({ path });
    const says = { kind: 'Namespace', 'status.phase': 'Terminating' };
    const seen = [
      readSaying('a namespace that is being deleted, and has something in it', { status: 200, says }, there),
    ];
    for (const [what, preconditions] of [
      ['UID', { uid: NO_UID }],
      ['version', { resourceVersion: '1' }],
    ] as const) {
      const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions };
      const answer = await this.admin.ask({ method: 'DELETE', path, query: DRY, body });
      const wanted = { status: 409, says: { reason: 'Conflict', 'details.kind': 'namespaces' } };
      seen.push(readSaying(`a deletion of that namespace under another ${what}`, wanted, answer));
    }
    this.check(saysJustThat, seen);
  },
);

/** Else nothing that waits for a finalizer would ever be let go. */
Then('what is in it may still be changed', OURS, async function (this: World) {
  const { status } = await this.admin.ask(letGo(this.get(GOING)));
  const there = status === 404 || status >= 500 ? undefined : status === 200;
  const subject = 'a patch of a ConfigMap in a namespace that is being deleted';
  this.check(isThere, [{ subject, there }], { demanded: 'is let through' });
});

Then('nothing is made in a namespace that nobody has', OURS, async function (this: World) {
  const made = (namespace: string) => {
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `jp-${this.random(10)}`, namespace } };
    return { method: 'POST', path: pathOf(resources.configMaps, { namespace }), query: DRY, body } as const;
  };
  const there = [{ subject: 'a ConfigMap in a namespace that is there', question: made(DEFAULT) }];
  this.grant(requestAllowed, await attempts(this, this.admin, there), {});
  const nowhere = [{ subject: 'a ConfigMap in a namespace that nobody has', question: made(`jp-${this.random(10)}`) }];
  this.check(requestRefused, await attempts(this, this.admin, nowhere), { statuses: [404] });
});

/** Who takes it away needs the subresource "finalize". Source: pkg/registry/core/namespace/strategy.go. */
Then('a patch of a namespace leaves it what holds it until it is empty', OURS, async function (this: World) {
  const path = pathOf(resources.namespaces, { name: await newNamespace(this) });
  const answer = await this.admin.ask(triedPatch(path, 'merge', { spec: { finalizers: [] } }));
  const finalizers = list(record(record(answer.body).spec).finalizers);
  const there = answer.status === 200 ? finalizers.includes('kubernetes') : undefined;
  const subject = 'the finalizer "kubernetes" of a namespace, after a patch that takes it away';
  this.check(isThere, [{ subject, there }], { demanded: 'is there' });
});

/** Versions, by after what. */
interface Told {
  readonly name: string;
  readonly versions: Readonly<Record<string, string>>;
}
const TOLD = slot<Told>('a list, and a Secret that was made, changed and deleted since');

async function versionOfAll(world: World): Promise<string> {
  const { body } = await world.admin.ask({ path: SECRETS, query: { fieldSelector: 'metadata.name=jp-absent' } });
  const version = text(record(record(body).metadata).resourceVersion);
  return version === '' ? world.unknown('a list of Secrets tells no version') : version;
}

Given('a list, and a Secret that was made, changed and deleted since', WRITES, async function (this: World) {
  const list = await versionOfAll(this);
  const { name, before, now } = await changedSecret(this);
  await this.writes.delete(resources.secrets, name, DEFAULT);
  const versions = {
    'the list': list,
    'its creation': before,
    'its change': now,
    'its deletion': await versionOfAll(this),
  };
  this.put(TOLD, { name, versions });
});

Then('a watch of it begins with:', WRITES, async function (this: World, table: DataTable) {
  const { name, versions } = this.get(TOLD);
  const versionOf = (after: string): string => versions[after] ?? this.unknown(`the steps know no version of ${after}`);
  const seen = await forEach(this, table.hashes(), async ({ from = '', what = '', of = '' }) => {
    const resourceVersion = versionOf(from.replace(/ on$/, ''));
    // of a deletion nobody is told but by a watch: others write meanwhile
    const former = /^later than (.*)$/.exec(of)?.[1];
    const version =
      former !== undefined ? { formerVersion: versionOf(former) } : of === '' ? {} : { wantedVersion: versionOf(of) };
    const query = { watch: 'true', resourceVersion, fieldSelector: `metadata.name=${name}`, timeoutSeconds: '1' };
    const asked = this.admin.ask({ path: SECRETS, query });
    const answer = await (what === 'nothing' ? this.lasting(1_000, asked) : asked);
    return readWatched({ subject: `a watch from ${from}`, wanted: what, ...version }, answer);
  });
  this.check(watchBegins, seen);
  this.check(watchTellsVersion, seen);
});
