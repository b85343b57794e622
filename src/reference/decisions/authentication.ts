/**
 * Who is asked for an identity and in which order, what everybody gets, and what headers say: of a bearer, of a
 * websocket, of a trusted proxy.
 * Source: pkg/kubeapiserver/authenticator/config.go New; apiserver,
 * pkg/authentication/request/{union,headerrequest,websocket,anonymous},
 * pkg/authentication/group/authenticated_group_adder.go.
 */

import { GROUP_AUTHENTICATED, GROUP_UNAUTHENTICATED, USER_ANONYMOUS } from '../../kubernetes/names.js';
import type { UserInfo } from '../../kubernetes/objects.js';
import { unescapeKey, utf8 } from './header-text.js';

/** Where a request may carry an identity. */
export type RequestAuthenticator = 'request-header' | 'password' | 'certificate' | 'bearer' | 'websocket';
/** Who may know a token. */
export type TokenAuthenticator = 'token-file' | 'service-account' | 'bootstrap';

/** Prefix of the subprotocol that carries a token. Source: websocket/protocol.go. */
const WEBSOCKET_TOKEN = 'base64url.bearer.authorization.k8s.io.';

/** Headers of a front proxy by what they say, lower case; of `extra` how they begin. */
export interface ProxyHeaders {
  readonly user: readonly string[];
  readonly uid: readonly string[];
  readonly group: readonly string[];
  readonly extra: readonly string[];
}

type Headers = Readonly<Record<string, readonly string[]>>;

/** The first header that says anything counts, and of it the first value. Source: requestheader.go headerValue. */
const firstValue = (headers: Headers, names: readonly string[]): string =>
  utf8(names.map((name) => headers[name]?.[0] ?? '').find((value) => value !== '') ?? '');

export const authenticationDecisions = {
  /**
   * The order in which a request's credentials are looked at; the first that names a user wins. Source: config.go New,
   * union.go.
   */
  requestAuthenticators: (): readonly RequestAuthenticator[] => [
    'request-header',
    'password',
    'certificate',
    'bearer',
    'websocket',
  ],

  /** The order in which those who know tokens are asked; the first that knows one wins. Source: config.go New. */
  tokenAuthenticators: (): readonly TokenAuthenticator[] => ['token-file', 'service-account', 'bootstrap'],

  /**
   * Whether a presented token that everybody refused ends the request with 401 (true) or leaves it anonymous. Source:
   * bearertoken.go, invalidToken.
   */
  refusedTokenIsError: (): boolean => true,

  /**
   * The errors of one refused token, the general before the particular. Source: bearertoken.go, AuthenticateRequest.
   */
  refusedTokenErrors: (particular: string | undefined): readonly string[] => [
    'invalid bearer token',
    ...(particular === undefined ? [] : [particular]),
  ],

  /**
   * The audiences that a token which knows none is good for: of those wanted, the API server's own. Source: apiserver,
   * pkg/authentication/authenticator/audagnostic.go.
   */
  audiencesOfPlainTokens: (wanted: readonly string[], own: readonly string[]): readonly string[] =>
    wanted.filter((one) => own.includes(one)),

  /**
   * The audiences that a review tells: of those wanted, the ones that the token is for. Source: apiserver,
   * pkg/authentication/authenticator/audagnostic.go.
   */
  audiencesTold: (shared: readonly string[], _wanted: readonly string[]): readonly string[] => shared,

  /** Who one is without credentials. Source: anonymous.go. */
  anonymousUser: (): UserInfo => ({ username: USER_ANONYMOUS, groups: [GROUP_UNAUTHENTICATED] }),

  /**
   * Whether a request without credentials is answered at a path: everywhere, nowhere, or at those listed. Source:
   * anonymous.go AuthenticateRequest.
   */
  anonymousIsAnswered: (allowed: boolean | readonly string[], path: string): boolean =>
    typeof allowed === 'boolean' ? allowed : allowed.includes(path),

  /** A logged-in user with the group that everybody gets. Source: authenticated_group_adder.go AuthenticateRequest. */
  withCommonGroups: (user: UserInfo): UserInfo => {
    if (user.username === USER_ANONYMOUS) return user;
    if (user.groups.includes(GROUP_AUTHENTICATED) || user.groups.includes(GROUP_UNAUTHENTICATED)) return user;
    return { ...user, groups: [...user.groups, GROUP_AUTHENTICATED] };
  },

  /**
   * Whether a certificate of the proxies' CA may speak for others; no names: every one. Source: x509.go
   * Verifier.verifySubject.
   */
  proxyIsAllowed: (commonName: string, allowedNames: readonly string[]): boolean =>
    allowedNames.length === 0 || allowedNames.includes(commonName),

  /** Whether headers of a proxy count on a connection without a certificate. Source: x509.go Verifier. */
  proxyNeedsCertificate: (): boolean => true,

  /**
   * The user that a trusted proxy speaks for; undefined: for nobody. Header names lower case, values as bytes. Source:
   * requestheader.go AuthenticateRequest.
   */
  proxiedUser: (headers: Headers, named: ProxyHeaders): UserInfo | undefined => {
    const name = firstValue(headers, named.user);
    if (name === '') return undefined;
    const uid = firstValue(headers, named.uid);
    const groups = named.group.flatMap((header) => headers[header] ?? []).filter((value) => value !== '');
    const extra: Record<string, string[]> = {};
    for (const prefix of named.extra)
      for (const [header, values] of Object.entries(headers)) {
        if (!header.startsWith(prefix)) continue;
        const key = unescapeKey(header.slice(prefix.length));
        extra[key] = [...(extra[key] ?? []), ...values.map(utf8)];
      }
    return {
      username: name,
      groups: groups.map(utf8),
      ...(uid === '' ? {} : { uid }),
      ...(Object.keys(extra).length === 0 ? {} : { extra }),
    };
  },

  /**
   * What handlers see of the headers of a request that was authenticated: nothing that says who somebody is. Source:
   * apiserver, pkg/endpoints/filters/authentication.go withAuthentication.
   */
  headersForHandlers: (headers: Headers, { user, uid, group, extra }: ProxyHeaders): Headers => {
    const taken = ['authorization', ...user, ...uid, ...group];
    return Object.fromEntries(
      Object.entries(headers).filter(
        ([name]) => !taken.includes(name) && !extra.some((prefix) => name.startsWith(prefix)),
      ),
    );
  },

  /**
   * The token of a websocket, or why it is refused; undefined: there is none. `values` are those of
   * Sec-WebSocket-Protocol. Source: protocol.go.
   */
  webSocketToken: (values: readonly string[]): { readonly token: string } | { readonly error: string } | undefined => {
    const protocols = values.flatMap((value) => value.split(',')).map((one) => one.trim());
    const [carrier, ...more] = protocols.filter((one) => one.startsWith(WEBSOCKET_TOKEN));
    if (carrier === undefined) return undefined;
    const token = decodeToken(carrier.slice(WEBSOCKET_TOKEN.length).replaceAll(/[\r\n]/g, ''));
    if ('error' in token) return token;
    if (more.length > 0) return { error: 'multiple base64.bearer.authorization tokens specified' };
    if (token.token === '') return undefined;
    return protocols.length > 1 ? token : { error: 'missing additional subprotocol' };
  },
};

function decodeToken(encoded: string): { readonly token: string } | { readonly error: string } {
  // Go's unpadded alphabet: a rest of one character is no byte.
  if (!/^[A-Za-z0-9_-]*$/.test(encoded) || encoded.length % 4 === 1)
    return { error: 'invalid base64.bearer.authorization token encoding' };
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return { token: text.decode(Buffer.from(encoded, 'base64url')) };
  } catch {
    return { error: 'invalid base64.bearer.authorization token' };
  }
}
