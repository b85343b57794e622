/** joinproof preflight: the checks of kubeadm before init and join, without kubeadm. */
import { Argument, Command } from 'commander';
import type { ExitCode } from './main.js';
import { repeated } from './options.js';

const EXAMPLES = `
Looks at this machine, or with --root at a folder that is laid out like one, as kubeadm of a version does before it
begins: the same names, levels and words, and for each finding what to do about it. Nothing is changed, no image is
pulled, and no cluster is asked. --config takes what kubeadm init or kubeadm join takes.
Exit codes: 0 kubeadm would go on, 1 it would stop, 2 wrong usage or a configuration that kubeadm refuses, 3 it would
go on as far as can be told, and something could not be found out (a folder does not tell who listens at ports).

Examples:
  $ sudo joinproof preflight
  $ sudo joinproof preflight join 10.0.0.1:6443 --kubernetes-version 1.33
  $ joinproof preflight init --root /mnt/node --config kubeadm.yaml --out json=preflight.json
  $ sudo joinproof preflight join --config join.yaml --ignore-preflight-errors Swap,NumCPU
`;

export function preflightCommand(ends: (code: ExitCode) => void): Command {
  return new Command('preflight')
    .description('look at a machine as kubeadm does before init or join, and say what to repair')
    .addArgument(new Argument('[phase]', 'what is going to be done').choices(['init', 'join']).default('init'))
    .argument('[endpoint]', 'of a join: host:port of the API server')
    .option('--config <file>', 'documents that kubeadm takes')
    .option('--root <dir>', 'a folder that stands for "/" of the machine; default: this machine')
    .option('--kubernetes-version <version>', 'of kubeadm, for example 1.33; default: of the cluster, or the newest')
    .option('--ignore-preflight-errors <checks>', 'names of checks that only warn, or all', repeated, [])
    .option('--out <format=file>', 'write it as json to a file, or to "-"', repeated, [])
    .addHelpText('after', EXAMPLES)
    .action(async (phase: 'init' | 'join', endpoint: string | undefined, options: object) => {
      const { preflight } = await import('./preflight-action.js');
      ends(await preflight(phase, endpoint, options));
    });
}
