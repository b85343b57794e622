/** Rights that let people and programs make machines of a cluster, or make themselves more than they are. */
import type { PolicyRule, Subject } from '../kubernetes/objects.js';
import { resources } from '../kubernetes/resources.js';
import type { Reference } from '../reference/options.js';
import { allow, bindCluster, finds, group, rule, serviceAccount, user } from './arrange.js';
import { addFlags } from './certificate-requests.js';
import type { Mutant } from './types.js';

const CERTIFICATES = 'certificates.k8s.io';
const RBAC = 'rbac.authorization.k8s.io';
const AUTHENTICATION = 'authentication.k8s.io';
const OPS = group('ops');

const named = (given: PolicyRule, ...resourceNames: readonly string[]): PolicyRule => ({ ...given, resourceNames });

/** A Role of a namespace, bound there. */
function allowIn(
  reference: Reference,
  at: { readonly namespace: string; readonly name: string },
  rules: readonly PolicyRule[],
  who: Subject,
): void {
  const { name } = at;
  reference.api.create(resources.roles, { apiVersion: `${RBAC}/v1`, kind: 'Role', metadata: at, rules });
  reference.api.create(resources.roleBindings, {
    apiVersion: `${RBAC}/v1`,
    kind: 'RoleBinding',
    metadata: at,
    subjects: [who],
    roleRef: { apiGroup: RBAC, kind: 'Role', name },
  });
}

type Right = readonly [name: string, defect: string, killedBy: string, given: PolicyRule];

const everywhere = ([name, defect, killedBy, given]: Right): Mutant =>
  finds(name, defect, [killedBy], (reference) => allow(reference, name, [given], OPS));
const within =
  (namespace: string) =>
  ([name, defect, killedBy, given]: Right): Mutant =>
    finds(name, defect, [killedBy], (reference) => allowIn(reference, { namespace, name }, [given], OPS));

const IN_THE_CLUSTER: readonly Right[] = [
  ['signer-of-anything', 'a group may sign for every signer', 'P-136', rule(['sign'], CERTIFICATES, 'signers')],
  [
    'signer-for-kubelets',
    'a group may sign serving certificates of kubelets',
    'P-136',
    named(rule(['sign'], CERTIFICATES, 'signers'), 'kubernetes.io/kubelet-serving'),
  ],
  [
    'writer-of-certificates',
    'a group may write the status of requests',
    'P-136',
    rule(['patch'], CERTIFICATES, 'certificatesigningrequests/status'),
  ],
  [
    'attester-of-authorities',
    'a group says who is believed to be the API server',
    'P-136',
    named(rule(['attest'], CERTIFICATES, 'signers'), 'kubernetes.io/kube-apiserver-serving'),
  ],
  ['reader-of-all-secrets', 'a group reads every Secret', 'P-138', rule(['list', 'watch'], '', 'secrets')],
  ['impersonator', 'a group may be any user', 'P-140', rule(['impersonate'], '', 'users')],
  [
    'impersonator-of-one-group',
    'a group may be the administrators',
    'P-140',
    named(rule(['impersonate'], '', 'groups'), 'system:masters'),
  ],
  ['binder', 'a group may bind every role', 'P-140', rule(['bind'], RBAC, 'clusterroles')],
  ['escalator', 'a group may give itself every right', 'P-140', rule(['escalate'], RBAC, 'clusterroles')],
  ['maker-of-nodes', 'a group makes Nodes by hand', 'P-140', rule(['create'], '', 'nodes')],
  [
    'signer-for-a-domain',
    'a group may sign for all signers of Kubernetes, by their domain',
    'P-136',
    named(rule(['sign'], CERTIFICATES, 'signers'), 'kubernetes.io/*'),
  ],
  [
    'approver-for-a-domain',
    'a group may approve for all signers of Kubernetes, by their domain',
    'T-12',
    named(rule(['approve'], CERTIFICATES, 'signers'), 'kubernetes.io/*'),
  ],
  [
    'impersonator-of-users-alone',
    'a group may be any user, by the verb for users',
    'P-140',
    rule(['impersonate:user-info'], AUTHENTICATION, 'users'),
  ],
  [
    'impersonator-of-nodes-alone',
    'a group may be any node, by the verb for nodes',
    'P-140',
    rule(['impersonate:arbitrary-node'], AUTHENTICATION, 'nodes'),
  ],
  [
    'binder-of-one-mighty-role',
    'a group may bind cluster-admin',
    'P-140',
    named(rule(['bind'], RBAC, 'clusterroles'), 'cluster-admin'),
  ],
  [
    'maker-of-tokens-of-a-controller',
    'a group gets tokens of the account that signs certificates',
    'P-140',
    named(rule(['create'], '', 'serviceaccounts/token'), 'certificate-controller'),
  ],
];
const ADMISSION = 'admissionregistration.k8s.io';
const BEFORE_THE_API: readonly Right[] = [
  [
    'maker-of-webhooks',
    'a group makes webhooks',
    'P-180',
    rule(['create'], ADMISSION, 'mutatingwebhookconfigurations'),
  ],
  [
    'changer-of-one-webhook',
    'a group changes one webhook',
    'P-180',
    named(rule(['patch'], ADMISSION, 'validatingwebhookconfigurations'), 'theirs'),
  ],
  [
    'remover-of-policies',
    'a group removes all admission policies at once',
    'P-180',
    rule(['deletecollection'], ADMISSION, 'validatingadmissionpolicybindings'),
  ],
  ['keeper-of-policies', 'a group writes admission policies', 'P-180', rule(['*'], ADMISSION, '*')],
  ['maker-of-api-services', 'a group registers API services', 'P-180', rule(['create'], 'apiregistration.k8s.io', '*')],
  [
    'maker-of-flow-schemas',
    'a group says whose requests wait',
    'P-180',
    rule(['update'], 'flowcontrol.apiserver.k8s.io', 'flowschemas'),
  ],
  [
    'changer-of-endpoints',
    'a group says where the API server is',
    'P-180',
    named(rule(['patch'], '', 'endpoints'), 'kubernetes'),
  ],
  ['maker-of-slices', 'a group says where everything is', 'P-180', rule(['create'], 'discovery.k8s.io', '*')],
  [
    'changer-of-approvals',
    'a group takes away by what first certificates are approved',
    'P-180',
    named(rule(['delete'], RBAC, 'clusterrolebindings'), 'kubeadm:node-autoapprove-bootstrap'),
  ],
  [
    'changer-of-node-bootstrapper',
    'a group says what a bootstrap token may do',
    'P-180',
    named(rule(['patch'], RBAC, 'clusterroles'), 'system:node-bootstrapper'),
  ],
  ['runner-in-all-pods', 'a group gets into every Pod', 'P-181', rule(['create'], '', 'pods/exec')],
  ['speaker-with-kubelets', 'a group speaks with kubelets', 'P-181', rule(['get'], '', 'nodes/proxy')],
  ['remover-of-nodes', 'a group takes Nodes away', 'P-181', rule(['deletecollection'], '', 'nodes')],
  ['changer-of-nodes', 'a group labels Nodes', 'P-181', rule(['patch'], '', 'nodes')],
  [
    'maker-of-volumes',
    'a group makes volumes of what machines hold',
    'P-181',
    rule(['create'], '', 'persistentvolumes'),
  ],
  ['changer-of-node-status', 'a group says how nodes are', 'P-181', rule(['patch'], '', 'nodes/status')],
];
const FOUND_IN_KUBE_SYSTEM: readonly Right[] = [
  [
    'holder-of-the-controllers-lease',
    'a group has the Lease of the controllers',
    'P-181',
    named(rule(['update'], 'coordination.k8s.io', 'leases'), 'kube-controller-manager'),
  ],
  [
    'changer-of-readers',
    'a group says who reads how machines are configured',
    'P-180',
    named(rule(['update'], RBAC, 'roles'), 'kubeadm:nodes-kubeadm-config'),
  ],
  [
    'remover-of-readers',
    'a group takes away who reads how machines are configured',
    'P-180',
    rule(['deletecollection'], RBAC, 'rolebindings'),
  ],
  [
    'changer-of-names',
    'a group changes the configuration of the cluster DNS',
    'P-180',
    named(rule(['update'], '', 'configmaps'), 'coredns'),
  ],
  [
    'changer-of-proxies-authority',
    'a group says whom extension API servers believe',
    'P-180',
    named(rule(['patch'], '', 'configmaps'), 'extension-apiserver-authentication'),
  ],
  [
    'changer-of-slices',
    'a group changes where DNS is',
    'P-180',
    named(rule(['update'], 'discovery.k8s.io', 'endpointslices'), 'kube-dns-abcde'),
  ],
];
const RUN_IN_KUBE_SYSTEM: readonly Right[] = [
  ['forwarder-to-pods', 'a group reaches loopback of machines', 'P-181', rule(['create'], '', 'pods/portforward')],
  ['runner-in-kube-system', 'a group makes Pods in kube-system', 'P-181', rule(['create'], '', 'pods')],
  ['changer-of-daemons', 'a group changes DaemonSets of kube-system', 'P-181', rule(['patch'], 'apps', 'daemonsets')],
  ['changer-of-pods', 'a group changes images of Pods of kube-system', 'P-181', rule(['patch'], '', 'pods')],
  [
    'maker-of-replication-controllers',
    'a group has Pods made in kube-system by a controller of old',
    'P-181',
    rule(['create'], '', 'replicationcontrollers'),
  ],
];

const IN_KUBE_SYSTEM: readonly Right[] = [
  ['maker-of-tokens', 'a group makes Secrets in kube-system', 'P-137', rule(['create'], '', 'secrets')],
  [
    'changer-of-a-token',
    'a group changes one token',
    'P-137',
    named(rule(['patch'], '', 'secrets'), 'bootstrap-token-abcdef'),
  ],
  [
    'reader-of-shared-certificates',
    'a group reads kubeadm-certs',
    'P-138',
    named(rule(['get'], '', 'secrets'), 'kubeadm-certs'),
  ],
  ['binder-in-kube-system', 'a group binds every role of kube-system', 'P-140', rule(['bind'], RBAC, 'roles')],
  [
    'changer-of-shared-certificates',
    'a group changes kubeadm-certs',
    'P-139',
    named(rule(['update'], '', 'secrets'), 'kubeadm-certs'),
  ],
  [
    'changer-of-kubelet-config',
    'a group changes the configuration of kubelets',
    'P-139',
    named(rule(['update'], '', 'configmaps'), 'kubelet-config'),
  ],
  [
    'remover-of-configurations',
    'a group removes all ConfigMaps of kube-system at once',
    'P-139',
    rule(['deletecollection'], '', 'configmaps'),
  ],
  [
    'maker-of-tokens-of-accounts',
    'a group gets tokens of all accounts of kube-system',
    'P-140',
    rule(['create'], '', '*/token'),
  ],
];
const IN_KUBE_PUBLIC: readonly Right[] = [
  ['changer-of-cluster-info', 'a group changes every ConfigMap of kube-public', 'P-139', rule(['*'], '', 'configmaps')],
];

export const mutants: readonly Mutant[] = [
  ...IN_THE_CLUSTER.map(everywhere),
  ...BEFORE_THE_API.map(everywhere),
  ...[...IN_KUBE_SYSTEM, ...FOUND_IN_KUBE_SYSTEM, ...RUN_IN_KUBE_SYSTEM].map(within('kube-system')),
  finds('webhooks-of-all-accounts', 'all service accounts make webhooks', ['P-180'], (reference) =>
    allow(
      reference,
      'all-accounts',
      [rule(['create'], ADMISSION, 'validatingwebhookconfigurations')],
      group('system:serviceaccounts'),
    ),
  ),
  finds(
    'tokens-for-whoever-makes-a-pod',
    'the default account of a namespace makes Secrets of kube-system',
    ['P-450'],
    (reference) =>
      allowIn(
        reference,
        { namespace: 'kube-system', name: 'default-accounts' },
        [rule(['create'], '', 'secrets')],
        serviceAccount('default'),
      ),
  ),
  {
    name: 'programs-before-the-api',
    defect: 'an operator writes webhooks and runs DaemonSets, and a platform keeps its own',
    killedBy: [],
    strict: true,
    arrange: (reference) => {
      const keeps = [
        rule(['*'], ADMISSION, '*'),
        rule(['*'], 'apps', 'daemonsets'),
        rule(['*'], '', 'pods'),
        rule(['*'], '', 'pods/portforward'),
        rule(['*'], 'discovery.k8s.io', 'endpointslices'),
        rule(['update', 'patch', 'delete'], '', 'nodes'),
        rule(['*'], '', 'persistentvolumes'),
        rule(['*'], 'coordination.k8s.io', 'leases'),
      ];
      const programs = [
        serviceAccount('policy-operator'),
        user('eks:node-manager'),
        user('system:gke-common-webhooks'),
      ];
      allow(reference, 'policy-operator', keeps, ...programs);
      allow(reference, 'kube-apiserver-to-kubelet', [rule(['*'], '', 'nodes/proxy')], user('kubernetes'));
    },
  },
  ...IN_KUBE_PUBLIC.map(within('kube-public')),
  within('default')([
    'changer-of-the-api-servers-slice',
    'a group says in "default" where the API server is',
    'P-180',
    named(rule(['patch'], 'discovery.k8s.io', 'endpointslices'), 'kubernetes'),
  ]),
  {
    name: 'editor-of-default',
    defect: 'a group edits the namespace "default"',
    killedBy: [],
    strict: true,
    arrange: (reference) =>
      allowIn(
        reference,
        { namespace: 'default', name: 'editor' },
        [
          rule(['*'], '', 'pods', 'services', 'configmaps', 'secrets'),
          rule(['*'], 'apps', '*'),
          rule(['impersonate'], '', 'serviceaccounts'),
        ],
        OPS,
      ),
  },
  {
    name: 'cluster-wide-rights-in-a-namespace',
    defect: 'a role with rights on what stands in no namespace is bound in kube-system, which gives none of them',
    killedBy: [],
    strict: true,
    arrange: (reference) =>
      allowIn(
        reference,
        { namespace: 'kube-system', name: 'of-no-namespace' },
        [
          rule(['*'], '', 'nodes', 'nodes/status', 'nodes/proxy', 'persistentvolumes', 'users'),
          rule(['*'], ADMISSION, '*'),
          rule(['*'], CERTIFICATES, '*'),
        ],
        OPS,
      ),
  },
  ...[
    ['everything-admitted', 'AlwaysAdmit is on', '--enable-admission-plugins=NodeRestriction,AlwaysAdmit'],
    ['node-restriction-off', 'NodeRestriction is switched off', '--disable-admission-plugins=NodeRestriction'],
    ['approval-unguarded', 'CertificateApproval is switched off', '--disable-admission-plugins=CertificateApproval'],
    ['signing-unguarded', 'CertificateSigning is switched off', '--disable-admission-plugins=CertificateSigning'],
    [
      'subjects-unguarded',
      'CertificateSubjectRestriction is switched off',
      '--disable-admission-plugins=CertificateSubjectRestriction',
    ],
  ].map(
    ([name = '', defect = '', flag = '']): Mutant => ({
      name,
      defect,
      killedBy: ['P-144'],
      arrange: (reference) => addFlags(reference, 'kube-apiserver', (flags) => [...flags, flag]),
    }),
  ),
  finds('node-restriction-not-named', 'nobody names NodeRestriction', ['P-144'], (reference) =>
    addFlags(reference, 'kube-apiserver', (flags) =>
      flags.filter((text) => !text.startsWith('--enable-admission-plugins')),
    ),
  ),
  finds('account-of-cluster-admin', 'a service account may do everything', ['P-141'], (reference) =>
    bindCluster(reference, 'helper', 'cluster-admin', serviceAccount('default')),
  ),
  finds('account-named-like-a-controller', 'an account of ours is bound as controllers are', ['P-137'], (reference) =>
    allow(reference, 'system:controller:helper', [rule(['create'], '', 'secrets')], user('helper')),
  ),
  {
    name: 'signer-of-its-own',
    defect: 'an operator signs for signers of its own, and writes the status of requests',
    killedBy: [],
    strict: true,
    arrange: (reference) =>
      allow(
        reference,
        'own-signer',
        [
          rule(['get', 'list', 'watch', 'update'], CERTIFICATES, 'certificatesigningrequests'),
          rule(['update', 'patch'], CERTIFICATES, 'certificatesigningrequests/status'),
          named(rule(['sign'], CERTIFICATES, 'signers'), 'issuers.example.com/*'),
        ],
        serviceAccount('own-signer'),
      ),
  },
  {
    name: 'keeper-of-other-things',
    defect:
      'a group reads one Secret and the ConfigMaps of kube-system, and gets tokens of accounts and binds roles of its own',
    killedBy: [],
    strict: true,
    arrange: (reference) => {
      allowIn(
        reference,
        { namespace: 'kube-system', name: 'keeper' },
        [
          named(rule(['get', 'update'], '', 'secrets'), 'registry-credentials'),
          // a name decides nothing of what is made
          named(rule(['create'], '', 'secrets'), 'bootstrap-token-abcdef'),
          rule(['get', 'list'], '', 'configmaps'),
          named(rule(['update'], 'coordination.k8s.io', 'leases'), 'registry-leader'),
          // what it binds and acts as is its own
          named(rule(['create'], '', 'serviceaccounts/token'), 'registry-agent'),
        ],
        OPS,
      );
      allowIn(
        reference,
        { namespace: 'default', name: 'keeper' },
        [rule(['create'], '', 'serviceaccounts/token')],
        OPS,
      );
      allow(reference, 'binder-of-its-own', [named(rule(['bind'], RBAC, 'clusterroles'), 'registry-reader')], OPS);
    },
  },
];
