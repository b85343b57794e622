/**
 * The committed list of what may go unnoticed, src/tools/mutation/survivors.txt: a line that names a weakening ("*"
 * stands for anything), and below it, indented, why it is no weakening or why it is accepted.
 */
import { readFileSync } from 'node:fs';
import { packageFile } from '../../run/package-root.js';

interface Explained {
  readonly name: string;
  readonly pattern: RegExp;
}

const LIST = packageFile('src/tools/mutation/survivors.txt');

const patternOf = (name: string): RegExp =>
  new RegExp(
    `^${name
      .split('*')
      .map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'))
      .join('.*')}$`,
    's',
  );

/** Throws with the first name that nobody explains. */
export function fromText(text: string): readonly Explained[] {
  const explained: Explained[] = [];
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('    ')) continue;
    if (!(lines[index + 1] ?? '').startsWith('    ')) throw new Error(`Nobody says why this may survive: ${line}`);
    explained.push({ name: line, pattern: patternOf(line) });
  }
  return explained;
}

export const explained = (): readonly Explained[] => fromText(readFileSync(LIST, 'utf8'));

export interface Judged {
  /** Survivors that the list does not explain. Sorted. */
  readonly open: readonly string[];
  /** What is explained and was noticed, or is not there. Sorted. */
  readonly unused: readonly string[];
}

export function held(survivors: readonly string[], list: readonly Explained[]): Judged {
  return {
    open: survivors.filter((name) => !list.some(({ pattern }) => pattern.test(name))).sort(),
    unused: list.filter(({ pattern }) => !survivors.some((name) => pattern.test(name))).map(({ name }) => name),
  };
}
