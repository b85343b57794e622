import assert from 'node:assert/strict';
import { createCipheriv } from 'node:crypto';
import { describe, it } from 'node:test';
import { base64 } from '../../kubernetes/json.js';
import type { Finding } from '../../model/finding.js';
import type { TokenSecret } from '../bootstrap-tokens/token-secrets.js';
import {
  certificatesGone,
  certificatesGuarded,
  certificatesOwned,
  certificatesWhole,
  readSharedCertificates,
} from './shared-certificates.js';
import { tokenIn } from './token-policy.testing.js';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const { at, token } = tokenIn(NOW);
const results = (findings: readonly Finding[]): readonly string[] => findings.map(({ result }) => result);

describe('kubeadm-certs', () => {
  it('is gone after its hours', () => {
    const judged = (created: string) => certificatesGone.judge({ created, owners: [] }, { hours: 2, now: NOW });
    assert.deepEqual(
      [at(-2), at(-2.1), at(-2.2), ''].map((created) => results(judged(created))[0]),
      ['met', 'met', 'unmet', 'met'],
    );
  });

  it('is owned by each token that keeps its time', () => {
    const owner = { apiVersion: 'v1', kind: 'Secret', name: 'bootstrap-token-abcdef', uid: '1' };
    const certificates = readSharedCertificates({ metadata: { name: 'kubeadm-certs', ownerReferences: [owner] } });
    const proxy = { usages: [], groups: '', description: 'certificates' } as const;
    const former = token({ ...proxy, name: 'bootstrap-token-former' });
    const judged = (tokens: readonly TokenSecret[]) =>
      results(certificatesOwned.judge({ tokens, certificates }, { now: NOW }));
    assert.deepEqual(judged([token(proxy), former, token({ name: 'bootstrap-token-joins' })]), [
      'met',
      'met',
      'unmet',
      'met',
    ]);
    assert.deepEqual(judged([token({ ...proxy, usages: ['signing'] })]), ['met', 'unmet']);
    assert.deepEqual(judged([token({ ...proxy, groups: 'system:bootstrappers:a' })]), ['met', 'unmet']);
    assert.deepEqual(judged([token({ ...former, expiration: at(-1) })]), ['met']);
    assert.deepEqual(judged([]), ['met']);
  });

  it('holds all that is looked for', () => {
    const judged = (keys: readonly string[]) =>
      certificatesWhole.judge(
        readSharedCertificates({
          metadata: { name: 'kubeadm-certs', creationTimestamp: at(-1) },
          data: Object.fromEntries(keys.map((key) => [key, ''])),
        }),
        undefined,
      )[0]?.seen;
    const ofAll = ['ca.crt', 'ca.key', 'front-proxy-ca.crt', 'front-proxy-ca.key', 'sa.key', 'sa.pub'];
    assert.equal(judged([...ofAll, 'etcd-ca.crt', 'etcd-ca.key']), 'it does');
    assert.equal(judged([...ofAll, 'external-etcd-ca.crt', 'external-etcd.crt', 'external-etcd.key']), 'it does');
    assert.equal(judged(ofAll), 'without etcd-ca.crt, etcd-ca.key');
    assert.equal(
      judged([...ofAll.slice(1), 'external-etcd.crt']),
      'without ca.crt, external-etcd-ca.crt, external-etcd.key',
    );
    assert.deepEqual(certificatesWhole.judge(readSharedCertificates(undefined), undefined), []);
  });

  it('is encrypted, and belongs to a token', () => {
    const owner = { apiVersion: 'v1', kind: 'Secret', name: 'bootstrap-token-abcdef', uid: '1' };
    const metadata = { name: 'kubeadm-certs', creationTimestamp: at(-1), ownerReferences: [owner] };
    const judged = (...secrets: Parameters<typeof readSharedCertificates>) =>
      certificatesGuarded
        .judge(readSharedCertificates(...secrets), undefined)
        .map(({ result, seen }) => [result, seen]);
    const data = { 'ca.crt': base64('\u0001\u0002'), 'ca.key': base64('-----BEGIN EC PRIVATE KEY-----') };
    assert.deepEqual(judged({ metadata, data: { 'ca.crt': data['ca.crt'] } }), [
      ['met', 'all of it is'],
      ['met', 'bootstrap-token-abcdef'],
    ]);
    assert.deepEqual(judged({ metadata: { ...metadata, ownerReferences: [{ ...owner, name: 'a' }] }, data }), [
      ['unmet', 'in clear: ca.key'],
      ['unmet', 'a'],
    ]);
    assert.deepEqual(judged(undefined), []);
  });

  it('is encrypted with a key that not everybody knows', () => {
    const metadata = { name: 'kubeadm-certs', creationTimestamp: at(-1) };
    const seenWith = (key: string): readonly string[] => {
      const nonce = Buffer.alloc(12, 7);
      const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'hex'), nonce);
      const value = Buffer.concat([nonce, cipher.update('a key'), cipher.final(), cipher.getAuthTag()]);
      const data = { 'ca.key': value.toString('base64'), 'ca.crt': base64('short') };
      return certificatesGuarded.judge(readSharedCertificates({ metadata, data }), undefined).map(({ seen }) => seen);
    };
    const known = 'with a certificate key that everybody knows: ca.key';
    for (const key of [
      '0123456789abcdef'.repeat(4),
      '0'.repeat(64),
      `f8902e114ef118304e561c3ecd4d0b543adc226b7a07f675f56564185ffe0c07`,
    ])
      assert.equal(seenWith(key)[0], known, key);
    assert.equal(seenWith('0f'.repeat(32)).includes(known), false);
  });
});
