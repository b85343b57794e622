import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createCertificate } from '../../pki/certificate.js';
import { generateKey } from '../../pki/keys.js';
import {
  authoritiesValid,
  authorityGoesOn,
  leavingOf,
  livesOf,
  serverGoesOn,
  writable,
} from './cluster-info-lasting.js';

const NOW = Date.UTC(2026, 5, 1);

describe('what cluster-info publishes', () => {
  it('can be written', () => {
    const results = [false, true].map((immutable) => writable.judge({ immutable }, undefined)[0]?.result);
    assert.deepEqual(results, ['met', 'unmet']);
  });

  it('stays', () => {
    const told = (metadata: Parameters<typeof leavingOf>[0]) =>
      writable
        .judge({ immutable: false, leaving: leavingOf(metadata) }, undefined)
        .map(({ result, seen }) => `${result}: ${seen}`);
    assert.deepEqual(told({}), ['met: it can', 'met: it does']);
    assert.deepEqual(told({ deletionTimestamp: '2026-01-01T00:00:00Z' })[1], 'unmet: it is being deleted');
    const owner = { apiVersion: 'v1', kind: 'Secret', name: 'a', uid: 'b' };
    assert.deepEqual(told({ ownerReferences: [owner] })[1], 'unmet: it goes with Secret a');
  });

  it('is valid from its first to its last instant', () => {
    const life = [{ name: 'CN=kubernetes', from: 1000, to: 2000 }];
    const results = [999, 1000, 2000, 2001].map((now) => authoritiesValid.judge(life, { now })[0]?.result);
    assert.deepEqual(results, ['unmet', 'met', 'met', 'unmet']);
    assert.deepEqual(
      [999, 2001].map((now) => authoritiesValid.judge(life, { now })[0]?.seen),
      ['it begins at 1970-01-01T00:00:01.000Z', 'it ends at 1970-01-01T00:00:02.000Z'],
    );
  });

  it('is read of every certificate of a text', () => {
    const key = generateKey('ECDSA-P256');
    const [one, other] = ['one', 'other'].map((commonName, index) => {
      const at = NOW + index * 1000;
      return createCertificate({
        subject: { commonName },
        publicKey: key,
        signingKey: key,
        notBefore: at,
        notAfter: NOW + 5000,
      }).pem;
    });
    assert.deepEqual(livesOf(`${one}-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n${other}`), [
      { name: 'CN=one', from: NOW, to: NOW + 5000 },
      { name: 'CN=other', from: NOW + 1000, to: NOW + 5000 },
    ]);
  });

  it('is nothing where no certificate can be read', () => {
    assert.deepEqual(livesOf('-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'), []);
  });

  it('goes on for a year, of one CA at least', () => {
    const day = 86_400_000;
    const life = (name: string, left: number) => ({
      name,
      from: NOW - (3650 - left) * day,
      to: NOW + left * day,
    });
    const told = (...lives: ReturnType<typeof life>[]) =>
      authorityGoesOn.judge(lives, { now: NOW }).map(({ result, seen }) => `${result}: ${seen}`);
    assert.deepEqual(told(life('CN=a', 366)), ['met: CN=a: it ends in 366 days']);
    assert.deepEqual(told(life('CN=a', 364)), ['unmet: CN=a: it ends in 364 days']);
    assert.deepEqual(told(life('CN=a', 3), life('CN=b', 3649)), [
      'met: CN=a: it ends in 3 days; CN=b: it ends in 3649 days',
    ]);
    assert.deepEqual(told(), []);
  });

  it('is presented with a month before it', () => {
    const day = 86_400_000;
    const told = (left: number) => {
      const life = { notBefore: NOW - (365 - left) * day, notAfter: NOW + left * day };
      return serverGoesOn
        .judge({ server: 'https://a', life }, { now: NOW })
        .map(({ subject, result }) => `${subject} ${result}`);
    };
    assert.deepEqual([told(31), told(29)], [['https://a met'], ['https://a unmet']]);
  });
});
