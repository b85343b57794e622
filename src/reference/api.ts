/** The API server of a reference: authentication, authorization, admission and every kind, put together. */
import { definitions, inDiscoveryOrder } from '../apiserver/resources/index.js';
import { type Api, createApi } from '../apiserver/server.js';
import type { MemoryStore } from '../apiserver/storage/store.js';
import type { ClusterPki } from '../kubeadm/pki.js';
import type { Credential } from '../pki/authority.js';
import { admissionPlugins } from './admission/index.js';
import { type Aggregator, createAggregator } from './aggregation.js';
import { anonymousAccess } from './authentication/authentication-configuration.js';
import { createAuthenticator } from './authentication/authenticator.js';
import { createImpersonation } from './authentication/impersonation.js';
import { certificatesIn, trustedProxies } from './authentication/request-header.js';
import { createServiceAccountTokens, type ServiceAccountTokens } from './authentication/service-account-tokens.js';
import { requestToken } from './authentication/token-requests.js';
import { createAuthorizer, type ServerAuthorizer } from './authorization/authorizer.js';
import { escalationHooks } from './authorization/escalation.js';
import { certificateSigningRequests } from './certificates/definition.js';
import type { ServedResource } from './controllers/controller.js';
import { reviewDefinitions } from './reviews/access-reviews.js';
import type { Settings } from './settings.js';

export interface ApiParts {
  readonly api: Api;
  readonly authorizer: ServerAuthorizer;
  readonly aggregator: Aggregator;
  readonly serviceAccounts: ServiceAccountTokens;
  /** Every resource that can be listed. */
  readonly served: readonly ServedResource[];
}

/** PEM of --client-ca-file and --requestheader-client-ca-file; undefined where the flag is not given. */
export interface ClientCas {
  readonly client: string | undefined;
  readonly proxies: string | undefined;
}

/** What an API server is built of beside its settings. */
export interface ApiInput {
  readonly pki: ClusterPki;
  readonly cas: ClientCas;
  readonly store: MemoryStore;
  /** The front proxy that it is to API servers behind it. */
  readonly proxy: () => Promise<Credential>;
  /** --service-account-issuer */
  readonly issuer: string;
  /** host:port that legacy discovery names, asked when it is known. */
  readonly address: () => string;
}

export function buildApi(settings: Settings, { pki, cas, store, issuer, address, proxy }: ApiInput): ApiParts {
  const { options, clock, random, decisions, minor, alwaysAllow, release } = settings;
  const flags = options.authentication ?? {};
  const authorizer = createAuthorizer({ store, decisions, minor, alwaysAllow });
  const serviceAccounts = createServiceAccountTokens({
    store,
    random,
    decisions,
    minor,
    issuer,
    key: pki.serviceAccountKey,
    flags,
  });
  const requestHeader = trustedProxies(cas, flags, minor);
  const authenticator = createAuthenticator({
    store,
    clock,
    decisions,
    minor,
    clientCas: certificatesIn(cas.client, '--client-ca-file'),
    requestHeader,
    bootstrapTokenAuth: options.bootstrapTokenAuth ?? true,
    // Whoever may do anything must at least say who they are. Source: pkg/kubeapiserver/options/authentication.go
    // ApplyAuthorization.
    anonymousAuth: alwaysAllow ? false : anonymousAccess(options.anonymousAuth, flags.authenticationConfig, minor),
    serviceAccounts,
    basicAuthFile: flags.basicAuthFile,
    tokenAuthFile: flags.tokenAuthFile,
  });
  const tokenRequests = { tokens: serviceAccounts, decisions, minor };
  const kinds = inDiscoveryOrder(
    [
      ...definitions(
        {
          ...escalationHooks(authorizer, decisions, minor),
          subjectGroups: decisions.subjectGroups,
          roleRefMayChange: decisions.roleRefMayChange,
          requestToken: (account, request, context) => requestToken(tokenRequests, account, request, context),
        },
        minor,
      ),
      certificateSigningRequests(decisions, minor),
      ...reviewDefinitions({ authorizer, authenticator, decisions, minor }),
    ].filter((kind) => decisions.groupIsServed(kind.group)),
    minor,
  );
  const aggregator = createAggregator({
    store,
    decisions,
    minor,
    proxyHeaders: requestHeader?.headers,
    proxy,
    serves: (group) => kinds.some((kind) => kind.group === group),
  });
  const api = createApi({
    definitions: kinds,
    authenticator,
    authorizer,
    impersonate: createImpersonation({ authorizer, decisions, minor }),
    admission: admissionPlugins({ store, random, authorizer, decisions, minor }),
    store,
    clock,
    random,
    manners: decisions,
    version: { minor, gitVersion: release.text },
    serviceAccountIssuer: {
      issuer: serviceAccounts.issuer,
      // Where no other place is named, the server itself has the keys.
      get jwksUri(): string {
        return `https://${address()}/openid/v1/jwks`;
      },
      keys: serviceAccounts.keySet().keys,
    },
    serverAddress: address,
    handOn: aggregator.handOn,
  });
  const served = kinds
    .filter((kind) => kind.verbs.includes('list'))
    .map(({ group, version, resource, kind, namespaced }) => ({
      group,
      resource,
      kind,
      namespaced,
      apiVersion: group === '' ? version : `${group}/${version}`,
    }));
  return { api, authorizer, aggregator, serviceAccounts, served };
}
