/** From what a step threw to what ended its scenario. Never a stack trace: JOINPROOF_DEBUG=1 prints it to stderr. */
import { saysNothing } from '../checks/common/answers.js';
import { cut, held, visibleLines } from '../model/foreign.js';
import { error, type NotPassed, skipped, type Verdict } from '../model/verdict.js';
import type { Judged } from './judged.js';

/** How a scenario ended. */
export interface Outcome {
  readonly verdict: Verdict;
  /** What ended it beside its findings. */
  readonly ended: NotPassed | undefined;
  readonly judged: readonly Judged[];
  /** How many of its steps were played; the last of them decided. */
  readonly played: number;
  readonly milliseconds: number;
  /** It ended by trouble that another try may not meet. */
  readonly passing?: boolean;
}

/** Names of errors whose message already is a sentence for people: the target's doing, or joinproof's. */
const OF_THE_TARGET = ['TargetUnreachable', 'UnexpectedAnswer', 'UnreadableVersion'];
const OF_JOINPROOF = ['NotAllowed', 'ConfigurationError', 'UsageError', 'CannotJudge'];

const saidLine = (text: string): string =>
  held(text)
    .split('\n')
    .find((line) => line.trim() !== '')
    ?.trim() ?? 'no message';

/** Why no answer came, where the next request may get one. */
const PASSING: readonly unknown[] = ['closed', 'timeout', 'refused', 'network', 'dns'];

/** A server that was busy or broken, a connection that was closed, time that ran out: another try may not meet it. */
export function isPassing(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  const { name, why, code, passing }: Error & Partial<Record<'why' | 'code' | 'passing', unknown>> = thrown;
  if (name === 'TargetUnreachable') return PASSING.includes(why);
  if (name === 'UnexpectedAnswer') return saysNothing(Number(code));
  return name === 'Ended' && passing === true;
}

/** What an error thrown in a step stands for. `Ended` (world.ts) is known by its name. */
export function endedBy(thrown: unknown): NotPassed {
  if (!(thrown instanceof Error))
    return error('joinproof', `joinproof itself failed: a step threw ${saidLine(String(thrown))}`);
  if (thrown.name === 'Ended' && 'verdict' in thrown) return thrown.verdict as NotPassed;
  const message = saidLine(thrown.message);
  if (thrown.name === 'NotInDump') return skipped('nothing', message);
  if (thrown.name === 'CannotTry') return skipped('ability', message);
  if (thrown.name === 'MayNotRead') return skipped('ability', `the credential of this run lacks a right: ${message}`);
  if (process.env.JOINPROOF_DEBUG) process.stderr.write(`${visibleLines(cut(thrown.stack ?? thrown.message))}\n`);
  if (OF_THE_TARGET.includes(thrown.name)) return error('target', message);
  if (OF_JOINPROOF.includes(thrown.name)) return error('joinproof', message);
  return error('joinproof', `joinproof itself failed: ${thrown.name}: ${message}`);
}
