/** joinproof rbac: what a ServiceAccount has to be allowed so that rules can be judged with it. */
import { Command } from 'commander';
import type { ExitCode } from './main.js';
import { repeated } from './options.js';

const EXAMPLES = `
Examples:
  $ joinproof rbac | kubectl apply -f -
  $ joinproof rbac --chapter bootstrap-tokens --service-account audit/joinproof
  $ joinproof rbac --allow-writes
`;

export function rbacCommand(ends: (code: ExitCode) => void): Command {
  return new Command('rbac')
    .description('print the roles and bindings that judging a cluster takes, and no more')
    .option('--allow-writes', 'also what is needed to create objects, and to remove them again')
    .option('--service-account <namespace/name>', 'who gets the rights', 'joinproof/joinproof')
    .option('--tags <expression>', 'for scenarios whose tags match')
    .option('--rule <id>', 'for this rule', repeated, [])
    .option('--chapter <name>', 'for this chapter', repeated, [])
    .option('--level <level>', 'for rules of at least this level: MUST, SHOULD or MAY')
    .option('--profile <name|file>', 'for what this profile does not excuse')
    .addHelpText('after', EXAMPLES)
    .action(async (options: object) => {
      const { rbac } = await import('./rbac-action.js');
      ends(await rbac(options));
    });
}
