/** joinproof init: what kubeadm init writes to the disk of a control plane, below a folder. */
import { Command } from 'commander';
import type { ExitCode } from './main.js';
import { repeated } from './options.js';

const EXAMPLES = `
The machine is the folder of --root: certificates, kubeconfigs, static Pod manifests and files of the kubelet are
written below its /etc/kubernetes and /var/lib/kubelet, as kubeadm writes them, and nothing is started. What is there already is
judged as kubeadm judges it, and kept. --config takes InitConfiguration, ClusterConfiguration and KubeletConfiguration.
Exit codes: 0 written, 1 not written, 2 wrong usage or configuration, 3 interrupted.

Examples:
  $ joinproof init --root /tmp/node
  $ joinproof init --root /tmp/node --config kubeadm.yaml --kubernetes-version 1.33
  $ joinproof init --root /tmp/node --phase certs/all --phase kubeconfig/admin
`;

export function initCommand(ends: (code: ExitCode) => void): Command {
  return new Command('init')
    .description('write what kubeadm init writes to the disk of a control plane, below a folder only')
    .requiredOption('--root <dir>', 'the folder that stands for "/" of the machine')
    .option('--config <file>', 'documents that kubeadm init takes')
    .option('--phase <name>', 'only this phase, for example certs/apiserver or certs/all', repeated, [])
    .option('--kubernetes-version <version>', 'the release, for example 1.33; default: the newest known')
    .addHelpText('after', EXAMPLES)
    .action(async (options: object) => {
      const { init } = await import('./init-action.js');
      ends(await init(options));
    });
}
