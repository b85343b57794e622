/**
 * A tar archive of a node's disk, plain or by gzip, as a tree: gone through once for what lies where, and once more for
 * the content of what is looked at. Nothing is unpacked to a disk.
 */
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { createGunzip } from 'node:zlib';
import { codeOf } from '../error-code.js';
import { TargetUnreachable } from '../errors.js';
import { textOf } from '../regular-file.js';
import { BadArchive, type Member, membersOf } from './tar.js';
import { type Content, type Found, LIMITS, TIME, type Tree } from './walk.js';

/**
 * Bytes of an archive once it is inflated, and its members: a whole disk has fewer of what is worth a look. Milliseconds
 * that going through it may take.
 */
const BOUNDS = { bytes: 8 * 1024 ** 3, members: 300_000, time: TIME };

const GZIP = Buffer.from([0x1f, 0x8b]);
const OTHERS: readonly (readonly [string, Buffer])[] = [
  ['xz', Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a])],
  ['zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd])],
  ['bzip2', Buffer.from('BZh')],
  ['zip', Buffer.from('PK\x03\x04', 'latin1')],
];

/** Its first bytes. */
async function magicOf(handle: FileHandle): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(8), 0, 8, 0);
  return buffer.subarray(0, bytesRead);
}

/** Within bounds of size and time. Throws BadArchive. */
async function* bounded(source: AsyncIterable<Buffer>, { bytes, time }: typeof BOUNDS): AsyncGenerator<Buffer> {
  const ends = performance.now() + time;
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > bytes) throw new BadArchive(`it is larger than ${bytes / 1024 ** 3} GiB`);
    if (performance.now() > ends) throw new BadArchive(`reading it takes longer than ${time / 1000} s`);
    yield chunk;
  }
}

/** "./etc/a/" as "/etc/a". Throws BadArchive where it leads out of the archive. */
function placeOf(name: string): string {
  if (name.split('/').includes('..')) throw new BadArchive(`its member ${JSON.stringify(name)} leads out of it`);
  return path.posix.normalize(`/${name}`).replace(/(?<=.)\/$/, '');
}

export class ArchiveTree implements Tree {
  readonly #file: string;
  readonly #isGzip: boolean;
  readonly #found = new Map<string, Found & { readonly same?: string }>();
  readonly #names = new Map<string, Set<string>>();

  readonly #bounds: typeof BOUNDS;

  private constructor(file: string, isGzip: boolean, bounds: typeof BOUNDS) {
    this.#file = file;
    this.#isGzip = isGzip;
    this.#bounds = bounds;
  }

  /** Throws TargetUnreachable where it is no archive that can be read to its end. */
  static async open(file: string, bounds: Partial<typeof BOUNDS> = {}): Promise<ArchiveTree> {
    const handle = await open(file, 'r');
    const magic = await magicOf(handle).finally(() => handle.close());
    const other = OTHERS.find(([, bytes]) => magic.subarray(0, bytes.length).equals(bytes));
    if (other !== undefined)
      throw new TargetUnreachable(
        `--node ${file} is packed with ${other[0]}, which is not read. Give a folder, a tar or a tar.gz.`,
        'other',
      );
    const tree = new ArchiveTree(file, magic.subarray(0, 2).equals(GZIP), { ...BOUNDS, ...bounds });
    await tree.#through(
      () => false,
      (place, member) => tree.#add(place, member),
    );
    return tree;
  }

  async #through(
    isWanted: (place: string) => boolean,
    onMember: (place: string, member: Member, content?: Buffer) => void,
  ): Promise<void> {
    const raw = createReadStream(this.#file);
    const source = this.#isGzip ? raw.pipe(createGunzip()) : raw;
    // pipe() hands no error on.
    if (source !== raw) raw.on('error', (error) => source.destroy(error));
    let count = 0;
    try {
      const wanted = ({ name }: Member): boolean => isWanted(placeOf(name));
      for await (const { member, content } of membersOf(bounded(source, this.#bounds), wanted, LIMITS.file)) {
        count += 1;
        if (count > this.#bounds.members) throw new BadArchive(`it has more than ${this.#bounds.members} members`);
        onMember(placeOf(member.name), member, content);
      }
    } catch (error) {
      throw new TargetUnreachable(`--node ${this.#file} cannot be read: ${whyNot(error)}. ${INSTEAD}`, 'other', {
        cause: error,
      });
    } finally {
      raw.destroy();
      source.destroy();
    }
  }

  /** Of a member that comes twice the last one counts. */
  #add(place: string, { kind, mode, owner, size, target }: Member): void {
    for (let at = place; at !== '/'; at = path.posix.dirname(at)) {
      const folder = path.posix.dirname(at);
      const names = this.#names.get(folder) ?? new Set();
      this.#names.set(folder, names.add(path.posix.basename(at)));
    }
    const known = { mode, owner, size };
    if (kind === 'folder') this.#found.set(place, { kind, ...known, size: 0 });
    else if (kind === 'link') this.#found.set(place, { kind, size: 0, target });
    else if (kind === 'hard link') this.#found.set(place, { kind: 'file', ...known, same: placeOf(target) });
    else this.#found.set(place, { kind: 'file', ...known });
  }

  async look(place: string): Promise<Found | undefined> {
    const found = this.#found.get(place);
    if (found === undefined) return this.#names.has(place) ? { kind: 'folder', size: 0 } : undefined;
    if (found.same === undefined) return found;
    return { ...found, size: this.#found.get(found.same)?.size ?? 0 };
  }

  async names(place: string): Promise<readonly string[]> {
    return [...(this.#names.get(place) ?? [])].sort();
  }

  async contents(places: readonly string[]): Promise<ReadonlyMap<string, Content>> {
    const found = new Map<string, Content>();
    if (places.length === 0) return found;
    const sources = new Map(places.map((place) => [place, this.#found.get(place)?.same ?? place] as const));
    const wanted = new Set(sources.values());
    const read = new Map<string, Content>();
    await this.#through(
      (place) => wanted.has(place),
      (place, { kind, size }, content) => {
        if (!wanted.has(place)) return;
        if (content !== undefined) read.set(place, { text: textOf(content) });
        else if (kind === 'file')
          read.set(place, { unreadable: `it is larger than ${LIMITS.file / 1024} KiB (${size})` });
        else if (kind === 'other') read.set(place, { unreadable: 'it is no regular file' });
      },
    );
    for (const [place, source] of sources)
      found.set(place, read.get(source) ?? { unreadable: 'it is a link to nothing' });
    return found;
  }
}

const INSTEAD = 'Give a folder that is laid out like a node\'s "/", or what "tar -C / -czf" makes of one.';

function whyNot(error: unknown): string {
  if (error instanceof BadArchive) return error.message;
  const code = codeOf(error);
  if (code === 'Z_BUF_ERROR') return 'it ends in the middle, as if it were half-written';
  return code.startsWith('Z_') ? 'what gzip has packed is damaged' : code;
}
