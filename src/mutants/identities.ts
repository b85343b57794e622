/**
 * Defects of who somebody is taken for, and of whom the server asks: authenticators, authorizers, subjects, signers.
 */
import { upstream } from '../reference/decisions.js';
import { decides } from './arrange.js';
import type { Mutant } from './types.js';

export const mutants: readonly Mutant[] = [
  decides('any-group-is-a-bootstrap-group', 'a group of a token is not looked at', ['AUTH-018', 'SEC-017'], {
    isBootstrapGroup: () => true,
  }),
  decides(
    'bootstrap-tokens-left-out',
    'the chain of token authenticators forgets bootstrap tokens',
    ['AUTH-003', 'AUTH-008'],
    {
      tokenAuthenticators: () => ['service-account'],
    },
  ),
  decides('tokens-for-no-audience', 'a token that names no audience is good for none', ['AUTH-003', 'AUTH-008'], {
    audiencesOfPlainTokens: () => [],
  }),
  decides('strangers-are-authenticated', 'a stranger is given system:authenticated as well', ['AUTH-003'], {
    anonymousUser: () => {
      const user = upstream.anonymousUser();
      return { ...user, groups: [...user.groups, 'system:authenticated'] };
    },
  }),
  decides('strangers-at-health-checks-only', 'anonymous requests are answered at /healthz alone', ['INFO-013'], {
    anonymousIsAnswered: (_allowed, path) => path === '/healthz',
  }),
  decides(
    'nobody-is-authenticated',
    'who logs in is not in system:authenticated',
    ['AUTH-007', 'BOOT-007', 'CSR-024'],
    {
      withCommonGroups: (user) => user,
    },
  ),
  decides('anybody-impersonates', 'whoever asks as another is believed', ['LIM-015'], {
    impersonationSteps: () => [],
  }),
  decides('node-authorizer-left-out', 'the authorization mode is RBAC alone', ['RBAC-026', 'NODE-001', 'NODE-002'], {
    authorizers: () => ['superuser', 'RBAC'],
  }),
  decides('strangers-are-superusers', 'system:anonymous passes before any authorizer', ['INFO-018', 'LIM-020'], {
    isSuperuser: (user) => upstream.isSuperuser(user) || user.username === 'system:anonymous',
  }),
  decides('groups-count-by-their-prefix', 'a binding of one bootstrap group is one of all', ['AUTH-025', 'CSR-012'], {
    subjectPrincipal: (subject, namespace) =>
      subject.kind === 'Group' && subject.name.startsWith('system:bootstrappers:')
        ? 'Group system:bootstrappers'
        : upstream.subjectPrincipal(subject, namespace),
  }),
  decides('roles-count-for-nothing', 'bindings to a Role are passed over', ['INFO-013', 'RBAC-022', 'RBAC-023'], {
    roleOf: (ref, namespace) => (ref.kind === 'Role' ? undefined : upstream.roleOf(ref, namespace)),
  }),
  decides('nodes-see-no-pods', 'a node may not read the Pods that run on it', ['NODE-001', 'BOOT-012'], {
    nodeOnPod: () => 'pods are none of a node',
  }),
  decides('nodes-report-no-pods', 'a node may not write the status of its Pods', ['NODE-001', 'BOOT-012'], {
    podStatusProblem: () => 'pods are none of a node',
  }),
  decides('nodes-renew-no-lease', 'a node may not renew its Lease', ['NODE-002'], {
    nodeOnLease: () => 'leases are none of a node',
  }),
];
