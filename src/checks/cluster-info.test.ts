import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createAuthority } from '../pki/authority.js';
import {
  clusterEntries,
  judgeAddress,
  judgeAuthority,
  judgeClusterEntry,
  judgeClusterOnly,
  judgeKeys,
  judgeKubeconfig,
  judgeNoCredentials,
  judgeNotInsecure,
  namesHost,
  type Published,
  publishedBy,
} from './cluster-info.js';

const { pem } = createAuthority({ commonName: 'kubernetes', key: 'ECDSA-P256', now: Date.now() }).certificate;
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const TEXT = [
  'apiVersion: v1',
  'clusters:',
  '- cluster:',
  `    certificate-authority-data: ${base64(pem)}`,
  '    server: https://10.138.0.2:6443',
  '  name: ""',
  'contexts: null',
  'current-context: ""',
  'kind: Config',
  'users: null',
  '',
].join('\n');

const published = (text: string): Published =>
  publishedBy({ metadata: { name: 'cluster-info' }, data: { kubeconfig: text } });
function fields(text: string): Parameters<typeof judgeClusterOnly>[0] {
  const found = published(text);
  assert.ok('kubeconfig' in found);
  return found.kubeconfig;
}

describe('the published kubeconfig', () => {
  it('passes as kubeadm writes it, up to 1.33 and since', () => {
    for (const text of [TEXT, TEXT.replace('users: null', 'preferences: {}\nusers: []')]) {
      assert.equal(judgeKubeconfig(published(text)).kind, 'passed');
      for (const judge of [judgeClusterOnly, judgeNoCredentials, judgeClusterEntry, judgeAuthority, judgeNotInsecure])
        assert.equal(judge(fields(text)).kind, 'passed', judge.name);
    }
  });

  it('is none where it is quoted, missing, a list or broken', () => {
    for (const text of [JSON.stringify(TEXT), '- a', '{', ''])
      assert.equal(judgeKubeconfig(published(text)).kind, 'failed', text);
    assert.equal(judgeKubeconfig(publishedBy({ metadata: {}, data: { config: TEXT } })).kind, 'failed');
    assert.equal(judgeKubeconfig(published(TEXT.replace('kind: Config', 'kind: Pod'))).kind, 'failed');
  });

  it('is of nobody', () => {
    assert.equal(judgeClusterOnly(fields(TEXT.replace('contexts: null', 'contexts: [{name: a}]'))).kind, 'failed');
    assert.equal(judgeClusterOnly(fields(TEXT.replace('current-context: ""', 'current-context: a'))).kind, 'failed');
  });

  it('hides no credential, at any depth, and names places instead of values', () => {
    const key = base64('-----BEGIN RSA PRIVATE KEY-----\nMIIE');
    for (const users of [
      '[{name: a, user: {token: hunter2}}]',
      '[{user: {exec: {command: x}}}]',
      `[{user: {client-key-data: ${key}}}]`,
      `[{user: {odd: ${key}}}]`,
    ]) {
      const verdict = judgeNoCredentials(fields(TEXT.replace('users: null', `users: ${users}`)));
      assert.equal(verdict.kind, 'failed', users);
      assert.ok(!JSON.stringify(verdict).includes('hunter2'));
    }
  });

  it('has a cluster with a CA', () => {
    assert.equal(judgeClusterEntry(fields('apiVersion: v1\nkind: Config\nclusters: []\n')).kind, 'failed');
    assert.equal(
      judgeAuthority(
        fields(TEXT.replace(/certificate-authority-data: .*/, 'certificate-authority: /etc/kubernetes/pki/ca.crt')),
      ).kind,
      'failed',
    );
    assert.equal(judgeAuthority(fields(TEXT.replace(base64(pem), base64('no PEM')))).kind, 'failed');
    assert.equal(
      judgeNotInsecure(fields(TEXT.replace('    server', '    insecure-skip-tls-verify: true\n    server'))).kind,
      'failed',
    );
  });

  it('has an address for other machines', () => {
    const ok = (server: string, reached = 'https://10.0.0.1:6443'): boolean => {
      const [entry] = clusterEntries(fields(TEXT.replace('https://10.138.0.2:6443', server)));
      assert.ok(entry);
      return judgeAddress(entry, reached).evidence.ok;
    };
    assert.equal(ok('https://10.138.0.2:6443'), true);
    assert.equal(ok('https://[fd00::2]:6443'), true);
    for (const server of [
      'http://10.138.0.2:6443',
      'https://127.0.0.1:6443',
      'https://localhost:6443',
      'https://[::1]:6443',
      '10.138.0.2',
      '""',
    ])
      assert.equal(ok(server), false, server);
    assert.equal(
      ok('https://127.0.0.1:6443', 'https://127.0.0.1:6443'),
      true,
      'a cluster that joinproof reaches by loopback, too',
    );
    assert.equal(
      ok('https://localhost:6443', 'https://127.0.0.1:6443'),
      false,
      'another name of loopback than the one that joinproof uses',
    );
  });

  it('has no user in an address', () => {
    const text = TEXT.replace('https://', 'https://admin:password@');
    assert.notEqual(text, TEXT);
    assert.equal(judgeNoCredentials(fields(text)).kind, 'failed');
  });

  it('shares the ConfigMap with signatures only', () => {
    const keys = (data: Record<string, string>) =>
      judgeKeys({ metadata: {}, data: { kubeconfig: TEXT, ...data } }).kind;
    assert.equal(keys({ 'jws-kubeconfig-07401b': 'x' }), 'passed');
    for (const key of ['token', 'jws-07401b', 'jws-kubeconfig-', 'jws-kubeconfig-ABCDEF'])
      assert.equal(keys({ [key]: 'x' }), 'failed', key);
  });
});

describe('namesHost', () => {
  it('compares names, not substrings', () => {
    assert.equal(namesHost(pem, 'kubernetes'), true);
    assert.equal(namesHost(pem, 'kubernetes.default'), false);
    assert.equal(namesHost(pem, '10.0.0.1'), false);
    assert.equal(namesHost(pem, 'fd00::1'), false);
  });
});
