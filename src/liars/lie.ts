/** Lies as data: what a server does, and what a right client does then. */
import type { AnswerForm } from '../kubernetes/wire.js';
import type { AuthorityName, ServingName } from './cast.js';
import type { PlayedComponent } from './components.js';
import type { EtcdLie } from './etcd.js';
import type { Data, Scene } from './scene.js';
import type { SharedEntries } from './shared-certificates.js';

/** An answer, or what happens instead of one: the connection is held, dripped on, cut in the middle, or reset. */
export type Reply =
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body: string | Buffer;
      /** Milliseconds that it takes. */
      readonly after?: number;
      /** More may follow: the answer does not end. */
      readonly holds?: true;
      /** More is announced, and never comes: the connection ends first. */
      readonly isHalf?: true;
      /** How HTTP carries it; default: whole, with its length, on a connection that is kept. */
      readonly form?: AnswerForm;
    }
  | 'hang'
  | 'drip'
  | 'cut'
  | 'reset';

/** A request as a lie sees it. */
export interface Asked {
  readonly method: string;
  /** Without the query, and without the prefix that the endpoint may have. */
  readonly path: string;
  /** What follows the path; '' where nothing does. */
  readonly query: string;
  /** The server has a path of its own, and this was asked beside it. */
  readonly isAstray: boolean;
  /** Which of the requests of this path, counting from one. */
  readonly nth: number;
  readonly connection: number;
  readonly authorization: string | undefined;
  /** It was asked with a client certificate. */
  readonly certified: boolean;
  readonly body: string;
}

/** What becomes of a connection before any request. */
export type Accepted = 'tls' | 'closed' | 'silent' | 'plain http' | 'no common cipher' | Weak;

/** What TLS once was: of a version, or with ciphers, that protect nothing. Source: RFC 8996; RFC 9325, 3.1 and 4.1. */
export const WEAKLY = ['old tls', 'null cipher', 'anonymous cipher'] as const;
export type Weak = (typeof WEAKLY)[number];
export const isWeak = (how: Accepted): how is Weak => WEAKLY.some((weak) => weak === how);

/** Of a machine, as kubeadm's NodeRegistrationOptions have it; the name is given where nothing else is. */
export interface Registration {
  readonly name?: string;
  readonly criSocket?: string;
  readonly taints?: readonly { readonly key: string; readonly value: string; readonly effect: string }[];
  readonly kubeletExtraArgs?: readonly { readonly name: string; readonly value: string }[];
  readonly ignorePreflightErrors?: readonly string[];
}

/** Something that is to be in a file of the machine. */
export interface Patch {
  /** As kubeadm names it: "kubelet+merge.yaml" is a merge patch for the target "kubelet". */
  readonly name: string;
  readonly text: string;
  /** The file that it is for. */
  readonly path: string;
  /** What is in that file then, as YAML, where the patch itself does not say it. */
  readonly makes?: string;
}

/** The lie is told to a machine that is started like this; what is not said is as in an honest join. */
export interface Told {
  /** Default: the right pin. */
  readonly pins?: (pinOf: (name: AuthorityName | 'good') => string, scene: Scene) => readonly string[];
  readonly skipsPins?: boolean;
  /** Token of discovery; default the one that signs. */
  readonly token?: string;
  /** Token of TLS bootstrap; default that of discovery. */
  readonly tlsToken?: string;
  /** What stands for host:port; default the liar's. */
  readonly endpoint?: (scene: Scene) => string;
  /** Content of a discovery file, "f.conf" in the working directory. */
  readonly file?: (scene: Scene) => string;
  /** Files beside it, by name. */
  readonly beside?: (scene: Scene) => Readonly<Record<string, string>>;
  /** What the discovery by file is told instead of "f.conf"; `{url}` is the liar's. */
  readonly path?: string;
  /** Neither endpoint nor file, or both. */
  readonly ways?: 'none' | 'both';
  /** Milliseconds of timeouts.discovery; default 7000. */
  readonly discoveryTimeout?: number;
  /** Authorities in the bundle of the host. */
  readonly hostTrusts?: AuthorityName | readonly AuthorityName[];
  /** It joins as a control plane, with the right certificate key, one that is wrong in some way, or none. */
  readonly certificateKey?: 'right' | 'upper' | 'wrong' | 'short' | 'half' | 'long' | 'zz' | 'none';
  /** Address of the API server of a control plane that joins; default one of IPv4. */
  readonly advertiseAddress?: string;
  /** Port of the API server of a control plane that joins. */
  readonly bindPort?: number;
  /** By a configuration of v1beta3, as kubeadm took it since 1.22. */
  readonly isOld?: true;
  /** By flags, not by a configuration file. */
  readonly byFlags?: boolean;
  /** Files that are on its disk already, by path. */
  readonly present?: (scene: Scene) => Readonly<Record<string, string>>;
  /** A file that it cannot write. */
  readonly closed?: string;
  /** A folder that it can neither make nor write into. */
  readonly closedFolder?: string;
  /** Bytes of the largest file that it can write: what comes after them fails. */
  readonly largestFile?: 512;
  /** What it is told of itself. */
  readonly registration?: Registration;
  /** Where it is to put the CA of the cluster; default /etc/kubernetes/pki/ca.crt. */
  readonly caCertPath?: string;
  /** Its kubelet is started, and never says that it is well, or says so elsewhere than at its port, or nowhere; or it leaves its kubeconfig without what that names. */
  readonly kubelet?: 'unhealthy' | 'elsewhere' | 'silent' | 'no pair';
  /** Nothing has images for it, which is an error; default: nobody asks. */
  readonly images?: 'none';
  /** Patches for what it writes; in the folder "patches" of its working directory. */
  readonly patches?: readonly Patch[];
  /** It is told to change nothing. */
  readonly dryRun?: true;
  /** It is told to say more than people want to know: -v=5. */
  readonly isVerbose?: true;
  /** Milliseconds that its kubelet goes on for once it has joined; default: nobody looks at it then. */
  readonly kubeletGoesOn?: number;
  /** Its service manager; default: one that knows the kubelet and restarts it. */
  readonly services?: 'none' | 'no kubelet' | 'failing';
}

/**
 * What a right client does: it joins; it refuses at once; it refuses after it has tried until the time was over; it
 * discovers, and ends at a later step; it asks nothing at all.
 */
export type Right = 'joins' | 'refuses' | 'gives up' | 'fails later' | 'asks nothing' | 'waits for ever';

/** What is true of the cluster that is to be joined, where it is not what an honest one has. */
interface TrueCluster {
  readonly ca?: AuthorityName | readonly AuthorityName[];
  /** URL as cluster-info says. */
  readonly server?: (scene: Scene) => string;
  /** Of TLS bootstrap, where it is told in a file. */
  readonly token?: string;
}

export interface Lie {
  /** As in the recordings, where it is recorded. */
  readonly name: string;
  /** What the server does, in words. */
  readonly server: string;
  readonly right: Right;
  /** What a client does that is more careful than kubeadm. */
  readonly careful?: Right;
  /** The first minor of kubeadm that does what is right. */
  readonly since?: number;
  /** It is judged by its preflight checks; those of a control plane need a container runtime up to 1.35. */
  readonly byPreflight?: true;
  /** Milliseconds after which a client that has not ended never does. */
  readonly limit?: number;
  /** It is about a file that not every client has. */
  readonly about?: 'kubelet-configuration';
  /** The key of its CA lies elsewhere: a control plane that joins has its own certificates from there. */
  readonly externalCa?: true;
  /** What is answered to whoever asks for the Node of the name of the machine; default: there is none. */
  readonly taken?: (name: string) => Reply;
  /** It has a Node for the control plane that joins, which may mark it. */
  readonly hasNode?: true;
  /** Marks of that Node are taken at the second try, after it is shown and its labels are there; or never. */
  readonly marks?: 'late' | 'refused';
  /** What its kubelet starts says how it is, as where there is a Node; of `sick` one never that it is well. */
  readonly components?: { readonly sick?: PlayedComponent };
  /** It has an etcd that control planes join; left out: none that could be asked. */
  readonly etcd?: EtcdLie;
  /** Why nobody can be before it in real time; left out: everybody can. */
  readonly onlyPlayed?: string;
  /** It is told in a way that kubeadm alone has. */
  readonly ofKubeadm?: true;
  readonly told?: Told;
  readonly cluster?: TrueCluster;
  /** false: nobody listens. */
  readonly listens?: false;
  readonly accepts?: (connection: number) => Accepted;
  readonly certificate?: (connection: number) => ServingName;
  /** It keeps no connection; once it was asked for all of these it serves every new one under this certificate. */
  readonly changes?: {
    readonly after: readonly RegExp[];
    readonly to: ServingName;
    /** What becomes of those connections; default: TLS. */
    readonly how?: Accepted;
    /** By somebody who shows a certificate of his own. */
    readonly isCertified?: true;
  };
  /** Data of cluster-info by the number of the fetch; undefined: honest. */
  readonly data?: (scene: Scene, nth: number) => Data | undefined;
  /**
   * What becomes of requests for certificates; default: they are approved and signed at once. "late" and "approved
   * first": after some looks at them, without or with an approval before. "cut": the first one is taken, and its answer
   * never comes. "gone": the first one is deleted before it is signed. "by between": an authority below the CA issues
   * it, and its certificate comes along. "among others": conditions that nobody but their
   * writer knows stand before and behind the approval. "other key at last": once there is a certificate, all others are for other
   * keys. "second denied", "second failed", "second unapproved": what is asked for next is, and all others are signed.
   * "second broken": what is asked for next is answered with 500 once.
   */
  readonly signing?:
    | 'never'
    | 'denied'
    | 'failed'
    | 'unapproved'
    | 'no certificate'
    | 'other key'
    | 'late'
    | 'approved first'
    | 'cut'
    | 'gone'
    | 'by between'
    | 'among others'
    | 'other key at last'
    | 'second denied'
    | 'second failed'
    | 'second unapproved'
    | 'second broken';
  /** Milliseconds after which each request is signed; default: at once. */
  readonly signsIn?: number;
  /** Milliseconds that a certificate lives that is asked for; default a year. */
  readonly certificateLife?: number;
  /** They begin when they are issued; default: five minutes before. */
  readonly isIssuedNow?: true;
  /** Milliseconds after which requests are signed that follow the first; default: at once. */
  readonly renewsIn?: number;
  /** A Node is registered at the third time: before, that is forbidden. */
  readonly registersLate?: true;
  /** kubelet-config says much that kubeadm does not say by itself. */
  readonly kubeletIsTold?: 'much';
  /** kubelet-config says that certificates are not renewed. */
  readonly isUnrotated?: true;
  /** kubelet-config says that kubelets ask for what they serve with; such requests are signed at once, or never. */
  readonly serving?: 'signed' | 'never';
  /** Entries of kubeadm-certs, from the honest ones. */
  readonly sharedCertificates?: (entries: SharedEntries) => SharedEntries;
  /** How HTTP carries each answer. */
  readonly form?: AnswerForm;
  /** Any answer; undefined: honest. */
  readonly answer?: (asked: Asked, scene: Scene) => Reply | undefined;
}

/** Whether a right client believes what it finds there, before it fails. */
export const believable = ({ right }: Lie): { readonly isBelievable?: true } =>
  right === 'fails later' ? { isBelievable: true } : {};
