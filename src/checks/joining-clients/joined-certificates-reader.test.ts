import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Truth } from '../../kubernetes/transcript.js';
import { createAuthority, issueCredential } from '../../pki/authority.js';
import { saidIn, whoIn } from './joined-certificates-reader.js';

const NOW = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;
const [ca, front, etcd, stranger] = ['kubernetes', 'front-proxy-ca', 'etcd-ca', 'kubernetes'].map((commonName) =>
  createAuthority({ commonName, key: 'ECDSA-P256', now: NOW }),
);
assert.ok(ca && front && etcd && stranger);
const shared = {
  'ca.crt': ca.certificate.pem,
  'front-proxy-ca.crt': front.certificate.pem,
  'etcd/ca.crt': etcd.certificate.pem,
};
const TRUTH = { shared } as unknown as Truth;
const NONE = { shared: {} } as unknown as Truth;
type Leaf = Parameters<typeof issueCredential>[1];
const leaf = (authority = ca, more: Partial<Leaf> = {}): string =>
  issueCredential(authority, { subject: { commonName: 'a' }, key: 'ECDSA-P256', now: NOW, validity: DAY, ...more })
    .certificatePem;

describe('a certificate that a joining client has left', () => {
  it('says for whom, for what and for how long it is, and by whom', () => {
    const full = leaf(etcd, {
      subject: { commonName: 'kube-etcd', organizations: ['x', 'y'] },
      extendedKeyUsage: ['serverAuth'],
      altNames: { dns: ['cp-1'], ip: ['192.0.2.1'] },
    });
    const { days, ...said } = saidIn(full, TRUTH);
    assert.deepEqual(said, {
      commonName: 'kube-etcd',
      algorithm: 'ECDSA-P256',
      groups: ['x', 'y'],
      usages: ['serverAuth'],
      names: ['cp-1', '192.0.2.1'],
      issuedBy: 'etcd/ca.crt',
    });
    // a day, and the five minutes before it
    assert.ok(days === 1 || days === 2, String(days));
    assert.deepEqual(whoIn(full, TRUTH), {
      groups: ['x', 'y'],
      who: 'O=x, O=y, CN=kube-etcd',
      algorithm: 'ECDSA-P256',
      issuedBy: 'etcd/ca.crt',
    });
  });

  it('leaves out what it does not say', () => {
    const { days: _, ...said } = saidIn(leaf(ca, { subject: { organizations: ['o'] } }), NONE);
    assert.deepEqual(said, { algorithm: 'ECDSA-P256', groups: ['o'] });
    for (const none of ['', 'a', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n']) {
      assert.deepEqual(saidIn(none, TRUTH), {}, none);
      assert.deepEqual(whoIn(none, TRUTH), { groups: [], who: 'CN=' }, none);
    }
  });

  it('is of the authority whose key has signed it, whatever that is called', () => {
    for (const [authority, name] of [
      [ca, 'ca.crt'],
      [front, 'front-proxy-ca.crt'],
      [etcd, 'etcd/ca.crt'],
    ] as const)
      assert.equal(saidIn(leaf(authority), TRUTH).issuedBy, name);
    assert.equal(saidIn(leaf(stranger), TRUTH).issuedBy, undefined);
    assert.equal(whoIn(leaf(stranger), TRUTH).who, 'CN=a');
  });

  it('tells the kinds of keys that kubeadm has names for', () => {
    for (const key of ['RSA-2048', 'RSA-3072', 'ECDSA-P256', 'ECDSA-P384'] as const)
      assert.equal(saidIn(leaf(ca, { key }), TRUTH).algorithm, key);
    for (const key of ['Ed25519', 'ECDSA-P521'] as const) {
      const said = leaf(ca, { key });
      assert.deepEqual([saidIn(said, TRUTH).algorithm, 'algorithm' in whoIn(said, TRUTH)], [undefined, false], key);
    }
  });

  it('tells whether it may issue others, by either mark', () => {
    assert.equal(saidIn(ca.certificate.pem, TRUTH).isAuthority, true);
    assert.equal(saidIn(leaf(), TRUTH).isAuthority, undefined);
    assert.equal(saidIn(leaf(ca, { ca: true }), TRUTH).isAuthority, true);
    assert.equal(saidIn(leaf(ca, { keyUsage: ['keyCertSign'] }), TRUTH).isAuthority, true);
    assert.equal(saidIn(leaf(ca, { keyUsage: ['cRLSign'] }), TRUTH).isAuthority, undefined);
  });
});
