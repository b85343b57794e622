/** What joinproof sweep does once its arguments are parsed. */

import { UsageError } from '../run/usage-error.js';
import { openCluster } from '../targets/cluster.js';
import { endStale } from '../targets/control-plane/process-record.js';
import { type Swept, sweep as sweepTarget } from '../targets/sweep.js';
import { Interrupt } from './interrupt.js';
import type { ExitCode } from './main.js';
import { parseSeconds } from './options.js';

interface SweepOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly dryRun?: boolean;
  readonly olderThan?: string;
}

/** 0: nothing is left; 3: something could not be looked at or removed. Throws UsageError, ConfigurationError, TargetUnreachable. */
export async function sweep({ kubeconfig, context, dryRun = false, olderThan }: SweepOptions): Promise<ExitCode> {
  const olderThanSeconds = parseSeconds(olderThan, '--older-than');
  const interrupt = new Interrupt(undefined);
  try {
    const { signal } = interrupt;
    // Programs of control planes that a killed run of this machine left.
    const stale = await endStale({ dryRun });
    for (const { folder, killed } of stale)
      process.stdout.write(`${dryRun ? 'would be ended' : 'ended'}  ${killed.length} programs of ${folder}\n`);
    if (kubeconfig === undefined) {
      if (context !== undefined)
        throw new UsageError('--context was given without --kubeconfig. Give the kubeconfig that holds the context.');
      if (stale.length === 0)
        process.stdout.write(
          'This machine: no run of joinproof left anything. Give --kubeconfig to sweep a cluster.\n',
        );
      return 0;
    }
    const target = await openCluster({
      kubeconfig,
      ...(context === undefined ? {} : { context }),
      allowWrites: !dryRun,
      signal,
    });
    try {
      const swept = await sweepTarget(target, {
        dryRun,
        signal,
        ...(olderThanSeconds === undefined ? {} : { olderThanSeconds }),
      });
      process.stdout.write(target.redactor.redact(told(swept, dryRun, target.name)));
      return swept.some(({ action }) => action === 'failed') ? 3 : 0;
    } finally {
      await target.close();
    }
  } finally {
    interrupt.end();
  }
}

function told(swept: readonly Swept[], dryRun: boolean, name: string): string {
  const lines = swept.map(
    ({ action, what, run, why }) =>
      `${action === 'failed' ? 'could not remove' : dryRun ? `would be ${action}` : action}  ${what}  (run ${run})${why === undefined ? '' : `: ${why}`}`,
  );
  const failed = swept.filter(({ action }) => action === 'failed').length;
  const done = swept.length - failed;
  const last =
    swept.length === 0
      ? `${name}: no run of joinproof left anything.`
      : `${name}: ${done} ${dryRun ? 'to be removed or put back' : 'removed or put back'}${failed === 0 ? '' : `, ${failed} failed`}.`;
  return `${[...lines, last].join('\n')}\n`;
}
