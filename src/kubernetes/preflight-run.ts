/** What kubeadm said of a machine before init or join: the words that target and judge share. */

/** What is run: the phase of the checks alone, or an init that goes on to its certificates. */
export const LOOKS = ['init', 'join', 'a whole init'] as const;
export type LookKind = (typeof LOOKS)[number];

export interface PreflightRun {
  /** What the machine is like: "without mount". */
  readonly machine: string;
  readonly look: LookKind;
  /** undefined: it had to be ended. */
  readonly exit: number | undefined;
  /** Lines of both of its outputs. */
  readonly said: readonly string[];
  /** Files that it has written, sorted. */
  readonly written: readonly string[];
  /** What stands in for a part of the machine was too slow for it, however often it was run: what it said is not of that machine. */
  readonly overtaken?: string;
}
