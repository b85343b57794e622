/** Random bytes in small pieces. */
import { randomBytes } from 'node:crypto';
import type { RandomBytes } from '../apiserver/types.js';

const POOL = 4096;

/**
 * A start takes some hundreds of small pieces, and every question to the kernel costs more than the bytes. No byte is
 * given twice.
 */
export function pooledBytes(): RandomBytes {
  let pool = randomBytes(POOL);
  let taken = 0;
  return (length) => {
    if (length > POOL) return randomBytes(length);
    if (taken + length > POOL) {
      pool = randomBytes(POOL);
      taken = 0;
    }
    taken += length;
    return pool.subarray(taken - length, taken);
  };
}
