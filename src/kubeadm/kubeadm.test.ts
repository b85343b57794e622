import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { upstream } from '../reference/decisions.js';
import { kubeletConfigMap, kubeProxyConfigMap } from './configuration.js';
import { encryptEntry } from './copy-certs.js';
import { type InitFacts, parseRelease, since } from './facts.js';
import { createPki, issueClient, issueServing, pkiFiles, readPki } from './pki.js';
import { mirrorPod } from './static-pods.js';

const facts = (version: string, server = 'https://127.0.0.1:6443'): InitFacts => ({
  release: parseRelease(version),
  server,
  endpoint: server.replace('https://', ''),
  caPem: '-----BEGIN CERTIFICATE-----\n',
  keyAlgorithm: 'RSA-2048',
  nodeName: 'cp-1',
  advertiseAddress: '192.0.2.10',
  bindPort: 6443,
});
const hashOf = (object: {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
}): string | undefined => object.metadata.annotations?.['kubeadm.kubernetes.io/component-config.hash'];

describe('releases', () => {
  it('are read with and without v and patch', () => {
    assert.deepEqual(parseRelease('1.33'), { text: 'v1.33.0', minor: 33, patch: 0 });
    assert.deepEqual(parseRelease('v1.36.1'), { text: 'v1.36.1', minor: 36, patch: 1 });
  });
  for (const text of ['', 'v2.0.0', '1.24.0', 'v1.99.0', 'latest', '1.36.1.2']) {
    it(`refuses ${JSON.stringify(text)} with a sentence`, () =>
      assert.throws(() => parseRelease(text), /is no Kubernetes version that the reference plays/));
  }
  it('know backports', () => {
    const at = (text: string): boolean => since(parseRelease(text), 36, 1, { 35: 5, 34: 8, 33: 12 });
    assert.deepEqual(['1.36.0', '1.36.1', '1.35.4', '1.35.5', '1.34.8', '1.33.11', '1.33.12', '1.32.99'].map(at), [
      false,
      true,
      false,
      true,
      true,
      false,
      true,
      false,
    ]);
  });
});

describe('what kubeadm stores', () => {
  // The hashes that a real kubeadm computed over its own texts: equal hashes are equal bytes.
  it('is the kubelet configuration of 1.31 to the byte', () => {
    assert.equal(
      hashOf(kubeletConfigMap(facts('1.31.1'))),
      'sha256:899c230cbcdf566dbb9a10f53cb164093ffdf06654cb687a43698e4215a04c4b',
    );
  });
  it('is the kube-proxy configuration of 1.36 to the byte', () => {
    assert.equal(
      hashOf(kubeProxyConfigMap(facts('1.36.0', 'https://127.0.0.1:26443'))),
      'sha256:6837c569f686e108e7c2d5ea473972a1b23534c799dab7c3cd515edc3b147bf2',
    );
  });
  it('is cluster-info with preferences up to 1.33 only', () => {
    assert.match(upstream.clusterInfoKubeconfig(facts('1.33.0')), /\nkind: Config\npreferences: \{\}\nusers: null\n$/);
    assert.match(upstream.clusterInfoKubeconfig(facts('1.34.0')), /\nkind: Config\nusers: null\n$/);
  });
  it('are entries of kubeadm-certs: nonce, ciphertext, tag', () => {
    const key = Buffer.from(Array.from({ length: 32 }, (_, index) => index));
    const nonce = Buffer.from(Array.from({ length: 12 }, (_, index) => 16 + index));
    assert.equal(
      encryptEntry(Buffer.from('joinproof'), key, nonce).toString('hex'),
      '101112131415161718191a1b1791f17839bb55dcac27e051a6e97c6b9c15992d4cd6d575af',
    );
    assert.equal(
      encryptEntry(Buffer.alloc(0), key, nonce).toString('hex'),
      '101112131415161718191a1b018f5e9d66e6fbec03896ee4b1e8d030',
    );
  });
});

describe('tokens', () => {
  const now = Date.UTC(2026, 10, 21, 10, 3, 45, 678);
  it('live 24 h unless told otherwise; zero and less is for ever', () => {
    assert.equal(upstream.tokenExpires(upstream.defaultTokenTtl(), now), now + 86_400_000);
    assert.equal(upstream.tokenExpires(0, now), undefined);
    assert.equal(upstream.tokenExpires(-5, now), undefined);
  });
  it('become Secrets without what is empty', () => {
    const secret = upstream.tokenSecret({
      id: 'abcdef',
      secret: '0123456789abcdef',
      description: '',
      expires: now,
      usages: ['signing'],
      groups: [],
    });
    const plain = Object.fromEntries(
      Object.entries(secret.data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
    );
    assert.deepEqual(plain, {
      'token-id': 'abcdef',
      'token-secret': '0123456789abcdef',
      expiration: '2026-11-21T10:03:45Z',
      'usage-bootstrap-signing': 'true',
    });
  });
  it('are drawn evenly: bytes that would favour some characters are thrown away', () => {
    let calls = 0;
    const token = upstream.newToken((length) => Buffer.alloc(length, calls++ === 0 ? 255 : 10));
    assert.equal(token, 'aaaaaa.aaaaaaaaaaaaaaaa');
    assert.match(
      upstream.newToken((length) => crypto.getRandomValues(Buffer.alloc(length))),
      /^[a-z0-9]{6}\.[a-z0-9]{16}$/,
    );
  });
});

describe('keys and certificates', () => {
  it('come back from their files, and fit one another', async () => {
    const pki = await createPki('ECDSA-P256', Date.now());
    const again = readPki(pkiFiles(pki));
    assert.equal(again?.ca.certificate.pem, pki.ca.certificate.pem);
    assert.equal(readPki({ ...pkiFiles(pki), 'ca.key': pkiFiles(pki)['etcd/ca.key'] ?? '' }), undefined);
    const serving = issueServing(pki, {
      nodeName: 'cp-1',
      hosts: ['10.0.0.1', 'example.com'],
      key: 'ECDSA-P256',
      now: Date.now(),
    });
    assert.match(serving.certificatePem, /BEGIN CERTIFICATE/);
    const client = issueClient(pki, {
      commonName: 'kubernetes-admin',
      organizations: ['kubeadm:cluster-admins'],
      key: 'ECDSA-P256',
      now: Date.now(),
    });
    assert.match(client.keyPem, /BEGIN EC PRIVATE KEY/);
  });
});

describe('static Pods', () => {
  const node = { apiVersion: 'v1', kind: 'Node', name: 'cp-1', uid: 'u' };
  const commandOf = (
    component: Parameters<typeof mirrorPod>[0],
    version: string,
    extra: Parameters<typeof mirrorPod>[2] = {},
  ): readonly string[] => {
    const spec = mirrorPod(component, facts(version), extra, node, 'now').spec as {
      containers: { command: readonly string[] }[];
    };
    return spec.containers[0]?.command ?? [];
  };
  it('have kubeadm’s flags, sorted', () => {
    const command = commandOf('kube-apiserver', '1.36.1');
    assert.equal(command.length, 28);
    assert.deepEqual(command.slice(1), [...command.slice(1)].sort());
    assert.ok(command.includes('--enable-bootstrap-token-auth=true'));
    assert.equal(commandOf('kube-controller-manager', '1.36.1').length, 15);
    assert.equal(commandOf('kube-scheduler', '1.36.1').length, 6);
    assert.equal(commandOf('etcd', '1.36.1').length, 20);
  });
  it('take what the user adds behind the defaults, in place of them', () => {
    const command = commandOf('kube-controller-manager', '1.36.1', {
      'kube-controller-manager': { controllers: '*,tokencleaner', v: '2' },
    });
    assert.deepEqual(command.slice(-2), ['--controllers=*,tokencleaner', '--v=2']);
    assert.equal(command.filter((flag) => flag.startsWith('--controllers=')).length, 1);
  });
  it('follow their release', () => {
    assert.ok(commandOf('etcd', '1.33.0').includes('--experimental-watch-progress-notify-interval=5s'));
  });
});
