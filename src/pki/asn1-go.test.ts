/** Values as Go's encoding/asn1 takes and refuses them, with its texts. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { elementsOf, GO, GoFields, goBitString, goInteger, goOid, PkiError } from './asn1-go.js';

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const refused = (act: () => unknown, text: string, what: string): void =>
  assert.throws(act, (error) => error instanceof PkiError && error.message === text, what);

describe('a value as encoding/asn1 reads it', () => {
  it('is an object identifier of minimal arcs below 2^31', () => {
    for (const [hex, text] of [
      ['550403', '2.5.4.3'],
      ['28', '1.0'],
      ['4f', '1.39'],
      ['50', '2.0'],
      ['8837', '2.999'],
      ['2a818000', '1.2.16384'],
      ['2a87ffffff7f', '1.2.2147483647'],
    ] as const)
      assert.equal(goOid(bytes(hex)), text, hex);
    for (const [hex, text] of [
      ['', 'asn1: syntax error: zero length OBJECT IDENTIFIER'],
      ['8001', 'asn1: syntax error: integer is not minimally encoded'],
      ['2a8001', 'asn1: syntax error: integer is not minimally encoded'],
      ['2a86', 'asn1: syntax error: truncated base 128 integer'],
      ['2a8880808000', 'asn1: structure error: base 128 integer too large'],
      ['2a818080808000', 'asn1: structure error: base 128 integer too large'],
    ] as const)
      refused(() => goOid(bytes(hex)), text, hex);
  });

  it('is an integer of eight bytes at most, without a byte too many', () => {
    for (const [hex, value] of [
      ['00', 0n],
      ['7f', 127n],
      ['80', -128n],
      ['0080', 128n],
      ['7fffffffffffffff', 2n ** 63n - 1n],
      ['8000000000000000', -(2n ** 63n)],
    ] as const)
      assert.equal(goInteger(bytes(hex)), value, hex);
    for (const [hex, text] of [
      ['', 'asn1: structure error: empty integer'],
      ['007f', 'asn1: structure error: integer not minimally-encoded'],
      ['00ffffffffffffffff', 'asn1: structure error: integer too large'],
    ] as const)
      refused(() => goInteger(bytes(hex)), text, hex);
  });

  it('is a bit string whose unused bits are none', () => {
    assert.equal(goBitString(bytes('04a0')).toString('hex'), '0a');
    refused(() => goBitString(bytes('')), 'asn1: syntax error: zero length BIT STRING', 'nothing');
    refused(() => goBitString(bytes('04a8')), 'asn1: syntax error: invalid padding bits in BIT STRING', 'bits');
  });
});

describe('the fields of a struct', () => {
  it('have a tag and a length in as few bytes as do', () => {
    const any = (hex: string) => new GoFields(bytes(hex)).any();
    assert.deepEqual([any('5f1f00').tag, any('5f1f00').class], [31, 1]);
    assert.equal(any(`0480${'00'.repeat(0)}`.replace('80', '8180') + '00'.repeat(128)).content.length, 128);
    for (const [hex, text] of [
      ['', 'asn1: syntax error: sequence truncated'],
      ['5f1e00', 'asn1: syntax error: non-minimal tag'],
      ['04', 'asn1: syntax error: truncated tag or length'],
      ['0480', 'asn1: syntax error: indefinite length found (not DER)'],
      ['0482', 'asn1: syntax error: truncated tag or length'],
      ['04817f', 'asn1: structure error: non-minimal length'],
      ['04820080', 'asn1: structure error: superfluous leading zeros in length'],
      ['048480000000', 'asn1: structure error: length too large'],
      ['040200', 'asn1: syntax error: data truncated'],
    ] as const)
      refused(() => any(hex), text, hex);
  });

  it('are read one behind the other; an optional BOOLEAN is false where it is not', () => {
    const fields = new GoFields(bytes('0101ff 010100 020105'));
    assert.deepEqual(
      [fields.optionalBoolean(), fields.optionalBoolean(), fields.optionalBoolean()],
      [true, false, false],
    );
    assert.equal(fields.rest.toString('hex'), '020105');
    assert.equal(goInteger(fields.field(GO.integer).content), 5n);
    assert.deepEqual([fields.ended, fields.optionalAny(), fields.optionalBoolean()], [true, undefined, false]);
    for (const hex of ['010101', '0100', '0102ffff'])
      refused(() => new GoFields(bytes(hex)).optionalBoolean(), 'asn1: syntax error: invalid boolean', hex);
  });

  it('are elements of one kind, looked at before the first is read', () => {
    assert.deepEqual(
      elementsOf(bytes('3000 300101')).map(({ full }) => full.toString('hex')),
      ['3000', '300101'],
    );
    refused(
      () => elementsOf(bytes('3000 3100'), { tag: 16, compound: true }),
      'asn1: structure error: sequence tag mismatch',
      'a set',
    );
    refused(
      () => elementsOf(bytes('3000 1000'), { tag: 16, compound: true }),
      'asn1: structure error: sequence tag mismatch',
      'primitive',
    );
    refused(
      () => elementsOf(bytes('3000 b000'), { tag: 16, compound: true }),
      'asn1: structure error: sequence tag mismatch',
      'context',
    );
    refused(() => elementsOf(bytes('3000 3001')), 'asn1: syntax error: truncated sequence', 'cut off');
  });
});
