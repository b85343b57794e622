import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  bits,
  context,
  type DerTree,
  der,
  embed,
  integer,
  nothing,
  octets,
  oid,
  sequence,
  setOf,
} from '../../pki/der-write.js';
import { generateKey, spkiOf } from '../../pki/keys.js';
import { encodeName } from '../../pki/names.js';
import { encodePem } from '../../pki/pem.js';
import { createRequest, parseRequest } from '../../pki/request.js';
import { encodeAlgorithm, signWith } from '../../pki/signature.js';
import { readRequest, readRequestPem } from './csr.js';
import { pinOf } from './signature.js';

const EXTENSION_REQUEST = '1.2.840.113549.1.9.14';
const key = generateKey('ECDSA-P256');
const subject = { commonName: 'system:node:a', organizations: ['system:nodes'] };
const says = (message: string) => ({ name: 'Unreadable', message });

const signed = (info: DerTree): Buffer =>
  der(sequence(info, encodeAlgorithm('ECDSA-SHA256'), bits(signWith('ECDSA-SHA256', der(info), key))));
/** A request of these attributes, by its own key. */
const asking = (...attributes: readonly DerTree[]): Buffer =>
  signed(sequence(integer(Buffer.from([0])), encodeName(subject), embed(spkiOf(key)), context(0, attributes)));
const list = (...dns: readonly string[]): DerTree =>
  sequence(sequence(oid('2.5.29.17'), octets(der(sequence(...dns.map((name) => context(2, Buffer.from(name))))))));
const foreign = (id: string): DerTree => sequence(sequence(oid(id), octets(Buffer.from('x'))));
const request = (...values: readonly DerTree[]): DerTree => sequence(oid(EXTENSION_REQUEST), setOf(values));

describe('a request', () => {
  it('says its key, its name and what it asks for', () => {
    assert.deepEqual(readRequest(asking(request(list('a', 'b')))), {
      ...subject,
      altNames: { dns: ['a', 'b'], email: [], ip: [], uri: [], other: 0 },
      ca: false,
      ids: ['2.5.29.17'],
      pin: pinOf(spkiOf(key)),
    });
  });

  it('asks for nothing by what is no list of extensions', () => {
    for (const attributes of [
      [],
      [sequence()],
      [nothing()],
      [request()],
      [sequence(oid(EXTENSION_REQUEST))],
      [sequence(octets(Buffer.from('x')), setOf([list('a')]))],
      [sequence(oid('1.2.840.113549.1.9.7'), setOf([list('a')]))],
    ])
      assert.deepEqual(readRequest(asking(...attributes)).ids, []);
    const without = sequence(integer(Buffer.from([0])), encodeName(subject), embed(spkiOf(key)));
    assert.deepEqual(readRequest(signed(without)).ids, []);
  });

  it('has attributes beside extensions', () => {
    const password = sequence(oid('1.2.840.113549.1.9.7'), setOf([octets(Buffer.from('x'))]));
    assert.deepEqual(readRequest(asking(request(list('a')), password)).attributes, ['1.2.840.113549.1.9.7']);
    assert.equal(readRequest(asking(request(list('a')))).attributes, undefined);
  });

  it('asks by every list of extensions, as the API server reads them', () => {
    const other = sequence(oid('1.2.840.113549.1.9.7'), setOf([list('x')]));
    const bytes = asking(other, request(foreign('1.2.3')), sequence(nothing()), request(list('a')));
    const read = readRequest(bytes);
    assert.deepEqual(read.altNames.dns, ['a']);
    assert.deepEqual(read.ids, ['1.2.3', '2.5.29.17']);
    assert.deepEqual(
      parseRequest(bytes).extensions.map((extension) => extension.oid),
      read.ids,
    );
    const twice = says('the extension 2.5.29.17 stands there twice');
    assert.throws(() => readRequest(asking(request(list('a')), request(list('b')))), twice);
  });

  it('asks by the first value of a list only', () => {
    // of a set the shorter value stands first
    assert.deepEqual(readRequest(asking(request(list('abc'), list('a')))).altNames.dns, ['a']);
  });

  it('may be signed with an old hash, and by its own key only', () => {
    const rsa = generateKey('RSA-2048');
    const old = createRequest({ key: rsa, subject, signature: 'SHA1-RSA' }).der;
    assert.equal('problem' in readRequest(old), false);
    const stranger = generateKey('ECDSA-P256');
    const info = sequence(integer(Buffer.from([0])), encodeName(subject), embed(spkiOf(stranger)), context(0, []));
    assert.equal(readRequest(signed(info)).problem, 'the signature is not by that key');
  });

  it('is refused where it is another thing', () => {
    const nobody = sequence(integer(Buffer.from([0])), encodeName(subject));
    const whole = sequence(integer(Buffer.from([0])), encodeName(subject), embed(spkiOf(key)));
    assert.throws(() => readRequest(der(nothing())), says('a request is no sequence'));
    assert.throws(() => readRequest(der(sequence())), says('what is signed is no sequence'));
    assert.throws(() => readRequest(signed(nobody)), says('it has no key'));
    const unsigned = der(sequence(whole, encodeAlgorithm('ECDSA-SHA256')));
    assert.throws(() => readRequest(unsigned), says('the signature is no string of whole bytes'));
    const listed = asking(request(nothing()));
    assert.throws(() => readRequest(listed), says('the list of extensions is no sequence'));
  });
});

describe('PEM of a request', () => {
  const pem = encodePem('CERTIFICATE REQUEST', asking());
  const other = encodePem('CERTIFICATE', asking());

  it('is its first block', () => {
    const read = readRequestPem(`text\n${pem}${other}`);
    assert.ok(!('unreadable' in read));
    assert.equal(read.commonName, 'system:node:a');
    assert.deepEqual(readRequestPem(other + pem), { unreadable: 'it is PEM of a CERTIFICATE' });
    assert.deepEqual(readRequestPem(''), { unreadable: 'it is no PEM' });
  });

  it('holds a request, or why that cannot be read', () => {
    const text = encodePem('CERTIFICATE REQUEST', Buffer.from('no DER'));
    assert.deepEqual(readRequestPem(text), { unreadable: 'it is no DER' });
  });
});

describe('how strong a request is', () => {
  it('is said of its RSA key, and of a signature with SHA-1', () => {
    const read = (...[input]: Parameters<typeof createRequest>) => {
      const { rsaBits, sha1, problem } = readRequest(createRequest(input).der);
      return { rsaBits, sha1, problem };
    };
    const none = { rsaBits: undefined, sha1: undefined, problem: undefined };
    assert.deepEqual(read({ key, subject }), none);
    assert.deepEqual(read({ key: generateKey('RSA-1024'), subject }), { ...none, rsaBits: 1024 });
    assert.deepEqual(read({ key: generateKey('Ed25519'), subject }), none);
    assert.deepEqual(read({ key, subject, signature: 'ECDSA-SHA1' }), { ...none, sha1: true });
  });
});
