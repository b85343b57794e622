import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  bits,
  context,
  type DerTree,
  der,
  integer,
  nothing,
  octets,
  oid,
  type StringType,
  sequence,
  setOf,
  string,
} from '../../pki/der-write.js';
import { isSet, oidOf, readDer, sequenceOf, subjectOf, wholeBits } from './der.js';

const read = (tree: DerTree) => readDer(der(tree));
const hex = (text: string): Buffer => Buffer.from(text, 'hex');
const says = (message: string) => ({ name: 'Unreadable', message });

describe('an element of DER', () => {
  it('has its class, its tag and its content', () => {
    const node = read(context(3, Buffer.from([1, 200])));
    assert.deepEqual([node.class, node.tag, node.parts, [...node.content]], [2, 3, [], [1, 200]]);
    const text = read(string('UTF8', 'a'));
    assert.deepEqual([text.class, text.tag, text.content.toString()], [0, 12, 'a']);
  });

  it('has parts or content, not both', () => {
    const node = read(sequence(nothing(), integer(Buffer.from([200]))));
    assert.deepEqual(
      node.parts.map(({ tag, content }) => [tag, ...content]),
      [[5], [2, 0, 200]],
    );
    assert.equal(node.content.length, 0);
  });

  it('is the same bytes again', () => {
    for (const tree of [sequence(oid('1.2.3'), setOf([octets(hex('80ff'))])), string('BMP', 'aäŁ'), bits(hex('03ff'))])
      assert.deepEqual(read(tree).der(), der(tree));
  });

  it('is not looked for within bits, which have a length of their own', () => {
    const inner = der(sequence(nothing()));
    const node = read(bits(inner));
    assert.deepEqual(node.parts, []);
    assert.deepEqual(wholeBits(node, 'a key'), inner);
  });

  it('is whole, and nothing stands behind it', () => {
    for (const bytes of ['', '30', '0405ff', '300504', '050000', '3000ff'])
      assert.throws(() => readDer(hex(bytes)), says('it is no DER'), bytes);
  });

  it('holds characters of two bytes in the order of the wire', () => {
    assert.deepEqual(read(string('BMP', 'aŁ')).content, hex('00610141'));
    // the same tag, but not of the universal class
    assert.deepEqual(read(context(30, hex('00610141'))).content, hex('00610141'));
  });
});

describe('what is read from DER', () => {
  it('is a sequence where one must stand', () => {
    assert.equal(sequenceOf(read(sequence(nothing())), 'it').length, 1);
    for (const other of [setOf([nothing()]), context(16, [nothing()]), octets(hex('00'))])
      assert.throws(() => sequenceOf(read(other), 'the list'), says('the list is no sequence'));
    // a tag that begins like that of a sequence
    assert.throws(() => sequenceOf(read(context(161, [nothing()])), 'the list'), says('the list is no sequence'));
    assert.throws(() => sequenceOf(undefined, 'the list'), says('the list is no sequence'));
  });

  it('is an object identifier where one must stand', () => {
    assert.equal(oidOf(read(oid('1.2.840.113549'))), '1.2.840.113549');
    const missing = says('an object identifier is missing');
    for (const other of [octets(hex('2a03')), context(6, hex('2a03'))])
      assert.throws(() => oidOf(read(other)), missing);
    assert.throws(() => oidOf(readDer(hex('0600'))), missing);
    assert.throws(() => oidOf(undefined), missing);
    const large = readDer(hex(`0609${'ff'.repeat(8)}7f`));
    assert.throws(() => oidOf(large), says('a number of an object identifier is too large'));
    for (const cut of ['060183', '06028383', '06025583', '0603550483'])
      assert.throws(() => oidOf(readDer(hex(cut))), says('an object identifier is cut off'), cut);
  });

  it('is a string of whole bytes where one must stand', () => {
    assert.deepEqual(wholeBits(read(bits(hex('00ff'))), 'the signature'), hex('00ff'));
    const refused = says('the signature is no string of whole bytes');
    for (const other of [bits(hex('f0'), 4), octets(hex('00ff')), context(3, hex('00ff'))])
      assert.throws(() => wholeBits(read(other), 'the signature'), refused);
    assert.throws(() => wholeBits(readDer(hex('0300')), 'the signature'), refused);
    assert.throws(() => wholeBits(undefined, 'the signature'), refused);
  });

  it('is a bit, counted from the first of the first byte', () => {
    const set = (content: string): readonly number[] =>
      Array.from({ length: 18 }, (_, bit) => bit).filter((bit) => isSet(hex(content), bit));
    assert.deepEqual(set('0080'), [0]);
    assert.deepEqual(set('ff01'), [7]);
    assert.deepEqual(set('00a0c0'), [0, 2, 8, 9]);
    assert.deepEqual(set('000001'), [15]);
    assert.deepEqual(set('00'), []);
    assert.deepEqual(set(''), []);
  });
});

describe('a distinguished name', () => {
  const CN = '2.5.4.3';
  const O = '2.5.4.10';
  const pair = (id: string, value: DerTree): DerTree => sequence(oid(id), value);
  const name = (...sets: readonly (readonly DerTree[])[]) => subjectOf(read(sequence(...sets.map(setOf))));
  const utf8 = (text: string): DerTree => string('UTF8', text);

  it('is of texts of every type that names are written in', () => {
    const texts: Readonly<Record<StringType, string>> = {
      UTF8: 'aäŁ𝄞',
      Numeric: '09',
      Printable: 'a b',
      T61: 'aä',
      IA5: 'a@b',
      BMP: 'aäŁ',
    };
    for (const [type, text] of Object.entries(texts) as [StringType, string][])
      assert.deepEqual(name([pair(CN, string(type, text))]), { commonName: text, organizations: [] }, type);
  });

  it('holds nothing of other values', () => {
    for (const value of [octets(hex('61')), integer(hex('61')), context(12, hex('61')), context(19, hex('61'))])
      assert.deepEqual(name([pair(CN, value)], [pair(O, value)]), { commonName: '', organizations: [] });
    assert.deepEqual(name([sequence(oid(CN))], [sequence(oid(O))]), { commonName: '', organizations: [] });
  });

  it('has the last of its common names and every organization', () => {
    assert.deepEqual(name(), { commonName: '', organizations: [] });
    assert.deepEqual(
      name(
        [pair(O, utf8('b'))],
        [pair(CN, utf8('x')), pair(O, utf8('a'))],
        [pair('2.5.4.11', utf8('unit'))],
        [pair(O, utf8('b'))],
        [pair(CN, utf8('y'))],
      ),
      { commonName: 'y', organizations: ['b', 'a', 'b'], others: ['2.5.4.11'], isOdd: true },
    );
  });

  it('is refused where it is another thing', () => {
    assert.throws(() => subjectOf(undefined), says('a name is no sequence'));
    assert.throws(() => subjectOf(read(setOf([]))), says('a name is no sequence'));
    for (const part of [sequence(pair(CN, utf8('x'))), context(17, [pair(CN, utf8('x'))])])
      assert.throws(() => subjectOf(read(sequence(part))), says('a part of a name is no set'));
    assert.throws(() => name([utf8('x')]), says('an attribute of a name is no sequence'));
    assert.throws(() => name([sequence()]), says('an object identifier is missing'));
    assert.throws(() => name([sequence(utf8('x'), utf8('x'))]), says('an object identifier is missing'));
  });
});
