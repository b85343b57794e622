/** A folder laid out like a node: "/etc/kubernetes/…" lies in DIR/etc/kubernetes/…. It is only read. */
import { lstat, readdir, readlink } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../error-code.js';
import { readUnlinked } from '../regular-file.js';
import { namesWithin } from './members.js';
import { type Content, type Found, LIMITS, said, type Tree } from './walk.js';

export class FolderTree implements Tree {
  readonly #root: string;

  /** `root`: without links. */
  constructor(root: string) {
    this.#root = root;
  }

  async look(place: string): Promise<Found | undefined> {
    const at = path.join(this.#root, place);
    const found = await lstat(at).catch((error: unknown) => {
      if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return undefined;
      throw error;
    });
    if (found === undefined) return undefined;
    const { mode, uid: owner, size } = found;
    if (found.isSymbolicLink()) return { kind: 'link', size: 0, target: await readlink(at) };
    return { kind: found.isDirectory() ? 'folder' : 'file', mode: mode & 0o7777, owner, size };
  }

  async names(place: string): Promise<readonly string[]> {
    return (await readdir(path.join(this.#root, place))).sort();
  }

  members(place: string): Promise<readonly string[]> {
    return namesWithin(path.join(this.#root, place));
  }

  async contents(places: readonly string[]): Promise<ReadonlyMap<string, Content>> {
    const read = (place: string): Promise<Content> =>
      readUnlinked(path.join(this.#root, place), LIMITS.file).then(
        (text) => ({ text }),
        (error: unknown) => ({ unreadable: said(error) }),
      );
    const found = new Map<string, Content>();
    // A few at a time: a disk may have thousands, and a process few descriptors.
    for (let at = 0; at < places.length; at += WIDTH)
      await Promise.all(
        places.slice(at, at + WIDTH).map(async (place) => {
          found.set(place, await read(place));
        }),
      );
    return found;
  }
}

const WIDTH = 16;
