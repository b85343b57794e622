/** The disk of a client that is a program: looked at while the program runs, so that what it takes away is seen, too. */
import { type Dirent, lstatSync, opendirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Deed, LeftFile, LeftFolder } from '../../kubernetes/transcript.js';

/** Files, and bytes of one, that are looked at. */
const MOST_FILES = 2000;
const LARGEST = 512 * 1024;
/** No client needs more on its disk: entries of folders, and bytes. */
const MOST_ENTRIES = 5_000;
const MOST_BYTES = 1024 ** 3;
/** Files whose earlier contents count: who writes over a pair has half of one for a moment. */
const PEM = /^-----BEGIN /m;

interface Known extends LeftFile {
  /** By what it is told that nobody has written to it. */
  readonly version: string;
}

export interface Watching {
  /** Folder that stands for "/" of the machine. */
  readonly root: string;
  /** Paths that are looked at, by the path from the root on; what it gives is how the path is told. */
  readonly nameOf: (place: string) => string | undefined;
  /** How the text of a file is told. */
  readonly plain: (text: string) => string;
  /** How much the server has seen by now. */
  readonly seen: () => number;
}

export class WatchedFolder {
  readonly deeds: Deed[] = [];
  readonly #watching: Watching;
  #known = new Map<string, Known>();
  /** What was taken away at the last look, and where among the deeds that stands. */
  #gone: ReadonlyMap<string, number> = new Map();
  /** Of the look that is under way. */
  #entries = 0;
  #bytes = 0;
  /** What was there before. */
  readonly #given: ReadonlyMap<string, Known>;
  readonly #folders: ReadonlyMap<string, LeftFolder>;

  constructor(watching: Watching) {
    this.#watching = watching;
    this.#given = this.#look();
    this.#known = new Map(this.#given);
    this.#folders = foldersIn(watching.root);
  }

  /** It fills its disk, and need not go on. */
  get isFull(): boolean {
    return this.#entries >= MOST_ENTRIES || this.#bytes >= MOST_BYTES;
  }

  /** Looks what has changed; it counts as done before what the server sees next. */
  look(): void {
    const after = this.#watching.seen();
    const found = this.#look();
    const gone = new Map<string, number>();
    for (const [name, { version, isLink: _, ...file }] of found)
      if (this.#known.get(name)?.version !== version) this.#wrote(name, file, after);
    for (const name of this.#known.keys())
      if (!found.has(name)) gone.set(name, this.deeds.push({ kind: 'removed', path: name, after }) - 1);
    for (const [name, at] of this.#gone) {
      const deed = this.deeds[at];
      if (deed?.kind === 'removed') this.deeds[at] = { ...deed, isBrief: found.has(name) };
    }
    this.#gone = gone;
    this.#known = found;
  }

  /** A file that grows while it is looked at was written once; one that is emptied first is told of with what comes next. */
  #wrote(name: string, file: LeftFile, after: number): void {
    const at = this.deeds.findLastIndex((deed) => deed.kind !== 'ran' && deed.path === name);
    const before = this.deeds[at];
    const wrote = { kind: 'wrote', path: name, ...file } as const;
    const isAnew = before?.kind === 'wrote' && PEM.test(before.text) && !file.text.startsWith(before.text);
    if (isAnew) {
      if (file.text !== '') this.deeds.push({ ...wrote, after });
    } else if (before?.kind === 'wrote') {
      // Whose mode is changed when all is in it was open until then.
      const mode = before.text === file.text ? before.mode | file.mode : file.mode;
      this.deeds[at] = { ...wrote, mode, after: before.after };
    } else if (file.text !== '') this.deeds.push({ ...wrote, after });
  }

  /** What the client has written and left. */
  get left(): Readonly<Record<string, LeftFile>> {
    const own = [...this.#known].filter(([name, { version }]) => this.#given.get(name)?.version !== version);
    return Object.fromEntries(own.map(([name, { version: _, ...file }]): [string, LeftFile] => [name, file]).sort());
  }

  /** Folders that are new, or have another mode or owner, by their paths in the root. */
  get folders(): Readonly<Record<string, LeftFolder>> {
    const isChanged = ([place, { mode, isForeign }]: [string, LeftFolder]): boolean => {
      const before = this.#folders.get(place);
      return before?.mode !== mode || before.isForeign !== isForeign;
    };
    const now = [...foldersIn(this.#watching.root)].filter(isChanged);
    return Object.fromEntries(now.map(([place, folder]): [string, LeftFolder] => [`/${place}`, folder]).sort());
  }

  #look(): Map<string, Known> {
    const found = new Map<string, Known>();
    this.#entries = 0;
    this.#bytes = 0;
    this.#lookIn('', found);
    return found;
  }

  #lookIn(folder: string, found: Map<string, Known>): void {
    const { root, nameOf } = this.#watching;
    const entries = entriesOf(path.join(root, folder), MOST_ENTRIES - this.#entries);
    this.#entries += entries.length;
    for (const entry of entries) {
      const place = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) this.#lookIn(place, found);
      else {
        const name = nameOf(place);
        const file = name === undefined || found.size >= MOST_FILES ? undefined : this.#fileAt(place, name);
        if (name !== undefined && file !== undefined) found.set(name, file);
      }
    }
  }

  #fileAt(place: string, name: string): Known | undefined {
    const { root, plain } = this.#watching;
    try {
      const own = path.join(root, place);
      const isLink = lstatSync(own).isSymbolicLink();
      const file = isLink ? this.#target(own) : own;
      const stat = statSync(file, { bigint: true });
      if (!stat.isFile()) return undefined;
      this.#bytes += Number(stat.blocks) * 512;
      const version = `${stat.ino} ${stat.mtimeNs} ${stat.ctimeNs} ${stat.size}`;
      const known = this.#known.get(name);
      if (known?.version === version) return known;
      const text = stat.size > LARGEST ? '' : plain(readFileSync(file, 'utf8'));
      const isForeign = isOfAnother(Number(stat.uid));
      const mode = Number(stat.mode & 0o7777n);
      return { mode, text, version, ...(isLink ? { isLink } : {}), ...(isForeign ? { isForeign } : {}) };
    } catch {
      // it went while it was looked at
      return undefined;
    }
  }

  /** What a link leads to: of a machine whose "/" is the root. */
  #target(link: string): string {
    const { root } = this.#watching;
    const to = path.resolve(path.dirname(link), readlinkSync(link));
    return to.startsWith(`${root}/`) ? to : path.join(root, to);
  }
}

/** So many of them at most, however many there are. */
function entriesOf(folder: string, most: number): readonly Dirent[] {
  const entries: Dirent[] = [];
  try {
    const open = opendirSync(folder);
    try {
      for (let one = open.readSync(); one !== null && entries.length < most; one = open.readSync()) entries.push(one);
    } finally {
      open.closeSync();
    }
  } catch {
    // it went while it was looked at
  }
  return entries;
}

/**
 * Whether something belongs to somebody else: who runs the program in a namespace of its own is root there. Root has
 * every file anyhow, so what a program makes by sudo is nobody else's.
 */
const isOfAnother = (uid: number): boolean => uid !== 0 && uid !== process.geteuid?.();

/** Folders by their paths in the root; links are none. */
function foldersIn(root: string): ReadonlyMap<string, LeftFolder> {
  const found = new Map<string, LeftFolder>();
  const waiting = [''];
  for (let place = waiting.pop(); place !== undefined && found.size < MOST_ENTRIES; place = waiting.pop())
    for (const entry of entriesOf(path.join(root, place), MOST_ENTRIES)) {
      if (!entry.isDirectory()) continue;
      const own = place === '' ? entry.name : `${place}/${entry.name}`;
      try {
        const { mode, uid } = lstatSync(path.join(root, own));
        found.set(own, { mode: mode & 0o7777, ...(isOfAnother(uid) ? { isForeign: true } : {}) });
        waiting.push(own);
      } catch {
        // it went while it was looked at
      }
    }
  return found;
}
