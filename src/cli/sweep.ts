/** joinproof sweep: removes what a killed run left on a cluster. */
import { Command } from 'commander';
import type { ExitCode } from './main.js';

const EXAMPLES = `
A run that ends, also by a signal, cleans up by itself. This is for runs that were killed (SIGKILL, power, network).

Examples:
  $ joinproof sweep --kubeconfig admin.conf --dry-run
  $ joinproof sweep --kubeconfig admin.conf --context staging
  $ joinproof sweep --kubeconfig admin.conf --older-than 3600
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
    .option('--dry-run', 'say what would be removed, and remove nothing')
    .option('--older-than <seconds>', 'only what is older; spares runs that are under way')
    .addHelpText('after', EXAMPLES)
    .action(async (options: object) => {
      const { sweep } = await import('./sweep-action.js');
      ends(await sweep(options));
    });
}
