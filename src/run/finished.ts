/** What becomes of a judgement when the target is closed: what is left, what was demanded of the run, what is waived. */
import type { Report } from '../model/report.js';
import { type Demanded, gateOf } from './gate.js';
import type { Judgement } from './judge.js';
import type { OpenTarget } from './open-target.js';
import { summarise } from './results.js';
import { type Waiving, waive } from './waivers.js';

/** Objects that a report names of those that are left. */
export const MOST_LEFT = 10;

export interface Finish extends Waiving {
  readonly target: OpenTarget;
  readonly demanded: Demanded;
}

/**
 * The report as it is told, once its target's redactor knows what threads have learned. Who relies on 0 relies on a
 * cluster that is as it was.
 */
export function finished(
  { report: judged, learned }: Pick<Judgement, 'report' | 'learned'>,
  { target, demanded, waivers, baseline }: Finish,
): Report {
  for (const one of learned) target.redactor.learn(one);
  const objects = target.leftovers ?? [];
  const left = { count: objects.length, examples: objects.slice(0, MOST_LEFT).map(({ what }) => what) };
  const gate = gateOf(demanded, target, judged.summary.skipped);
  const whole: Report = { ...judged, gate, ...(objects.length === 0 ? {} : { left }) };
  return waive({ ...whole, summary: summarise(whole.rules, whole) }, { waivers, baseline });
}
