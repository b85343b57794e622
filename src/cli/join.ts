/** joinproof join: the reference client joins a cluster, for real, below a folder. */
import { Command } from 'commander';
import type { ExitCode } from './main.js';
import { repeated } from './options.js';

const EXAMPLES = `
The machine that joins is the folder of --root: /etc/kubernetes and /var/lib/kubelet are made below it, and nothing
else is written. Names of flags, and what they mean, are those of kubeadm join; --config takes a JoinConfiguration of
v1beta4 or v1beta3. Its kubelet only bootstraps: no Node is registered.
Exit codes: 0 joined, 1 not joined, 2 wrong usage or configuration, 3 interrupted, or the time was over.

Examples:
  $ joinproof join 127.0.0.1:6443 --root /tmp/node --token abcdef.0123456789abcdef \\
      --discovery-token-ca-cert-hash sha256:…
  $ joinproof join --root /tmp/node --discovery-file discovery.conf --tls-bootstrap-token abcdef.0123456789abcdef
  $ joinproof join --root /tmp/node --config join.yaml --timeout 60
`;

export function joinCommand(ends: (code: ExitCode) => void): Command {
  return new Command('join')
    .description('let a machine join a cluster as kubeadm and its kubelet do, writing below a folder only')
    .argument('[endpoint]', 'host:port of an API server')
    .requiredOption('--root <dir>', 'the folder that stands for "/" of the machine')
    .option('--config <file>', 'a JoinConfiguration')
    .option('--token <token>', 'for discovery and for TLS bootstrap')
    .option('--discovery-token <token>', 'for discovery')
    .option('--tls-bootstrap-token <token>', 'for TLS bootstrap')
    .option('--discovery-token-ca-cert-hash <pin>', 'sha256:<hex> of the public key of the cluster CA', repeated, [])
    .option('--discovery-token-unsafe-skip-ca-verification', 'join without a pin')
    .option('--discovery-file <file|url>', 'a kubeconfig, or an https URL of one, that says whom to join')
    .option('--node-name <name>', 'default: the host name')
    .option('--cri-socket <url>', 'socket of the container runtime, written down for the kubelet')
    .option('--control-plane', 'join as a control plane: download the shared certificates')
    .option('--certificate-key <hex>', 'what they are decrypted with')
    .option('--apiserver-advertise-address <ip>', 'of the API server that this control plane would run')
    .option('--apiserver-bind-port <number>', 'its port; default: 6443')
    .option('--ignore-preflight-errors <checks>', 'names of checks that only warn, or all', repeated, [])
    .option('--kubernetes-version <version>', 'the release of the machine, for example 1.33; default: the newest known')
    .option('--timeout <duration>', 'give up after this time')
    .addHelpText('after', EXAMPLES)
    .action(async (endpoint: string | undefined, options: object) => {
      const { join } = await import('./join-action.js');
      ends(await join(endpoint, options));
    });
}
