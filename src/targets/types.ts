/**
 * What a target answers. Steps and run know targets only by these types; nobody but targets/reference.ts starts the reference.
 */
import type { KubeObject } from '../kubernetes/objects.js';
import type { Resource } from '../kubernetes/resources.js';

export const CAPABILITIES = [
  /** --allow-writes, or a target that is ours (reference, control plane): scenarios may create, change and delete what they made. */
  'write',
  /** Scenarios may disturb what the cluster itself made (cluster-info, its tokens); ours only. */
  'disturb',
  /** The target answers requests without credentials (it may still refuse them); false where a proxy or credential hides it. */
  'anonymous',
  /** kube-controller-manager (or its twin) runs: tokens are cleaned, cluster-info is signed, CSRs approved. */
  'controllers',
  /** Time can be moved: sleep() returns at once and the target's clock has moved. */
  'clock',
  /** The credential may impersonate or ask SubjectAccessReviews for others. */
  'access-review',
  /** The target is a cluster that `kubeadm init`, or our twin of it, has set up. */
  'kubeadm',
  /** Switches of the API server or the controller manager can be changed: `with(...)` gives a twin target. */
  'switches',
] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** Who asks. `certificate` and `key` are PEM; several certificates may follow one another in `certificate`. */
export type Identity =
  | { readonly kind: 'admin' }
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'certificate'; readonly certificate: string; readonly key: string; readonly token?: string }
  /** Raw Authorization header values, sent as they are (one header each). */
  | { readonly kind: 'header'; readonly authorization: readonly string[] };

export interface Question {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  /** An object is sent as JSON, a string as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default application/json; for PATCH name the patch type. */
  readonly contentType?: string;
  /** Milliseconds; default 15 000. */
  readonly timeoutMs?: number;
}

/** What came back. A transport failure (refused, TLS, time limit) is not an answer: it throws TargetUnreachable. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly text: string;
  /** The parsed body where it is JSON, else undefined. */
  readonly body: unknown;
}

/** One identity's view of a target. */
export interface Client {
  readonly identity: Identity;
  /** Any answer with a status is returned, 4xx and 5xx too. Throws TargetUnreachable. */
  ask(question: Question): Promise<Answer>;
  /** The object, or undefined for 404. Throws UnexpectedAnswer for everything else but 200. */
  get<T extends KubeObject>(resource: Resource, name: string, namespace?: string): Promise<T | undefined>;
  /** Every object, all pages. Throws UnexpectedAnswer. */
  list<T extends KubeObject>(
    resource: Resource,
    options?: { namespace?: string; labelSelector?: string; fieldSelector?: string },
  ): Promise<T[]>;
  /** Needs capability write; goes into the journal before the request leaves. Returns the object as stored. Throws UnexpectedAnswer. */
  create<T extends KubeObject>(resource: Resource, object: T): Promise<T>;
  /** Merge patch (default) of something; what is not ours is saved in the journal first and put back at clean-up. Throws UnexpectedAnswer. */
  patch<T extends KubeObject>(
    resource: Resource,
    name: string,
    namespace: string | undefined,
    patch: unknown,
    options?: { type?: 'merge' | 'json' | 'strategic'; subresource?: string },
  ): Promise<T>;
  /** 404 is success. Throws UnexpectedAnswer. */
  delete(resource: Resource, name: string, namespace?: string): Promise<void>;
}

export interface ServerVersion {
  readonly gitVersion: string;
  readonly minor: number;
  /** undefined where the string does not show one (then rules that depend on a patch are skipped with that reason). */
  readonly patch?: number;
}

/** The clock of the target as scenarios see it. */
export interface TargetClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Real time on a cluster, moved time on the reference. Rejects with the run's abort reason. */
  sleep(milliseconds: number): Promise<void>;
}

export interface Target {
  readonly kind: 'reference' | 'cluster' | 'control-plane';
  /** For people: "joinproof reference 1.36", "https://10.0.0.1:6443 (context kubernetes-admin@kubernetes)". No secret in it. */
  readonly name: string;
  readonly server: string;
  /** PEM of the CA that the client trusts, where one is configured. */
  readonly caPem?: string;
  readonly capabilities: ReadonlySet<Capability>;
  /** Why a capability is missing, for the reason of a skip. */
  why(capability: Capability): string;
  readonly clock: TargetClock;
  as(identity: Identity): Client;
  readonly admin: Client;
  /** GET /version, asked once. Throws UnreadableVersion with a sentence where the minor cannot be read. */
  version(): Promise<ServerVersion>;
  /** Everything that ought to be shown nowhere: registered by value. */
  secret(value: string): void;
  /** The same target as one scenario sees it: every exchange of its clients is told to the listener as well, redacted. */
  observed?(listener: (exchange: Exchange) => void): Target;
  /** Exchanges so far (redacted), newest last. */
  exchanges(since?: number): readonly Exchange[];
  /** PEM chain that the server presents (leaf first), over a connection of its own that trusts anything. */
  servingCertificates(): Promise<readonly string[]>;
  /** Does a TLS handshake that trusts only `caPem` for `server` succeed? The reason where not. */
  trusts(caPem: string, server?: string): Promise<{ ok: true } | { ok: false; reason: string }>;
  /**
   * A twin of this target that differs in its switches (capability switches; the reference and control planes have it).
   * The twin is fresh: nothing of this target's objects but what set-up makes. Closed with this target.
   */
  with(switches: Switches): Promise<Target>;
  /** Runs kubeadm's init phase "bootstrap-token" once more (capability switches). Rejects with the phase's message where it fails. */
  repeatBootstrapPhase?(): Promise<void>;
  /** Removes all that was written (journal, reverse order), closes connections, ends what it started. Idempotent. */
  close(): Promise<void>;
}

/** What a set-up of kubeadm may have otherwise. Everything undefined: as kubeadm does it. */
export interface Switches {
  readonly bootstrapTokenAuth?: boolean;
  readonly anonymousAuth?: boolean;
  /** Without it the controller manager's controllers list lacks the name. */
  readonly bootstrapSigner?: boolean;
  readonly tokenCleaner?: boolean;
  readonly csrApprover?: boolean;
  readonly csrSigner?: boolean;
  /** The controller manager is not given the CA's key: both cluster-signing flags are empty. */
  readonly externalCa?: boolean;
  /** What `kubeadm init` is told about its tokens: undefined = flagless, one random token of 24 h. */
  readonly tokens?: readonly { readonly token?: string; readonly ttlSeconds?: number }[];
  /** Skip the phases of kubeadm altogether: a bare API server with controllers. */
  readonly bare?: boolean;
}

export interface Exchange {
  readonly at: string;
  /** "anonymous", "admin", "system:bootstrap:<id>", a certificate's CN */
  readonly as: string;
  readonly method: string;
  readonly path: string;
  readonly status: number | undefined;
  readonly milliseconds: number;
  readonly requestBody?: string;
  readonly responseBody?: string;
  readonly error?: string;
}
