/** What makes a joining client another than the reference client. */
import type { Wire } from '../kubernetes/wire.js';
import type { JoiningDecisions } from './decisions/index.js';
import type { Files } from './ports.js';

export interface AnotherClient {
  readonly decisions?: Partial<JoiningDecisions>;
  /** What it does on the wire beside, or instead of, what it decides. */
  readonly wire?: (wire: Wire) => Wire;
  /** Likewise on the disk. */
  readonly files?: (files: Files) => Files;
  /** A program that does not join at all: what it says, and the code that it ends with; undefined: it never ends. */
  readonly instead?: { readonly said: string; readonly exit: number | undefined };
}
