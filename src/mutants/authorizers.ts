/** Defects of the authorizers themselves: what matches what, and who counts as whom. */
import type { PolicyRule } from '../kubernetes/objects.js';
import { upstream } from '../reference/decisions.js';
import { decides } from './arrange.js';
import type { Mutant } from './types.js';

/** What a verb is taken to bring along. */
const BRINGS: Readonly<Record<string, readonly string[]>> = {
  get: ['list', 'watch'],
  create: ['update', 'patch', 'delete', 'deletecollection'],
};
const brought = (rule: PolicyRule, verb: string): boolean =>
  rule.verbs.some((held) => BRINGS[held]?.includes(verb) === true);

const lower = (text: string): string => text.toLowerCase();

const MATCHING: readonly Mutant[] = [
  decides(
    'verbs-bring-others-along',
    'who may get may list and watch, who may create may change and delete',
    ['LIM-009', 'LIM-012', 'LIM-013', 'RBAC-025'],
    { verbMatches: (rule, verb) => upstream.verbMatches(rule, verb) || brought(rule, verb) },
  ),
  decides('groups-are-not-looked-at', 'the API group of a rule is not looked at', ['RBAC-025', 'RBAC-030'], {
    groupMatches: () => true,
  }),
  decides(
    'subresources-are-not-looked-at',
    'a rule on an object is one on all parts of it',
    ['LIM-013', 'LIM-014', 'RBAC-025', 'RBAC-030'],
    {
      resourceMatches: (rule, resource, subresource) =>
        upstream.resourceMatches(rule, resource, subresource) || upstream.resourceMatches(rule, resource, ''),
    },
  ),
  decides('names-are-not-looked-at', 'resourceNames of a rule are not looked at', ['LIM-004', 'LIM-012', 'RBAC-025'], {
    resourceNameMatches: () => true,
  }),
  decides('lists-by-name-are-refused', 'a rule that gives a list by names gives nothing', ['RBAC-025'], {
    resourceNameMatches: (rule, name) =>
      upstream.resourceNameMatches(rule, name) &&
      !((rule.resourceNames?.length ?? 0) > 0 && rule.verbs.includes('list')),
  }),
  decides('no-name-is-every-name', 'who asks for no name has a right that a rule gives by names', ['RBAC-025'], {
    resourceNameMatches: (rule, name) => name === '' || upstream.resourceNameMatches(rule, name),
  }),
  decides(
    'urls-match-by-their-beginning',
    'a rule on /version is one on all that begins so',
    ['RBAC-025', 'RBAC-030'],
    {
      nonResourceUrlMatches: (rule, path) => rule.nonResourceURLs?.some((url) => path.startsWith(url)) ?? false,
    },
  ),
  decides('urls-match-all', 'a rule on one URL is one on all', ['RBAC-025', 'RBAC-030', 'NODE-007'], {
    nonResourceUrlMatches: (rule) => rule.nonResourceURLs !== undefined,
  }),
];

const IDENTITIES: readonly Mutant[] = [
  decides('users-count-as-groups', 'a user is in the group of its own name', ['RBAC-025'], {
    principalsOf: (user) => [...upstream.principalsOf(user), `Group ${user.username}`],
  }),
  decides('groups-count-as-users', 'who is in a group of a user’s name is that user', ['RBAC-025'], {
    principalsOf: (user) => [...upstream.principalsOf(user), ...user.groups.map((group) => `User ${group}`)],
  }),
  decides('names-count-without-case', 'names of users and groups are compared without regard to case', ['RBAC-025'], {
    principalsOf: (user) => upstream.principalsOf(user).map(lower),
    subjectPrincipal: (subject, namespace) => {
      const principal = upstream.subjectPrincipal(subject, namespace);
      return principal === undefined ? undefined : lower(principal);
    },
  }),
  decides('superusers-by-their-beginning', 'a group that begins with system:masters may do everything', ['RBAC-025'], {
    isSuperuser: (user) => user.groups.some((group) => group.startsWith('system:masters')),
  }),
  decides('nodes-by-their-name', 'whoever is named as a node is one, without its group', ['P-74'], {
    nodeOf: (user) =>
      user.username.startsWith('system:node:') ? user.username.slice('system:node:'.length) : undefined,
  }),
  decides('nodes-by-their-group', 'whoever is in the group of nodes is one, by whatever name', ['P-74'], {
    nodeOf: (user) =>
      upstream.nodeOf(user) ?? (user.groups.includes('system:nodes') ? user.username.replace(/^.*:/, '') : undefined),
  }),
];

const NAMELESS: readonly Mutant[] = [
  decides('nodes-without-a-name', 'a user that is named system:node: and no more is some node', ['P-74'], {
    nodeOf: (user) => (user.username === 'system:node:' ? 'jp-node' : upstream.nodeOf(user)),
  }),
];

const SIGNERS: readonly Mutant[] = [
  decides('approvals-for-any-signer', 'who may write approvals approves for every signer', ['P-75'], {
    approvalNeedsSignerRight: () => false,
  }),
  decides('signatures-for-any-signer', 'who may write the status of requests signs for every signer', ['P-75'], {
    signingNeedsSignerRight: () => false,
  }),
];

const DOORS: readonly Mutant[] = [
  {
    name: 'port-speaks-plain-http',
    defect: 'the port of the API server answers requests that come without TLS',
    killedBy: ['RBAC-027'],
    options: { plainHttp: true },
  },
];

export const mutants: readonly Mutant[] = [...MATCHING, ...IDENTITIES, ...NAMELESS, ...SIGNERS, ...DOORS];
