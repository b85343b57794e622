/** Folders in which programs of others have worked, removed whatever they have made there. */
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * A program may have taken rights away, its own or those of change, or made paths longer than the system takes. Rejects
 * where it stays.
 */
export async function removed(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  } catch {
    await run('chmod', ['-R', 'u+rwX', '--', folder]).catch(() => undefined);
    await run('chattr', ['-R', '-i', '--', folder]).catch(() => undefined);
    await run('rm', ['-rf', '--', folder]);
  }
}
