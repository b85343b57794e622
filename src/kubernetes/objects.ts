/** Shapes of Kubernetes API objects, as far as joinproof looks into them. No behaviour; imports nothing of ours. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };

/** Source: apimachinery, pkg/apis/meta/v1 ObjectMeta. Times are RFC 3339 in UTC with second precision. */
export interface ObjectMeta {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string | null;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
  readonly managedFields?: readonly Json[];
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** Any API object: what every kind has, and the rest as `unknown` until a schema or a guard has looked at it. */
export interface KubeObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

export interface Secret extends KubeObject {
  readonly type?: string;
  /** Values are base64 of the real bytes. */
  readonly data?: Readonly<Record<string, string>>;
  readonly immutable?: boolean;
}

export interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
  /** Values are base64 of the real bytes. */
  readonly binaryData?: Readonly<Record<string, string>>;
}

export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** A Role or a ClusterRole. */
export interface Role extends KubeObject {
  readonly rules?: readonly PolicyRule[] | null;
  readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly LabelSelector[] };
}

export interface Subject {
  readonly kind: string;
  readonly apiGroup?: string;
  readonly name: string;
  readonly namespace?: string;
}

export interface RoleRef {
  readonly apiGroup: string;
  readonly kind: string;
  readonly name: string;
}

/** A RoleBinding or a ClusterRoleBinding. */
export interface Binding extends KubeObject {
  readonly subjects?: readonly Subject[];
  readonly roleRef: RoleRef;
}

export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastUpdateTime?: string;
  readonly lastTransitionTime?: string;
}

export interface CertificateSigningRequest extends KubeObject {
  readonly spec: {
    /** base64 of the PEM of a PKCS#10 request */
    readonly request: string;
    readonly signerName: string;
    readonly usages?: readonly string[];
    readonly expirationSeconds?: number;
    readonly username?: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
  readonly status?: {
    readonly conditions?: readonly Condition[];
    /** base64 of PEM */
    readonly certificate?: string;
  };
}

/** Who the API server thinks one is. Source: authentication.k8s.io/v1 UserInfo. */
export interface UserInfo {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The answer of the API server to what it refuses. Source: meta/v1 Status. */
export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: {
    readonly name?: string;
    readonly group?: string;
    readonly kind?: string;
    readonly uid?: string;
    readonly causes?: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[];
    readonly retryAfterSeconds?: number;
  };
  readonly code?: number;
}
