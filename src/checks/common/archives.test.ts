import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { archivedIn, decodedWhole, wrappedIn } from './archives.js';

const TEXT = Array.from({ length: 400 }, (_, line) => `line ${line} of what somebody has packed ${line * 7919}`).join(
  '\n',
);
const PACKED = gzipSync(TEXT);
const latin1 = (bytes: Buffer): string => bytes.toString('latin1');

describe('an archive', () => {
  it('is unpacked, also where it is the base64 of one, and whatever else stands in it', () => {
    assert.equal(archivedIn(latin1(PACKED)), TEXT);
    assert.equal(archivedIn(PACKED.toString('base64')), TEXT);
    assert.equal(archivedIn(latin1(Buffer.concat([PACKED, gzipSync('and more')]))), `${TEXT}and more`);
    for (const none of ['', TEXT, latin1(PACKED.subarray(1)), '\x1f\x8bof no kind']) assert.equal(archivedIn(none), '');
  });

  it('is read as far as it goes where it is cut off', () => {
    for (const part of [0.5, 0.9]) {
      const cut = archivedIn(latin1(PACKED.subarray(0, PACKED.length * part)));
      assert.ok(cut.length > 1_000 && cut.length < TEXT.length && TEXT.startsWith(cut), `${part}: ${cut.length}`);
    }
    assert.equal(archivedIn(latin1(PACKED.subarray(0, -4))), TEXT);
  });

  it('is left where it is more than a megabyte', () => {
    assert.equal(archivedIn(latin1(gzipSync('a'.repeat(1_048_576)))).length, 1_048_576);
    assert.equal(archivedIn(latin1(gzipSync('a'.repeat(1_048_577)))), '');
  });

  it('is found in a text, folded or not', () => {
    const encoded = PACKED.toString('base64');
    const folded = encoded.replace(/.{76}/g, '$&\n  ');
    for (const one of [encoded, folded]) assert.deepEqual(wrappedIn(`data: |\n  ${one}\nmore: "-"`), [TEXT]);
    assert.deepEqual(wrappedIn('H4sI'), []);
  });
});

describe('base64 of a whole text', () => {
  it('is told where nothing else is there', () => {
    const encoded = Buffer.from(TEXT).toString('base64');
    assert.equal(decodedWhole(encoded.replace(/.{64}/g, '$&\n')), TEXT);
    for (const none of [`${encoded}.`, `"${encoded}"`, encoded.slice(0, 63), '']) assert.equal(decodedWhole(none), '');
  });
});
