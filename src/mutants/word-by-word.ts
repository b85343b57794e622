/** Defects of who reads rights otherwise than they are written, and of who guards what nodes and others write. */
import { isRecord, record, text } from '../kubernetes/json.js';
import { upstream } from '../reference/decisions.js';
import { decides } from './arrange.js';
import type { Mutant } from './types.js';

export const mutants: readonly Mutant[] = [
  decides(
    'signer-keeps-kubeconfig-alone',
    'what else stands in cluster-info is taken away at every signing',
    ['P-336'],
    {
      signedData: ({ kubeconfig = '' }, signatures) => ({ kubeconfig, ...signatures }),
    },
  ),
  decides(
    'pods-on-nodes-are-not-missed',
    'of a token that names Pod and Node the Pod is not looked up',
    ['APIAUTH-026'],
    {
      boundKindsJudged: (bound) =>
        upstream.boundKindsJudged(bound).filter((kind) => kind !== 'pod' || bound.node === undefined),
    },
  ),
  decides('pods-being-deleted-count', 'a Pod that is being deleted keeps its tokens good', ['APIAUTH-026'], {
    boundObjectProblem: (kind, object, claimed) =>
      upstream.boundObjectProblem(kind, object, claimed, Number.NEGATIVE_INFINITY),
  }),
  decides('accounts-being-deleted-count', 'an account that is being deleted keeps its tokens good', ['APIAUTH-026'], {
    tokenAccountProblem: (account, claimed) => upstream.tokenAccountProblem(account, claimed, Number.NEGATIVE_INFINITY),
  }),
  decides('mirrors-of-two-owners', 'of several owners of a mirror Pod the first is looked at', ['P-73'], {
    mirrorPodOwnerProblem: (node, owners, uid) => upstream.mirrorPodOwnerProblem(node, owners.slice(0, 1), uid),
  }),
  decides('mirrors-of-nobody', 'whose a mirror Pod is does not count', ['P-73'], {
    mirrorPodOwnerProblem: () => undefined,
  }),
  decides('labels-of-other-domains', 'a domain that ends as one of kubelets is taken for one', ['P-70'], {
    nodeMayUseLabel: (key) => upstream.nodeMayUseLabel(key) || /(?:kubelet|node)\.kubernetes\.io\//.test(key),
  }),
  decides('labels-of-administrators', 'a node may change whatever label its Node has', ['P-70', 'NODE-006'], {
    nodeMayUseLabel: () => true,
  }),

  decides('names-without-blanks', 'blanks around a name in a binding do not count', ['RBAC-025'], {
    subjectPrincipal: (subject, namespace) =>
      upstream.subjectPrincipal({ ...subject, name: subject.name.trim() }, namespace),
  }),
  decides('names-of-any-blanks', 'blanks around a name count neither in a binding nor in a user', ['RBAC-025'], {
    subjectPrincipal: (subject, namespace) =>
      upstream.subjectPrincipal({ ...subject, name: subject.name.trim() }, namespace),
    principalsOf: ({ username, groups, ...user }) =>
      upstream.principalsOf({ ...user, username: username.trim(), groups: groups.map((group) => group.trim()) }),
  }),
  decides('roles-of-any-kind', 'a binding to a Role gives what the ClusterRole of its name gives', ['RBAC-025'], {
    roleOf: (ref, namespace) => upstream.roleOf({ ...ref, kind: 'ClusterRole' }, namespace),
  }),
  decides('verbs-in-any-case', 'the case of a verb in a rule does not count', ['RBAC-025'], {
    verbMatches: (rule, verb) =>
      upstream.verbMatches(rule, verb) || rule.verbs.some((one) => one.toLowerCase() === verb),
  }),
  decides('update-is-patch', 'who may update may patch', ['RBAC-025'], {
    verbMatches: (rule, verb) =>
      upstream.verbMatches(rule, verb) || (verb === 'patch' && rule.verbs.includes('update')),
  }),
  decides('delete-is-deletecollection', 'who may delete may delete all', ['RBAC-025'], {
    verbMatches: (rule, verb) =>
      upstream.verbMatches(rule, verb) || (verb === 'deletecollection' && rule.verbs.includes('delete')),
  }),
  decides('get-is-everything', 'who may do one thing may do others', ['RBAC-025'], { verbMatches: () => true }),
  decides('groups-of-any-name', 'the API group of a right does not count', ['RBAC-025'], { groupMatches: () => true }),
  decides('resources-with-their-parts', 'who may do it to a resource may do it to its parts', ['RBAC-025'], {
    resourceMatches: (rule, resource, subresource) =>
      upstream.resourceMatches(rule, resource, subresource) || (rule.resources?.includes(resource) ?? false),
  }),
  decides('parts-by-a-star', 'a star behind a resource stands for it and its parts', ['RBAC-025'], {
    resourceMatches: (rule, resource, subresource) =>
      upstream.resourceMatches(rule, resource, subresource) || (rule.resources?.includes(`${resource}/*`) ?? false),
  }),
  decides('parts-with-their-whole', 'who may do it to a part may do it to the whole, and to all others', ['RBAC-025'], {
    resourceMatches: (rule, resource, subresource) =>
      upstream.resourceMatches(rule, resource, subresource) ||
      (rule.resources?.some(
        (one) => one.split('/')[0] === resource || one === `*/${subresource}` || one === '*/scale',
      ) ??
        false),
  }),
  decides('resources-by-their-beginning', 'the beginning of a resource is enough', ['RBAC-025'], {
    resourceMatches: (rule, resource, subresource) =>
      upstream.resourceMatches(rule, resource, subresource) ||
      (subresource === '' &&
        (rule.resources?.some((one) => one.startsWith(resource) || resource.startsWith(one)) ?? false)),
  }),
  decides('names-of-no-request', 'who names nothing may do what is granted by a name', ['RBAC-025'], {
    resourceNameMatches: (rule, name) => name === '' || upstream.resourceNameMatches(rule, name),
  }),
  decides('names-do-not-count', 'what is granted by a name is granted for all', ['RBAC-025'], {
    resourceNameMatches: () => true,
  }),
  decides('paths-by-their-beginning', 'who may ask for a path may ask for those that begin so', ['RBAC-025'], {
    nonResourceUrlMatches: ({ nonResourceURLs = [] }, path) =>
      nonResourceURLs.some((url) => path.startsWith(url.replace(/\/?\*$/, ''))),
  }),
  decides('groups-by-their-name', 'whoever is called as a group is in it', ['RBAC-025'], {
    principalsOf: (user) => [
      ...upstream.principalsOf(user),
      `Group ${user.username}`,
      ...user.groups.map((group) => `User ${group}`),
    ],
  }),
  decides('bound-groups-of-nobody', 'groups in a binding do not count', ['RBAC-025'], {
    principalsOf: (user) => upstream.principalsOf(user).filter((one) => !one.startsWith('Group jp-')),
  }),
  decides('bound-accounts-of-nobody', 'accounts in a binding do not count', ['RBAC-025'], {
    subjectPrincipal: (subject, namespace) =>
      subject.kind === 'ServiceAccount' && subject.name.startsWith('jp-')
        ? undefined
        : upstream.subjectPrincipal(subject, namespace),
  }),
  decides('accounts-of-any-namespace', 'the namespace of an account in a binding does not count', ['RBAC-025'], {
    principalsOf: (user) => [
      ...upstream.principalsOf(user),
      `User ${user.username.replace(/^system:serviceaccount:[^:]+:/, 'system:serviceaccount:default:')}`,
    ],
  }),
  {
    name: 'bindings-of-every-namespace',
    defect: 'what is bound in one namespace counts in all',
    killedBy: ['RBAC-025'],
    gateway: {
      after: ({ path }, answer) => {
        if (!path.endsWith('/subjectaccessreviews') || !isRecord(answer.body)) return undefined;
        const { user, resourceAttributes } = record(answer.body.spec);
        const { resource, verb } = record(resourceAttributes);
        if (!text(user).startsWith('jp-') || resource !== 'secrets' || verb !== 'list') return undefined;
        return { ...answer, body: { ...answer.body, status: { allowed: true } } };
      },
    },
  },

  decides('handed-on-to-any-group', 'the API group of what is handed on is not compared', ['P-332'], {
    ruleCovers: (owner, wanted) => upstream.ruleCovers({ ...owner, apiGroups: ['*'] }, wanted),
  }),
  decides('handed-on-verb-by-verb', 'who holds all verbs, groups or resources hands on none of them alone', ['P-332'], {
    ruleCovers: (owner, wanted) =>
      [owner.verbs, owner.apiGroups, owner.resources].every((held) => !held?.includes('*')) &&
      upstream.ruleCovers(owner, wanted),
  }),
  decides('handed-on-with-all-of-a-kind', 'who holds all resources of a group hands on all of any', ['P-332'], {
    ruleCovers: (owner, wanted) =>
      upstream.ruleCovers(owner, wanted) ||
      (owner.resources?.includes('*') === true && upstream.ruleCovers({ ...owner, apiGroups: ['*'] }, wanted)),
  }),
  decides('handed-on-all-verbs', 'who holds all verbs or groups hands on all of anything', ['P-332'], {
    ruleCovers: (owner, wanted) =>
      upstream.ruleCovers(owner, wanted) ||
      (owner.verbs.includes('*') && upstream.ruleCovers({ ...owner, resources: ['*'] }, wanted)) ||
      (owner.apiGroups?.includes('*') === true && upstream.ruleCovers({ ...owner, verbs: ['*'] }, wanted)),
  }),
  decides('handed-on-with-its-parts', 'who holds a resource hands its parts on', ['P-332'], {
    ruleCovers: (owner, wanted) =>
      upstream.ruleCovers(owner, wanted) ||
      upstream.ruleCovers(owner, {
        ...wanted,
        resources: (wanted.resources ?? []).map((one) => one.replace(/\/.*$/, '')),
      }),
  }),
  decides('handed-on-by-nobody', 'who may escalate or bind is refused all the same', ['P-332'], {
    maySkipEscalationCheck: (user, verb) => upstream.maySkipEscalationCheck(user, verb, () => false),
  }),
  decides('handed-on-by-who-binds', 'who may bind roles may write whatever role he likes', ['P-332'], {
    maySkipEscalationCheck: (user, _verb, allowed) =>
      upstream.maySkipEscalationCheck(user, 'bind', () => allowed('bind') || allowed('escalate')),
  }),
  decides('handed-on-in-paths', 'paths that are handed on are not compared', ['P-332'], {
    ruleCovers: (owner, wanted) => wanted.nonResourceURLs !== undefined || upstream.ruleCovers(owner, wanted),
  }),

  decides('leases-of-names-alike', 'a Lease is its own where the name begins so', ['NODE-006'], {
    nodeOnLease: (question) => {
      const { name } = question.attributes;
      const own = name.startsWith(question.node) ? question.node : name;
      return upstream.nodeOnLease({ ...question, attributes: { ...question.attributes, name: own } });
    },
    nodeLeaseProblem: (node, namespace, name) =>
      upstream.nodeLeaseProblem(node, namespace, name.startsWith(node) ? node : name),
    nodeMayWriteNode: (node, requested) => requested.startsWith(node),
    nodeMayWriteCsiNode: (node, name) => name.startsWith(node),
  }),
  decides('clients-that-sign-code', 'a client may be signed for other usages besides', ['P-59'], {
    clientUsagesProblem: (usages) =>
      upstream.clientUsagesProblem(usages.filter((usage) => usage !== 'code signing' && usage !== 'any')),
  }),
  decides('proxies-in-capitals', 'the case of the name of a proxy does not count', ['APIAUTH-030'], {
    proxyIsAllowed: (name, allowed) => upstream.proxyIsAllowed(name.toLowerCase(), allowed),
  }),
  decides('proxied-by-the-last-name', 'of several headers with a user the last counts', ['APIAUTH-030'], {
    proxiedUser: (headers, named) => upstream.proxiedUser(headers, { ...named, user: [...named.user].reverse() }),
  }),
  decides('secrets-by-their-name', 'the UID of a Secret that a token is bound to is not compared', ['APIAUTH-026'], {
    boundObjectProblem: (kind, object, claimed, limit) =>
      upstream.boundObjectProblem(
        kind,
        object,
        kind === 'secret' && object !== undefined ? { ...claimed, uid: object.metadata.uid ?? '' } : claimed,
        limit,
      ),
  }),
  decides('remembered-as-long-as-used', 'a token that is used again is remembered for longer', ['AUTH-019'], {
    useIsRemembered: () => true,
  }),
  decides('audiences-as-asked', 'a review tells every audience that it was asked about', ['P-330'], {
    audiencesTold: (_shared, wanted) => wanted,
  }),
  decides(
    'audiences-of-accounts-as-asked',
    'a token of an account is told to be for all that it is asked about',
    ['P-330'],
    {
      sharedAudiences: (ofToken, wanted) => (wanted.some((one) => ofToken.includes(one)) ? wanted : []),
    },
  ),
  decides('audiences-untold', 'a review tells no audience that it was asked about', ['P-330'], {
    audiencesTold: (shared, wanted) => (wanted.length > 1 ? [] : shared),
  }),
  decides('refusals-remembered-for-ten-seconds', 'a refusal is remembered for as long as a login', ['AUTH-008'], {
    tokenCacheSeconds: () => 10,
  }),
  {
    name: 'reviews-name-strangers',
    defect: 'a review of what is no token names a stranger',
    killedBy: ['P-330'],
    gateway: {
      after: ({ path }, answer) => {
        if (!path.endsWith('/tokenreviews') || !isRecord(answer.body)) return undefined;
        const status = record(answer.body.status);
        if (status.authenticated === true) return undefined;
        return { ...answer, body: { ...answer.body, status: { ...status, user: { username: 'system:anonymous' } } } };
      },
    },
  },
];
