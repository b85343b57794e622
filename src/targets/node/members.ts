/** Names of what an archive on a disk holds, within bounds: none where it cannot be read, and nothing is unpacked. */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { membersOf } from './tar.js';

/** Bytes of an archive that are looked at, and once they are inflated; names. */
const MOST_READ = 16 * 1024 * 1024;
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_NAMES = 2000;
const ITS_END = 256 * 1024;

export const isArchive = (path: string): boolean => /\.(?:tgz|tar|tar\.gz|zip)$/.test(path);

/** Of the directory at its end. Source: APPNOTE.TXT, 4.3.12. */
async function namesOfZip(handle: FileHandle, size: number): Promise<readonly string[]> {
  const from = Math.max(0, size - ITS_END);
  const { buffer, bytesRead } = await handle.read(
    Buffer.alloc(Math.min(size, ITS_END)),
    0,
    Math.min(size, ITS_END),
    from,
  );
  const end = buffer.subarray(0, bytesRead);
  const names: string[] = [];
  for (
    let at = end.indexOf('PK\x01\x02', 0, 'latin1');
    at >= 0 && at + 46 <= end.length && names.length < MOST_NAMES;
  ) {
    const length = end.readUInt16LE(at + 28);
    names.push(end.toString('utf8', at + 46, at + 46 + length));
    at = end.indexOf('PK\x01\x02', at + 46 + length, 'latin1');
  }
  return names;
}

async function* within(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > MOST_BYTES) return;
    yield chunk;
  }
}

async function namesOfTar(handle: FileHandle, isGzip: boolean): Promise<readonly string[]> {
  const raw = handle.createReadStream({ start: 0, end: MOST_READ - 1, autoClose: false });
  const source = isGzip ? raw.pipe(createGunzip()) : raw;
  const names: string[] = [];
  try {
    for await (const { member } of membersOf(within(source), () => false, 0)) {
      names.push(member.name);
      if (names.length >= MOST_NAMES) break;
    }
  } catch {
    // what was read until there counts: it is cut off, damaged, or larger
  } finally {
    raw.destroy();
    source.destroy();
  }
  return names;
}

/** `file`: without links. */
export async function namesWithin(file: string): Promise<readonly string[]> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const found = await handle.stat();
    if (!found.isFile()) return [];
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    if (buffer.toString('latin1').startsWith('PK')) return await namesOfZip(handle, found.size);
    return await namesOfTar(handle, buffer[0] === 0x1f && buffer[1] === 0x8b);
  } catch {
    return [];
  } finally {
    await handle?.close();
  }
}
