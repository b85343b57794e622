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
    assert.deepEqual(told(kubeconfig('{password: a, token: b}')), [
      'a password of a kubeconfig',
      'a token of a kubeconfig',
    ]);
    // blanks before a colon, quotes of either kind, keys said twice, and anchors
    for (const written of [
      'clusters : []\nusers  : [{user: {token: abcdefgh}}]',
      "'clusters' : []\n'users' : [{user: {token: abcdefgh}}]",
      'clusters: []\nclusters: []\nusers: [{user: {token: abcdefgh, token: ijklmnop}}]',
      'clusters: []\nusers: [{user: &u {token: abcdefgh}}, {user: *u}]',
    ])
      assert.deepEqual(told(written), ['a token of a kubeconfig'], written);
    for (const [word, result] of [
      ...[
        '<a>',
        '{{ .Token }}',
        '%TOKEN%',
        '"****"',
        '__TOKEN__',
        'REDACTED',
        'changeme',
        'change-me',
        'my-placeholder',
      ],
      ...['an-example', 'your-token'],
    ].map((one) => [one, 0] as const))
      assert.equal(told(kubeconfig(`{token: '${word.replaceAll('"', '')}'}`)).length, result, word);
  });

  it('is told of keys that encrypt at rest', () => {
    const key = Buffer.alloc(32, 7).toString('base64');
    assert.deepEqual(told(encryption(key)), ['a key that encrypts at rest']);
    assert.deepEqual(told(encryption(JSON.stringify(key))), ['a key that encrypts at rest']);
    for (const one of ['<base64>', '$(KEY)', 'c2hvcnQ=']) assert.deepEqual(told(encryption(one)), []);
    assert.deepEqual(told(encryption(key).replace('EncryptionConfiguration', 'Other')), []);
    for (const bytes of [16, 24, 32])
      assert.equal(told(encryption(Buffer.alloc(bytes, 7).toString('base64'))).length, 1, `${bytes}`);
    for (const bytes of [17, 31, 33, 48])
      assert.deepEqual(told(encryption(Buffer.alloc(bytes, 7).toString('base64'))), []);
    for (const kind of [
      '"kind": "EncryptionConfig"',
      "kind:   'EncryptionConfig'",
      'kind : EncryptionConfig',
      "'kind':EncryptionConfig",
    ])
      for (const secret of [`"secret": "${key}"`, `'secret':   '${key}'`, `secret:${key}`])
        assert.equal(told(`{${kind}, "keys": [{${secret}}]}`).length, 1, `${kind} ${secret}`);
    // more than a key, and what names none
    assert.deepEqual(told(encryption(`${key}${key}${key}`)), []);
    assert.deepEqual(told(encryption(key).replace('secret', 'name')), []);
  });

  it('is told of lines of a token file', () => {
    const line = ['a line of a token file'];
    assert.deepEqual(told('0123456789abcdef,kubelet-bootstrap,10001,"system:bootstrappers"'), line);
    assert.deepEqual(told('# users\n0123456789abcdef,root,,"a,system:masters"\n'), line);
    assert.deepEqual(told('0123456789abcdef,root,1,system:masters'), line);
    // what stands open behind the token is no token
    assert.deepEqual(told('0123456789abcdef,your-user,1,system:nodes'), line);
    for (const one of [
      '<token>,kubelet-bootstrap,1,"system:bootstrappers"',
      'a,b,c,d',
      'x,system:masters',
      'p,alice,role:admin',
      // of less than a line, of what is commented out, and of groups that only begin so
      'x 0123456789abcdef,root',
      '# 0123456789abcdef,root,1,"system:masters"',
      '#0123456789abcdef,root,1,"system:masters"',
      'a 0123456789abcdef,root,1,system:masters',
      '0123456789abcdef,root,1,system:masters-2',
      '0123456789abcdef,root,1,system:nodesx',
      '$TOKEN1234,root,1,system:masters',
    ])
      assert.deepEqual(told(one), [], one);
  });

  it('is told of certificate keys in configurations and commands', () => {
    const key = 'a1'.repeat(32);
    for (const written of [
      `controlPlane:\n  certificateKey: ${key}\n`,
      `{"certificateKey": "${key}"}`,
      `kubeadm init phase upload-certs --upload-certs --certificate-key ${key}`,
      `--certificate-key=${key.toUpperCase()}`,
      `export CERTIFICATE_KEY='${key}'`,
    ])
      assert.deepEqual(told(written), ['a certificate key of kubeadm'], written);
    for (const written of [
      `certificateKey: ${key}0`,
      `certificateKey: ${key.slice(1)}`,
      'certificateKey: <key>',
      `certificate ${key}`,
      `keyOfCertificate: ${key}`,
    ])
      assert.deepEqual(told(written), [], written);
  });

  it('is told of certificate keys by their name', () => {
    const key = '0f'.repeat(32);
    for (const path of ['data.certificate-key', 'data.certificateKey', 'data.CERTIFICATE_KEY'])
      assert.deepEqual(told(key, path), ['a certificate key of kubeadm']);
    for (const path of ['data.checksum', 'data.certificate-key-hash']) assert.deepEqual(told(key, path), [], path);
    assert.deepEqual(told(`${key.toUpperCase()}\n`, 'data.certificate.key'), ['a certificate key of kubeadm']);
    for (const written of [`x${key}`, `${key}0`, `${key}  \n`, `${key}-a`, key.slice(1)])
      assert.deepEqual(told(written, 'data.certificate-key'), [], written);
    assert.deepEqual(told('see the log', 'data.certificate-key'), []);
  });
});
