/**
 * The files of a machine below a folder: "/etc/kubernetes/…" lies in DIR/etc/kubernetes/…. Nothing outside of the
 * folder is read or written, whatever links lie in it.
 */
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ConfigurationError } from '../errors.js';

/** What a folder of the machine is made with; those that hold secrets are closed by the modes of their files. */
const FOLDER_MODE = 0o755;
/** A link is no new file. */
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** A place below the root that is not used. */
const refused = (place: string, why: string): ConfigurationError =>
  new ConfigurationError(`${place} is not used: ${why}. Give a folder with --root where a machine may write.`);

/** Runs an act of the file system; what it throws becomes a sentence. */
function onDisk<T>(place: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    throw refused(place, `the file system says ${codeOf(error) || error}`);
  }
}

/** Bytes of a file that is read. */
const LARGEST = 1024 * 1024;

/** The text of a regular file; what waits for somebody (a FIFO, a device) is not waited for. Throws. */
function readPlain(file: string, flags = 0): string {
  const handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | flags);
  try {
    const found = fstatSync(handle);
    if (!found.isFile() || found.size > LARGEST) throw refused(file, 'it is no regular file of at most 1 MiB');
    return readFileSync(handle, 'utf8');
  } finally {
    closeSync(handle);
  }
}

/** Files by the names that a user gives, read only. */
export const hostFiles = {
  exists: (path: string): boolean => existsSync(path),
  read: (path: string): string | undefined => (existsSync(path) ? onDisk(path, () => readPlain(path)) : undefined),
  list: (folder: string): readonly string[] =>
    existsSync(folder) ? onDisk(folder, () => readdirSync(folder).sort()) : [],
};

export class RootFiles {
  readonly #root: string;
  #drafts = 0;

  /** @param root an absolute path without links in it */
  constructor(root: string) {
    this.#root = root;
  }

  /** Where a path lies. Throws where a link leads to it, or it leads out. */
  #place(path: string): string {
    const parts = path.split('/').filter((part) => part !== '' && part !== '.');
    if (parts.includes('..')) throw refused(path, 'it leads out of the folder');
    let at = this.#root;
    for (const part of parts.slice(0, -1)) {
      at = join(at, part);
      const found = lstatSync(at, { throwIfNoEntry: false });
      if (found === undefined) break;
      if (!found.isDirectory()) throw refused(at, 'it is no folder, or a link to one, which is not followed');
    }
    return join(this.#root, ...parts);
  }

  exists(path: string): boolean {
    return lstatSync(this.#place(path), { throwIfNoEntry: false }) !== undefined;
  }

  /** A link in the same folder, told by its name or, as a kubelet makes it, by its path, is followed; no other is. */
  read(path: string): string | undefined {
    const place = this.#place(path);
    const found = lstatSync(place, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    const told = found.isSymbolicLink() ? readlinkSync(place) : undefined;
    const target = told !== undefined && dirname(told) === dirname(path) ? basename(told) : told;
    if (target?.includes('/') === true) throw refused(place, 'it is a link to another folder, which is not followed');
    const file = target === undefined ? place : join(dirname(place), target);
    return onDisk(file, () => readPlain(file, constants.O_NOFOLLOW));
  }

  /** Whole or not at all: a link in its place is replaced, not followed. */
  write(path: string, text: string, mode: number, folderMode = FOLDER_MODE): void {
    const place = this.#place(path);
    const draft = this.#draft(place);
    onDisk(place, () => {
      mkdirSync(dirname(dirname(place)), { recursive: true, mode: FOLDER_MODE });
      if (!existsSync(dirname(place))) mkdirSync(dirname(place), { mode: folderMode });
      const handle = openSync(draft, NEW_FILE, mode);
      try {
        fchmodSync(handle, mode);
        writeFileSync(handle, text);
      } finally {
        closeSync(handle);
      }
      renameSync(draft, place);
    });
  }

  link(path: string, target: string): void {
    const place = this.#place(path);
    const draft = this.#draft(place);
    onDisk(place, () => {
      symlinkSync(target, draft);
      renameSync(draft, place);
    });
  }

  remove(path: string): void {
    const place = this.#place(path);
    onDisk(place, () => rmSync(place, { force: true }));
  }

  #draft(place: string): string {
    this.#drafts += 1;
    return `${place}.${process.pid}.${this.#drafts}.new`;
  }
}
