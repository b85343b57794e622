/** The machine that init runs on, as far as its phases of files need it. */
import type { KeyAlgorithm, KeyObject } from '../../pki/keys.js';
import type { Configuration } from '../configuration.js';
import type { ExtraArgs } from '../flags.js';

/** Files of the machine; paths are absolute as it sees them. */
export interface HostFiles {
  exists(path: string): boolean;
  /** undefined: there is no such file. Throws where it cannot be read. */
  read(path: string): string | undefined;
  /** Whole or not at all; folders that are missing are made. Throws where it cannot be written. */
  write(path: string, text: string, mode: number, folderMode?: number): void;
}

/** One run of init. */
export interface InitRun {
  readonly configuration: Configuration;
  readonly files: HostFiles;
  /** What flags of static Pods say besides. */
  readonly extraArgs?: ExtraArgs;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly makeKey: (algorithm: KeyAlgorithm) => Promise<KeyObject>;
  /** A line for people. It never holds a secret. */
  tell(line: string): void;
  /** Of what is wrong but does not end it. */
  warn(line: string): void;
}

/** A phase that cannot be done: a sentence in kubeadm's words. */
export class InitFailed extends Error {
  override readonly name = 'InitFailed';
}

/** Whom a file that kubeadm writes is for. */
export const MODES = { open: 0o644, secret: 0o600, manifests: 0o700, kubelet: 0o700 } as const;
