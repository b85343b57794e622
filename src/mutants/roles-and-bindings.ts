/** Defects of the roles and bindings that let machines join, as they stand in a cluster. */
import type { PolicyRule } from '../kubernetes/objects.js';
import { resources } from '../kubernetes/resources.js';
import {
  bindCluster,
  edit,
  editClusterRole,
  editSubjects,
  finds,
  group,
  joining,
  rebind,
  rule,
  user,
} from './arrange.js';
import { addLoginToken } from './tokens-at-rest.js';
import type { Mutant } from './types.js';

const NODECLIENT = 'system:certificates.k8s.io:certificatesigningrequests:nodeclient';
const SELFNODECLIENT = 'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient';
const CERTIFICATES = 'certificates.k8s.io';

const plainMatch = (one: PolicyRule, resource: string, subresource: string): boolean =>
  (one.resources ?? []).some(
    (name) =>
      name === '*' ||
      name === (subresource === '' ? resource : `${resource}/${subresource}`) ||
      (subresource !== '' && name === `*/${subresource}`),
  );

export const mutants: readonly Mutant[] = [
  finds(
    'bootstrapper-cannot-watch',
    'watch is missing from system:node-bootstrapper: the kubelet never sees its certificate',
    ['RBAC-001', 'CSR-010', 'BOOT-014'],
    (reference) =>
      editClusterRole(reference, 'system:node-bootstrapper', () => [
        rule(['create', 'get', 'list'], CERTIFICATES, 'certificatesigningrequests'),
      ]),
  ),
  finds(
    'bootstrapper-reads-secrets',
    'system:node-bootstrapper has an added rule that gets Secrets',
    ['RBAC-002', 'RBAC-030', 'LIM-004', 'LIM-005'],
    (reference) =>
      editClusterRole(reference, 'system:node-bootstrapper', (rules) => [...rules, rule(['get'], '', 'secrets')]),
  ),
  finds(
    'bootstrapper-role-left-alone',
    'the annotation autoupdate is "false": a damaged role is not repaired',
    ['RBAC-003'],
    (reference) =>
      edit(reference, { resource: resources.clusterRoles, name: 'system:node-bootstrapper' }, (role) => ({
        ...role,
        metadata: { ...role.metadata, annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'false' } },
      })),
  ),
  finds(
    'kubelets-are-administrators',
    'kubeadm:kubelet-bootstrap refers to cluster-admin',
    ['RBAC-004', 'RBAC-020', 'RBAC-030'],
    (reference) => rebind(reference, 'kubeadm:kubelet-bootstrap', 'cluster-admin'),
  ),
  finds(
    'everybody-may-ask',
    'kubeadm:kubelet-bootstrap binds system:authenticated as well',
    ['RBAC-005'],
    (reference) =>
      editSubjects(reference, 'kubeadm:kubelet-bootstrap', (subjects) => [...subjects, group('system:authenticated')]),
  ),
  finds(
    'service-accounts-may-ask',
    'a binding of its own lets every service account ask for node certificates',
    ['RBAC-005', 'RBAC-019'],
    (reference) => bindCluster(reference, 'operators', 'system:node-bootstrapper', group('system:serviceaccounts')),
  ),
  finds(
    'nodeclient-approves',
    'the nodeclient role grants update on certificatesigningrequests/approval instead',
    ['RBAC-006', 'CSR-013'],
    (reference) =>
      editClusterRole(reference, NODECLIENT, () => [
        rule(['update'], CERTIFICATES, 'certificatesigningrequests/approval'),
      ]),
  ),
  finds(
    'everybody-is-approved',
    'kubeadm:node-autoapprove-bootstrap binds system:authenticated as well',
    ['RBAC-007', 'CSR-014'],
    (reference) =>
      editSubjects(reference, 'kubeadm:node-autoapprove-bootstrap', (subjects) => [
        ...subjects,
        group('system:authenticated'),
      ]),
  ),
  finds(
    'service-accounts-are-approved',
    'a binding of its own approves the requests of every service account',
    ['RBAC-007'],
    (reference) => bindCluster(reference, 'operators', NODECLIENT, group('system:serviceaccounts')),
  ),
  finds(
    'selfnodeclient-is-nodeclient',
    'the selfnodeclient role grants nodeclient: a node gets certificates of other nodes',
    ['RBAC-008', 'RBAC-010'],
    (reference) =>
      editClusterRole(reference, SELFNODECLIENT, () => [
        rule(['create'], CERTIFICATES, 'certificatesigningrequests/nodeclient'),
      ]),
  ),
  finds(
    'tokens-renew',
    'the rotation binding names the bootstrap group: renewals of nodes stay pending',
    ['RBAC-009', 'RBAC-010', 'RBAC-017', 'ROT-005'],
    (reference) => editSubjects(reference, 'kubeadm:node-autoapprove-certificate-rotation', () => [joining]),
  ),
  finds(
    'nodes-bootstrap',
    'system:nodes is bound to the nodeclient role',
    ['RBAC-010', 'RBAC-007', 'NODE-007'],
    (reference) => bindCluster(reference, 'nodes-too', NODECLIENT, group('system:nodes')),
  ),
  finds(
    'get-nodes-patches',
    'kubeadm:get-nodes grants get, list, watch and patch',
    ['RBAC-011', 'LIM-013', 'RBAC-030'],
    (reference) =>
      editClusterRole(reference, 'kubeadm:get-nodes', () => [rule(['get', 'list', 'watch', 'patch'], '', 'nodes')]),
  ),
  finds(
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
  finds(
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
    name: 'rerun-repairs-one-binding',
    defect: 'a rerun of init repairs the binding that lets machines ask, and no other',
    killedBy: ['RBAC-016'],
    options: {
      decisions: { onExisting: ({ metadata }) => (metadata.name === 'kubeadm:kubelet-bootstrap' ? 'update' : 'keep') },
    },
  },
  {
    name: 'rerun-forgets-one-binding',
    defect: 'a rerun of init repairs every binding but that of renewals',
    killedBy: ['RBAC-016'],
    options: {
      decisions: {
        onExisting: ({ metadata }) =>
          metadata.name === 'kubeadm:node-autoapprove-certificate-rotation' ? 'keep' : 'update',
      },
    },
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
  finds(
    'token-of-an-unbound-group',
    'a token carries system:bootstrappers:default-node-token, the binding names …:kubeadm:default-node-token',
    ['RBAC-018'],
    (reference) => addLoginToken(reference, 'grpgrp', 'system:bootstrappers:default-node-token'),
  ),
  {
    name: 'nobody-may-bootstrap',
    defect: 'no binding at all lets bootstrappers ask for certificates',
    killedBy: ['RBAC-004', 'RBAC-005', 'CSR-009', 'CSR-028', 'RBAC-030'],
    arrange: (reference) => reference.api.delete(resources.clusterRoleBindings, undefined, 'kubeadm:kubelet-bootstrap'),
  },
  finds(
    'stray-approver-binding',
    'kubeadm:node-certificate-approve binds the bootstrap group to cluster-admin',
    ['RBAC-020', 'RBAC-030', 'LIM-001', 'LIM-010'],
    (reference) => bindCluster(reference, 'kubeadm:node-certificate-approve', 'cluster-admin', joining),
  ),
  finds(
    'strangers-are-administrators',
    'cluster-admin is bound to system:anonymous for testing',
    ['RBAC-021', 'LIM-020'],
    (reference) => bindCluster(reference, 'testing', 'cluster-admin', user('system:anonymous')),
  ),
  finds(
    'strangers-see-discovery',
    'system:discovery is bound to system:unauthenticated, as before 1.14',
    ['RBAC-021'],
    (reference) =>
      editSubjects(reference, 'system:discovery', (subjects) => [...subjects, group('system:unauthenticated')]),
  ),
  finds(
    'kube-proxy-role-of-all-names',
    'the Role kube-proxy names no resource: all ConfigMaps of kube-system are readable',
    ['RBAC-024', 'RBAC-030', 'LIM-012'],
    (reference) =>
      edit(reference, { resource: resources.roles, namespace: 'kube-system', name: 'kube-proxy' }, (role) => ({
        ...role,
        rules: [rule(['get'], '', 'configmaps')],
      })),
  ),
  finds(
    'masters-unbound',
    'the default binding of system:masters to cluster-admin has lost its subject',
    ['RBAC-028'],
    (reference) => editSubjects(reference, 'cluster-admin', () => []),
  ),
  finds('components-hold-everything', 'both components are bound to cluster-admin as well', ['RBAC-029'], (reference) =>
    bindCluster(
      reference,
      'component-fix',
      'cluster-admin',
      user('system:kube-controller-manager'),
      user('system:kube-scheduler'),
    ),
  ),
  finds(
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
  finds('kubeadm-config-is-gone', 'somebody has deleted the ConfigMap kubeadm-config', ['RBAC-023'], (reference) =>
    reference.api.delete(resources.configMaps, 'kube-system', 'kubeadm-config'),
  ),
  finds(
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
  finds(
    'kubeadm-config-for-tokens-only',
    'the Role kubeadm:nodes-kubeadm-config is bound to the group of tokens only',
    ['RBAC-023', 'P-451'],
    (reference) =>
      edit(
        reference,
        { resource: resources.roleBindings, namespace: 'kube-system', name: 'kubeadm:nodes-kubeadm-config' },
        (binding) => ({ ...binding, subjects: [joining] }),
      ),
  ),
  finds(
    'kubelet-config-for-tokens-only',
    'the Role kubeadm:kubelet-config is bound to the group of tokens, and to a user called system:nodes',
    ['P-451'],
    (reference) =>
      edit(
        reference,
        { resource: resources.roleBindings, namespace: 'kube-system', name: 'kubeadm:kubelet-config' },
        (binding) => ({ ...binding, subjects: [joining, user('system:nodes')] }),
      ),
  ),
  finds(
    'token-group-edits',
    'the bootstrap group is bound to edit, so that a script may label nodes',
    ['RBAC-030', 'RBAC-020', 'LIM-001', 'LIM-002', 'LIM-003'],
    (reference) => bindCluster(reference, 'label-script', 'edit', joining),
  ),
  finds(
    'all-authenticated-view',
    'view is bound to system:authenticated, which reaches every bootstrapper and node',
    ['RBAC-030', 'NODE-007', 'LIM-012'],
    (reference) => bindCluster(reference, 'everybody-views', 'view', group('system:authenticated')),
  ),
];
