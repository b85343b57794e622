import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultsOf, saidBy } from '../common/judged.testing.js';
import { flagsGoTogether, kubeletVerified, namedFilesThere, oddFlags, shownOf } from './node-relations.js';
import { at, pod } from './node-seen.testing.js';

const flagsOf = (line: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    line
      .split(' ')
      .filter((word) => word !== '')
      .map((word) => [word.slice(2, word.indexOf('=')), word.slice(word.indexOf('=') + 1)] as const),
  );
const odd = (program: string, line: string): string => oddFlags(program, flagsOf(line)).join('; ');

/** Flags of a program, each with what is odd about them; '' where nothing is. */
const tells = (program: string, all: readonly (readonly [flags: string, odd: string])[]): void => {
  for (const [line, told] of all) assert.equal(odd(program, line), told, line);
};

describe('flags of an API server', () => {
  it('leave the ports of a control plane to it', () => {
    const range = '--service-node-port-range=';
    tells('kube-apiserver', [
      ['', ''],
      [range, ''],
      [`${range}30000-32767`, ''],
      [`${range}30000+2767`, ''],
      [`${range}30000`, ''],
      [`${range}32767-30000`, `${range}32767-30000: it is no range`],
      [`${range}30000-65535`, ''],
      [`${range}30000-65536`, `${range}30000-65536: it is no range`],
      [`${range}60000+5536`, `${range}60000+5536: it is no range`],
      [`${range}1000000`, `${range}1000000: it is no range`],
      [`${range}a30000-32767`, `${range}a30000-32767: it is no range`],
      [`${range}30000-32767a`, `${range}30000-32767a: it is no range`],
      [`${range}30000/32767`, `${range}30000/32767: it is no range`],
      [`${range}2379`, `${range}2379: 2379 are taken`],
      [`${range}2380-2381`, `${range}2380-2381: 2380 are taken`],
      [`${range}10249+1`, `${range}10249+1: 10250 are taken`],
      [`${range}10257-10259`, `${range}10257-10259: 10257, 10259 are taken`],
      [`${range}6000-7000`, `${range}6000-7000: 6443 are taken`],
      [`${range}6000-7000 --secure-port=8443`, ''],
      [`${range}8443 --secure-port=8443`, `${range}8443: 8443 are taken`],
    ]);
  });

  it('name issuers that can be asked', () => {
    const noUrl = '--service-account-issuer is no URL';
    tells('kube-apiserver', [
      ['--service-account-issuer=https://a.example', ''],
      ['--service-account-issuer=http://a.example', ''],
      ['--service-account-issuer=kubernetes/serviceaccount', ''],
      ['--service-account-issuer=a:b', noUrl],
      ['--service-account-issuer=https://', noUrl],
      ['--service-account-issuer=https:///a', noUrl],
      ['--service-account-issuer=xhttps://a', noUrl],
      ['--service-account-jwks-uri=https://a', ''],
      ['--service-account-jwks-uri=', ''],
      ['--service-account-jwks-uri=http://a', '--service-account-jwks-uri is not of https'],
      ['--oidc-issuer-url=https://a --oidc-client-id=b', ''],
      ['--oidc-issuer-url= --oidc-client-id=', ''],
      ['--oidc-issuer-url=https://a', '--oidc-issuer-url and --oidc-client-id go together'],
      ['--oidc-client-id=b', '--oidc-issuer-url and --oidc-client-id go together'],
      ['--authentication-config=/a', ''],
      [
        '--oidc-issuer-url=https://a --oidc-client-id=b --authentication-config=/a',
        '--oidc-issuer-url beside --authentication-config',
      ],
    ]);
    assert.deepEqual(oddFlags('kube-apiserver', { 'service-account-issuer': 'a b' }), [noUrl]);
  });

  it('ask etcd over TLS where there is an authority for it', () => {
    const told = '--etcd-servers without TLS, though there is an authority for it';
    tells('kube-apiserver', [
      ['--etcd-servers=https://a:2379,http://b:2379 --etcd-cafile=/a', told],
      ['--etcd-servers=http://a:2379 --etcd-cafile=/a', told],
      ['--etcd-servers=http://a:2379 --etcd-cafile=', ''],
      ['--etcd-servers=http://a:2379', ''],
      ['--etcd-servers=https://a:2379,https://b:2379 --etcd-cafile=/a', ''],
      ['--etcd-cafile=/a', ''],
    ]);
  });
});

describe('flags of a controller manager', () => {
  it('leave each node addresses of a range, in a family that services have', () => {
    const on = '--allocate-node-cidrs=true';
    tells('kube-controller-manager', [
      [`${on} --cluster-cidr=10.244.0.0/16 --service-cluster-ip-range=10.96.0.0/12`, ''],
      [`${on} --cluster-cidr=10.244.0.0/16,fd00::/48 --service-cluster-ip-range=10.96.0.0/12,fd01::/108`, ''],
      [`${on} --cluster-cidr=10.244.0.0/16,fd00::/48 --service-cluster-ip-range=10.96.0.0/12`, ''],
      [
        `${on} --cluster-cidr=fd00::/48 --service-cluster-ip-range=10.96.0.0/12`,
        'fd00::/48 is of another family than services',
      ],
      [`${on} --cluster-cidr=10.1.0.0/16,10.2.0.0/16`, '10.1.0.0/16 and 10.2.0.0/16 are of one family'],
      [
        `${on} --cluster-cidr=10.1.0.0/16 --node-cidr-mask-size=24 --node-cidr-mask-size-ipv4=24`,
        '--node-cidr-mask-size beside --node-cidr-mask-size-ipv4',
      ],
      [
        `${on} --cluster-cidr=10.1.0.0/16 --node-cidr-mask-size-ipv6=64`,
        '--node-cidr-mask-size-ipv6 without a range of it',
      ],
      [`${on} --cluster-cidr=10.1.0.0/16,fd00::/48 --node-cidr-mask-size=64`, '--node-cidr-mask-size with two ranges'],
      [`${on} --cluster-cidr=10.1.0.0/16,fd00::/48 --node-cidr-mask-size-ipv6=64`, ''],
      ['--cidr-allocator-type=RangeAllocator', ''],
      ['--cidr-allocator-type=CloudAllocator', '--cidr-allocator-type=CloudAllocator'],
      ['--horizontal-pod-autoscaler-sync-period=0s', '--horizontal-pod-autoscaler-sync-period=0s'],
      ['--horizontal-pod-autoscaler-sync-period=1s', ''],
      ['--legacy-service-account-token-clean-up-period=24h', ''],
      [`${on} --cluster-cidr=fd00::/48`, ''],
      ['--allocate-node-cidrs=false --cluster-cidr=10.0.0.0/28', ''],
      ['--cluster-cidr=10.0.0.0/28', ''],
      [`${on} --cluster-cidr=10.0.0.0/24`, ''],
      [`${on} --cluster-cidr=10.0.0.0/25`, 'nodes get /24 of 10.0.0.0/25'],
      [`${on} --cluster-cidr=10.0.0.0/8`, ''],
      [`${on} --cluster-cidr=10.0.0.0/7`, 'nodes get /24 of 10.0.0.0/7'],
      [`${on} --cluster-cidr=10.0.0.0/25 --node-cidr-mask-size=26`, ''],
      [`${on} --cluster-cidr=10.0.0.0/25 --node-cidr-mask-size-ipv4=26`, ''],
      [`${on} --cluster-cidr=10.0.0.0/16 --node-cidr-mask-size=30`, 'nodes get /30 of 10.0.0.0/16'],
      [`${on} --cluster-cidr=10.0.0.0/16 --node-cidr-mask-size=29`, ''],
      [`${on} --cluster-cidr=fd00::/112 --node-cidr-mask-size=126`, 'nodes get /126 of fd00::/112'],
      [`${on} --cluster-cidr=fd00::/112 --node-cidr-mask-size=125`, ''],
      [`${on} --cluster-cidr=fd00::/65`, 'nodes get /64 of fd00::/65'],
      [`${on} --cluster-cidr=fd00::/65 --node-cidr-mask-size-ipv6=80`, ''],
      [`${on} --cluster-cidr=10.0.0.0/25,fd00::/48`, 'nodes get /24 of 10.0.0.0/25'],
      [`${on} --cluster-cidr=fd00::/48,10.0.0.0/25`, 'nodes get /24 of 10.0.0.0/25'],
    ]);
  });

  it('put no certificate where nothing can be written, and know what becomes of the second store', () => {
    for (const folder of ['/proc', '/sys', '/proc/a', '/sys/fs'])
      for (const component of ['kube-controller-manager', 'kube-scheduler'] as const)
        tells(component, [
          [`--cert-dir=${folder}`, `--cert-dir=${folder}: nothing can be written there`],
          [`--cert-dir=/srv${folder}`, ''],
          [`--cert-dir=${folder.split('/', 2).join('/')}-own`, ''],
        ]);
    tells('etcd', [
      ...['write-only', 'write-only-drop-data', 'gone'].map((told) => [`--v2-deprecation=${told}`, ''] as const),
      ['--v2-deprecation=not-yet', ''],
      ['--v2-deprecation=soon', '--v2-deprecation=soon'],
    ]);
  });

  it('name both halves of what signs, once', () => {
    const [cert, key] = ['--cluster-signing-kubelet-serving-cert-file', '--cluster-signing-kubelet-serving-key-file'];
    const beside = (flag: string): string => `${flag} beside --cluster-signing-cert-file`;
    tells('kube-controller-manager', [
      ['--cluster-signing-cert-file=/a --cluster-signing-key-file=/b', ''],
      [`${cert}=/a ${key}=/b`, ''],
      [`${cert}=/a`, `${cert} without its half`],
      [`${key}=/b`, `${key} without its half`],
      [`${cert}=/a ${key}=`, `${cert} without its half`],
      [`${cert}=/a ${key}=/b --cluster-signing-cert-file=/c`, `${beside(cert)}; ${beside(key)}`],
      [`${key}=/b --cluster-signing-key-file=/c`, beside(key)],
      ...['kubelet-client', 'kube-apiserver-client', 'legacy-unknown'].map(
        (name) =>
          [`--cluster-signing-${name}-cert-file=/a`, `--cluster-signing-${name}-cert-file without its half`] as const,
      ),
    ]);
  });

  it('renew a lease before it is over, and leave no work undone', () => {
    const told = (lease: number, renew: number, retry: number): string =>
      `leases of ${lease} s are renewed within ${renew} s, every ${retry} s`;
    for (const program of ['kube-controller-manager', 'kube-scheduler'])
      tells(program, [
        ['', ''],
        ['--leader-elect-lease-duration=11s', ''],
        ['--leader-elect-lease-duration=1s --leader-elect=false', ''],
        ['--leader-elect-lease-duration=1s --leader-elect=true', told(1, 10, 2)],
        ['--leader-elect-resource-lock=leases', ''],
        ['--leader-elect-resource-lock=endpoints', '--leader-elect-resource-lock=endpoints'],
        ['--leader-elect-resource-lock=endpoints --leader-elect=false', ''],
        ['--leader-elect-lease-duration=10s', told(10, 10, 2)],
        ['--leader-elect-renew-deadline=15s', told(15, 15, 2)],
        ['--leader-elect-renew-deadline=14s', ''],
        ['--leader-elect-retry-period=9s', told(15, 10, 9)],
        ['--leader-elect-retry-period=8s', ''],
        ['--leader-elect-retry-period=0s', told(15, 10, 0)],
        ['--leader-elect-renew-deadline=12s --leader-elect-retry-period=10s', told(15, 12, 10)],
      ]);
    tells('kube-controller-manager', [
      ['--attach-detach-reconcile-sync-period=1s', ''],
      ['--attach-detach-reconcile-sync-period=999ms', '--attach-detach-reconcile-sync-period=999ms'],
      ['--concurrent-deployment-syncs=5', ''],
      ['--concurrent-deployment-syncs=10', ''],
      ['--concurrent-deployment-syncs=0', '--concurrent-deployment-syncs=0: nobody does its work'],
      ['--concurrent-gc-syncs=-12', '--concurrent-gc-syncs=-12: nobody does its work'],
      ['--not-concurrent-gc-syncs=0', ''],
      ['--concurrent-gc-syncs-more=0', ''],
    ]);
    const name = '--leader-elect-resource-name=';
    tells('kube-scheduler', [
      [`${name}own`, ''],
      [`${name}kube-controller-manager`, 'the lease of the controller manager'],
    ]);
  });
});

describe('flags of etcd', () => {
  it('leave it time and room', () => {
    tells('etcd', [
      ['--heartbeat-interval=100 --election-timeout=500', ''],
      ['--election-timeout=499', '--election-timeout=499 is less than five times 100'],
      ['--heartbeat-interval=200', ''],
      ['--heartbeat-interval=201', '--election-timeout=1000 is less than five times 201'],
      ['--heartbeat-interval=x', ''],
      ['--quota-backend-bytes=0', ''],
      ['--quota-backend-bytes=-1', ''],
      ['--quota-backend-bytes=1', '--quota-backend-bytes=1: soon nothing can be written'],
      [`--quota-backend-bytes=${64 * 1024 * 1024}`, ''],
      [`--quota-backend-bytes=${64 * 1024 * 1024 - 1}`, `--quota-backend-bytes=67108863: soon nothing can be written`],
      ['--max-request-bytes=1048576', ''],
      ['--max-request-bytes=1048575', '--max-request-bytes=1048575: objects are larger'],
      ['--auto-compaction-retention=10', ''],
      ['--auto-compaction-retention=5m', ''],
      ['--auto-compaction-retention=5', ''],
      ['--auto-compaction-retention=1x', '--auto-compaction-retention is no duration'],
      ['--auto-compaction-retention=x1', '--auto-compaction-retention is no duration'],
    ]);
  });

  it('have it listen where members are told', () => {
    const [told, own] = ['--initial-advertise-peer-urls=https://192.0.2.1:2380', '--listen-peer-urls='];
    tells('etcd', [
      [told, ''],
      [`${told} ${own}https://192.0.2.1:2380`, ''],
      [`${told} ${own}https://192.0.2.9:2380,https://192.0.2.1:2380`, ''],
      ...['0.0.0.0', '[::]', '127.0.0.1', 'localhost'].map(
        (host) => [`${told} ${own}https://${host}:2380`, ''] as const,
      ),
      [`${told} ${own}https://192.0.2.9:2380`, 'members are told 192.0.2.1, not 192.0.2.9'],
      [`${told} ${own}https://10.0.0.0:2380`, 'members are told 192.0.2.1, not 10.0.0.0'],
      ['--initial-advertise-peer-urls=https://Etcd.example:2380 --listen-peer-urls=https://192.0.2.9:2380', ''],
      [
        '--initial-advertise-peer-urls=https://[fd00::a]:2380 --listen-peer-urls=https://192.0.2.9:2380',
        'members are told fd00::a, not 192.0.2.9',
      ],
      ['--cipher-suites=TLS_AES_128_GCM_SHA256,TLS_RSA_WITH_3DES_EDE_CBC_SHA', ''],
      ['--cipher-suites=TLS_AES_128_GCM_SHA256,TLS_X', '--cipher-suites=TLS_X'],
      ['--cipher-suites=XTLS_AES_128_GCM_SHA256', '--cipher-suites=XTLS_AES_128_GCM_SHA256'],
      ['--cipher-suites=TLS_AES_128_GCM_SHA256-', '--cipher-suites=TLS_AES_128_GCM_SHA256-'],
      [`--cipher-suites=${'B'.repeat(50)}`, `--cipher-suites=${'B'.repeat(40)}`],
    ]);
  });

  it('are its own: another program is not held to them', () => {
    assert.equal(odd('kube-proxy', '--election-timeout=1'), '');
    assert.equal(odd('kube-apiserver', '--election-timeout=1'), '');
  });
});

describe('what is told of flags', () => {
  it('is four of them, as long as a sentence', () => {
    assert.equal(shownOf(['a', 'b', 'c', 'd', 'e'], 'none'), 'a; b; c; d');
    assert.equal(shownOf([], 'none'), 'none');
    assert.equal(shownOf(['x'.repeat(300)], 'none').length, 240);
    assert.deepEqual(
      saidBy(flagsGoTogether, [pod('etcd', {}), pod('etcd', { 'election-timeout': '1' })], { minor: 36 }),
      ['met: they do', 'unmet: --election-timeout=1 is less than five times 100'],
    );
  });
});

describe('files that flags name', () => {
  const told = (flags: Readonly<Record<string, string>>, ofEtcd = true): string =>
    saidBy(namedFilesThere, [pod('kube-apiserver', flags)], { files: ['/k/a', '/k/b'], below: '/k', ofEtcd }).join();
  it('are there, each of them', () => {
    assert.equal(told({ x: '/k/a', y: '/k/b' }), 'met: it is');
    assert.equal(told({ x: '/k/a', y: '/k/c', z: '/k/c', w: '/elsewhere', v: '/kc' }), 'unmet: /k/c');
    assert.equal(told({ x: '/k/a,/k/c' }), 'unmet: /k/c');
    assert.equal(told({ x: '/k/c,/k/a' }), 'unmet: /k/c');
    assert.equal(told({ x: '/k/a:1,2\n:3' }), 'met: it is');
    assert.equal(told({ x: '/k/1,/k/2,/k/3,/k/4,/k/5' }), 'unmet: /k/1, /k/2, /k/3, /k/4');
  });
  it('of an etcd elsewhere are brought by hand', () => {
    assert.equal(told({ 'etcd-cafile': '/k/c' }, false), 'met: it is');
    assert.equal(told({ 'etcd-cafile': '/k/c' }, true), 'unmet: /k/c');
    assert.equal(told({ 'x-etcd-cafile': '/k/c' }, false), 'unmet: /k/c');
  });
});

describe('a kubelet that the API server verifies', () => {
  const judged = (told: string | undefined, settings: object, flags: Readonly<Record<string, string>> = {}) =>
    resultsOf(
      kubeletVerified,
      {
        api: pod('kube-apiserver', told === undefined ? {} : { 'kubelet-certificate-authority': told }),
        authority: '/etc/kubernetes/pki/ca.crt',
        settings: { ...settings },
        flags,
      },
      undefined,
    ).join();
  const CA = '/etc/kubernetes/pki/ca.crt';
  it('shows a certificate that somebody has signed', () => {
    assert.equal(judged(CA, { serverTLSBootstrap: true }), 'met');
    assert.equal(judged(CA, { tlsCertFile: '/a' }), 'met');
    assert.equal(judged(CA, {}, { 'tls-cert-file': '/a' }), 'met');
    for (const settings of [{}, { serverTLSBootstrap: false }, { serverTLSBootstrap: 'true' }, { tlsCertFile: '' }])
      assert.equal(judged(CA, settings), 'unmet', JSON.stringify(settings));
    assert.equal(judged(CA, {}, { 'tls-cert-file': '' }), 'unmet');
  });
  it('is verified by an authority that signs for kubelets', () => {
    const signed = { serverTLSBootstrap: true };
    assert.equal(judged('/own/ca.crt', signed), 'met');
    for (const other of ['/etc/kubernetes/pki/front-proxy-ca.crt', '/etc/kubernetes/pki/etcd/ca.crt'])
      assert.equal(judged(other, signed), 'unmet', other);
  });
  it('is not judged where nobody verifies it', () => {
    assert.equal(judged(undefined, {}), '');
    assert.equal(judged('', {}), '');
    const none = { authority: CA, settings: {}, flags: {} };
    assert.deepEqual(resultsOf(kubeletVerified, { ...none, api: at('/a', null) }, undefined), []);
  });
});
