import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { base64 } from '../kubernetes/json.js';
import { createCertificate } from '../pki/certificate.js';
import { generateKey } from '../pki/keys.js';
import { copiesAlike, readCopyTold } from './cluster-info-copies.js';

const authority = (): string => {
  const key = generateKey('ECDSA-P256');
  const subject = { commonName: 'kubernetes' };
  return createCertificate({ subject, publicKey: key, signingKey: key, notBefore: 0, notAfter: 4_000_000_000_000 }).pem;
};
const [OWN, OTHER] = [authority(), authority()];
const SERVER = 'https://192.0.2.1:6443';
const ELSEWHERE = 'https://203.0.113.9:6443';

const config = (server: string, ca: string, more = ''): string =>
  `clusters:\n- cluster: {server: "${server}", certificate-authority-data: "${base64(ca)}"${more}}\n  name: a\n`;
const told = (place: string, kubeconfig: string, published = { server: SERVER, authorities: OWN }) => {
  const [namespace = '', name = ''] = place.split('/');
  const read = readCopyTold({ metadata: { name, namespace }, data: { kubeconfig } } as never);
  return copiesAlike
    .judge({ told: read === undefined ? [] : [read], seen: 1 }, published)
    .filter(({ role }) => role === 'demand')
    .map(({ result, subject, seen }) => `${result}: ${subject}: ${seen}`);
};
const NONE = ['met: ConfigMaps: none of 1 differs'];

describe('what tells of a cluster beside cluster-info', () => {
  it('names no other authority for its server', () => {
    for (const place of ['a/kubeconfig', 'default/cluster-info', 'kube-public/other']) {
      const unmet = [`unmet: ConfigMap ${place}: data.kubeconfig: for 192.0.2.1:6443 another authority`];
      assert.deepEqual(told(place, config(SERVER, OTHER)), unmet);
      assert.deepEqual(told(place, config(SERVER, OWN)), NONE);
      assert.deepEqual(told(place, config(SERVER, OTHER + OWN)), NONE);
      assert.deepEqual(told(place, config(SERVER, '', ', insecure-skip-tls-verify: true')), [
        `unmet: ConfigMap ${place}: data.kubeconfig: whoever answers at 192.0.2.1:6443 is believed`,
      ]);
    }
  });

  it('is called as it only where it says the same', () => {
    assert.deepEqual(told('default/cluster-info', config(ELSEWHERE, OWN)), [
      'unmet: ConfigMap default/cluster-info: data.kubeconfig: another server, 203.0.113.9:6443',
    ]);
    assert.deepEqual(told('kube-public/other', config(ELSEWHERE, OTHER)), [
      'unmet: ConfigMap kube-public/other: data.kubeconfig: for 203.0.113.9:6443 another authority',
    ]);
    assert.deepEqual(told('kube-public/other', config(ELSEWHERE, OWN)), NONE);
    assert.deepEqual(told('a/clusters', config(ELSEWHERE, OTHER)), NONE);
    assert.deepEqual(told('kube-public/cluster-info', config(ELSEWHERE, OTHER)), NONE);
  });

  it('is read where it can be', () => {
    for (const written of ['', 'clusters: [}', 'clusters: x', 'server: y', 'clusters: [{}]'])
      assert.deepEqual(told('a/b', written), NONE, written);
    assert.deepEqual(told('a/b', config(SERVER, OTHER), { server: '', authorities: OWN }), []);
    assert.deepEqual(told('a/b', config(SERVER, OTHER), { server: SERVER, authorities: '' }), []);
  });
});
