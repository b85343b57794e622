import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAuthority, issueCredential } from '../../pki/authority.js';
import { namesService, serviceNames, vouchedFor } from './service-names.js';

const now = Date.now();
const authority = createAuthority({ commonName: 'kubernetes', key: 'ECDSA-P256', now });
const leafOf = (dns: readonly string[], ip: readonly string[], commonName = 'kube-apiserver'): string =>
  issueCredential(authority, { subject: { commonName }, key: 'ECDSA-P256', now, altNames: { dns, ip } }).certificatePem;
const told = (host: string, leaf: string) =>
  namesService
    .judge([{ host, leaf }], { server: 'https://a:6443' })
    .map(({ subject, demanded, seen, result }) => [subject, demanded, seen, result].join('; '));

it('names the Service by its address and its names, each in full', () => {
  const leaf = leafOf(['kubernetes', '*.default.svc', 'kube*.example'], ['10.96.0.1', 'fd00::1']);
  const seen = (host: string) => told(host, leaf)[0]?.split('; ').at(-1);
  for (const host of ['10.96.0.1', 'fd00::1', 'kubernetes', 'kubernetes.default.svc'])
    assert.equal(seen(host), 'met', host);
  for (const host of [
    '10.96.0.10',
    'fd00::10',
    'kubernetes.default.svc.cluster.local',
    'default',
    'kubernetes.example',
  ])
    assert.equal(seen(host), 'unmet', host);
  assert.deepEqual(told('kubernetes', leafOf(['a'], [])), [
    'the certificate of https://a:6443; names its Service kubernetes; it does not; unmet',
  ]);
  assert.match(told('kubernetes', leafOf([], ['10.96.0.1'], 'kubernetes'))[0] ?? '', /unmet$/, 'a common name is none');
});

it('knows the name in the domain where something says it', () => {
  assert.deepEqual(serviceNames(''), ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc']);
  assert.equal(serviceNames('a.example')[3], 'kubernetes.default.svc.a.example');
});

it('is vouched for by what Pods are given, through an authority between them, too', () => {
  const { pem } = authority.certificate;
  const other = createAuthority({ commonName: 'kubernetes', key: 'ECDSA-P256', now }).certificate.pem;
  const leaf = leafOf(['a'], []);
  assert.equal(vouchedFor(leaf, other + pem), true);
  assert.equal(vouchedFor(leaf, other), false);
  assert.equal(vouchedFor(other, pem), false);
  assert.equal(vouchedFor(other + leaf, pem), true);
  assert.equal(vouchedFor('', pem), false);
});
