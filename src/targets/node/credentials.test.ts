import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { credentialsIn } from './credentials.js';

const values = (text: string): readonly string[] => credentialsIn(text).values;

describe('credentials in a file of a node', () => {
  it('stand beside their names, in YAML, JSON and flags', () => {
    for (const text of [
      'users:\n- user:\n    token: own1Token2Of3Somebody\n',
      '{"user":{"token":"own1Token2Of3Somebody"}}',
      'users: [{user: {token: own1Token2Of3Somebody}}]',
      'KUBELET_KUBEADM_ARGS="--token=own1Token2Of3Somebody"',
      '    password: "own1Token2Of3Somebody" # theirs\n',
      '- --etcd-password=own1Token2Of3Somebody\n',
    ])
      assert.deepEqual(values(text), ['own1Token2Of3Somebody'], text);
    assert.deepEqual(values('token: 0f0e0d0c-0b0a-4908-8706-050403020100'), ['0f0e0d0c-0b0a-4908-8706-050403020100']);
    assert.deepEqual(values('password: S3cret!word'), ['S3cret!word']);
    assert.deepEqual(values(`token: ${'a-1.'.repeat(10)}`), ['a-1.'.repeat(10)]);
  });
  it('are the halves that log in of bootstrap tokens', () => {
    assert.deepEqual(credentialsIn('token: abcdef.n4kd93jx71mzpw0r\n'), { values: [], halves: ['n4kd93jx71mzpw0r'] });
  });
  it('are no words, names, paths or numbers, whoever says so', () => {
    for (const word of [
      'conformant',
      'ClusterConfiguration',
      'APIAUTH-022',
      'CERTKEY-001',
      'kube-apiserver-1',
      'node-files/5-api-server.feature:12',
      '/etc/kubernetes/pki/ca2.key',
      '12345678901234',
      'a1b2c3',
    ])
      assert.deepEqual(values(`token: ${word}\npassword: "${word}"\n`), [], word);
    assert.deepEqual(values('tokens: own1Token2Of3Somebody\nxtoken: own1Token2Of3Somebody\n'), []);
  });
  it('are found in time that grows with the text', () => {
    for (const text of ['token:'.repeat(200_000), `token: ${'a1'.repeat(500_000)}`, 'token = '.repeat(100_000)])
      assert.ok(values(text).length <= 1);
  });
});
