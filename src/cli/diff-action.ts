/** What joinproof diff does once its arguments are parsed. */
import { type DiffFormat, diffText } from '../report/diff-text.js';
import { differences, isWorse } from '../run/diff.js';
import { UsageError } from '../run/usage-error.js';
import type { ExitCode } from './main.js';
import { readShown } from './read-shown.js';

/** Throws UsageError where a file is no report. */
export async function diff(
  before: string,
  after: string,
  { format = 'text' }: { readonly format?: DiffFormat },
): Promise<ExitCode> {
  const { text, worse } = await compared(before, after, format);
  process.stdout.write(text);
  return worse ? 1 : 0;
}

/** What is written, and whether something is worse. Throws as diff does. */
export async function compared(
  before: string,
  after: string,
  format: DiffFormat,
): Promise<{ readonly text: string; readonly worse: boolean }> {
  if (before === '-' && after === '-')
    throw new UsageError('Both reports are to come from standard input. Give a file for one of them.');
  const changes = differences(await readShown(before), await readShown(after));
  return { text: diffText(changes, format), worse: isWorse(changes) };
}
