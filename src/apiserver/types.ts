/**
 * The inner contracts of the reference: what its rooms (api, resources, auth, controllers, kubeadm) know of one
 * another. Source of the shapes: k8s.io/apiserver (authenticator, authorizer, admission, registry/rest).
 */
import type { KubeObject, Status, UserInfo } from '../kubernetes/objects.js';

/** Time as the reference sees it; timers fire by this clock only. Milliseconds since the epoch. */
export interface Clock {
  now(): number;
  /**
   * Runs `fire` once at `at` (at once, but not synchronously, where that has passed). Returns a function that cancels.
   */
  at(at: number, fire: () => void): () => void;
}

/** Cryptographic in production, seeded in tests. */
export type RandomBytes = (length: number) => Buffer;

export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

/**
 * What a change in the store tells its listeners; objects are frozen. `revision` is the global resourceVersion, a
 * positive integer.
 */
export interface StoreEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly resource: GroupResource;
  readonly object: KubeObject;
  readonly previous?: KubeObject;
  readonly revision: number;
}

/**
 * etcd's part: objects by resource, namespace and name. Knows no semantics but revisions. All calls are synchronous.
 */
export interface Store {
  readonly revision: number;
  get(resource: GroupResource, namespace: string | undefined, name: string): KubeObject | undefined;
  /** Sorted by namespace, then name (byte order), as etcd keys are. */
  list(resource: GroupResource, namespace?: string): readonly KubeObject[];
  /** Stores and stamps metadata.resourceVersion; throws StoreConflict where it exists. */
  create(resource: GroupResource, object: KubeObject): KubeObject;
  /**
   * Throws StoreConflict where the stored resourceVersion differs from `expected` (undefined: unconditional). An equal
   * object changes nothing.
   */
  update(resource: GroupResource, object: KubeObject, expected?: string): KubeObject;
  /** Returns the object as deleted (with the revision of the deletion), undefined where it was not there. */
  delete(resource: GroupResource, namespace: string | undefined, name: string): KubeObject | undefined;
  /** Called after every committed change, synchronously, in order. Returns a function that unsubscribes. */
  subscribe(listener: (event: StoreEvent) => void): () => void;
  /** Events after `revision` for a watch; undefined where they are no longer kept (410 Expired). */
  since(resource: GroupResource, revision: number): readonly StoreEvent[] | undefined;
}

/** A refusal of the API server: becomes a Status with that HTTP code. Made by the helpers of machinery/errors.ts. */
export class ApiError extends Error {
  constructor(
    readonly code: number,
    readonly reason: string,
    message: string,
    readonly details?: Status['details'],
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

/** One entry of a 422's details.causes and message. Source: apimachinery, util/validation/field/errors.go. */
export interface FieldError {
  readonly type:
    | 'Required'
    | 'Invalid'
    | 'NotSupported'
    | 'Duplicate'
    | 'Forbidden'
    | 'TooLong'
    | 'TooMany'
    | 'NotFound'
    | 'InternalError'
    | 'TypeInvalid';
  readonly field: string;
  /** The body after "<field>: ", type's phrase included, exactly as upstream prints it. */
  readonly body: string;
  /** What minors up to that one print instead. */
  readonly older?: { readonly until: number; readonly body: string };
}

/** Parsed once per request. Source: apiserver, pkg/endpoints/request/requestinfo.go. */
export interface RequestInfo {
  readonly isResourceRequest: boolean;
  /** Decoded URL path. */
  readonly path: string;
  /**
   * API verb: get list watch create update patch delete deletecollection; lower-case HTTP method for non-resource
   * paths.
   */
  readonly verb: string;
  readonly apiPrefix: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
}

/** What an authorizer is asked. Source: apiserver, pkg/authorization/authorizer Attributes. */
export interface AuthorizationAttributes {
  readonly user: UserInfo;
  readonly verb: string;
  readonly isResourceRequest: boolean;
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
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
      readonly via: 'certificate' | 'token' | 'anonymous' | 'request-header';
      readonly audiences?: readonly string[];
    }
  /** 401. `cause` is for the server's own log and never leaves it. `warning` becomes a Warning header. */
  | { readonly kind: 'refused'; readonly cause: string; readonly warning?: string };

export interface Authenticator {
  /** `warnings` collects texts for Warning headers. */
  authenticate(credentials: Credentials, warnings: string[]): AuthenticationResult;
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

export interface AdmissionAttributes {
  readonly operation: Operation;
  readonly user: UserInfo;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
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

/** What a strategy may look at. */
export interface StrategyContext {
  readonly user: UserInfo;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly store: Store;
  readonly authorizer: Authorizer;
  readonly warnings: string[];
  readonly dryRun: boolean;
  readonly namespace: string;
  readonly subresource: string;
  /**
   * On an update: the object as the client sent it and admission left it, before what it cannot change was put back.
   */
  readonly sent?: KubeObject;
}

/**
 * The per-kind part of a resource: defaulting, preparation, validation. Pure functions of their arguments. Source:
 * each kind's registry strategy.go and validation.go.
 */
export interface Strategy {
  /** Server-side defaults, also applied to what is read back from a body. */
  default?(object: KubeObject): KubeObject;
  prepareForCreate?(object: KubeObject, context: StrategyContext): KubeObject;
  validate?(object: KubeObject, context: StrategyContext): readonly FieldError[];
  prepareForUpdate?(object: KubeObject, old: KubeObject, context: StrategyContext): KubeObject;
  validateUpdate?(object: KubeObject, old: KubeObject, context: StrategyContext): readonly FieldError[];
  warnings?(object: KubeObject): readonly string[];
  /** PUT of a name that is not there creates it (leases, events, rbac …). */
  readonly allowCreateOnUpdate?: boolean;
  /** PUT without resourceVersion is taken. */
  readonly allowUnconditionalUpdate?: boolean;
  /**
   * How the kind's ValidateUpdate looks at metadata beside the common check: the update rules, then those of creation
   * (default), the other way round, or the update rules alone. common: the kind does not look at metadata at all, on
   * creation neither. Its errors are listed in that order.
   */
  readonly metadataOnUpdate?: 'update-create' | 'create-update' | 'update' | 'common';
  /** Names: which check upstream applies to metadata.name; the default is a DNS-1123 subdomain. */
  validateName?(name: string, prefix: boolean): readonly string[];
  /**
   * Seconds that a deletion waits for whoever runs the object, who then deletes it with none; absent: no such kind.
   * `requested`: gracePeriodSeconds of the options. Source: apiserver, pkg/registry/rest/delete.go
   * RESTGracefulDeleteStrategy.
   */
  gracePeriod?(object: KubeObject, requested: number | undefined): number;
  /** Runs before the object leaves the store for good (namespace emptying …); false keeps it. */
  beforeDelete?(object: KubeObject, context: StrategyContext): boolean;
}

/** Minors of Kubernetes 1, both included; absent: from the first, to the newest. */
export interface Lifetime {
  readonly since?: number;
  readonly until?: number;
}

export interface TableColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'boolean' | 'number' | 'date';
  readonly format?: string;
  readonly description: string;
  /** 0 is shown always, 1 with -o wide. */
  readonly priority: number;
}

/**
 * A subresource that reads and writes the same object (status, approval, finalize, scale…) or answers by itself
 * (token, eviction, binding).
 */
export type Subresource =
  | {
      readonly kind: 'part';
      readonly name: string;
      readonly strategy: Strategy;
      readonly verbs: readonly ('get' | 'update' | 'patch')[];
    }
  | {
      readonly kind: 'action';
      readonly name: string;
      readonly verbs: readonly string[];
      readonly answersWith: { readonly group: string; readonly version: string; readonly kind: string };
      /** Defaults of the object that is sent. */
      default?(object: KubeObject): KubeObject;
      /** What is sent: its shape, and what Go's structs make of it, defaults included. Absent: any body is taken. */
      readonly body?: { readonly schema: FieldSchema; inGoForm(object: KubeObject): KubeObject };
      act(request: {
        readonly parent: KubeObject | undefined;
        readonly name: string;
        readonly body: KubeObject;
        readonly context: StrategyContext;
      }): {
        readonly code: number;
        readonly object: KubeObject | Status;
      };
    };

/**
 * Shape of a kind for openapi, field validation, strategic merge and server-side apply. A JSON schema subset with
 * x-kubernetes-* list hints.
 */
export interface FieldSchema {
  readonly type: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'any' | 'int-or-string' | 'map';
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  /** element of an array, or value of a map */
  readonly items?: FieldSchema;
  readonly format?: string;
  readonly required?: readonly string[];
  /** strategic merge: patchStrategy and patchMergeKey of Go's struct tags */
  readonly patchMergeKey?: string;
  readonly patchStrategy?: 'merge' | 'replace' | 'retainKeys' | 'merge,retainKeys';
  /** server-side apply: x-kubernetes-list-type, -map-keys, -map-type */
  readonly listType?: 'atomic' | 'set' | 'map';
  readonly mapKeys?: readonly string[];
  readonly mapType?: 'atomic' | 'granular';
  /**
   * Go's name of the type where it is not the plain one of `type` and `format` ("v1.PodSpec", "v1.SecretType"):
   * decoding errors name it, openapi refers to it.
   */
  readonly goType?: string;
  /**
   * What Go's encoder does with an absent or empty value. Absent: omitted when empty. pointer: printed unless null.
   * always: printed with its zero value. value: a struct held by value, printed even when empty.
   */
  readonly presence?: 'pointer' | 'always' | 'value';
  readonly description?: string;
}

/** One kind that the server serves in the minors of its lifetime. */
export interface ResourceDefinition extends Lifetime {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly resource: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  /** verbs of discovery, sorted as upstream prints them */
  readonly verbs: readonly string[];
  readonly strategy: Strategy;
  readonly schema: FieldSchema;
  readonly subresources: readonly Subresource[];
  /** Supported field selectors beside metadata.name and metadata.namespace: label → value of an object. */
  readonly fieldSelectors: Readonly<Record<string, (object: KubeObject) => string>>;
  /**
   * The 400 of a field label that this kind does not know, metadata.namespace of some kinds included; undefined: the
   * label is known. Absent: apimachinery's default, which knows metadata.name and metadata.namespace only. Asked for
   * every label of a selector. Source: AddFieldLabelConversionFunc of each kind.
   */
  refuseFieldLabel?(label: string): string | undefined;
  /** Warned of on every request from that minor on. Source: APILifecycleDeprecated of each kind. */
  readonly deprecated?: Lifetime & { readonly text: string };
  readonly columns: readonly TableColumn[];
  /** Cells of one row; `now` in milliseconds for ages. */
  row(object: KubeObject, now: number): readonly (string | number | boolean)[];
  /** A resource without storage (access reviews …): POST is answered by this. */
  answer?(object: KubeObject, context: StrategyContext): { readonly code: number; readonly object: KubeObject };
}

/** A loop of the controller manager. Driven by store events and the clock; never polls. */
export interface Controller {
  readonly name: string;
  start(): void;
  stop(): void;
  /** True while nothing is queued that could run without time passing. */
  idle(): boolean;
}

/**
 * How inner parts (controllers, kubeadm's phases) write: the same path as HTTP, as that user, authorization and
 * admission included. Throws ApiError.
 */
export interface ApiClient {
  readonly user: UserInfo;
  get(resource: GroupResource, namespace: string | undefined, name: string): KubeObject | undefined;
  list(resource: GroupResource, namespace?: string): readonly KubeObject[];
  create(resource: GroupResource, object: KubeObject, options?: { subresource?: string; parent?: string }): KubeObject;
  update(resource: GroupResource, object: KubeObject, options?: { subresource?: string }): KubeObject;
  delete(resource: GroupResource, namespace: string | undefined, name: string, options?: { uid?: string }): void;
}
