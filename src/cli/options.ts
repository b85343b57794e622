/** Values of options that commands share: parsed once, refused in a sentence. */
import path from 'node:path';
import type { Detail } from '../report/console.js';
import { whyUnwritable } from '../report/files.js';
import { FORMATS, type Format, isFormat } from '../report/formats.js';
import { didYouMean } from '../run/nearest.js';
import { UsageError } from '../run/usage-error.js';

const NUMBER = String.raw`\d+(?:\.\d+)?`;
/** As kubectl writes durations: "90s", "5m", "1h30m"; a number alone is of seconds. */
const DURATION = new RegExp(`^(?:(${NUMBER})|(?=\\d)(?:(${NUMBER})h)?(?:(${NUMBER})m)?(?:(${NUMBER})s)?)$`);

/** A positive time, in seconds; undefined stays undefined. */
export function parseSeconds(given: string | undefined, option: string): number | undefined {
  if (given === undefined) return undefined;
  const [, alone = 0, hours = 0, minutes = 0, rest = 0] = DURATION.exec(given) ?? [];
  const seconds = Number(alone) + 3600 * Number(hours) + 60 * Number(minutes) + Number(rest);
  // setTimeout takes no more than 2^31-1 ms.
  if (seconds <= 0 || seconds > 2_147_483) {
    throw new UsageError(
      `${option} "${given}" is no positive duration up to 24 days. Give seconds or a duration, for example 60, 90s or 5m.`,
    );
  }
  return seconds;
}

/** How much the console says. */
export interface Spoken {
  readonly verbose?: boolean | undefined;
  readonly quiet?: boolean | undefined;
}

/** Undefined: as much as it does by itself. Throws UsageError where both are given. */
export function detailOf({ verbose, quiet }: Spoken): Detail | undefined {
  if (verbose === true && quiet === true)
    throw new UsageError('--verbose and --quiet say the opposite of each other; give one of them.');
  return verbose === true ? 'verbose' : quiet === true ? 'quiet' : undefined;
}

/** Collects the values of an option that may be repeated. */
export const repeated = (value: string, before: readonly string[]): readonly string[] => [...before, value];

export interface Output {
  readonly format: Format;
  /** Absolute path, or "-" for standard output. */
  readonly file: string;
}

/** FORMAT=FILE each; every file is known to be writable when this returns. */
export function parseOutputs(given: readonly string[]): readonly Output[] {
  const outputs = given.map((text): Output => {
    const [, format = '', file = ''] = /^([^=]*)=(.+)$/s.exec(text) ?? [];
    if (format === '' || file === '')
      throw new UsageError(`--out "${text}" is not FORMAT=FILE. Write for example --out json=reports/latest.json.`);
    if (!isFormat(format))
      throw new UsageError(
        `There is no report format "${format}".${didYouMean(format, FORMATS)} The formats are ${FORMATS.join(', ')}.`,
      );
    return { format, file: file === '-' ? file : path.resolve(file) };
  });
  const files = outputs.map(({ file }) => file);
  const twice = files.find((file, index) => files.indexOf(file) !== index);
  if (twice !== undefined) throw new UsageError(`Two --out options name the same file, ${twice}.`);
  for (const { format, file } of outputs) {
    const why = file === '-' ? undefined : whyUnwritable(file);
    if (why !== undefined) throw new UsageError(`The ${format} report cannot be written to ${file}: ${why}.`);
  }
  return outputs;
}
