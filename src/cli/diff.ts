/** joinproof diff: what became of a target between two reports. */
import { Command, Option } from 'commander';
import { DIFF_FORMATS } from '../report/diff-text.js';
import type { ExitCode } from './main.js';

const EXAMPLES = `
Exit codes: 0 nothing is worse, 1 something is, 2 a report cannot be read.
Worse is also what was judged before and is not any more. Findings are compared by rule, object and demand; of reports that hold examples only
("run --evidence examples", the default) those beyond the examples are not.

Examples:
  $ joinproof diff reports/before.json reports/after.json
  $ joinproof diff --format markdown main.json branch.json >> "$GITHUB_STEP_SUMMARY"
`;

export function diffCommand(ends: (code: ExitCode) => void): Command {
  return new Command('diff')
    .description('say what became better, worse, appeared or went between two reports')
    .argument('<before>', 'a JSON report')
    .argument('<after>', 'a later one; "-" for standard input')
    .addOption(new Option('--format <format>', 'how it is told').choices(DIFF_FORMATS).default('text'))
    .addHelpText('after', EXAMPLES)
    .action(async (before: string, after: string, options: object) => {
      const { diff } = await import('./diff-action.js');
      ends(await diff(before, after, options));
    });
}
