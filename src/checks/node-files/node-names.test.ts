import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { saidBy } from '../common/judged.testing.js';
import {
  altNames,
  apiServerAddresses,
  domainOf,
  firstAddress,
  hostOf,
  ipv4Number,
  isFor,
  isNamed,
  wantedNames,
} from './node-names.js';
import type { NodeFacts } from './node-roles.js';
import type { Disk } from './node-seen.js';
import { at, conf, crt, pod } from './node-seen.testing.js';

const flagsOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'kube-apiserver': {
    'service-cluster-ip-range': '10.96.0.0/12',
    'service-account-issuer': 'https://kubernetes.default.svc.own.local',
    'advertise-address': '192.0.2.10',
    'etcd-servers': 'https://127.0.0.1:2379,https://192.0.2.11:2379',
  },
  etcd: {
    'advertise-client-urls': 'https://192.0.2.10:2379,https://192.0.2.10:4001',
    'initial-advertise-peer-urls': 'https://192.0.2.10:2380,https://[fd00::1]:2380',
  },
};
const admin = conf({ server: 'https://lb.example:6443' });
const onDisk = (flags = flagsOf, more: Disk = {}): Disk => ({
  ...Object.fromEntries(
    Object.entries(flags).flatMap(([component, given]) => {
      const { path, file } = pod(component, given);
      return file === null ? [] : [[path, file] as const];
    }),
  ),
  ...(admin.file === null ? {} : { '/etc/kubernetes/admin.conf': admin.file }),
  ...more,
});
const node = (disk: Disk, name = 'n'): NodeFacts => ({ disk, name }) as unknown as NodeFacts;
const settings = (clusterDomain: unknown): Disk => {
  const file = { path: '/c', mode: 0o644, owner: 0, isSecret: false };
  return { '/var/lib/kubelet/config.yaml': { ...file, held: { kind: 'settings', settings: { clusterDomain } } } };
};

describe('what a certificate of a machine is for', () => {
  it('is said by its disk', () => {
    for (const [what, ...names] of [
      ['the first address of the service subnet', '10.96.0.1'],
      ['the names of the service', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'],
      ['the name of the service in the cluster domain', 'kubernetes.default.svc.own.local'],
      ['the name of the node', 'n'],
      ['the address that the API server advertises', '192.0.2.10'],
      ['what clients ask etcd by', 'localhost', '192.0.2.10', '127.0.0.1', '192.0.2.11'],
      ['what its members ask etcd by', '192.0.2.10', 'fd00::1'],
      ['what its machine is known by', 'localhost', '127.0.0.1', '::1', 'n', '192.0.2.10'],
      ['the host that administrators ask', 'lb.example'],
    ] as const) {
      assert.deepEqual(wantedNames(node(onDisk()), what), names, what);
      assert.equal(isNamed(what), true);
    }
    assert.deepEqual(wantedNames(node(onDisk()), 'another'), []);
    for (const what of ['another', 'toString', '']) assert.equal(isNamed(what), false);
  });

  it('is empty where the disk does not say it', () => {
    for (const [what, ...names] of [
      ['the first address of the service subnet', ''],
      ['the address that the API server advertises', ''],
      ['what its members ask etcd by', ''],
      ['what its machine is known by', 'localhost', '127.0.0.1', '::1'],
      ['the host that administrators ask', ''],
    ] as const)
      assert.deepEqual(wantedNames(node({}, ''), what), names, what);
  });

  it('is in the domain of the kubelet, else of who signs tokens', () => {
    assert.equal(domainOf(onDisk(flagsOf, settings('told.local'))), 'told.local');
    for (const none of ['', 7, undefined]) assert.equal(domainOf(onDisk(flagsOf, settings(none))), 'own.local');
    assert.equal(domainOf({}), '');
    const by = (issuer: string): string => domainOf(onDisk({ 'kube-apiserver': { 'service-account-issuer': issuer } }));
    for (const issuer of [
      'https://oidc.example',
      'http://kubernetes.default.svc.a',
      'xhttps://kubernetes.default.svc.a',
      'https://kubernetes.default.svc.',
    ])
      assert.equal(by(issuer), '', issuer);
  });
});

describe('names and addresses', () => {
  it('are met as DNS and IP have them', () => {
    const names = { dns: ['a.example', '*.b.example'], ip: ['192.0.2.1', '2001:DB8::1'], email: [], uri: [], other: 0 };
    for (const name of [
      'a.example',
      'x.b.example',
      '192.0.2.1',
      '2001:db8::1',
      '2001:db8:0:0:0:0:0:1',
      '2001:0db8::0001',
    ])
      assert.equal(isFor(names, name), true, name);
    for (const name of [
      'b.example',
      'x.y.b.example',
      'xa.example',
      '192.0.2.2',
      '2001:db8::2',
      '192.0.2.1.example',
      'x192.0.2.1',
      '',
    ])
      assert.equal(isFor(names, name), false, name);
    // a name in the place of an address is none, and an address in the place of a name
    assert.equal(isFor({ ...names, dns: ['192.0.2.9'] }, '192.0.2.9'), false);
    assert.equal(isFor({ ...names, ip: ['c.example'] }, 'c.example'), false);
    assert.equal(isFor({ ...names, dns: ['1.2.3.4.example', 'x1.2.3.4'] }, '1.2.3.4.example'), true);
    assert.equal(isFor({ ...names, dns: ['x1.2.3.4'] }, 'x1.2.3.4'), true);
  });

  it('are told', () => {
    const seen = crt({ altNames: { dns: ['a'], ip: ['192.0.2.1'], email: [], uri: [], other: 0 } });
    assert.deepEqual(saidBy(altNames, [seen], { names: ['a', 'b', ''] }), [
      'met: it is',
      'unmet: it is for a, 192.0.2.1',
      'unclear: the manifests that would say it cannot be read',
    ]);
  });

  it('follow from subnets and URLs', () => {
    for (const [subnet, first] of [
      ['10.96.0.0/12', '10.96.0.1'],
      ['10.97.3.4/12', '10.96.0.1'],
      ['192.0.2.255', '192.0.3.0'],
      ['192.0.2.7/32', '192.0.2.8'],
      ['255.0.0.0/8', '255.0.0.1'],
      ['fd00::/112', 'fd00:0:0:0:0:0:0:1'],
      ['fd00:1:2:3:4:5:6:0/112', 'fd00:1:2:3:4:5:6:1'],
      ['::/0', '0:0:0:0:0:0:0:1'],
      ['1.2.3.4x/8', ''],
      ['x1.2.3.4/8', ''],
    ] as const)
      assert.equal(firstAddress(subnet), first, subnet);
    assert.equal(ipv4Number('1.2.3.4'), 16_909_060);
    for (const [url, host] of [
      ['https://a:1', 'a'],
      ['http://a/b', 'a'],
      ['https://[::1]:1', '::1'],
      ['xhttps://a', ''],
      ['ftp://a', ''],
      ['https://', ''],
      ['a:1', ''],
    ] as const)
      assert.equal(hostOf(url), host, url);
  });
});

describe('the addresses of the Service of the API server', () => {
  const told = (range: string, clusterDNS?: unknown): readonly string[] => {
    const pods = range === '' ? [] : [pod('kube-apiserver', { 'service-cluster-ip-range': range })];
    const config = at('/var/lib/kubelet/config.yaml', { kind: 'settings', settings: { clusterDNS } });
    return apiServerAddresses(
      Object.fromEntries([...pods, config].flatMap(({ path, file }) => (file === null ? [] : [[path, file]]))),
    );
  };
  it('are the first of each subnet', () => {
    assert.deepEqual(told('10.96.0.0/12'), ['10.96.0.1']);
    assert.deepEqual(told('10.96.0.0/12,fd00::/112'), ['10.96.0.1', 'fd00:0:0:0:0:0:0:1']);
  });
  it('are found by what kubelets take for their DNS', () => {
    assert.deepEqual(told('', ['10.96.0.10']), ['10.96.0.1']);
    assert.deepEqual(told('', ['fd00::a']), ['fd00:0:0:0:0:0:0:1']);
    assert.deepEqual(told('10.96.0.0/12', ['10.96.0.10']), ['10.96.0.1']);
    for (const other of [undefined, 'x', [7], ['10.233.0.3'], ['10.96.0.110'], ['fd00::aa']])
      assert.deepEqual(told('', other), [], JSON.stringify(other));
  });
});
