/** A disk in memory. */
import { posix } from 'node:path';
import type { LeftFile } from '../../kubernetes/transcript.js';

/** What a disk is like, and who hears of what is done on it. */
export interface DiskOptions {
  /** Text by path. */
  readonly given?: Readonly<Record<string, string>>;
  /** Where nothing can be written. */
  readonly closed?: readonly string[];
  /** Characters that a file can have; what is longer is written so far. */
  readonly largest?: number;
  readonly onWrite?: (path: string, file: LeftFile) => void;
  readonly onRemove?: (path: string) => void;
}

/** What the client needs of it, and what was written. Links are followed when they are read. */
export class MemoryFiles {
  readonly written = new Map<string, LeftFile>();
  readonly #options: DiskOptions;
  readonly #given: ReadonlyMap<string, string>;
  readonly #links = new Map<string, string>();

  constructor(options: DiskOptions = {}) {
    this.#options = options;
    this.#given = new Map(Object.entries(options.given ?? {}));
  }

  exists(path: string): boolean {
    return this.read(path) !== undefined;
  }

  read(path: string): string | undefined {
    const at = this.#links.get(path) ?? path;
    return this.written.get(at)?.text ?? this.#given.get(at);
  }

  /** Names in a folder, of files that were there before. */
  list(folder: string): readonly string[] {
    const within = [...this.#given.keys()].filter((path) => path.startsWith(`${folder}/`));
    return within.map((path) => path.slice(folder.length + 1)).sort();
  }

  write(path: string, text: string, mode: number): void {
    if (this.#options.closed?.some((one) => path === one || path.startsWith(`${one}/`)))
      throw new Error(`open ${path}: permission denied`);
    const { largest = Number.POSITIVE_INFINITY } = this.#options;
    const file = { mode, text: text.slice(0, largest) };
    this.written.set(path, file);
    this.#options.onWrite?.(path, file);
    if (text.length > largest) throw new Error(`write ${path}: file too large`);
  }

  /** `target`: beside it, or by its whole path, which is how a kubelet makes its links (certificate_store.go). */
  link(path: string, target: string): void {
    const wasThere = this.exists(path);
    this.#links.set(path, posix.resolve(posix.dirname(path), target));
    // Who reads it finds nothing: it is as if it had been taken away.
    if (wasThere && !this.exists(path)) this.#options.onRemove?.(path);
  }

  remove(path: string): void {
    if (this.exists(path)) this.#options.onRemove?.(path);
    this.written.delete(path);
    this.#links.delete(path);
  }

  /** Makes another user its owner. */
  give(path: string): void {
    const file = this.written.get(path);
    if (file !== undefined) this.written.set(path, { ...file, isForeign: true });
  }

  /** Files that were written and are there, by every name that they can be read by. */
  get left(): Readonly<Record<string, LeftFile>> {
    const linked = [...this.#links].flatMap(([path, target]) => {
      const file = this.written.get(target);
      return file === undefined ? [] : [[path, { ...file, isLink: true as const }] as const];
    });
    return Object.fromEntries([...this.written, ...linked].sort());
  }
}
