/** Processes that a run has started, whoever their parent is by now: known by a variable of their environment. */
import { readdirSync, readFileSync } from 'node:fs';

/** By this variable whatever a program has started is known for its own, wherever it has gone. */
export const MARK = 'JOINPROOF_FOLDER';

/** Ends every process of this user that was started with the mark, and returns which (would be) ended. Linux only. */
export function endMarked(mark: string, dryRun = false): readonly number[] {
  const ids = entriesOf('/proc').filter((name) => /^\d+$/.test(name) && isMarked(name, mark));
  for (const id of dryRun ? [] : ids) {
    try {
      process.kill(Number(id), 'SIGKILL');
    } catch {
      // it has ended by itself
    }
  }
  return ids.map(Number);
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isMarked(id: string, mark: string): boolean {
  try {
    return `\0${readFileSync(`/proc/${id}/environ`, 'latin1')}`.includes(`\0${MARK}=${mark}`);
  } catch {
    return false;
  }
}
