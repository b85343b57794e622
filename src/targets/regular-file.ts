/**
 * Reads files whose names others may choose: in a kubeconfig, in a folder of manifests, in the folder for temporary
 * files.
 */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Why a file is not read; `code` completes "cannot be read (…)", as that of an error of the file system does. */
class NotRead extends Error {
  constructor(readonly code: string) {
    super(code);
  }
}

/**
 * The text of a regular file of at most `most` bytes. What waits for somebody (a FIFO, a device) is not waited for.
 * Throws what the file system throws, or an error with a `code` that says why the file is not read.
 */
export async function readRegular(file: string, most: number): Promise<string> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!(await handle.stat()).isFile()) throw new NotRead('it is no regular file');
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of handle.createReadStream({ end: most, autoClose: false })) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      chunks.push(bytes);
    }
    if (size > most) throw new NotRead(`it is larger than ${Math.floor(most / 1024)} KiB`);
    return Buffer.concat(chunks).toString('utf8');
  } finally {
    await handle.close();
  }
}
