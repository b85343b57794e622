import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { credentialsWrittenIn } from './written-credentials.js';

const kubeconfig = (user: string): string =>
  `apiVersion: v1\nkind: Config\nclusters:\n- name: a\n  cluster: {server: "https://192.0.2.1:6443"}\nusers:\n- name: b\n  user: ${user}\n`;
const encryption = (secret: string): string =>
  `kind: EncryptionConfiguration\nresources:\n- providers:\n  - aescbc: {keys: [{name: a, secret: ${secret}}]}\n`;
const told = (written: string, path = 'data.x'): readonly string[] => credentialsWrittenIn(path, written);

describe('a credential that is written where others read', () => {
  it('is told of users of a kubeconfig, in YAML and in JSON', () => {
    assert.deepEqual(told(kubeconfig('{username: admin, password: hunter2}')), ['a password of a kubeconfig']);
    assert.deepEqual(told(kubeconfig('{token: 0123456789abcdef}')), ['a token of a kubeconfig']);
    assert.deepEqual(told(JSON.stringify({ clusters: [], users: [{ user: { token: '0123456789' } }] })), [
      'a token of a kubeconfig',
    ]);
    for (const user of ['{}', '{token: ""}', '{token: "$TOKEN"}', '{password: "<password>"}', '{tokenFile: /t}'])
      assert.deepEqual(told(kubeconfig(user)), [], user);
    assert.deepEqual(told(kubeconfig('{token: eyJhbGciOiJSUzI1NiJ9.e30.x}')), []);
    assert.deepEqual(told('users: [{user: {token: abcdefgh}}]'), []);
    assert.deepEqual(told('clusters: [}\nusers: x'), []);
  });

  it('is told of keys that encrypt at rest', () => {
    const key = Buffer.alloc(32, 7).toString('base64');
    assert.deepEqual(told(encryption(key)), ['a key that encrypts at rest']);
    assert.deepEqual(told(encryption(JSON.stringify(key))), ['a key that encrypts at rest']);
    for (const one of ['<base64>', '$(KEY)', 'c2hvcnQ=']) assert.deepEqual(told(encryption(one)), []);
    assert.deepEqual(told(encryption(key).replace('EncryptionConfiguration', 'Other')), []);
  });

  it('is told of lines of a token file', () => {
    const line = ['a line of a token file'];
    assert.deepEqual(told('0123456789abcdef,kubelet-bootstrap,10001,"system:bootstrappers"'), line);
    assert.deepEqual(told('# users\n0123456789abcdef,root,,"a,system:masters"\n'), line);
    for (const one of [
      '<token>,kubelet-bootstrap,1,"system:bootstrappers"',
      'a,b,c,d',
      'x,system:masters',
      'p,alice,role:admin',
    ])
      assert.deepEqual(told(one), [], one);
  });

  it('is told of certificate keys by their name', () => {
    const key = '0f'.repeat(32);
    for (const path of ['data.certificate-key', 'data.certificateKey', 'data.CERTIFICATE_KEY'])
      assert.deepEqual(told(key, path), ['a certificate key of kubeadm']);
    assert.deepEqual(told(key, 'data.checksum'), []);
    assert.deepEqual(told('see the log', 'data.certificate-key'), []);
  });
});
