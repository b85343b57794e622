/** A disk in memory. */
import type { LeftFile } from '../../kubernetes/transcript.js';

/** What the client needs of it, and what was written. Links are followed when they are read. */
export class MemoryFiles {
  readonly written = new Map<string, LeftFile>();
  readonly #given: ReadonlyMap<string, string>;
  readonly #links = new Map<string, string>();

  constructor(given: Readonly<Record<string, string>> = {}) {
    this.#given = new Map(Object.entries(given));
  }

  exists(path: string): boolean {
    return this.read(path) !== undefined;
  }

  read(path: string): string | undefined {
    const at = this.#links.get(path) ?? path;
    return this.written.get(at)?.text ?? this.#given.get(at);
  }

  write(path: string, text: string, mode: number): void {
    this.written.set(path, { mode, text });
  }

  link(path: string, target: string): void {
    this.#links.set(path, path.replace(/[^/]*$/, target));
  }

  remove(path: string): void {
    this.written.delete(path);
    this.#links.delete(path);
  }
}
