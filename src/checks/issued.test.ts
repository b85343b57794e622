import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CertificateSigningRequest } from '../kubernetes/objects.js';
import type { Check } from '../model/check.js';
import { createAuthority, issue, type LeafInput } from '../pki/authority.js';
import { generateKey } from '../pki/keys.js';
import { createRequest } from '../pki/request.js';
import {
  type Issued,
  issuedAsPem,
  issuedByCluster,
  issuedForAYear,
  issuedForKey,
  issuedForRole,
  issuedForSubject,
  issuedLogsIn,
  issuedPem,
  readIssued,
  tellsNobody,
} from './issued.js';
import { isSignedAmong } from './x509.js';

const NOW = Date.UTC(2026, 0, 1);
const YEAR = 365 * 86_400_000;
const ca = createAuthority({ commonName: 'kubernetes', key: 'ECDSA-P256', now: NOW });
const key = generateKey('ECDSA-P256');
const subject = { commonName: 'system:node:a', organizations: ['system:nodes'] };
const base64 = (text: string): string => Buffer.from(text).toString('base64');

function carrying(pem: string): CertificateSigningRequest {
  return {
    metadata: { name: 'csr-1' },
    spec: { request: createRequest({ key, subject }).base64, signerName: 'x' },
    status: { certificate: base64(pem) },
  };
}
const leaf = (changes: Partial<LeafInput> = {}): string =>
  issue(ca, {
    subject,
    publicKey: key,
    notBefore: NOW,
    notAfter: NOW + YEAR,
    extendedKeyUsage: ['clientAuth'],
    ...changes,
  }).pem;
const issued = (changes: Partial<LeafInput> = {}): Issued => readIssued('a certificate', carrying(leaf(changes)));
const unreadable = readIssued('a certificate', carrying('no PEM'));

/** Judged, and judged again from what a report holds. */
function result<O, P>(check: Check<O, P>, observation: O, parameters: P): string {
  const found = check.judge(observation, parameters);
  assert.deepEqual(check.judge(JSON.parse(JSON.stringify(observation)) as O, parameters), found, check.id);
  return found.map((finding) => finding.result).join(' ');
}

describe('an issued certificate', () => {
  it('is for the key of its request', () => {
    assert.equal(result(issuedForKey, [issued()], undefined), 'met');
    assert.equal(result(issuedForKey, [issued({ publicKey: generateKey('ECDSA-P256') })], undefined), 'unmet');
    assert.equal(result(issuedForKey, [unreadable], undefined), 'unmet');
    const noRequest = { ...carrying(leaf()), spec: { request: '', signerName: 'x' } };
    assert.equal(result(issuedForKey, [readIssued('a', noRequest)], undefined), 'unmet');
  });

  it('is for the subject of its request', () => {
    assert.equal(result(issuedForSubject, [issued()], undefined), 'met');
    for (const other of [
      { ...subject, commonName: 'system:node:b' },
      { ...subject, commonName: 'system:node:a-1' },
      { ...subject, organizations: [] },
      { ...subject, organizations: ['system:nodes', 'system:masters'] },
      { ...subject, organizations: ['system:masters'] },
    ])
      assert.equal(result(issuedForSubject, [issued({ subject: other })], undefined), 'unmet', JSON.stringify(other));
    assert.equal(result(issuedForSubject, [unreadable], undefined), 'unmet');
  });

  it('ends after a year at the latest, with what signers begin earlier', () => {
    assert.equal(result(issuedForAYear, [issued()], undefined), 'met');
    assert.equal(result(issuedForAYear, [issued({ notBefore: NOW - 300_000 })], undefined), 'met');
    assert.equal(result(issuedForAYear, [issued({ notAfter: NOW + YEAR + 3_600_000 })], undefined), 'unmet');
    assert.equal(result(issuedForAYear, [unreadable], undefined), 'unmet');
  });

  it('is good for its role and not for the other', () => {
    const client = { role: 'clientAuth', other: 'serverAuth' };
    assert.equal(result(issuedForRole, [issued()], client), 'met');
    for (const extendedKeyUsage of [[], ['serverAuth'], ['clientAuth', 'serverAuth'], ['clientAuth', 'any']])
      assert.equal(result(issuedForRole, [issued({ extendedKeyUsage })], client), 'unmet', extendedKeyUsage.join());
    assert.equal(result(issuedForRole, [unreadable], client), 'unmet');
  });

  it('is one PEM block', () => {
    const label = 'CERTIFICATE';
    assert.equal(result(issuedAsPem, [issued()], { label }), 'met');
    assert.equal(result(issuedAsPem, [unreadable], { label }), 'unmet');
    const chain = readIssued('a', carrying(leaf() + ca.certificate.pem));
    assert.equal(result(issuedAsPem, [chain], { label }), 'unmet');
  });

  it('is signed by the authority of the cluster', () => {
    const signed = isSignedAmong(issuedPem(carrying(leaf())), ca.certificate.pem);
    assert.equal(result(issuedByCluster, [{ subject: 'a', signed }], undefined), 'met');
    const other = createAuthority({ commonName: 'kubernetes', key: 'ECDSA-P256', now: NOW }).certificate.pem;
    const foreign = isSignedAmong(issuedPem(carrying(leaf())), other);
    assert.equal(result(issuedByCluster, [{ subject: 'a', signed: foreign }], undefined), 'unmet');
  });

  it('logs in as the node, where the API server says who one is', () => {
    const review = (username: string, groups: readonly string[]) => ({
      subject: 'a',
      heard: { status: 201, body: { status: { userInfo: { username, groups } } } },
    });
    const wanted = { username: 'system:node:a' };
    assert.equal(result(issuedLogsIn, review('system:node:a', ['system:nodes']), wanted), 'met');
    assert.equal(result(issuedLogsIn, review('system:node:b', ['system:nodes']), wanted), 'unmet');
    const masters = ['system:nodes', 'system:masters'];
    assert.equal(result(issuedLogsIn, review('system:node:a', masters), wanted), 'unmet');
    assert.equal(result(issuedLogsIn, review('system:node:a', ['system:authenticated']), wanted), 'unmet');
    const answered = (status: number) => ({ subject: 'a', heard: { status, body: {} } });
    assert.equal(result(issuedLogsIn, answered(401), wanted), 'unmet');
    assert.equal(result(issuedLogsIn, answered(503), wanted), 'unclear');
    assert.deepEqual(
      [403, 404, 401, 201].map((status) => tellsNobody({ status, body: {} })),
      [true, true, false, false],
    );
  });
});
