/** What kubeadm said of a machine before init or join: the words that target and judge share. */

/**
 * What is run: the phase of the checks alone, an init that goes on until nothing but the cluster is left to be made, the
 * same as a dry run, or one phase of init that writes files: "the phase certs/apiserver".
 */
export type LookKind = 'init' | 'join' | 'a whole init' | 'a dry run' | `the phase ${string}`;

/** Of this phase of init; undefined: of no single one. */
export const phaseIn = (look: LookKind): string | undefined => /^the phase (.*)$/.exec(look)?.[1];

/** Where init writes. */
export const WRITTEN_TO = ['/etc/kubernetes', '/var/lib/kubelet'] as const;

/** A file that it has written, or written anew. */
export interface WrittenFile {
  readonly path: string;
  /** Permission bits. */
  readonly mode: number;
  readonly text: string;
}

export interface PreflightRun {
  /** What the machine is like: "without mount". */
  readonly machine: string;
  readonly look: LookKind;
  /** undefined: it had to be ended. */
  readonly exit: number | undefined;
  /** Lines of both of its outputs. */
  readonly said: readonly string[];
  /** Files that were not there, sorted. */
  readonly written: readonly string[];
  /** Files that were there, and are others now or gone, sorted. */
  readonly changed?: readonly string[];
  /** What is in the files of certificates, kubeconfigs, manifests and kubelets that there are afterwards. */
  readonly left?: readonly WrittenFile[];
  /** What stands in for a part of the machine was too slow for it, however often it was run: what it said is not of that machine. */
  readonly overtaken?: string;
}
