/** Defects of the chapter authenticators that show under flags: who is known without one, and who is in spite of one. */
import { GROUP_MASTERS } from '../kubernetes/names.js';
import { upstream } from '../reference/decisions.js';
import { decides } from './arrange.js';
import type { Mutant } from './types.js';

const SOMEBODY = { username: 'somebody', groups: [GROUP_MASTERS] };

const notGiven = (name: string, flag: string, rule: string): Mutant => ({
  name,
  defect: `kube-apiserver is started without --${flag}`,
  killedBy: [rule],
  options: { extraArgs: { 'kube-apiserver': { [flag]: undefined } } },
});

export const mutants: readonly Mutant[] = [
  decides(
    'static-tokens-of-anybody',
    'a token is known that stands in no file',
    ['APIAUTH-007', 'APIAUTH-008', 'APIAUTH-009', 'APIAUTH-030'],
    {
      tokenFileIsAsked: () => true,
      tokenFileKnows: (lines, token) => lines.get(token) ?? SOMEBODY,
    },
  ),
  decides('static-tokens-in-any-case', 'the case of a token does not count', ['APIAUTH-007'], {
    tokenFileKnows: (lines, token) => lines.get(token) ?? lines.get(token.toLowerCase()),
  }),
  decides('static-tokens-nearly-right', 'the beginning of a token is enough', ['APIAUTH-009'], {
    tokenFileKnows: (lines, token) =>
      [...lines].find(([known]) => known.startsWith(token) || token.startsWith(known))?.[1],
  }),
  decides(
    'static-tokens-by-the-name',
    'the name and the UID of a line are taken for its token',
    ['APIAUTH-008', 'APIAUTH-035'],
    {
      tokenFileKnows: (lines, token) =>
        lines.get(token) ?? [...lines.values()].find(({ username, uid }) => token === username || token === uid),
    },
  ),
  decides(
    'static-users-by-their-uid',
    'the columns of name and UID are taken for each other',
    ['APIAUTH-001', 'APIAUTH-003', 'APIAUTH-007', 'APIAUTH-008', 'APIAUTH-009', 'APIAUTH-014', 'APIAUTH-035'],
    {
      tokenFileUser: ([token = '', username = '', uid = '', ...groups]) =>
        upstream.tokenFileUser([token, uid, username, ...groups]),
    },
  ),
  decides('static-groups-trimmed', 'blanks at groups are taken away', ['APIAUTH-008'], {
    tokenFileUser: (line) => {
      const user = upstream.tokenFileUser(line);
      return { ...user, groups: user.groups.map((group) => group.trim()) };
    },
  }),
  decides('static-tokens-of-the-first-line', 'of two lines of one token the first counts', ['APIAUTH-008'], {
    tokenFileLine: (lines) => lines[0],
  }),
  decides('static-tokens-alone', 'a token file shuts bootstrap tokens out', ['APIAUTH-007'], {
    takesBootstrapTokens: () => false,
  }),
  decides('bootstrap-tokens-without-a-flag', 'bootstrap tokens log in without their flag', ['APIAUTH-030'], {
    takesBootstrapTokens: () => true,
  }),
  decides(
    'accounts-unheard',
    'no token of a service account is looked at',
    ['APIAUTH-007', 'APIAUTH-021', 'APIAUTH-020', 'APIAUTH-025', 'APIAUTH-027', 'APIAUTH-030', 'APIAUTH-038'],
    { tokenAuthenticators: () => ['token-file', 'bootstrap'] },
  ),
  decides(
    'certificates-without-a-ca',
    'a certificate is believed where no CA is given',
    ['APIAUTH-014', 'APIAUTH-017', 'APIAUTH-030', 'APIAUTH-035'],
    { certificatesAreAsked: () => true, chainIsTrusted: () => true },
  ),
  decides(
    'certificates-without-groups',
    'the organizations of a certificate are no groups',
    ['APIAUTH-014', 'APIAUTH-017', 'APIAUTH-035'],
    { certificateUser: (certificate, minor) => upstream.certificateUser({ ...certificate, organizations: [] }, minor) },
  ),
  decides(
    'certificates-in-one-group',
    'of several organizations of a certificate the first is a group',
    ['APIAUTH-014'],
    {
      certificateUser: (certificate, minor) =>
        upstream.certificateUser({ ...certificate, organizations: certificate.organizations.slice(0, 1) }, minor),
    },
  ),
  decides(
    'certificates-of-any-time',
    'the times of a certificate are not compared',
    ['APIAUTH-017', 'APIAUTH-030', 'APIAUTH-035'],
    { certificateIsCurrent: () => true },
  ),
  decides('certificates-for-anything', 'a certificate for servers is believed', ['APIAUTH-017', 'APIAUTH-030'], {
    certificateMayLogIn: () => true,
  }),
  decides('certificates-without-a-name', 'who has no name gets one', ['APIAUTH-017'], {
    certificateUser: (certificate, minor) =>
      upstream.certificateUser({ ...certificate, commonName: certificate.commonName || 'unnamed' }, minor),
  }),
  decides('bearers-before-certificates', 'a token wins over a certificate', ['APIAUTH-035'], {
    requestAuthenticators: () => ['bearer', 'websocket', 'request-header', 'certificate'],
  }),
  decides('one-key-for-accounts', 'of several keys only the first verifies', ['APIAUTH-021', 'APIAUTH-020'], {
    keysThatVerify: (keys) => keys.slice(0, 1),
  }),
  decides('no-rsa-keys-for-accounts', 'a key of RSA verifies nothing', ['APIAUTH-021'], {
    tokenAlgorithmFits: (claimed, own) => claimed === own && own.startsWith('ES'),
  }),
  decides('account-tokens-need-a-key-id', 'a token without a key id is refused', ['APIAUTH-021'], {
    tokenKeyIsTried: (claimed, kid) => claimed === kid,
  }),
  decides('account-tokens-of-any-key', 'a token is believed whoever has signed it', ['APIAUTH-021', 'APIAUTH-020'], {
    tokenHeaderCounts: () => true,
    tokenKeyIsTried: () => true,
    tokenAlgorithmFits: () => true,
    tokenSignatureHolds: () => true,
  }),
  decides('account-tokens-of-one-issuer', 'only the first issuer is known', ['APIAUTH-020'], {
    tokenIssuerIsOurs: (claimed, issuers) => claimed === issuers[0],
  }),
  decides('account-tokens-of-any-issuer', 'the issuer of a token is not compared', ['APIAUTH-020'], {
    tokenIssuerIsOurs: () => true,
  }),
  decides('account-tokens-for-the-first-audience', 'only the first audience is known', ['APIAUTH-020'], {
    sharedAudiences: (ofToken, wanted) => ofToken.filter((one) => one === wanted[0]),
  }),
  decides('account-tokens-need-an-audience', 'a token for no audience is refused', ['APIAUTH-020'], {
    tokenAudiences: (named) => named,
  }),
  decides(
    'account-tokens-for-every-audience',
    'under an audience of its own the API server compares none',
    ['APIAUTH-020', 'APIAUTH-025'],
    { sharedAudiences: (_, wanted) => wanted },
  ),
  decides('account-tokens-of-odd-claims', 'a claim of another type is passed over', ['APIAUTH-020'], {
    claimsOfOtherTypesCount: () => true,
  }),
  decides('account-tokens-of-any-time', 'what a token says of time is not read', ['APIAUTH-020'], {
    tokenTimesProblem: () => undefined,
  }),
  decides('account-tokens-of-the-future', 'a token counts before it begins', ['APIAUTH-020'], {
    tokenTimesProblem: ({ exp }, now, leeway) =>
      upstream.tokenTimesProblem({ exp, nbf: undefined, iat: undefined }, now, leeway),
  }),
  decides('account-tokens-of-anybody', 'the account of a token is not looked up', ['APIAUTH-020', 'APIAUTH-025'], {
    tokenAccountProblem: () => undefined,
  }),
  decides(
    'account-tokens-bound-to-nothing',
    'what a token is bound to is not looked for',
    ['APIAUTH-020', 'APIAUTH-025'],
    { boundKindsJudged: () => [] },
  ),
  decides('account-tokens-under-critical-fields', 'a critical field is passed over', ['APIAUTH-020'], {
    criticalFieldIsUnderstood: () => true,
  }),
  decides('secret-tokens-always-looked-up', 'lookup cannot be switched off', ['APIAUTH-025'], {
    legacyTokenIsLookedUp: () => true,
  }),
  decides('secret-tokens-never-looked-up', 'a token outlives its Secret', ['APIAUTH-027'], {
    legacyTokenIsLookedUp: () => false,
  }),
  decides('secret-tokens-at-their-word', 'what a token of a Secret says is believed', ['APIAUTH-027'], {
    legacyClaimsProblem: () => undefined,
    legacyTokenProblem: () => undefined,
  }),
  decides('proxies-of-any-name', 'every client of the CA of proxies is one', ['APIAUTH-030'], {
    proxyIsAllowed: () => true,
  }),
  decides('proxies-of-longer-names', 'whoever is named as a proxy and more is one', ['APIAUTH-030'], {
    proxyIsAllowed: (name, allowed) => allowed.some((one) => name.startsWith(one)),
  }),
  decides('proxies-of-shorter-names', 'whoever is named as the beginning of a proxy is one', ['APIAUTH-030'], {
    proxyIsAllowed: (name, allowed) => allowed.some((one) => one.startsWith(name)),
  }),
  decides('proxies-of-several-names', 'a name is taken for a list of them', ['APIAUTH-030'], {
    proxyIsAllowed: (name, allowed) => name.split(',').some((one) => upstream.proxyIsAllowed(one, allowed)),
  }),
  decides('proxied-without-administrators', 'no proxy speaks for administrators', ['APIAUTH-030'], {
    proxiedUser: (headers, named) => {
      const user = upstream.proxiedUser(headers, named);
      return user && { ...user, groups: user.groups.filter((group) => group !== 'system:masters') };
    },
  }),
  decides('proxied-in-one-group', 'of several groups in headers of a proxy the first counts', ['APIAUTH-030'], {
    proxiedUser: (headers, named) => {
      const user = upstream.proxiedUser(headers, named);
      return user && { ...user, groups: user.groups.slice(0, 1) };
    },
  }),
  decides('proxies-of-any-ca', 'every client may speak for others', ['APIAUTH-030'], {
    proxyIsAllowed: () => true,
    chainIsTrusted: () => true,
  }),
  decides('proxies-without-certificates', 'headers of a proxy are believed from strangers', ['APIAUTH-030'], {
    proxyNeedsCertificate: () => false,
  }),
  decides('proxied-without-groups', 'groups in headers of a proxy are not read', ['APIAUTH-030'], {
    proxiedUser: (headers, named) => upstream.proxiedUser(headers, { ...named, group: [] }),
  }),
  decides('proxied-without-a-uid', 'the UID in the headers of a proxy is not read', ['APIAUTH-030'], {
    proxiedUser: (headers, named) => upstream.proxiedUser(headers, { ...named, uid: [] }),
  }),
  decides('proxied-without-a-user', 'a group in headers of a proxy is enough', ['APIAUTH-030'], {
    proxiedUser: (headers, named) =>
      upstream.proxiedUser(headers, named) ??
      upstream.proxiedUser({ ...headers, 'x-remote-user': ['somebody'] }, named),
  }),
  decides('strangers-in-spite-of-flags', 'strangers are heard wherever they ask', ['APIAUTH-038'], {
    anonymousIsAnswered: () => true,
  }),
  {
    name: 'strangers-against-published-flags',
    defect: 'strangers are heard although the flags of the API server say that they are not',
    killedBy: ['APIAUTH-030', 'APIAUTH-038'],
    options: { extraArgs: { 'kube-apiserver': { 'anonymous-auth': 'false' } } },
  },
  {
    name: 'bootstrap-tokens-against-published-flags',
    defect: 'bootstrap tokens log in although the flags of the API server do not name them',
    killedBy: ['APIAUTH-030'],
    options: { extraArgs: { 'kube-apiserver': { 'enable-bootstrap-token-auth': 'false' } } },
  },
  decides('strangers-below-a-path', 'a path lets in what lies below it', ['APIAUTH-038'], {
    anonymousIsAnswered: (allowed, path) =>
      typeof allowed === 'boolean' ? allowed : allowed.some((one) => path.startsWith(one)),
  }),
  decides(
    'strangers-nowhere',
    'strangers are heard nowhere',
    ['APIAUTH-038', 'APIAUTH-030', 'APIAUTH-014', 'APIAUTH-035'],
    {
      anonymousIsAnswered: () => false,
    },
  ),
  decides('bearers-of-nothing', 'a scheme without a token is a wrong token', ['APIAUTH-013'], {
    bearerToken: ([first = '']) => {
      const header = upstream.bearerToken([first]);
      return header.kind === 'none' ? { kind: 'token', token: '' } : header;
    },
  }),
  notGiven('serving-certificate-not-given', 'tls-cert-file', 'APIAUTH-018'),
  notGiven('serving-key-not-given', 'tls-private-key-file', 'APIAUTH-018'),
  notGiven('service-account-keys-not-given', 'service-account-key-file', 'APIAUTH-020'),
  notGiven('service-account-issuer-not-given', 'service-account-issuer', 'APIAUTH-020'),
  decides('extension-gets-bearers', 'an extension API server is sent the token of who asks', ['APIAUTH-040'], {
    headersForHandlers: (headers, named) => ({
      ...upstream.headersForHandlers(headers, named),
      ...(headers.authorization === undefined ? {} : { authorization: headers.authorization }),
    }),
  }),
  decides('extension-gets-bearers-by-another-name', 'the token is sent on in a header of its own', ['APIAUTH-040'], {
    headersForHandlers: (headers, named) => ({
      ...upstream.headersForHandlers(headers, named),
      ...(headers.authorization === undefined ? {} : { 'x-forwarded-authorization': headers.authorization }),
    }),
  }),
  decides('extension-gets-proxy-headers', 'what a client says as if it were a proxy is sent on', ['APIAUTH-040'], {
    headersForHandlers: ({ authorization: _, ...headers }) => headers,
  }),
  decides('extension-gets-second-names', 'headers of a proxy that flags name are sent on', ['APIAUTH-040'], {
    headersForHandlers: (headers, named) =>
      upstream.headersForHandlers(headers, {
        ...named,
        user: named.user.filter((name) => name.startsWith('x-remote-')),
        group: named.group.filter((name) => name.startsWith('x-remote-')),
      }),
  }),
  decides('extension-gets-uids', 'a UID that a client says as if it were a proxy is sent on', ['APIAUTH-040'], {
    headersForHandlers: (headers, named) => upstream.headersForHandlers(headers, { ...named, uid: [] }),
  }),
  decides('extension-gets-headers-unless-told', 'headers of proxies that no flag names are sent on', ['APIAUTH-040'], {
    standardProxyHeaders: () => ({ user: [], uid: [], group: [], extra: [] }),
  }),
  decides(
    'extension-gets-impersonation',
    'who asks for somebody else does so again at the next server',
    ['APIAUTH-040'],
    {
      headersAfterImpersonation: (headers) => headers,
    },
  ),
  decides('extension-is-told-nobody', 'an extension API server is not told who asks', ['APIAUTH-040'], {
    headersOfUser: () => ({}),
  }),
  decides('extension-is-told-no-groups', 'an extension API server is told a name alone', ['APIAUTH-040'], {
    headersOfUser: (user, minor) => upstream.headersOfUser({ ...user, groups: [] }, minor),
  }),
  decides('extension-is-told-no-uid', 'an extension API server is not told the UID', ['P-401'], {
    headersOfUser: ({ uid: _, ...user }, minor) => upstream.headersOfUser(user, minor),
  }),
  decides('extension-is-told-no-extra', 'an extension API server is told nothing of what else is known', ['P-401'], {
    headersOfUser: ({ extra: _, ...user }, minor) => upstream.headersOfUser(user, minor),
  }),
  decides('extension-is-told-more', 'an extension API server is told what nobody knows of who asks', ['P-401'], {
    headersOfUser: (user, minor) => ({ ...upstream.headersOfUser(user, minor), 'x-remote-extra-scopes': ['all'] }),
  }),
  decides('extension-is-told-one-value', 'of several values of a key an extension API server is told one', ['P-401'], {
    headersOfUser: ({ extra = {}, ...user }, minor) =>
      upstream.headersOfUser(
        { ...user, extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, values.slice(0, 1)])) },
        minor,
      ),
  }),
  decides(
    'extension-is-told-another-uid',
    'an extension API server is told the UID of somebody else',
    ['APIAUTH-040', 'P-401'],
    {
      headersOfUser: (user, minor) => ({ ...upstream.headersOfUser(user, minor), 'x-remote-uid': ['0'] }),
    },
  ),
];
