/**
 * What a target answers. Steps and run know targets only by these types; nobody but targets/reference.ts starts the
 * reference.
 */
import type { AuthenticationFlags } from '../kubernetes/authentication-flags.js';
import type { KubeObject } from '../kubernetes/objects.js';
import type { LookKind, PreflightRun } from '../kubernetes/preflight-run.js';
import type { Resource } from '../kubernetes/resources.js';
import type { ClientRun } from '../kubernetes/transcript.js';
import type { UploadRun } from '../kubernetes/upload-run.js';

/**
 * What can be done with a target. A scenario is skipped where an ability is missing, with the target's sentence why.
 */
export const ABILITIES = [
  'objects',
  'requests',
  'writes',
  'reviews',
  'tls',
  'clock',
  'variants',
  'init',
  'client',
  'files',
  'preflight',
  'uploads',
] as const;
export type Ability = (typeof ABILITIES)[number];

/** What may be so of a target; where it is not, the target says why. */
export const FACTS = [
  /**
   * Requests without credentials reach the API server as such (it may still refuse them); no proxy adds a credential.
   */
  'anonymous',
  /** kube-controller-manager (or its twin) runs: tokens are cleaned, cluster-info is signed, CSRs approved. */
  'controllers',
  /** `kubeadm init`, or our twin of it, has set the cluster up. */
  'kubeadm',
  /** Nobody but set-up has made anything yet. */
  'fresh',
  /** joinproof has started it and throws it away: what the cluster itself made may be disturbed. */
  'ours',
  /** It runs in this process: every further connection costs more than it saves. */
  'inProcess',
] as const;
export type Fact = (typeof FACTS)[number];
export type Need = Ability | Fact;

export const isFact = (need: string): need is Fact => (FACTS as readonly string[]).includes(need);
export const isAbility = (need: string): need is Ability => (ABILITIES as readonly string[]).includes(need);

/** Who asks. `certificate` and `key` are PEM; several certificates may follow one another in `certificate`. */
export type Identity =
  | { readonly kind: 'admin' }
  | { readonly kind: 'anonymous' }
  /** `isPublic`: what is shown as a token is a name that everybody may know, and is no secret. */
  | { readonly kind: 'token'; readonly token: string; readonly isPublic?: true }
  | { readonly kind: 'certificate'; readonly certificate: string; readonly key: string; readonly token?: string }
  /** Raw Authorization header values, sent as they are (one header each). */
  | { readonly kind: 'header'; readonly authorization: readonly string[] };

export interface Question {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  /** An object is sent as JSON, a string as it is. */
  readonly body?: unknown;
  /** Of several values each is a header of its own. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Default application/json; for PATCH name the patch type. */
  readonly contentType?: string;
  /** Milliseconds; default 15 000. */
  readonly timeoutMs?: number;
  /** Which answers from 500 on are no trouble of the server. */
  readonly expects?: (answer: Answer) => boolean;
}

/** What came back. A transport failure (refused, TLS, time limit) is not an answer: it throws TargetUnreachable. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly text: string;
  /** The parsed body where it is JSON, else undefined. */
  readonly body: unknown;
  /** The request was sent more than once until this came: how long that took says nothing of the server. */
  readonly resent?: true;
}

/** One identity, asking. */
export interface Asker {
  readonly identity: Identity;
  /** Any answer with a status is returned, 4xx and 5xx too. Throws TargetUnreachable. */
  ask(question: Question): Promise<Answer>;
}

export interface ListOptions {
  /** What it leaves out is concluded from: a dump has to hold a list, and not only some objects of the kind. */
  readonly whole?: true;
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** What is kept of an object; undefined: nothing. A function of its argument alone: it may get an object twice. */
export type Keep<T> = (object: KubeObject) => T | undefined;

/** Reads API objects, from a server with the run's own credential or from a dump. */
export interface ObjectReader {
  /** The object, or undefined where there is none. Throws UnexpectedAnswer, NotInDump. */
  get<T extends KubeObject>(resource: Resource, name: string, namespace?: string): Promise<T | undefined>;
  /** Every object, all pages. Throws UnexpectedAnswer, NotInDump. */
  list<T extends KubeObject>(resource: Resource, options?: ListOptions): Promise<T[]>;
  /** What is kept of every object: no more than one of them is held at a time. */
  list<T>(resource: Resource, options: ListOptions, keep: Keep<T>): Promise<T[]>;
}

/** Makes and changes what is ours, as the run's own credential; what is made is written down and removed at the end. */
export interface Writer {
  /** Goes into the journal before the request leaves. Returns the object as stored. Throws UnexpectedAnswer. */
  create<T extends KubeObject>(resource: Resource, object: T): Promise<T>;
  /** Of what this run has made; on a target that is thrown away, of anything. Throws UnexpectedAnswer, NotAllowed. */
  patch<T extends KubeObject>(
    resource: Resource,
    name: string,
    namespace: string | undefined,
    patch: unknown,
    options?: { type?: 'merge' | 'json' | 'strategic'; subresource?: string },
  ): Promise<T>;
  /** Likewise; 404 is success. */
  delete(resource: Resource, name: string, namespace?: string): Promise<void>;
}

/** Asks as anybody. */
export interface Requester {
  as(identity: Identity): Asker;
  /** Registers what is to be shown nowhere, by value. */
  secret(value: string): void;
}

/** Asks the API server what others may do. */
export interface AccessReviews {
  /** `body`: a SubjectAccessReview. */
  review(body: KubeObject): Promise<Answer>;
}

export interface TlsProbe {
  /**
   * PEM chain that the server presents (leaf first), over a connection of its own that trusts anything. `host`: by
   * which the server is asked for (SNI; an address asks for no name). Default: as the kubeconfig does.
   */
  presented(host?: string): Promise<readonly string[]>;
  /**
   * The status line and headers that come back for a GET of "/version" that is sent to the same port without TLS, and
   * without a credential; '' where none came.
   */
  plain(): Promise<string>;
  /** Does a TLS handshake that trusts only `caPem` for `server` succeed? The reason where not. */
  trusts(
    caPem: string,
    server?: string,
  ): Promise<{ readonly ok: true } | { readonly ok: false; readonly reason: string }>;
}

/** Time that can be moved. */
export interface MovableClock {
  /**
   * Milliseconds forward; resolves when everything that fell due has come to rest. Rejects with the run's abort reason.
   */
  move(milliseconds: number): Promise<void>;
}

/** The same target with other flags. */
export interface Variants {
  /** Authenticators that API servers have had and have no more are among them. */
  readonly legacy?: boolean;
  /** Fresh: nothing of this target's objects but what set-up makes. Closed with this target. */
  open(flags: Switches): Promise<Target>;
  /** An extension API server that they reach; it repeats what it is sent. Closed with this target. */
  extension(serving: ServingPair): Promise<ExtensionServer>;
}

/** What a server shows in TLS: certificate and key, PEM each. */
export interface ServingPair {
  readonly certificate: string;
  readonly key: string;
}

export interface ExtensionServer {
  readonly host: string;
  readonly port: number;
}

/** Phases of `kubeadm init`. */
export interface InitPhaseRunner {
  /** Runs the phase "bootstrap-token" once more. Rejects with the phase's message where it fails. */
  repeatBootstrapToken(): Promise<void>;
}

/** A machine that joins, or a program that does so for it. */
export interface ClientUnderTest {
  /** For people. */
  readonly name: string;
  /** Lets it join this server, by name; undefined: there is no such server. */
  join(server: string): Promise<ClientRun | undefined>;
  /** Names of this server, and of those that do the same to machines that join in other ways. */
  inEachWay(server: string): Promise<readonly string[]>;
  /** Why nobody need judge its habits; undefined: they are its own. */
  readonly likeKubeadm?: string;
  /** Where it is a program that somebody has described: nobody knows yet whether it joins at all. */
  readonly program?: DescribedProgram;
}

/** What a description says of a client, and what it does not. */
export interface DescribedProgram {
  /** Why it cannot be before this server; undefined: it can. */
  lacks(server: string): string | undefined;
  /** The honest server that it is told of in the same way, or else in another; undefined: in none. */
  honest(server: string): string | undefined;
  /** Servers that it can be before and that show a client which is wrong in some way for one, the honest ones first. */
  readonly telling: readonly string[];
  /** Of whose kubelet nothing is seen, because one of ours stands in for it: why; undefined: it is the client's own. */
  readonly standIn?: string;
  /** Why nothing is known of this file of a node; undefined: it has a place. */
  lacksFile(role: NodeFile): string | undefined;
}

/** Files of a node that has joined. */
export type NodeFile = 'bootstrap-kubeconfig' | 'kubeconfig' | 'ca' | 'kubelet-configuration' | 'pki';

/** What lies at a path of a node's disk. */
export interface NodeEntry {
  /** "/etc/kubernetes/pki/ca.crt" */
  readonly path: string;
  readonly kind: 'file' | 'folder';
  /** Where it lies, when a link has led there. */
  readonly at?: string;
  /** Permission bits; undefined where nobody knows. */
  readonly mode?: number;
  /** The number of the user whom it belongs to; undefined where nobody knows. */
  readonly owner?: number;
  /** Bytes of a file that only what it is was asked of. */
  readonly size?: number;
  /** Of an archive of which only what it is was asked: names of what it holds. */
  readonly members?: readonly string[];
  /** Of a file that could be read. */
  readonly text?: string;
  /** Why it could not, in a clause. */
  readonly unreadable?: string;
}

/** The disk of a node, read only. */
export interface NodeFiles {
  /** Why it is that of another cluster than the target's objects, in a clause; undefined: nobody knows of another. */
  readonly apart?: string;
  /** Of each path that is there the entry, of a folder all that lies below it, sorted. */
  read(paths: readonly string[]): Promise<readonly NodeEntry[]>;
  /** The time by which its certificates are judged. Milliseconds since the epoch. */
  now(): number;
}

/** kubeadm, or who looks at machines as it does, before machines of all kinds. */
export interface PreflightUnderTest {
  /** Why it cannot be put on such a machine; undefined: it can. */
  lacks(machine: string): string | undefined;
  /** What it says of the machine of this name; undefined: there is none. */
  look(machine: string, look: LookKind): Promise<PreflightRun | undefined>;
}

/** kubeadm, or who does as it does, before a cluster that it hands shared certificates to. */
export interface UploadsUnderTest {
  /** What it does in these circumstances, by name; undefined: there are none of that name. */
  upload(circumstance: string): Promise<UploadRun | undefined>;
}

export interface Abilities {
  readonly objects: ObjectReader;
  readonly requests: Requester;
  readonly writes: Writer;
  readonly reviews: AccessReviews;
  readonly tls: TlsProbe;
  readonly clock: MovableClock;
  readonly variants: Variants;
  readonly init: InitPhaseRunner;
  readonly client: ClientUnderTest;
  readonly files: NodeFiles;
  readonly preflight: PreflightUnderTest;
  readonly uploads: UploadsUnderTest;
}

export interface ServerVersion {
  readonly gitVersion: string;
  readonly minor: number;
  /** undefined where the string does not show one (then rules that depend on a patch are skipped with that reason). */
  readonly patch?: number;
}

/** What is so of a target. */
export interface Facts {
  /** "https://10.0.0.1:6443"; empty where there is no server. No secret in it. */
  readonly server: string;
  /** PEM of the CA that the client trusts, where one is configured. */
  readonly caPem?: string;
  /** GET /version, or why it shows no release. */
  readonly version: ServerVersion | { readonly unreadable: string };
  readonly holds: ReadonlySet<Fact>;
  /** Of those that do not hold: what is known not to be so, not only not seen. */
  readonly absent?: ReadonlySet<Fact>;
  /** What shows that kubeadm has set the cluster up. */
  readonly signs?: readonly string[];
  /** Whose token the run's own credential is, as that says of itself: "system:serviceaccount:joinproof:joinproof". */
  readonly account?: string;
  /** The time there. Milliseconds since the epoch. */
  now(): number;
  /** By how many times waiting takes longer here than on a quick target, as measured: 1 or more; undefined: 1. */
  readonly pace?: () => number;
  /** Whether the run's own credential was forbidden all that it has asked to read. */
  readonly readsNothing?: () => boolean;
}

export interface Target {
  readonly kind: 'reference' | 'cluster' | 'control-plane' | 'dump' | 'client' | 'node';
  /**
   * For people: "joinproof reference 1.36", "https://10.0.0.1:6443 (context kubernetes-admin@kubernetes)". No secret in
   * it.
   */
  readonly name: string;
  /** Id of the run, on everything that it makes; undefined where it can make nothing. */
  readonly run?: string;
  readonly facts: Facts;
  readonly abilities: Partial<Abilities>;
  /** Why an ability is missing or a fact does not hold, for the reason of a skip. */
  why(need: Need): string;
  /** Aborted when the target has stopped answering; the reason is the error to end with. */
  readonly gone?: AbortSignal;
  /** The same target as one scenario sees it: every exchange is told to the listener as well, redacted. */
  observed?(listener: (exchange: Exchange) => void): Target;
  /** Removes all that was written, closes connections, ends what it started. Idempotent. */
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
  /** How long the controller manager signs certificates for, where nothing else is asked for. */
  readonly signingSeconds?: number;
  /** What `kubeadm init` is told about its tokens: undefined = flagless, one random token of 24 h. */
  readonly tokens?: readonly { readonly token?: string; readonly ttlSeconds?: number }[];
  /** Skip the phases of kubeadm altogether: a bare API server with controllers. */
  readonly bare?: boolean;
  /** Which authenticators the API server has, beside those that have a switch above. */
  readonly authentication?: AuthenticationFlags;
  /** An API server and nothing else: no controllers, and nobody sets it up. */
  readonly alone?: {
    /** What is special about it, for people: "with a token file". */
    readonly named: string;
    /** A token of its file, which may do everything: for who lets no certificate of the cluster's own CA in. */
    readonly adminToken?: string;
  };
}

export interface Exchange {
  readonly at: string;
  /** "anonymous", "admin", "system:bootstrap:<id>", a certificate's CN */
  readonly as: string;
  readonly method: string;
  readonly path: string;
  readonly status: number | undefined;
  readonly milliseconds: number;
  /** Other than the usual ones: "impersonate-user: a-node"; of credentials their form alone. */
  readonly requestHeaders?: readonly string[];
  readonly requestBody?: string;
  readonly responseBody?: string;
  readonly error?: string;
}
