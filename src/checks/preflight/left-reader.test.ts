import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createAuthority, issueCredential } from '../../pki/authority.js';
import { generateKey, privateKeyPem, publicKeyPem } from '../../pki/keys.js';
import { readLeft } from './left-reader.js';

const NOW = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;
const [authority, front, etcd] = ['kubernetes', 'front-proxy-ca', 'etcd-ca'].map((commonName) =>
  createAuthority({ commonName, key: 'ECDSA-P256', now: NOW }),
);
assert.ok(authority && front && etcd);
const made = issueCredential(etcd, {
  subject: { commonName: 'kube-etcd', organizations: ['a', 'b'] },
  key: 'ECDSA-P256',
  now: NOW,
  validity: 30 * DAY,
  extendedKeyUsage: ['serverAuth', 'clientAuth'],
  altNames: { dns: ['localhost', 'cp-1'], ip: ['127.0.0.1'] },
});
const account = generateKey('ECDSA-P256');
const kubeconfig = {
  'current-context': 'x',
  contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
  clusters: [{ name: 'c', cluster: { server: 'https://a:1' } }],
  users: [{ name: 'u', user: { 'client-certificate': '/a.pem', 'client-key': '/b.pem' } }],
};
const FILES: Readonly<Record<string, string>> = {
  'pki/ca.crt': authority.certificate.pem,
  'pki/front-proxy-ca.crt': front.certificate.pem,
  'pki/etcd/ca.crt': etcd.certificate.pem,
  'pki/etcd/server.crt': made.certificatePem,
  'pki/etcd/server.key': made.keyPem,
  'pki/sa.key': privateKeyPem(account),
  'pki/sa.pub': publicKeyPem(account),
  'pki/alone.key': privateKeyPem(account),
  'kubelet.conf': JSON.stringify(kubeconfig),
};
const run = {
  machine: 'as it should be',
  look: 'a whole init',
  exit: 0,
  said: [],
  written: [],
  left: Object.entries(FILES).map(([name, text]) => ({ path: `/etc/kubernetes/${name}`, mode: 0o600, text })),
} as const;
const facts = (file: string): readonly string[] => readLeft(run, file).facts ?? [];

describe('what is said of a file that was left', () => {
  it('is of a certificate for whom, for what, by whom and for how long', () => {
    assert.deepEqual(facts('pki/etcd/server.crt'), [
      'mode 600',
      'CN=kube-etcd',
      'O=a',
      'O=b',
      'for localhost',
      'for cp-1',
      'for 127.0.0.1',
      'usage serverAuth',
      'usage clientAuth',
      'key usage digitalSignature',
      'key usage keyEncipherment',
      'lives 30 days',
      'key ec prime256v1',
      'signed by pki/etcd/ca.crt',
    ]);
    for (const path of ['pki/ca.crt', 'pki/front-proxy-ca.crt', 'pki/etcd/ca.crt']) {
      const said = facts(path);
      assert.ok(said.includes('an authority') && said.includes('key usage keyCertSign'), path);
      assert.ok(said.includes(`signed by ${path}`), path);
    }
  });

  it('is of a key to what it belongs', () => {
    assert.deepEqual(facts('pki/etcd/server.key'), ['mode 600', 'key ec prime256v1', 'belongs to pki/etcd/server.crt']);
    assert.deepEqual(facts('pki/sa.key'), ['mode 600', 'key ec prime256v1', 'belongs to pki/sa.pub']);
    assert.deepEqual(facts('pki/alone.key'), ['mode 600', 'key ec prime256v1']);
  });

  it('is of a kubeconfig in which files its certificate and its key are', () => {
    assert.deepEqual(
      facts('kubelet.conf').filter((one) => one.startsWith('client-')),
      ['client-certificate in /a.pem', 'client-key in /b.pem'],
    );
  });

  it('is nothing of a file that is not there', () => assert.equal(readLeft(run, 'pki/none.crt').facts, null));
});
