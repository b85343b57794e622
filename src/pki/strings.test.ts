import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TAG } from './der-read.js';
import { STRING_KINDS } from './strings.js';

const decode = (tag: number, bytes: Buffer | string): string | undefined =>
  STRING_KINDS[tag]?.decode(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
/** Each character of Latin-1 that stands for itself in a string of this type. */
const taken = (tag: number): string =>
  Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte))
    .filter((character) => decode(tag, character) === character)
    .join('');

describe('strings of names, as Go decodes them', () => {
  it('hold the characters of their type, each', () => {
    const [digits, letters] = ['0123456789', 'abcdefghijklmnopqrstuvwxyz'];
    assert.equal(taken(TAG.numeric), ` ${digits}`);
    const printable = [...` '()+,-./${digits}:=?${letters}${letters.toUpperCase()}&*`].sort().join('');
    assert.equal(taken(TAG.printable), printable);
    assert.equal(taken(TAG.ia5).length, 128);
    assert.equal(taken(TAG.t61).length, 256);
    assert.equal(taken(TAG.utf8).length, 128);
    assert.equal(STRING_KINDS[TAG.octetString], undefined);
  });

  it('are refused for one character among good ones', () => {
    assert.equal(decode(TAG.printable, 'a_b'), undefined);
    assert.equal(decode(TAG.printable, 'ab\n'), undefined);
    assert.equal(decode(TAG.printable, 'a\nb'), undefined);
    assert.equal(decode(TAG.ia5, 'ab\u00e9'), undefined);
    assert.equal(decode(TAG.numeric, '1-2'), undefined);
    assert.equal(decode(TAG.utf8, Buffer.from('c328', 'hex')), undefined);
  });

  it('are empty, too', () => {
    for (const tag of [TAG.printable, TAG.utf8, TAG.ia5, TAG.numeric, TAG.t61, TAG.bmp])
      assert.equal(decode(tag, ''), '');
  });

  it('are of two bytes a character in BMPStrings, without surrogates, and less one zero at the end', () => {
    const bmp = (hex: string): string | undefined => decode(TAG.bmp, Buffer.from(hex, 'hex'));
    assert.equal(bmp('00e90062'), '\u00e9b');
    assert.equal(bmp('00610000'), 'a');
    assert.equal(bmp('0000'), '');
    assert.equal(bmp('006100000000'), 'a\0');
    assert.equal(bmp('d7ffe000fdcffdf0fffd'), '\ud7ff\ue000\ufdcf\ufdf0\ufffd');
    for (const hex of ['00', '006100', 'd800', 'dfff', 'fdd0', 'fdef', 'fffe', 'ffff', '0061d800'])
      assert.equal(bmp(hex), undefined, hex);
  });
});
