import assert from 'node:assert/strict';
import { it } from 'node:test';
import { pooledBytes } from './random-pool.js';

it('random bytes are given once, in pieces as long as was asked for', () => {
  const take = pooledBytes();
  // Pieces that end at the end of a pool, beyond it, and such as no pool holds.
  const pieces = [4000, 96, 16, 4080, 4096, 4097, 10_000, 16, 0, ...Array.from({ length: 1000 }, () => 16)].map(
    (length) => {
      const piece = take(length);
      assert.equal(piece.length, length);
      return piece;
    },
  );
  const long = pieces.filter(({ length }) => length >= 16).map((piece) => piece.subarray(0, 16).toString('hex'));
  assert.equal(new Set(long).size, long.length);
  // A later piece writes over none that was given before.
  assert.equal(new Set(pieces.filter(({ length }) => length === 16).map((piece) => piece.toString('hex'))).size, 1002);
});
