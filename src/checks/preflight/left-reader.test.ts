import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createAuthority, issueCredential } from '../../pki/authority.js';
import { generateKey, privateKeyPem, publicKeyPem } from '../../pki/keys.js';
import { KEY_ALONE, readLeft, readMade } from './left-reader.js';

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

  it('is of a kubeconfig whom it asks, as whom, and by which authority, of the context that it goes by', () => {
    const client = issueCredential(authority, {
      subject: { commonName: 'kubernetes-admin', organizations: ['kubeadm:cluster-admins'] },
      key: 'ECDSA-P384',
      now: NOW,
      validity: 365 * DAY,
      extendedKeyUsage: ['clientAuth'],
    });
    const data = (text: string): string => Buffer.from(text).toString('base64');
    const told = (user: object, cluster: object = {}): readonly string[] => {
      const config = {
        'current-context': 'admin@k',
        contexts: [
          { name: 'other', context: { cluster: 'other', user: 'other' } },
          { name: 'admin@k', context: { cluster: 'k', user: 'admin' } },
        ],
        clusters: [
          { name: 'other', cluster: { server: 'https://b:1', 'certificate-authority-data': data('x') } },
          { name: 'k', cluster: { server: 'https://a:1', ...cluster } },
        ],
        users: [
          { name: 'other', user: {} },
          { name: 'admin', user },
        ],
      };
      const left = [...run.left, { path: '/etc/kubernetes/admin.conf', mode: 0o600, text: JSON.stringify(config) }];
      return readLeft({ ...run, left }, 'admin.conf').facts ?? [];
    };
    const head = ['mode 600', 'asks https://a:1', 'cluster k', 'context admin@k'];
    const within = {
      'client-certificate-data': data(client.certificatePem + authority.certificate.pem),
      'client-key-data': data(client.keyPem),
    };
    assert.deepEqual(told(within, { 'certificate-authority-data': data(authority.certificate.pem) }), [
      ...head,
      'believes pki/ca.crt',
      'CN=kubernetes-admin',
      'O=kubeadm:cluster-admins',
      'usage clientAuth',
      'key usage digitalSignature',
      'key usage keyEncipherment',
      'lives 365 days',
      'key ec secp384r1',
      'signed by pki/ca.crt',
      'begins with pki/ca.crt',
      'has its key',
      'a key within',
    ]);
    assert.deepEqual(told({}), [...head, 'no certificate']);
    assert.deepEqual(
      told({ 'client-certificate': '/c.pem' }, { 'certificate-authority-data': data(made.certificatePem) }),
      [...head, 'no certificate', 'client-certificate in /c.pem'],
    );
    const other = { ...within, 'client-key-data': data(privateKeyPem(account)) };
    assert.deepEqual(told(other).slice(-2), ['begins with pki/ca.crt', 'a key within']);
    const later = issueCredential(authority, { subject: { commonName: 'a' }, key: 'ECDSA-P256', now: NOW + DAY });
    const late = told({ 'client-certificate-data': data(later.certificatePem), 'client-key-data': data(later.keyPem) });
    assert.ok(late.includes('signed by pki/ca.crt') && !late.includes('begins with pki/ca.crt'), late.join());
    // what only begins then is of nobody here
    const strange = createAuthority({ commonName: 'kubernetes', key: 'ECDSA-P256', now: NOW });
    const its = issueCredential(strange, { subject: { commonName: 'a' }, key: 'ECDSA-P256', now: NOW });
    const said = told({ 'client-certificate-data': data(its.certificatePem) });
    assert.deepEqual(
      said.filter((one) => /^(?:signed|begins)/.test(one)),
      [],
    );
  });

  const left = (name: string, text: string, mode = 0o644): readonly string[] =>
    readLeft({ ...run, left: [...run.left, { path: name, mode, text }] }, name).facts ?? [];

  it('is of a certificate how far it goes as an authority, and of RSA how long its key is', () => {
    const rsa = createAuthority({ commonName: 'kubernetes', key: 'RSA-2048', now: NOW, validity: 2 * DAY });
    assert.deepEqual(left('/srv/a.crt', rsa.certificate.pem), [
      'mode 644',
      'CN=kubernetes',
      'for kubernetes',
      'key usage digitalSignature',
      'key usage keyEncipherment',
      'key usage keyCertSign',
      'an authority',
      'lives 2 days',
      'key rsa 2048',
    ]);
    for (const none of ['', 'a', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'])
      assert.deepEqual(left('/srv/a.crt', none), ['mode 644', 'no certificate'], none);
    assert.deepEqual(left('/srv/a.key', 'a'), ['mode 644', 'no key']);
  });

  it('is of flags each, of settings each leaf, and of other files how open they are', () => {
    assert.deepEqual(left('/var/lib/kubelet/a.env', 'ARGS="--a=b --c"\n'), ['mode 644', '--a=b', '--c']);
    assert.deepEqual(left('/var/lib/kubelet/a.env', 'ARGS=\n', 0o600), ['mode 600', '']);
    assert.deepEqual(left('/srv/a.txt', 'kind: Pod\n'), ['mode 644']);
    assert.deepEqual(left('/srv/a.yaml', 'kind: K\na: {b: 1, c: [x, {d: e}]}\nn: null\n'), [
      'mode 644',
      'kind: K',
      'b: 1',
      'x',
      'd: e',
      'n: null',
    ]);
  });

  const POD = `
kind: Pod
metadata: {name: kube-apiserver, namespace: kube-system, annotations: {a/b: c}, labels: {tier: control-plane}}
spec:
  hostNetwork: true
  priorityClassName: system-node-critical
  securityContext: {seccompProfile: {type: RuntimeDefault}}
  containers:
  - command: [kube-apiserver, --a=b]
    image: registry.example/k/kube-apiserver:v1.36.0
    imagePullPolicy: IfNotPresent
    env: [{name: A, value: b}]
    securityContext: {privileged: true}
    resources: {requests: {cpu: 250m}}
    livenessProbe: {failureThreshold: 8, periodSeconds: 10, httpGet: {path: /livez}}
    readinessProbe: {periodSeconds: 1, httpGet: {path: /readyz}}
    startupProbe: {failureThreshold: 24, periodSeconds: 5, httpGet: {path: /startz, host: 192.0.2.1, port: 6443}}
    volumeMounts:
    - {name: certs, mountPath: /certs, readOnly: true}
    - {name: data, mountPath: /data}
  volumes:
  - {name: data, hostPath: {path: /var/lib/data, type: DirectoryOrCreate}}
  - {name: certs, hostPath: {path: /etc/pki, type: Directory}}
`;
  it('is of a static Pod what it runs, mounts, and is asked by', () => {
    assert.deepEqual(left('/srv/a.yaml', POD), [
      'mode 644',
      'Pod kube-system/kube-apiserver',
      'annotation a/b=c',
      'label tier=control-plane',
      'kube-apiserver',
      '--a=b',
      'image: registry.example/k/kube-apiserver:v1.36.0',
      'image from registry.example/k',
      'env A=b',
      'mounts /etc/pki (Directory) at /certs, read-only',
      'mounts /var/lib/data (DirectoryOrCreate) at /data',
      'fails 24 times at its start',
      'alive at /livez',
      'ready at /readyz',
      'started at /startz',
      'asked every 10, 1, 5 s',
      'pulls IfNotPresent',
      'asks for cpu 250m',
      'lives on after 7 failures',
      'priority class system-node-critical',
      'seccomp RuntimeDefault',
      'on the network of its machine',
      'privileged',
      'probe path: /startz',
      'probe host: 192.0.2.1',
      'probe port: 6443',
    ]);
    const bare = left('/srv/a.yaml', 'kind: Pod\nspec: {containers: [{image: a}]}\n');
    assert.ok(bare.includes('not privileged') && bare.includes('asked every none, none, none s'), bare.join('; '));
    assert.ok(!bare.includes('on the network of its machine'));
  });

  it('is of all that it has made, and of keys whether another file has them', () => {
    const embedded = (key: string): string =>
      JSON.stringify({ users: [{ user: { 'client-key-data': Buffer.from(key).toString('base64') } }] });
    const yaml = `users:\n- user:\n    client-key-data: ${Buffer.from(privateKeyPem(account)).toString('base64')}\n`;
    const made = (files: Readonly<Record<string, string>>, ...also: readonly string[]) =>
      readMade({
        ...run,
        written: [...Object.keys(files).map((name) => `/etc/kubernetes/${name}`), ...also],
        left: Object.entries(files).map(([name, text]) => ({ path: `/etc/kubernetes/${name}`, mode: 0o600, text })),
      });
    const alone = (files: Readonly<Record<string, string>>): readonly string[] =>
      made(files).flatMap(({ file, facts }) => (facts?.includes(KEY_ALONE) ? file : []));
    const [one, two] = [privateKeyPem(account), privateKeyPem(generateKey('ECDSA-P256'))];
    assert.deepEqual(alone({ 'a.key': one, 'b.key': two }), ['a.key', 'b.key']);
    for (const other of [embedded(one), yaml])
      assert.deepEqual(alone({ 'a.key': one, 'b.conf': other, 'c.key': two }), ['c.key'], other);
    assert.deepEqual(alone({ 'a.key': one, 'b.keys': one }), ['a.key']);
    assert.deepEqual(
      made({ 'a.key': one, 'a.keys': one, 'a.confs': '' }, '/srv/b.crt', '/srv/c.crts').map(({ file }) => file),
      ['a.key', '/srv/b.crt'],
    );
    assert.equal(made({}, '/srv/b.crt')[0]?.facts, null);
  });

  it('is nothing of a file that is not there', () => assert.equal(readLeft(run, 'pki/none.crt').facts, null));
});
