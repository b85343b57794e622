/** Certificates and requests that are broken in any way are read or refused, in time, and judged by findings. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { RESULTS } from '../../model/finding.js';
import { workOf } from '../../model/work.testing.js';
import { createAuthority, issue } from '../../pki/authority.js';
import { bits, context, der, octets, oid, sequence } from '../../pki/der-write.js';
import { generateKey } from '../../pki/keys.js';
import { encodePem } from '../../pki/pem.js';
import { createRequest } from '../../pki/request.js';
import { readRequest } from '../certificates/csr.js';
import { readDer } from '../certificates/der.js';
import { readExtensions } from '../certificates/extensions.js';
import { isSignedBy, longestOf, readCertificate, signersAmong, tryCertificate } from '../certificates/x509.js';
import { issuedForAYear, issuedForKey, issuedForSubject, readIssued } from './issued.js';
import * as requests from './requests.js';
import { readSigned, readWithin, requestAtRest } from './seen-requests.js';

const NOW = Date.UTC(2026, 0, 1);
const key = generateKey('ECDSA-P256');
const ca = createAuthority({ commonName: 'kubernetes', key: 'ECDSA-P256', now: NOW });
const subject = { commonName: 'system:node:a', organizations: ['system:nodes'] };
const altNames = { dns: ['a'], ip: ['192.0.2.1', '2001:db8::1'], email: ['a@example.com'], uri: ['https://a/'] };
const issued = issue(ca, {
  subject,
  altNames,
  publicKey: key,
  notBefore: NOW,
  notAfter: NOW + 86_400_000,
  extendedKeyUsage: ['clientAuth'],
}).der;
const asked = createRequest({ key, subject, altNames }).der;

/** Some bytes are others, are missing, or stand there twice. */
const changes = fc.array(
  fc.record({
    at: fc.nat(),
    how: fc.constantFrom('other', 'gone', 'twice'),
    length: fc.integer({ min: 1, max: 9 }),
    by: fc.integer({ min: 1, max: 255 }),
  }),
  { minLength: 1, maxLength: 4 },
);
type Change = { readonly at: number; readonly how: string; readonly length: number; readonly by: number };

function broken(bytes: Buffer, all: readonly Change[]): Buffer {
  let result = Buffer.from(bytes);
  for (const { at, how, length, by } of all) {
    const place = at % result.length;
    const [before, part, after] = [
      result.subarray(0, place),
      result.subarray(place, place + length),
      result.subarray(place + length),
    ];
    if (how === 'other') result = Buffer.concat([before, Buffer.from(part.map((byte) => byte ^ by)), after]);
    else result = Buffer.concat(how === 'gone' ? [before, after] : [before, part, part, after]);
  }
  return result;
}

const object = (request: Buffer, certificate: Buffer, signerName: string) => ({
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  metadata: { name: 'csr-a', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: {
    request: Buffer.from(encodePem('CERTIFICATE REQUEST', request)).toString('base64'),
    signerName,
    usages: ['client auth'],
    username: 'system:bootstrap:abcdef',
    groups: ['system:bootstrappers'],
  },
  status: { certificate: Buffer.from(encodePem('CERTIFICATE', certificate)).toString('base64') },
});

const CHECKS = [
  requests.requestCommonName,
  requests.requestOrganization,
  requests.requestLowerCase,
  requests.requestClientUsages,
  requests.requestServingUsages,
  requests.requestNoAltNames,
  requests.requestProof,
  requests.requestOwnKeys,
  requests.requestApprovals,
  requests.requestFirstRequester,
  requests.requestLaterRequesters,
  requests.requestValidity,
];
const accepted = ca.certificate.pem;

/** What the checks find in a request and in what was issued for it. */
function found(request: Buffer, certificate: Buffer, signerName: string): readonly string[] {
  const one = object(request, certificate, signerName);
  const rest = requestAtRest(one);
  assert.deepEqual(JSON.parse(JSON.stringify(rest)), rest);
  const all = [
    ...CHECKS.flatMap((check) => check.judge([rest.seen], undefined)),
    ...requests.requestSigner.judge([rest.seen], { signer: signerName }),
    ...requests.requestIssuer.judge(readSigned([rest], accepted), undefined),
    ...[issuedForAYear, issuedForKey, issuedForSubject].flatMap((check) =>
      check.judge([readIssued('a request', one)], undefined),
    ),
  ];
  readWithin([rest], accepted);
  longestOf(signersAmong(encodePem('CERTIFICATE', certificate), accepted));
  isSignedBy(certificate, ca.certificate.der);
  isSignedBy(ca.certificate.der, certificate);
  return all.map(({ result }) => result);
}

describe('a request and a certificate', () => {
  it('that are broken in any way are judged by findings', () => {
    const signers = fc.constantFrom('kubernetes.io/kube-apiserver-client-kubelet', 'kubernetes.io/kubelet-serving');
    fc.assert(
      fc.property(changes, changes, signers, (one, other, signer) => {
        const seen = found(broken(asked, one), broken(issued, other), signer);
        assert.ok(seen.length > 0 && seen.every((result) => (RESULTS as readonly string[]).includes(result)));
      }),
      { numRuns: 400 },
    );
  });

  it('say nothing by extensions that a version before the third has, as the API server reads them', () => {
    const bytes = Buffer.from(issued);
    const at = bytes.indexOf(Buffer.from('a003020102', 'hex'));
    for (const version of [0, 1]) {
      bytes[at + 4] = version;
      const read = tryCertificate(bytes);
      assert.ok('unreadable' in read || (read.ids.length === 0 && read.altNames.dns.length === 0));
    }
    assert.ok(readCertificate(issued).ids.length > 0);
  });

  it('are refused where a number of an object identifier is beyond counting', () => {
    const list = readDer(Buffer.from(`300f300d0609${'ff'.repeat(8)}7f0400`, 'hex'));
    assert.throws(() => readExtensions([list]), { name: 'Unreadable', message: /too large/ });
  });

  it('are refused where an alternative name is none', () => {
    for (const text of ['a@example.com', 'https://a/']) {
      const bytes = Buffer.from(asked);
      bytes[bytes.indexOf(text)] = 0xe4;
      assert.throws(() => readRequest(bytes), { name: 'Unreadable', message: /alternative name/ });
    }
  });
});

/** Milliseconds of this process's own work: far beyond what is linear, far below what is quadratic. */
const BOUND = 4_000;

describe('extensions without end', () => {
  const within = (work: () => void): void => {
    const spent = workOf(work, BOUND);
    assert.ok(spent < BOUND, `${spent} ms`);
  };
  const extension = (dotted: string, value: Buffer) => sequence(oid(dotted), octets(value));

  it('are read in time that grows with their number', () => {
    const many = Array.from({ length: 40_000 }, (_, n) => extension(`1.2.${n >> 7}.${n & 127}`, Buffer.alloc(0)));
    const list = readDer(der(sequence(...many)));
    within(() => assert.equal(readExtensions([list]).ids.length, 40_000));
  });

  it('are read with their values, however long', () => {
    const usage = der(bits(Buffer.alloc(500_000, 255)));
    const names = der(sequence(...Array.from({ length: 40_000 }, (_, n) => context(2, Buffer.from(`a${n}`)))));
    const list = readDer(der(sequence(extension('2.5.29.15', usage), extension('2.5.29.17', names))));
    within(() => {
      const read = readExtensions([list]);
      assert.deepEqual([read.keyUsage?.length, read.altNames.dns.length], [9, 40_000]);
    });
  });
});
