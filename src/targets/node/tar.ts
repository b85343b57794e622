/**
 * Reads tar archives as they come, without holding more than one block of them: members, and the content of those that
 * somebody wants. Formats: ustar, pax, and GNU with long names and sparse files, which no library that we looked at
 * reads (one of them loses its place in the archive).
 * Source: POSIX.1-2017, pax, ustar Interchange Format; GNU tar manual, "Basic Tar Format" and "Storing Sparse Files".
 */

/** One member; `size` is that of the file, not of what the archive stores of it. */
export interface Member {
  /** As the archive has it. */
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'hard link' | 'other';
  readonly mode: number;
  readonly owner: number;
  readonly size: number;
  /** Of a link. */
  readonly target: string;
}

/** Why an archive cannot be read: a clause. */
export class BadArchive extends Error {}

const BLOCK = 512;
/** Bytes of a name, or of what pax says of one member. */
const MOST_SAID = 1024 * 1024;
/** Parts of a sparse file that are looked at. */
const MOST_PARTS = 10_000;
const HALF = 'it ends in the middle, as if it were half-written';

/** Takes bytes off a stream in the pieces that are wanted. */
class Bytes {
  readonly #source: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#source.next();
    if (done !== true) this.#held = this.#held.length === 0 ? value : Buffer.concat([this.#held, value]);
    return done !== true;
  }

  /** Throws BadArchive where so many are not there. */
  async take(count: number): Promise<Buffer> {
    while (this.#held.length < count) if (!(await this.#more())) throw new BadArchive(HALF);
    const taken = this.#held.subarray(0, count);
    this.#held = this.#held.subarray(count);
    return taken;
  }

  async skip(count: number): Promise<void> {
    let left = count;
    while (left > this.#held.length) {
      left -= this.#held.length;
      this.#held = Buffer.alloc(0);
      if (!(await this.#more())) throw new BadArchive(HALF);
    }
    this.#held = this.#held.subarray(left);
  }
}

const textAt = (block: Buffer, from: number, length: number): string => {
  const field = block.subarray(from, from + length);
  const end = field.indexOf(0);
  return field.subarray(0, end < 0 ? length : end).toString('utf8');
};

/** Octal digits, or, where the first bit is set, a number of base 256. */
function numberAt(block: Buffer, from: number, length: number): number {
  const field = block.subarray(from, from + length);
  const [first = 0] = field;
  if ((first & 0x80) !== 0)
    return field.subarray(1).reduce((sum, byte) => sum * 256 + byte, first === 0xff ? Number.NaN : first & 0x7f);
  const digits = textAt(block, from, length).trim();
  return digits === '' ? 0 : /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number.NaN;
}

const sumOf = (block: Buffer): number =>
  block.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0);

/** "30 mtime=1321711775.198\n", one after the other. Source: POSIX.1-2017, pax Extended Header. */
function paxIn(said: Buffer): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (let at = 0; at < said.length; ) {
    const blank = said.indexOf(0x20, at);
    if (blank < 0) return found;
    const length = Number(said.toString('latin1', at, blank));
    const record = said.toString('utf8', blank + 1, at + length - 1);
    const equals = record.indexOf('=');
    if (!Number.isInteger(length) || equals < 1) return found;
    found[record.slice(0, equals)] = record.slice(equals + 1);
    at += length;
  }
  return found;
}

/** Where a part of a sparse file lies in it, and its length. */
type Part = readonly [number, number];

function partsAt(block: Buffer, from: number, count: number): Part[] {
  const all = Array.from({ length: count }, (_, at): Part => {
    const place = from + at * 24;
    return [numberAt(block, place, 12), numberAt(block, place + 12, 12)];
  });
  return all.filter(([, length]) => length > 0);
}

const pairsOf = (numbers: readonly number[]): Part[] =>
  numbers.flatMap((start, at) => (at % 2 === 0 ? [[start, numbers[at + 1] ?? 0] as const] : []));

function spread(stored: Buffer, parts: readonly Part[], size: number): Buffer {
  const whole = Buffer.alloc(size);
  let from = 0;
  for (const [start, length] of parts) {
    if (start + length > size) throw new BadArchive('a sparse file in it has more parts than it is long');
    stored.copy(whole, start, from, from + length);
    from += length;
  }
  return whole;
}

/** Since version 1.0 the parts stand in front of the content, a number a line. */
function splitStored(stored: Buffer): { readonly parts: Part[]; readonly data: Buffer } {
  const lines = stored.toString('latin1').split('\n', 2 * MOST_PARTS + 1);
  const count = Number(lines[0]);
  const numbers = lines.slice(1, 1 + 2 * count);
  const length = [lines[0] ?? '', ...numbers].reduce((sum, line) => sum + line.length + 1, 0);
  return { parts: pairsOf(numbers.map(Number)), data: stored.subarray(Math.ceil(length / BLOCK) * BLOCK) };
}

const KINDS: Readonly<Record<string, Member['kind']>> = {
  '0': 'file',
  '\0': 'file',
  '7': 'file',
  S: 'file',
  '1': 'hard link',
  '2': 'link',
  '5': 'folder',
};

/** What headers before a member say of it. */
interface Ahead {
  readonly name?: string;
  readonly target?: string;
  readonly pax?: Readonly<Record<string, string>>;
}

/** A header, with what was said before it. */
interface Header {
  readonly member: Member;
  /** Bytes that the archive holds of it. */
  readonly stored: number;
  readonly type: string;
  readonly pax: Readonly<Record<string, string>>;
}

function headerIn(block: Buffer, { name, target, pax = {} }: Ahead): Header {
  if (sumOf(block) !== numberAt(block, 148, 8)) throw new BadArchive('a header in it is damaged');
  const isUstar = textAt(block, 257, 6) === 'ustar';
  const prefix = isUstar ? textAt(block, 345, 155) : '';
  const own = textAt(block, 0, 100);
  const type = String.fromCharCode(block[156] ?? 0);
  const stored = pax.size === undefined ? numberAt(block, 124, 12) : Number(pax.size);
  const real = pax['GNU.sparse.realsize'] ?? pax['GNU.sparse.size'];
  const size = type === 'S' ? numberAt(block, 483, 12) : real === undefined ? stored : Number(real);
  const owner = pax.uid === undefined ? numberAt(block, 108, 8) : Number(pax.uid);
  if (![stored, size].every((one) => Number.isSafeInteger(one) && one >= 0))
    throw new BadArchive('a header in it is damaged');
  const called = pax['GNU.sparse.name'] ?? pax.path ?? name ?? (prefix === '' ? own : `${prefix}/${own}`);
  // Before ustar a folder was a file with a slash.
  const kind = KINDS[type] === 'file' && called.endsWith('/') ? 'folder' : (KINDS[type] ?? 'other');
  const mode = numberAt(block, 100, 8) & 0o7777;
  const to = pax.linkpath ?? target ?? textAt(block, 157, 100);
  return { type, stored, pax, member: { name: called, kind, mode, owner, size, target: to } };
}

/** The content of a member that is wanted; of another one it is passed over. */
async function contentOf(bytes: Bytes, header: Header, block: Buffer, isWanted: boolean): Promise<Buffer | undefined> {
  const { member, stored, type, pax } = header;
  const parts: Part[] = [];
  if (type === 'S') {
    parts.push(...partsAt(block, 386, 4));
    for (let goesOn = block[482] === 1; goesOn; ) {
      const more = await bytes.take(BLOCK);
      parts.push(...partsAt(more, 0, 21));
      goesOn = more[504] === 1;
      if (parts.length > MOST_PARTS) throw new BadArchive(`a sparse file in it has more than ${MOST_PARTS} parts`);
    }
  }
  const padded = Math.ceil(stored / BLOCK) * BLOCK;
  if (!isWanted) {
    await bytes.skip(padded);
    return undefined;
  }
  const content = (await bytes.take(padded)).subarray(0, stored);
  if (type === 'S') return spread(content, parts, member.size);
  if (pax['GNU.sparse.major'] === '1') {
    const split = splitStored(content);
    return spread(split.data, split.parts, member.size);
  }
  const map = pax['GNU.sparse.map'];
  return map === undefined ? content : spread(content, pairsOf(map.split(',').map(Number)), member.size);
}

/**
 * Every member in the order of the archive; of those that are wanted and no longer than `most` bytes with its content.
 * Throws BadArchive.
 */
export async function* membersOf(
  source: AsyncIterable<Buffer>,
  isWanted: (member: Member) => boolean,
  most: number,
): AsyncGenerator<{ readonly member: Member; readonly content?: Buffer }> {
  const bytes = new Bytes(source);
  let ahead: Ahead = {};
  for (let first = true; ; first = false) {
    const block = await bytes.take(BLOCK).catch((error: unknown) => {
      const isHalf = error instanceof BadArchive && error.message === HALF;
      throw first && isHalf ? new BadArchive('it is no tar archive, or half-written') : error;
    });
    // The archive ends with blocks of zeros.
    if (block.every((byte) => byte === 0)) return;
    if (first && sumOf(block) !== numberAt(block, 148, 8)) throw new BadArchive('it is no tar archive');
    const header = headerIn(block, ahead);
    const { member, stored, type } = header;
    if ('LKxgX'.includes(type)) {
      if (stored > MOST_SAID) throw new BadArchive('a name in it is too long');
      const said = (await bytes.take(Math.ceil(stored / BLOCK) * BLOCK)).subarray(0, stored);
      const text = said.toString('utf8').replace(/\0.*$/s, '');
      if (type === 'L') ahead = { ...ahead, name: text };
      else if (type === 'K') ahead = { ...ahead, target: text };
      else if (type !== 'g') ahead = { ...ahead, pax: paxIn(said) };
      continue;
    }
    ahead = {};
    const takes = stored <= most && member.size <= most && isWanted(member);
    const content = await contentOf(bytes, header, block, takes && member.kind === 'file');
    yield content === undefined ? { member } : { member, content };
  }
}
