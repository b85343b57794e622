/** Sentences about what an API server makes of what is sent: how it completes it, and what does not fit. */
import { readSaying, type Saying, saysJustThat } from '../../src/checks/common/sayings.js';
import { base64, record } from '../../src/kubernetes/json.js';
import { GROUP_AUTHENTICATED, GROUP_MASTERS, GROUP_UNAUTHENTICATED } from '../../src/kubernetes/names.js';
import type { KubeObject } from '../../src/kubernetes/objects.js';
import { noContainer } from '../../src/kubernetes/own-objects.js';
import { PATCH_TYPES } from '../../src/kubernetes/patch-types.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Then } from '../../src/run/define.js';
import { certificateRequest } from '../../src/run/making.js';
import type { World } from '../../src/run/world.js';
import type { Question } from '../../src/targets/types.js';
import { forEach } from '../common/each.js';
import { accessReview } from '../common/login.js';
import { podObject } from '../common/node-client.js';
import { DEFAULT, ownSecret, SECRETS, secretAt } from '../common/secrets.js';
import { DRY } from '../common/trials.js';

/** Nobody is to need the right to make all of these for being judged. All of them are only tried. */
const OURS = { needs: ['writes', 'requests', 'ours'] } as const;

type Says = Readonly<Record<string, string>>;
interface Sent {
  readonly question: Question;
  readonly says: Says;
  /** 201 where nothing is said. */
  readonly status?: number;
}
/** `name`: of nothing that is there. */
type Sending = (world: World, name: string) => Sent;

const tried = (path: string, object: object, says: Says): Sent => ({
  question: { method: 'POST', path, query: DRY, body: { apiVersion: 'v1', ...object } },
  says,
});
const NAMESPACES = pathOf(resources.namespaces);
const ACCOUNTS = pathOf(resources.serviceAccounts, { namespace: DEFAULT });
const NODES = pathOf(resources.nodes);
const PODS = pathOf(resources.pods, { namespace: DEFAULT });
const LEASES = pathOf(resources.leases, { namespace: DEFAULT });
const EVENTS = pathOf(resources.events, { namespace: DEFAULT });
const CSI_NODES = '/apis/storage.k8s.io/v1/csinodes';
const WHERE_TOKENS_ARE = '/var/run/secrets/kubernetes.io/serviceaccount';
const FINALIZER = 'joinproof.invalid/held';

/** A Pod of one container; both with more than it needs. */
function podWith(world: World, inContainer: object, inPod: object = {}): KubeObject {
  const pod = podObject(world, 'jp-node');
  const { containers = [], ...spec } = record(pod.spec) as { readonly containers?: readonly object[] };
  return { ...pod, spec: { ...spec, containers: containers.map((one) => ({ ...one, ...inContainer })), ...inPod } };
}
const qualityOf =
  (resourcesOfIt: object, status: string): Sending =>
  (world) =>
    tried(PODS, podWith(world, { resources: resourcesOfIt }), { 'status.qosClass': status, 'status.phase': 'Pending' });

/** By what the features call it. Source: pkg/apis/core/v1/defaults.go; the strategies of pkg/registry/core. */
const COMPLETED: Readonly<Record<string, Sending>> = {
  'a namespace with a finalizer': (_world, name) =>
    tried(
      NAMESPACES,
      { kind: 'Namespace', metadata: { name }, spec: { finalizers: [FINALIZER] } },
      { 'spec.finalizers': JSON.stringify([FINALIZER, 'kubernetes']), 'status.phase': 'Active' },
    ),
  'an account that says more than names of its Secrets': (_world, name) =>
    tried(
      ACCOUNTS,
      { kind: 'ServiceAccount', metadata: { name }, secrets: [{ name: 'jp-secret', namespace: 'kube-system' }] },
      { secrets: JSON.stringify([{ name: 'jp-secret' }]) },
    ),
  'a Node that says what its machine has': (_world, name) =>
    tried(
      NODES,
      { kind: 'Node', metadata: { name }, status: { capacity: { cpu: '2' } } },
      { 'status.capacity': '{"cpu":"2"}', 'status.allocatable': '{"cpu":"2"}' },
    ),
  'a Pod of limits': (world) =>
    tried(PODS, podWith(world, { resources: { limits: { cpu: '1', memory: '1Gi' } } }), {
      'spec.containers.0.resources.requests': '{"cpu":"1","memory":"1Gi"}',
      'status.qosClass': 'Guaranteed',
    }),
  'a Pod of one limit': qualityOf({ limits: { cpu: '1' } }, 'Burstable'),
  'a Pod of a request': qualityOf({ requests: { cpu: '1' } }, 'Burstable'),
  'a Pod of no limits': qualityOf({}, 'BestEffort'),
  'a Pod that mounts what it has where tokens are': (world) => {
    const mounted = { volumeMounts: [{ name: 'own', mountPath: WHERE_TOKENS_ARE }] };
    const own = { automountServiceAccountToken: true, volumes: [{ name: 'own', emptyDir: {} }] };
    return tried(PODS, podWith(world, mounted, own), {
      'spec.serviceAccountName': 'default',
      'spec.containers.0.volumeMounts.0.name': 'own',
      'spec.containers.0.volumeMounts.1': '',
      'spec.volumes.1': '',
    });
  },
  'a Pod that mounts something elsewhere': (world) => {
    const mounted = { volumeMounts: [{ name: 'own', mountPath: '/joinproof' }] };
    const own = { automountServiceAccountToken: true, volumes: [{ name: 'own', emptyDir: {} }] };
    return tried(PODS, podWith(world, mounted, own), {
      'spec.containers.0.volumeMounts.0.name': 'own',
      'spec.containers.0.volumeMounts.1.mountPath': WHERE_TOKENS_ARE,
      'spec.containers.0.volumeMounts.2': '',
    });
  },
  'a Pod with an init container': (world) => {
    const own = { automountServiceAccountToken: true, initContainers: [noContainer('first')] };
    return tried(PODS, podWith(world, {}, own), {
      'spec.initContainers.0.volumeMounts.0.mountPath': WHERE_TOKENS_ARE,
      'spec.containers.0.volumeMounts.0.mountPath': WHERE_TOKENS_ARE,
    });
  },
  'a Pod that is let onto Nodes that are not ready': (world) => {
    const own = { key: NOT_READY, operator: 'Exists', effect: 'NoSchedule' };
    const added = ['not-ready', 'unreachable'].map((key) => ({
      key: `node.kubernetes.io/${key}`,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: 300,
    }));
    return tried(PODS, podWith(world, {}, { tolerations: [own] }), {
      'spec.tolerations.0.effect': 'NoSchedule',
      'spec.tolerations.1': JSON.stringify(added[0]),
      'spec.tolerations.2': JSON.stringify(added[1]),
    });
  },
  'a Secret whose data stand in lines': (_world, name) => {
    const data = base64('made by joinproof');
    return tried(SECRETS, ownSecret(name, {}, { data: { text: `${data.slice(0, 4)}\n${data.slice(4)}` } }), {
      'data.text': data,
    });
  },
  'a Lease that was renewed within a second': (_world, name) =>
    tried(
      LEASES,
      {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name },
        spec: { renewTime: '2026-01-02T03:04:05.678901Z' },
      },
      { 'spec.renewTime': '2026-01-02T03:04:05.678901Z' },
    ),
};

/** Who asks for a certificate is written down by the API server. Source: pkg/registry/certificates/certificates/strategy.go. */
const asSomebody = (name: string, groups: readonly string[], says: Says): Sent => {
  const { question, ...rest } = tried(
    pathOf(resources.certificateSigningRequests),
    certificateRequest(name, {
      subject: [['CN', name]],
      signerName: 'joinproof.invalid/nobody',
      usages: ['client auth'],
    }),
    { 'spec.username': 'jp-somebody', ...says },
  );
  const headers = {
    'Impersonate-User': 'jp-somebody',
    'Impersonate-Group': groups,
    'Impersonate-Uid': '77',
    'Impersonate-Extra-One': ['a', 'b'],
    'Impersonate-Extra-Two': 'c',
  };
  return { question: { ...question, headers }, ...rest };
};

/** Besides what is made: what is applied, what is put in a place of its own, and what is listed. */
const COMPLETED_OTHERWISE: Readonly<Record<string, Sending>> = {
  'a Secret that is applied': (_world, name) =>
    patched(secretAt(name), 'apply', ownSecret(name), { kind: 'Secret', 'metadata.name': name }),
  'a Node that is closed to what runs on it': (_world, name) =>
    tried(
      NODES,
      { kind: 'Node', metadata: { name }, spec: { taints: [{ key: NOT_READY, effect: 'NoExecute' }] } },
      { 'spec.taints': JSON.stringify(['NoExecute', 'NoSchedule'].map((effect) => ({ key: NOT_READY, effect }))) },
    ),
  'a namespace whose finalizers are put with another phase': () => ({
    question: {
      method: 'PUT',
      path: pathOf(resources.namespaces, { name: DEFAULT, subresource: 'finalize' }),
      query: DRY,
      body: {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: DEFAULT },
        spec: { finalizers: ['kubernetes'] },
        status: { phase: 'Terminating' },
      },
    },
    says: { 'spec.finalizers': '["kubernetes"]', 'status.phase': 'Active' },
    status: 200,
  }),
  'a request of somebody of whom much is known': (_world, name) =>
    asSomebody(name, ['jp-team', GROUP_MASTERS], {
      'spec.uid': '77',
      'spec.groups': JSON.stringify(['jp-team', GROUP_MASTERS, GROUP_AUTHENTICATED]),
      'spec.extra': '{"one":["a","b"],"two":["c"]}',
    }),
  'a request of somebody among those who are not known': (_world, name) =>
    asSomebody(name, [GROUP_MASTERS, GROUP_UNAUTHENTICATED], {
      'spec.groups': JSON.stringify([GROUP_MASTERS, GROUP_UNAUTHENTICATED]),
    }),
  'a list by a name in capitals': () => ({
    ...asked(
      pathOf(resources.configMaps, { namespace: 'kube-system' }),
      { fieldSelector: 'metadata.name=KUBE-ROOT-CA.CRT' },
      { kind: 'ConfigMapList', items: '[]' },
    ),
    status: 200,
  }),
  'a Secret of a field that nobody knows': (_world, name) =>
    tried(SECRETS, ownSecret(name, {}, { joinproof: 'unknown' }), {
      'header warning': '299 - "unknown field \\"joinproof\\""',
    }),
  'a patch of a field that nobody knows': () => ({
    ...patched(
      pathOf(resources.namespaces, { name: DEFAULT }),
      'merge',
      { joinproof: 'unknown' },
      { kind: 'Namespace', joinproof: '', 'header warning': '299 - "unknown field \\"joinproof\\""' },
    ),
    status: 200,
  }),
  'a list of roles of all namespaces by a namespace': () => ({
    ...asked(pathOf(resources.clusterRoles), { fieldSelector: `metadata.namespace=${DEFAULT}` }, { items: '[]' }),
    status: 200,
  }),
};
const NOT_READY = 'node.kubernetes.io/not-ready';

const failed = (reason: string, more: Says = {}): Says => ({ kind: 'Status', reason, ...more });
const wrong = (field: string): Says => failed('Invalid', { 'details.causes.0.field': field });
const asked = (path: string, query: Readonly<Record<string, string>>, says: Says): Sent => ({
  question: { path, query },
  says,
});
const patched = (path: string, kind: keyof typeof PATCH_TYPES, body: unknown, says: Says): Sent => ({
  question: {
    method: 'PATCH',
    path,
    query: { ...DRY, ...(kind === 'apply' ? { fieldManager: 'joinproof' } : {}) },
    contentType: PATCH_TYPES[kind],
    body: kind === 'apply' ? JSON.stringify(body) : body,
  },
  says,
});
const event = (name: string, involvedObject: object): object => ({
  kind: 'Event',
  metadata: { name },
  involvedObject: { kind: 'Secret', name, ...involvedObject },
  reason: 'Joinproof',
  type: 'Normal',
});
const DRIVER = { name: 'joinproof.invalid', nodeID: 'jp-node' };
const LATER = String(2n ** 62n);
const NO_UID = '00000000-0000-4000-8000-000000000000';

/** By what the features call it. Source: pkg/apis/core/validation, pkg/apis/storage/validation and others, apiserver. */
const REFUSED: Readonly<Record<string, readonly [status: number, sent: Sending]>> = {
  'a Lease of no version, put in the place of another': [
    422,
    (_world, name) => ({
      question: {
        method: 'PUT',
        path: pathOf(resources.leases, { namespace: 'kube-system', name: 'kube-controller-manager' }),
        query: DRY,
        body: {
          apiVersion: 'coordination.k8s.io/v1',
          kind: 'Lease',
          metadata: { name: 'kube-controller-manager' },
          spec: { holderIdentity: name },
        },
      },
      says: wrong('metadata.resourceVersion'),
    }),
  ],
  'a CSINode of one driver twice': [
    422,
    (_world, name) =>
      tried(
        CSI_NODES,
        { apiVersion: 'storage.k8s.io/v1', kind: 'CSINode', metadata: { name }, spec: { drivers: [DRIVER, DRIVER] } },
        wrong('spec.drivers[1].name'),
      ),
  ],
  'an Event about a Secret of another namespace': [
    422,
    (_world, name) => tried(EVENTS, event(name, { namespace: 'kube-system' }), wrong('involvedObject.namespace')),
  ],
  'an Event about a Node, in kube-public': [
    422,
    (_world, name) =>
      tried(
        pathOf(resources.events, { namespace: 'kube-public' }),
        event(name, { kind: 'Node' }),
        wrong('involvedObject.namespace'),
      ),
  ],
  'a token of an account for no seconds': [
    422,
    () => ({
      question: {
        method: 'POST',
        path: `${ACCOUNTS}/default/token`,
        query: DRY,
        body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 0 } },
      },
      says: wrong('spec.expirationSeconds'),
    }),
  ],
  'a JSON patch of 10001 operations': [
    413,
    () => {
      const operation = { op: 'test', path: '/kind', value: 'ConfigMap' };
      const path = pathOf(resources.configMaps, { namespace: 'kube-system', name: 'kube-root-ca.crt' });
      return patched(path, 'json', Array.from({ length: 10_001 }).fill(operation), failed('RequestEntityTooLarge'));
    },
  ],
  'an apply of a UID that nobody has': [
    409,
    (_world, name) => {
      const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name, uid: NO_UID } };
      return patched(secretAt(name), 'apply', secret, failed('Conflict', { 'details.name': name }));
    },
  ],
  'a look at a version that is still to come': [
    504,
    () =>
      asked(
        pathOf(resources.configMaps, { namespace: 'kube-system', name: 'kube-root-ca.crt' }),
        { resourceVersion: LATER },
        failed('Timeout', { 'header retry-after': '1' }),
      ),
  ],
  'a Pod of an account that nobody has': [
    403,
    (world) =>
      tried(
        PODS,
        podWith(world, {}, { serviceAccountName: 'jp-absent' }),
        failed('Forbidden', { 'details.kind': 'pods' }),
      ),
  ],
  'a Pod that says itself how urgent it is': [
    403,
    (world) => tried(PODS, podWith(world, {}, { priority: 1000 }), failed('Forbidden', { 'details.kind': 'pods' })),
  ],
  'a Secret of no name, put in the place of one': [
    400,
    (_world, name) => ({
      question: { method: 'PUT', path: secretAt(name), query: DRY, body: { apiVersion: 'v1', kind: 'Secret' } },
      says: failed('BadRequest', {
        message: `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
      }),
    }),
  ],
  'a list of Leases by what they hold': [
    400,
    () => asked(LEASES, { fieldSelector: 'spec.holderIdentity=jp-node' }, failed('BadRequest')),
  ],
  'a list that is to begin with what is there': [
    422,
    () => asked(SECRETS, { sendInitialEvents: 'true' }, wrong('sendInitialEvents')),
  ],
  'a review by a label that is there, with values': [
    422,
    () =>
      byLabels(
        { requirements: [{ key: 'a', operator: 'Exists', values: ['b'] }] },
        wrong(`${SELECTOR}.requirements[0].values`),
      ),
  ],
  'a review by labels that are written in two ways': [
    422,
    () =>
      byLabels(
        { rawSelector: 'a', requirements: [{ key: 'a', operator: 'Exists' }] },
        wrong(`${SELECTOR}.rawSelector`),
      ),
  ],
  'a list by a number that is a word': [400, () => asked(SECRETS, { labelSelector: 'a>b' }, failed('BadRequest'))],
  'a Secret of another namespace, put into the place of one': [
    400,
    (_world, name) => ({
      question: {
        method: 'PUT',
        path: secretAt(name),
        query: DRY,
        body: { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'kube-public' } },
      },
      says: failed('BadRequest'),
    }),
  ],
  'a status of a namespace, of a version of long ago': [
    409,
    () => ({
      question: {
        method: 'PUT',
        path: pathOf(resources.namespaces, { name: DEFAULT, subresource: 'status' }),
        query: DRY,
        body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: DEFAULT, resourceVersion: '1' } },
      },
      says: failed('Conflict', { 'details.name': DEFAULT }),
    }),
  ],
  'a patch that says one thing twice, where that is refused': [
    422,
    () => {
      const path = pathOf(resources.namespaces, { name: DEFAULT });
      const { question, says } = patched(path, 'merge', '{"metadata":{"labels":{"jp":"a","jp":"b"}}}', wrong('patch'));
      return { question: { ...question, query: { ...DRY, fieldValidation: 'Strict' } }, says };
    },
  ],
  'a list within a time that is none': [400, () => asked(SECRETS, { timeout: 'joinproof' }, failed('BadRequest'))],
  'a namespace that is said to end': [
    422,
    () =>
      patched(
        pathOf(resources.namespaces, { name: DEFAULT, subresource: 'status' }),
        'merge',
        { status: { phase: 'Terminating' } },
        wrong('status.Phase'),
      ),
  ],
  'a list by a field of an escape that is none': [
    400,
    () => asked(SECRETS, { fieldSelector: 'metadata.name=a\\b' }, failed('BadRequest')),
  ],
};

/** A review of who reads Secrets by labels. */
const byLabels = (labelSelector: object, says: Says): Sent => ({
  question: accessReview({
    user: 'jp-nobody',
    resourceAttributes: { verb: 'list', resource: 'secrets', labelSelector },
  }),
  says,
});
const SELECTOR = 'spec.resourceAttributes.labelSelector';
const look = async (world: World, what: string, usual: number, sending: Sending): Promise<Saying> => {
  const { question, says, status = usual } = sending(world, `jp-${world.random(10)}`);
  const expects = ({ status: is }: { readonly status: number }): boolean => is === status;
  return readSaying(what, { status, says }, await world.admin.ask({ ...question, expects }));
};

Then('of these is made what they are meant to be:', OURS, async function (this: World, table: DataTable) {
  const seen = await forEach(this, table.raw(), ([what = '']) =>
    look(
      this,
      what,
      201,
      COMPLETED[what] ?? COMPLETED_OTHERWISE[what] ?? this.unknown(`the steps know nothing that is "${what}"`),
    ),
  );
  this.check(saysJustThat, seen);
});

Then('these are refused, each for what is wrong with it:', OURS, async function (this: World, table: DataTable) {
  const seen = await forEach(this, table.raw(), ([what = '']) => {
    const [status, sending] = REFUSED[what] ?? this.unknown(`the steps know nothing that is "${what}"`);
    return look(this, what, status, sending);
  });
  this.check(saysJustThat, seen);
});

/** Source: plugin/pkg/admission/serviceaccount/admission.go Admit. */
Then('a Pod pulls images by the Secrets of its account, unless it has its own', OURS, async function (this: World) {
  const name = `jp-${this.random(10)}`;
  const account = {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name, namespace: DEFAULT },
    imagePullSecrets: [{ name: 'jp-of-account' }],
  };
  await this.writes.create<KubeObject>(resources.serviceAccounts, account);
  const seen: Saying[] = [];
  for (const [what, own, pulls] of [
    ['of its own', { imagePullSecrets: [{ name: 'jp-own' }] }, 'jp-own'],
    ['of its account', {}, 'jp-of-account'],
  ] as const) {
    const says = { 'spec.imagePullSecrets': JSON.stringify([{ name: pulls }]) };
    const sending: Sending = (world) => tried(PODS, podWith(world, {}, { serviceAccountName: name, ...own }), says);
    seen.push(await look(this, `a Pod that pulls images by a Secret ${what}`, 201, sending));
  }
  this.check(saysJustThat, seen);
});
