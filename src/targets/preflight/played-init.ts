/** joinproof's own init on a machine that is data: over a disk in memory. */

import { patchedFiles } from '../../joining/patched-files.js';
import type { Configuration } from '../../kubeadm/configuration.js';
import type { InitDecisions } from '../../kubeadm/init/decisions.js';
import { InitFailed, type InitRun } from '../../kubeadm/init/host.js';
import { isExternalCa } from '../../kubeadm/init/kubeconfigs.js';
import { MemoryDisk } from '../../kubeadm/init/memory-disk.js';
import { INIT_PHASES, phasesOf, runPhases, without } from '../../kubeadm/init/phases.js';
import { type LookKind, type PreflightRun, phaseIn, WRITTEN_TO } from '../../kubernetes/preflight-run.js';
import { generateKeyAsync } from '../../pki/keys.js';
import { MemoryFiles } from '../client-under-test/memory-files.js';

type Written = Pick<PreflightRun, 'written' | 'changed' | 'left'>;
const NOTHING: Written = { written: [] };

/** RSA keys take long: those that nobody has asked for are of another kind, and of the others there is one of a size. */
const isAsked = ({ keyAlgorithm }: Configuration): boolean =>
  /^(?:RSA-(?:3072|4096)|ECDSA-P(?:256|384))$/.test(keyAlgorithm);
const asked = new Map<string, ReturnType<InitRun['makeKey']>>();
const makeKey: InitRun['makeKey'] = (algorithm) => {
  if (!algorithm.startsWith('RSA')) return generateKeyAsync(algorithm);
  const key = asked.get(algorithm) ?? generateKeyAsync(algorithm);
  asked.set(algorithm, key);
  return key;
};

interface About {
  /** What lies on the disk before, by path. */
  readonly texts: Readonly<Record<string, string>>;
  /** Nothing stays of what it writes. */
  readonly isDry: boolean;
  readonly decisions: InitDecisions;
  readonly skipPhases?: readonly string[] | undefined;
  /** Folder of patches. */
  readonly patches?: string | undefined;
}

export class PlayedInit {
  readonly #skipped: readonly string[];
  readonly #before: MemoryDisk;
  readonly #disk: MemoryDisk;
  readonly #decisions: InitDecisions;
  readonly #run: InitRun;
  readonly #phase: string | undefined;
  readonly #isSilent: boolean;
  readonly said: string[] = [];
  readonly warned: string[] = [];

  constructor(
    look: LookKind,
    configuration: Configuration,
    { texts, isDry, decisions, skipPhases = [], patches }: About,
  ) {
    this.#phase = phaseIn(look);
    this.#isSilent = look === 'join';
    this.#skipped = decisions.skips(skipPhases);
    this.#decisions = decisions;
    this.#before = new MemoryDisk();
    for (const [path, text] of Object.entries(texts)) this.#before.write(path, text, 0o600);
    this.#disk = this.#before.copy();
    const read = decisions.reads(configuration);
    this.#run = {
      configuration: isAsked(read) ? read : { ...read, keyAlgorithm: 'ECDSA-P256' },
      files: patchedFiles(
        decisions.files(isDry && decisions.keepsDryRunsApart() ? this.#disk.copy() : this.#disk),
        new MemoryFiles({ given: texts }),
        decisions.patches(patches),
      ),
      now: Date.now(),
      makeKey: decisions.keys(makeKey),
      tell: (line) => this.said.push(line),
      warn: (line) => this.warned.push(line),
    };
  }

  /** What init looks at before its first phase: why it does not begin. Source: cmd/init.go newInitData. */
  async refusal(uploads: boolean): Promise<string | undefined> {
    return this.#caught(() => {
      const isExternal = isExternalCa(this.#run);
      if (uploads && isExternal)
        throw new InitFailed("can't use upload-certs with an external CA or an external front-proxy CA");
    });
  }

  /** Why it does not get to its end. */
  phases(): Promise<string | undefined> {
    const names = this.#phase === undefined ? without(INIT_PHASES, this.#skipped) : (phasesOf(this.#phase) ?? []);
    return this.#caught(() => runPhases(this.#run, names));
  }

  async #caught(act: () => void | Promise<void>): Promise<string | undefined> {
    try {
      await act();
      return undefined;
    } catch (error) {
      if (!(error instanceof InitFailed)) throw error;
      return this.#decisions.minds(error.message) ? error.message : undefined;
    }
  }

  get written(): Written {
    if (this.#isSilent) return NOTHING;
    const [before, after] = [this.#before.files, this.#disk.files];
    const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
    const ours = paths.filter((path) => WRITTEN_TO.some((folder) => path.startsWith(`${folder}/`)));
    return {
      written: ours.filter((path) => !before.has(path)),
      changed: ours.filter((path) => before.has(path) && before.get(path)?.text !== after.get(path)?.text),
      left: ours.flatMap((path) => {
        const file = after.get(path);
        return file === undefined ? [] : [{ path, ...file }];
      }),
    };
  }
}
