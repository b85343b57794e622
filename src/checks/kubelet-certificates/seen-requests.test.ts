/** What is read of the requests that a cluster holds, within limits. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CertificateSigningRequest, KubeObject } from '../../kubernetes/objects.js';
import { createAuthority, issue } from '../../pki/authority.js';
import { generateKey } from '../../pki/keys.js';
import { createRequest } from '../../pki/request.js';
import { credentialIn, isOfKubernetes, readSigned, readWithin, requestAtRest } from './seen-requests.js';

const NOW = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;
const key = generateKey('ECDSA-P256');
const ca = createAuthority({ commonName: 'kubernetes', key: 'ECDSA-P256', now: NOW, validity: 9 * DAY });
const other = createAuthority({ commonName: 'front-proxy-ca', key: 'ECDSA-P256', now: NOW });
const leaf = issue(ca, { subject: { commonName: 'a' }, publicKey: key, notBefore: NOW, notAfter: NOW + DAY });
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const certificate = base64(leaf.pem);
const CLIENT = 'kubernetes.io/kube-apiserver-client-kubelet';
const SERVING = 'kubernetes.io/kubelet-serving';
const CREATED = '2026-01-01T00:00:00Z';

const object = (spec: object = {}, status: object = {}, metadata: object = {}): CertificateSigningRequest => ({
  metadata: { name: 'csr-1', creationTimestamp: CREATED, ...metadata },
  spec: {
    request: createRequest({ key, subject: { commonName: 'system:node:a' } }).base64,
    signerName: CLIENT,
    usages: ['client auth'],
    ...spec,
  },
  status,
});
const seen = (...given: Parameters<typeof object>) => requestAtRest(object(...given)).seen;

describe('a request', () => {
  it('is read whole', () => {
    const extra = { 'authentication.kubernetes.io/credential-id': ['JTI=a', 'JTI=b'] };
    const who = { username: 'jane', groups: ['a', 'b'], extra, expirationSeconds: 3600 };
    const condition = { type: 'Approved', status: 'True', reason: 'R', message: 'M', lastUpdateTime: CREATED };
    const { asked, ...read } = seen(who, { conditions: [condition] });
    assert.ok(!('unreadable' in asked) && asked.commonName === 'system:node:a');
    assert.deepEqual(read, {
      subject: 'CertificateSigningRequest csr-1',
      signer: CLIENT,
      usages: ['client auth'],
      username: 'jane',
      groups: ['a', 'b'],
      credential: 'JTI=a',
      created: CREATED,
      malformed: [],
      conditions: [{ type: 'Approved', reason: 'R', message: 'M', updated: CREATED }],
      seconds: 3600,
      approvers: [],
      issuers: [],
    });
  });

  it('that says little is read as empty', () => {
    const {
      malformed: _,
      asked,
      ...read
    } = requestAtRest({
      metadata: { name: 'csr-1' },
      spec: { request: 'YQ==', signerName: 'a.b/c' },
      status: { conditions: [{ type: 'Denied', status: 'True' }] },
    } as KubeObject).seen;
    assert.deepEqual(asked, { unreadable: 'it is no PEM' });
    assert.deepEqual(read, {
      subject: 'CertificateSigningRequest csr-1',
      signer: 'a.b/c',
      usages: [],
      username: '',
      groups: [],
      created: '',
      conditions: [{ type: 'Denied', reason: '', message: '', updated: '' }],
      seconds: null,
      approvers: [],
      issuers: [],
    });
    const { status: __, ...without } = object();
    assert.deepEqual(requestAtRest(without).seen.conditions, []);
  });

  it('that has not its form says why, and nothing else', () => {
    const { malformed, ...read } = requestAtRest({ metadata: { name: 'csr-1', creationTimestamp: CREATED } }).seen;
    assert.ok(malformed.length > 0);
    assert.deepEqual(read, {
      subject: 'CertificateSigningRequest csr-1',
      signer: '',
      usages: [],
      username: '',
      groups: [],
      created: '',
      asked: { unreadable: 'it has not the form of a CertificateSigningRequest' },
      conditions: [],
      seconds: null,
      approvers: [],
      issuers: [],
    });
    const { seen: nameless } = requestAtRest({} as KubeObject);
    assert.equal(nameless.subject, 'CertificateSigningRequest ');
  });

  it('has the credential that the API server has noted first', () => {
    assert.equal(credentialIn(object()), undefined);
    assert.equal(credentialIn(object({ extra: { a: ['b'] } })), undefined);
    assert.equal(credentialIn(object({ extra: { 'authentication.kubernetes.io/credential-id': [] } })), undefined);
    assert.equal('credential' in seen(), false);
  });

  it('is of Kubernetes by the beginning of its signer', () => {
    const of = (signer: string): boolean => isOfKubernetes({ signer });
    assert.deepEqual([CLIENT, 'kubernetes.io/', 'a.kubernetes.io/x', 'a.b/c', ''].map(of), [
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('who wrote a request', () => {
  const managed = (manager: unknown, status: unknown) => ({ manager, fieldsV1: { 'f:status': status } });
  const approved = { 'f:conditions': { 'f:a': {}, 'k:{"type":"Approved"}': {} } };
  it('is noted by part, each once and in order', () => {
    const { approvers, issuers } = seen(
      {},
      {},
      {
        managedFields: [
          managed('c', approved),
          managed('b', approved),
          managed('c', approved),
          managed('z', { 'f:certificate': {} }),
          managed('y', { 'f:certificate': {}, ...approved }),
          managed('x', { 'f:conditions': { 'k:{"type":"Denied"}': {} } }),
          managed('w', {}),
          { manager: 'v' },
        ],
      },
    );
    assert.deepEqual(
      [approvers, issuers],
      [
        ['b', 'c', 'y'],
        ['y', 'z'],
      ],
    );
  });
});

describe('a request without end', () => {
  it('has its texts cut', () => {
    const long = 'x'.repeat(1024);
    assert.equal(seen({ username: long }).username, long);
    assert.equal(seen({ username: `${long}y` }).username, `${long}…`);
    const { conditions } = seen({}, { conditions: [{ type: 'Failed', status: 'True', message: `${long}yy` }] });
    assert.equal(conditions[0]?.message, `${long}…`);
  });

  it('has its lists cut, to different entries and one that was there twice', () => {
    const many = (count: number): string[] => Array.from({ length: count }, (_, n) => `group-${n}`);
    const groups = (given: readonly string[]): readonly string[] => seen({ groups: given }).groups;
    assert.deepEqual(groups(many(100)), many(100));
    assert.deepEqual(groups(['a', 'b', 'b']), ['a', 'b', 'b']);
    assert.deepEqual(groups([...many(99), 'group-5']), [...many(99), 'group-5']);
    assert.deepEqual(groups(many(101)), many(100));
    assert.deepEqual(groups([...many(150), 'group-7']), [...many(100), 'group-0']);
    assert.deepEqual(groups(Array.from({ length: 200 }, () => 'a')), ['a', 'a']);
    assert.deepEqual(groups(['x'.repeat(2000)]), [`${'x'.repeat(1024)}…`]);
  });
});

describe('what was issued', () => {
  const rest = (spec: object, text = certificate, name = 'csr-1') =>
    requestAtRest(object(spec, { certificate: text }, { name }));

  it('is kept of signers of Kubernetes, where it is no longer than a chain', () => {
    assert.equal(rest({}).issued, leaf.pem);
    assert.equal('issued' in rest({ signerName: 'a.b/c' }), false);
    assert.ok(rest({ signerName: 'a.b/c' }).seen.certificate !== undefined);
    assert.equal('issued' in rest({}, ''), false);
    assert.equal('certificate' in rest({}, '').seen, false);
    const filled = (length: number): string => base64(leaf.pem + '\n'.repeat(length - leaf.pem.length));
    assert.equal(rest({}, filled(64 * 1024)).issued?.length, 64 * 1024);
    assert.equal('issued' in rest({}, filled(64 * 1024 + 1)), false);
    assert.deepEqual(rest({}, '*').seen.certificate, { unreadable: 'there is no PEM block CERTIFICATE' });
    assert.equal('issued' in rest({}, '*'), false);
    assert.equal('issued' in requestAtRest({ metadata: {}, status: { certificate } } as KubeObject), false);
  });

  it('is signed by one of the authorities, or not', () => {
    const requests = [rest({}), rest({ signerName: SERVING }), rest({ signerName: 'a.b/c' }), requestAtRest(object())];
    const subject = 'CertificateSigningRequest csr-1';
    assert.deepEqual(readSigned(requests, ca.certificate.pem), [{ subject, signed: true }]);
    assert.deepEqual(readSigned(requests, other.certificate.pem), [{ subject, signed: false }]);
    // of whichever client
    const people = [rest({ signerName: 'kubernetes.io/kube-apiserver-client' })];
    assert.deepEqual(readSigned(people, other.certificate.pem), [{ subject, signed: false }]);
  });

  it('ends, and so does its authority, where that is known', () => {
    const requests = [
      rest({}, certificate, 'csr-2'),
      rest({}, base64('none')),
      rest({ signerName: 'a.b/c' }),
      requestAtRest(object()),
    ];
    assert.deepEqual(readWithin(requests, ca.certificate.pem), [
      { subject: 'CertificateSigningRequest csr-2', ends: NOW + DAY, authorityEnds: NOW + 9 * DAY },
    ]);
    assert.deepEqual(readWithin(requests, other.certificate.pem), []);
  });
});
