/** Defects of what tokens, nodes and strangers may do: roles and bindings at rest, and authorizers that look away. */
import type { PolicyRule } from '../kubernetes/objects.js';
import { resources } from '../kubernetes/resources.js';
import type { Reference } from '../reference/options.js';
import { allow, bindCluster, edit, editClusterRole, editSubjects, group, JOINING, rebind, user } from './arrange.js';
import type { Mutant } from './types.js';

const NODECLIENT = 'system:certificates.k8s.io:certificatesigningrequests:nodeclient';
const SELFNODECLIENT = 'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient';
const CERTIFICATES = 'certificates.k8s.io';
const joining = group(JOINING);
const rule = (verbs: readonly string[], apiGroup: string, ...names: readonly string[]): PolicyRule => ({
  verbs,
  apiGroups: [apiGroup],
  resources: names,
});

/** Tokens that may join are given something more, through a role of its own. */
const tokenMay = (
  name: string,
  defect: string,
  killedBy: readonly string[],
  ...rules: readonly PolicyRule[]
): Mutant => ({
  name,
  defect,
  killedBy,
  arrange: (reference) => allow(reference, 'helpful', rules, joining),
});

const arranged = (
  name: string,
  defect: string,
  killedBy: readonly string[],
  arrange: (reference: Reference) => void,
): Mutant => ({
  name,
  defect,
  killedBy,
  arrange,
});

const ROLES_AND_BINDINGS: readonly Mutant[] = [
  arranged(
    'bootstrapper-cannot-watch',
    'watch is missing from system:node-bootstrapper: the kubelet never sees its certificate',
    ['RBAC-001', 'CSR-010'],
    (reference) =>
      editClusterRole(reference, 'system:node-bootstrapper', () => [
        rule(['create', 'get', 'list'], CERTIFICATES, 'certificatesigningrequests'),
      ]),
  ),
  arranged(
    'bootstrapper-reads-secrets',
    'system:node-bootstrapper has an added rule that gets Secrets',
    ['RBAC-002', 'RBAC-030', 'LIM-004', 'LIM-005'],
    (reference) =>
      editClusterRole(reference, 'system:node-bootstrapper', (rules) => [...rules, rule(['get'], '', 'secrets')]),
  ),
  arranged(
    'bootstrapper-role-left-alone',
    'the annotation autoupdate is "false": a damaged role is not repaired',
    ['RBAC-003'],
    (reference) =>
      edit(reference, { resource: resources.clusterRoles, name: 'system:node-bootstrapper' }, (role) => ({
        ...role,
        metadata: { ...role.metadata, annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'false' } },
      })),
  ),
  arranged(
    'kubelets-are-administrators',
    'kubeadm:kubelet-bootstrap refers to cluster-admin',
    ['RBAC-004', 'RBAC-020', 'RBAC-030'],
    (reference) => rebind(reference, 'kubeadm:kubelet-bootstrap', 'cluster-admin'),
  ),
  arranged(
    'everybody-may-ask',
    'kubeadm:kubelet-bootstrap binds system:authenticated as well',
    ['RBAC-005'],
    (reference) =>
      editSubjects(reference, 'kubeadm:kubelet-bootstrap', (subjects) => [...subjects, group('system:authenticated')]),
  ),
  arranged(
    'service-accounts-may-ask',
    'a binding of its own lets every service account ask for node certificates',
    ['RBAC-005', 'RBAC-019'],
    (reference) => bindCluster(reference, 'operators', 'system:node-bootstrapper', group('system:serviceaccounts')),
  ),
  arranged(
    'nodeclient-approves',
    'the nodeclient role grants update on certificatesigningrequests/approval instead',
    ['RBAC-006', 'CSR-013'],
    (reference) =>
      editClusterRole(reference, NODECLIENT, () => [
        rule(['update'], CERTIFICATES, 'certificatesigningrequests/approval'),
      ]),
  ),
  arranged(
    'everybody-is-approved',
    'kubeadm:node-autoapprove-bootstrap binds system:authenticated as well',
    ['RBAC-007', 'CSR-014'],
    (reference) =>
      editSubjects(reference, 'kubeadm:node-autoapprove-bootstrap', (subjects) => [
        ...subjects,
        group('system:authenticated'),
      ]),
  ),
  arranged(
    'service-accounts-are-approved',
    'a binding of its own approves the requests of every service account',
    ['RBAC-007'],
    (reference) => bindCluster(reference, 'operators', NODECLIENT, group('system:serviceaccounts')),
  ),
  arranged(
    'selfnodeclient-is-nodeclient',
    'the selfnodeclient role grants nodeclient: a node gets certificates of other nodes',
    ['RBAC-008', 'RBAC-010'],
    (reference) =>
      editClusterRole(reference, SELFNODECLIENT, () => [
        rule(['create'], CERTIFICATES, 'certificatesigningrequests/nodeclient'),
      ]),
  ),
  arranged(
    'tokens-renew',
    'the rotation binding names the bootstrap group: renewals of nodes stay pending',
    ['RBAC-009', 'RBAC-010', 'RBAC-017', 'ROT-005'],
    (reference) => editSubjects(reference, 'kubeadm:node-autoapprove-certificate-rotation', () => [joining]),
  ),
  arranged(
    'nodes-bootstrap',
    'system:nodes is bound to the nodeclient role',
    ['RBAC-010', 'RBAC-007', 'NODE-007'],
    (reference) => bindCluster(reference, 'nodes-too', NODECLIENT, group('system:nodes')),
  ),
  arranged(
    'get-nodes-patches',
    'kubeadm:get-nodes grants get, list, watch and patch',
    ['RBAC-011', 'LIM-013', 'RBAC-030'],
    (reference) =>
      editClusterRole(reference, 'kubeadm:get-nodes', () => [rule(['get', 'list', 'watch', 'patch'], '', 'nodes')]),
  ),
  arranged(
    'get-nodes-unbound',
    'the binding kubeadm:get-nodes is missing: join ends with "cannot get Node"',
    ['RBAC-012', 'RBAC-013', 'RBAC-030'],
    (reference) => reference.api.delete(resources.clusterRoleBindings, undefined, 'kubeadm:get-nodes'),
  ),
  {
    name: 'binding-of-another-group',
    defect: 'subjects are stored in the API group rbac.authorization.k8s.io/v1',
    killedBy: ['RBAC-014'],
    options: {
      decisions: { subjectGroups: () => ['rbac.authorization.k8s.io', 'rbac.authorization.k8s.io/v1'] },
    },
    arrange: (reference) =>
      editSubjects(reference, 'kubeadm:get-nodes', () => [{ ...joining, apiGroup: 'rbac.authorization.k8s.io/v1' }]),
  },
  arranged(
    'binding-to-no-role',
    'kubeadm:node-autoapprove-bootstrap refers to …:nodeclients, which does not exist',
    ['RBAC-015', 'CSR-013'],
    (reference) => rebind(reference, 'kubeadm:node-autoapprove-bootstrap', `${NODECLIENT}s`),
  ),
  {
    name: 'rerun-keeps-drift',
    defect: 'a rerun of init takes AlreadyExists for success and keeps the drift',
    killedBy: ['RBAC-016'],
    options: { decisions: { onExisting: () => 'keep' } },
  },
  {
    name: 'approval-by-nobody',
    defect: 'the authorizer knows nothing of nodeclient and selfnodeclient: the permission is taken for an endpoint',
    killedBy: ['RBAC-017', 'CSR-028', 'CSR-013'],
    options: {
      decisions: {
        resourceMatches: (one, resource, subresource) =>
          !subresource.endsWith('nodeclient') && plainMatch(one, resource, subresource),
      },
    },
  },
  arranged(
    'token-of-an-unbound-group',
    'a token carries system:bootstrappers:default-node-token, the binding names …:kubeadm:default-node-token',
    ['RBAC-018'],
    (reference) => tokenSecret(reference, 'grpgrp', 'system:bootstrappers:default-node-token'),
  ),
  {
    name: 'nobody-may-bootstrap',
    defect: 'no binding at all lets bootstrappers ask for certificates',
    killedBy: ['RBAC-004', 'RBAC-005', 'CSR-009', 'CSR-028', 'RBAC-030'],
    arrange: (reference) => reference.api.delete(resources.clusterRoleBindings, undefined, 'kubeadm:kubelet-bootstrap'),
  },
  arranged(
    'stray-approver-binding',
    'kubeadm:node-certificate-approve binds the bootstrap group to cluster-admin',
    ['RBAC-020', 'RBAC-030', 'LIM-001', 'LIM-010'],
    (reference) => bindCluster(reference, 'kubeadm:node-certificate-approve', 'cluster-admin', joining),
  ),
  arranged(
    'strangers-are-administrators',
    'cluster-admin is bound to system:anonymous for testing',
    ['RBAC-021', 'LIM-020'],
    (reference) => bindCluster(reference, 'testing', 'cluster-admin', user('system:anonymous')),
  ),
  arranged(
    'strangers-see-discovery',
    'system:discovery is bound to system:unauthenticated, as before 1.14',
    ['RBAC-021'],
    (reference) =>
      editSubjects(reference, 'system:discovery', (subjects) => [...subjects, group('system:unauthenticated')]),
  ),
  arranged(
    'kube-proxy-role-of-all-names',
    'the Role kube-proxy names no resource: all ConfigMaps of kube-system are readable',
    ['RBAC-024', 'RBAC-030', 'LIM-012'],
    (reference) =>
      edit(reference, { resource: resources.roles, namespace: 'kube-system', name: 'kube-proxy' }, (role) => ({
        ...role,
        rules: [rule(['get'], '', 'configmaps')],
      })),
  ),
  arranged(
    'masters-unbound',
    'the default binding of system:masters to cluster-admin has lost its subject',
    ['RBAC-028'],
    (reference) => editSubjects(reference, 'cluster-admin', () => []),
  ),
  arranged('scheduler-is-administrator', 'system:kube-scheduler is bound to cluster-admin', ['RBAC-029'], (reference) =>
    bindCluster(reference, 'scheduler-fix', 'cluster-admin', user('system:kube-scheduler')),
  ),
  arranged(
    'kubelet-config-for-nodes-only',
    'the Role kubeadm:kubelet-config is bound to system:nodes only',
    ['RBAC-022', 'RBAC-030'],
    (reference) =>
      edit(
        reference,
        { resource: resources.roleBindings, namespace: 'kube-system', name: 'kubeadm:kubelet-config' },
        (binding) => ({ ...binding, subjects: [group('system:nodes')] }),
      ),
  ),
  arranged(
    'kubeadm-config-for-nodes-only',
    'the Role kubeadm:nodes-kubeadm-config is bound to system:nodes only',
    ['RBAC-023', 'RBAC-030'],
    (reference) =>
      edit(
        reference,
        { resource: resources.roleBindings, namespace: 'kube-system', name: 'kubeadm:nodes-kubeadm-config' },
        (binding) => ({ ...binding, subjects: [group('system:nodes')] }),
      ),
  ),
  arranged(
    'token-group-edits',
    'the bootstrap group is bound to edit, so that a script may label nodes',
    ['RBAC-030', 'RBAC-020', 'LIM-001', 'LIM-002', 'LIM-003'],
    (reference) => bindCluster(reference, 'label-script', 'edit', joining),
  ),
  arranged(
    'all-authenticated-view',
    'view is bound to system:authenticated, which reaches every bootstrapper and node',
    ['RBAC-030', 'NODE-007', 'LIM-012'],
    (reference) => bindCluster(reference, 'everybody-views', 'view', group('system:authenticated')),
  ),
];

const plainMatch = (one: PolicyRule, resource: string, subresource: string): boolean =>
  (one.resources ?? []).some(
    (name) =>
      name === '*' ||
      name === (subresource === '' ? resource : `${resource}/${subresource}`) ||
      (subresource !== '' && name === `*/${subresource}`),
  );

const TOKENS: readonly Mutant[] = [
  tokenMay(
    'token-starts-pods',
    'a join token can start a privileged Pod',
    ['LIM-001', 'RBAC-030'],
    rule(['create'], '', 'pods'),
  ),
  tokenMay(
    'token-patches-services',
    'a token can redirect the traffic of Services',
    ['LIM-002', 'RBAC-030'],
    rule(['patch'], '', 'services'),
  ),
  tokenMay(
    'token-runs-workloads',
    'workload rights granted through a wildcard rule on apps',
    ['LIM-003', 'RBAC-030'],
    rule(['*'], 'apps', '*'),
  ),
  tokenMay(
    'token-reads-secrets',
    'a role grants get on Secrets without resourceNames',
    ['LIM-004', 'LIM-005', 'RBAC-030'],
    rule(['get', 'list'], '', 'secrets'),
  ),
  tokenMay(
    'token-prolongs-itself',
    'a token can patch Secrets, its own expiration too',
    ['LIM-006', 'RBAC-030'],
    rule(['patch'], '', 'secrets'),
  ),
  tokenMay(
    'token-approves',
    'a token can approve its own request',
    ['LIM-007', 'RBAC-030'],
    rule(['update'], CERTIFICATES, 'certificatesigningrequests/approval'),
    rule(['approve'], CERTIFICATES, 'signers'),
  ),
  tokenMay(
    'token-issues',
    'a token can write the status of requests',
    ['LIM-008', 'RBAC-030'],
    rule(['update'], CERTIFICATES, 'certificatesigningrequests/status'),
    rule(['sign'], CERTIFICATES, 'signers'),
  ),
  tokenMay(
    'token-removes-requests',
    'a ClusterRole with all verbs: a token removes the requests of others',
    ['LIM-009', 'RBAC-030'],
    rule(['*'], CERTIFICATES, 'certificatesigningrequests'),
  ),
  tokenMay(
    'token-binds',
    'a token binds its own group to cluster-admin',
    ['LIM-010', 'RBAC-030'],
    rule(['create'], 'rbac.authorization.k8s.io', 'clusterrolebindings'),
  ),
  tokenMay(
    'token-poisons-kubelet-config',
    'a token holder changes kubelet-config for all later nodes',
    ['LIM-011', 'RBAC-030'],
    rule(['patch'], '', 'configmaps'),
  ),
  tokenMay(
    'token-lists-config-maps',
    'a role on ConfigMaps without resourceNames',
    ['LIM-012', 'RBAC-030'],
    rule(['get', 'list'], '', 'configmaps'),
  ),
  tokenMay(
    'token-registers-nodes',
    'a Node is registered with the bootstrap identity',
    ['LIM-013', 'BOOT-014', 'RBAC-030'],
    rule(['create', 'patch'], '', 'nodes', 'nodes/status'),
  ),
  tokenMay(
    'token-reaches-kubelets',
    'the kubelet API of the control plane is open to any joiner',
    ['LIM-014', 'RBAC-030'],
    rule(['get', 'create'], '', 'nodes/proxy'),
  ),
  tokenMay(
    'token-impersonates',
    'a token may impersonate users and groups',
    ['LIM-015', 'RBAC-030'],
    rule(['impersonate'], '', 'users', 'groups', 'serviceaccounts'),
  ),
  tokenMay(
    'token-trades-itself',
    'a token gets tokens of service accounts',
    ['LIM-016', 'RBAC-030'],
    rule(['create'], '', 'serviceaccounts/token'),
  ),
  tokenMay(
    'token-hooks-in',
    'a rule on admissionregistration.k8s.io',
    ['LIM-019', 'RBAC-030'],
    rule(['*'], 'admissionregistration.k8s.io', '*'),
  ),
  {
    name: 'approver-looks-at-requester',
    defect: 'the approver looks at the group of the requester only',
    killedBy: ['LIM-017', 'CSR-036', 'CSR-037'],
    options: {
      decisions: { approvalRights: () => ['nodeclient'], approvalNeedsSignerRight: () => false },
    },
  },
  {
    name: 'approver-serves',
    defect: 'serving requests of bootstrap tokens are approved: a token holder can pose as any kubelet',
    killedBy: ['LIM-018', 'SRV-012'],
    options: {
      decisions: { approvalRights: () => ['selfnodeclient', 'nodeclient'], approvalNeedsSignerRight: () => false },
    },
  },
  arranged(
    'strangers-ask',
    'system:node-bootstrapper is bound to system:unauthenticated',
    ['LIM-020', 'RBAC-021'],
    (reference) => bindCluster(reference, 'open-join', 'system:node-bootstrapper', group('system:unauthenticated')),
  ),
];

const allowAll: Mutant = {
  name: 'always-allow',
  defect: 'the authorizer allows everything, as --authorization-mode=AlwaysAllow does',
  killedBy: ['RBAC-025', 'RBAC-027', 'LIM-001', 'LIM-004', 'LIM-010', 'NODE-008', 'CSR-012'],
  options: {
    decisions: {
      verbMatches: () => true,
      groupMatches: () => true,
      resourceMatches: () => true,
      resourceNameMatches: () => true,
    },
  },
};

const NODES: readonly Mutant[] = [
  {
    name: 'no-node-authorizer',
    defect: 'RBAC only, with system:node bound to system:nodes',
    killedBy: ['RBAC-026', 'NODE-008', 'NODE-007'],
    options: { decisions: { nodeOf: () => undefined } },
    arrange: (reference) => editSubjects(reference, 'system:node', () => [group('system:nodes')]),
  },
  {
    name: 'nodes-unknown',
    defect: 'the Node authorizer is missing and no role is bound: Pods stay pending, Nodes turn NotReady',
    killedBy: ['NODE-001', 'NODE-002', 'NODE-003', 'RBAC-026', 'BOOT-012'],
    options: { decisions: { nodeOf: () => undefined } },
  },
  {
    name: 'nodes-report-no-status',
    defect: 'a node may not write the status of its Node',
    killedBy: ['NODE-002', 'LIM-021'],
    options: {
      decisions: {
        nodeOnNode: ({ attributes }) => (attributes.subresource === 'status' ? 'can only read nodes' : true),
      },
    },
  },
  {
    name: 'nodes-tell-no-events',
    defect: 'a node may not create Events',
    killedBy: ['NODE-003'],
    options: {
      decisions: {
        nodeStaticRules: (rules) => rules.filter(({ resources: names }) => !(names ?? []).includes('events')),
      },
    },
  },
  {
    name: 'no-node-restriction',
    defect: 'one compromised node marks all others NotReady',
    killedBy: ['NODE-006'],
    options: { decisions: { nodeMayWriteNode: () => true, nodeMayTouchPod: () => true, nodeMayUseLabel: () => true } },
  },
  {
    name: 'nodes-label-themselves',
    defect: 'a node gives itself a label of node-restriction.kubernetes.io',
    killedBy: ['NODE-006'],
    options: { decisions: { nodeMayUseLabel: () => true } },
  },
  arranged('nodes-are-administrators', 'system:nodes is bound to cluster-admin', ['NODE-007'], (reference) =>
    bindCluster(reference, 'nodes-admin', 'cluster-admin', group('system:nodes')),
  ),
  {
    name: 'nodes-read-all-secrets',
    defect: 'a node reads Secrets that none of its Pods uses',
    killedBy: ['NODE-008'],
    options: { decisions: { nodeOnSecret: () => true } },
  },
  {
    name: 'nodes-list-all-pods',
    defect: 'a node lists the Pods of all nodes',
    killedBy: ['NODE-001'],
    options: { decisions: { nodeReadsOnlyItsOwn: () => false } },
  },
];

function tokenSecret(reference: Reference, id: string, groups: string): void {
  const encode = (text: string): string => Buffer.from(text).toString('base64');
  reference.api.create(resources.secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `bootstrap-token-${id}`, namespace: 'kube-system' },
    type: 'bootstrap.kubernetes.io/token',
    data: {
      'token-id': encode(id),
      'token-secret': encode('q1w2e3r4t5y6u7i8'),
      'usage-bootstrap-authentication': encode('true'),
      'auth-extra-groups': encode(groups),
      expiration: encode(new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+Z$/, 'Z')),
    },
  });
}

const SINGLE: readonly Mutant[] = [
  arranged('one-node-is-administrator', 'one node by its name is bound to cluster-admin', ['NODE-007'], (reference) =>
    bindCluster(reference, 'worker-1-admin', 'cluster-admin', user('system:node:worker-1')),
  ),
  arranged('one-token-reads-secrets', 'one token by its name may read Secrets', ['RBAC-030', 'RBAC-020'], (reference) =>
    allow(reference, 'helpful-token', [rule(['get'], '', 'secrets')], user('system:bootstrap:abcdef')),
  ),
  arranged(
    'token-of-half-the-rights',
    'the group of a token is bound to kubeadm:get-nodes only: a join with it ends with 403',
    ['RBAC-018'],
    (reference) => {
      tokenSecret(reference, 'halfhf', 'system:bootstrappers:half');
      bindCluster(reference, 'half', 'kubeadm:get-nodes', group('system:bootstrappers:half'));
    },
  ),
  arranged(
    'another-bootstrap-group',
    'another bootstrap group is bound to edit',
    ['RBAC-030', 'RBAC-020'],
    (reference) => bindCluster(reference, 'workers', 'edit', group('system:bootstrappers:worker')),
  ),
];

const HARMLESS: readonly Mutant[] = [
  {
    name: 'harmless-other-names',
    defect: 'none: the bindings of a cluster that kubeadm did not make, beside kubeadm’s own',
    killedBy: [],
    arrange: (reference) =>
      bindCluster(reference, 'create-csrs-for-bootstrapping', 'system:node-bootstrapper', group(JOINING)),
  },
  {
    name: 'harmless-distribution',
    defect: 'none: a public binding that a distribution is known to add',
    killedBy: [],
    arrange: (reference) =>
      allow(
        reference,
        'system:openshift:public-info-viewer',
        [{ verbs: ['get'], nonResourceURLs: ['/.well-known', '/.well-known/*'] }],
        group('system:authenticated'),
        group('system:unauthenticated'),
      ),
  },
  {
    name: 'harmless-bound-people',
    defect: 'none: people and service accounts with roles of their own',
    killedBy: [],
    arrange: (reference) => {
      bindCluster(reference, 'jane', 'cluster-admin', user('jane'));
      bindCluster(reference, 'developers', 'edit', group('developers'));
      allow(
        reference,
        'approvers',
        [rule(['update'], CERTIFICATES, 'certificatesigningrequests/approval')],
        group('approvers'),
      );
    },
  },
];

export const mutants: readonly Mutant[] = [
  ...ROLES_AND_BINDINGS,
  ...TOKENS,
  allowAll,
  ...NODES,
  ...SINGLE,
  ...HARMLESS,
];
