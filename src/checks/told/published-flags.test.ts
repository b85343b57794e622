import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { publishedFlagsSound, publishedProxiesApart } from './published-flags.js';

type Flags = Readonly<Record<string, string>>;

describe('flags that Pods show', () => {
  const GIVEN: Readonly<Record<string, Flags>> = {
    'kube-apiserver': { 'authorization-mode': 'Node,RBAC', 'client-ca-file': '/etc/kubernetes/pki/ca.crt' },
    'kube-controller-manager': { controllers: '*,bootstrapsigner,tokencleaner' },
  };
  const said = (program: string, more: Flags, given = GIVEN[program] ?? {}): readonly string[] =>
    publishedFlagsSound
      .judge([{ subject: 'Pod p', program, flags: { ...given, ...more } }], undefined)
      .map(({ subject, demanded, seen, result }) => `${result} ${subject}: ${demanded}; ${seen}`);

  it('give nothing up and go together', () => {
    for (const program of ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'etcd', 'another'])
      assert.deepEqual(
        said(program, {}),
        ['met Pod p: no flag takes away what it is safe by; none does', 'met Pod p: its flags go together; they do'],
        program,
      );
  });

  it('are told with what each gives up', () => {
    assert.deepEqual(said('kube-apiserver', { 'service-account-lookup': 'false', 'basic-auth-file': '/b.csv' }), [
      'unmet Pod p: no flag takes away what it is safe by; ' +
        '--service-account-lookup=false: tokens of deleted accounts are believed; ' +
        '--basic-auth-file=/b.csv: its passwords never end',
      'met Pod p: its flags go together; they do',
    ]);
    assert.deepEqual(said('kube-apiserver', { 'service-node-port-range': '10000-11000' }), [
      'met Pod p: no flag takes away what it is safe by; none does',
      'unmet Pod p: its flags go together; --service-node-port-range=10000-11000: 10250, 10257, 10259 are taken',
    ]);
  });

  it('authorize who asks, and switch on what tokens need', () => {
    const weak = (program: string, flags: Flags): string => said(program, flags, {})[0]?.split('safe by; ')[1] ?? '';
    const api = (flags: Flags): string => weak('kube-apiserver', { 'client-ca-file': '/ca.crt', ...flags });
    assert.equal(api({}), 'whoever is let in may do everything');
    assert.equal(api({ 'authorization-mode': 'Node,RBAC,AlwaysAllow' }), 'whoever is let in may do everything');
    assert.equal(api({ 'authorization-mode': 'RBAC' }), '--authorization-mode is without Node');
    assert.equal(api({ 'authorization-mode': 'Node,Webhook' }), '--authorization-mode is without RBAC');
    assert.equal(api({ 'authorization-mode': 'Webhook,RBAC,Node' }), 'none does');
    assert.equal(api({ 'authorization-config': '/etc/kubernetes/authorization.yaml' }), 'none does');
    assert.equal(api({ 'authorization-mode': 'Node,RBAC', 'client-ca-file': '' }), 'nobody is known by a certificate');
    const manager = (controllers: string): string => weak('kube-controller-manager', { controllers });
    assert.equal(manager('*,bootstrap-signer-controller,token-cleaner-controller'), 'none does');
    assert.equal(manager('*'), 'tokens that have ended stay; nobody signs cluster-info');
    assert.equal(manager('*,bootstrapsigner,-tokencleaner,tokencleaner'), 'tokens that have ended stay');
    assert.equal(manager('*,bootstrapsigner,tokencleaner,-tokencleaner'), 'none does', 'the first entry decides');
    assert.equal(manager('*,tokencleaner'), 'nobody signs cluster-info');
  });

  it('let no component act as an administrator', () => {
    const acts = (program: string, flag: string, file: string): string => said(program, { [flag]: file })[0] ?? '';
    for (const program of ['kube-controller-manager', 'kube-scheduler'])
      for (const flag of ['kubeconfig', 'authentication-kubeconfig', 'authorization-kubeconfig']) {
        for (const file of ['/etc/kubernetes/admin.conf', '/etc/kubernetes/super-admin.conf', 'admin.conf'])
          assert.ok(acts(program, flag, file).endsWith(`; --${flag}=${file}: it acts as an administrator`), file);
        for (const file of ['/etc/kubernetes/scheduler.conf', '/etc/kubernetes/admin.conf.old', '/e/kadmin.conf', ''])
          assert.ok(acts(program, flag, file).startsWith('met'), file);
      }
  });

  it('let in the probes of the kubelet that bear no credential', () => {
    const judged = (flags: Flags, more: object): string =>
      publishedFlagsSound.judge(
        [{ subject: 'Pod p', program: 'kube-apiserver', flags: { ...GIVEN['kube-apiserver'], ...flags }, ...more }],
        undefined,
      )[0]?.seen ?? '';
    assert.equal(judged({ 'anonymous-auth': 'false' }, { isProbed: true }), 'the probes of its kubelet are refused');
    assert.equal(judged({ 'anonymous-auth': 'F' }, { isProbed: true }), 'the probes of its kubelet are refused');
    assert.equal(judged({ 'anonymous-auth': 'true' }, { isProbed: true }), 'none does');
    assert.equal(judged({}, { isProbed: true }), 'none does');
    assert.equal(judged({ 'anonymous-auth': 'false' }, {}), 'none does');
  });

  it('are told of an etcd that everybody asks', () => {
    const etcd = (flags: Flags): string => said('etcd', { 'cert-file': '/c.crt', ...flags })[0] ?? '';
    assert.ok(etcd({}).endsWith('it asks nobody for a certificate'));
    assert.ok(etcd({ 'client-cert-auth': 'false' }).startsWith('unmet'));
    const asks = { 'client-cert-auth': 'true' };
    const broken = 'TLS_RSA_WITH_RC4_128_SHA';
    assert.ok(etcd({ ...asks, 'cipher-suites': `TLS_AES_128_GCM_SHA256,${broken}` }).endsWith(`it takes ${broken}`));
    assert.ok(etcd({ ...asks, 'tls-min-version': 'TLS1.0' }).endsWith('it takes TLS1.0'));
    assert.ok(
      etcd({ ...asks, 'tls-min-version': 'TLS1.2', 'cipher-suites': 'TLS_AES_128_GCM_SHA256' }).startsWith('met'),
    );
    for (const flags of [{ 'trusted-ca-file': '/ca.crt', 'client-cert-auth': 'false' }, { 'client-cert-auth': 'true' }])
      assert.ok(etcd(flags).startsWith('met'));
    for (const [flag, value] of [
      ['auto-tls', 'true'],
      ['listen-client-urls', 'https://127.0.0.1:2379,http://192.0.2.1:2379'],
      ['trusted-ca-file', '/etc/kubernetes/pki/ca.crt'],
      ['force-new-cluster', 'true'],
    ] as const)
      assert.ok(etcd({ 'client-cert-auth': 'true', [flag]: value }).startsWith('unmet'), flag);
    for (const [flag, value] of [
      ['listen-client-urls', 'https://192.0.2.1:2379,http://127.0.0.1:2379'],
      ['trusted-ca-file', '/etc/kubernetes/pki/etcd/ca.crt'],
    ] as const)
      assert.ok(etcd({ 'client-cert-auth': 'true', [flag]: value }).startsWith('met'), flag);
  });

  it('are told of four at most, in one line', () => {
    const many = { 'basic-auth-file': 'a', 'token-auth-file': 'b', 'debug-socket-path': 'c', 'bind-address': 'd' };
    const [first = ''] = said('kube-apiserver', { ...many, 'service-account-lookup': 'false' });
    assert.equal(first.split('; ').length, 5);
    assert.ok((said('kube-apiserver', { 'token-auth-file': 'x'.repeat(900) })[0] ?? '').length < 320);
  });
});

describe('clients and proxies', () => {
  const said = (proxies: string | undefined, clients: string | undefined, names?: string): string => {
    const flags: Record<string, string> = {};
    if (proxies !== undefined) flags['requestheader-client-ca-file'] = proxies;
    if (clients !== undefined) flags['client-ca-file'] = clients;
    if (names !== undefined) flags['requestheader-allowed-names'] = names;
    const [found] = publishedProxiesApart.judge([{ subject: 'Pod p', program: 'kube-apiserver', flags }], undefined);
    return `${found?.result}: ${found?.seen}`;
  };

  it('have authorities of their own, or proxies have names', () => {
    assert.equal(said('/p.crt', '/c.crt'), 'met: the authority for proxies is another one');
    assert.equal(said('/p.crt', undefined, ''), 'met: the authority for proxies is another one');
    assert.equal(said(undefined, undefined), 'met: the authority for proxies is not given');
    assert.equal(said('', ''), 'met: the authority for proxies is not given');
    assert.equal(said('/c.crt', '/c.crt', 'front-proxy, b'), 'met: /c.crt is for both, and front-proxy, b may speak');
    assert.equal(said('/c.crt', '/c.crt', ''), 'unmet: /c.crt is for both, and any name may speak');
    assert.equal(said('/c.crt', '/c.crt'), 'unmet: /c.crt is for both, and any name may speak');
    assert.equal(said('/c.crt', '/c.crt', ','), 'unmet: /c.crt is for both, and any name may speak');
  });
});
