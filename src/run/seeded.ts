/** Bytes that look random and are the same in every run: for names and tokens on the bundled reference, which nobody else reaches, so that two reports are alike. */
import { createCipheriv, createHash } from 'node:crypto';

/** Never for a cluster: whoever knows the seed knows the secrets. */
export function seededBytes(seed: string): (length: number) => Buffer {
  const key = createHash('sha256').update(seed).digest();
  const stream = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
  return (length) => stream.update(Buffer.alloc(length));
}
