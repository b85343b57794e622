/** joinproof sweep: removes what a killed run left on a cluster. */
import { Command } from 'commander';
import type { ExitCode } from './main.js';

const EXAMPLES = `
A run that ends, also by a signal, cleans up by itself. This is for runs that were killed (SIGKILL, power, network).
Only what carries the label joinproof.io/run and is of joinproof's making is removed. A run may be under way until an
hour after the last object that it made: it is left alone, unless --all or --older-than says otherwise.

Examples:
  $ joinproof sweep --kubeconfig admin.conf --dry-run
  $ joinproof sweep --kubeconfig admin.conf --context staging
  $ joinproof sweep --kubeconfig admin.conf --older-than 600
  $ joinproof sweep --kubeconfig admin.conf --all      # no run is under way
  $ joinproof sweep                                    # after a killed run --control-plane
`;

export function sweepCommand(ends: (code: ExitCode) => void): Command {
  return new Command('sweep')
    .description('remove what a killed run left on a cluster, and on this machine')
    .option(
      '--kubeconfig <file>',
      'the cluster; without it only programs that killed runs left on this machine are ended',
    )
    .option('--context <name>', 'the context to use instead of the current one')
    .option('--dry-run', 'say what would be removed, and only read')
    .option('--all', 'also of runs that may be under way')
    .option('--older-than <duration>', 'of runs that made nothing for so long, under way or not')
    .option('--timeout <duration>', 'end after this time (default 5m)')
    .addHelpText('after', EXAMPLES)
    .action(async (options: object) => {
      const { sweep } = await import('./sweep-action.js');
      ends(await sweep(options));
    });
}
