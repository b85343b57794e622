/** Rules played where one thing is otherwise, one after the other: by which of these each fares otherwise. */
import { createHash } from 'node:crypto';
import { redacted } from '../model/redacted.js';
import type { Report } from '../model/report.js';
import type { Target } from '../targets/types.js';
import { faresIn, type Opened } from './elsewhere.js';
import type { Lines } from './rule-lines.js';

export type Judged = (target: Target, rules: readonly string[] | undefined) => Promise<Report>;

/** What is otherwise, and the rules that may notice it. */
export interface Otherwise {
  readonly name: string;
  readonly rules: readonly string[];
  /** How these rules fare there. */
  fare(rules: readonly string[]): Promise<Lines>;
}

/** What was played where all is as it is there. */
export interface Seen {
  readonly opened: Opened;
  readonly report: Report;
  readonly judged: Judged;
  /** When to give up what begins now. */
  limit(): AbortSignal;
}

export const fares = (report: Report, redactor: Opened['redactor']): Lines =>
  faresIn(redacted(report, (text) => redactor.redact(text)));

const digestOf = (lines: readonly string[]): string =>
  createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 8);

/** By rule: "2 of 3 passed, 0a1b2c3d"; of what makes no difference to a rule nothing. `whole`: how they fare with all. */
export async function eachOtherwise(all: readonly Otherwise[], whole: Lines): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string[]>();
  for (const { name, rules, fare } of all) {
    // of none all are chosen
    if (rules.length === 0) continue;
    const lines = await fare(rules);
    for (const id of rules) {
      const [line = ''] = lines[id] ?? [];
      if (line !== whole[id]?.[0]) found.set(id, [...(found.get(id) ?? []), `${name}: ${line}`]);
    }
  }
  const passed = (lines: readonly string[]): number => lines.filter((line) => line.includes(': passed')).length;
  return new Map(
    [...found].map(([id, lines]) => [id, `${passed(lines)} of ${lines.length} passed, ${digestOf(lines)}`]),
  );
}
