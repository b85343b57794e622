/**
 * What a kind is told to the server by: names, verbs, shape, strategy, columns.
 * Source of the shapes: k8s.io/apiserver (registry/rest).
 */
import type { KubeObject, Status, UserInfo } from '../kubernetes/objects.js';
import type { Authorizer } from './access.js';
import type { Clock, RandomBytes, Store } from './types.js';

/** One entry of a 422's details.causes and message. Source: apimachinery, util/validation/field/errors.go. */
export interface FieldError {
  readonly type:
    | 'Required'
    | 'Invalid'
    | 'NotSupported'
    | 'Duplicate'
    | 'Forbidden'
    | 'TooLong'
    | 'NotFound'
    | 'InternalError'
    | 'TypeInvalid';
  readonly field: string;
  /** The body after "<field>: ", type's phrase included, exactly as upstream prints it. */
  readonly body: string;
  /** What minors up to that one print instead. */
  readonly older?: { readonly until: number; readonly body: string };
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
  /** The object as it is after an update. */
  validateUpdate?(object: KubeObject, old: KubeObject, context: StrategyContext): readonly FieldError[];
  /** What may not change: its errors follow those of metadata that may not. */
  validateChange?(object: KubeObject, old: KubeObject): readonly FieldError[];
  /** `old`: of an update. */
  warnings?(object: KubeObject, old?: KubeObject): readonly string[];
  /** PUT of a name that is not there creates it (leases, events, rbac …). */
  readonly allowCreateOnUpdate?: boolean;
  /** PUT without resourceVersion is taken. */
  readonly allowUnconditionalUpdate?: boolean;
  /**
   * How the kind's ValidateUpdate looks at metadata beside the common check: the update rules, then those of creation
   * (default), the other way round, or one of the two alone. common: the kind does not look at metadata at all, on
   * creation neither. Its errors are listed in that order.
   */
  readonly metadataOnUpdate?: 'update-create' | 'create-update' | 'update' | 'create' | 'common';
  /** Up to that minor, ValidateUpdate looks at the object as at a new one twice, and lists all that it finds twice. */
  readonly lookedAtTwiceUntil?: number;
  /** Finalizers without a domain need not be of the few old ones: the kind is none of the core's validation. */
  readonly anyFinalizer?: true;
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

/** What a request says besides its body. */
export interface Asked {
  readonly query: URLSearchParams;
  /** It wants to go on with another protocol. */
  readonly upgrades: boolean;
}

/**
 * A subresource that reads and writes the same object (status, approval, finalize, scale…) or answers by itself
 * (token, eviction, binding).
 */
export type Subresource = Lifetime & SubresourceServed;

type SubresourceServed =
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
      /** Of what it answers, where that can be shown as one. */
      readonly table?: Pick<ResourceDefinition, 'columns' | 'row'>;
      /** Leads to somebody behind the server, who cannot be asked for a dry run. */
      readonly connects?: true;
      /** Defaults of the object that is sent. */
      default?(object: KubeObject): KubeObject;
      /** What is sent: its shape, and what Go's structs make of it, defaults included. Absent: any body is taken. */
      readonly body?: { readonly schema: FieldSchema; inGoForm(object: KubeObject): KubeObject };
      act(request: {
        readonly parent: KubeObject | undefined;
        readonly name: string;
        readonly body: KubeObject;
        readonly context: StrategyContext;
        /** Deletes the object, as DeleteOptions say. @throws ApiError: 400, 409, 422 */
        readonly end: (object: KubeObject, options: Readonly<Record<string, unknown>>) => void;
        /** Absent: nobody asks over the wire. */
        readonly asked?: Asked;
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
  /** What one that is not there is called, if that is another name. */
  readonly missingAs?: { readonly resource: string };
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
