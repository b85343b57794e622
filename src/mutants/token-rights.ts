/** Defects of what a token that may join may do besides. */

import type { PolicyRule } from '../kubernetes/objects.js';
import { upstream } from '../reference/decisions.js';
import { allow, bindCluster, finds, group, joining, rule } from './arrange.js';
import type { Mutant } from './types.js';

const CERTIFICATES = 'certificates.k8s.io';

/** The rules that look at one right each of the mutant below. */
const ODD_RIGHTS: readonly string[] = [
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => `LIM-00${number}`),
  ...[10, 11, 12, 13, 14, 15, 16, 19].map((number) => `LIM-0${number}`),
];

/** A token that may do everything lets every single row of these rules down; in two halves, since they are many. */
const EVERYTHING: Readonly<Record<string, readonly string[]>> = {
  'token-does-everything-to-workloads': ODD_RIGHTS.filter((rule) => rule < 'LIM-007'),
  'token-does-everything-to-rights': ODD_RIGHTS.filter((rule) => rule >= 'LIM-007' && rule < 'LIM-013'),
  'token-does-everything-else': ODD_RIGHTS.filter((rule) => rule >= 'LIM-013'),
};

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

export const mutants: readonly Mutant[] = [
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
  ...Object.entries(EVERYTHING).map(([name, limits]) =>
    tokenMay(name, 'a token may do everything', limits, { verbs: ['*'], apiGroups: ['*'], resources: ['*'] }),
  ),
  tokenMay(
    'token-of-odd-rights',
    'a token holds one odd right of each kind: another verb, a subresource, one name',
    [...ODD_RIGHTS, 'RBAC-030'],
    rule(['deletecollection'], '', 'pods'),
    rule(['delete'], '', 'endpoints'),
    rule(['update'], 'batch', 'cronjobs'),
    { ...rule(['watch'], '', 'secrets'), resourceNames: ['kubeadm-certs'] },
    { ...rule(['list'], '', 'secrets'), resourceNames: ['bootstrap-token-zzzzzz'] },
    rule(['deletecollection'], '', 'secrets'),
    { ...rule(['approve'], CERTIFICATES, 'signers'), resourceNames: ['kubernetes.io/legacy-unknown'] },
    { ...rule(['attest'], CERTIFICATES, 'signers'), resourceNames: ['jp-absent.invalid/any'] },
    rule(['deletecollection'], CERTIFICATES, 'certificatesigningrequests'),
    rule(['bind'], 'rbac.authorization.k8s.io', 'clusterroles'),
    { ...rule(['update'], '', 'configmaps'), resourceNames: ['coredns'] },
    { ...rule(['get'], '', 'configmaps'), resourceNames: ['jp-absent'] },
    rule(['deletecollection'], '', 'nodes'),
    rule(['get'], '', 'pods/exec'),
    rule(['impersonate'], 'authentication.k8s.io', 'uids'),
    rule(['create'], '', 'serviceaccounts'),
    rule(['update'], 'admissionregistration.k8s.io', 'validatingadmissionpolicies'),
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
    name: 'masters-are-asked-for',
    defect: 'requests for the group system:masters are taken from the signer for API clients',
    killedBy: ['LIM-017'],
    options: { decisions: { subjectIsRestricted: () => false } },
  },
  {
    name: 'masters-behind-others',
    defect: 'the signer for API clients is asked for system:masters where it is not the first group',
    killedBy: ['LIM-017'],
    options: {
      decisions: { subjectIsRestricted: (signer, groups) => upstream.subjectIsRestricted(signer, groups.slice(0, 1)) },
    },
  },
  {
    name: 'masters-before-others',
    defect: 'the signer for API clients is asked for system:masters where another group stands behind it',
    killedBy: ['LIM-017'],
    options: {
      decisions: { subjectIsRestricted: (signer, groups) => upstream.subjectIsRestricted(signer, groups.slice(-1)) },
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
  finds(
    'strangers-do-all-to-requests',
    'a role with all verbs on certificate requests is bound to system:unauthenticated',
    ['LIM-020', 'RBAC-021'],
    (reference) =>
      allow(
        reference,
        'open-requests',
        [rule(['*'], CERTIFICATES, 'certificatesigningrequests', 'certificatesigningrequests/*')],
        group('system:unauthenticated'),
      ),
  ),
  finds(
    'strangers-ask',
    'system:node-bootstrapper is bound to system:unauthenticated',
    ['LIM-020', 'RBAC-021'],
    (reference) => bindCluster(reference, 'open-join', 'system:node-bootstrapper', group('system:unauthenticated')),
  ),
];
