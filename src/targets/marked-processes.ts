/** Processes that a run has started, whoever their parent is by now: known by a variable of their environment. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** By this variable whatever a program has started is known for its own, wherever it has gone. */
export const MARK = 'JOINPROOF_FOLDER';

/** Ends every process of this user that was started with the mark, and returns which (would be) ended. Linux only. */
export const endMarked = (mark: string, dryRun = false): readonly number[] =>
  endEach((id) => isMarked(id, mark), dryRun);

/** The same of those, too, that have thrown their environment away and work below a folder of this run alone. */
export const endWithin = (folder: string): readonly number[] =>
  endEach((id) => isMarked(id, folder) || worksIn(id, folder));

function endEach(is: (id: string) => boolean, dryRun = false): readonly number[] {
  const ids = entriesOf('/proc').filter((name) => /^\d+$/.test(name) && is(name));
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

function worksIn(id: string, folder: string): boolean {
  try {
    return `${readlinkSync(`/proc/${id}/cwd`)}/`.startsWith(folder);
  } catch {
    return false;
  }
}
