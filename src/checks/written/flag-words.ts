/** Words of a command line as programs take them for flags, and what they take for none. */
import { FLAG_KINDS } from '../../kubernetes/flag-kinds.js';

/** Stands for the name of what is no flag: a program takes it for a command, or an argument, and ends. */
export const STRAY = ' ';

interface Read {
  readonly flags: readonly (readonly [name: string, value: string])[];
  /** The first word that is neither a flag nor the value of one. */
  readonly stray: string | undefined;
}

/** One word is enough for a switch: what follows a blank is not its value. */
export const isSwitch = (name: string, program: keyof typeof FLAG_KINDS): boolean =>
  FLAG_KINDS[program].get(name) === 'switch';

/**
 * Flags of a command line, "--a=b" and "--a b", in their order; without a value "true". Words that begin with a variable
 * of a shell are nobody's. Source: spf13/pflag, flag.go parseLongArg; component-base cli/flag WordSepNormalizeFunc; Go,
 * flag parseOne.
 */
export function flagsOfWords(words: readonly string[], program: keyof typeof FLAG_KINDS): Read {
  const flags: (readonly [string, string])[] = [];
  let stray: string | undefined;
  let awaited: string | undefined;
  for (const word of words) {
    const [, given, value] = /^--?([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    const name = given?.replaceAll('_', '-');
    if (awaited !== undefined) flags.push([awaited, name === undefined && /^[^-$]/.test(word) ? word : 'true']);
    else if (name === undefined && /^[^-$]/.test(word)) stray ??= word;
    awaited = undefined;
    if (name === undefined) continue;
    if (value !== undefined || isSwitch(name, program)) flags.push([name, value ?? 'true']);
    else awaited = name;
  }
  if (awaited !== undefined) flags.push([awaited, 'true']);
  return { flags, stray };
}
