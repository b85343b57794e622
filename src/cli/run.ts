/** joinproof run: from arguments to a judgement. Everything is checked before a target is opened. */
import { Command, Option } from 'commander';
import { EVIDENCE } from '../model/finding.js';
import { FORMATS } from '../report/formats.js';
import { PROFILES } from '../run/profile-names.js';
import type { ExitCode } from './main.js';
import { repeated } from './options.js';

const EXAMPLES = `
Without a target option the target is the bundled reference, whatever KUBECONFIG says.
--rule and --chapter may be repeated; all of --tags, --rule, --chapter and --level must hold.
Exit codes: 0 conformant, 1 not conformant, 2 wrong usage or configuration, 3 could not be judged.

Examples:
  $ joinproof run
  $ joinproof run --kubeconfig admin.conf --context prod --out json=reports/prod.json --out junit=reports/prod.xml
  $ joinproof run --kubeconfig admin.conf --allow-writes --chapter bootstrap-tokens --level MUST
  $ joinproof run --node /mnt/disk --kubeconfig admin.conf
  $ joinproof run --control-plane /usr/local/kubebuilder/bin --tags "@MUST and not @waits"
  $ kubectl get secrets,cm,csr,clusterroles,clusterrolebindings,roles,rolebindings,pods,nodes -A -o yaml | joinproof run --manifests -
  $ joinproof run --rule TOK-001 --rule INFO-018 --verbose
`;

export function runCommand(ends: (code: ExitCode) => void): Command {
  return new Command('run')
    .description('judge a target and say which rules it meets')
    .option('--kubeconfig <file>', 'judge the cluster of this kubeconfig')
    .option('--context <name>', 'the context to use instead of the current one')
    .option('--in-cluster', 'judge the cluster that this Pod runs in, with its service account')
    .option(
      '--control-plane [dir]',
      'start the etcd, kube-apiserver … of this folder on loopback and judge them; without a folder that of KUBEBUILDER_ASSETS',
    )
    .option('--manifests <file|dir|->', 'judge the objects that kubectl wrote to files, without a cluster')
    .option('--client <file>', 'judge the joining client that this file describes: a program, before servers of ours')
    .option('--kubeadm <file>', 'judge this kubeadm: in namespaces of its own, before servers of ours')
    .option('--kubelet <file>', 'the kubelet that it starts; default: one of ours stands in')
    .option('--concurrency <number>', 'joins of a client that go on at a time; default: twelve for each processor')
    .option(
      '--node <dir|tar>',
      'judge the files of a node: a folder that is laid out like its "/", or a tar(.gz) of one; ' +
        'beside --kubeconfig, --context, --in-cluster or --manifests also whether both are of one cluster',
    )
    .option('--allow-writes', 'let joinproof create objects of its own on a cluster, and remove them again')
    .option('--tags <expression>', 'only scenarios whose tags match, for example "@MUST and not @waits"')
    .option('--rule <id>', 'only this rule', repeated, [])
    .option('--chapter <name>', 'only this chapter', repeated, [])
    .option('--level <level>', 'only rules of at least this level: MUST, SHOULD (and MUST) or MAY (all)')
    .option(
      '--out <format=file>',
      `write a report; "-" for standard output; formats: ${FORMATS.join(', ')}`,
      repeated,
      [],
    )
    .addOption(
      new Option('--evidence <kept>', 'of thousands of findings of one check keep some examples and the count, or all')
        .choices(EVIDENCE)
        .default('examples'),
    )
    .option(
      '--profile <name|file>',
      `what the target is held to: ${PROFILES.join(', ')}, or a file; default: what it shows`,
    )
    .option('--fail-on <level>', 'rules of at least this level fail the run: MUST, SHOULD (default) or MAY')
    .option(
      '--require <needs>',
      'end with 3 unless the target has these, for example controllers,kubeadm',
      repeated,
      [],
    )
    .option('--max-skipped <number>', 'end with 3 if more rules than these were skipped')
    .option('--baseline <report>', 'take the findings of this JSON report as they are: only what is new fails')
    .option('--config <file>', 'read this configuration instead of joinproof.yaml in this folder or above it')
    .option('--no-config', 'read no configuration')
    .option('--timeout <duration>', 'give up after this time; what is not judged by then is an error')
    .option('--verbose', 'name the rules that passed, too')
    .option('--quiet', 'a line for each rule that is not met, and the one that counts')
    .addHelpText('after', EXAMPLES)
    .action(async (options: object) => {
      const { run } = await import('./run-action.js');
      ends(await run(options));
    });
}
