import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  bits,
  boolean,
  context,
  type DerTree,
  der,
  embed,
  integer,
  nothing,
  octets,
  oid,
  sequence,
} from '../../pki/der-write.js';
import { readDer } from './der.js';
import { NO_NAMES, namesIn, readExtensions } from './extensions.js';

const KEY_USAGE = '2.5.29.15';
const ALT_NAMES = '2.5.29.17';
const CONSTRAINTS = '2.5.29.19';
const PURPOSES = '2.5.29.37';

const hex = (text: string): Buffer => Buffer.from(text, 'hex');
const says = (message: string) => ({ name: 'Unreadable', message });
const extension = (id: string, value: DerTree): DerTree => sequence(oid(id), octets(der(value)));
const read = (...extensions: readonly DerTree[]) => readExtensions([readDer(der(sequence(...extensions)))]);
const alt = (...names: readonly DerTree[]) => read(extension(ALT_NAMES, sequence(...names))).altNames;

describe('a list of extensions', () => {
  it('says nothing where it is missing or empty', () => {
    const none = { altNames: NO_NAMES, ca: false, ids: [] };
    assert.deepEqual(NO_NAMES, { dns: [], email: [], ip: [], uri: [], other: 0 });
    assert.deepEqual(readExtensions(), none);
    assert.deepEqual(read(), none);
  });

  it('names its extensions in order, critical or not, known or not', () => {
    const critical = sequence(oid(CONSTRAINTS), boolean(true), octets(der(sequence(boolean(true)))));
    const foreign = sequence(oid('1.2.3.4'), octets(Buffer.from('no DER')));
    const found = read(foreign, critical);
    assert.deepEqual(found, { altNames: NO_NAMES, ca: true, ids: ['1.2.3.4', CONSTRAINTS], critical: [CONSTRAINTS] });
    const said = (is: DerTree) => read(sequence(oid(CONSTRAINTS), is, octets(der(sequence())))).critical;
    assert.deepEqual([said(boolean(false)), said(octets(Buffer.from([255])))], [undefined, undefined]);
  });

  it('says how many authorities may follow', () => {
    const following = (...length: readonly DerTree[]) =>
      read(extension(CONSTRAINTS, sequence(boolean(true), ...length))).pathLength;
    assert.deepEqual(
      [following(), following(integer(Buffer.from([0]))), following(integer(Buffer.from([3])))],
      [undefined, 0, 3],
    );
  });

  it('is refused where it is another thing', () => {
    assert.throws(() => readExtensions([readDer(der(nothing()))]), says('the list of extensions is no sequence'));
    assert.throws(() => read(nothing()), says('an extension is no sequence'));
    assert.throws(() => read(sequence()), says('an object identifier is missing'));
    for (const parts of [[oid('1.2.3')], [oid('1.2.3'), nothing()], [oid('1.2.3'), octets(hex('')), boolean(true)]])
      assert.throws(() => read(sequence(...parts)), says('the extension 1.2.3 has no value'));
    const one = sequence(oid('1.2.3'), octets(hex('')));
    assert.throws(() => read(one, one), says('the extension 1.2.3 stands there twice'));
    assert.throws(() => read(sequence(oid(KEY_USAGE), octets(hex('03')))), says('it is no DER'));
  });
});

describe('usages', () => {
  it('of a key are the bits that are set', () => {
    const usages = (bytes: string) => read(extension(KEY_USAGE, bits(hex(bytes)))).keyUsage;
    const names = ['digitalSignature', 'contentCommitment', 'keyEncipherment', 'dataEncipherment', 'keyAgreement'];
    const all = [...names, 'keyCertSign', 'cRLSign', 'encipherOnly', 'decipherOnly'];
    for (const [bit, name] of all.entries()) {
      const bytes = Buffer.alloc(2);
      bytes.writeUInt16BE(0x8000 >> bit);
      assert.deepEqual(usages(bytes.toString('hex')), [name]);
    }
    assert.deepEqual(usages('ffff'), all);
    assert.deepEqual(usages('00'), []);
    assert.deepEqual(usages(''), []);
  });

  it('of a certificate have names, or identifiers where nobody here names them', () => {
    const ids = ['2.5.29.37.0', '1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.3'];
    const found = read(extension(PURPOSES, sequence(...ids.map(oid))));
    assert.deepEqual(found.extendedKeyUsage, ['any', 'serverAuth', 'clientAuth', '1.3.6.1.5.5.7.3.3']);
    assert.deepEqual(read(extension(PURPOSES, sequence())).extendedKeyUsage, []);
    assert.throws(() => read(extension(PURPOSES, nothing())), says('extKeyUsage is no sequence'));
    assert.throws(() => read(extension(PURPOSES, sequence(nothing()))), says('an object identifier is missing'));
  });
});

it('an authority says that it is one', () => {
  const ca = (...parts: readonly DerTree[]) => read(extension(CONSTRAINTS, sequence(...parts))).ca;
  assert.equal(ca(), false);
  assert.equal(ca(boolean(false)), false);
  assert.equal(ca(boolean(true)), true);
  assert.equal(ca(boolean(true), integer(hex('00'))), true);
  // a length of minus one, whose byte is that of true
  assert.equal(ca(embed(hex('0201ff'))), false);
  assert.throws(() => read(extension(CONSTRAINTS, boolean(true))), says('basicConstraints is no sequence'));
});

describe('alternative names', () => {
  it('are kept by their kind, and counted where Kubernetes does not know it', () => {
    const names = alt(
      context(2, Buffer.from('b')),
      context(1, Buffer.from('a@b')),
      context(6, Buffer.from('https://b/')),
      context(7, hex('c0000201')),
      context(2, Buffer.from('a')),
      context(8, hex('2a03')),
      context(4, [sequence()]),
    );
    assert.deepEqual(names, { dns: ['b', 'a'], email: ['a@b'], ip: ['192.0.2.1'], uri: ['https://b/'], other: 2 });
    assert.deepEqual(namesIn(names), ['b', 'a', '192.0.2.1', 'a@b', 'https://b/']);
    assert.deepEqual(namesIn(NO_NAMES), []);
    assert.deepEqual(alt(), NO_NAMES);
    assert.throws(() => read(extension(ALT_NAMES, nothing())), says('the list of alternative names is no sequence'));
  });

  it('are ASCII where they are texts', () => {
    const last = String.fromCharCode(127);
    for (const tag of [1, 2, 6]) {
      assert.deepEqual(namesIn(alt(context(tag, hex('617f')))), [`a${last}`]);
      for (const bytes of ['6180', 'ff61'])
        assert.throws(() => alt(context(tag, hex(bytes))), says('an alternative name holds what is no ASCII'));
    }
    assert.equal(alt(context(8, hex('2a8103'))).other, 1);
  });

  it('are addresses in their shortest text', () => {
    const texts: Readonly<Record<string, string>> = {
      ffffffff: '255.255.255.255',
      '00000000': '0.0.0.0',
      '20010db8000000000000000000000001': '2001:db8::1',
      '00000000000000000000000000000000': '::',
      '20010db8000100020003000400050abc': '2001:db8:1:2:3:4:5:abc',
      '00000000000000000000ffffc0000201': '192.0.2.1',
      '00000000000000000000fffec0000201': '::fffe:c000:201',
    };
    for (const [bytes, text] of Object.entries(texts)) assert.deepEqual(alt(context(7, hex(bytes))).ip, [text]);
    const prefix = '00000000000000000000ffff';
    const length = says('an alternative name is an address of a length that none has');
    for (const bytes of ['', 'c00002', 'c000020100', prefix, `${prefix}c00002`, `${prefix}${'01'.repeat(16)}`])
      assert.throws(() => alt(context(7, hex(bytes))), length, bytes);
  });
});
