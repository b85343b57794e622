/** How a report reaches people: files, standard output, the console. Nothing is written that has not passed the redaction. */
import type { Report } from '../model/report.js';
import { toConsole } from '../report/console.js';
import { writeWhole } from '../report/files.js';
import { WRITERS } from '../report/formats.js';
import { CannotJudge } from '../run/usage-error.js';
import type { Output } from './options.js';

export interface Delivery {
  readonly outputs: readonly Output[];
  readonly verbose: boolean;
  readonly redact: (text: string) => string;
}

/** Every text of a value redacted: the model, never its serialised form, so that no structure can be redacted away. */
function redacted<T>(value: T, redact: (text: string) => string): T {
  if (typeof value === 'string') return redact(value) as T;
  if (Array.isArray(value)) return value.map((item) => redacted(item, redact)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [redact(key), redacted(inner, redact)]);
  return Object.fromEntries(entries) as T;
}

/** Every output is tried, also where one fails; throws CannotJudge with the first failure then. */
export function deliver(report: Report, { outputs, verbose, redact }: Delivery): void {
  const shown = redacted(report, redact);
  const failures: string[] = [];
  for (const { format, file } of outputs) {
    const text = WRITERS[format](shown);
    try {
      if (file === '-') process.stdout.write(text);
      else writeWhole(file, text);
    } catch (error) {
      failures.push(`The ${format} report could not be written to ${file}: ${(error as Error).message}`);
    }
  }
  // A report on standard output is for a program: people read the other stream then.
  const stream = outputs.some(({ file }) => file === '-') ? process.stderr : process.stdout;
  const colour = stream.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
  stream.write(toConsole(shown, { colour, verbose }));
  if (failures[0] !== undefined) throw new CannotJudge(failures.join(' '));
}
