/** joinproof rules: what would be judged, without any target. */
import { Command } from 'commander';
import type { ExitCode } from './main.js';
import { repeated } from './options.js';

const EXAMPLES = `
Examples:
  $ joinproof rules
  $ joinproof rules --chapter cluster-info --level MUST
  $ joinproof rules --format json
  $ joinproof rules --format markdown
  $ joinproof rules --errata                          where the documents mislead, and which rules step around it
`;

export function rulesCommand(ends: (code: ExitCode) => void): Command {
  return new Command('rules')
    .description('list the rules')
    .option('--format <format>', 'table, json or markdown', 'table')
    .option('--tags <expression>', 'only rules with a scenario whose tags match')
    .option('--rule <id>', 'only this rule', repeated, [])
    .option('--chapter <name>', 'only this chapter', repeated, [])
    .option('--level <level>', 'only rules of at least this level: MUST, SHOULD or MAY')
    .option('--errata', 'list where the documents mislead instead, with the rules that judge otherwise')
    .addHelpText('after', EXAMPLES)
    .action(async (options: object) => {
      const { rules } = await import('./rules-action.js');
      ends(await rules(options));
    });
}
