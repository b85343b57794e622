/** Defects of many roles and bindings at once, and grants that only look harmless. */
import type { Binding, PolicyRule, Role, Subject } from '../kubernetes/objects.js';
import { type Resource, resources } from '../kubernetes/resources.js';
import type { Reference } from '../reference/options.js';
import {
  ALL_RIGHTS,
  allow,
  bindCluster,
  edit,
  editClusterRole,
  editSubjects,
  finds,
  group,
  JOINING,
  joining,
  rebind,
  rule,
  serviceAccount,
  user,
} from './arrange.js';
import type { Mutant } from './types.js';

const RBAC = 'rbac.authorization.k8s.io';
const CERTIFICATES = 'certificates.k8s.io';
const REQUESTS = 'system:certificates.k8s.io:certificatesigningrequests';
const BINDINGS = [resources.clusterRoleBindings, resources.roleBindings];

/** A Role of its own in a namespace, bound to the subjects there. */
function allowIn(
  reference: Reference,
  namespace: string,
  rules: readonly PolicyRule[],
  ...subjects: readonly Subject[]
): void {
  const metadata = { name: `helpful-in-${namespace}`, namespace };
  reference.api.create(resources.roles, { apiVersion: `${RBAC}/v1`, kind: 'Role', metadata, rules });
  reference.api.create(resources.roleBindings, {
    apiVersion: `${RBAC}/v1`,
    kind: 'RoleBinding',
    metadata,
    subjects,
    roleRef: { apiGroup: RBAC, kind: 'Role', name: metadata.name },
  });
}

const everyBinding = (reference: Reference, change: (binding: Binding) => Binding): void => {
  for (const resource of BINDINGS)
    for (const { metadata } of reference.api.list(resource))
      edit<Binding>(reference, { resource, name: metadata.name ?? '', ...placed(metadata.namespace) }, change);
};
const placed = (namespace: string | undefined): { readonly namespace?: string } =>
  namespace === undefined ? {} : { namespace };

/** Roles that joining machines, nodes and strangers are bound to. */
const ROLES: readonly (readonly [Resource, string, string?])[] = [
  ...['system:node-bootstrapper', 'kubeadm:get-nodes', 'system:public-info-viewer'].map(
    (name) => [resources.clusterRoles, name] as const,
  ),
  ...['nodeclient', 'selfnodeclient'].map((name) => [resources.clusterRoles, `${REQUESTS}:${name}`] as const),
  [resources.roles, 'kubeadm:bootstrap-signer-clusterinfo', 'kube-public'],
  ...['kube-proxy', 'kubeadm:kubeadm-certs', 'kubeadm:kubelet-config', 'kubeadm:nodes-kubeadm-config'].map(
    (name) => [resources.roles, name, 'kube-system'] as const,
  ),
];

const JOIN_BINDINGS = [
  'kubeadm:kubelet-bootstrap',
  'kubeadm:node-autoapprove-bootstrap',
  'kubeadm:node-autoapprove-certificate-rotation',
  'kubeadm:get-nodes',
];
const COMPONENT_BINDINGS = ['system:kube-controller-manager', 'system:kube-scheduler'];

const BROKEN: readonly Mutant[] = [
  finds(
    'roles-are-gone',
    'somebody has deleted the roles of joining, and left their bindings',
    ['RBAC-001', 'RBAC-003', 'RBAC-006', 'RBAC-008', 'RBAC-011', 'RBAC-015'],
    (reference) => {
      for (const [resource, name, namespace] of ROLES) reference.api.delete(resource, namespace, name);
    },
  ),
  finds(
    'roles-are-empty',
    'somebody has emptied the roles of joining, and taken their marks away',
    ['RBAC-001', 'RBAC-003', 'RBAC-006', 'RBAC-008', 'RBAC-011', 'RBAC-024', 'RBAC-030'],
    (reference) => {
      for (const [resource, name, namespace] of ROLES)
        edit<Role>(reference, { resource, name, ...placed(namespace) }, (role) => ({
          ...role,
          metadata: { ...role.metadata, labels: {}, annotations: {} },
          rules: [],
        }));
    },
  ),
  finds(
    'bindings-refer-elsewhere',
    'the bindings of joining and of the components refer to the role view',
    ['RBAC-004', 'RBAC-007', 'RBAC-009', 'RBAC-012', 'RBAC-020', 'RBAC-028', 'RBAC-029'],
    (reference) => {
      for (const name of [...JOIN_BINDINGS, 'cluster-admin', ...COMPONENT_BINDINGS]) rebind(reference, name, 'view');
    },
  ),
  finds(
    'bindings-are-gone',
    'somebody has deleted the bindings of joining and of the components',
    ['RBAC-004', 'RBAC-005', 'RBAC-007', 'RBAC-009', 'RBAC-012', 'RBAC-028', 'RBAC-029', 'RBAC-030'],
    (reference) => {
      for (const name of [...JOIN_BINDINGS, 'cluster-admin', ...COMPONENT_BINDINGS])
        reference.api.delete(resources.clusterRoleBindings, undefined, name);
    },
  ),
  finds(
    'bindings-bind-people-too',
    'the bindings of joining name people and service accounts as well',
    ['RBAC-005', 'RBAC-007', 'RBAC-009', 'RBAC-012', 'INFO-016'],
    (reference) => {
      for (const name of JOIN_BINDINGS)
        editSubjects(reference, name, (subjects) => [...subjects, user('jane'), serviceAccount('default')]);
      edit<Binding>(
        reference,
        {
          resource: resources.roleBindings,
          namespace: 'kube-public',
          name: 'kubeadm:bootstrap-signer-clusterinfo',
        },
        (binding) => ({ ...binding, subjects: [...(binding.subjects ?? []), user('jane')] }),
      );
    },
  ),
  finds(
    'components-are-administrators',
    'both components are bound to cluster-admin, and no longer to their roles',
    ['RBAC-029'],
    (reference) => {
      for (const name of COMPONENT_BINDINGS) editSubjects(reference, name, () => []);
      bindCluster(
        reference,
        'component-fix',
        'cluster-admin',
        user('system:kube-controller-manager'),
        user('system:kube-scheduler'),
      );
    },
  ),
  {
    name: 'bindings-of-another-group',
    defect: 'subjects of every binding are stored in the API group rbac.authorization.k8s.io/v1',
    killedBy: ['RBAC-014'],
    options: { decisions: { subjectGroups: () => [RBAC, `${RBAC}/v1`] } },
    arrange: (reference) =>
      everyBinding(reference, (binding) => ({
        ...binding,
        subjects: (binding.subjects ?? []).map((subject) =>
          subject.kind === 'ServiceAccount' ? subject : { ...subject, apiGroup: `${RBAC}/v1` },
        ),
      })),
  },
  {
    name: 'flags-allow-everything',
    defect: 'the static Pod of the API server says --authorization-mode=AlwaysAllow',
    killedBy: ['RBAC-025', 'RBAC-026'],
    options: { extraArgs: { 'kube-apiserver': { 'authorization-mode': 'AlwaysAllow' } } },
  },
];

const HIDDEN: readonly Mutant[] = [
  finds(
    'rights-in-one-namespace',
    'a Role in a namespace of its own opens one thing to tokens, to nodes and to everybody',
    ['RBAC-020', 'RBAC-021', 'RBAC-030', 'NODE-007'],
    (reference) => {
      allowIn(reference, 'default', [rule(['list'], '', 'events')], joining, group('system:nodes'));
      allowIn(reference, 'kube-node-lease', [rule(['get'], '', 'pods')], group('system:unauthenticated'));
    },
  ),
  finds(
    'rights-by-wildcards',
    'a ClusterRole of wildcards on subresources and groups is bound to one token, one node and strangers',
    ['RBAC-020', 'RBAC-021', 'RBAC-030', 'NODE-007'],
    (reference) =>
      allow(
        reference,
        'helpful-wildcards',
        [
          { verbs: ['patch'], apiGroups: ['*'], resources: ['*/scale'] },
          { verbs: ['get'], nonResourceURLs: ['/*'] },
        ],
        user('system:bootstrap:abcdef'),
        user('system:node:worker-1'),
        user('system:anonymous'),
      ),
  ),
  finds(
    'rights-by-aggregation',
    'system:node-bootstrapper gathers the rules of every role that edits',
    ['RBAC-002', 'RBAC-030'],
    (reference) => {
      edit<Role>(reference, { resource: resources.clusterRoles, name: 'system:node-bootstrapper' }, (role) => ({
        ...role,
        aggregationRule: {
          clusterRoleSelectors: [{ matchLabels: { 'rbac.authorization.k8s.io/aggregate-to-edit': 'true' } }],
        },
      }));
    },
  ),
  finds(
    'known-addition-grants-more',
    'the binding that OpenShift adds for strangers opens /metrics and the Nodes as well',
    ['RBAC-021', 'RBAC-030', 'NODE-007', 'INFO-017'],
    (reference) =>
      allow(
        reference,
        'system:openshift:public-info-viewer',
        [{ verbs: ['get'], nonResourceURLs: ['/.well-known', '/metrics'] }, rule(['get'], '', 'nodes/metrics')],
        group('system:authenticated'),
        group('system:unauthenticated'),
      ),
  ),
  finds(
    'known-addition-for-others',
    'the binding that OpenShift adds names the group of tokens as well',
    ['RBAC-020'],
    (reference) =>
      allow(
        reference,
        'system:openshift:public-info-viewer',
        [{ verbs: ['get'], nonResourceURLs: ['/.well-known'] }],
        joining,
      ),
  ),
  finds(
    'everybody-may-do-one-thing-more',
    'system:basic-user, which everybody is bound to, grants the creation of TokenReviews and the reading of metrics',
    ['RBAC-030', 'NODE-007', 'RBAC-025'],
    (reference) =>
      editClusterRole(reference, 'system:basic-user', (rules) => [
        ...rules,
        rule(['create'], 'authentication.k8s.io', 'tokenreviews', 'selfsubjectaccessreviews'),
        { verbs: ['get'], nonResourceURLs: ['/metrics'] },
      ]),
  ),
  finds(
    'nodes-renew-and-more',
    'the role for renewals lets nodes create approvals and sign as well',
    ['RBAC-008', 'NODE-007'],
    (reference) =>
      editClusterRole(reference, `${REQUESTS}:selfnodeclient`, (rules) => [
        ...rules,
        rule(['update'], CERTIFICATES, 'certificatesigningrequests/approval'),
        rule(['approve', 'sign'], CERTIFICATES, 'signers'),
      ]),
  ),
  finds(
    'nodes-do-everything-cluster-wide',
    'a role with all verbs on everything is bound to the nodes',
    ['NODE-007', 'NODE-008', 'NODE-006', 'P-71'],
    (reference) => allow(reference, 'nodes-may', ALL_RIGHTS, group('system:nodes')),
  ),
  finds(
    'another-role-for-joining',
    'a role of its own that lets everybody ask for certificates and have them approved',
    ['RBAC-005', 'RBAC-007', 'RBAC-010', 'RBAC-030', 'NODE-007'],
    (reference) =>
      allow(
        reference,
        'open-join',
        [
          rule(['create'], CERTIFICATES, 'certificatesigningrequests', 'certificatesigningrequests/nodeclient'),
          rule(['create'], CERTIFICATES, 'certificatesigningrequests/selfnodeclient'),
        ],
        group('system:authenticated'),
      ),
  ),
  finds(
    'half-of-joining-only',
    `the group of joining may read the configurations, and not ask for a certificate`,
    ['RBAC-018', 'RBAC-004'],
    (reference) => {
      reference.api.delete(resources.clusterRoleBindings, undefined, 'kubeadm:kubelet-bootstrap');
      reference.api.delete(resources.clusterRoleBindings, undefined, 'kubeadm:node-autoapprove-bootstrap');
      reference.api.delete(resources.clusterRoleBindings, undefined, 'kubeadm:get-nodes');
    },
  ),
  finds(
    'joining-by-its-user-name',
    'the binding names a user of the name of the group',
    ['RBAC-005', 'RBAC-018', 'RBAC-019'],
    (reference) => editSubjects(reference, 'kubeadm:kubelet-bootstrap', () => [user(JOINING), group('developers')]),
  ),
];

export const mutants: readonly Mutant[] = [...BROKEN, ...HIDDEN];
