/** joinproof serve: the bundled reference as a server, for kubectl, kubeadm, kubelets and whoever tests joining. */
import { Command, Option } from 'commander';
import { REFUSED_FLAGS } from './refused-flags.js';

const EXAMPLES = `
The cluster is as "kubeadm init" leaves it: configuration, certificates, a bootstrap token, cluster-info, addons. It ends with Ctrl-C or SIGTERM.
Without --data nothing outlives it; with --data FILE its keys and objects do, across crashes too.

Examples:
  $ joinproof serve
  $ joinproof serve --port 0 --kubeconfig-out admin.conf --token abcdef.0123456789abcdef
  $ joinproof serve --data cluster.json --kubernetes-version 1.33
  $ joinproof serve --host 0.0.0.0 --key-algorithm ECDSA-P256
  $ joinproof serve --token-auth-file tokens.csv --anonymous-auth false
  $ joinproof serve --cluster-signing-duration 10m   # kubelets renew within minutes
`;

const BOOLEANS = ['true', 'false'];
const repeated = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

export const KEY_ALGORITHMS = ['RSA-2048', 'ECDSA-P256'] as const;

export function serveCommand(): Command {
  const command = new Command('serve')
    .description('serve the bundled reference cluster, for kubectl, kubeadm and kubelets')
    .option('--port <number>', 'port to listen at; 0: any free one', '6443')
    .option('--host <address>', 'address to listen at', '127.0.0.1')
    .option(
      '--kubeconfig-out <file>',
      "write the administrator's kubeconfig here (mode 0600); default: a temporary file",
    )
    .option('--overwrite', 'let --kubeconfig-out replace a file that holds something else')
    .option('--data <file>', 'keep keys and objects in this file')
    .option('--token <token>', 'the bootstrap token, [a-z0-9]{6}.[a-z0-9]{16}; default: a random one')
    .option('--kubernetes-version <version>', 'the release to play, for example 1.33; default: the newest known')
    .addOption(
      new Option('--key-algorithm <name>', 'algorithm of the keys').choices(KEY_ALGORITHMS).default('RSA-2048'),
    )
    .option(
      '--cluster-signing-duration <duration>',
      'how long signed certificates last where the request asks for no less, for example 10m; default: 8760h',
    )
    .option('--legacy-basic-auth-file <file>', 'CSV of passwords, as until 1.18: password,user name,user uid,"groups"')
    .option('--token-auth-file <file>', 'CSV of static tokens: token,user name,user uid,"groups"')
    .option(
      '--service-account-key-file <file>',
      'PEM of keys that verify ServiceAccount tokens; may be repeated; default: the key that signs',
      repeated,
    )
    .option('--service-account-issuer <issuer>', 'who signs ServiceAccount tokens; may be repeated', repeated)
    .option('--api-audiences <list>', 'audiences of the API server; default: the issuers')
    .addOption(
      new Option('--service-account-lookup <boolean>', 'whether legacy tokens are looked up').choices(BOOLEANS),
    )
    .option('--client-ca-file <file>', "PEM of the CAs whose clients log in; default: the cluster's own")
    .option('--requestheader-client-ca-file <file>', 'PEM of the CAs whose clients may speak for others')
    .option('--requestheader-allowed-names <list>', "names of those clients; '': all; default: front-proxy-client")
    .option('--requestheader-username-headers <list>', 'headers that name the user; default: X-Remote-User')
    .option('--requestheader-uid-headers <list>', 'headers that name the UID, since 1.33; default: none')
    .option('--requestheader-group-headers <list>', 'headers that name groups; default: X-Remote-Group')
    .option('--requestheader-extra-headers-prefix <list>', 'how headers of extra begin; default: X-Remote-Extra-')
    .option('--authentication-config <file>', 'AuthenticationConfiguration: where strangers are heard')
    .addOption(new Option('--anonymous-auth <boolean>', 'whether strangers are heard').choices(BOOLEANS))
    .addOption(
      new Option('--enable-bootstrap-token-auth <boolean>', 'whether bootstrap tokens log in').choices(BOOLEANS),
    )
    .addHelpText('after', EXAMPLES)
    .action(async (options: object) => {
      const { serve } = await import('./serve-action.js');
      await serve(options);
    });
  for (const flag of Object.keys(REFUSED_FLAGS)) command.addOption(new Option(`--${flag} <value>`).hideHelp());
  return command;
}
