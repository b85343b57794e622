/** Defects of what an API server makes of what is sent. */
import { list, record, records, text } from '../kubernetes/json.js';
import { GROUP_AUTHENTICATED } from '../kubernetes/names.js';
import { ANY, answering, eachOf, type Fields, isTried, SECRETS, saying } from './answer-hooks.js';
import type { Asked, Mutant } from './types.js';

/** Whether it answers to what is made of that resource, and only tried. */
const isMade = (asked: Asked, resource: string): boolean =>
  asked.method === 'POST' && isTried(asked) && asked.path.endsWith(`/${resource}`);

/** Of what is made of that resource it says something else. */
const made = (name: string, defect: string, resource: string, change: (body: Fields) => Fields): Mutant =>
  saying(name, defect, ['P-566'], (body, asked) =>
    isMade(asked, resource) && body.kind !== 'Status' ? change(body) : undefined,
  );
const within = (body: Fields, key: string, change: Fields): Fields => ({
  ...body,
  [key]: { ...record(body[key]), ...change },
});

/** Such requests are let through that are refused, and answered with something of that version and kind. */
const letThrough = (
  name: string,
  defect: string,
  [apiVersion, kind]: readonly [apiVersion: string, kind: string],
  isOne: (asked: Asked) => boolean,
): Mutant => ({
  name,
  defect,
  killedBy: ['P-567'],
  gateway: {
    after: (asked, { status }) =>
      isOne(asked) && status >= 400
        ? { status: asked.method === 'POST' ? 201 : 200, body: { apiVersion, kind, ...of(asked) } }
        : undefined,
  },
});
const of = ({ method, path }: Asked): Fields =>
  method === 'GET' && path.endsWith('s')
    ? { metadata: { name: 'jp-any' }, items: [] }
    : { metadata: { name: path.split('/').at(-1), namespace: /\/namespaces\/([^/]+)\//.exec(path)?.[1] } };
const CSRS = 'certificatesigningrequests';
const AT_SYSTEM = '/api/v1/namespaces/kube-system/configmaps/kube-root-ca.crt';

export const mutants: readonly Mutant[] = [
  made('namespaces-lose-finalizers', 'a namespace has no finalizer but its own', 'namespaces', (body) =>
    within(body, 'spec', { finalizers: ['kubernetes'] }),
  ),
  made('accounts-keep-all-of-secrets', 'an account keeps what is said of its Secrets', 'serviceaccounts', (body) =>
    eachOf(body, 'secrets', (secret) => ({ ...secret, namespace: 'kube-system' })),
  ),
  made('machines-have-nothing', 'of what a machine has nothing is there to be used', 'nodes', (body) =>
    within(body, 'status', { allocatable: undefined }),
  ),
  made('limits-are-no-requests', 'a Pod asks for nothing of what it is limited to', 'pods', (body) =>
    within(body, 'spec', {
      containers: [{ ...record([record(body.spec).containers].flat()[0]), resources: undefined }],
    }),
  ),
  ...(['Guaranteed', 'Burstable', 'BestEffort'] as const).map((quality) =>
    made(`pods-are-${quality.toLowerCase()}`, `every Pod is ${quality}`, 'pods', (body) =>
      within(body, 'status', { qosClass: quality }),
    ),
  ),
  made('tokens-are-mounted-twice', 'a token is mounted where something else is', 'pods', (body) => {
    const container = record([record(body.spec).containers].flat()[0]);
    const volumeMounts = [container.volumeMounts ?? [], { name: 'token' }].flat();
    return within(body, 'spec', { containers: [{ ...container, volumeMounts }] });
  }),
  made('tokens-are-mounted-alone', 'no token is mounted beside something else', 'pods', (body) => {
    const container = record([record(body.spec).containers].flat()[0]);
    const volumeMounts = records(container.volumeMounts).filter(({ name }) => name === 'own');
    return within(body, 'spec', { containers: [{ ...container, volumeMounts }] });
  }),
  made('tolerations-are-of-any-effect', 'what is let onto a Node may stay there for good', 'pods', (body) =>
    within(body, 'spec', {
      tolerations: records(record(body.spec).tolerations).filter(
        ({ key }, index, all) => all.findIndex((one) => one.key === key) === index,
      ),
    }),
  ),
  made('lines-stay', 'data are kept in the lines that they were sent in', 'secrets', (body) =>
    within(body, 'data', { text: text(record(body.data).text).replace(/^(.{4})/, '$1\n') }),
  ),
  made('renewals-to-a-millisecond', 'a Lease says to a millisecond when it was renewed', 'leases', (body) =>
    within(body, 'spec', { renewTime: text(record(body.spec).renewTime).replace(/\d{3}Z$/, 'Z') }),
  ),
  answering(
    'applies-change-what-is-there',
    'nobody is told that an apply has made something',
    ['P-566'],
    [
      (asked) => asked.method === 'PATCH' && isTried(asked) && asked.path.startsWith(`${SECRETS}/jp-`),
      201,
      { status: 200, body: ANY },
    ],
  ),
  made('closed-nodes-take-pods', 'a Node that nothing runs on is open to Pods', 'nodes', (body) =>
    within(body, 'spec', { taints: records(record(body.spec).taints).filter(({ effect }) => effect === 'NoExecute') }),
  ),
  saying(
    'finalizers-come-with-a-phase',
    'who puts finalizers of a namespace says its phase',
    ['P-566'],
    (body, { path }) => (path.endsWith('/finalize') ? within(body, 'status', { phase: 'Terminating' }) : undefined),
  ),
  saying('roles-are-of-every-namespace', 'roles of all namespaces are of each of them', ['P-566'], (body, asked) =>
    asked.path.endsWith('/clusterroles') && asked.query.has('fieldSelector')
      ? { ...body, items: [{ metadata: { name: 'jp-role' } }] }
      : undefined,
  ),
  ...(['own', 'of-account'] as const).map((whose) =>
    made(
      `pods-pull-by-what-is-${whose}`,
      `a Pod pulls images by what is ${whose}, whatever else it has`,
      'pods',
      (body) =>
        record(body.spec).imagePullSecrets === undefined
          ? body
          : within(body, 'spec', { imagePullSecrets: [{ name: `jp-${whose}` }] }),
    ),
  ),
  made('tokens-come-after-init', 'an init container is given no token', 'pods', (body) =>
    within(body, 'spec', { initContainers: [{ name: 'first' }] }),
  ),
  made('tokens-come-with-init', 'a container is given no token beside an init container', 'pods', (body) =>
    record(body.spec).initContainers === undefined ? body : within(body, 'spec', { containers: [{ name: 'only' }] }),
  ),
  saying(
    'names-in-any-case',
    'a list by a name holds what is of that name in any case',
    ['P-566'],
    (body, { query }) =>
      query.get('fieldSelector') === 'metadata.name=KUBE-ROOT-CA.CRT'
        ? { ...body, items: [{ metadata: { name: 'kube-root-ca.crt' } }] }
        : undefined,
  ),
  {
    name: 'nobody-is-warned-of-fields',
    defect: 'what nobody knows is passed over without a word',
    killedBy: ['P-566'],
    gateway: {
      after: (asked, { status, body }) =>
        isTried(asked) && (status === 200 || status === 201) ? { status, body, headers: {} } : undefined,
    },
  },
  letThrough(
    'secrets-of-other-places',
    'a Secret of another namespace takes the place of one',
    ['v1', 'Secret'],
    ({ method, path }) => method === 'PUT' && path.startsWith(`${SECRETS}/jp-`),
  ),
  letThrough(
    'statuses-of-any-version',
    'a status is written over whatever it is of',
    ['v1', 'Namespace'],
    ({ method, path }) => method === 'PUT' && path === '/api/v1/namespaces/default/status',
  ),
  letThrough(
    'patches-say-things-twice',
    'of what a patch says twice the last is taken, though that is to be refused',
    ['v1', 'Namespace'],
    ({ method, path, query }) =>
      method === 'PATCH' && path === '/api/v1/namespaces/default' && query.get('fieldValidation') === 'Strict',
  ),
  made('requesters-of-one-key', 'of what is known of who asks one key is written down', CSRS, (body) =>
    within(body, 'spec', { extra: Object.fromEntries(Object.entries(record(record(body.spec).extra)).slice(0, 1)) }),
  ),
  made('requesters-all-logged-in', 'whoever asks for a certificate is said to have logged in', CSRS, (body) =>
    within(body, 'spec', {
      groups: [...list(record(body.spec).groups).filter((one) => one !== GROUP_AUTHENTICATED), GROUP_AUTHENTICATED],
    }),
  ),
  letThrough(
    'namespaces-end-by-saying',
    'a namespace ends for who says so in its status',
    ['v1', 'Namespace'],
    ({ method, path }) => method === 'PATCH' && path === '/api/v1/namespaces/default/status',
  ),
  letThrough(
    'times-of-any-words',
    'a time that nobody can read is any',
    ['v1', 'SecretList'],
    ({ path, query }) => path.endsWith('/secrets') && query.has('timeout'),
  ),
  letThrough(
    'leases-of-no-version',
    'a Lease takes the place of any',
    ['coordination.k8s.io/v1', 'Lease'],
    ({ method, path }) => method === 'PUT' && path.includes('/leases/'),
  ),
  letThrough(
    'secrets-of-no-name',
    'a Secret of no name takes the place of any',
    ['v1', 'Secret'],
    ({ method, path }) => method === 'PUT' && path.includes('/secrets/'),
  ),
  letThrough('pods-of-any-account', 'a Pod is of an account that nobody has', ['v1', 'Pod'], (asked) =>
    isMade(asked, 'pods'),
  ),
  letThrough(
    'leases-by-any-field',
    'Leases are listed by whatever they hold',
    ['coordination.k8s.io/v1', 'LeaseList'],
    ({ method, path }) => method === 'GET' && path.endsWith('/leases'),
  ),
  letThrough(
    'reviews-by-any-labels',
    'a review passes over labels that it cannot understand',
    ['authorization.k8s.io/v1', 'SubjectAccessReview'],
    ({ method, path }) => method === 'POST' && path.endsWith('/subjectaccessreviews'),
  ),
  letThrough('drivers-come-twice', 'a CSINode has a driver twice', ['storage.k8s.io/v1', 'CSINode'], (asked) =>
    isMade(asked, 'csinodes'),
  ),
  letThrough('events-are-anywhere', 'an Event is wherever it was sent', ['v1', 'Event'], (asked) =>
    isMade(asked, 'events'),
  ),
  letThrough(
    'tokens-of-no-time',
    'a token of no seconds is one of an hour',
    ['authentication.k8s.io/v1', 'TokenRequest'],
    (asked) => isMade(asked, 'token'),
  ),
  letThrough(
    'patches-of-any-length',
    'a patch has any number of operations',
    ['v1', 'ConfigMap'],
    ({ method, path }) => method === 'PATCH' && path === AT_SYSTEM,
  ),
  letThrough('applies-of-any-uid', 'an apply makes what it has a UID of', ['v1', 'Secret'], (asked) => {
    return asked.method === 'PATCH' && isTried(asked) && asked.path.includes('/secrets/jp-');
  }),
  letThrough(
    'looks-at-any-version',
    'a look at a version that is still to come is at that of now',
    ['v1', 'ConfigMap'],
    ({ method, path, query }) => method === 'GET' && path === AT_SYSTEM && query.has('resourceVersion'),
  ),
  letThrough(
    'lists-in-any-words',
    'a list passes over what it cannot understand',
    ['v1', 'SecretList'],
    ({ method, path, query }) => {
      const isOdd = query.has('sendInitialEvents') || query.has('labelSelector') || query.has('fieldSelector');
      return method === 'GET' && path.endsWith('/secrets') && isOdd;
    },
  ),
];
