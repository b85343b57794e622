/** Sentences of the policy about rights, and about what others read. */
import { readCollectedRole, rolesCollected } from '../../src/checks/authorization/aggregated-roles.js';
import { accountNamed, administratorsKnown, guardedRights } from '../../src/checks/policy/guarded-rights.js';
import { heldByKnown, nodeRolesNamed, noStaticToken, readNodeRoles } from '../../src/checks/policy/rights-policy.js';
import {
  CLUSTER_INFO,
  KUBE_PUBLIC,
  KUBE_SYSTEM,
  SIGNER_APISERVER_CLIENT,
  SIGNER_KUBELET_CLIENT,
  SIGNER_KUBELET_SERVING,
  TOKEN_SECRET_PREFIX,
} from '../../src/kubernetes/names.js';
import type { ConfigMap } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { POLICY } from '../common/policy.js';
import { grantReading } from '../common/reading.js';
import { atRest } from '../common/searched.js';
import { isMet, soon } from '../common/soon.js';
import { IN_TIME } from '../common/waiting.js';

const READS = { needs: ['objects', 'kubeadm'] } as const;
const GROUP = 'certificates.k8s.io';

const everywhere = (verb: string, resource: string, name = '*') =>
  ({ kind: 'resource', verb, group: GROUP, resource, namespace: '*', name }) as const;

const judged = (world: World, verb: string, resource: string, known: readonly string[], name?: string): void => {
  world.check(heldByKnown, world.get(POLICY), { permission: everywhere(verb, resource, name), known });
};

type Right = Parameters<typeof guardedRights.judge>[1]['rights'][number];
interface Place {
  readonly group?: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly names?: readonly string[];
}

/** Every one of these verbs on every one of these names, where a request by the verb bears one. */
const rights = (verbs: readonly string[], { group = '', resource, namespace = '*', names = ['*'] }: Place): Right[] =>
  verbs.flatMap((verb) =>
    (verb === 'deletecollection' ? ['*'] : names).map(
      (name) => ({ kind: 'resource', verb, group, resource, namespace, name }) as const,
    ),
  );

const TOKENS: Place = { resource: 'secrets', namespace: KUBE_SYSTEM, names: [`${TOKEN_SECRET_PREFIX}*`] };
const SHARED: Place = { resource: 'secrets', namespace: KUBE_SYSTEM, names: ['kubeadm-certs'] };
const CHANGES = ['update', 'patch', 'delete', 'deletecollection'];
/**
 * A right for a signer is also that for all of its domain.
 * Source: pkg/certauthorization/certauthorization.go IsAuthorizedForSignerName.
 */
const EVERY_SIGNER = 'kubernetes.io/*';
const SIGNERS = [SIGNER_KUBELET_CLIENT, SIGNER_KUBELET_SERVING, SIGNER_APISERVER_CLIENT, EVERY_SIGNER];
const ROLES = 'rbac.authorization.k8s.io';
/** Roles that make more of whoever gives them to himself; others may be bound on purpose, each by its name. */
const MIGHTY_ROLES = ['cluster-admin', 'system:node', 'system:kube-controller-manager', 'system:controller:*'];
/** Their tokens make tokens and certificates, or roles. Source: bootstrappolicy/controller_policy.go. */
const MIGHTY_ACCOUNTS = [
  'bootstrap-signer',
  'certificate-controller',
  'clusterrole-aggregation-controller',
  'token-cleaner',
];
/**
 * Who may act as whom since 1.36, by a verb for each sort of user.
 * Source: apiserver, pkg/endpoints/filters/impersonation/mode.go.
 */
const ACTS_AS = [
  ['impersonate:user-info', 'users'],
  ['impersonate:user-info', 'groups'],
  ['impersonate:serviceaccount', 'serviceaccounts'],
  ['impersonate:arbitrary-node', 'nodes'],
] as const;

const WRITES = ['create', ...CHANGES];
/** Kinds by which a request is refused, changed, answered by somebody else or left waiting, by their groups. */
const BEFORE_THE_API: readonly (readonly [group: string, kinds: string])[] = [
  [
    'admissionregistration.k8s.io',
    'mutatingwebhookconfigurations validatingwebhookconfigurations ' +
      'validatingadmissionpolicies validatingadmissionpolicybindings ' +
      'mutatingadmissionpolicies mutatingadmissionpolicybindings',
  ],
  ['apiregistration.k8s.io', 'apiservices'],
  ['flowcontrol.apiserver.k8s.io', 'flowschemas prioritylevelconfigurations'],
];
const SLICES = 'discovery.k8s.io';
/**
 * Where Pods and nodes find the API and names, and whom extension API servers believe. The Services are left out: who
 * edits a namespace has those anyhow.
 */
const SAYS_WHERE_IT_IS: readonly Right[] = [
  ...rights(CHANGES, { resource: 'endpoints', namespace: 'default', names: ['kubernetes'] }),
  ...rights(['create'], { group: SLICES, resource: 'endpointslices', namespace: 'default' }),
  ...rights(CHANGES, { group: SLICES, resource: 'endpointslices', namespace: 'default', names: ['kubernetes'] }),
  ...rights(CHANGES, { resource: 'endpoints', namespace: KUBE_SYSTEM, names: ['kube-dns'] }),
  ...rights(['create'], { group: SLICES, resource: 'endpointslices', namespace: KUBE_SYSTEM }),
  ...rights(CHANGES, { group: SLICES, resource: 'endpointslices', namespace: KUBE_SYSTEM, names: ['kube-dns-*'] }),
  ...rights(CHANGES, {
    resource: 'configmaps',
    namespace: KUBE_SYSTEM,
    names: ['coredns', 'extension-apiserver-authentication', 'kube-root-ca.crt'],
  }),
];
/** What opens the cluster to machines that join: without, each is refused. Source: cmd/kubeadm/app/phases. */
const LETS_IN: readonly Right[] = [
  ...['roles', 'rolebindings'].flatMap((resource) =>
    [KUBE_SYSTEM, KUBE_PUBLIC].flatMap((namespace) =>
      rights(CHANGES, { group: ROLES, resource, namespace, names: ['kubeadm:*'] }),
    ),
  ),
  ...rights(CHANGES, {
    group: ROLES,
    resource: 'clusterroles',
    names: ['kubeadm:*', 'system:node-bootstrapper', 'system:certificates.k8s.io:certificatesigningrequests:*'],
  }),
  ...rights(CHANGES, { group: ROLES, resource: 'clusterrolebindings', names: ['kubeadm:*'] }),
];
/** What makes a Pod, or gets into one. Source: pkg/registry/core/pod/rest/subresources.go. */
const RUNS: readonly Right[] = [
  // The image of a container may be changed while it runs. Source: pkg/apis/core/validation ValidatePodUpdate.
  ...['pods', 'replicationcontrollers'].flatMap((resource) =>
    rights(['create', 'update', 'patch'], { resource, namespace: KUBE_SYSTEM }),
  ),
  // Who is forwarded to a Pod on the network of its machine speaks with what listens on the machine's loopback.
  ...['exec', 'attach', 'portforward'].flatMap((part) =>
    rights(['create', 'get'], { resource: `pods/${part}`, namespace: KUBE_SYSTEM }),
  ),
  ...rights(['update', 'patch'], { resource: 'pods/ephemeralcontainers', namespace: KUBE_SYSTEM }),
  ...['daemonsets', 'deployments', 'statefulsets', 'replicasets'].flatMap((resource) =>
    rights(['create', 'update', 'patch'], { group: 'apps', resource, namespace: KUBE_SYSTEM }),
  ),
  ...['jobs', 'cronjobs'].flatMap((resource) =>
    rights(['create', 'update', 'patch'], { group: 'batch', resource, namespace: KUBE_SYSTEM }),
  ),
  ...['nodes', 'nodes/status'].flatMap((resource) => rights(['update', 'patch'], { resource })),
  ...rights(['delete', 'deletecollection'], { resource: 'nodes' }),
  // one of the type hostPath goes by no level of Pod security
  ...rights(['create'], { resource: 'persistentvolumes' }),
  // as long as somebody else has it, nothing is approved or signed
  ...rights(CHANGES, {
    group: 'coordination.k8s.io',
    resource: 'leases',
    namespace: KUBE_SYSTEM,
    names: ['kube-controller-manager'],
  }),
];

const READING = 'nobody reads what lets machines join but whom the policy names';
/** A sentence, what nobody else must do, and the rights that let him. */
const GUARDED: readonly (readonly [sentence: string, what: string, rights: readonly Right[]])[] = [
  [
    'nobody signs for Kubernetes but whom the policy names',
    'certificates of Kubernetes are signed',
    [
      // authorities of a signer are attested, by which Pods believe who has a certificate of it
      ...rights(['sign', 'attest'], { group: GROUP, resource: 'signers', names: [EVERY_SIGNER] }),
      ...rights(['update', 'patch'], { group: GROUP, resource: 'certificatesigningrequests/status' }),
    ],
  ],
  ['nobody writes bootstrap tokens but whom the policy names', 'bootstrap tokens are written', rights(WRITES, TOKENS)],
  [
    READING,
    'bootstrap tokens and shared certificates are read',
    [...rights(['get', 'list', 'watch'], TOKENS), ...rights(['get'], SHARED)],
  ],
  [
    'nobody writes what joining machines read but whom the policy names',
    'cluster-info and the configuration of machines are written',
    [
      ...rights(CHANGES, { resource: 'configmaps', namespace: KUBE_PUBLIC, names: [CLUSTER_INFO] }),
      ...rights(CHANGES, {
        resource: 'configmaps',
        namespace: KUBE_SYSTEM,
        names: ['kubeadm-config', 'kubelet-config', 'kube-proxy'],
      }),
      ...rights(CHANGES, SHARED),
    ],
  ],
  [
    'nobody makes himself somebody else but whom the policy names',
    'others are acted as',
    [
      ...['users', 'groups', 'serviceaccounts'].flatMap((resource) => rights(['impersonate'], { resource })),
      ...ACTS_AS.flatMap(([verb, resource]) => rights([verb], { group: 'authentication.k8s.io', resource })),
      ...rights(['bind'], { group: ROLES, resource: 'clusterroles', names: MIGHTY_ROLES }),
      ...rights(['escalate'], { group: ROLES, resource: 'clusterroles' }),
      ...rights(['bind', 'escalate'], { group: ROLES, resource: 'roles', namespace: KUBE_SYSTEM }),
      ...rights(['create'], { resource: 'serviceaccounts/token', namespace: KUBE_SYSTEM, names: MIGHTY_ACCOUNTS }),
      ...rights(['create'], { resource: 'nodes' }),
    ],
  ],
];
/** Of people, and of groups that everybody is in. */
const OF_PEOPLE: typeof GUARDED = [
  [
    'nobody changes what stands before the API but whom the policy names',
    'what stands before the API, says where it is or lets machines in is changed',
    [
      ...BEFORE_THE_API.flatMap(([group, kinds]) =>
        kinds.split(' ').flatMap((resource) => rights(WRITES, { group, resource })),
      ),
      ...SAYS_WHERE_IT_IS,
      ...LETS_IN,
    ],
  ],
  [
    'nobody gets into what the cluster runs but whom the policy names',
    'what the cluster runs, and where, is said',
    RUNS,
  ],
];

for (const [sentence, what, wanted] of GUARDED)
  Then(sentence, function (this: World) {
    // whoever judges reads what lets machines join, and knows of itself
    const own = sentence === READING ? accountNamed(this.target.facts.account) : undefined;
    const known = [...this.profile.parameters.keepers, ...(own === undefined ? [] : [own])];
    this.check(guardedRights, this.get(POLICY), { what, rights: wanted, known });
  });
for (const [sentence, what, wanted] of OF_PEOPLE)
  Then(sentence, function (this: World) {
    const { keepers: known } = this.profile.parameters;
    this.check(guardedRights, this.get(POLICY), { what, rights: wanted, known, ofPeople: 'users too' });
  });

/** Of the accounts of other namespaces, those are of who edits them. */
const isOfKubeSystem = ({ resource, namespace }: Right): boolean =>
  resource !== 'serviceaccounts' || namespace === KUBE_SYSTEM;
const MAKES_MORE_OF_HIM: readonly Right[] = [
  ...[...GUARDED, ...OF_PEOPLE].flatMap(([, , wanted]) => wanted).filter(isOfKubeSystem),
  ...rights(['impersonate'], { resource: 'serviceaccounts', namespace: KUBE_SYSTEM }),
  ...rights(['approve'], { group: GROUP, resource: 'signers', names: SIGNERS }),
];
Then('what every Pod is makes nobody a node, an approver or an administrator', function (this: World) {
  this.check(guardedRights, this.get(POLICY), {
    what: 'machines are let in, and others acted as,',
    rights: MAKES_MORE_OF_HIM,
    known: this.profile.parameters.keepers,
    ofEveryPod: true,
  });
});

/** Whoever speaks with kubelets by it gets into every Pod; the user of an API server is given it to do so. */
const SPEAKS_WITH_KUBELETS = rights(['create', 'get'], { resource: 'nodes/proxy' });
Then('no group speaks with kubelets but whom the policy names', function (this: World) {
  this.check(guardedRights, this.get(POLICY), {
    what: 'kubelets are spoken with through the API server',
    rights: SPEAKS_WITH_KUBELETS,
    known: this.profile.parameters.keepers,
    ofPeople: 'groups alone',
  });
});

Then('nobody may do everything but whom the policy names', function (this: World) {
  this.check(administratorsKnown, this.get(POLICY), { known: this.profile.parameters.administrators });
});

/** Source: plugin/pkg/auth/authorizer/rbac/bootstrappolicy/controller_policy.go certificate-controller. */
const CONTROLLER = 'ServiceAccount kube-system/certificate-controller';

Then('nobody is approved for serving by a right of his own', function (this: World) {
  judged(this, 'create', 'certificatesigningrequests/selfnodeserver', []);
});

Then('nobody approves for kubelets and clients but whom the policy names', function (this: World) {
  const known = [CONTROLLER, ...this.profile.parameters.approvers];
  for (const signer of SIGNERS) judged(this, 'approve', 'signers', known, signer);
});

Then('nobody gets his first certificate without a human but whom the policy names', function (this: World) {
  judged(this, 'create', 'certificatesigningrequests/nodeclient', this.profile.parameters.joiners);
});

Then('no binding is for the user of a token file', function (this: World) {
  this.check(noStaticToken, this.get(POLICY));
});

Then('aws-auth, where it is there, makes each node under a name of its own', async function (this: World) {
  await grantReading(this);
  const found = await this.objects.get<ConfigMap>(resources.configMaps, 'aws-auth', KUBE_SYSTEM);
  this.check(nodeRolesNamed, { roles: readNodeRoles(found) ?? null });
});

/** The controller follows what is made or changed. */
Then('each ClusterRole holds the rules that it collects', READS, async function (this: World) {
  await grantReading(this);
  const first = (await atRest(this, 'clusterRoles')).map(({ collected }) => collected);
  const awaited = { check: rolesCollected, within: IN_TIME, every: 1000 };
  const keep = this.theirs(resources.clusterRoles, readCollectedRole);
  const seen = isMet(rolesCollected, first, undefined)
    ? first
    : await soon(this, awaited, () => this.objects.list(resources.clusterRoles, {}, keep));
  this.check(rolesCollected, seen);
});
