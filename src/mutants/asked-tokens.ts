/** Defects of tokens that are asked for of service accounts: what is in them, and who then comes with them. */
import { isRecord, record } from '../kubernetes/json.js';
import { upstream } from '../reference/decisions.js';
import { decides } from './arrange.js';
import type { Asked, Mutant, Said } from './types.js';

const EXTRA = 'authentication.kubernetes.io/';

const isTokenRequest = ({ method, path }: Asked): boolean =>
  method === 'POST' && /\/serviceaccounts\/[^/]+\/token$/.test(path);

/** The answers to TokenRequests are others. */
const answers = (name: string, defect: string, change: (answer: Said) => Said): Mutant => ({
  name,
  defect,
  killedBy: ['P-333'],
  gateway: { after: (asked, answer) => (isTokenRequest(asked) ? change(answer) : undefined) },
});

const withStatus = ({ status, body }: Said, more: object): Said => ({
  status: 201,
  body: {
    ...(status === 201 && isRecord(body)
      ? body
      : { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: {} }),
    status: { ...record(record(body).status), ...more },
  },
});

/** What was asked for is told otherwise. */
const withSpec = ({ status, body }: Said, more: object): Said =>
  status === 201 && isRecord(body)
    ? { status, body: { ...body, spec: { ...record(body.spec), ...more } } }
    : { status, body };

const isOfNode = ({ node, pod }: { readonly node?: object; readonly pod?: object }): boolean =>
  node !== undefined && pod === undefined;

export const mutants: readonly Mutant[] = [
  answers('token-requests-never-refused', 'a TokenRequest that is refused is given a token', (answer) =>
    answer.status === 201 ? answer : withStatus(answer, { token: 'e30.e30.e30' }),
  ),
  answers('token-requests-end-elsewhere', 'the answer to a TokenRequest says another end than the token', (answer) =>
    answer.status === 201 ? withStatus(answer, { expirationTimestamp: '2038-01-19T03:14:07Z' }) : answer,
  ),
  answers(
    'token-requests-answered-bare',
    'the answer to a TokenRequest says nothing of for whom the token is',
    (answer) => withSpec(answer, { audiences: undefined }),
  ),
  answers(
    'token-requests-answered-otherwise',
    'the answer to a TokenRequest has another time than was asked for',
    (answer) => withSpec(answer, { expirationSeconds: 86_400 }),
  ),
  answers(
    'token-requests-answered-unbound',
    'the answer to a TokenRequest leaves out what the token goes with',
    (answer) => withSpec(answer, { boundObjectRef: undefined }),
  ),
  decides('token-requests-of-less-than-2-to-the-32', 'a TokenRequest may not ask for 2^32 seconds', ['P-333'], {
    tokenRequestSecondsProblems: (seconds) =>
      seconds === 2 ** 32 ? ['is too long'] : upstream.tokenRequestSecondsProblems(seconds),
  }),
  decides(
    'tokens-of-nodes-go-with-nothing',
    'a token that was asked for a Node goes with nothing',
    ['P-333', 'P-334'],
    {
      boundTokenClaims: (content, ...rest) =>
        upstream.boundTokenClaims(isOfNode(content.bound) ? { ...content, bound: {} } : content, ...rest),
    },
  ),
  decides('tokens-of-nodes-tell-nothing', 'who comes with a token of a Node is not told with it', ['P-334'], {
    tokenExtra: (bound, ...rest) => upstream.tokenExtra(isOfNode(bound) ? {} : bound, ...rest),
  }),
  decides('tokens-of-nodes-tell-a-pod', 'who comes with a token of a Node is told with a Pod of that name', ['P-334'], {
    tokenExtra: ({ node, pod = node, ...bound }, ...rest) =>
      upstream.tokenExtra(
        { ...bound, ...(node === undefined ? {} : { node }), ...(pod === undefined ? {} : { pod }) },
        ...rest,
      ),
  }),
  decides('token-requests-of-any-life', 'a TokenRequest may ask for any time', ['P-333'], {
    tokenRequestSecondsProblems: () => [],
  }),
  decides('token-requests-of-a-minute', 'a TokenRequest may ask for one minute', ['P-333'], {
    tokenRequestSecondsProblems: (seconds) =>
      seconds >= 60 ? upstream.tokenRequestSecondsProblems(Math.max(seconds, 600)) : ['is too short'],
  }),
  decides('token-requests-live-longer', 'every token lives for a second longer than was asked for', ['P-333'], {
    tokenLifetime: (request) => {
      const lifetime = upstream.tokenLifetime(request);
      return { ...lifetime, seconds: lifetime.seconds + 1 };
    },
  }),
  decides('token-requests-of-pods-for-a-year', 'every token of a Pod lives for a year', ['P-333'], {
    tokenLifetime: (request) => upstream.tokenLifetime(request.boundToPod ? { ...request, seconds: 3607 } : request),
  }),
  decides(
    'token-requests-for-a-year-for-anybody',
    'tokens for others than the API server live for a year, too',
    ['P-333'],
    {
      tokenLifetime: (request) => upstream.tokenLifetime({ ...request, audiences: [] }),
    },
  ),
  decides('token-requests-for-one-audience', 'of several audiences the first is written into the token', ['P-333'], {
    tokenRequestAudiences: (asked, own) => upstream.tokenRequestAudiences(asked.slice(0, 1), own),
  }),
  decides(
    'token-requests-for-the-server-as-well',
    'every token is good for the API server besides',
    ['P-333', 'APIAUTH-023'],
    {
      tokenRequestAudiences: (asked, own) => [...new Set([...asked, ...own])],
    },
  ),
  decides('token-requests-for-nobody', 'a token that is asked for nobody is for nobody', ['P-333', 'APIAUTH-024'], {
    tokenRequestAudiences: (asked) => asked,
  }),
  decides(
    'token-requests-bound-to-nothing',
    'a token does not say what it is bound to',
    ['P-333', 'P-334', 'APIAUTH-026'],
    {
      boundTokenClaims: (content, username, minor) =>
        upstream.boundTokenClaims({ ...content, bound: {} }, username, minor),
    },
  ),
  decides('token-requests-bound-to-something', 'every token says that it is bound to a Secret', ['P-333'], {
    boundKindsJudged: (bound) => (bound.secret?.name === 'a' ? [] : upstream.boundKindsJudged(bound)),
    boundTokenClaims: (content, username, minor) =>
      upstream.boundTokenClaims(
        Object.keys(content.bound).length > 0 ? content : { ...content, bound: { secret: { name: 'a', uid: 'b' } } },
        username,
        minor,
      ),
  }),
  decides('token-requests-backdated', 'a token is good before it was made', ['P-333'], {
    boundTokenClaims: (content, username, minor) => ({
      ...upstream.boundTokenClaims(content, username, minor),
      nbf: content.now - 3600,
    }),
  }),
  decides('token-requests-for-pods-of-others', 'a token may be bound to the Pod of another account', ['P-333'], {
    podBindingProblem: () => undefined,
  }),
  decides('token-requests-for-what-is-elsewhere', 'a token may be bound to what lies in another namespace', ['P-333'], {
    boundObjectNamespaces: (ofAccount) => [ofAccount, 'kube-public'],
  }),
  decides('token-requests-by-name', 'the UID of what a token is bound to is not compared', ['P-333'], {
    boundUidFits: () => true,
  }),
  decides('token-requests-by-uids-of-a-length', 'a UID of another length is not compared', ['P-333'], {
    boundUidFits: (wanted, uid) => wanted.length !== uid.length || upstream.boundUidFits(wanted, uid),
  }),
  decides('token-requests-of-former-accounts', 'the UID of the account in a request is not compared', ['P-333'], {
    tokenRequestUidIsCompared: () => false,
  }),
  decides('token-requests-of-any-group', 'the API group of what a token is bound to does not count', ['P-333'], {
    bindableResource: (_group, kind, minor) => upstream.bindableResource('', kind, minor),
  }),

  decides('pods-untold', 'who comes with a token of a Pod is told without it', ['P-334'], { tokenExtra: () => ({}) }),
  decides('tokens-of-secrets-untold', 'who comes with a token of a Secret is told without its id', ['P-334'], {
    tokenExtra: (bound, ...rest) => (bound.secret === undefined ? upstream.tokenExtra(bound, ...rest) : {}),
  }),
  decides('secrets-told-as-pods', 'who comes with a token of a Secret is told to be a Pod on a Node', ['P-334'], {
    tokenExtra: (bound, ...rest) => {
      const { secret, pod = secret, node = secret } = bound;
      return upstream.tokenExtra(
        { ...bound, ...(pod === undefined ? {} : { pod }), ...(node === undefined ? {} : { node }) },
        ...rest,
      );
    },
  }),
  decides('nodes-of-pods-untold', 'who comes with a token of a Pod is told without its Node', ['P-334'], {
    podBindingNamesNode: () => false,
  }),
  decides('nodes-told-of-pods-on-none', 'a Pod that waits is told to be on a Node', ['P-334'], {
    tokenExtra: (bound, jti, minor) => ({
      [`${EXTRA}node-name`]: ['somewhere'],
      [`${EXTRA}node-uid`]: ['0'],
      ...upstream.tokenExtra(bound, jti, minor),
    }),
  }),
];
