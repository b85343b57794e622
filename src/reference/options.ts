/** How a reference is started: everything that varies is an argument. */
import type { Decisions } from './decisions.js';
import type { ApiClient, Clock, RandomBytes } from './types.js';

export interface ReferenceOptions {
  /** default: system clock */
  readonly clock?: Clock;
  readonly random?: RandomBytes;
  readonly decisions?: Partial<Decisions>;
  /** "v1.36.0"; the minor selects what upstream.md §9 says. Default: the newest known. */
  readonly kubernetesVersion?: string;
  /** Key algorithm of the cluster's own CA and certificates. kubeadm's default is RSA-2048; EC is made in no time. */
  readonly keyAlgorithm?: 'RSA-2048' | 'ECDSA-P256';
  /** 0: any free port. Default host 127.0.0.1. */
  readonly port?: number;
  readonly host?: string;
  /** Crash-safe persistence; undefined: memory only. */
  readonly dataFile?: string;
  /** Switches of the API server and the controller manager; defaults are kubeadm's. */
  readonly bootstrapTokenAuth?: boolean;
  readonly anonymousAuth?: boolean;
  readonly controllers?: Partial<Record<'bootstrapsigner' | 'tokencleaner' | 'csrapproving' | 'csrsigning' | 'csrcleaner', boolean>>;
  /** What kubeadm init is told of tokens; undefined: one random token of 24 h. */
  readonly tokens?: readonly { readonly token?: string; readonly ttlSeconds?: number; readonly description?: string }[];
  /** Skip kubeadm's phases: a bare API server with controllers. */
  readonly bare?: boolean;
}

/** A running reference. */
export interface Reference {
  readonly url: string;
  readonly port: number;
  readonly caPem: string;
  /** Client certificate of kubernetes-admin (group kubeadm:cluster-admins), PEM. */
  readonly admin: { readonly certificate: string; readonly key: string };
  /** A kubeconfig (YAML) for admin. */
  readonly kubeconfig: string;
  /** The bootstrap tokens that init made, id.secret. */
  readonly tokens: readonly string[];
  readonly kubernetesVersion: string;
  /** The API as a member of system:masters, without HTTP: for arranging what a mutant or a test needs. */
  readonly api: ApiClient;
  /** Resolves when no controller has work that could be done without time passing. */
  settle(): Promise<void>;
  close(): Promise<void>;
}
