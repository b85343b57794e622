import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultsOf } from './judged.testing.js';
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
  });
  it('may be given more than once', () => {
    const containers = [{ command: ['x', '--service-account-key-file=/a', '--service-account-key-file=/b'] }];
    const both = pod('kube-apiserver', { 'service-account-key-file': '/b' }, { containers });
    assert.deepEqual(resultsOf(flagIs, [both], { flag: 'service-account-key-file', wanted: ['/a'] }), ['met']);
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
