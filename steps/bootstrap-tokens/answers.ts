/** Sentences about what answers say: what they are about, of which version it is, and who has written it. */
import { readSaying, type Saying, saysJustThat } from '../../src/checks/common/sayings.js';
import { record, records } from '../../src/kubernetes/json.js';
import type { CertificateSigningRequest, KubeObject, Secret } from '../../src/kubernetes/objects.js';
import { OWN_FINALIZERS } from '../../src/kubernetes/own-objects.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import type { Answer, Question } from '../../src/targets/types.js';
import { wantedRequest } from '../common/csr-shapes.js';
import { forEach } from '../common/each.js';
import { podObject } from '../common/node-client.js';
import { DEFAULT, ownSecret, SECRETS, secretAt } from '../common/secrets.js';
import { DRY, triedPatch } from '../common/trials.js';

const WRITES = { needs: ['writes', 'requests'] } as const;
const OURS = { needs: ['writes', 'requests', 'ours'] } as const;

/** Objects of the scenario, and a name that nobody has. */
interface There {
  readonly secret: KubeObject;
  readonly held: KubeObject;
  /** Held, and deleted. */
  readonly ending: KubeObject;
  readonly request: KubeObject;
  readonly absent: string;
}
const THERE = slot<There>('two Secrets, one of them held, and a certificate request');

Given('two Secrets, one of them held, and a certificate request', WRITES, async function (this: World) {
  const made = (metadata: object = {}) =>
    this.writes.create<Secret>(resources.secrets, ownSecret(`jp-${this.random(10)}`, metadata));
  const ending = await made({ finalizers: [`${OWN_FINALIZERS}held`] });
  await this.writes.delete(resources.secrets, nameOf(ending), DEFAULT);
  this.put(THERE, {
    secret: await made(),
    ending,
    held: await made({ finalizers: [`${OWN_FINALIZERS}held`] }),
    request: await this.writes.create<CertificateSigningRequest>(
      resources.certificateSigningRequests,
      wantedRequest(this, 'an API client of a signer that nobody runs'),
    ),
    absent: `jp-${this.random(10)}`,
  });
});

interface Words {
  readonly question: Question;
  readonly wanted: Saying['wanted'];
}
type Look = (there: There) => Words;
const nameOf = ({ metadata: { name = '' } }: KubeObject): string => name;
const uidOf = ({ metadata: { uid = '' } }: KubeObject): string => uid;
/** Nobody on the way keeps what is told. Source: apiserver, pkg/endpoints/filters/cachecontrol.go. */
const UNKEPT = { 'header cache-control': 'no-cache, private' };
const failed = (
  [status, reason, message]: readonly [status: number, reason: string, message: string],
  details: Readonly<Record<string, string>>,
): Saying['wanted'] => ({
  status,
  says: {
    ...UNKEPT,
    status: 'Failure',
    reason,
    message,
    code: String(status),
    ...Object.fromEntries(Object.entries(details).map(([key, value]) => [`details.${key}`, value])),
  },
});
const deletion = (path: string, query: Question['query'] = {}): Question => ({
  method: 'DELETE',
  path,
  query: { ...DRY, ...query },
});
const requests = (name: string): string => pathOf(resources.certificateSigningRequests, { name });
const STRANGER = 'jp-nobody';
const OF_SECRETS = 'Operation cannot be fulfilled on secrets';
const MODIFIED = 'the object has been modified; please apply your changes to the latest version and try again';
const OTHER_TYPE = 'Invalid value: "joinproof.invalid/other": field is immutable';
const MAY_NOT = `User "${STRANGER}" cannot get resource "secrets" in API group "" in the namespace "${DEFAULT}"`;
const GIVEN_UP = 'the export parameter, deprecated since v1.14, is no longer supported';

/** By what the features call them. Source: apimachinery, pkg/api/errors/errors.go. */
const REFUSED: Readonly<Record<string, Look>> = {
  'a look at a Secret that nobody has': ({ absent }) => ({
    question: { path: secretAt(absent) },
    wanted: failed([404, 'NotFound', `secrets "${absent}" not found`], { name: absent, group: '', kind: 'secrets' }),
  }),
  'a patch of a Secret that nobody has': ({ absent }) => ({
    question: triedPatch(secretAt(absent), 'merge', { metadata: { labels: { a: 'b' } } }),
    wanted: failed([404, 'NotFound', `secrets "${absent}" not found`], { name: absent, group: '', kind: 'secrets' }),
  }),
  'a deletion of a certificate request that nobody has': ({ absent }) => ({
    question: deletion(requests(absent)),
    wanted: failed([404, 'NotFound', `certificatesigningrequests.certificates.k8s.io "${absent}" not found`], {
      name: absent,
      group: 'certificates.k8s.io',
      kind: 'certificatesigningrequests',
    }),
  }),
  'a Secret that is there, made again': (there) => ({
    question: { method: 'POST', path: SECRETS, query: DRY, body: ownSecret(nameOf(there.secret)) },
    wanted: failed([409, 'AlreadyExists', `secrets "${nameOf(there.secret)}" already exists`], {
      name: nameOf(there.secret),
      group: '',
      kind: 'secrets',
    }),
  }),
  'a Secret that is being deleted, made again': (there) => ({
    question: { method: 'POST', path: SECRETS, query: DRY, body: ownSecret(nameOf(there.ending)) },
    wanted: failed(
      [409, 'AlreadyExists', `object is being deleted: secrets "${nameOf(there.ending)}" already exists`],
      { name: nameOf(there.ending), group: '', kind: 'secrets' },
    ),
  }),
  'a patch of another version of a Secret': (there) => ({
    question: triedPatch(secretAt(nameOf(there.secret)), 'merge', { metadata: { resourceVersion: '1' } }),
    wanted: failed([409, 'Conflict', `${OF_SECRETS} "${nameOf(there.secret)}": ${MODIFIED}`], {
      name: nameOf(there.secret),
      group: '',
      kind: 'secrets',
    }),
  }),
  'a Secret of another type than it was made of': (there) => ({
    question: triedPatch(secretAt(nameOf(there.secret)), 'merge', { type: 'joinproof.invalid/other' }),
    wanted: failed([422, 'Invalid', `Secret "${nameOf(there.secret)}" is invalid: type: ${OTHER_TYPE}`], {
      name: nameOf(there.secret),
      group: '',
      kind: 'Secret',
      'causes.0.reason': 'FieldValueInvalid',
      'causes.0.field': 'type',
    }),
  }),
  'a look by somebody who may not look': (there) => ({
    question: { path: secretAt(nameOf(there.secret)), headers: { 'Impersonate-User': STRANGER } },
    wanted: failed([403, 'Forbidden', `secrets "${nameOf(there.secret)}" is forbidden: ${MAY_NOT}`], {
      name: nameOf(there.secret),
      group: '',
      kind: 'secrets',
    }),
  }),
  'a look in a form that was given up': (there) => ({
    question: { path: secretAt(nameOf(there.secret)), query: { export: 'true' } },
    wanted: failed([400, 'BadRequest', GIVEN_UP], {}),
  }),
};

const done = (object: KubeObject, details: Readonly<Record<string, string>>): Saying['wanted'] => ({
  status: 200,
  says: {
    ...UNKEPT,
    status: 'Success',
    'details.name': nameOf(object),
    ...Object.fromEntries(Object.entries(details).map(([key, value]) => [`details.${key}`, value])),
    'details.uid': uidOf(object),
  },
});
const waits = (object: KubeObject, status: number): Saying['wanted'] => ({
  status,
  says: { kind: 'Secret', 'metadata.name': nameOf(object), 'metadata.uid': uidOf(object) },
});

/** All of them are only tried. Source: apiserver, pkg/endpoints/handlers/delete.go. */
const DELETED: Readonly<Record<string, Look>> = {
  'a deletion of a Secret': (there) => ({
    question: deletion(secretAt(nameOf(there.secret))),
    wanted: done(there.secret, { group: '', kind: 'secrets' }),
  }),
  'a deletion of a certificate request': (there) => ({
    question: deletion(requests(nameOf(there.request))),
    wanted: done(there.request, { group: 'certificates.k8s.io', kind: 'certificatesigningrequests' }),
  }),
  'a deletion of a Secret that is held': (there) => ({
    question: deletion(secretAt(nameOf(there.held))),
    wanted: waits(there.held, 200),
  }),
  'a deletion of a Secret that is held, which takes along what it owns': (there) => ({
    question: deletion(secretAt(nameOf(there.held)), { orphanDependents: 'false' }),
    wanted: waits(there.held, 202),
  }),
};

/** Of an account all is told. Source: pkg/registry/core/serviceaccount/storage ReturnDeletedObject. */
Then('who deletes an account is told all of it', WRITES, async function (this: World) {
  const path = pathOf(resources.serviceAccounts, { namespace: DEFAULT, name: 'default' });
  const says = { ...UNKEPT, kind: 'ServiceAccount', 'metadata.name': 'default', 'metadata.namespace': DEFAULT };
  const answer = await this.admin.ask(deletion(path));
  this.check(saysJustThat, [readSaying('a deletion of an account', { status: 200, says }, answer)]);
});

const asked = (world: World, table: DataTable, looks: Readonly<Record<string, Look>>) =>
  forEach(world, table.raw(), async ([what = '']) => {
    const look = looks[what] ?? world.unknown(`the steps know no request that is "${what}"`);
    const { question, wanted } = look(world.get(THERE));
    return readSaying(what, wanted, await world.admin.ask(question));
  });

Then('who is refused is told of what, and why:', WRITES, async function (this: World, table: DataTable) {
  this.check(saysJustThat, await asked(this, table, REFUSED));
});

Then('who deletes is told what has gone, or waits:', WRITES, async function (this: World, table: DataTable) {
  this.check(saysJustThat, await asked(this, table, DELETED));
});

const WARNED = '299 - "unknown field \\"metadata.joinproof\\""';
Then('who is refused is warned of what nobody knows, too', WRITES, async function (this: World) {
  const seen = await forEach(this, ['Opaque', ''], async (type) => {
    const body = ownSecret(type === '' ? 'JP-SECRET' : `jp-${this.random(10)}`, { joinproof: 'unknown' });
    const query = { ...DRY, fieldValidation: 'Warn' };
    const answer = await this.admin.ask({ method: 'POST', path: SECRETS, query, body });
    const subject = `a Secret of a field that nobody knows, and of a name ${type === '' ? 'in capitals' : 'in letters'}`;
    return readSaying(subject, { status: type === '' ? 422 : 201, says: { 'header warning': WARNED } }, answer);
  });
  this.check(saysJustThat, seen);
});

/** Source: pkg/registry/core/node/strategy.go fieldIsDeprecatedWarnings. */
Then('who writes what is given up is warned of it, and nobody else is', OURS, async function (this: World) {
  const seen = await forEach(this, ['jp-external', ''], async (externalID) => {
    const spec = externalID === '' ? {} : { externalID };
    const body = { apiVersion: 'v1', kind: 'Node', metadata: { name: `jp-${this.random(10)}` }, spec };
    const answer = await this.admin.ask({ method: 'POST', path: pathOf(resources.nodes), query: DRY, body });
    const warning = externalID === '' ? '' : `299 - "${EXTERNAL}"`;
    const subject = `a Node ${externalID === '' ? 'of no' : 'of a'} name that its cloud once had for it`;
    return readSaying(subject, { status: 201, says: { 'header warning': warning } }, answer);
  });
  this.check(saysJustThat, seen);
});
const EXTERNAL = 'spec.externalID: this field is deprecated, and is unused by Kubernetes';

/** Versions of a Secret, before it was changed and after. */
interface Versions {
  readonly name: string;
  readonly before: string;
  readonly now: string;
}
const VERSIONS = slot<Versions>('a Secret of two versions');

Given('a Secret of two versions', WRITES, async function (this: World) {
  const { metadata } = await this.writes.create<Secret>(resources.secrets, ownSecret(`jp-${this.random(10)}`));
  const { name = '', resourceVersion: before = '' } = metadata;
  await this.writes.patch(resources.secrets, name, DEFAULT, { metadata: { labels: { seen: 'yes' } } });
  const now = (await this.objects.get<Secret>(resources.secrets, name, DEFAULT))?.metadata.resourceVersion ?? '';
  this.put(VERSIONS, { name, before, now });
});

/** Later than what any cluster has come to, and yet a number of 63 bits. */
const LATER = String(2n ** 62n);
/** Later than what a cluster comes to in the 3 s that a list is waited for. Source: cacher, blockTimeout. */
const SOON = 1_000_000n;
const BAD = { status: 400, says: { reason: 'BadRequest' } };
const INVALID = { status: 422, says: { reason: 'Invalid' } };

type Query = Readonly<Record<string, string>>;
/** Lists by what the features call them. Source: apiserver, pkg/storage/cacher; apimachinery, validation.go. */
const LISTS: Readonly<Record<string, (versions: Versions, page: string) => readonly [Query, Saying['wanted']]>> = {
  'of a version that is still to come': () => [
    { resourceVersion: LATER },
    { status: 504, says: { reason: 'Timeout', 'details.causes.0.reason': 'ResourceVersionTooLarge' } },
  ],
  'of a version that is soon to come': ({ now }) => [
    { resourceVersion: String(BigInt(now) + SOON) },
    { status: 504, says: { reason: 'Timeout', 'details.causes.0.reason': 'ResourceVersionTooLarge' } },
  ],
  'of a next page and of a version': ({ now }, page) => [{ continue: page, resourceVersion: now, limit: '1' }, BAD],
  'of a next page that is none': () => [{ continue: 'joinproof' }, BAD],
  'of exactly a version that is none': () => [
    { resourceVersion: 'joinproof', resourceVersionMatch: 'Exact' },
    { status: 400, says: {} },
  ],
  'of exactly no version': () => [{ resourceVersionMatch: 'Exact' }, INVALID],
  'of exactly the version 0': () => [{ resourceVersion: '0', resourceVersionMatch: 'Exact' }, INVALID],
  'of a version that is met in another word': ({ now }) => [
    { resourceVersion: now, resourceVersionMatch: 'joinproof' },
    INVALID,
  ],
  'by a field that is none': () => [{ fieldSelector: 'data.joinproof=x' }, BAD],
  'by a selector that cannot be read': () => [{ labelSelector: 'a=b=c' }, BAD],
};

Then('a list is refused that is asked for:', WRITES, async function (this: World, table: DataTable) {
  const versions = this.get(VERSIONS);
  const first = await this.admin.ask({ path: pathOf(resources.configMaps), query: { limit: '1' } });
  const page = String(record(record(first.body).metadata).continue ?? '');
  const seen = await forEach(this, table.raw(), async ([what = '']) => {
    const [query, wanted] = (LISTS[what] ?? this.unknown(`the steps know no list ${what}`))(versions, page);
    const path = query.continue === page && page !== '' ? pathOf(resources.configMaps) : SECRETS;
    const isWanted = ({ status }: Answer): boolean => status === wanted.status;
    return readSaying(`a list ${what}`, wanted, await this.admin.ask({ path, query, expects: isWanted }));
  });
  this.check(saysJustThat, seen);
});

/** Source: apiserver, pkg/storage/cacher/delegator.go; what is held is told at once, and not page by page. */
Then('a list of any version is told at once, however few are asked for', WRITES, async function (this: World) {
  const path = pathOf(resources.configMaps);
  const answer = await this.admin.ask({ path, query: { resourceVersion: '0', limit: '1' } });
  const { items, metadata } = record(answer.body);
  const told = records(items).length > 1 ? 'several' : 'one at most';
  const wanted = { status: 200, says: { items: 'several', continue: '' } };
  const body = { items: told, continue: record(metadata).continue };
  this.check(saysJustThat, [readSaying('a list of any version, of one', wanted, { ...answer, body })]);
});

Then('a list holds the Secret as it was or is:', WRITES, async function (this: World, table: DataTable) {
  const versions = this.get(VERSIONS);
  const numbers: Readonly<Record<string, string>> = { before: versions.before, now: versions.now };
  const seen = await forEach(this, table.hashes(), async ({ match = '', version = '', holds = '' }) => {
    const resourceVersion = numbers[version] ?? this.unknown(`the steps know no version ${version}`);
    const query = {
      fieldSelector: `metadata.name=${versions.name}`,
      resourceVersion,
      ...(match === '' ? {} : { resourceVersionMatch: match }),
    };
    const answer = await this.admin.ask({ path: SECRETS, query });
    const wanted = { status: 200, says: { version: holds } };
    const is = record(record(records(record(answer.body).items)[0]).metadata).resourceVersion;
    const told = ['before', 'now'].find((one) => numbers[one] === is);
    const subject = `the Secret, in a list of its version ${version}, ${match || 'however that is met'}`;
    return readSaying(subject, wanted, { ...answer, body: { version: told } });
  });
  this.check(saysJustThat, seen);
});

/** By what the features call them: each names a manager of its own, or is named by its user agent. */
const MANAGERS: Readonly<
  Record<
    string,
    (there: Managed) => readonly [Question, Readonly<Record<'manager' | 'operation' | 'subresource', string>>]
  >
> = {
  'a patch in a name': ({ path }) => [
    { ...triedPatch(path, 'merge', LABELLED), query: { ...DRY, fieldManager: 'jp-named' } },
    { manager: 'jp-named', operation: 'Update', subresource: '' },
  ],
  'a patch of a client': ({ path }) => [
    { ...triedPatch(path, 'merge', LABELLED), headers: { 'user-agent': 'jp-agent/1.0 (linux/amd64) kubernetes/0' } },
    { manager: 'jp-agent', operation: 'Update', subresource: '' },
  ],
  'a patch of its status': ({ path }) => [
    { ...triedPatch(`${path}/status`, 'merge', REPORTED), query: { ...DRY, fieldManager: 'jp-kubelet' } },
    { manager: 'jp-kubelet', operation: 'Update', subresource: 'status' },
  ],
  'an apply': ({ path, kind }) => [
    {
      ...triedPatch(path, 'apply', JSON.stringify({ ...kind, ...LABELLED })),
      query: { ...DRY, fieldManager: 'jp-named' },
    },
    { manager: 'jp-named', operation: 'Apply', subresource: '' },
  ],
  'an apply of its status': ({ path, kind }) => [
    {
      ...triedPatch(`${path}/status`, 'apply', JSON.stringify({ ...kind, ...REPORTED })),
      query: { ...DRY, fieldManager: 'jp-kubelet' },
    },
    { manager: 'jp-kubelet', operation: 'Apply', subresource: 'status' },
  ],
};
const LABELLED = { metadata: { labels: { 'joinproof.invalid/seen': 'yes' } } };
const REPORTED = { status: { conditions: [{ type: 'joinproof.invalid/seen', status: 'True' }] } };
interface Managed {
  readonly path: string;
  readonly kind: object;
}
const MANAGED = slot<Managed>('a Pod that somebody keeps');

Given('a Pod that somebody keeps', WRITES, async function (this: World) {
  const pod = podObject(this, `jp-${this.random(10)}`);
  const { metadata } = await this.writes.create<KubeObject>(resources.pods, pod);
  const path = pathOf(resources.pods, { namespace: DEFAULT, name: metadata.name ?? '' });
  this.put(MANAGED, { path, kind: { apiVersion: 'v1', kind: 'Pod' } });
});

Then('these are held to be of who wrote them:', WRITES, async function (this: World, table: DataTable) {
  const seen = await forEach(this, table.raw(), async ([what = '']) => {
    const [question, says] = (MANAGERS[what] ?? this.unknown(`the steps know no "${what}"`))(this.get(MANAGED));
    const answer = await this.admin.ask(question);
    const entries = records(record(record(answer.body).metadata).managedFields);
    const entry = entries.find(({ manager }) => manager === says.manager);
    return readSaying(`the manager of ${what}`, { status: 200, says }, { ...answer, body: entry });
  });
  this.check(saysJustThat, seen);
});

/** Source: apimachinery, pkg/util/managedfields/internal/structuredmerge.go Apply. */
Then('an apply that says itself who keeps what is refused', WRITES, async function (this: World) {
  const { path, kind } = this.get(MANAGED);
  const managedFields = [{ manager: 'jp-other', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1' }];
  const body = { ...kind, metadata: { ...LABELLED.metadata, managedFields } };
  const question = { ...triedPatch(path, 'apply', JSON.stringify(body)), query: { ...DRY, fieldManager: 'jp-named' } };
  const wanted = { status: 400, says: { reason: 'BadRequest' } };
  this.check(saysJustThat, [readSaying('an apply that names managers', wanted, await this.admin.ask(question))]);
});
