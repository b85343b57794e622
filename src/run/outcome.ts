/** From what a step threw to the verdict of its scenario. Never a stack trace: JOINPROOF_DEBUG=1 prints it to stderr. */
import type { Evidence, Verdict } from '../model/verdict.js';

export type NotPassed = Exclude<Verdict, { kind: 'passed' }>;

/** How a scenario ended, as cucumber is to be told: `step` is the index of the step that ended it, undefined where none did. */
export interface Outcome {
  readonly verdict: Verdict;
  readonly step: number | undefined;
  readonly milliseconds: number;
}

const isVerdict = (value: unknown): value is NotPassed =>
  typeof value === 'object' &&
  value !== null &&
  'kind' in value &&
  'reason' in value &&
  typeof value.reason === 'string';

/** Names of errors whose message already is a sentence for people. */
const SENTENCES = [
  'TargetUnreachable',
  'UnexpectedAnswer',
  'UnreadableVersion',
  'NotAllowed',
  'ConfigurationError',
  'UsageError',
  'CannotJudge',
];

const firstLine = (text: string): string =>
  text
    .split('\n')
    .find((line) => line.trim() !== '')
    ?.trim() ?? 'no message';

/** The verdict that an error thrown in a step stands for. `Ended` (world.ts) is known by its shape, so that this file needs no cucumber. */
export function verdictOf(thrown: unknown): NotPassed {
  if (thrown instanceof Error && thrown.name === 'Ended' && 'verdict' in thrown && isVerdict(thrown.verdict))
    return thrown.verdict;
  if (process.env.JOINPROOF_DEBUG && thrown instanceof Error)
    process.stderr.write(`${thrown.stack ?? thrown.message}\n`);
  if (thrown instanceof Error) {
    const message = firstLine(thrown.message);
    return error(SENTENCES.includes(thrown.name) ? message : `joinproof itself failed: ${thrown.name}: ${message}`);
  }
  return error(`joinproof itself failed: a step threw ${firstLine(String(thrown))}`);
}

export const error = (reason: string): NotPassed => ({ kind: 'error', reason, evidence: [] });

/** The final verdict: what ended the scenario (undefined: nothing) with all that its world recorded. A pass that looked at nothing is none. */
export function conclude(ended: NotPassed | undefined, recorded: readonly Evidence[]): Verdict {
  if (ended !== undefined)
    return { ...ended, evidence: [...recorded, ...ended.evidence.filter((item) => !recorded.includes(item))] };
  if (recorded.length === 0) return error('the scenario recorded no observation, so nothing was judged');
  return { kind: 'passed', evidence: recorded };
}
