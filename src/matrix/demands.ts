/**
 * Who reaches which row: every demand of every rule has been seen unmet on some mutant, every control on some target
 * that does nothing. Pure.
 */
import type { Played } from './job.js';
import { type Row, textOfRow } from './rows.js';

/** One row with who was seen to break it. */
export interface Reached {
  readonly rule: string;
  readonly scenario: string;
  /** "demand login/refused: the token … (expired): is refused with 401 Unauthorized" */
  readonly text: string;
  /** How often the unchanged reference shows it; 0: only mutants do, where a check tells violations alone. */
  readonly times: number;
  /** Sorted. "~name": it broke the same demand of a subject that the unchanged reference has not. */
  readonly by: readonly string[];
}

export const isControl = ({ text }: Reached): boolean => text.startsWith('control ');

interface Open extends Row {
  readonly text: string;
  times: number;
  readonly by: Set<string>;
}

/** The same demand whatever it is made of. */
const clauseOf = ({ role, check, demanded }: Row): string => `${role} ${check}: ${demanded}`;

/** Rows by scenario, in the order in which they are found. */
class Rows {
  readonly #byScenario = new Map<string, Map<string, Open>>();

  #of(scenario: string): Map<string, Open> {
    const known = this.#byScenario.get(scenario) ?? new Map<string, Open>();
    this.#byScenario.set(scenario, known);
    return known;
  }

  found(row: Row): void {
    this.#open(row).times += 1;
  }

  #open(row: Row): Open {
    const rows = this.#of(row.scenario);
    const text = textOfRow(row);
    const open = rows.get(text) ?? { ...row, text, times: 0, by: new Set<string>() };
    rows.set(text, open);
    return open;
  }

  broken(row: Row, by: string): void {
    const rows = this.#of(row.scenario);
    const exact = rows.get(textOfRow(row));
    const alike = [...rows.values()].filter((open) => open.times > 0 && clauseOf(open) === clauseOf(row));
    if (exact !== undefined || alike.length === 0) this.#open(row).by.add(by);
    else for (const open of alike) open.by.add(`~${by}`);
  }

  get all(): readonly Reached[] {
    return [...this.#byScenario.values()].flatMap((rows) =>
      [...rows.values()].map(({ rule, scenario, text, times, by }) => ({
        rule,
        scenario,
        text,
        times,
        by: [...by].sort(),
      })),
    );
  }
}

/**
 * The rows of the unchanged reference, then of each scenario those that only mutants show. `played`: the unchanged
 * reference, mutants with the rules that they name, paralysed variants.
 */
export function reached(played: readonly Played[]): readonly Reached[] {
  const rows = new Rows();
  for (const { job, rows: seen } of played) if (job.kind === 'baseline') for (const row of seen.all) rows.found(row);
  const breaking = played.filter(({ job }) => job.kind === 'mutant' || job.kind === 'paralysed');
  for (const { job, rows: seen } of [...breaking].sort((a, b) => (a.job.name < b.job.name ? -1 : 1)))
    for (const row of seen.unmet) rows.broken(row, job.name);
  return rows.all;
}
