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
  'kubelet-client-certificate': `${PKI}/apiserver-kubelet-client.crt`,
  'kubelet-client-key': `${PKI}/apiserver-kubelet-client.key`,
  'etcd-servers': 'https://127.0.0.1:2379',
  'advertise-address': '192.0.2.1',
  'allow-privileged': 'true',
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
      ['kube-apiserver', { ...API, 'tls-private-key-file': 'ca.key', 'client-ca-file': 'etcd' }],
      ['kube-apiserver', { ...API, 'service-account-key-file': 'ca.pub' }],
      ['kube-apiserver', { ...API, 'client-ca-file': `${PKI}/front-proxy-ca.crt.d` }],
      ['kube-apiserver', { ...API, 'tls-cert-file': `${PKI}/etcd/apiserver.crt`, 'tls-private-key-file': '/k/ca.key' }],
    ] as const)
      assert.equal(files(program, flags), FINE);
  });

  it('are told where they are of two pairs, or for something else', () => {
    const told = (program: string, base: Flags, flag: string, value: string): void =>
      assert.match(files(program, { ...base, [flag]: value }), new RegExp(`^unmet: .*--${flag}`));
    const proxied = {
      ...API,
      'proxy-client-cert-file': `${PKI}/front-proxy-client.crt`,
      'proxy-client-key-file': `${PKI}/front-proxy-client.key`,
    };
    assert.equal(files('kube-apiserver', proxied), FINE);
    told('kube-apiserver', proxied, 'requestheader-client-ca-file', `${PKI}/ca.crt`);
    assert.equal(files('kube-apiserver', { ...API, 'requestheader-client-ca-file': `${PKI}/ca.crt` }), FINE);
    told('kube-apiserver', API, 'tls-private-key-file', `${PKI}/ca.key`);
    told('kube-apiserver', API, 'client-ca-file', `${PKI}/front-proxy-ca.crt`);
    told('kube-apiserver', API, 'requestheader-client-ca-file', `${PKI}/etcd/ca.crt`);
    told('kube-apiserver', API, 'service-account-signing-key-file', `${PKI}/ca.key`);
    told('kube-controller-manager', MANAGER, 'cluster-signing-key-file', `${PKI}/front-proxy-ca.key`);
    told('kube-controller-manager', MANAGER, 'cluster-signing-cert-file', `${PKI}/etcd/ca.crt`);
    told('kube-controller-manager', MANAGER, 'cluster-signing-kubelet-client-cert-file', `${PKI}/front-proxy-ca.crt`);
    told('kube-controller-manager', MANAGER, 'root-ca-file', `${PKI}/front-proxy-ca.crt`);
    told('kube-controller-manager', MANAGER, 'service-account-private-key-file', `${PKI}/ca.key`);
    const [api, manager] = [API, MANAGER];
    for (const [certificate, key, name] of [
      ['tls-cert-file', 'tls-private-key-file', 'apiserver'],
      ['kubelet-client-certificate', 'kubelet-client-key', 'apiserver-kubelet-client'],
      ['proxy-client-cert-file', 'proxy-client-key-file', 'front-proxy-client'],
      ['etcd-certfile', 'etcd-keyfile', 'apiserver-etcd-client'],
    ] as const) {
      const pair = (one: string, other: string): string =>
        files('kube-apiserver', { ...api, [certificate]: one, [key]: other });
      const [one, other] = [`${PKI}/${name}.crt`, `${PKI}/${name}.key`];
      assert.equal(pair(one, other), FINE);
      assert.equal(pair(one, `${PKI}/sa.key`), `unmet: --${certificate}=${one} and --${key}=${PKI}/sa.key`);
      assert.equal(pair(`${PKI}/sa.crt`, other), `unmet: --${certificate}=${PKI}/sa.crt and --${key}=${other}`);
      assert.equal(pair(one, ''), `unmet: --${certificate} without its half`);
      assert.equal(pair('', other), `unmet: --${key} without its half`);
    }
    for (const signer of ['', 'kubelet-serving-', 'kubelet-client-', 'kube-apiserver-client-', 'legacy-unknown-']) {
      const [certificate, key] = [`cluster-signing-${signer}cert-file`, `cluster-signing-${signer}key-file`];
      const told = (one: string, other: string): string =>
        files('kube-controller-manager', { ...manager, [certificate]: one, [key]: other });
      const [one, other] = [`${PKI}/ca.crt`, `${PKI}/sa.key`];
      assert.equal(told(one, other), `unmet: --${certificate}=${one} and --${key}=${other}`);
      assert.equal(told('', other), `unmet: --${key} without its half`);
      for (const wrong of ['front-proxy-ca', 'etcd/ca']) {
        const path = `${PKI}/${wrong}.crt`;
        assert.equal(told(path, `${PKI}/${wrong}.key`), `unmet: --${certificate}=${path}`);
      }
    }
    const both = { 'kube-apiserver': api, 'kube-controller-manager': manager };
    for (const [program, flag, wrong] of [
      ...['client-ca-file', 'kubelet-certificate-authority'].map((flag) => ['kube-apiserver', flag, true] as const),
      ...['client-ca-file', 'root-ca-file'].map((flag) => ['kube-controller-manager', flag, true] as const),
      ['kube-apiserver', 'requestheader-client-ca-file', false],
      ['kube-controller-manager', 'requestheader-client-ca-file', false],
    ] as const) {
      const told = (name: string): string => files(program, { ...both[program], [flag]: `${PKI}/${name}.crt` });
      assert.equal(told('ca'), FINE);
      assert.equal(told('etcd/ca'), `unmet: --${flag}=${PKI}/etcd/ca.crt`);
      assert.equal(told('front-proxy-ca'), wrong ? `unmet: --${flag}=${PKI}/front-proxy-ca.crt` : FINE);
    }
    for (const [flag, end] of [
      ['service-account-private-key-file', 'key'],
      ['service-account-signing-key-file', 'key'],
      ['service-account-key-file', 'pub'],
    ] as const) {
      const told = (path: string): string => files('kube-apiserver', { ...api, [flag]: path });
      for (const path of [`${PKI}/sa.${end}`, '/srv/own.key', '']) assert.equal(told(path), FINE);
      assert.equal(told(`${PKI}/ca.${end}`), `unmet: --${flag}=${PKI}/ca.${end}`);
    }
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
    for (const name of ['daemonset', 'daemonset-controller'])
      manager({ controllers: `*,-${name}` }, /^unmet: .*neither kube-proxy/);
    for (const name of ['garbagecollector', 'garbage-collector-controller'])
      manager({ controllers: `*,-${name}` }, /^unmet: --controllers=.*: kubeadm-certs stays/);
    manager({ controllers: '*,-endpointslice-controller' }, /^unmet: .*: Pods of new nodes are behind no Service$/);
    const shares = { 'allocate-node-cidrs': 'true', 'cluster-cidr': '10.244.0.0/16' };
    manager(
      { ...shares, controllers: '*,-nodeipam' },
      /^unmet: --controllers=\*,-nodeipam: new nodes get no addresses/,
    );
    manager({ ...shares, controllers: '*,-node-ipam-controller' }, /^unmet: .*: new nodes get no addresses for Pods$/);
    manager(
      { ...shares, 'node-cidr-mask-size-ipv4': '30' },
      /^unmet: a node gets 10\.244\.0\.0\/30 for its Pods, which has hardly an address$/,
    );
    manager({ ...shares, 'node-cidr-mask-size': '16' }, /^unmet: one node alone gets addresses of 10\.244\.0\.0\/16/);
    manager(
      { ...shares, 'cluster-cidr': '10.244.0.0/24' },
      /^unmet: one node alone gets addresses of 10\.244\.0\.0\/24/,
    );
    manager({ ...shares, 'cluster-cidr': '10.244.0.0/16,fd00::/64' }, /^unmet: one node alone gets .* fd00::\/64 for/);
    const six = { 'cluster-cidr': '10.244.0.0/16,fd00::/56', 'node-cidr-mask-size-ipv6': '56' };
    manager({ ...shares, ...six }, /^unmet: one node alone gets addresses of fd00::\/56 for its Pods$/);
    manager(
      { 'allocate-node-cidrs': 'true' },
      /^unmet: --allocate-node-cidrs without --cluster-cidr: it does not start$/,
    );
    for (const flags of [
      shares,
      { ...shares, 'cluster-cidr': '10.244.0.0/16,fd00::/56' },
      { ...shares, 'allocate-node-cidrs': 'false', controllers: '*,-nodeipam' },
      { 'allocate-node-cidrs': 'false' },
      { 'cluster-cidr': '10.244.0.0/24' },
    ])
      assert.equal(values('kube-controller-manager', { ...MANAGER, ...flags })[0], FINE);
    assert.equal(values('kube-scheduler', { 'allocate-node-cidrs': 'true' })[0], FINE);
    manager({ 'enable-garbage-collector': 'false' }, /^unmet: --enable-garbage-collector=false: kubeadm-certs stays/);
    const collects = { 'enable-garbage-collector': 'true' };
    assert.equal(values('kube-controller-manager', { ...MANAGER, ...collects })[0], FINE);
    manager({ 'root-ca-file': '' }, /^unmet: no --root-ca-file/);
    manager({ 'cluster-signing-duration': '876000h0m0s' }, /^unmet: .*never end/);
    manager({ 'node-monitor-grace-period': '5s' }, /^unmet: .*dead/);
    manager({ 'node-monitor-grace-period': '10s' }, /^unmet: .*dead/);
    manager({ 'node-monitor-grace-period': '61m' }, /^unmet: .*: nobody notices that a node is gone$/);
    manager({ 'node-monitor-period': '40s' }, /^unmet: --node-monitor-period=40s: it looks too seldom/);
    manager({ 'node-monitor-grace-period': '1m', 'node-monitor-period': '60s' }, /^unmet: --node-monitor-period/);
    const often = { 'node-monitor-grace-period': '1m', 'node-monitor-period': '59s' };
    assert.equal(values('kube-controller-manager', { ...MANAGER, ...often })[0], FINE);
    api({ 'kubelet-client-certificate': '' }, /^unmet: no --kubelet-client-certificate: kubelets do not let it in$/);
    const { 'allow-privileged': ___, ...meek } = API;
    for (const flags of [meek, { ...API, 'allow-privileged': 'false' }])
      assert.match(values('kube-apiserver', flags)[0] ?? '', /^unmet: without --allow-privileged neither kube-proxy/);
    assert.match(values('kube-apiserver', { 'allow-privileged': '0' })[0] ?? '', /^unmet: without --allow-privileged/);
    api({ 'advertise-address': '127.0.0.1' }, /^unmet: --advertise-address/);
    api({ 'insecure-port': '8080' }, /^unmet: --insecure-port/);
    for (const name of ['ServiceAccount', 'TaintNodesByCondition', 'NamespaceLifecycle'])
      api(
        { 'disable-admission-plugins': `Priority,${name}` },
        new RegExp(`^unmet: --disable-admission-plugins=${name}: `),
      );
    assert.equal(values('kube-apiserver', { ...API, 'disable-admission-plugins': 'Priority,toString' })[0], FINE);
    api({ 'enable-admission-plugins': 'NodeRestriction,AlwaysDeny' }, /^unmet: --enable-.*: nobody joins$/);
    assert.equal(values('kube-apiserver', { ...API, 'enable-admission-plugins': 'ServiceAccount' })[0], FINE);
    api({ 'etcd-servers': 'http://127.0.0.1:2379,http://192.0.2.9:2379' }, /^unmet: --etcd-servers=http:\/\/192/);
    manager({ controllers: '*,-serviceaccount' }, /^unmet: .*: Pods have no account to run as$/);
    manager({ controllers: '' }, /^unmet: .*requests that nobody decides/);
    const { controllers: _, ...usual } = MANAGER;
    assert.equal(values('kube-controller-manager', usual)[0], FINE);
    for (const grace of ['', 'soon', '11s', '1h'])
      assert.equal(values('kube-controller-manager', { ...MANAGER, 'node-monitor-grace-period': grace })[0], FINE);
    const { 'root-ca-file': __, ...rootless } = MANAGER;
    assert.match(values('kube-controller-manager', rootless)[0] ?? '', /^unmet: no --root-ca-file/);
    assert.equal(values('kube-apiserver', {})[0], FINE);
    assert.equal(values('kube-scheduler', { 'advertise-address': '127.0.0.1', 'insecure-port': '1' })[0], FINE);
    assert.equal(values('kube-apiserver', { 'etcd-servers': 'https://192.0.2.9:2379' })[0], FINE);
    const old = 'TLS_RSA_WITH_RC4_128_SHA';
    assert.equal(values('kube-apiserver', { 'tls-cipher-suites': old })[1], `unmet: ${old}`);
    assert.equal(values('kube-apiserver', { 'tls-min-version': 'VersionTLS10' })[1], 'unmet: VersionTLS10');
    assert.equal(values('etcd', { 'cipher-suites': 'TLS_RSA_WITH_RC4_128_SHA' })[1], 'unmet: TLS_RSA_WITH_RC4_128_SHA');
  });

  it('are told where several work at once', () => {
    const [one] = line('kube-scheduler', { 'leader-elect': 'false' });
    const two = { subject: 'Pod q', program: 'kube-scheduler', flags: { 'leader-elect': 'true' } };
    const seen = (lines: Parameters<typeof valuesLetJoin.judge>[0]): string | undefined =>
      valuesLetJoin.judge(lines, undefined)[0]?.seen;
    assert.ok(one !== undefined);
    assert.equal(seen([one]), 'nothing shows otherwise');
    assert.equal(seen([one, { ...two, program: 'etcd' }]), 'nothing shows otherwise');
    assert.equal(seen([two, one]), 'nothing shows otherwise');
    assert.equal(seen([one, two]), '--leader-elect=false, and there are several');
  });

  it('are where kubeadm has an API server answer', () => {
    const at = (endpoint: string | undefined, flags: Flags): string | undefined =>
      valuesLetJoin.judge([{ subject: 'Pod p', program: 'kube-apiserver', flags, endpoint }], undefined)[0]?.seen;
    const fine = 'nothing shows otherwise';
    assert.equal(at('192.0.2.1:6443', { 'advertise-address': '192.0.2.1' }), fine);
    assert.equal(at('[2001:db8::1]:443', { 'advertise-address': '2001:db8::1', 'secure-port': '443' }), fine);
    assert.equal(at(undefined, { 'advertise-address': '192.0.2.1' }), fine);
    assert.equal(at('192.0.2.1:6443', {}), fine);
    assert.equal(
      at('192.0.2.1:6443', { 'advertise-address': '192.0.2.1', 'secure-port': '7443' }),
      'it answers at 192.0.2.1:7443, and kubeadm has it at 192.0.2.1:6443',
    );
    assert.match(at('192.0.2.1:6443', { 'advertise-address': '192.0.2.2' }) ?? '', /^it answers at 192\.0\.2\.2:6443/);
  });
});
