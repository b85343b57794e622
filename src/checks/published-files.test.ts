import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { filesBelongTogether, valuesLetJoin } from './published-files.js';

type Flags = Readonly<Record<string, string>>;
const PKI = '/etc/kubernetes/pki';
const API: Flags = {
  'client-ca-file': `${PKI}/ca.crt`,
  'requestheader-client-ca-file': `${PKI}/front-proxy-ca.crt`,
  'tls-cert-file': `${PKI}/apiserver.crt`,
  'tls-private-key-file': `${PKI}/apiserver.key`,
  'etcd-certfile': `${PKI}/apiserver-etcd-client.crt`,
  'etcd-keyfile': `${PKI}/apiserver-etcd-client.key`,
  'service-account-key-file': `${PKI}/sa.pub`,
  'service-account-signing-key-file': `${PKI}/sa.key`,
  'etcd-servers': 'https://127.0.0.1:2379',
  'advertise-address': '192.0.2.1',
};
const MANAGER: Flags = {
  'client-ca-file': `${PKI}/ca.crt`,
  'root-ca-file': `${PKI}/ca.crt`,
  'cluster-signing-cert-file': `${PKI}/ca.crt`,
  'cluster-signing-key-file': `${PKI}/ca.key`,
  'service-account-private-key-file': `${PKI}/sa.key`,
  controllers: '*,bootstrapsigner,tokencleaner',
};
const line = (program: string, flags: Flags) => [{ subject: 'Pod p', program, flags }];
const files = (program: string, flags: Flags): string => {
  const [found] = filesBelongTogether.judge(line(program, flags), undefined);
  return `${found?.result}: ${found?.seen}`;
};
const values = (program: string, flags: Flags): readonly string[] =>
  valuesLetJoin.judge(line(program, flags), undefined).map(({ result, seen }) => `${result}: ${seen}`);
const FINE = 'met: nothing shows otherwise';

describe('files that Pods of a control plane name', () => {
  it('belong together', () => {
    for (const [program, flags] of [
      ['kube-apiserver', API],
      ['kube-controller-manager', MANAGER],
      ['kube-scheduler', {}],
      // an authority that somebody else keeps, and names of others
      ['kube-controller-manager', { ...MANAGER, 'cluster-signing-cert-file': '', 'cluster-signing-key-file': '' }],
      ['kube-controller-manager', { ...MANAGER, 'cluster-signing-key-file': '/etc/keys/root.pem' }],
      ['kube-apiserver', { ...API, 'client-ca-file': '/etc/ssl/clients.pem' }],
    ] as const)
      assert.equal(files(program, flags), FINE);
  });

  it('are told where they are of two pairs, or for something else', () => {
    const told = (program: string, base: Flags, flag: string, value: string): void =>
      assert.match(files(program, { ...base, [flag]: value }), new RegExp(`^unmet: .*--${flag}`));
    told('kube-apiserver', API, 'tls-private-key-file', `${PKI}/ca.key`);
    told('kube-apiserver', API, 'client-ca-file', `${PKI}/front-proxy-ca.crt`);
    told('kube-apiserver', API, 'requestheader-client-ca-file', `${PKI}/etcd/ca.crt`);
    told('kube-apiserver', API, 'service-account-signing-key-file', `${PKI}/ca.key`);
    told('kube-controller-manager', MANAGER, 'cluster-signing-key-file', `${PKI}/front-proxy-ca.key`);
    told('kube-controller-manager', MANAGER, 'cluster-signing-cert-file', `${PKI}/etcd/ca.crt`);
    told('kube-controller-manager', MANAGER, 'cluster-signing-kubelet-client-cert-file', `${PKI}/front-proxy-ca.crt`);
    told('kube-controller-manager', MANAGER, 'root-ca-file', `${PKI}/front-proxy-ca.crt`);
    told('kube-controller-manager', MANAGER, 'service-account-private-key-file', `${PKI}/ca.key`);
    assert.equal(
      files('kube-controller-manager', { ...MANAGER, 'cluster-signing-key-file': '' }),
      'unmet: --cluster-signing-cert-file without its half',
    );
  });
});

describe('values that Pods of a control plane show', () => {
  const UNBROKEN = 'met: it does not';

  it('let machines become nodes', () => {
    assert.deepEqual(values('kube-apiserver', API), [FINE, UNBROKEN]);
    assert.deepEqual(values('kube-controller-manager', MANAGER), [FINE, UNBROKEN]);
    assert.deepEqual(values('kube-scheduler', {}), [FINE, UNBROKEN]);
    const modest = { 'cluster-signing-duration': '87600h', 'node-monitor-grace-period': '16s' };
    assert.deepEqual(values('kube-controller-manager', { ...MANAGER, ...modest }), [FINE, UNBROKEN]);
    assert.deepEqual(values('kube-apiserver', { ...API, 'insecure-port': '0' }), [FINE, UNBROKEN]);
  });

  it('are told where they do not', () => {
    const told = (program: string, flags: Flags, seen: RegExp): void =>
      assert.match(values(program, flags)[0] ?? '', seen);
    const manager = (flags: Flags, seen: RegExp): void =>
      told('kube-controller-manager', { ...MANAGER, ...flags }, seen);
    const api = (flags: Flags, seen: RegExp): void => told('kube-apiserver', { ...API, ...flags }, seen);
    manager({ controllers: '*,-csrcleaner' }, /^unmet: --controllers=\*,-csrcleaner: requests that nobody decides/);
    manager({ controllers: '*,-certificatesigningrequest-cleaner-controller' }, /^unmet: .*requests/);
    manager({ controllers: '*,-node-lifecycle-controller' }, /^unmet: .*tainted/);
    manager({ controllers: 'csrcleaner,nodelifecycle,serviceaccount' }, /^unmet: .*Pods of new nodes/);
    manager({ 'root-ca-file': '' }, /^unmet: no --root-ca-file/);
    manager({ 'cluster-signing-duration': '876000h0m0s' }, /^unmet: .*never end/);
    manager({ 'node-monitor-grace-period': '5s' }, /^unmet: .*dead/);
    api({ 'advertise-address': '127.0.0.1' }, /^unmet: --advertise-address/);
    api({ 'insecure-port': '8080' }, /^unmet: --insecure-port/);
    api({ 'etcd-servers': 'http://127.0.0.1:2379,http://192.0.2.9:2379' }, /^unmet: --etcd-servers=http:\/\/192/);
    assert.equal(values('kube-apiserver', { 'tls-min-version': 'VersionTLS10' })[1], 'unmet: VersionTLS10');
    assert.equal(values('etcd', { 'cipher-suites': 'TLS_RSA_WITH_RC4_128_SHA' })[1], 'unmet: TLS_RSA_WITH_RC4_128_SHA');
  });
});
