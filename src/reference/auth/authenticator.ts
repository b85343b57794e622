/**
 * Who a request comes from: request header, client certificate, bearer token, websocket token, in this order; then anonymous.
 * Source: pkg/kubeapiserver/authenticator/config.go New; apiserver, pkg/authentication/request/union, pkg/registry/authentication/tokenreview.
 */

import type { AuthenticationResult, Authenticator, Clock, Credentials, Store } from '../../apiserver/types.js';
import type { UserInfo } from '../../kubernetes/objects.js';
import type { Decisions } from '../decisions.js';
import { authenticateBootstrapToken } from './bootstrap-tokens.js';
import { createCertificateVerifier } from './client-certificates.js';
import { aggregate } from './rbac.js';
import { authenticateByHeaders, utf8 } from './request-header.js';
import type { ServiceAccountTokens } from './service-account-tokens.js';
import { cacheTokens, type TokenAnswer } from './token-cache.js';
import { webSocketToken } from './websocket-token.js';

export interface AuthenticatorOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly decisions: Decisions;
  /** Minor of the version played. */
  readonly minor: number;
  /** --client-ca-file: DER of each certificate. */
  readonly clientCas: readonly Buffer[];
  /** --requestheader-client-ca-file and --requestheader-allowed-names; undefined: no proxy is trusted. */
  readonly requestHeader?: { readonly cas: readonly Buffer[]; readonly allowedNames: readonly string[] };
  /** --enable-bootstrap-token-auth */
  readonly bootstrapTokenAuth: boolean;
  /** --anonymous-auth; a list: only at these paths */
  readonly anonymousAuth: boolean | readonly string[];
  /** undefined: no service account token is accepted. */
  readonly serviceAccounts?: ServiceAccountTokens;
  /** --api-audiences; default: the issuer of service account tokens. */
  readonly audiences?: readonly string[];
}

const INVALID = 'invalid bearer token';
const DEFAULT_AUDIENCE = 'https://kubernetes.default.svc.cluster.local';

/** One authenticator's word: a user, an error that the others are asked after, or nothing. */
interface Opinion {
  readonly user?: UserInfo;
  readonly via?: 'certificate' | 'token' | 'request-header';
  readonly audiences?: readonly string[];
  readonly errors?: readonly string[];
}

type Result =
  | Exclude<AuthenticationResult, { kind: 'refused' }>
  | { readonly kind: 'none' }
  | { readonly kind: 'error'; readonly error: string };

export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { store, clock, decisions, minor, requestHeader, serviceAccounts } = options;
  const apiAudiences = options.audiences ?? [serviceAccounts?.issuer ?? DEFAULT_AUDIENCE];
  const clients = createCertificateVerifier(options.clientCas, decisions);
  const proxies = requestHeader === undefined ? undefined : createCertificateVerifier(requestHeader.cas, decisions);

  const askTokens = cacheTokens(
    (token, audiences) => {
      const now = clock.now();
      const account: TokenAnswer = serviceAccounts?.authenticate(token, audiences, now) ?? {};
      if (account.user !== undefined || !decisions.takesBootstrapTokens(options.bootstrapTokenAuth)) return account;
      // Bootstrap tokens know no audience: they are good for the API server's own.
      const shared = audiences.filter((one) => apiAudiences.includes(one));
      const user = shared.length === 0 ? undefined : authenticateBootstrapToken(token, store, decisions, now);
      return user === undefined ? account : { user, audiences: shared };
    },
    clock,
    decisions,
  );

  const byToken = (token: string, audiences: readonly string[], warnings: string[]): Opinion => {
    const answer = askTokens(token, audiences);
    warnings.push(...(answer.warnings ?? []));
    if (answer.user !== undefined) return { user: answer.user, via: 'token', audiences: answer.audiences ?? [] };
    // Upstream's chain says the general before the particular.
    return decisions.refusedTokenIsError()
      ? { errors: answer.error === undefined ? [INVALID] : [INVALID, answer.error] }
      : {};
  };

  const byRequestHeader = (credentials: Credentials): Opinion => {
    if (proxies === undefined || requestHeader === undefined) return {};
    const found = authenticateByHeaders(credentials, proxies, requestHeader.allowedNames, clock.now());
    if (found === undefined) return {};
    return 'error' in found
      ? { errors: [found.error] }
      : { user: found, via: 'request-header', audiences: apiAudiences };
  };

  const byCertificate = ({ certificates }: Credentials): Opinion => {
    if (certificates.length === 0) return {};
    const verified = clients.verify(certificates, clock.now());
    if ('error' in verified) return { errors: [verified.error] };
    const user = decisions.certificateUser(verified.identity, minor);
    if (user === 'no-opinion') return {};
    return 'error' in user ? { errors: [user.error] } : { user, via: 'certificate' };
  };

  const byBearer = ({ authorization }: Credentials, audiences: readonly string[], warnings: string[]): Opinion => {
    if (authorization.length === 0) return {};
    const header = decisions.bearerToken(authorization.map(utf8));
    if (header.kind === 'token') return byToken(header.token, audiences, warnings);
    if (header.warning !== undefined) warnings.push(header.warning);
    return {};
  };

  const byWebSocket = (
    { webSocketProtocols }: Credentials,
    audiences: readonly string[],
    warnings: string[],
  ): Opinion => {
    const found = webSocketProtocols === undefined ? undefined : webSocketToken(webSocketProtocols);
    if (found === undefined) return {};
    return 'error' in found ? { errors: [found.error] } : byToken(found.token, audiences, warnings);
  };

  const anonymousAt = (path = ''): boolean =>
    typeof options.anonymousAuth === 'boolean' ? options.anonymousAuth : options.anonymousAuth.includes(path);

  const run = (credentials: Credentials, audiences: readonly string[], warnings: string[]): Result => {
    const errors: string[] = [];
    for (const ask of [byRequestHeader, byCertificate, byBearer, byWebSocket]) {
      const opinion: Opinion = ask(credentials, audiences, warnings);
      if (opinion.user !== undefined && opinion.via !== undefined) {
        const user = decisions.withCommonGroups(opinion.user);
        return {
          kind: 'user',
          user,
          via: opinion.via,
          ...(opinion.audiences === undefined ? {} : { audiences: opinion.audiences }),
        };
      }
      errors.push(...(opinion.errors ?? []));
    }
    if (errors.length > 0) return { kind: 'error', error: aggregate(errors) };
    return anonymousAt(credentials.path)
      ? { kind: 'user', user: decisions.anonymousUser(), via: 'anonymous', audiences }
      : { kind: 'none' };
  };

  return {
    authenticate(credentials, warnings) {
      const result = run(credentials, apiAudiences, warnings);
      if (result.kind === 'user') return result;
      return { kind: 'refused', cause: result.kind === 'error' ? result.error : 'no credentials were given' };
    },
    review(token, wanted) {
      const audiences = wanted.length === 0 ? apiAudiences : wanted;
      // The header is made of the token's bytes, so a token with blanks means what such a header means.
      const authorization = [`Bearer ${Buffer.from(token, 'utf8').toString('latin1')}`];
      const result = run({ authorization, certificates: [], headers: {} }, audiences, []);
      if (result.kind === 'error') return { error: result.error };
      return result.kind === 'none' ? {} : { user: result.user, audiences: result.audiences ?? audiences };
    },
  };
}
