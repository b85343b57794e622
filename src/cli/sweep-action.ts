/** What joinproof sweep does once its arguments are parsed. */

import { UsageError } from '../run/usage-error.js';
import { reachCluster } from '../targets/cluster.js';
import { endStale } from '../targets/control-plane/process-record.js';
import { type Choice, type Swept, sweep as sweepTarget } from '../targets/sweep.js';
import { Interrupt } from './interrupt.js';
import { countedByKind } from './leftovers.js';
import type { ExitCode } from './main.js';
import { parseSeconds } from './options.js';
import { CleaningProgress } from './progress.js';
import { tell } from './say.js';

interface SweepOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly dryRun?: boolean;
  readonly all?: boolean;
  readonly olderThan?: string;
  readonly timeout?: string;
}

const DEFAULT_SECONDS = 300;
/** Objects that are named which are not joinproof's. */
const MOST_FOREIGN = 10;

/**
 * 0: what was to be removed is; 3: something could not be looked at or removed. Throws UsageError, ConfigurationError,
 * TargetUnreachable.
 */
export async function sweep(options: SweepOptions): Promise<ExitCode> {
  const { kubeconfig, context, dryRun = false } = options;
  const choice = choiceOf(options);
  const interrupt = new Interrupt(parseSeconds(options.timeout, '--timeout') ?? DEFAULT_SECONDS);
  const progress = new CleaningProgress();
  try {
    const { signal } = interrupt;
    // Programs of control planes that a killed run of this machine left.
    const stale = await endStale({ dryRun });
    for (const { folder, killed } of stale)
      tell(`${dryRun ? 'would be ended' : 'ended'}  ${killed.length} programs of ${folder}`);
    if (kubeconfig === undefined) {
      if (context !== undefined)
        throw new UsageError('--context was given without --kubeconfig. Give the kubeconfig that holds the context.');
      if (stale.length === 0)
        tell('This machine: no run of joinproof left anything. Give --kubeconfig to sweep a cluster.');
      return 0;
    }
    const target = await reachCluster({ ...placeOf(kubeconfig, options), signal });
    try {
      const onProgress = (gone: number, known: number): void => progress.show(gone, known);
      const swept = await sweepTarget(target, { choice, dryRun, signal, onProgress });
      progress.clear();
      for (const line of told(swept, dryRun, target.name)) tell(target.redactor.redact(line));
      return swept.left.length > 0 ? 3 : 0;
    } finally {
      await target.close();
    }
  } finally {
    progress.clear();
    interrupt.end();
  }
}

/** Who only plans a sweep is not let write. */
export const placeOf = (kubeconfig: string, { context, dryRun = false }: SweepOptions) => ({
  kubeconfig,
  ...(context === undefined ? {} : { context }),
  allowWrites: !dryRun,
});

/** Throws UsageError. */
export function choiceOf({ all = false, olderThan }: SweepOptions): Choice {
  const seconds = parseSeconds(olderThan, '--older-than');
  if (all && seconds !== undefined)
    throw new UsageError('--all takes runs of every age, --older-than only some. Give one of them.');
  if (seconds !== undefined) return { kind: 'older', seconds };
  return { kind: all ? 'all' : 'expired' };
}

/** Lines about what was found, and a last one that counts it. */
export function told({ removed, left, spared, foreign }: Swept, dryRun: boolean, name: string): readonly string[] {
  const lines = [
    ...removed.map(({ what, run }) => `${dryRun ? 'would be removed' : 'removed'}  ${what}  (run ${run})`),
    ...left.map(({ what, why }) => `could not be removed  ${what}: ${why}`),
    ...foreign.slice(0, MOST_FOREIGN).map(({ what, run }) => `left alone  ${what}  (labelled ${run})`),
  ];
  if (foreign.length > MOST_FOREIGN) lines.push(`left alone  ${foreign.length - MOST_FOREIGN} more of that kind`);
  const counts = [
    ...(removed.length === 0 ? [] : [`${removed.length} ${dryRun ? 'to be removed' : 'removed'}`]),
    ...(left.length === 0 ? [] : [`${left.length} could not be removed (${countedByKind(left)})`]),
  ];
  const nothing = spared.objects === 0 ? 'no run of joinproof left anything' : 'nothing is to be removed';
  const sentences = [
    `${name}: ${counts.join(', ') || nothing}.`,
    ...(spared.objects === 0
      ? []
      : [
          `${spared.objects} objects of ${spared.runs} runs that may be under way are left alone (until ` +
            `${new Date(spared.until).toISOString()}); --all takes those, too.`,
        ]),
    ...(foreign.length === 0
      ? []
      : [`${foreign.length} that carry joinproof's label are not of joinproof's making and are left alone.`]),
  ];
  return [...lines, sentences.join(' ')];
}
