import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultsOf, saidBy } from '../common/judged.testing.js';
import { etcdFlags, etcdIsLocal, etcdListens, letClientsIn } from './node-etcd.js';
import {
  advertised,
  flagIs,
  flagListed,
  flagsAbsent,
  flagsAgree,
  portAgrees,
  signsWhereTheKeyIs,
} from './node-flags.js';
import {
  dataOnHost,
  filesMounted,
  imageRegistry,
  imageRelease,
  mountOf,
  oneManifestEach,
  oneRepository,
  podField,
  volumesMounted,
} from './node-pods.js';
import { at, broken, certificate, pod } from './node-seen.testing.js';
import { podAddresses } from './node-subnets.js';

const api = (flags: Readonly<Record<string, string>>) => [pod('kube-apiserver', flags)];
const cut = broken('/etc/kubernetes/manifests/kube-apiserver.yaml');

describe('static Pods of a node', () => {
  it('have fields', () => {
    const wanted = { field: 'metadata.namespace', wanted: 'kube-system' };
    assert.deepEqual(resultsOf(podField, [...api({}), cut, at('/x.yaml', null)], wanted), ['met', 'unclear', 'unmet']);
    assert.deepEqual(resultsOf(podField, api({}), { field: 'metadata.labels.component', wanted: 'its component' }), [
      'unmet',
    ]);
  });
  it('run once each', () => {
    const [one] = api({});
    const twice = { path: '/etc/kubernetes/manifests/old.yaml', file: one?.file ?? null };
    const components = ['kube-apiserver'];
    assert.deepEqual(resultsOf(oneManifestEach, api({}), { components }), ['met']);
    assert.deepEqual(resultsOf(oneManifestEach, [...api({}), twice], { components }), ['unmet']);
    assert.deepEqual(resultsOf(oneManifestEach, [twice], { components }), ['unmet']);
    assert.deepEqual(resultsOf(oneManifestEach, [...api({}), broken('/x')], { components }), ['unclear', 'met']);
  });
  it('mount what they name, on the host', () => {
    const container = (mounts: object) => ({ containers: [{ name: 'etcd', volumeMounts: mounts }] });
    const data = { 'data-dir': '/var/lib/etcd', 'cert-file': '/etc/pki/a.crt' };
    const mounts = [
      { name: 'd', mountPath: '/var/lib/etcd' },
      { name: 'p', mountPath: '/etc/pki' },
    ];
    const volumes = [
      { name: 'd', hostPath: { path: '/var/lib/etcd' } },
      { name: 'p', hostPath: { path: '/etc/pki' } },
    ];
    const sound = pod('etcd', data, { ...container(mounts), volumes });
    const inside = pod('etcd', data, { ...container(mounts), volumes: [{ name: 'd', emptyDir: {} }, { name: 'q' }] });
    const without = pod('etcd', data, { ...container([]), volumes: [] });
    assert.deepEqual(resultsOf(dataOnHost, [sound, inside, without], undefined), ['met', 'unmet', 'unmet']);
    assert.deepEqual(resultsOf(volumesMounted, [sound, inside, without], undefined), ['met', 'unmet', 'met']);
    assert.deepEqual(resultsOf(filesMounted, [sound, without], undefined), ['met', 'unmet']);
  });
  it('come from one registry that has them', () => {
    const from = (component: string, registry: string) =>
      pod(component, {}, { containers: [{ image: `${registry}/${component}:v1` }] });
    const [a, b] = [from('kube-apiserver', 'k8s.gcr.io'), from('kube-apiserver', 'registry.corp')];
    assert.deepEqual(resultsOf(imageRegistry, [a, b], { minor: 25 }), ['unmet', 'met']);
    assert.deepEqual(resultsOf(imageRegistry, [a], { minor: 24 }), ['met']);
    const others = [from('kube-scheduler', 'registry.corp'), from('etcd', 'own.corp'), from('etcd', 'registry.k8s.io')];
    assert.deepEqual(resultsOf(oneRepository, [b, ...others], undefined), ['met', 'met', 'unmet']);
    assert.deepEqual(resultsOf(oneRepository, [cut, ...others.slice(0, 1)], undefined), ['unclear']);
    for (const registry of [
      'registry.corp.example',
      'registry.corp:5000',
      'registry.corp/x',
      'x/registry.corp',
      'registry',
    ])
      assert.deepEqual(resultsOf(oneRepository, [b, from('kube-scheduler', registry)], undefined), ['unmet'], registry);
  });
});

describe('flags of static Pods', () => {
  it('have values', () => {
    const on = { flag: 'allow', wanted: ['true'] };
    assert.deepEqual(resultsOf(flagIs, [...api({ allow: '1' }), ...api({ allow: 'false' }), ...api({}), cut], on), [
      'met',
      'unmet',
      'unmet',
      'unclear',
    ]);
    assert.deepEqual(resultsOf(flagIs, api({ a: '' }), { flag: 'a', wanted: [''] }), ['met']);
    assert.deepEqual(resultsOf(flagIs, api({}), { flag: 'a', wanted: [''] }), ['met']);
  });
  it('may be given more than once', () => {
    const containers = [{ command: ['x', '--service-account-key-file=/a', '--service-account-key-file=/b'] }];
    const both = pod('kube-apiserver', { 'service-account-key-file': '/b' }, { containers });
    assert.deepEqual(resultsOf(flagIs, [both], { flag: 'service-account-key-file', wanted: ['/a'] }), ['met']);
    const apart = [{ command: ['x', '--service-account-key-file', '/a'], args: ['--service-account-key-file=/b'] }];
    const words = pod('kube-apiserver', { 'service-account-key-file': '/b' }, { containers: apart });
    assert.deepEqual(resultsOf(flagIs, [words], { flag: 'service-account-key-file', wanted: ['/a'] }), ['met']);
  });
  it('list', () => {
    const wanted = { flag: 'controllers', items: ['*', 'bootstrapsigner'] };
    const lists = ['*,bootstrapsigner', '*,bootstrap-signer-controller', '*,bootstrapsigner,-bootstrapsigner', '*'];
    assert.deepEqual(
      resultsOf(
        flagListed,
        lists.flatMap((controllers) => api({ controllers })),
        wanted,
      ),
      ['met', 'met', 'unmet', 'unmet'],
    );
  });
  it('are not there, or agree', () => {
    const told = (flags: Readonly<Record<string, string>>) => resultsOf(flagsAbsent, api(flags), { flags: ['bad'] });
    assert.deepEqual([told({ good: '1' }), told({ bad: '1' }), told({})].flat(), ['met', 'unmet', 'unclear']);
    const range = (first: object, second: object) =>
      resultsOf(flagsAgree, [...api({ ...first }), pod('kube-controller-manager', { ...second })], { flag: 'range' });
    assert.deepEqual([...range({ range: 'a' }, { range: 'a' }), ...range({ range: 'a' }, {})], ['met', 'met']);
    assert.deepEqual([...range({ range: 'a' }, { range: 'b' }), ...range({}, { range: 'b' })], ['unmet', 'unmet']);
    assert.deepEqual(resultsOf(flagsAgree, [...api({ range: 'a' }), cut], { flag: 'range' }), ['unclear']);
  });
  it('name addresses and ports', () => {
    const addresses = ['192.0.2.10', '2001:db8::1', '127.0.0.1', '0.0.0.0', '::', 'name'];
    assert.deepEqual(
      resultsOf(
        advertised,
        addresses.flatMap((one) => api({ 'advertise-address': one })),
        undefined,
      ),
      ['met', 'met', 'unmet', 'unmet', 'unmet', 'unmet'],
    );
    const port = (server: string) => resultsOf(portAgrees, api({ 'secure-port': '6443' }), { server });
    assert.deepEqual([port('https://a:6443'), port('https://a'), port('')].flat(), ['met', 'unmet', 'unclear']);
    const pods = (flags: Readonly<Record<string, string>>) => resultsOf(podAddresses, api(flags), undefined);
    assert.deepEqual([...pods({}), ...pods({ 'allocate-node-cidrs': 'true' })], ['met', 'unmet']);
  });
  it('are not taken away again, and are empty where the key is not', () => {
    const plugins = { 'enable-admission-plugins': 'NodeRestriction', 'disable-admission-plugins': 'NodeRestriction' };
    const wanted = { flag: 'enable-admission-plugins', items: ['NodeRestriction'] };
    assert.deepEqual(resultsOf(flagListed, api(plugins), wanted), ['unmet']);
    const signing = { 'cluster-signing-cert-file': '', 'cluster-signing-key-file': '/ca.key' };
    assert.deepEqual(resultsOf(signsWhereTheKeyIs, api(signing), { hasKey: false }), ['met', 'unmet']);
    assert.deepEqual(resultsOf(signsWhereTheKeyIs, api(signing), { hasKey: true }), ['met', 'met']);
    assert.deepEqual(resultsOf(signsWhereTheKeyIs, api({}), { hasKey: false }), ['met', 'met']);
  });
  it('reach etcd', () => {
    const sound = {
      'etcd-servers': 'https://127.0.0.1:2379',
      'etcd-cafile': 'a',
      'etcd-certfile': 'b',
      'etcd-keyfile': 'c',
    };
    assert.deepEqual(resultsOf(etcdFlags, api(sound), undefined), ['met', 'met', 'met']);
    assert.deepEqual(resultsOf(etcdFlags, api({ 'etcd-servers': 'https://e:1', 'etcd-certfile': 'b' }), undefined), [
      'met',
      'unmet',
      'unmet',
    ]);
    const shown = (extendedKeyUsage: readonly string[] | undefined) =>
      resultsOf(
        letClientsIn,
        [at('/a.crt', { kind: 'certificates', certificates: [certificate(extendedKeyUsage && { extendedKeyUsage })] })],
        undefined,
      ).join();
    for (const usages of [undefined, ['any'], ['clientAuth'], ['serverAuth', 'clientAuth']])
      assert.equal(shown(usages), 'met', usages?.join());
    for (const usages of [[], ['serverAuth'], ['codeSigning']]) assert.equal(shown(usages), 'unmet', usages.join());
    const local = (server: string, other = '') =>
      resultsOf(etcdIsLocal, api({ 'etcd-servers': server, 'advertise-address': '192.0.2.10' }), { advertised: other });
    assert.deepEqual(local('https://[::1]:2379'), ['met']);
    assert.deepEqual(local('https://192.0.2.10:2379', 'https://192.0.2.10:2379'), ['unmet']);
    assert.deepEqual(local('https://etcd.example:2379', 'https://etcd.example:2379'), ['met']);
    assert.deepEqual(local('http://127.0.0.1:2379'), ['unmet']);
    const peer = 'https://192.0.2.10:2380';
    const own = { name: 'a', 'initial-advertise-peer-urls': peer, 'initial-cluster': `b=https://b:2380,a=${peer}` };
    const other = { 'advertise-client-urls': 'https://192.0.2.10:2379', 'listen-peer-urls': peer, ...own };
    const listens = (urls: string, more: object = {}) =>
      resultsOf(etcdListens, [pod('etcd', { ...other, 'listen-client-urls': urls, ...more })], undefined);
    const both = 'https://127.0.0.1:2379,https://192.0.2.10:2379';
    assert.deepEqual(listens(both), Array(6).fill('met'));
    assert.deepEqual(listens('http://127.0.0.1:2379'), ['unmet', 'unmet', 'met', 'met', 'met', 'met']);
    assert.deepEqual(listens(both, { name: 'c', 'listen-peer-urls': '' }).slice(2), ['met', 'unmet', 'met', 'unmet']);
  });
});

describe('what is told of static Pods', () => {
  const etcd = (
    mount: object,
    volume: object,
    flags: Readonly<Record<string, string>> = { 'data-dir': '/var/lib/etcd' },
  ) =>
    pod('etcd', flags, {
      containers: [{ name: 'etcd', volumeMounts: [{ name: 'd', ...mount }] }],
      volumes: [{ name: 'd', ...volume }],
    });
  const host = (path: string, more: object = {}) => ({ hostPath: { path, ...more } });

  it('is where their data lie', () => {
    const data = (...of: Parameters<typeof etcd>): readonly string[] => saidBy(dataOnHost, [etcd(...of)], undefined);
    const here = { mountPath: '/var/lib/etcd' };
    assert.deepEqual(data(here, host('/var/lib/etcd/')), ['met: it does']);
    assert.deepEqual(data(here, host('/srv/etcd')), ['unmet: it lies in /srv/etcd']);
    assert.deepEqual(data({ ...here, readOnly: true }, host('/var/lib/etcd')), [
      'unmet: it is mounted to be read alone',
    ]);
    assert.deepEqual(data({ ...here, readOnly: false }, host('/var/lib/etcd')), ['met: it does']);
    assert.deepEqual(data({ mountPath: '/var' }, host('/var')), ['met: it does']);
    assert.deepEqual(data({ mountPath: '/var/lib/et' }, host('/var/lib/et')), ['unmet: /var/lib/etcd is not mounted']);
    assert.deepEqual(data(here, { emptyDir: {} }), ['unmet: it is no hostPath']);
    const wal = { 'data-dir': '/var/lib/etcd', 'wal-dir': '/wal' };
    assert.deepEqual(data(here, host('/var/lib/etcd'), wal), ['met: it does', 'unmet: /wal is not mounted']);
    assert.equal(resultsOf(dataOnHost, [cut], undefined).length, 1);
  });

  it('is whence the files come that they are told, and as what', () => {
    const file = (mount: object, volume: object, value = '/etc/kubernetes/pki/a.crt', flag = 'x-file'): string =>
      saidBy(filesMounted, [etcd(mount, volume, { [flag]: value })], undefined)[0]?.replace('unmet: not so: ', '') ??
      '';
    const pki = { mountPath: '/etc/kubernetes/pki' };
    const met = 'met: they are';
    for (const type of ['', 'Directory', 'DirectoryOrCreate'])
      assert.equal(file(pki, host('/etc/kubernetes/pki', { type })), met, type);
    for (const type of ['File', 'Socket'])
      assert.equal(file(pki, host('/etc/kubernetes/pki', { type })), `/etc/kubernetes/pki/a.crt is mounted as ${type}`);
    const whole = { mountPath: '/etc/kubernetes/pki/a.crt' };
    for (const type of ['', 'File', 'FileOrCreate'])
      assert.equal(file(whole, host('/etc/kubernetes/pki/a.crt', { type })), met, type);
    assert.equal(
      file(whole, host('/etc/kubernetes/pki/a.crt', { type: 'Directory' })),
      '/etc/kubernetes/pki/a.crt is mounted as Directory',
    );
    assert.equal(file(pki, host('/srv/pki')), '/etc/kubernetes/pki/a.crt comes from /srv/pki');
    assert.equal(file({ ...pki, subPath: 'pki' }, host('/etc/kubernetes', { type: 'File' })), met);
    assert.equal(
      file({ ...pki, subPath: 'other' }, host('/etc/kubernetes/')),
      '/etc/kubernetes/pki/a.crt comes from /etc/kubernetes/other',
    );
    assert.equal(file(pki, { emptyDir: {} }), '/etc/kubernetes/pki/a.crt is not of the host');
    // elsewhere nobody knows what lies there
    assert.equal(file({ mountPath: '/a' }, host('/b', { type: 'Socket' }), '/a/b.crt'), met);
    assert.equal(file({ mountPath: '/a' }, host('/b'), '/c/b.crt'), '/c/b.crt');
  });

  it('is which of their flags name files that are read', () => {
    const asked = (flag: string, value: string): boolean =>
      saidBy(filesMounted, [etcd({ mountPath: '/x' }, host('/x'), { [flag]: value })], undefined)[0]?.startsWith(
        'unmet',
      ) ?? false;
    for (const flag of [
      'client-ca-file',
      'cafile',
      'etcd-certfile',
      'keyfile',
      'kubeconfig',
      'authentication-config',
      'manifest',
    ])
      assert.equal(asked(flag, '/a/b'), true, flag);
    for (const flag of ['log-file', 'profile', 'configs', 'file-mode']) assert.equal(asked(flag, '/a/b'), false, flag);
    for (const end of ['crt', 'key', 'pub', 'conf', 'yaml', 'yml', 'json', 'csv', 'crl', 'pem'])
      assert.equal(asked('v', `/a/b.${end}`), true, end);
    for (const value of ['a/b.crt', '/a/b.crts', '/.crt', '/a/b', 'x /a/b.crt'])
      assert.equal(asked('v', value), false, value);
    assert.equal(asked('client-ca-file', 'a/b'), false);
    for (const value of ['/var/log/a', 'default,/var/log/a']) assert.equal(asked('log-outputs', value), true, value);
    for (const value of ['default', 'stdout,stderr', '/x/a']) assert.equal(asked('log-outputs', value), false, value);
  });

  it('is the innermost of several mounts', () => {
    const volumeMounts = [
      { name: 'a', mountPath: '/etc' },
      { name: 'c', mountPath: '/etc/kubernetes/pki' },
      { name: 'b', mountPath: '/etc/kubernetes' },
    ];
    const { file } = pod(
      'etcd',
      {},
      { containers: [{ name: 'etcd', volumeMounts }], volumes: [{ name: 'c', x: 1 }, { name: 'a' }] },
    );
    assert.ok(file?.held.kind === 'manifest');
    const found = mountOf(file.held, '/etc/kubernetes/pki/a');
    assert.deepEqual([found?.mount.name, found?.volume], ['c', { name: 'c', x: 1 }]);
    assert.deepEqual(mountOf(file.held, '/etc/kubernetes/a')?.volume, {});
    assert.equal(mountOf(file.held, '/var'), undefined);
  });

  it('is what cannot be read, and which image goes with which API server', () => {
    const broken_ = saidBy(oneManifestEach, [broken('/x')], { components: [] });
    assert.deepEqual(broken_, ['unclear: it cannot be read: it is cut off']);
    assert.equal(oneManifestEach.judge([broken('/x')], { components: [] })[0]?.demanded, 'it is a manifest');
    const image = (component: string, tag: string, minor: number | null = 36): string =>
      saidBy(imageRelease, [pod(component, {}, { containers: [{ image: `a/${component}${tag}` }] })], { minor })[0] ??
      '';
    assert.equal(image('kube-scheduler', ''), 'unmet: a/kube-scheduler: it has no version');
    assert.match(image('kube-scheduler', '@sha256:00'), /^met/);
    for (const tag of [':v1', ':latest', ':1', ':vx.1'])
      assert.match(image('kube-scheduler', tag), /its version is none$/, tag);
    for (const tag of [':v1.36.0', ':1.35.1', ':v1.36.0-0']) assert.match(image('kube-scheduler', tag), /^met/, tag);
    assert.match(image('kube-scheduler', ':v1.37.0'), /newer than the API server$/);
    assert.match(image('kube-scheduler', ':v1.34.0'), /too old$/);
    assert.match(image('etcd', ':3.4.13-0', 22), /too old$/);
    for (const [tag, minor] of [
      [':3.4.13-0', 21],
      [':3.5.0-0', 22],
      [':4.0.0', 36],
      [':2.4.0', 36],
    ] as const)
      assert.match(image('etcd', tag, minor), /^met/, `${tag} ${minor}`);
    assert.match(image('kube-scheduler', ':v1.10.0', null), /^met/);
    const frozen = (minor: number | null) =>
      resultsOf(imageRegistry, [pod('etcd', {}, { containers: [{ image: 'k8s.gcr.io/etcd:3.5.0' }] })], {
        minor,
      }).join();
    assert.deepEqual([24, 25, null].map(frozen), ['met', 'unmet', 'met']);
    const nested = pod('etcd', {}, { containers: [{ image: 'r/a/b/etcd:1' }] });
    const main = pod('kube-apiserver', {}, { containers: [{ image: 'r/a/b/kube-apiserver:1' }] });
    assert.deepEqual(saidBy(oneRepository, [main, nested], undefined), ['met: r/a/b']);
    assert.deepEqual(saidBy(oneRepository, [at('/x', null), nested], undefined), ['unclear: r/a/b']);
  });
});
