/** What init makes of what it is told and of what lies on the disk, where it may be another init than kubeadm's. */
import type { Fields } from '../../kubernetes/json.js';
import type { Configuration } from '../configuration.js';
import type { HostFiles, InitRun } from './host.js';

export interface InitDecisions {
  /** Whether this sentence about what is wrong ends it. */
  readonly minds: (why: string) => boolean;
  /** What else it finds wrong with what it is told. */
  readonly demands: (configuration: Configuration, init: Fields) => readonly string[];
  /** What it takes the configuration for. */
  readonly reads: (configuration: Configuration) => Configuration;
  /** What it does on the disk. */
  readonly files: (files: HostFiles) => HostFiles;
  /** What is told of all that is odd but does not end it. */
  readonly warnings: (lines: readonly string[]) => readonly string[];
  /** Which phases it passes over, of those that it is told to. */
  readonly skips: (told: readonly string[]) => readonly string[];
  /** Where it takes patches from, of where it is told. */
  readonly patches: (told: string | undefined) => string | undefined;
  /** How it makes keys, by the way that they are made. */
  readonly keys: (make: InitRun['makeKey']) => InitRun['makeKey'];
  /** Whether nothing stays of what a dry run has written. */
  readonly keepsDryRunsApart: () => boolean;
}

export const initDecisions: InitDecisions = {
  minds: () => true,
  demands: () => [],
  reads: (configuration) => configuration,
  files: (files) => files,
  warnings: (lines) => lines,
  skips: (told) => told,
  patches: (told) => told,
  keys: (make) => make,
  keepsDryRunsApart: () => true,
};
