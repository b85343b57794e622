/**
 * What the operations of the API share: the room's dependencies, who asks, and for what. The order inside a write is
 * upstream's: mutating admission, strategy, validation (422), validating admission, store. Source: apiserver,
 * pkg/endpoints/handlers, pkg/registry/generic/registry/store.go.
 */
import type { KubeObject, UserInfo } from '../../kubernetes/objects.js';
import type {
  AdmissionAttributes,
  AdmissionPlugin,
  Authenticator,
  AuthorizationAttributes,
  AuthorizationDecision,
  Authorizer,
  Operation,
  RequestInfo,
} from '../access.js';
import { goQuote } from '../go/text.js';
import type { ResourceDefinition, StrategyContext, Subresource } from '../resource-definition.js';
import type { MemoryStore } from '../storage/store.js';
import type { Clock, GroupResource, RandomBytes } from '../types.js';
import { badRequest } from './errors.js';
import type { ApiRequest, FullResponse } from './http.js';
import { pathSegment } from './name-rules.js';

/** The release of Kubernetes 1 that is played. */
export interface ApiVersion {
  readonly minor: number;
  readonly gitVersion: string;
}

/** What is only tried: to make something, or to delete what is not gone at once. */
export type Tried = 'a creation' | 'the mark of a deletion';

/** What a server may be told about its manners, as its maker decides. */
export interface Manners {
  /** The sentence of a 401. `cause` is for the server's own log. */
  unauthorizedMessage(cause: string): string;
  /** Whether the authorizer's decision lets a request through. */
  isAllowed(decision: AuthorizationDecision['decision']): boolean;
  /** Largest body that is read, in bytes. */
  bodyLimit(): number;
  /** Whether a write or a deletion that names a version or a UID is about the object that is stored. */
  namesWhatIsThere(named: string, stored: string | undefined): boolean;
  /** Whether what is only tried is stored. */
  dryRunsAreStored(what: Tried): boolean;
  /** The version after which a watch tells what happens, of the one that it names. */
  watchBegins(named: number): number;
  /** What a watch tells of a change, by whether what it is of was watched before, and is after; undefined: nothing. */
  watchTells(before: boolean, after: boolean): 'ADDED' | 'MODIFIED' | 'DELETED' | undefined;
  /** Whether a watch tells of a deletion, by whether what was deleted was watched last. */
  watchTellsDeletion(before: boolean): boolean;
  /** Whether a watch begins with what is there, by whether that is due. */
  watchBeginsWithWhatIs(due: boolean): boolean;
  /** Whether a watch of a namespace, or of all where it is undefined, is told of what is in another one. */
  watchReaches(namespace: string | undefined, own: string | undefined): boolean;
  /** Whether a watch that was to begin with what is there says where that ends. */
  watchSaysWhereItBegins(): boolean;
  /** The version of what is there when a watch begins. */
  versionOfFound(own: string | undefined): string | undefined;
  /** The version of what a watch loses by a change. */
  versionOfLost(last: string | undefined, ofChange: string): string | undefined;
  /** The version of what is deleted, as a watch tells it. */
  versionOfDeleted(last: string | undefined, ofDeletion: string): string | undefined;
}

/** @param attributes what the authenticated user asks for */
export type Impersonate = (headers: ApiRequest['headers'], attributes: AuthorizationAttributes) => UserInfo;

/** A request that was let through, and who it is of. */
export interface Admitted {
  readonly request: ApiRequest;
  readonly info: RequestInfo;
  readonly user: UserInfo;
}

/** Everything that the API machinery is given. */
export interface Machinery {
  readonly definitions: readonly ResourceDefinition[];
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly admission: readonly AdmissionPlugin[];
  readonly store: MemoryStore;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly manners: Manners;
  /** The user that a request acts as: itself, or whom its headers ask for. @throws ApiError 400, 403 */
  readonly impersonate: Impersonate;
  readonly version: ApiVersion;
  /** The answer of another API server, to which the request is handed on; undefined: it is for this one. */
  readonly handOn?: (admitted: Admitted) => Promise<FullResponse> | undefined;
  /** Served below /.well-known/openid-configuration and /openid/v1/jwks; undefined: 404. */
  readonly serviceAccountIssuer?: {
    readonly issuer: string;
    readonly jwksUri: string;
    readonly keys: readonly Readonly<Record<string, unknown>>[];
  };
  /** host:port that legacy discovery names to every client. */
  readonly serverAddress?: () => string;
}

/** What a request is about. `subresource` is that of the definition, undefined for the object itself. */
export interface Target {
  readonly definition: ResourceDefinition;
  readonly namespace: string;
  readonly name: string;
  readonly subresource: Subresource | undefined;
}

/** Who writes and how. */
export interface Caller {
  readonly user: UserInfo;
  readonly warnings: string[];
  readonly dryRun: boolean;
  /** name of the field manager: given, or the client's name from its User-Agent */
  readonly manager: string;
}

/** One operation as upstream's handlers see it: on what, by whom. */
export interface Scope {
  readonly machinery: Machinery;
  readonly target: Target;
  readonly caller: Caller;
}

export const groupResource = (definition: ResourceDefinition): GroupResource => ({
  group: definition.group,
  resource: definition.resource,
});
export const apiVersion = (definition: Pick<ResourceDefinition, 'group' | 'version'>): string =>
  definition.group === '' ? definition.version : `${definition.group}/${definition.version}`;

/**
 * The stored object that a target names. Source: apiserver, pkg/registry/generic/registry/store.go NamespaceKeyFunc.
 * @throws 400 where no object can have that name, or be in no namespace
 */
export function storedObject({ machinery, target }: Pick<Scope, 'machinery' | 'target'>): KubeObject | undefined {
  const { definition, namespace, name } = target;
  if (definition.namespaced && namespace === '') throw badRequest('Namespace parameter required.');
  const faults = pathSegment(name);
  if (faults.length > 0) throw badRequest(`Name parameter invalid: ${goQuote(name)}: ${faults.join(';')}`);
  return machinery.store.get(groupResource(definition), definition.namespaced ? namespace : undefined, name);
}

export function strategyContext({ machinery, target, caller }: Scope): StrategyContext {
  return {
    user: caller.user,
    clock: machinery.clock,
    random: machinery.random,
    store: machinery.store,
    authorizer: machinery.authorizer,
    warnings: caller.warnings,
    dryRun: caller.dryRun,
    namespace: target.namespace,
    subresource: target.subresource?.name ?? '',
  };
}

/** What admission is shown of a write: the object (not of a deletion), the stored one, the options of a deletion. */
interface Shown {
  readonly object?: KubeObject;
  readonly old?: KubeObject | undefined;
  readonly options?: unknown;
}

function attributesOf(
  { target, caller }: Scope,
  operation: Operation,
  { object, old, options }: Shown,
): AdmissionAttributes {
  const { definition } = target;
  return {
    operation,
    user: caller.user,
    group: definition.group,
    version: definition.version,
    resource: definition.resource,
    subresource: target.subresource?.name ?? '',
    namespace: target.namespace,
    name: target.name === '' ? (object?.metadata.name ?? '') : target.name,
    ...(object === undefined ? {} : { object }),
    ...(old === undefined ? {} : { old }),
    dryRun: caller.dryRun,
    ...(options === undefined ? {} : { options }),
  };
}

/** Runs the mutating plug-ins in order. */
export function mutate(scope: Scope, operation: Operation, object: KubeObject, old?: KubeObject): KubeObject {
  let current = object;
  for (const plugin of scope.machinery.admission) {
    if (plugin.mutate === undefined) continue;
    current = plugin.mutate(attributesOf(scope, operation, { object: current, old })) ?? current;
  }
  return current;
}

/** Runs the validating plug-ins in order. */
export function admit(scope: Scope, operation: Operation, shown: Shown): void {
  for (const plugin of scope.machinery.admission) plugin.validate?.(attributesOf(scope, operation, shown));
}

/** Mutating plug-ins see deletions too; what they return is of no use. */
export function mutateDeletion(scope: Scope, shown: Pick<Shown, 'old' | 'options'>): void {
  for (const plugin of scope.machinery.admission) plugin.mutate?.(attributesOf(scope, 'DELETE', shown));
}

/** A version 4 UUID of the given random bytes. */
export function uuid(random: RandomBytes): string {
  const bytes = Buffer.from(random(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
