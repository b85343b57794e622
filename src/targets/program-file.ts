/** Programs that the user names. */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';

/** Whether there is a file that may be run; of a folder, which may be "run" too, there is none. Never throws. */
export async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
