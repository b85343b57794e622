/**
 * What lies below paths of a node's disk, within bounds, wherever the disk is: a link leads where it would lead on the
 * node, so an absolute one begins at the root of the tree, and none leaves it.
 */
import path from 'node:path';
import { codeOf } from '../error-code.js';
import type { NodeEntry, NodeFiles } from '../types.js';
import { isArchive } from './members.js';
import { isLike, isPattern } from './patterns.js';

/**
 * Bytes of one file, of all together, and of what is read later whatever was read before; entries of a folder and of all
 * together, folders within folders, links one after the other.
 */
export const LIMITS = {
  file: 1024 * 1024,
  all: 32 * 1024 * 1024,
  later: 8 * 1024 * 1024,
  entries: 1000,
  places: 20_000,
  depth: 6,
  links: 20,
} as const;
/** Milliseconds after which nothing more is read. */
export const TIME = 20_000;

/** What lies at a place, before it is read. */
export interface Found {
  readonly kind: 'file' | 'folder' | 'link';
  /** Permission bits, and the number of the owner; undefined where nobody knows. */
  readonly mode?: number;
  readonly owner?: number;
  readonly size: number;
  /** Of a link. */
  readonly target?: string;
}

export type Content = Pick<NodeEntry, 'text' | 'unreadable'>;

/** A tree of files. Places are absolute paths without links within them. */
export interface Tree {
  /** undefined: there is nothing. Throws what the file system throws. */
  look(place: string): Promise<Found | undefined>;
  names(place: string): Promise<readonly string[]>;
  /** Names of what an archive holds; a tree that is an archive itself tells none. */
  members?(place: string): Promise<readonly string[]>;
  /** Each place's content; none where it has none. */
  contents(places: readonly string[]): Promise<ReadonlyMap<string, Content>>;
}

const SAID: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'its links lead in a circle',
  EIO: 'the disk cannot be read there',
};
export const said = (error: unknown): string => SAID[codeOf(error)] ?? codeOf(error);

/** Where a path lies after all links; undefined: there is nothing. */
type Place = { readonly at: string; readonly found: Found } | { readonly problem: string } | undefined;
/** An entry whose content is read later, with all others. */
interface Collected {
  readonly entry: NodeEntry;
  readonly at?: string;
}

const ROOT: Found = { kind: 'folder', size: 0 };

export class WalkedFiles implements NodeFiles {
  readonly #tree: Tree;
  readonly #time: number;
  readonly #ends: number;
  #left: number = LIMITS.all;

  /** `time`: milliseconds after which nothing more is read. */
  constructor(tree: Tree, time = TIME) {
    this.#tree = tree;
    this.#time = time;
    this.#ends = performance.now() + time;
  }

  now(): number {
    return Date.now();
  }

  async read(paths: readonly string[]): Promise<readonly NodeEntry[]> {
    const found: Collected[] = [];
    this.#left = Math.max(this.#left, LIMITS.later);
    for (const one of paths)
      for (const place of isPattern(one) ? await this.#alike(one, found) : [one])
        await this.#collect(path.posix.normalize(`/${place}`), 0, found);
    const places = [...new Set(found.flatMap(({ at }) => at ?? []))];
    const contents = await this.#tree.contents(places);
    const none: Content = { unreadable: 'it has no content' };
    return found.map(({ entry, at }) => (at === undefined ? entry : { ...entry, ...(contents.get(at) ?? none) }));
  }

  /** Places that a pattern means; a folder that cannot be listed is found in their place, and why. */
  async #alike(pattern: string, found: Collected[]): Promise<readonly string[]> {
    let places = [''];
    for (const part of pattern.split('/').filter((one) => one !== '')) {
      if (!isPattern(part)) {
        places = places.map((place) => `${place}/${part}`);
        continue;
      }
      const next: string[] = [];
      for (const place of places) next.push(...(await this.#namesLike(place, part, found)));
      places = next;
    }
    // "/a/*/": each of them alone
    return pattern.endsWith('/') ? places.map((place) => `${place}/`) : places;
  }

  async #namesLike(place: string, like: string, found: Collected[]): Promise<readonly string[]> {
    const unlisted = (unreadable: string): readonly string[] => {
      const isKnown = found.some(({ entry }) => entry.path === place && entry.unreadable !== undefined);
      if (!isKnown) found.push({ entry: { path: place, kind: 'folder', unreadable } });
      return [];
    };
    try {
      const there = await this.#resolve(place);
      if (there === undefined || 'problem' in there || there.found.kind !== 'folder') return [];
      const names = (await this.#tree.names(there.at)).filter((name) => isLike(name, like));
      return names.length > LIMITS.entries
        ? unlisted(`it holds more than ${LIMITS.entries} entries that are asked for`)
        : names.map((name) => `${place}/${name}`);
    } catch (error) {
      return codeOf(error) === 'ENOTDIR' ? [] : unlisted(said(error));
    }
  }

  /** Follows every link as the node would. */
  async #resolve(wanted: string): Promise<Place> {
    const ahead = wanted.split('/');
    const walked: string[] = [];
    let links = 0;
    let last: Found | undefined;
    while (ahead.length > 0) {
      const part = ahead.shift() ?? '';
      if (part === '' || part === '.') continue;
      if (part === '..') {
        walked.pop();
        last = undefined;
        continue;
      }
      const found = await this.#tree.look(`/${[...walked, part].join('/')}`);
      if (found === undefined) return undefined;
      if (found.kind === 'link') {
        links += 1;
        if (links > LIMITS.links) return { problem: SAID.ELOOP ?? '' };
        const { target = '' } = found;
        if (target.startsWith('/')) walked.length = 0;
        last = undefined;
        ahead.unshift(...target.split('/'));
      } else {
        walked.push(part);
        last = found;
      }
    }
    const at = `/${walked.join('/')}`;
    const found = last ?? (walked.length === 0 ? ROOT : await this.#tree.look(at));
    return found === undefined ? undefined : { at, found };
  }

  async #collect(given: string, depth: number, found: Collected[]): Promise<void> {
    // "/a/": itself, and nothing below it
    const isAlone = given.length > 1 && given.endsWith('/');
    const wanted = isAlone ? given.slice(0, -1) : given;
    const unreadable = (why: string): number => found.push({ entry: { path: wanted, kind: 'file', unreadable: why } });
    if (performance.now() > this.#ends) {
      unreadable(`reading the disk has taken ${this.#time / 1000} s already`);
      return;
    }
    try {
      const place = await this.#resolve(wanted);
      if (place === undefined) {
        // A link that leads nowhere is there.
        if ((await this.#tree.look(wanted))?.kind === 'link') unreadable('it is a link to nothing');
        return;
      }
      if ('problem' in place) unreadable(place.problem);
      else if (isAlone) {
        const { kind, mode, owner, size } = place.found;
        const what = kind === 'folder' ? { kind } : ({ kind: 'file', size } as const);
        const elsewhere = place.at === wanted ? {} : { at: place.at };
        const members = kind === 'file' && isArchive(wanted) ? ((await this.#tree.members?.(place.at)) ?? []) : [];
        const held = members.length === 0 ? {} : { members };
        found.push({ entry: { path: wanted, ...elsewhere, ...what, ...known(mode, owner), ...held } });
      } else if (place.found.kind === 'folder') await this.#folder(wanted, place, depth, found);
      else found.push(this.#file(wanted, place));
    } catch (error) {
      unreadable(said(error));
    }
  }

  #file(wanted: string, { at, found: { mode, owner, size } }: { at: string; found: Found }): Collected {
    const entry = { path: wanted, kind: 'file', ...(at === wanted ? {} : { at }), ...known(mode, owner) } as const;
    const most = size > LIMITS.file ? LIMITS.file : size > this.#left ? LIMITS.all : undefined;
    if (most !== undefined) {
      const what = most === LIMITS.file ? 'it is' : 'the files together are';
      return { entry: { ...entry, unreadable: `${what} larger than ${most / 1024} KiB` } };
    }
    this.#left -= size;
    return { entry, at };
  }

  /** Names in a folder, or why there are none to be told. */
  async #namesIn(at: string, depth: number): Promise<{ names?: readonly string[]; problem?: string }> {
    if (depth >= LIMITS.depth) return { problem: `more than ${LIMITS.depth} folders lie within each other` };
    try {
      const names = await this.#tree.names(at);
      return names.length > LIMITS.entries ? { problem: `it holds more than ${LIMITS.entries} entries` } : { names };
    } catch (error) {
      return { problem: said(error) };
    }
  }

  async #folder(wanted: string, place: { at: string; found: Found }, depth: number, all: Collected[]): Promise<void> {
    const { mode, owner } = place.found;
    const isFull = all.length >= LIMITS.places;
    const full = { problem: `more than ${LIMITS.places} files and folders lie there` };
    const { names = [], problem }: { names?: readonly string[]; problem?: string } = isFull
      ? full
      : await this.#namesIn(place.at, depth);
    const entry = { path: wanted, kind: 'folder', ...known(mode, owner) } as const;
    all.push({ entry: problem === undefined ? entry : { ...entry, unreadable: problem } });
    if (problem !== undefined) return;
    for (const name of names) await this.#collect(path.posix.join(wanted, name), depth + 1, all);
  }
}

const known = (mode: number | undefined, owner: number | undefined): Pick<NodeEntry, 'mode' | 'owner'> => ({
  ...(mode === undefined ? {} : { mode }),
  ...(owner === undefined ? {} : { owner }),
});
