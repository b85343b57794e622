/**
 * Who a request comes from: the authenticators in the order that is decided, then anonymous.
 * Source: pkg/kubeapiserver/authenticator/config.go New; apiserver, pkg/authentication/request/union,
 * pkg/registry/authentication/tokenreview.
 */

import type { AuthenticationResult, Authenticator } from '../../apiserver/access.js';
import type { Clock, Store } from '../../apiserver/types.js';
import type { RequestAuthenticator, TokenAuthenticator } from '../decisions/authentication.js';
import type { Decisions } from '../decisions.js';
import { aggregate } from '../go-errors.js';
import { byAnonymous } from './anonymous.js';
import { byBearer, byWebSocket } from './bearer-tokens.js';
import { byBootstrapToken } from './bootstrap-tokens.js';
import { createCertificateVerifier } from './certificate-verifier.js';
import { byCertificate } from './client-certificates.js';
import { type AskRequest, type AskToken, NO_OPINION, type Opinion, type Presented } from './opinion.js';
import { byPassword } from './password-file.js';
import { byRequestHeader, type TrustedProxies } from './request-header.js';
import type { ServiceAccountTokens } from './service-account-tokens.js';
import { cacheTokens } from './token-cache.js';
import { byTokenFile } from './token-file.js';

export interface AuthenticatorOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly decisions: Decisions;
  /** Minor of the version played. */
  readonly minor: number;
  /** --client-ca-file: DER of each certificate; undefined: no certificate is looked at. */
  readonly clientCas: readonly Buffer[] | undefined;
  /** --requestheader-…; undefined: no proxy is trusted. */
  readonly requestHeader?: TrustedProxies | undefined;
  /** --enable-bootstrap-token-auth */
  readonly bootstrapTokenAuth: boolean;
  /** --anonymous-auth; a list: only at these paths */
  readonly anonymousAuth: boolean | readonly string[];
  /** undefined: no service account token is accepted. */
  readonly serviceAccounts?: ServiceAccountTokens;
  /** --basic-auth-file: its text; undefined: none is given. */
  readonly basicAuthFile?: string | undefined;
  /** --token-auth-file: its text; undefined: none is given. */
  readonly tokenAuthFile?: string | undefined;
}

const DEFAULT_AUDIENCE = 'https://kubernetes.default.svc.cluster.local';

export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { clock, decisions, requestHeader, serviceAccounts } = options;
  const ownAudiences = serviceAccounts?.audiences ?? [DEFAULT_AUDIENCE];
  const tokens = cacheTokens(askEachToken(options, ownAudiences), decisions);
  const each: Readonly<Record<RequestAuthenticator, AskRequest>> = {
    'request-header': byRequestHeader(requestHeader, ownAudiences, decisions),
    password: byPassword(options.basicAuthFile, ownAudiences, decisions),
    certificate: decisions.certificatesAreAsked(options.clientCas !== undefined)
      ? byCertificate(createCertificateVerifier(options.clientCas ?? [], decisions), decisions, options.minor)
      : () => NO_OPINION,
    bearer: byBearer(tokens, decisions),
    websocket: byWebSocket(tokens, decisions),
  };
  const inOrder = decisions.requestAuthenticators().map((name) => each[name]);
  const anonymous = byAnonymous(options.anonymousAuth, decisions);

  const identify = (presented: Presented): Opinion => {
    const errors: string[] = [];
    for (const ask of inOrder) {
      const opinion = ask(presented);
      if ('user' in opinion) return { ...opinion, user: decisions.withCommonGroups(opinion.user) };
      errors.push(...opinion.errors);
    }
    return errors.length > 0 ? { errors } : anonymous(presented);
  };

  return {
    challenge: decisions.basicChallenge(options.basicAuthFile !== undefined),
    authenticate(credentials, warnings): AuthenticationResult {
      const opinion = identify({ credentials, audiences: ownAudiences, now: clock.now(), warnings });
      if ('user' in opinion) return { kind: 'user', ...opinion };
      const { errors } = opinion;
      return { kind: 'refused', cause: errors.length === 0 ? 'no credentials were given' : aggregate(errors) };
    },
    // Names of headers that this server has of its own are looked for; nothing behind it reads the others.
    ...(requestHeader === undefined || !namesOthers(requestHeader)
      ? {}
      : { headersLeft: (headers) => decisions.headersForHandlers(headers, requestHeader.headers) }),
    // Where anonymous has path conditions, upstream 1.36 panics for a token of blanks, as a review has no path, and cuts
    // the connection; here nobody is known by it, as without conditions.
    review(token, wanted) {
      const audiences = wanted.length === 0 ? ownAudiences : wanted;
      // The header is made of the token's bytes, so a token with blanks means what such a header means.
      const authorization = [`Bearer ${Buffer.from(token, 'utf8').toString('latin1')}`];
      const credentials = { authorization, certificates: [], headers: {} };
      const opinion = identify({ credentials, audiences, now: clock.now(), warnings: [] });
      if ('user' in opinion) {
        const told = decisions.audiencesTold(opinion.audiences ?? audiences, audiences);
        return { user: opinion.user, audiences: told };
      }
      return opinion.errors.length === 0 ? {} : { error: aggregate(opinion.errors) };
    },
  };
}

const namesOthers = ({ headers }: TrustedProxies): boolean =>
  Object.values(headers)
    .flat()
    .some((name) => !name.startsWith('x-remote-'));

/** Everybody who may know a token, in the order that is decided; the first error is told where nobody does. */
function askEachToken(options: AuthenticatorOptions, ownAudiences: readonly string[]): AskToken {
  const { decisions, serviceAccounts } = options;
  const each: Readonly<Record<TokenAuthenticator, AskToken>> = {
    'token-file': byTokenFile(options.tokenAuthFile, ownAudiences, decisions),
    'service-account': serviceAccounts?.authenticate ?? (() => ({})),
    bootstrap: byBootstrapToken(options, ownAudiences),
  };
  const inOrder = decisions.tokenAuthenticators().map((name) => each[name]);
  return (token, audiences, now) => {
    let error: string | undefined;
    for (const ask of inOrder) {
      const answer = ask(token, audiences, now);
      if (answer.user !== undefined) return answer;
      error ??= answer.error;
    }
    return error === undefined ? {} : { error };
  };
}
