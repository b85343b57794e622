/**
 * The table of commands, and the one place where an error becomes a sentence and an exit code. Each command loads what
 * it needs when it runs.
 */
import { Command, CommanderError } from 'commander';
import { didYouMean } from '../run/nearest.js';
import { UsageError } from '../run/usage-error.js';
import { completionCommand } from './completion.js';
import { diffCommand } from './diff.js';
import { docsCommand } from './docs.js';
import { explainCommand } from './explain.js';
import { initCommand } from './init.js';
import { joinCommand } from './join.js';
import { preflightCommand } from './preflight.js';
import { rbacCommand } from './rbac.js';
import { replayCommand } from './replay.js';
import { rulesCommand } from './rules.js';
import { runCommand } from './run.js';
import { explain, say } from './say.js';
import { sweepCommand } from './sweep.js';
import { version } from './version.js';

/** A command's action gives its exit code. */
export type ExitCode = 0 | 1 | 2 | 3;

const HELP = `
Exit codes:
  0  conformant: no such rule failed, and all that were chosen and apply could be judged
  1  not conformant: at least one rule failed, of the level of --fail-on or above
  2  wrong usage or configuration: nothing was judged
  3  could not be judged: a rule ended in error, no rule applied, the target was not reached, or the run was interrupted

Examples:
  $ joinproof run                                     judge the bundled reference
  $ joinproof run --kubeconfig ~/.kube/config         judge a cluster, read only
  $ joinproof rules --chapter cluster-info            list what would be judged
`;

/** Runs a command line and ends the process, or the thread. */
export async function main(args: readonly string[], end: (code: number) => never = process.exit): Promise<void> {
  let lost: Error | undefined;
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // A reader that has seen enough (head, less) is no failure of ours.
      if (error.code !== 'EPIPE') lost ??= error;
    });
  }
  guard();
  const code = await dispatch(args);
  await Promise.all([process.stdout, process.stderr].map(flushed));
  if (lost !== undefined) say(`standard output or standard error could not be written: ${lost.message}.`);
  end(broken || lost !== undefined ? 3 : code);
}

/**
 * A promise that nobody waits for, or an event that nobody catches, must neither show a stack trace nor leave anything
 * behind: the command is interrupted as by a signal, so that it cleans up, and ends with 3.
 */
function guard(): void {
  let before = false;
  const caught = (thrown: unknown): void => {
    if (before) return;
    before = true;
    explained(thrown);
    broken = true;
    // Whoever has something to clean up listens; where nobody does the process ends here.
    if (process.listenerCount('SIGTERM') === 0) process.exit(3);
    process.emit('SIGTERM', 'SIGTERM');
  };
  process.on('unhandledRejection', caught);
  process.on('uncaughtException', caught);
}

/** Something went wrong that no command has caught. */
let broken = false;

/** Resolves when all is written, or was tried: errors are told a moment after the write. */
const flushed = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    if (stream.destroyed || stream.writableLength === 0) setImmediate(resolve);
    else stream.write('', () => setImmediate(resolve));
  });

async function dispatch(args: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = 0;
  const ends = (given: ExitCode): void => {
    code = given;
  };
  const program = await programOf(args, ends);
  if (args.length === 0) {
    say('no command was given; "joinproof run" judges the bundled reference, "joinproof --help" lists the commands.');
    return 2;
  }
  const [word, topic] = args;
  try {
    if (word === 'help' && topic !== undefined) knownCommand(program, topic);
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    return explained(error);
  }
}

/** The table of commands. `args`: a command that brings much is only loaded where they ask for it. */
export async function programOf(args: readonly string[], ends: (code: ExitCode) => void): Promise<Command> {
  const program = new Command('joinproof')
    .description(
      'Judges how machines join a Kubernetes cluster: bootstrap tokens, cluster-info, permissions, certificates, ' +
        'authenticators, the client that joins, and the files of a node.',
    )
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', HELP);
  for (const command of [
    runCommand(ends),
    await serve(args),
    initCommand(ends),
    joinCommand(ends),
    preflightCommand(ends),
    replayCommand(ends),
    diffCommand(ends),
    explainCommand(ends),
    docsCommand(ends),
    completionCommand(ends, () => program),
    rulesCommand(ends),
    rbacCommand(ends),
    sweepCommand(ends),
  ])
    program.addCommand(command);
  for (const command of [program, ...program.commands]) strict(command);
  return program;
}

/** The serve command is loaded only where it is asked for: it brings the whole reference. */
async function serve(args: readonly string[]): Promise<Command> {
  const [word = ''] = args.filter((arg) => !arg.startsWith('-'));
  // A completion names its options.
  if (word === 'serve' || word === 'completion') return (await import('./serve.js')).serveCommand();
  return new Command('serve').description('serve the bundled reference cluster, for kubectl, kubeadm and kubelets');
}

/** Wrong usage is told by us: one sentence that names the nearest known name. */
function strict(command: Command): void {
  command.allowExcessArguments(command.parent === null);
  command.showSuggestionAfterError(false);
  command.configureOutput({ outputError: () => {} });
  command.exitOverride((error) => {
    if (error.exitCode === 0) throw error;
    throw new UsageError(usageSentence(command, error));
  });
  if (command.parent === null) {
    command.action(() => knownCommand(command, command.args[0] ?? ''));
  }
}

/** Throws UsageError where there is no such command. */
function knownCommand(program: Command, given: string): void {
  const names = program.commands.map((known) => known.name());
  if (names.includes(given)) return;
  throw new UsageError(
    `There is no command "${given}".${didYouMean(given, names)} The commands are ${names.join(', ')}.`,
  );
}

function usageSentence(command: Command, error: CommanderError): string {
  const message = error.message.replace(/^error: /, '');
  if (error.code !== 'commander.unknownOption')
    return `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/\.$/, '')}. "joinproof ${command.name()} --help" shows what it takes.`;
  const given = /'([^']*)'/.exec(message)?.[1] ?? '';
  const known = [...command.options.flatMap(({ long }) => long ?? []), '--help'];
  const owner = command.parent === null ? 'joinproof' : `joinproof ${command.name()}`;
  return `"${owner}" has no option "${given}".${didYouMean(given.replace(/=.*/s, ''), known)}`;
}

/** Errors whose message is a sentence for people, and the exit code that they mean. */
const KNOWN: Readonly<Record<string, ExitCode>> = {
  UsageError: 2,
  ConfigurationError: 2,
  TargetUnreachable: 3,
  UnexpectedAnswer: 3,
  MayNotRead: 3,
  UnreadableVersion: 3,
  CannotJudge: 3,
};

function explained(error: unknown): ExitCode {
  if (error instanceof CommanderError) return 0;
  const { name, message, stack } =
    error instanceof Error ? error : { name: 'Error', message: String(error), stack: undefined };
  const code = KNOWN[name];
  if (code === undefined && process.env.JOINPROOF_DEBUG) explain(stack ?? message);
  const told =
    code === undefined
      ? `joinproof itself failed: ${name}: ${message.split('\n')[0]} (JOINPROOF_DEBUG=1 shows more.)`
      : message;
  say(told);
  return code ?? 3;
}
