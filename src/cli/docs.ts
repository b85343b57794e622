/** joinproof docs: the specification as a static site. */
import { Command } from 'commander';
import type { ExitCode } from './main.js';

const EXAMPLES = `
Nothing of the site needs a network, or a script to be read; it works from the files as they are.

Examples:
  $ joinproof docs --out site
  $ joinproof docs --out site reports/published/*.json
`;

export function docsCommand(ends: (code: ExitCode) => void): Command {
  return new Command('docs')
    .description('write the specification as a site: sentences, rules, errata, and verdicts of the given reports')
    .argument('[report...]', 'JSON reports whose verdicts are told')
    .requiredOption('--out <dir>', 'the folder to write; files of the site that are there are replaced')
    .addHelpText('after', EXAMPLES)
    .action(async (reports: readonly string[], options: { readonly out: string }) => {
      const { docs } = await import('./docs-action.js');
      ends(await docs(reports, options));
    });
}
