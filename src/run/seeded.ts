/**
 * Bytes that look random and are the same in every run: for names and tokens on the bundled reference, which nobody
 * else reaches, so that two reports are alike.
 */
import { createCipheriv, createHash } from 'node:crypto';

/** Bytes that are made at a time: most callers want sixteen. */
const POOL = 4096;

/** Never for a cluster: whoever knows the seed knows the secrets. */
export function seededBytes(seed: string): (length: number) => Buffer {
  const key = createHash('sha256').update(seed).digest();
  const stream = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
  const more = (): Buffer => stream.update(Buffer.alloc(POOL));
  let pool = more();
  let taken = 0;
  return (length) => {
    const pieces: Buffer[] = [];
    for (let wanted = length; wanted > 0; ) {
      if (taken === POOL) {
        pool = more();
        taken = 0;
      }
      const piece = pool.subarray(taken, taken + wanted);
      pieces.push(piece);
      taken += piece.length;
      wanted -= piece.length;
    }
    return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
  };
}
