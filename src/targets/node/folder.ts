/**
 * A folder laid out like a node: "/etc/kubernetes/…" lies in DIR/etc/kubernetes/…. It is only read, within bounds, and
 * a link leads where it would lead on the node: an absolute one begins at DIR, and none leaves it.
 */
import { lstat, readdir, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../error-code.js';
import { ConfigurationError } from '../errors.js';
import { readUnlinked } from '../regular-file.js';
import type { NodeEntry, NodeFiles } from '../types.js';

/** Bytes of one file and of all together, entries of a folder, folders within folders, links one after the other. */
const LIMITS = { file: 1024 * 1024, all: 32 * 1024 * 1024, entries: 1000, depth: 6, links: 20 } as const;
/** Milliseconds after which nothing more is read. */
const TIME = 20_000;

const SAID: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'its links lead in a circle',
  EIO: 'the disk cannot be read there',
};
const said = (error: unknown): string => SAID[codeOf(error)] ?? codeOf(error);

/** Where a path lies after all links; undefined: there is nothing. */
type Place = { readonly at: string } | { readonly problem: string } | undefined;

/** Opens DIR. Throws ConfigurationError where it is no folder. */
export async function openFolder(given: string): Promise<NodeFiles> {
  const root = await realpath(given).catch((error: unknown) => {
    throw new ConfigurationError(
      `--node ${given} cannot be read (${said(error)}). Give a folder that is laid out like a node's "/".`,
    );
  });
  if (!(await lstat(root)).isDirectory())
    throw new ConfigurationError(`--node ${given} is no folder. Give one that is laid out like a node's "/".`);
  return new NodeFolder(root);
}

class NodeFolder implements NodeFiles {
  readonly #root: string;
  readonly #ends = performance.now() + TIME;
  #left: number = LIMITS.all;

  constructor(root: string) {
    this.#root = root;
  }

  now(): number {
    return Date.now();
  }

  async read(paths: readonly string[]): Promise<readonly NodeEntry[]> {
    const found: NodeEntry[] = [];
    for (const one of paths) await this.#collect(path.posix.normalize(`/${one}`), 0, found);
    return found;
  }

  /** Follows every link as the node would. */
  async #resolve(wanted: string): Promise<Place> {
    const ahead = wanted.split('/');
    const walked: string[] = [];
    let links = 0;
    while (ahead.length > 0) {
      const part = ahead.shift() ?? '';
      if (part === '..') walked.pop();
      if (part === '' || part === '.' || part === '..') continue;
      const at = path.join(this.#root, ...walked, part);
      const found = await lstat(at).catch((error: unknown) => {
        if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return undefined;
        throw error;
      });
      if (found === undefined) return undefined;
      if (found.isSymbolicLink()) {
        links += 1;
        if (links > LIMITS.links) return { problem: 'its links lead in a circle' };
        const target = await readlink(at);
        if (target.startsWith('/')) walked.length = 0;
        ahead.unshift(...target.split('/'));
      } else walked.push(part);
    }
    return { at: path.join(this.#root, ...walked) };
  }

  async #collect(wanted: string, depth: number, found: NodeEntry[]): Promise<void> {
    const unreadable = (why: string): number => found.push({ path: wanted, kind: 'file', unreadable: why });
    if (performance.now() > this.#ends) {
      unreadable(`reading the disk has taken ${TIME / 1000} s already`);
      return;
    }
    try {
      const place = await this.#resolve(wanted);
      if (place === undefined) {
        // A link that leads nowhere is there.
        if (depth > 0) unreadable('it is a link to nothing');
        return;
      }
      if ('problem' in place) unreadable(place.problem);
      else await this.#one(wanted, place.at, depth, found);
    } catch (error) {
      unreadable(said(error));
    }
  }

  async #one(wanted: string, at: string, depth: number, found: NodeEntry[]): Promise<void> {
    const kind = await lstat(at);
    const mode = kind.mode & 0o7777;
    if (!kind.isDirectory()) {
      found.push({ path: wanted, kind: 'file', mode, ...(await this.#content(at, kind.size)) });
      return;
    }
    const names = depth >= LIMITS.depth ? undefined : (await readdir(at)).sort();
    const problem =
      names === undefined
        ? `more than ${LIMITS.depth} folders lie within each other`
        : names.length > LIMITS.entries
          ? `it holds more than ${LIMITS.entries} entries`
          : undefined;
    found.push({ path: wanted, kind: 'folder', mode, ...(problem === undefined ? {} : { unreadable: problem }) });
    if (problem !== undefined) return;
    for (const name of names ?? []) await this.#collect(path.posix.join(wanted, name), depth + 1, found);
  }

  async #content(at: string, size: number): Promise<Pick<NodeEntry, 'text' | 'unreadable'>> {
    if (size > LIMITS.file) return { unreadable: `it is larger than ${LIMITS.file / 1024} KiB` };
    if (size > this.#left) return { unreadable: `the files together are larger than ${LIMITS.all / 1024} KiB` };
    const text = await readUnlinked(at, LIMITS.file);
    this.#left -= text.length;
    return { text };
  }
}
