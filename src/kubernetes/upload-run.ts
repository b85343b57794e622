/** What kubeadm init did that hands on to those who join: the words that target and judge share. */
import type { KubeObject } from './objects.js';

/** One time that it was run. */
export interface UploadTime {
  /** The certificate key that it was told, as written; undefined: none. */
  readonly told?: string;
  /** When it began, milliseconds since the epoch. */
  readonly began: number;
  /** undefined: it had to be ended. */
  readonly exit: number | undefined;
  /** Lines of both of its outputs. */
  readonly said: readonly string[];
  /** Secrets, ConfigMaps, Roles and RoleBindings of kube-system once it has ended. */
  readonly objects: readonly KubeObject[];
}

export interface UploadRun {
  /** "no key told" */
  readonly circumstance: string;
  /** In order; each before what the one before has left. */
  readonly times: readonly UploadTime[];
  /** The disk: PEM by the name that a file has in the Secret; null: there is none, or it cannot be read. */
  readonly files: Readonly<Record<string, string | null>>;
  /** Of the cluster, PEM. */
  readonly authorityPem: string;
  /** Bootstrap token that it was told to hand on: that is no token of the upload. */
  readonly token: string;
  /** Afterwards the token that owns the Secret was shown to the API server: its status; undefined: there was none. */
  readonly login?: number;
  /** cluster-info had a signature by it. */
  readonly signs?: boolean;
  /** What a whole init has made or changed there, by its end; undefined: it was none. */
  readonly made?: readonly KubeObject[];
  /** Where clients were to reach the cluster: "https://…". */
  readonly server: string;
  /** What of kubeadm-certs was left when its owner had been removed; undefined: there was no owner. */
  readonly outlives?: boolean;
}
