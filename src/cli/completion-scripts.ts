/** What completes a command line, made of the table of commands and the names that the features hold. */
import type { Command } from 'commander';
import { FORMATS } from '../report/formats.js';
import { readFeatures } from '../run/features.js';
import { featuresFolder } from '../run/package-root.js';
import { LEVELS } from '../run/tags.js';
import { ABILITIES, FACTS } from '../targets/types.js';
import type { Shell } from './completion.js';

interface Completed {
  readonly name: string;
  readonly description: string;
  readonly options: readonly {
    readonly long: string;
    readonly description: string;
    /** What it takes; empty: a file, undefined: nothing. */
    readonly values: readonly string[] | undefined;
  }[];
  /** What stands behind the options; empty: files. */
  readonly words: readonly string[];
}

export function completion(shell: Shell, program: Command): string {
  const { rules } = readFeatures(featuresFolder);
  const ids = rules.map(({ id }) => id).sort();
  const chapters = [...new Set(rules.map(({ chapter }) => chapter))].sort();
  const values: Readonly<Record<string, readonly string[]>> = {
    '--rule': ids,
    '--chapter': chapters,
    '--level': LEVELS,
    '--fail-on': LEVELS,
    '--require': [...ABILITIES, ...FACTS],
    '--out': FORMATS.map((format) => `${format}=`),
  };
  const commands = program.commands.map((command): Completed => {
    const [argument] = command.registeredArguments;
    return {
      name: command.name(),
      description: command.description(),
      options: [
        ...command.options.flatMap(({ long, description, required, optional, argChoices }) =>
          long === undefined || long === null
            ? []
            : [{ long, description, values: required || optional ? (argChoices ?? values[long] ?? []) : undefined }],
        ),
        { long: '--help', description: 'display help', values: undefined },
      ],
      words: command.name() === 'explain' ? ids : (argument?.argChoices ?? []),
    };
  });
  return { bash, zsh, fish }[shell](commands);
}

const words = (list: readonly string[]): string => list.join(' ');

function bash(commands: readonly Completed[]): string {
  const cases = commands.map(({ name, options, words: own }) => {
    const taking = options.filter(({ values }) => values !== undefined);
    const chosen = taking
      .filter(({ values = [] }) => values.length > 0)
      .map(({ long, values = [] }) => `        ${long}) choices="${words(values)}" ;;`);
    const files = taking.filter(({ values = [] }) => values.length === 0).map(({ long }) => long);
    const ofFiles = files.length === 0 ? [] : [`        ${files.join('|')}) choices=- ;;`];
    const rest = `        *) choices="${words([...options.map(({ long }) => long), ...own])}" ;;`;
    return [`    ${name})`, '      case "$before" in', ...chosen, ...ofFiles, rest, '      esac ;;'].join('\n');
  });
  return `# joinproof's completion for bash
_joinproof() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" choices=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${words([...commands.map(({ name }) => name), 'help', '--help', '--version'])}" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    help) choices="${words(commands.map(({ name }) => name))}" ;;
  esac
  if [ "$choices" != - ]; then COMPREPLY=($(compgen -W "$choices" -- "$word")); fi
  case "\${COMPREPLY[*]}" in *=) compopt -o nospace 2>/dev/null ;; esac
}
complete -o default -F _joinproof joinproof
`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
/** In a specification of zsh. */
const escaped = (text: string): string => text.replace(/[[\]:\\]/g, '\\$&');

function zsh(commands: readonly Completed[]): string {
  const cases = commands.map(({ name, options, words: own }) => {
    const specs = options.map(({ long, description, values }) => {
      const what = values === undefined ? '' : values.length === 0 ? ':file:_files' : `:value:(${words(values)})`;
      return quoted(`*${long}[${escaped(description)}]${what}`);
    });
    const rest = quoted(own.length === 0 ? '*:file:_files' : `*:word:(${words(own)})`);
    return `    ${name}) _arguments ${[...specs, rest].join(' ')} ;;`;
  });
  const described = commands.map(({ name, description }) => quoted(`${name}:${escaped(description)}`));
  return `#compdef joinproof
_joinproof() {
  local -a commands=(${described.join(' ')})
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join('\n')}
  esac
}
if [ "$funcstack[1]" = _joinproof ]; then _joinproof "$@"; else compdef _joinproof joinproof; fi
`;
}

function fish(commands: readonly Completed[]): string {
  const lines = commands.flatMap(({ name, description, options, words: own }) => {
    const inside = `-n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c joinproof -n __fish_use_subcommand -f -a ${name} -d ${fishQuoted(description)}`,
      ...options.map(({ long, description: says, values }) => {
        const takes = values === undefined ? '' : values.length === 0 ? ' -r -F' : ` -x -a '${words(values)}'`;
        return `complete -c joinproof ${inside} -l ${long.replace(/^--/, '')}${takes} -d ${fishQuoted(says)}`;
      }),
      ...(own.length === 0 ? [] : [`complete -c joinproof ${inside} -f -a '${words(own)}'`]),
    ];
  });
  return `${["# joinproof's completion for fish", ...lines].join('\n')}\n`;
}

const fishQuoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
