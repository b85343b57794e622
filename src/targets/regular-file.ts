/**
 * Reads files whose names others may choose (in a kubeconfig, in a folder of manifests, in the folder for temporary
 * files), and what the user names, within limits: neither a FIFO nor a device is waited for or read for ever.
 */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/** Why a file is not read; `code` completes "cannot be read (…)", as that of an error of the file system does. */
class NotRead extends Error {
  constructor(readonly code: string) {
    super(code);
  }
}

const larger = (most: number): NotRead => new NotRead(`it is larger than ${Math.floor(most / 1024)} KiB`);

/** Opened without waiting for anybody, and closed again. */
async function opened<T>(file: string, read: (handle: FileHandle) => Promise<T>, more = 0): Promise<T> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK | more);
  try {
    return await read(handle);
  } finally {
    await handle.close();
  }
}

async function whole(handle: FileHandle, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of handle.createReadStream({ end: most, autoClose: false })) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    chunks.push(bytes);
  }
  if (size > most) throw larger(most);
  return Buffer.concat(chunks);
}

/**
 * The text of a regular file of at most `most` bytes. What waits for somebody (a FIFO, a device) is not waited for.
 * Throws what the file system throws, or an error with a `code` that says why the file is not read.
 */
export const readRegular = (file: string, most: number): Promise<string> => opened(file, regular(most));

/** The same, of what is no link itself: what was none a moment ago may be one by now. */
export const readUnlinked = (file: string, most: number): Promise<string> =>
  opened(file, regular(most), constants.O_NOFOLLOW);

const regular =
  (most: number) =>
  async (handle: FileHandle): Promise<string> => {
    if (!(await handle.stat()).isFile()) throw new NotRead('it is no regular file');
    return textOf(await whole(handle, most));
  };

/** Each byte of an archive of gzip as one character, so that it can be unpacked; all else as UTF-8. Source: RFC 1952. */
export const textOf = (bytes: Buffer): string =>
  bytes.toString(bytes[0] === 0x1f && bytes[1] === 0x8b ? 'latin1' : 'utf8');

/** Milliseconds of silence after which nothing is expected of a pipe any more, and between two looks at it. */
const SILENT_MS = 30_000;
/** The same for a pipe that nobody has opened to write. */
const UNWRITTEN_MS = 3_000;
const LOOK_MS = 20;
const AT_ONCE = 64 * 1024;

/**
 * The same for a file that the user names, which may be a pipe: `<(command)` of a shell is one. What comes out of a pipe
 * or a device is read up to `most` bytes and to its first long silence.
 */
export const readGiven = async (file: string, most: number): Promise<string> =>
  (await readGivenBytes(file, most)).toString('utf8');

/** The same, as it is. */
export function readGivenBytes(file: string, most: number): Promise<Buffer> {
  return opened(file, async (handle) => {
    const kind = await handle.stat();
    if (kind.isFile() || kind.isDirectory()) return whole(handle, most);
    return trickle(handle, most, kind.isFIFO());
  });
}

/** `unwritten`: an end may mean that nobody writes yet. */
async function trickle(handle: FileHandle, most: number, unwritten: boolean): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  let heard = performance.now();
  for (;;) {
    const silent = performance.now() - heard;
    const got = await available(handle);
    if (got === undefined) {
      if (silent > SILENT_MS) throw new NotRead(`nothing came out of it for ${SILENT_MS / 1000} s`);
    } else if (got.length > 0) {
      heard = performance.now();
      size += got.length;
      if (size > most) throw larger(most);
      chunks.push(got);
      continue;
    } else if (size > 0 || !unwritten) return Buffer.concat(chunks);
    else if (silent > UNWRITTEN_MS) throw new NotRead('it is empty, or a pipe that nobody writes to');
    await pause(LOOK_MS);
  }
}

/** What is there now: nothing at the end or where nobody writes; undefined where somebody may still write. */
async function available(handle: FileHandle): Promise<Buffer | undefined> {
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(AT_ONCE), 0, AT_ONCE, null);
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined;
    throw error;
  }
}

/** All of standard input, however long it takes to come; throws as the others do beyond `most` bytes. */
export async function standardInput(most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > most) throw larger(most);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
