/**
 * The run that is under way, for those parts that cucumber loads by itself (support.ts, cucumber-plugin.ts) and that therefore cannot be
 * given arguments. One run at a time in a process; nothing else may keep state in a module.
 */
import type { Evidence } from '../model/verdict.js';
import type { Scenario } from './features.js';
import type { NotPassed, Outcome } from './outcome.js';

/** The scenario that cucumber executes at the moment. */
export interface Playing {
  readonly scenario: Scenario;
  /** Known beforehand: skipped, or played on the timeline. Its steps are not executed. */
  readonly decided: Outcome | undefined;
  readonly startedAt: number;
  /** How many steps have been entered. */
  steps: number;
  ended: NotPassed | undefined;
  evidence: readonly Evidence[];
}

export interface Session {
  /** The folder of features. */
  readonly folder: string;
  /** In the order in which cucumber is to execute them, by key. */
  readonly order: ReadonlyMap<string, Scenario>;
  readonly signal: AbortSignal;
  playing: Playing | undefined;
  /** pickle id → scenario, filled by the plugin. */
  readonly pickles: Map<string, Scenario>;
}

let current: Session | undefined;

export const beginSession = (session: Session): void => {
  if (current !== undefined) throw new Error('Two runs at a time in one process are not supported.');
  current = session;
};
export const endSession = (): void => {
  current = undefined;
};
export const session = (): Session => {
  if (current === undefined) throw new Error('Steps run only inside joinproof run.');
  return current;
};
