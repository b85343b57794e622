/** joinproof explain: everything that is known of a rule. */
import { Command } from 'commander';
import type { ExitCode } from './main.js';

const EXAMPLES = `
Examples:
  $ joinproof explain LIM-003
  $ joinproof explain --format json TOK-001 TOK-002
`;

export function explainCommand(ends: (code: ExitCode) => void): Command {
  return new Command('explain')
    .description('say what a rule demands, why, how to repair it, where it comes from and what proves it')
    .argument('<rule...>', 'ids, in any case')
    .option('--format <format>', 'text or json', 'text')
    .addHelpText('after', EXAMPLES)
    .action(async (rules: readonly string[], options: object) => {
      const { explain } = await import('./explain-action.js');
      ends(await explain(rules, options));
    });
}
