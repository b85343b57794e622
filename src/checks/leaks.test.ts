import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject, Secret } from '../kubernetes/objects.js';
import { judgeLeaks } from './leaks.js';

const HALF = 'k3v8w1m5x9z2q7r4';
const base64 = (text: string, encoding: BufferEncoding = 'utf8'): string =>
  Buffer.from(text, encoding).toString('base64');
const secret: Secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  type: 'bootstrap.kubernetes.io/token',
  metadata: { name: 'bootstrap-token-abc123', namespace: 'kube-system' },
  data: { 'token-id': base64('abc123'), 'token-secret': base64(HALF) },
};
const verdictOn = (object: KubeObject): string => judgeLeaks([secret], [object]).kind;
const configMap = (value: string): KubeObject => ({
  kind: 'ConfigMap',
  metadata: { name: 'x', namespace: 'default' },
  data: { value },
});

test('a secret half is found plainly and at every alignment of base64', () => {
  assert.equal(verdictOn(configMap(`join --token abc123.${HALF}`)), 'failed');
  for (const before of ['', 'a', 'ab', 'abc'])
    assert.equal(verdictOn(configMap(base64(`${before}${HALF} and more`))), 'failed', `after "${before}"`);
});

test('a secret half is found inside a certificate request, two wrappings deep', () => {
  const der = `\u00300\u0006${HALF}\u0000\u00ff`;
  const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${base64(der, 'latin1')}\n-----END CERTIFICATE REQUEST-----\n`;
  const request: KubeObject = {
    kind: 'CertificateSigningRequest',
    metadata: { name: 'csr-1' },
    spec: { request: base64(pem) },
  };
  assert.equal(verdictOn(request), 'failed');
});

test('the id, which is public, and other texts are no leak', () => {
  assert.equal(verdictOn(configMap('jws-kubeconfig-abc123')), 'passed');
  assert.equal(verdictOn({ kind: 'Node', metadata: { name: 'n' }, spec: {} }), 'passed');
});
