/** Defects in one small part of what is issued, published or allowed: a look at the whole shows them. */
import { list, record } from '../kubernetes/json.js';
import type { Role } from '../kubernetes/objects.js';
import { resources } from '../kubernetes/resources.js';
import { NO_ALT_NAMES } from '../pki/extensions.js';
import { valuesOf } from '../pki/names.js';
import { ATTRIBUTE } from '../pki/oids.js';
import { upstream } from '../reference/decisions.js';
import { decides, edit, editClusterRole, editSubjects, group } from './arrange.js';
import type { Mutant } from './types.js';

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

export const mutants: readonly Mutant[] = [...ISSUED, ...NOTED, ...PUBLISHED, ...NODES, ...VERBS, ...DEFAULTS];
