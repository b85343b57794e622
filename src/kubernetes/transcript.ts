/**
 * What a joining client did against a server: the words that server, target and judge share. Times in milliseconds
 * since
 * the server began.
 */

/** How a connection ended before, or instead of, a request. */
export type ConnectionEvent =
  /** The client broke the handshake off: it does not believe the certificate. */
  | 'certificate refused'
  /** The client began a handshake, and asked for nothing. */
  | 'closed without a request'
  /** The client spoke HTTP without TLS. */
  | 'plain request'
  | 'no common cipher'
  | 'answered without tls'
  | 'closed after accept'
  | 'silent'
  | 'closed by client';

export type Entry =
  | {
      readonly kind: 'request';
      readonly at: number;
      readonly connection: number;
      /** Under which certificate it was served. */
      readonly certificate: string;
      readonly method: string;
      /** With its query. */
      readonly target: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly authorization: string | undefined;
      /** Subject of a client certificate, "O=system:nodes, CN=system:node:a". */
      readonly clientCertificate?: string;
      /** "sha256:<hex>" of its key. */
      readonly clientKey?: string;
      /** Negotiated, where there is a real handshake. */
      readonly tls?: string;
      /** It came over a connection whose version of TLS, or cipher, protects nothing. */
      readonly isUnprotected?: true;
      /** Name of the server that was told in the handshake; '': none was. Left out: nobody looked. */
      readonly serverName?: string;
      readonly body: string;
      /** Status, or what happened instead of an answer. */
      readonly answered: number | 'hang' | 'drip' | 'cut' | 'reset';
    }
  | {
      readonly kind: 'connection';
      readonly at: number;
      readonly connection: number;
      readonly certificate?: string;
      readonly event: ConnectionEvent;
      /** First byte that the client sent, where it was looked at. */
      readonly firstByte?: number;
    };

/** A file that a client left. */
export interface LeftFile {
  readonly mode: number;
  readonly text: string;
  /** It is a symbolic link, and mode and text are those of what it leads to. */
  readonly isLink?: true;
  /** Its owner is not whoever joins. */
  readonly isForeign?: true;
}

/** A folder that a client left. */
export type LeftFolder = Pick<LeftFile, 'mode' | 'isForeign'>;

/** What a client did on its own machine, after so many entries of the server's journal. */
export type Deed =
  | {
      readonly kind: 'wrote';
      readonly path: string;
      readonly mode: number;
      readonly text: string;
      readonly isForeign?: true;
      readonly after: number;
    }
  | {
      readonly kind: 'removed';
      readonly path: string;
      readonly after: number;
      /** Whether it was there again at the next look; left out: nobody looked again. */
      readonly isBrief?: boolean;
    }
  /** A command of the service manager, "restart kubelet". */
  | {
      readonly kind: 'ran';
      readonly command: string;
      /** Environment that it was given, a variable a line; left out: nobody looked, or it was not the client's own. */
      readonly environment?: string;
      readonly after: number;
    };

/** A call to the etcd of a cluster. */
export interface EtcdCall {
  /** "MemberAdd" */
  readonly call: string;
  /** How much the API server had seen. */
  readonly after: number;
  /** Of a member that is added. */
  readonly peerUrls?: readonly string[];
  readonly asLearner?: boolean;
  readonly isDone: boolean;
}

/** A component of a control plane was asked how it is. */
export interface ComponentCall {
  /** "kube-scheduler" */
  readonly component: string;
  readonly at: number;
  readonly isWell: boolean;
}

/** A member of etcd. */
export interface EtcdMember {
  readonly name: string;
  readonly peerUrl: string;
}

export interface Transcript {
  /** What the server saw, in order. */
  readonly entries: readonly Entry[];
  /** What the cluster's etcd was asked, where it has one that can be asked. */
  readonly etcd?: readonly EtcdCall[];
  /** How what its kubelet starts was asked how it is, where anything runs. */
  readonly components?: readonly ComponentCall[];
  /** Whom it asked where nobody listens: "https://192.0.2.7:443"; undefined where nobody watched. */
  readonly astray?: readonly string[];
  /** In order; undefined where nobody watched. */
  readonly deeds?: readonly Deed[];
  /** Names of programs that it started with a secret among their arguments; left out: none was seen. */
  readonly given?: readonly string[];
  /** Lines that it said for people. */
  readonly said: readonly string[];
  /** undefined: it had to be ended. */
  readonly exit: number | undefined;
  /** The last words of one that failed; '' else. */
  readonly message: string;
  /** By absolute path below its root; those that were there before are none of them. */
  readonly files: Readonly<Record<string, LeftFile>>;
  /** Folders that it has made, or whose mode or owner it has changed, by absolute path; undefined: nobody looked. */
  readonly folders?: Readonly<Record<string, LeftFolder>>;
  /** What holds its token or certificate key and lies outside its root, in its HOME and TMPDIR, when it has ended. */
  readonly beside?: Readonly<Record<string, LeftFile>>;
  /** What held one there, was open to others, and is gone by then. */
  readonly passing?: Readonly<Record<string, LeftFile>>;
  /** From start to end. */
  readonly milliseconds: number;
  /** Milliseconds that joinproof itself had to wait for its turn meanwhile, at most; undefined: nobody knows. */
  readonly lag?: number;
  /** The same in all. */
  readonly late?: number;
  /** How long it takes to begin, as seen before an honest server; undefined: no time. */
  readonly startsWithin?: number;
}

/** What the client was told, and what is true of the cluster that it was to join. Holds secrets. */
export interface Truth {
  /** Milliseconds of its discovery timeout; undefined: nobody knows. */
  readonly discoveryTimeout: number | undefined;
  /** Of its wait for a certificate; undefined: nobody knows. */
  readonly bootstrapTimeout?: number;
  /** Of its wait for a kubelet that is well; undefined: nobody knows. */
  readonly healthTimeout?: number;
  /** Of its wait for what runs on a control plane; undefined: nobody knows. */
  readonly componentTimeout?: number;
  /** Of a call that is refused again and again; undefined: nobody knows. */
  readonly callTimeout?: number;
  /** Token of discovery, and of TLS bootstrap; '' where it was given none. */
  readonly discoveryToken: string;
  readonly bootstrapToken: string;
  /** Where it joins as a control plane and was told one; 64 hex digits. */
  readonly certificateKey?: string;
  /** PEM of the cluster's CA, and its URL as cluster-info or the discovery file says. */
  readonly caPem: string;
  readonly server: string;
  /** URL of its own API server, where it joins as a control plane. */
  readonly ownServer?: string;
  /** Members of its etcd when the join begins, and the one that the machine is to be. */
  readonly etcd?: { readonly others: readonly EtcdMember[]; readonly own: EtcdMember };
  /** What the machine was told of itself, and how it calls itself where it is called otherwise. */
  readonly registration?: {
    /** What it was told to be called; left out: nothing. */
    readonly name?: string;
    readonly hostName?: string;
    readonly criSocket?: string;
    readonly taints?: readonly { readonly key: string; readonly value: string; readonly effect: string }[];
    readonly kubeletExtraArgs?: readonly { readonly name: string; readonly value: string }[];
  };
  /** What it was told to put into files, as YAML. */
  readonly patches?: readonly { readonly path: string; readonly text: string }[];
  /** Release of the cluster, "1.36.1"; left out: nobody knows. */
  readonly release?: string;
  /** Milliseconds that a certificate lives, from five minutes before it is asked for on; left out: a year. */
  readonly certificateLife?: number;
  /** YAML of kubelet-config. */
  readonly kubelet: string;
  /** What control planes share: PEM by the name of the file below /etc/kubernetes/pki. */
  readonly shared: Readonly<Record<string, string>>;
  /** What was on its disk before, by path; left out: nothing. */
  readonly present?: Readonly<Record<string, string>>;
}

/** A client against one server. */
export interface ClientRun {
  /** Name of what the server did, and the same in words. */
  readonly lie: string;
  readonly server: string;
  /** What cluster-info says may be believed, whoever serves it: the client was told no more to verify it by. */
  readonly isBelievable?: true;
  readonly truth: Truth;
  /** Its words are kubeadm's, and so are its preflight checks and its use of the service manager. */
  readonly speaksKubeadm: boolean;
  readonly transcript: Transcript;
}
