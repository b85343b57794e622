/** What makes a joining client another than the reference client. */
import type { InitDecisions } from '../kubeadm/init/decisions.js';
import type { PreflightDecisions } from '../kubeadm/preflight/decisions.js';
import type { PreflightRun } from '../kubeadm/preflight/preflight.js';
import type { Wire } from '../kubernetes/wire.js';
import type { JoinConfiguration } from './configuration.js';
import type { JoiningDecisions } from './decisions/index.js';
import type { Until } from './join.js';
import type { Asker, Clock, Files } from './ports.js';

/** Lets the service manager hear of something: "enable plug-in". */
export type Runs = (command: string) => void;

export interface AnotherClient {
  readonly decisions?: Partial<JoiningDecisions>;
  /** In what it decides otherwise where it is told this. */
  readonly decidesFor?: (configuration: JoinConfiguration) => Partial<JoiningDecisions>;
  /** How it reads what it is told. */
  readonly configuration?: (configuration: JoinConfiguration) => JoinConfiguration;
  /** What it does on the wire beside, or instead of, what it decides. */
  readonly wire?: (wire: Wire, clock: Clock, runs: Runs) => Wire;
  /** Likewise on the disk. */
  readonly files?: (files: Files) => Files;
  /** In what its checks of the machine are others, before init and join. */
  readonly preflight?: {
    readonly decisions?: Partial<PreflightDecisions>;
    /** What it makes of what it finds, instead. */
    readonly found?: NonNullable<PreflightRun['found']>;
    /** In what its init on a disk is another. */
    readonly init?: Partial<InitDecisions>;
  };
  /** What of its upload of shared certificates reaches the cluster. */
  readonly uploading?: (admin: Asker) => Asker;
  /** What it gives the programs that it starts as environment, of what it was told. */
  readonly environment?: (configuration: JoinConfiguration) => string;
  /** Programs that it starts beside the service manager, each with its arguments. */
  readonly starts?: (configuration: JoinConfiguration) => readonly (readonly string[])[];
  /** It ends there, as if that were the end. */
  readonly until?: Until;
  /** What it says, instead of this line, once it has read what it is told. */
  readonly words?: (line: string, configuration?: JoinConfiguration) => string;
  /** The code that it ends with, instead of this one. */
  readonly ends?: (exit: number) => number;
  /** false: nobody need judge its words by kubeadm's. */
  readonly speaksKubeadm?: false;
  /** A program that does not join at all: what it says, and the code that it ends with; undefined: it never ends. */
  readonly instead?: { readonly said: string; readonly exit: number | undefined };
}
