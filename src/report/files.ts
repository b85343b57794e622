/** Writes report files: whole or not at all, and known to be writable before a run begins. */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

const temporary = (file: string): string => path.join(path.dirname(file), `.${path.basename(file)}.${process.pid}.tmp`);

/** A pipe or device (/dev/stdout) is written to as it is; renaming would replace it. */
const isSpecial = (file: string): boolean => {
  const found = statSync(file, { throwIfNoEntry: false });
  return found !== undefined && !found.isFile() && !found.isDirectory();
};

/**
 * mkdir's own `recursive` never returns where a file system refuses new folders with ENOENT (below /proc), so the steps
 * are taken here.
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  mkdirSync(folder);
}

/** Why a file cannot be written, as half a sentence; undefined where it can. Makes the folder where it is missing. */
export function whyUnwritable(file: string): string | undefined {
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) return 'it is a folder';
    if (isSpecial(file)) {
      accessSync(file, constants.W_OK);
      return undefined;
    }
    makeFolder(path.dirname(file));
    rmSync(temporary(file), { force: true });
    closeSync(openSync(temporary(file), 'wx'));
    rmSync(temporary(file));
    return undefined;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const reasons: Readonly<Record<string, string>> = {
      EACCES: 'permission denied',
      EPERM: 'permission denied',
      EROFS: 'the file system is read-only',
      ENOTDIR: 'a part of the path is no folder',
      EEXIST: 'a part of the path is no folder',
      ENOENT: 'its folder does not exist and cannot be made',
    };
    return reasons[code ?? ''] ?? (error as Error).message;
  }
}

/** Throws what the file system throws; nothing half written is left then. */
export function writeWhole(file: string, text: string): void {
  if (isSpecial(file)) {
    writeFileSync(file, text);
    return;
  }
  try {
    // Never through a link that somebody else has put there.
    rmSync(temporary(file), { force: true });
    writeFileSync(temporary(file), text, { flag: 'wx' });
    renameSync(temporary(file), file);
  } catch (error) {
    rmSync(temporary(file), { force: true });
    throw error;
  }
}
