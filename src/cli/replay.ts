/** joinproof replay: judges the observations of a report again. */
import { Command, Option } from 'commander';
import { EVIDENCE } from '../model/finding.js';
import { FORMATS } from '../report/formats.js';
import type { ExitCode } from './main.js';
import { repeated } from './options.js';

const EXAMPLES = `
The report is one that "joinproof run --out json=FILE" wrote. Nothing but that file is read: the verdicts and the exit code are those of the run,
or, with another joinproof, what this one says of the same observations.

Examples:
  $ joinproof replay reports/prod.json
  $ joinproof replay reports/prod.json --out junit=reports/prod.xml
`;

export function replayCommand(ends: (code: ExitCode) => void): Command {
  return new Command('replay')
    .description('judge the observations of a report again, without the target')
    .argument('<report>', 'a JSON report; "-" for standard input')
    .option(
      '--out <format=file>',
      `write a report; "-" for standard output; formats: ${FORMATS.join(', ')}`,
      repeated,
      [],
    )
    .addOption(
      new Option('--evidence <kept>', 'of thousands of findings of one check keep some examples, or all of the report')
        .choices(EVIDENCE)
        .default('full'),
    )
    .option('--verbose', 'name the rules that passed, too')
    .option('--quiet', 'a line for each rule that is not met, and the one that counts')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, options: object) => {
      const { replayReport } = await import('./replay-action.js');
      ends(await replayReport(file, options));
    });
}
