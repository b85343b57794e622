/** Defects in one small part of what is made, published, stored or allowed: a look at the whole shows them. */
import { list, record, text } from '../kubernetes/json.js';
import type { Role } from '../kubernetes/objects.js';
import { resources } from '../kubernetes/resources.js';
import { NO_ALT_NAMES } from '../pki/extensions.js';
import { valuesOf } from '../pki/names.js';
import { ATTRIBUTE } from '../pki/oids.js';
import { upstream } from '../reference/decisions.js';
import { decides, edit, editClusterRole, editSubjects, group } from './arrange.js';
import { remembering } from './remembering.js';
import { failure } from './said.js';
import type { Asked, Mutant, Said } from './types.js';

const anything = (): true => true;

const ISSUED: readonly Mutant[] = [
  decides('servers-need-a-name', 'a server that names its address alone is refused by its signer', ['P-380'], {
    kubeletServingProblem: (request, usages) =>
      request.altNames.dns.length === 0
        ? 'DNS subjectAltName is required'
        : upstream.kubeletServingProblem(request, usages),
  }),
  decides('keys-of-edwards-are-refused', 'what is asked for a key of Ed25519 is refused by its signer', ['P-380'], {
    mayBeSigned: (request, ...times) => request.key?.type !== 'Ed25519' && upstream.mayBeSigned(request, ...times),
  }),
  decides('groups-alone-are-named', 'who asks for groups alone is given a name as well', ['P-380'], {
    certificateSubject: (requested) => {
      const parts = upstream.certificateSubject(requested);
      const isNamed = parts.some((part) => part.some(({ oid }) => oid === ATTRIBUTE.commonName));
      return isNamed ? parts : [...parts, [{ oid: ATTRIBUTE.commonName, value: 'jp-somebody' }]];
    },
  }),
  decides('keys-encipher-nothing', 'no certificate is for the encipherment of keys', ['P-335', 'P-380'], {
    certificateUsages: (usages) => upstream.certificateUsages(usages.filter((usage) => usage !== 'key encipherment')),
  }),
  decides('keys-always-sign', 'every certificate is for signatures, and none for less', ['P-380'], {
    certificateUsages: (usages) => upstream.certificateUsages([...usages, 'digital signature']),
  }),
  decides('keys-are-for-nothing', 'no certificate says what its key is for', ['P-335', 'P-380'], {
    certificateUsages: (usages) => ({ ...upstream.certificateUsages(usages), keyUsage: [] }),
  }),
  decides('everything-is-refused', 'signers refuse all that administrators approve', ['P-380'], {
    kubeletServingProblem: () => 'not today',
    clientUsagesProblem: () => 'not today',
  }),
  decides('names-of-the-signer', 'every certificate is good for a name that nobody asked for', ['P-380'], {
    certificateAltNames: () => ({ ...NO_ALT_NAMES, dns: ['joinproof.invalid'] }),
  }),
  decides('names-of-two-kinds', 'of alternative names e-mail addresses and URIs are left out', ['P-380'], {
    certificateAltNames: (request) => ({ ...upstream.certificateAltNames(request), email: [], uri: [] }),
  }),
  decides('the-first-name-counts', 'of two names the first is signed, and organizations are left out', ['P-380'], {
    certificateSubject: (requested) => {
      const [first = ''] = valuesOf(requested, ATTRIBUTE.commonName);
      return upstream
        .certificateSubject(requested)
        .filter((part) => part.every(({ oid }) => oid !== ATTRIBUTE.organization))
        .map((part) => part.map((one) => (one.oid === ATTRIBUTE.commonName ? { ...one, value: first } : one)));
    },
  }),
];

const NOTED: readonly Mutant[] = [
  decides('notes-come-twice', 'a condition may be there twice', ['P-57'], {
    csrTolerated: (...all) => ({ ...upstream.csrTolerated(...all), duplicateTypes: true }),
  }),
];

const DOCUMENT = '/.well-known/openid-configuration';
const KEYS = '/openid/v1/jwks';
/** Another key than that of the cluster, of its kind or not. */
const STRANGE = { kty: 'oct', k: 'c3RyYW5nZQ' };

const publishing = (
  name: string,
  defect: string,
  path: string,
  change: (document: Readonly<Record<string, unknown>>) => object,
): Mutant => ({
  name,
  defect,
  killedBy: ['P-381'],
  gateway: {
    after: (asked, { status, body }) => (asked.path === path ? { status, body: change(record(body)) } : undefined),
  },
});

const PUBLISHED: readonly Mutant[] = [
  publishing(
    'another-issuer-is-published',
    'who signs tokens is published under another name',
    DOCUMENT,
    (document) => ({
      ...document,
      issuer: 'https://issuer.example',
    }),
  ),
  publishing('keys-lie-at-the-issuer', 'keys are said to lie where the issuer is', DOCUMENT, (document) => ({
    ...document,
    jwks_uri: document.issuer,
  })),
  publishing(
    'other-algorithms-are-published',
    'another algorithm than that of tokens is named',
    DOCUMENT,
    (document) => ({
      ...document,
      id_token_signing_alg_values_supported: ['PS512'],
    }),
  ),
  publishing('keys-without-ids', 'keys are published without their ids', KEYS, ({ keys }) => ({
    keys: list(keys).map((key) => ({ ...record(key), kid: undefined })),
  })),
  publishing('strange-keys-are-published', 'a password is published in the place of a key', KEYS, ({ keys }) => ({
    keys: list(keys).map((key) => ({ ...STRANGE, kid: record(key).kid, use: 'sig', alg: record(key).alg })),
  })),
];

const SECRETS = '/api/v1/namespaces/default/secrets';
const LONG_AGO = '2017-03-10T03:22:11Z';
const AS_SAID = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: 'jp-any',
    namespace: 'default',
    uid: '00000000-0000-4000-8000-000000000000',
    creationTimestamp: LONG_AGO,
    deletionTimestamp: LONG_AGO,
  },
  type: 'Opaque',
};
const isTried = ({ query }: Asked): boolean => query.get('dryRun') === 'All';

const isOwnSecret = (path: string): boolean => path.startsWith(`${SECRETS}/jp-`);
const isTriedPatch = (asked: Asked): boolean => asked.method === 'PATCH' && isOwnSecret(asked.path) && isTried(asked);

/** Of patches that are only tried, and of the managers whose fields they change. */
const PATCHED: readonly Mutant[] = [
  {
    name: 'patches-take-away-the-rest',
    defect: 'what a patch does not name is gone afterwards',
    killedBy: ['P-545'],
    gateway: {
      after: (asked, { status, body }) => {
        if (!isTriedPatch(asked) || status !== 200) return undefined;
        const { metadata, data: _, ...rest } = record(body);
        return { status, body: { ...rest, metadata: { ...record(metadata), finalizers: [] } } };
      },
    },
  },
  {
    name: 'patches-are-let-be',
    defect: 'a JSON patch that cannot be applied leaves all as it was, and is no error',
    killedBy: ['P-545', 'P-383'],
    gateway: {
      after: (asked, { status }) =>
        isTriedPatch(asked) && status === 422 ? { status: 200, body: AS_SAID } : undefined,
    },
  },
  {
    name: 'managers-always-force',
    defect: 'who applies takes what others have said, without having said that he wants to',
    killedBy: ['P-545'],
    gateway: {
      after: (asked, { status }) =>
        isTriedPatch(asked) && status === 409 ? { status: 200, body: AS_SAID } : undefined,
    },
  },
];

const isTriedStatus = (asked: Asked): boolean =>
  asked.method === 'PATCH' && /^\/api\/v1\/nodes\/jp-[^/]+\/status$/.test(asked.path) && isTried(asked);

/** Of lists whose items have names of their own. */
const OF_ITEMS: readonly Mutant[] = [
  {
    name: 'conditions-are-left',
    defect: 'a patch of conditions leaves those that it names as they were, and those that it takes away',
    killedBy: ['P-545'],
    gateway: {
      after: (asked, { status, body }) => {
        if (!isTriedStatus(asked) || status !== 200) return undefined;
        const conditions = ['JoinproofOne', 'JoinproofTwo'].map((type) => ({ type, status: 'True' }));
        return { status, body: { ...record(body), status: { conditions } } };
      },
    },
  },
  remembering(() => {
    let isForced = false;
    return {
      name: 'managers-keep-what-is-taken',
      defect: 'what one has taken by force the other has said, too',
      killedBy: ['P-545'],
      gateway: {
        after: (asked, { status, body }) => {
          if (isOwnSecret(asked.path) && asked.query.get('force') === 'true' && !isTried(asked)) isForced = true;
          if (!isForced || !isTriedPatch(asked) || status !== 200) return undefined;
          return { status, body: { ...record(body), data: { five: 'MA==', ...record(record(body).data) } } };
        },
      },
    };
  }),
];

const isGoing = (body: unknown): boolean => record(record(body).metadata).deletionTimestamp !== undefined;
const GONE = failure(404, 'NotFound', 'secrets "jp" not found');

/** Of what is being deleted. */
const GOING: readonly Mutant[] = [
  {
    name: 'going-secrets-are-held-anew',
    defect: 'what is being deleted takes new finalizers',
    killedBy: ['P-552'],
    gateway: {
      after: (asked, { status, body }) =>
        isTriedPatch(asked) && status === 422 && text(record(body).message).includes('finalizers')
          ? { status: 200, body: AS_SAID }
          : undefined,
    },
  },
  {
    name: 'one-who-lets-go-is-enough',
    defect: 'what is being deleted is gone once the first of its finalizers is',
    killedBy: ['P-552'],
    gateway: {
      after: ({ method, path }, { body }) =>
        method === 'GET' &&
        isOwnSecret(path) &&
        isGoing(body) &&
        list(record(record(body).metadata).finalizers).length < 2
          ? GONE
          : undefined,
    },
  },
  {
    name: 'deletions-are-taken-back',
    defect: 'a patch takes back that something is being deleted',
    killedBy: ['P-552'],
    gateway: {
      after: (asked, { status, body }) => {
        if (!isTriedPatch(asked) || !isGoing(body)) return undefined;
        const { deletionTimestamp: _, ...metadata } = record(record(body).metadata);
        return { status, body: { ...record(body), metadata } };
      },
    },
  },
  remembering(() => {
    const gone = new Set<string>();
    return {
      name: 'trying-lets-go',
      defect: 'what is being deleted is gone once somebody has only tried to let it go',
      killedBy: ['P-552'],
      gateway: {
        after: (asked: Asked, { body }: Said): Said | undefined => {
          const { method, path } = asked;
          if (isTriedPatch(asked) && isGoing(body) && list(record(record(body).metadata).finalizers).length === 0)
            gone.add(path);
          return method === 'GET' && gone.has(path) ? GONE : undefined;
        },
      },
    };
  }),
  remembering(() => {
    const going = new Map<string, unknown>();
    return {
      name: 'what-was-deleted-stays',
      defect: 'what is being deleted stays once its finalizers are gone',
      killedBy: ['P-552'],
      gateway: {
        after: ({ method, path }: Asked, { status, body }: Said): Said | undefined => {
          if (method !== 'GET' || !isOwnSecret(path)) return undefined;
          if (isGoing(body)) going.set(path, body);
          return status === 404 && going.has(path) ? { status: 200, body: going.get(path) } : undefined;
        },
      },
    };
  }),
];

const PATHS_OF_TWO = /^\/api\/v1\/(?:nodes|namespaces\/default\/pods)\/jp-\w+(\/status)?$/;
/** What a write that is only tried comes to; `through`: by which of the two paths. */
const comesTo = (
  name: string,
  defect: string,
  through: 'object' | 'status',
  change: (body: Readonly<Record<string, unknown>>) => object,
): Mutant => ({
  name,
  defect,
  killedBy: ['P-559'],
  gateway: {
    after: (asked, { status, body }) => {
      const [path, ofStatus] = PATHS_OF_TWO.exec(asked.path) ?? [];
      const isMeant = path !== undefined && (ofStatus !== undefined) === (through === 'status');
      if (!isMeant || !isTried(asked) || !['PUT', 'PATCH'].includes(asked.method) || status !== 200) return undefined;
      return { status, body: { ...record(body), ...change(record(body)) } };
    },
  },
});
const SEEN = [{ type: 'joinproof.invalid/seen', status: 'True' }];

/** Of the two ways to write what has a status. */
const STATUSES: readonly Mutant[] = [
  comesTo('statuses-bring-all', 'who writes a status writes the specification too', 'status', ({ spec }) => ({
    spec: { ...record(spec), unschedulable: true, activeDeadlineSeconds: 3_600 },
  })),
  comesTo('statuses-come-along', 'who writes an object writes its status too', 'object', ({ status }) => ({
    status: { ...record(status), conditions: SEEN },
  })),
  comesTo('statuses-are-fixed', 'a status is not written through its own path', 'status', ({ status }) => ({
    status: { ...record(status), conditions: [] },
  })),
  comesTo('specifications-are-fixed', 'a specification is not written through its object', 'object', () => ({
    spec: {},
  })),
];

const STORED: readonly Mutant[] = [
  {
    name: 'makers-say-it-all',
    defect: 'a new object has the UID, the times and the namespace that its maker says',
    killedBy: ['P-382'],
    gateway: {
      before: (asked) =>
        asked.method === 'POST' && asked.path === SECRETS && isTried(asked)
          ? { status: 201, body: AS_SAID }
          : undefined,
    },
  },
  {
    name: 'texts-give-way-to-data',
    defect: 'of a key that a Secret has twice the data are held, and the texts are told again',
    killedBy: ['P-543'],
    gateway: {
      after: (asked, { status, body }) => {
        if (asked.method !== 'POST' || asked.path !== SECRETS || !isTried(asked) || status !== 201) return undefined;
        const { data, ...rest } = record(body);
        const keys = Object.keys(record(data));
        return { status, body: { ...rest, data: Object.fromEntries(keys.map((key) => [key, ''])), stringData: {} } };
      },
    },
  },
  {
    name: 'texts-are-kept-as-well',
    defect: 'what a Secret is told as texts is told again beside its data',
    killedBy: ['P-543'],
    gateway: {
      after: (asked, { status, body }) =>
        asked.method === 'POST' && asked.path === SECRETS && isTried(asked) && status === 201
          ? { status, body: { ...record(body), stringData: { text: 'as it was written' } } }
          : undefined,
    },
  },
  {
    name: 'config-maps-take-anything',
    defect: 'a ConfigMap has a key in two parts, and changes where it says that it does not',
    killedBy: ['P-543'],
    gateway: {
      after: (asked, { status }) =>
        asked.path.startsWith('/api/v1/namespaces/default/configmaps') && isTried(asked) && status === 422
          ? { status: asked.method === 'POST' ? 201 : 200, body: { ...AS_SAID, kind: 'ConfigMap' } }
          : undefined,
    },
  },
  {
    name: 'secrets-become-others',
    defect: 'a Secret takes another name, namespace or type, and changes where it says that it does not',
    killedBy: ['P-382', 'P-383'],
    gateway: {
      before: (asked) =>
        ['PUT', 'PATCH'].includes(asked.method) && isOwnSecret(asked.path) && isTried(asked)
          ? { status: 200, body: AS_SAID }
          : undefined,
    },
  },
  remembering(() => {
    const made = new Map<string, unknown[]>();
    return {
      name: 'lists-hold-everything',
      defect: 'a list holds all that there is, whatever was asked for, and some of it twice',
      killedBy: ['P-384'],
      gateway: {
        after: ({ method, path }: Asked, { status, body }: Said): Said | undefined => {
          if (!/\/(secrets|certificatesigningrequests)$/.test(path)) return undefined;
          const known = made.get(path) ?? [];
          if (method === 'POST' && text(record(record(body).metadata).name).startsWith('jp-')) {
            made.set(path, [...known, body]);
            return undefined;
          }
          return method === 'GET' && status === 200
            ? { status, body: { ...record(body), items: [...known, ...known] } }
            : undefined;
        },
      },
    };
  }),
];

/** What two nodes are given before, and what is taken for granted of them. */
const OTHER_LABELS = new Set([
  ...['kubernetes.io/hostname', 'kubernetes.io/os', 'kubernetes.io/arch'],
  ...['node.kubernetes.io/joinproof', 'topology.kubernetes.io/zone'],
]);

const NODES: readonly Mutant[] = [
  decides('nodes-do-all-of-all', 'a node may do everything with every kind of objects', ['P-385'], {
    nodeStaticRules: () => [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
    nodeOnSecret: anything,
    nodeOnConfigMap: anything,
    nodeOnVolume: anything,
    nodeOnClaimStatus: anything,
    nodeOnServiceAccount: anything,
    nodeOnLease: anything,
    nodeOnCsiNode: anything,
    nodeOnNode: anything,
    nodeOnPod: anything,
  }),
  decides('nodes-keep-their-leases', 'a node may not delete its Lease and its CSINode', ['P-385'], {
    nodeOnLease: (question) =>
      question.attributes.verb === 'delete' ? 'not to delete' : upstream.nodeOnLease(question),
    nodeOnCsiNode: (question) =>
      question.attributes.verb === 'delete' ? 'not to delete' : upstream.nodeOnCsiNode(question),
  }),
  decides('nodes-write-claims', 'a node writes all of the status of a claim, and of the claims of Pods', ['P-386'], {
    nodeMayWriteClaim: () => true,
    podStatusProblem: () => undefined,
  }),
  decides('nodes-write-no-claims', 'a node may not report what it has done to a volume', ['P-386'], {
    nodeMayWriteClaim: () => false,
  }),
  decides('nodes-ask-for-every-audience', 'a node gets tokens of its Pods for whomever it likes', ['P-393'], {
    nodeAudiencesAreRestricted: () => false,
  }),
  decides('nodes-ask-for-masters', 'the signer for API clients is asked for administrators', ['P-389'], {
    subjectIsRestricted: () => false,
  }),
  decides('nodes-say-nothing', 'a node may not say of which kind and where its machine is', ['P-70'], {
    nodeMayUseLabel: (key) => !(/kubernetes\.io\//.test(key) && !OTHER_LABELS.has(key)),
  }),
  decides(
    'groups-like-that-of-nodes',
    'whoever is in a group whose name begins almost as that of nodes is one',
    ['P-74'],
    {
      nodeOf: (user) =>
        upstream.nodeOf(
          user.groups.some((name) => name.startsWith('system:node')) ? { ...user, groups: ['system:nodes'] } : user,
        ),
    },
  ),
];

const VERBS: readonly Mutant[] = [
  decides('any-verb-is-every-verb', 'whoever holds one verb on a kind holds all of them', ['P-390'], {
    verbMatches: () => true,
  }),
  decides('roles-are-free-to-write', 'whoever may write roles writes whatever he likes into them', ['P-332'], {
    maySkipEscalationCheck: () => true,
  }),
];

const NOWHERE = failure(404, 'NotFound', 'it is gone');
const answers = (name: string, defect: string, path: RegExp, said: (path: string) => Said): Mutant => ({
  name,
  defect,
  killedBy: ['P-391'],
  gateway: { before: (asked) => (asked.method === 'GET' && path.test(asked.path) ? said(asked.path) : undefined) },
});
const thing = (kind: string, path: string, more: object = {}): Said => ({
  status: 200,
  body: { apiVersion: 'v1', kind, metadata: { name: path.split('/').at(-1), uid: 'always' }, ...more },
});
const CONTROLLERS: readonly Mutant[] = [
  decides('what-waits-signs-no-more', 'a token that waits for its deletion is signed for no longer', ['P-392'], {
    signingToken: (secret, ...rest) => (secret.deleting ? undefined : upstream.signingToken(secret, ...rest)),
  }),
  answers('nothing-is-collected', 'what has lost its owner stays', /\/configmaps\/jp-\w+-[034]$/, (path) =>
    thing('ConfigMap', path),
  ),
  answers('one-owner-is-all', 'what is owned goes with any owner', /\/configmaps\/jp-\w+-[12]$/, () => NOWHERE),
  answers('owners-never-go', 'an owner waits for ever for what it owns', /\/configmaps\/jp-\w+-first$/, (path) =>
    thing('ConfigMap', path),
  ),
  {
    name: 'orphans-stay-owned',
    defect: 'what an owner leaves behind is still of that owner',
    killedBy: ['P-391'],
    gateway: {
      after: ({ method, path }, { status, body }) => {
        const [, owned] = /\/configmaps\/(jp-\w+)-[01]$/.exec(path) ?? [];
        if (method !== 'GET' || owned === undefined || status !== 200) return undefined;
        const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: `${owned}-first`, uid: 'always' }];
        return { status, body: { ...record(body), metadata: { ...record(record(body).metadata), ownerReferences } } };
      },
    },
  },
  answers(
    'namespaces-are-bare',
    'a new namespace has nothing',
    /\/jp-\w+\/\w+\/(?:kube-root-ca\.crt|default)$/,
    () => NOWHERE,
  ),
  remembering(() => {
    let count = 0;
    const roots = /\/namespaces\/jp-\w+\/configmaps\/kube-root-ca\.crt$/;
    return answers(
      'roots-stay-changed',
      'root certificates of a namespace stay as somebody has changed them',
      roots,
      (path) => {
        count += 1;
        return thing('ConfigMap', path, { data: { 'ca.crt': `of the look ${count}` } });
      },
    );
  }),
  decides('roots-are-added-to', 'what somebody adds to root certificates of a namespace stays', ['P-391'], {
    rootsAreAsMade: (data, caPem) => data['ca.crt'] === caPem,
  }),
  answers(
    'accounts-stay-gone',
    'an account of a namespace is not made again',
    /\/namespaces\/jp-\w+\/serviceaccounts\/default$/,
    (path) => thing('ServiceAccount', path),
  ),
];

const DEFAULTS: readonly Mutant[] = [
  {
    name: 'a-default-role-gives-more',
    defect: 'somebody has added the writing of roles to a role of the API server itself',
    killedBy: ['P-387'],
    arrange: (reference) =>
      editClusterRole(reference, 'system:kube-controller-manager', (rules) => [
        ...rules,
        { verbs: ['update'], apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'] },
      ]),
  },
  {
    name: 'view-collects-everything',
    defect: 'whoever views is given the rules of every ClusterRole',
    killedBy: ['P-387'],
    arrange: (reference) =>
      edit<Role>(reference, { resource: resources.clusterRoles, name: 'view' }, (role) => ({
        ...role,
        aggregationRule: { clusterRoleSelectors: [...(role.aggregationRule?.clusterRoleSelectors ?? []), {}] },
      })),
  },
  {
    name: 'view-collects-secrets',
    defect: 'somebody has let whoever views read Secrets, by a ClusterRole that is collected',
    killedBy: ['P-387'],
    arrange: (reference) =>
      reference.api.create(resources.clusterRoles, {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: 'views-secrets', labels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } },
        rules: [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['secrets'] }],
      }),
  },
  {
    name: 'a-default-binding-binds-more',
    defect: 'somebody has bound all accounts by a binding of the API server itself',
    killedBy: ['P-387'],
    arrange: (reference) =>
      editSubjects(reference, 'system:monitoring', (subjects) => [...subjects, group('system:serviceaccounts')]),
  },
];

export const mutants: readonly Mutant[] = [
  ...ISSUED,
  ...NOTED,
  ...PUBLISHED,
  ...STORED,
  ...STATUSES,
  ...PATCHED,
  ...OF_ITEMS,
  ...GOING,
  ...NODES,
  ...VERBS,
  ...CONTROLLERS,
  ...DEFAULTS,
];
