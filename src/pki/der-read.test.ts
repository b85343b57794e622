/** What Go's cryptobyte takes and refuses, byte by byte. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DerReader, decodeBitString, decodeOid, isMinimalInteger, TAG } from './der-read.js';

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const reader = (hex: string): DerReader => new DerReader(bytes(hex));
const long = (length: number): string => '00'.repeat(length);

describe('an element of DER', () => {
  it('has a definite length in as few bytes as do', () => {
    for (const [hex, content] of [
      ['0400', ''],
      ['0401ff', 'ff'],
      [`047f${long(127)}`, long(127)],
      [`048180${long(128)}`, long(128)],
      [`04820100${long(256)}`, long(256)],
    ] as const)
      assert.equal(reader(hex).any()?.content.toString('hex'), content, hex.slice(0, 10));
    for (const hex of ['', '04', '0480', '040200', `04817f${long(127)}`, `04820080${long(128)}`, '048500', '048201'])
      assert.equal(reader(hex).any(), undefined, hex.slice(0, 10));
    assert.equal(reader(`04850000000001${long(1)}`).any(), undefined);
  });

  it('has a tag of one byte', () => {
    assert.equal(reader('1f0100').any(), undefined);
    assert.equal(reader('bf0100').any(), undefined);
    assert.equal(reader('1e0100').any()?.tag, TAG.bmp);
  });

  it('is read whole, and the next one behind it; where another tag stands nothing is read', () => {
    const list = reader('0401aa 0c01bb');
    assert.equal(list.element(TAG.utf8), undefined);
    const first = list.element(TAG.octetString);
    assert.equal(first?.full.toString('hex'), '0401aa');
    assert.deepEqual([list.empty, list.peek(), list.rest().toString('hex')], [false, TAG.utf8, '0c01bb']);
    assert.equal(list.any()?.content.toString('hex'), 'bb');
    assert.deepEqual([list.empty, list.peek(), list.any()], [true, undefined, undefined]);
  });

  it('is read inside of another', () => {
    const inner = reader('3003 0201 05').inside(TAG.sequence);
    assert.equal(inner?.integer()?.toString('hex'), '05');
    assert.equal(inner?.empty, true);
    assert.equal(reader('3100').inside(TAG.sequence), undefined);
  });
});

describe('values of DER', () => {
  it('are booleans of all bits or of none', () => {
    const read = (hex: string): boolean | undefined => reader(hex).boolean();
    assert.deepEqual(['0101ff', '010100'].map(read), [true, false]);
    for (const hex of ['010101', '0100', '0102ffff', '0201ff']) assert.equal(read(hex), undefined, hex);
  });

  it('are integers without a byte too many', () => {
    for (const hex of ['00', '7f', '80', '0080', 'ff7f', 'ff']) assert.equal(isMinimalInteger(bytes(hex)), true, hex);
    for (const hex of ['', '007f', '0000', 'ff80', 'ffff']) assert.equal(isMinimalInteger(bytes(hex)), false, hex);
    assert.equal(reader('0202007f').integer(), undefined);
    assert.equal(reader('8a0105').integer(0x8a)?.toString('hex'), '05');
  });

  it('are object identifiers of minimal arcs below 2^31', () => {
    for (const [hex, text] of [
      ['550403', '2.5.4.3'],
      ['27', '0.39'],
      ['28', '1.0'],
      ['4f', '1.39'],
      ['50', '2.0'],
      ['8837', '2.999'],
      ['2a864886f70d01090e', '1.2.840.113549.1.9.14'],
      ['2a87ffffff7f', '1.2.2147483647'],
      ['2a818000', '1.2.16384'],
      ['87ffffff7f', '2.2147483567'],
    ] as const)
      assert.equal(decodeOid(bytes(hex)), text, hex);
    for (const hex of ['', '2a80', '2a86', '2a8001', '2a8880808000', '2a818080808000', '80', '8001'])
      assert.equal(decodeOid(bytes(hex)), undefined, hex);
    assert.equal(reader('0603550403').oid(), '2.5.4.3');
    assert.equal(reader('0500').oid(), undefined);
  });

  it('are bit strings whose unused bits are none, and shifted away', () => {
    const read = (hex: string) => {
      const found = decodeBitString(bytes(hex));
      return found && [found.bytes.toString('hex'), found.raw.toString('hex'), found.unused];
    };
    assert.deepEqual(read('00'), ['', '', 0]);
    assert.deepEqual(read('00a5'), ['a5', 'a5', 0]);
    assert.deepEqual(read('04a0'), ['0a', 'a0', 4]);
    assert.deepEqual(read('0401f0'), ['001f', '01f0', 4]);
    assert.deepEqual(read('0780'), ['01', '80', 7]);
    for (const hex of ['', '01', '08a0', '0800', '04a8', '0101']) assert.equal(read(hex), undefined, hex);
    assert.deepEqual(reader('030204a0').bitString()?.unused, 4);
    assert.equal(reader('040204a0').bitString(), undefined);
  });
});
