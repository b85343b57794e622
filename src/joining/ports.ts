/**
 * What a machine that joins needs of the world: somebody who asks an API server, a wire, a disk and a clock. A target's
 * own askers and clock fit as they are.
 */
import type { Wire } from '../kubernetes/wire.js';
import type { KeyAlgorithm, KeyObject } from '../pki/keys.js';

/** Who asks. `certificate` and `key` are PEM. */
export type Identity =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'certificate'; readonly certificate: string; readonly key: string };

export interface Question {
  /** Default GET. */
  readonly method?: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Default application/json; for PATCH the patch type. */
  readonly contentType?: string;
}

/** What came back: any answer with a status, refusals too. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly text: string;
  /** The parsed body where it is JSON, else undefined. */
  readonly body: unknown;
}

/** One identity, asking. */
export interface Asker {
  ask(question: Question): Promise<Answer>;
}

export interface Cluster {
  /** URL of the API server. */
  readonly server: string;
  /** Milliseconds since the epoch, and milliseconds to wait. */
  readonly clock: Clock;
  as(identity: Identity): Asker;
}

/** Milliseconds since the epoch, and milliseconds to wait. */
export interface Clock {
  now(): number;
  sleep(milliseconds: number): Promise<void>;
}

/** The disk of the machine. Paths are absolute as the machine sees them. */
export interface Files {
  exists(path: string): boolean;
  /** undefined: there is no such file. Throws where it cannot be read. */
  read(path: string): string | undefined;
  /** Whole or not at all; folders are made. Throws where it cannot be written. */
  write(path: string, text: string, mode: number): void;
  /** Makes, or turns, a symbolic link to `target`, a name in the same folder or a whole path. */
  link(path: string, target: string): void;
  remove(path: string): void;
  /** Makes another user of the machine its owner. */
  give?(path: string): void;
}

/** Files that a machine is told of, by whatever name they are told by. */
export interface GivenFiles extends Pick<Files, 'exists' | 'read'> {
  /** Names in a folder, in order; none where it is none. */
  list(folder: string): readonly string[];
}

/** systemd, or what does its work. */
export interface ServiceManager {
  /** Whether it knows the service of the kubelet. */
  hasKubelet(): boolean;
  /** Runs "daemon-reload" or "restart kubelet"; returns why it failed, or undefined. */
  run(command: string): string | undefined;
}

/** A member of etcd; without a name until it has started. */
export interface EtcdMember {
  readonly id: number;
  readonly name: string;
  readonly peerUrl: string;
  readonly isLearner: boolean;
}

/** The etcd of the control planes that are there. Each call throws why where it fails. */
export interface Etcd {
  status(): void;
  members(): readonly EtcdMember[];
  /** Returns all of them. */
  add(peerUrl: string, asLearner: boolean): readonly EtcdMember[];
  promote(id: number): void;
}

/** A file that is to be written. */
export interface Made {
  readonly path: string;
  readonly text: string;
  readonly mode: number;
}

/** Everything that a join needs. */
export interface Machine {
  readonly wire: Wire;
  readonly files: Files;
  /** Discovery files and what these name, and patches. */
  readonly given: GivenFiles;
  readonly clock: Clock;
  /** undefined: there is none that is known. */
  readonly services?: ServiceManager;
  /** Whether the kubelet says at this port that it is well, where anybody can be asked. */
  readonly kubeletIsWell?: (port: number) => boolean;
  /** Where it can be asked. Throws where its certificate is to be verified, and is of another authority. */
  readonly etcd?: (verifies: boolean) => Etcd;
  /** Why images cannot be pulled; undefined: they are there. Left out: nobody sees to it. */
  readonly pullImages?: () => string | undefined;
  /** Its kubelet registers a Node, and starts what the manifests say. */
  readonly startsPods?: boolean;
  /** Milliseconds that its kubelet goes on for once it has joined; left out: nobody sees what it does then. */
  readonly kubeletGoesOn?: number;
  /** Default: a new one, by the algorithm of the cluster. */
  readonly makeKey?: (algorithm: KeyAlgorithm) => Promise<KeyObject>;
  /** Keeps what was made of the same (`of`); default: it is made anew. */
  readonly kept?: (of: string, make: () => Promise<readonly Made[]>) => Promise<readonly Made[]>;
  /** As the machine calls itself. */
  readonly hostName: string;
  /** Bytes fit for keys and nonces. */
  readonly random: (length: number) => Buffer;
  /** A line for people. It never holds a secret. */
  tell(line: string): void;
}
