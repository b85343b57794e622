/** The disk of a node as a user gives it: a folder, or an archive of one. */
import { realpath, stat } from 'node:fs/promises';
import { ConfigurationError } from '../errors.js';
import type { NodeFiles } from '../types.js';
import { FolderTree } from './folder.js';
import { said, WalkedFiles } from './walk.js';

const LAID_OUT = 'laid out like a node\'s "/"';

/** `time`: milliseconds for the whole of a folder. Throws ConfigurationError where there is neither, TargetUnreachable where an archive cannot be read. */
export async function openDisk(given: string, time?: number): Promise<NodeFiles> {
  const root = await realpath(given).catch((error: unknown) => {
    throw new ConfigurationError(
      `--node ${given} cannot be read (${said(error)}). Give a folder that is ${LAID_OUT}, or a tar of one.`,
    );
  });
  const kind = await stat(root);
  if (kind.isDirectory()) return new WalkedFiles(new FolderTree(root), time);
  if (!kind.isFile())
    throw new ConfigurationError(
      `--node ${given} is neither a folder nor a file. Give a folder that is ${LAID_OUT}, or a tar of one.`,
    );
  return new WalkedFiles(await (await import('./archive.js')).ArchiveTree.open(root));
}
