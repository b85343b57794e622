/** Committed lists of lines by rule, and what a run shows otherwise. */
import type { Rule } from '../run/features.js';
import { FeatureLists } from './feature-lists.js';

/** By rule: each line once, sorted. */
export type Lines = Readonly<Record<string, readonly string[]>>;

export class RuleLines {
  readonly #lists: FeatureLists;
  readonly #head: string;

  /** `folder`: "src/matrix/requests"; `head`: what stands above each list. */
  constructor(folder: string, head: string) {
    this.#lists = new FeatureLists(folder);
    this.#head = head;
  }

  /** All that is listed. */
  read(): Lines {
    const found: Record<string, string[]> = {};
    for (const text of this.#lists.read((content) => content)) {
      let lines: string[] = [];
      for (const line of text.split('\n')) {
        if (line.startsWith('  ')) lines.push(line.trim());
        else if (line !== '' && !line.startsWith('#')) {
          lines = [];
          found[line] = lines;
        }
      }
    }
    return found;
  }

  /** Writes the lists of the rules that were played, and leaves those of others as they are. */
  write(lines: Lines, catalogue: readonly Rule[]): void {
    const all = { ...this.read(), ...lines };
    const textOf = (id: string): string => [`\n${id}`, ...(all[id] ?? []).map((line) => `  ${line}`)].join('\n');
    this.#lists.write(catalogue, (ids) => `${this.#head}\n${ids.map(textOf).join('\n')}\n`);
  }
}

/** What is other than listed; sentences. `verb`: "asks". */
export const linesOtherwise = (verb: string, now: Lines, listed: Lines): readonly string[] =>
  Object.entries(now).flatMap(([rule, lines]) => {
    const before = listed[rule] ?? [];
    return [
      ...before.filter((line) => !lines.includes(line)).map((line) => `${rule} no longer ${verb}: ${line}`),
      ...lines.filter((line) => !before.includes(line)).map((line) => `${rule} newly ${verb}: ${line}`),
    ];
  });
