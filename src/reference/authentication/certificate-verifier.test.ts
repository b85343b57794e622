/** Chains of clients: who stands above whom, and where looking for it ends. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Authority, createAuthority, issue } from '../../pki/authority.js';
import { parseCertificate } from '../../pki/certificate.js';
import { generateKey } from '../../pki/keys.js';
import { upstream } from '../decisions.js';
import { createCertificateVerifier } from './certificate-verifier.js';

const NOW = 1_700_000_000_000;
const KEY = generateKey('ECDSA-P256');
const ROOT = createAuthority({ commonName: 'root', key: KEY, now: NOW });
const times = { notBefore: NOW - 1000, notAfter: NOW + 1000 };

/** One of many authorities, all with one key. */
const between = (above: Authority, commonName: string): Authority => {
  const certificate = issue(above, {
    ...times,
    subject: { commonName },
    publicKey: KEY,
    keyUsage: ['keyCertSign'],
    ca: true,
  });
  return { certificate, facts: parseCertificate(certificate.der), key: KEY };
};
const client = (above: Authority): Buffer =>
  issue(above, { ...times, subject: { commonName: 'jane' }, publicKey: KEY, extendedKeyUsage: ['clientAuth'] }).der;

const login = (above: Authority, others: readonly Authority[], roots: readonly Authority[] = [ROOT]): string => {
  const verifier = createCertificateVerifier(
    roots.map(({ certificate }) => certificate.der),
    upstream,
  );
  const verified = verifier.verify([client(above), ...others.map(({ certificate }) => certificate.der)], NOW);
  return 'error' in verified ? verified.error.replace(/^.*x509: /, '') : verified.identity.commonName;
};
const UNKNOWN = 'certificate signed by unknown authority';

/** From below the root down. */
const ladder = (length: number): Authority[] => {
  const all: Authority[] = [];
  for (let step = 0; step < length; step += 1) all.push(between(all.at(-1) ?? ROOT, `step ${step}`));
  return all;
};

it('is as long as there are certificates, in whatever order they come', () => {
  for (const length of [0, 1, 7, 20]) {
    const steps = ladder(length);
    assert.equal(login(steps.at(-1) ?? ROOT, steps), 'jane', `${length}`);
    assert.equal(login(steps.at(-1) ?? ROOT, steps.toReversed()), 'jane', `${length}`);
  }
  const steps = ladder(3);
  assert.equal(login(steps[2] ?? ROOT, steps.slice(1)), UNKNOWN);
});

it('goes in no circle', () => {
  const elsewhere = createAuthority({ commonName: 'elsewhere', key: KEY, now: NOW });
  const one = between(elsewhere, 'one');
  const other = between(one, 'other');
  // "one" once more, by "other": each stands above the other, and above both there is nobody
  const round = between(other, 'one');
  assert.equal(login(other, [one, other, round]), UNKNOWN);
  assert.equal(login(other, [one, other, round], [elsewhere]), 'jane');
});

it('is given up where too many could stand above', () => {
  const elsewhere = createAuthority({ commonName: 'elsewhere', key: KEY, now: NOW });
  // of one name and one key: each of them could stand above each
  const first = between(elsewhere, 'same');
  const crowd = Array.from({ length: 30 }, () => between(first, 'same'));
  // all ways through them would take longer than the world has been there
  assert.equal(login(first, crowd), UNKNOWN);
  assert.equal(login(first, [first, ...crowd.slice(0, 5)], [elsewhere]), 'jane');
});
