import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ConfigMap } from '../../kubernetes/objects.js';
import { publishedServer } from './published-server.js';

const map = (kubeconfig: string, key = 'kubeconfig'): ConfigMap => ({
  metadata: { name: 'cluster-info' },
  data: { [key]: kubeconfig },
});
const cluster = (server: string, data = ''): string =>
  `{ name: "", cluster: { server: "${server}", certificate-authority-data: "${data}" } }`;
const NOTHING = { server: '', host: '', authorities: '' };
const PEM = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';

describe('cluster-info', () => {
  it('names the API server and its authorities by its first cluster', () => {
    const data = Buffer.from(PEM).toString('base64');
    const own = cluster('https://a.example:6443', data);
    assert.deepEqual(publishedServer(map(`clusters: [${own}, ${cluster('https://b.example:6443')}]`)), {
      server: 'https://a.example:6443',
      host: 'a.example',
      authorities: PEM,
    });
    assert.deepEqual(publishedServer(map(`clusters: [${cluster('https://[2001:db8::1]:6443')}]`)), {
      server: 'https://[2001:db8::1]:6443',
      host: '2001:db8::1',
      authorities: '',
    });
  });

  it('says nothing where it is not there, or of another form', () => {
    for (const other of [
      undefined,
      { metadata: { name: 'cluster-info' } },
      map(`clusters: [${cluster('https://a')}]`, 'config'),
      map('clusters: []'),
      map('clusters: { a: 1 }'),
      map('- a'),
      map('"'),
      map('clusters: [{ cluster: { server: 1, certificate-authority-data: [a] } }]'),
    ])
      assert.deepEqual(publishedServer(other), NOTHING);
  });
});
