import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { generateKey, spkiOf, spkiPin } from '../../pki/keys.js';
import { createRequest, type RequestInput } from '../../pki/request.js';
import { keyIn, requestIn } from './joining-request-reader.js';

const key = generateKey('ECDSA-P256');
const NODE = { commonName: 'system:node:a', organizations: ['system:nodes'] };
const pemOf = (more: Partial<RequestInput> = {}): string => createRequest({ key, subject: NODE, ...more }).pem;
const SPEC = { signerName: 'kubernetes.io/kube-apiserver-client-kubelet', usages: ['client auth'] };
const bodyOf = (pem: string, spec: object = {}, metadata: object = {}, more: object = {}): string =>
  JSON.stringify({ metadata, spec: { request: Buffer.from(pem).toString('base64'), ...SPEC, ...spec }, ...more });
const SAID = {
  subject: 'O=system:nodes, CN=system:node:a',
  signer: SPEC.signerName,
  usages: SPEC.usages,
};
const readFrom = (body: string) => requestIn(body)?.request;

describe('a body that asks for a certificate', () => {
  it('says for whom, of whom and for what', () => {
    const body = bodyOf(pemOf());
    assert.deepEqual(requestIn(body), { key: spkiPin(spkiOf(key)), request: SAID });
    assert.equal(keyIn(body), spkiPin(spkiOf(key)));
    const named = pemOf({ altNames: { dns: ['a'], ip: ['192.0.2.1'], email: ['b@c'], uri: ['x:y'] } });
    assert.deepEqual(readFrom(bodyOf(named))?.names, ['a', 'b@c', '192.0.2.1', 'x:y']);
    assert.equal(readFrom(bodyOf(pemOf(), { expirationSeconds: 600 }))?.seconds, 600);
    assert.equal(readFrom(bodyOf(pemOf(), {}, { name: 'csr-1' }))?.called, 'csr-1');
    assert.equal(readFrom(bodyOf(pemOf({ key: generateKey('RSA-2048') })))?.rsaBits, 2048);
    assert.equal(readFrom(bodyOf(pemOf({ subject: { commonName: 'b' } })))?.subject, 'CN=b');
  });

  it('says what the API server fills in, and what keeps it', () => {
    const filled = { username: 'a', groups: ['b'], uid: 'c', extra: {} };
    assert.deepEqual(readFrom(bodyOf(pemOf(), filled))?.besides, ['username', 'groups', 'uid', 'extra']);
    assert.deepEqual(readFrom(bodyOf(pemOf(), { username: null }, {}, { status: {} })), SAID);
    assert.deepEqual(readFrom(bodyOf(pemOf(), {}, {}, { status: { certificate: 'a' } }))?.besides, ['status']);
    const kept = { finalizers: ['a/b'], ownerReferences: [{}] };
    assert.deepEqual(readFrom(bodyOf(pemOf(), {}, kept))?.besides, ['finalizers', 'ownerReferences']);
    assert.deepEqual(readFrom(bodyOf(pemOf(), {}, { finalizers: [], ownerReferences: null })), SAID);
  });

  it('says what is written on it, and around it', () => {
    assert.deepEqual(readFrom(bodyOf(pemOf(), {}, { annotations: { a: 'b' }, labels: { c: 'd' } }))?.frills, [
      'annotations',
      'labels',
    ]);
    for (const plain of [pemOf(), `${pemOf()}\n \n`, pemOf().trimEnd()])
      assert.deepEqual(readFrom(bodyOf(plain, {}, { annotations: {}, labels: null })), SAID);
    for (const odd of [`a\n${pemOf()}`, `${pemOf()}a`])
      assert.deepEqual(readFrom(bodyOf(odd))?.frills, ['text around its PEM'], odd);
    assert.deepEqual(readFrom(bodyOf(pemOf() + pemOf()))?.besides, ['2 blocks of PEM']);
  });

  it('says whether it is signed by its key', () => {
    const [first = '', ...rest] = pemOf().trimEnd().split('\n').reverse();
    const [last = '', ...before] = rest;
    const bytes = Buffer.from(last, 'base64');
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    const broken = [first, bytes.toString('base64'), ...before].reverse().join('\n');
    assert.equal(readFrom(bodyOf(broken))?.unsigned, true);
    assert.equal(readFrom(bodyOf(pemOf()))?.unsigned, undefined);
  });

  it('is read in protobuf, where texts stand as they are', () => {
    const called = `node-csr-${'a'.repeat(43)}`;
    const inProtobuf = (...texts: readonly string[]): string => `k8s\0\u0001${texts.join('\u0012')}`;
    assert.deepEqual(readFrom(inProtobuf(called, pemOf(), SPEC.signerName, 'digital signature', 'client auth')), {
      ...SAID,
      usages: ['digital signature', 'client auth'],
      called,
    });
    assert.deepEqual(readFrom(inProtobuf(pemOf())), { ...SAID, signer: '', usages: [] });
  });

  it('is nothing where none is asked for', () => {
    for (const none of ['', '{', '1', '{}', 'k8s\0', bodyOf(''), bodyOf('a'), `k8s\0${bodyOf(pemOf())}`, pemOf()]) {
      assert.equal(requestIn(none), undefined, none);
      assert.equal(keyIn(none), undefined, none);
    }
  });
});
