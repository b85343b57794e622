import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CertificateSigningRequest } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { sentenceOf } from '../../model/finding.js';
import { createAuthority, issue, type LeafInput } from '../../pki/authority.js';
import { generateKey } from '../../pki/keys.js';
import { createRequest } from '../../pki/request.js';
import { isSignedAmong } from '../certificates/x509.js';
import { judged, resultsOf } from '../common/judged.testing.js';
import { twinsOf } from '../common/twins.testing.js';
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

const result = <O, P>(check: Check<O, P>, observation: O, parameters: P): string =>
  resultsOf(check, observation, parameters).join(' ');
const says = <O, P>(check: Check<O, P>, observation: O, parameters: P): readonly string[] =>
  judged(check, observation, parameters).map(sentenceOf);

describe('what is read of a request and its certificate', () => {
  it('is what both say', () => {
    const chain = carrying(leaf() + ca.certificate.pem);
    const metadata = { ...chain.metadata, creationTimestamp: '2026-01-01T00:00:00Z' };
    const whole = { ...chain, metadata, spec: { ...chain.spec, usages: ['client auth'], expirationSeconds: 600 } };
    const read = readIssued('a certificate', whole);
    assert.ok(!('unreadable' in read.asked) && !('unreadable' in read.certificate));
    assert.deepEqual(
      [read.subject, read.asked.commonName, read.certificate.commonName],
      ['a certificate', subject.commonName, subject.commonName],
    );
    assert.deepEqual([read.usages, read.seconds, read.created], [['client auth'], 600, '2026-01-01T00:00:00Z']);
    assert.deepEqual(read.blocks, ['CERTIFICATE', 'CERTIFICATE']);
  });

  it('is little where they say little', () => {
    const { status: _, ...open } = carrying('');
    const read = readIssued('a certificate', open);
    assert.deepEqual([read.usages, read.seconds, read.created, read.blocks], [[], null, '', []]);
    assert.deepEqual(read.certificate, { unreadable: 'there is no PEM block CERTIFICATE' });
    assert.equal(issuedPem(open), '');
  });
});

describe('an issued certificate', () => {
  it('is told with what was demanded and seen', () => {
    const stranger = { publicKey: generateKey('ECDSA-P256'), subject: { commonName: 'b', organizations: ['x', 'y'] } };
    const noRequest = readIssued('a certificate', { ...carrying(leaf()), spec: { request: '', signerName: 'x' } });
    const all = [issued(), issued(stranger), unreadable, issued({ subject: { commonName: 'b' } }), noRequest];
    const broken = 'a certificate: is a certificate; seen: there is no PEM block CERTIFICATE';
    const key = 'a certificate: is for the public key of the request; seen: ';
    assert.deepEqual(says(issuedForKey, all, undefined), [
      `${key}it is`,
      `${key}it is for another key`,
      broken,
      `${key}it is`,
      `${key}it is for another key`,
    ]);
    const named = 'a certificate: CN system:node:a, O system:nodes; seen: CN';
    assert.deepEqual(says(issuedForSubject, all, undefined), [
      `${named} system:node:a, O system:nodes`,
      `${named} b, O x, y`,
      broken,
      `${named} b, O none`,
      'a certificate: CN , O system:nodes; seen: CN system:node:a, O system:nodes',
    ]);
    const client = { role: 'clientAuth', other: 'serverAuth' };
    const both = issued({ extendedKeyUsage: ['clientAuth', 'serverAuth'] });
    const role = 'a certificate: extended usage clientAuth and not serverAuth; seen:';
    assert.deepEqual(says(issuedForRole, [both, issued({ extendedKeyUsage: [] }), unreadable], client), [
      `${role} serverAuth, clientAuth`,
      `${role} no extended usage, which is any`,
      broken,
    ]);
    const blocks = 'status.certificate of a certificate: one PEM block CERTIFICATE; seen:';
    const chain = readIssued('a certificate', carrying(leaf() + ca.certificate.pem));
    assert.deepEqual(says(issuedAsPem, [issued(), chain, unreadable], { label: 'CERTIFICATE' }), [
      `${blocks} CERTIFICATE`,
      `${blocks} CERTIFICATE, CERTIFICATE`,
      `${blocks} none`,
    ]);
    assert.equal(result(issuedAsPem, [issued()], { label: 'X509 CERTIFICATE' }), 'unmet');
    const by = [true, false].map((signed) => ({ subject: 'a', signed }));
    assert.deepEqual(says(issuedByCluster, by, undefined), [
      "a: is signed by the cluster's CA; seen: it is",
      "a: is signed by the cluster's CA; seen: it is not",
    ]);
  });

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
      ...twinsOf('system:nodes').map((organization) => ({ ...subject, organizations: [organization] })),
      ...twinsOf('system:node:a').map((commonName) => ({ ...subject, commonName })),
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
    assert.deepEqual(
      [429, 499, 500].map((status) => result(issuedLogsIn, answered(status), wanted)),
      ['unclear', 'unmet', 'unclear'],
    );
    const everybody = ['system:nodes', 'system:authenticated'];
    assert.equal(result(issuedLogsIn, review('system:node:a', everybody), wanted), 'met');
    assert.equal(result(issuedLogsIn, review('system:node:a', []), wanted), 'unmet');
    const said = 'a: logs in as system:node:a in system:nodes and in no group of others; seen:';
    assert.deepEqual(
      [review('system:node:a', everybody), review('b', masters), answered(401)].flatMap((login) =>
        says(issuedLogsIn, login, wanted),
      ),
      [`${said} it does`, `${said} b in system:nodes, system:masters`, `${said} 401`],
    );
    assert.equal(result(issuedLogsIn, answered(503), wanted), 'unclear');
    assert.deepEqual(
      [403, 404, 401, 201].map((status) => tellsNobody({ status, body: {} })),
      [true, true, false, false],
    );
  });
});
