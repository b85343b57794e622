/**
 * Sentences about the form of what is written, and the words in which a write says how it is meant. All of it is only
 * tried, or of an object that nobody has: whoever lets it through writes nothing.
 */

import { type Attempt, requestAllowed, requestRefused } from '../../src/checks/authorization/access.js';
import { seenIn } from '../../src/checks/common/answers.js';
import { isThere } from '../../src/checks/common/presence.js';
import { readSaying, saysJustThat } from '../../src/checks/common/sayings.js';
import { base64, record, text } from '../../src/kubernetes/json.js';
import type { KubeObject, Secret } from '../../src/kubernetes/objects.js';
import { MADE_BY } from '../../src/kubernetes/own-objects.js';
import { PATCH_TYPES } from '../../src/kubernetes/patch-types.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import type { Question } from '../../src/targets/types.js';
import { attempts } from '../authorization/attempts.js';
import { forEach } from '../common/each.js';
import { DEFAULT, ownSecret, SECRETS, secretAt } from '../common/secrets.js';
import { DRY, triedPatch } from '../common/trials.js';

const WRITES = { needs: ['writes', 'requests'] } as const;
/** No sweep knows a Lease. */
const OURS = { needs: ['writes', 'requests', 'ours'] } as const;

const OWNER = { apiVersion: 'v1', kind: 'ConfigMap', name: 'jp-owner', uid: '00000000-0000-4000-8000-000000000000' };
const OTHER = { ...OWNER, name: 'jp-other', uid: '00000000-0000-4000-8000-000000000001' };
const ownedBy = (...ownerReferences: readonly object[]) => ({ ownerReferences });
const KEY = 'joinproof.invalid/long';
/** Annotations of so many bytes, with their keys. Source: objectmeta.go TotalAnnotationSizeLimitB. */
const annotated = (bytes: number) => ({ annotations: { [KEY]: 'a'.repeat(bytes - KEY.length) } });
const MOST = 256 * 1024;
const labelled = (key: string, value: string) => ({ labels: { [key]: value } });

/** Metadata by what the features call it. Source: apimachinery, pkg/api/validation/objectmeta.go. */
const METADATA: Readonly<Record<string, object>> = {
  'nothing in particular': {},
  'an owner that controls it and one that does not': ownedBy({ ...OWNER, controller: true }, OTHER),
  'a finalizer of a domain': { finalizers: ['joinproof.invalid/kept'] },
  'annotations of 256 KiB': annotated(MOST),
  'a label of 63 characters': labelled(KEY, 'a'.repeat(63)),
  'two owners that control it': ownedBy({ ...OWNER, controller: true }, { ...OTHER, controller: true }),
  'an owner without a UID': ownedBy({ ...OWNER, uid: '' }),
  'an owner without a name': ownedBy({ ...OWNER, name: '' }),
  'an owner without a kind': ownedBy({ ...OWNER, kind: '' }),
  'an owner without a version': ownedBy({ ...OWNER, apiVersion: '' }),
  'an Event for an owner': ownedBy({ ...OWNER, kind: 'Event' }),
  'a finalizer of no domain': { finalizers: ['joinproof'] },
  'both finalizers of the garbage collector': { finalizers: ['orphan', 'foregroundDeletion'] },
  'annotations of a byte more': annotated(MOST + 1),
  'an annotation of a key with two slashes': { annotations: { 'joinproof.invalid/a/b': '' } },
  'a label of 64 characters': labelled(KEY, 'a'.repeat(64)),
  'a label of a key with two slashes': labelled('joinproof.invalid/a/b', ''),
  'a name in capitals': { name: 'JP-SECRET' },
  'a name that ends in a hyphen': { name: 'jp-secret-' },
};

const tried = (metadata: object): Question => ({
  method: 'POST',
  path: SECRETS,
  query: DRY,
  body: ownSecret('', metadata),
});

const made = (world: World, table: DataTable) =>
  attempts(
    world,
    world.admin,
    table.raw().map(([what = '']) => {
      const metadata = METADATA[what] ?? world.unknown(`the steps know no metadata with "${what}"`);
      return { subject: `a Secret with ${what}`, question: tried({ name: `jp-${world.random(10)}`, ...metadata }) };
    }),
  );

Then('a Secret may be made with:', WRITES, async function (this: World, table: DataTable) {
  this.check(requestAllowed, await made(this, table), {});
});

Then('no Secret may be made with:', WRITES, async function (this: World, table: DataTable) {
  this.check(requestRefused, await made(this, table), { statuses: [422] });
});

const ofType = (type: string, ...keys: readonly string[]): object => ({
  type: `kubernetes.io/${type}`,
  data: Object.fromEntries(keys.map((key) => [key, base64(key.startsWith('.docker') ? '{}' : MADE_BY)])),
});
const account = (name: string): object => ({
  type: 'kubernetes.io/service-account-token',
  data: {},
  metadata: { annotations: { 'kubernetes.io/service-account.name': name } },
});
const LOGINS = ['dockerconfigjson', '.dockerconfigjson'] as const;
const OLD_LOGINS = ['dockercfg', '.dockercfg'] as const;
const unread = ([type, key]: typeof LOGINS | typeof OLD_LOGINS): object => ({
  ...ofType(type),
  data: { [key]: base64(MADE_BY) },
});
/** Secrets of a known type by what the features call them. Source: pkg/apis/core/validation ValidateSecret. */
const TYPED: Readonly<Record<string, object>> = {
  'the token of an account': account('jp-absent'),
  'the token of no account': account(''),
  'a certificate and its key': ofType('tls', 'tls.crt', 'tls.key'),
  'a certificate without its key': ofType('tls', 'tls.crt'),
  'a key without its certificate': ofType('tls', 'tls.key'),
  'a name without its password': ofType('basic-auth', 'username'),
  'a password without its name': ofType('basic-auth', 'password'),
  'neither a name nor a password': ofType('basic-auth', 'text'),
  'a key of SSH': ofType('ssh-auth', 'ssh-privatekey'),
  'no key of SSH': ofType('ssh-auth', 'text'),
  'logins of registries': ofType(...LOGINS),
  'logins of registries, as they were written once': ofType(...OLD_LOGINS),
  'no logins of registries': ofType(LOGINS[0]),
  'no logins of registries, as they were written once': ofType(OLD_LOGINS[0]),
  'logins of registries that cannot be read': unread(LOGINS),
  'logins of registries that cannot be read, as they were written once': unread(OLD_LOGINS),
};

const madeOfType = (world: World, table: DataTable) =>
  attempts(
    world,
    world.admin,
    table.raw().map(([what = '']) => {
      const { metadata, ...rest } = record(TYPED[what] ?? world.unknown(`the steps know no Secret that is "${what}"`));
      const body = { ...ownSecret(`jp-${world.random(10)}`, record(metadata)), ...rest };
      return {
        subject: `a Secret that is ${what}`,
        question: { method: 'POST', path: SECRETS, query: DRY, body } as const,
      };
    }),
  );

Then('a Secret may be made that is:', WRITES, async function (this: World, table: DataTable) {
  this.check(requestAllowed, await madeOfType(this, table), {});
});

Then('no Secret may be made that is:', WRITES, async function (this: World, table: DataTable) {
  this.check(requestRefused, await madeOfType(this, table), { statuses: [422] });
});

const TAINT = { key: 'joinproof.invalid/kept', value: 'free', effect: 'NoSchedule' };
const tainted = (...taints: readonly object[]) => ({ taints: taints.map((taint) => ({ ...TAINT, ...taint })) });
const ranged = (...podCIDRs: readonly string[]) => ({ podCIDR: podCIDRs[0], podCIDRs });
const [RANGE, RANGE_6] = ['192.0.2.0/24', '2001:db8::/64'];
/** What Nodes are told by what the features call it. Source: pkg/apis/core/validation ValidateNode. */
const OF_NODES: Readonly<Record<string, object>> = {
  'a taint of each effect': tainted({}, { effect: 'PreferNoSchedule' }, { effect: 'NoExecute' }),
  'a taint of an effect of nobody': tainted({ effect: 'NoJoin' }),
  'a taint of no key': tainted({ key: '' }),
  'a taint of a value of 64 characters': tainted({ value: 'a'.repeat(64) }),
  'one taint twice': tainted({}, { value: 'other' }),
  'a range of each family': ranged(RANGE, RANGE_6),
  'a range that is none': ranged('192.0.2.0/33'),
  'two ranges of one family': ranged(RANGE, '198.51.100.0/24'),
  'three ranges': ranged(RANGE, RANGE_6, '198.51.100.0/24'),
};
const nodes = pathOf(resources.nodes);
const node = (name: string, spec: object) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name }, spec });

const madeNodes = (world: World, table: DataTable) =>
  attempts(
    world,
    world.admin,
    table.raw().map(([what = '']) => {
      const spec = OF_NODES[what] ?? world.unknown(`the steps know no Node with "${what}"`);
      const body = node(`jp-${world.random(10)}`, spec);
      return { subject: `a Node with ${what}`, question: { method: 'POST', path: nodes, query: DRY, body } as const };
    }),
  );

Then('a Node may be made with:', WRITES, async function (this: World, table: DataTable) {
  this.check(requestAllowed, await madeNodes(this, table), {});
});

Then('no Node may be made with:', WRITES, async function (this: World, table: DataTable) {
  this.check(requestRefused, await madeNodes(this, table), { statuses: [422] });
});

/** What Leases are told by what the features call it. Source: pkg/apis/coordination/validation ValidateLeaseSpec. */
const OF_LEASES: Readonly<Record<string, object>> = {
  'a holder': { holderIdentity: 'jp-holder', leaseDurationSeconds: 40 },
  'as many holders as none': { leaseTransitions: 0 },
  'fewer holders than none': { leaseTransitions: -1 },
  'a time of no seconds': { leaseDurationSeconds: 0 },
  'a time of less than none': { leaseDurationSeconds: -1 },
};
const leases = pathOf(resources.leases, { namespace: DEFAULT });

const madeLeases = (world: World, table: DataTable) =>
  attempts(
    world,
    world.admin,
    table.raw().map(([what = '']) => {
      const spec = OF_LEASES[what] ?? world.unknown(`the steps know no Lease with "${what}"`);
      const metadata = { name: `jp-${world.random(10)}`, namespace: DEFAULT };
      const body = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec };
      return { subject: `a Lease with ${what}`, question: { method: 'POST', path: leases, query: DRY, body } as const };
    }),
  );

Then('a Lease may be made with:', OURS, async function (this: World, table: DataTable) {
  this.check(requestAllowed, await madeLeases(this, table), {});
});

Then('no Lease may be made with:', OURS, async function (this: World, table: DataTable) {
  this.check(requestRefused, await madeLeases(this, table), { statuses: [422] });
});

/** Of two that differ the one counts, since older clients know no other. Source: pkg/apis/core/v1/conversion.go. */
Then('the range of a Node is the first of its ranges', WRITES, async function (this: World) {
  const other = '198.51.100.0/24';
  const ways: readonly (readonly [string, object, string])[] = [
    ['one range', { podCIDR: RANGE }, RANGE],
    ['one of several ranges', { podCIDRs: [RANGE] }, RANGE],
    ['one range and another of several', { podCIDR: RANGE, podCIDRs: [other] }, RANGE],
  ];
  const seen = await forEach(this, ways, async ([what, spec, first]) => {
    const body = node(`jp-${this.random(10)}`, spec);
    const answer = await this.admin.ask({ method: 'POST', path: nodes, query: DRY, body });
    const wanted = { status: 201, says: { 'spec.podCIDR': first, 'spec.podCIDRs.0': first } };
    return readSaying(`a Node that is told ${what}`, wanted, answer);
  });
  this.check(saysJustThat, seen);
});

/** What a Node was told once, and what else it could be told. Source: pkg/apis/core/validation ValidateNodeUpdate. */
const ONCE: Readonly<Record<string, readonly [first: object, others: Readonly<Record<string, object>>]>> = {
  'the name that a provider has for it': [
    { providerID: 'joinproof://first' },
    { 'says another': { providerID: 'joinproof://other' }, 'says none': { providerID: null } },
  ],
  'its ranges': [
    ranged(RANGE),
    {
      'says another': ranged('198.51.100.0/24'),
      'says one more': ranged(RANGE, RANGE_6),
      'says none': { podCIDR: null, podCIDRs: null },
    },
  ],
};

Then('of a Node these are not changed, once they are said:', WRITES, async function (this: World, table: DataTable) {
  for (const [what = ''] of table.raw()) {
    const [first, others] = ONCE[what] ?? this.unknown(`the steps know nothing of a Node that is "${what}"`);
    const name = `jp-${this.random(10)}`;
    await this.writes.create<KubeObject>(resources.nodes, node(name, first));
    const patched = ([how, spec]: readonly [string, object]) => ({
      subject: `${what}, by a patch of the Node that ${how}`,
      question: triedPatch(`${nodes}/${name}`, 'merge', { spec }),
    });
    const told = [patched(['says the same', first])];
    this.grant(requestAllowed, await attempts(this, this.admin, told), {});
    const changed = await attempts(this, this.admin, Object.entries(others).map(patched));
    this.check(requestRefused, changed.map(whyOnly), { statuses: [422] });
  }
});

/** How long what the makers of names begin with is, in characters; all of it letters that a name may have. */
const LONGEST = 63;
/** Source: apiserver, pkg/storage/names/generate.go. */
const SUFFIX = 5;
const BEGINNINGS = [1, 58, 59, 100];

Then('names that are made begin as they were asked for, and fit', WRITES, async function (this: World) {
  const names = await forEach(this, BEGINNINGS, async (length) => {
    const generateName = 'jp'.padEnd(length, 'x').slice(0, length);
    const answer = await this.admin.ask(tried({ name: undefined, generateName }));
    const subject = `a Secret whose name is to begin with ${length} characters`;
    this.grant(requestAllowed, [{ subject, answer: seenIn(answer) }], {});
    const made = text(record(record(answer.body).metadata).name);
    const begins = made.startsWith(generateName.slice(0, LONGEST - SUFFIX));
    return {
      subject: `a name of at most ${LONGEST} characters with a beginning of ${length}, and ${SUFFIX} behind it`,
      there: begins && made.length === Math.min(length, LONGEST - SUFFIX) + SUFFIX,
    };
  });
  this.check(isThere, names, { demanded: 'is made' });
});

type Query = NonNullable<Question['query']>;
const LONG = 'a'.repeat(129);
const deletion = (query: Query): Question => ({ method: 'DELETE', path: SECRETS, query });
const patch = (query: Query): Question => ({
  ...triedPatch(SECRETS, 'merge', { metadata: { labels: { seen: 'yes' } } }),
  query,
});
const replacement = (query: Query): Question => ({ method: 'PUT', path: SECRETS, query });

/** By what the features call them; each is of an object that nobody has. Source: meta/v1/validation/validation.go. */
const WRITTEN: Readonly<Record<string, Question>> = {
  'a patch': patch(DRY),
  'a replacement': replacement(DRY),
  'a deletion': deletion(DRY),
  'a deletion in the background': deletion({ ...DRY, propagationPolicy: 'Background' }),
  'a patch by a manager of 128 characters': patch({ ...DRY, fieldManager: LONG.slice(1) }),
  'a patch that is tried in another word': patch({ dryRun: 'all' }),
  'a replacement that is tried in another word': replacement({ dryRun: 'Server' }),
  'a deletion that is tried in another word': deletion({ dryRun: 'true' }),
  'a deletion that is tried in a known word and another': deletion({ dryRun: ['All', 'Server'] }),
  'a patch that is tried in a known word and another': patch({ dryRun: ['All', 'Server'] }),
  'a deletion by a policy that nobody knows': deletion({ ...DRY, propagationPolicy: 'foreground' }),
  'a deletion that says twice what becomes of what is owned': deletion({
    ...DRY,
    propagationPolicy: 'Orphan',
    orphanDependents: 'true',
  }),
  'a patch by a manager of 129 characters': patch({ ...DRY, fieldManager: LONG }),
  'a patch by a manager with a line break': patch({ ...DRY, fieldManager: 'join\nproof' }),
  'a merge patch by force': patch({ ...DRY, force: 'true' }),
  'an apply by nobody': triedPatch(SECRETS, 'apply', {}),
};

/** It says the whole object, and not what is to become of it. */
const isWhole = ({ method, contentType }: Question): boolean => method === 'PUT' || contentType === PATCH_TYPES.apply;

const asked = (world: World, table: DataTable) =>
  attempts(
    world,
    world.admin,
    table.raw().map(([what = '']) => {
      const question = WRITTEN[what] ?? world.unknown(`the steps know no request that is "${what}"`);
      const name = `jp-${world.random(10)}`;
      const path = `${question.path}/${name}`;
      return {
        subject: `${what}, of a Secret that nobody has`,
        question: { ...question, path, ...(isWhole(question) ? { body: ownSecret(name) } : {}) },
      };
    }),
  );

Then('of a Secret that nobody has nothing is found by:', WRITES, async function (this: World, table: DataTable) {
  this.check(requestAllowed, await asked(this, table), { statuses: [404] });
});

Then('of a Secret that nobody has these are refused:', WRITES, async function (this: World, table: DataTable) {
  this.check(requestRefused, await asked(this, table), { statuses: [422] });
});

/** Of a field that no metadata has. */
const UNKNOWN = { metadata: { joinproof: 'unknown' } };
const STRICT: Readonly<Record<string, readonly [kind: keyof typeof PATCH_TYPES, body: unknown]>> = {
  'a merge patch': ['merge', UNKNOWN],
  'a strategic patch': ['strategic', UNKNOWN],
  'a JSON patch': ['json', [{ op: 'add', path: '/metadata/joinproof', value: 'unknown' }]],
};

/** Who refuses a patch shows the whole object before he says why: versions and times are in it. */
const whyOnly = (attempt: Attempt): Attempt => {
  const { status, body } = attempt.answer;
  const [why] = /strict decoding error: [\s\S]*/.exec(text(record(body).message)) ?? [];
  return { ...attempt, answer: { status, body: why === undefined ? null : { message: why } } };
};

Then(
  'what nobody knows is not written, where that is asked for, by:',
  WRITES,
  async function (this: World, table: DataTable) {
    const name = `jp-${this.random(10)}`;
    await this.writes.create<Secret>(resources.secrets, ownSecret(name));
    const patches = (fieldValidation: string) =>
      attempts(
        this,
        this.admin,
        table.raw().map(([what = '']) => {
          const [kind, body] = STRICT[what] ?? this.unknown(`the steps know no patch that is "${what}"`);
          const question = {
            ...triedPatch(secretAt(name), kind, body),
            query: { ...DRY, fieldValidation },
          };
          return { subject: `${what} of a field that nobody knows, ${fieldValidation}`, question } as const;
        }),
      );
    this.grant(requestAllowed, await patches('Ignore'), {});
    this.check(requestRefused, (await patches('Strict')).map(whyOnly), { statuses: [400, 422] });
  },
);
