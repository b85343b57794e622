/**
 * Defects of who somebody is taken for, and of whom the server asks: authenticators, authorizers, subjects, signers.
 */
import { type Fields, record, text } from '../kubernetes/json.js';
import { upstream } from '../reference/decisions.js';
import { decides } from './arrange.js';
import { failure } from './said.js';
import type { Mutant } from './types.js';

/** What a TokenReview answers, changed. */
const reviewed = (name: string, defect: string, change: (status: Fields, token: string) => object): Mutant => ({
  name,
  defect,
  killedBy: ['P-330'],
  gateway: {
    after: ({ method, path }, { status, body }) => {
      if (method !== 'POST' || !path.endsWith('/tokenreviews')) return undefined;
      const { spec, status: said, ...rest } = record(body);
      return { status, body: { ...rest, spec, status: change(record(said), text(record(spec).token)) } };
    },
  },
});

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
  decides('anybody-impersonates', 'whoever asks as another is believed', ['LIM-015', 'P-331', 'P-548'], {
    impersonationSteps: () => [],
  }),
  decides('groups-of-others-for-nothing', 'nobody asks about groups that one asks in the name of', ['P-331', 'P-548'], {
    impersonationSteps: (mode, wanted, attributes) =>
      upstream.impersonationSteps(mode, { ...wanted, groups: [] }, attributes),
  }),
  decides('uids-of-others-for-nothing', 'nobody asks about a UID that one asks in the name of', ['P-331', 'P-548'], {
    impersonationSteps: (mode, wanted, attributes) =>
      upstream.impersonationSteps(mode, { ...wanted, uid: '' }, attributes),
  }),
  decides('extra-of-others-for-nothing', 'nobody asks about extra that one asks in the name of', ['P-331', 'P-548'], {
    impersonationSteps: (mode, wanted, attributes) =>
      upstream.impersonationSteps(mode, { ...wanted, extra: {} }, attributes),
  }),
  decides('others-among-masters', 'who asks in the name of another is an administrator', ['P-331'], {
    withImpersonatedGroups: (user) => ({ ...upstream.withImpersonatedGroups(user), groups: ['system:masters'] }),
  }),
  decides('accounts-of-others-in-no-group', 'an account in whose name one asks has no groups', ['P-331', 'P-548'], {
    impersonatedUser: (mode, wanted) => ({ ...upstream.impersonatedUser(mode, wanted), groups: wanted.groups }),
  }),
  decides('roles-handed-on-unread', 'who may write a role writes any', ['P-332'], {
    maySkipEscalationCheck: () => true,
  }),
  ...(['clusterroles', 'clusterrolebindings'] as const).map(
    (written): Mutant => ({
      name: `owners-of-${written}-take-rights`,
      defect: 'who names the owner of a role or binding is to hold all that it gives',
      killedBy: ['P-332'],
      gateway: {
        after: ({ method, path }, { status }) =>
          method === 'PATCH' && path.includes(`/${written}/`) && path.endsWith('view') && status === 200
            ? failure(
                403,
                'Forbidden',
                'it is forbidden: user "jp" is attempting to grant RBAC permissions not currently held',
              )
            : undefined,
      },
    }),
  ),
  decides('bound-by-who-reads', 'who may read a role binds it', ['P-332'], {
    maySkipEscalationCheck: (user, verb, allowed) =>
      upstream.maySkipEscalationCheck(user, verb, allowed) || (verb === 'bind' && allowed('get')),
  }),
  decides('one-is-handed-on-as-all', 'who holds something by a name hands it on for all names', ['P-332'], {
    ruleCovers: (held, wanted) => upstream.ruleCovers({ ...held, resourceNames: [] }, wanted),
  }),
  decides('what-is-of-no-group-is-of-all', 'who holds something of no group hands it on in every group', ['P-332'], {
    ruleCovers: (held, wanted) =>
      upstream.ruleCovers(held.apiGroups?.includes('') ? { ...held, apiGroups: ['*'] } : held, wanted),
  }),
  decides('nothing-is-handed-on', 'who may write a role may write none', ['P-332'], { ruleCovers: () => false }),
  decides('reviews-for-any-audience', 'a token of no audience is good for every one', ['P-330', 'APIAUTH-009'], {
    audiencesOfPlainTokens: (wanted) => wanted,
  }),
  reviewed('reviews-let-everybody-in', 'a review names an administrator for everybody', () => ({
    authenticated: true,
    user: { username: 'kubernetes-admin', groups: ['system:masters'] },
  })),
  reviewed('reviews-tell-the-token', 'a review tells the token again in its error', (status, token) => ({
    ...status,
    error: `nobody is ${token}`,
  })),
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
