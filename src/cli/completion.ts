/** joinproof completion: scripts that complete commands, options and their values, for three shells. */
import { Argument, Command } from 'commander';
import type { ExitCode } from './main.js';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

const EXAMPLES = `
Examples:
  $ source <(joinproof completion bash)
  $ joinproof completion zsh > "\${fpath[1]}/_joinproof"
  $ joinproof completion fish > ~/.config/fish/completions/joinproof.fish
`;

/** `program`: all commands, as they are when this one is run. */
export function completionCommand(ends: (code: ExitCode) => void, program: () => Command): Command {
  return new Command('completion')
    .description('print a script that completes this command line')
    .addArgument(new Argument('<shell>', 'whose script').choices(SHELLS))
    .addHelpText('after', EXAMPLES)
    .action(async (shell: Shell) => {
      const { completion } = await import('./completion-scripts.js');
      process.stdout.write(completion(shell, program()));
      ends(0);
    });
}
