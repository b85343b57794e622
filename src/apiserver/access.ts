/**
 * Who asks, for what, and whether they may: what authenticators, authorizers and admission are asked and answer.
 * Source of the shapes: k8s.io/apiserver (authenticator, authorizer, admission).
 */
import type { KubeObject, UserInfo } from '../kubernetes/objects.js';

/** What of the API is asked for; '' where it does not apply. */
interface ResourceRequest {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

/** Parsed once per request. Source: apiserver, pkg/endpoints/request/requestinfo.go. */
export interface RequestInfo extends ResourceRequest {
  readonly isResourceRequest: boolean;
  /** Decoded URL path. */
  readonly path: string;
  /**
   * API verb: get list watch create update patch delete deletecollection; lower-case HTTP method for non-resource
   * paths.
   */
  readonly verb: string;
  readonly apiPrefix: string;
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
}

/** What an authorizer is asked. Source: apiserver, pkg/authorization/authorizer Attributes. */
export interface AuthorizationAttributes extends ResourceRequest {
  readonly user: UserInfo;
  readonly verb: string;
  readonly isResourceRequest: boolean;
  readonly path: string;
  /** Parsed requirements for selector-aware authorizers; undefined where none was given or it did not parse. */
  readonly fieldRequirements?: readonly {
    readonly field: string;
    readonly operator: '=' | '!=';
    readonly value: string;
  }[];
}

export interface AuthorizationDecision {
  readonly decision: 'allow' | 'deny' | 'no-opinion';
  readonly reason: string;
  readonly error?: string;
}

export interface Authorizer {
  authorize(attributes: AuthorizationAttributes): AuthorizationDecision;
}

/** The credentials of a request as they reached the server. */
export interface Credentials {
  /** Every Authorization header value, in order. */
  readonly authorization: readonly string[];
  /** DER of the certificates that the client sent, leaf first; empty where none. */
  readonly certificates: readonly Buffer[];
  /** Sec-WebSocket-Protocol values of a websocket request, undefined on any other request. */
  readonly webSocketProtocols?: readonly string[];
  /** Path that is asked for, decoded; absent in reviews. */
  readonly path?: string;
  /** All headers, lower-case names, every value (request-header authenticator). */
  readonly headers: Readonly<Record<string, readonly string[]>>;
}

export type AuthenticationResult =
  | {
      readonly kind: 'user';
      readonly user: UserInfo;
      readonly via: 'certificate' | 'password' | 'token' | 'anonymous' | 'request-header';
      readonly audiences?: readonly string[];
    }
  /** 401. `cause` is for the server's own log and never leaves it. `warning` becomes a Warning header. */
  | { readonly kind: 'refused'; readonly cause: string; readonly warning?: string };

export interface Authenticator {
  /** What whoever is answered 401 is asked for: the value of WWW-Authenticate; undefined: nothing. */
  readonly challenge?: string | undefined;
  /** `warnings` collects texts for Warning headers. */
  authenticate(credentials: Credentials, warnings: string[]): AuthenticationResult;
  /** The headers that are left once somebody is authenticated; absent: whoever reads them needs none of those. */
  headersLeft?(headers: Credentials['headers']): Credentials['headers'];
  /**
   * TokenReview runs the request chain with one bearer token. Source:
   * pkg/registry/authentication/tokenreview/storage.go.
   */
  review(
    token: string,
    audiences: readonly string[],
  ): { readonly user?: UserInfo; readonly error?: string; readonly audiences?: readonly string[] };
}

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

export interface AdmissionAttributes extends ResourceRequest {
  readonly operation: Operation;
  readonly user: UserInfo;
  readonly object?: KubeObject;
  readonly old?: KubeObject;
  readonly dryRun: boolean;
  /** Options of the request body/query that a plug-in may read (delete options and the like). */
  readonly options?: unknown;
}

/** Throws ApiError to refuse. `mutate` returns the object to go on with. */
export interface AdmissionPlugin {
  readonly name: string;
  mutate?(attributes: AdmissionAttributes): KubeObject | undefined;
  validate?(attributes: AdmissionAttributes): void;
}
