import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Fields } from '../../kubernetes/json.js';
import { resultsOf, saidBy } from '../common/judged.testing.js';
import { type Listening, portsApart } from './node-listeners.js';
import { at, broken, pod } from './node-seen.testing.js';

type Flags = Readonly<Record<string, string>>;

const ETCD: Flags = {
  'listen-client-urls': 'https://127.0.0.1:2379,https://192.0.2.10:2379',
  'listen-peer-urls': 'https://192.0.2.10:2380',
  'listen-metrics-urls': 'http://127.0.0.1:2381',
};
const CONTROLLERS: Flags = { 'bind-address': '127.0.0.1' };
const PROGRAMS: Readonly<Record<string, Flags>> = {
  'kube-apiserver': { 'secure-port': '6443' },
  'kube-controller-manager': CONTROLLERS,
  'kube-scheduler': CONTROLLERS,
  etcd: ETCD,
};

const told = (settings: Fields = {}, flags: Flags = {}, programs: Readonly<Record<string, Flags>> = {}): Listening => ({
  manifests: Object.entries({ ...PROGRAMS, ...programs }).map(([name, own]) => pod(name, own)),
  kubelet: at('/var/lib/kubelet/config.yaml', { kind: 'settings', settings }),
  flags,
});
/** Which programs share a port, as each of them is told of it. */
const shared = (listening: Listening): readonly string[] =>
  saidBy(portsApart, listening, undefined).flatMap((said) =>
    said === 'met: it does' ? [] : said.replace('unmet: ', ''),
  );

describe('each program of a machine listens at ports of its own', () => {
  it('where kubeadm puts them', () => {
    assert.deepEqual(resultsOf(portsApart, told(), undefined), Array<string>(5).fill('met'));
    assert.deepEqual(shared(told({ healthzPort: 0, readOnlyPort: 0 })), []);
    assert.deepEqual(shared({ ...told(), manifests: [] }), []);
  });

  for (const [what, settings, flags, first, second] of [
    [
      'the port of the API server',
      { port: 6443 },
      {},
      ':6443 is that of kubelet, too',
      ':6443 is that of kube-apiserver, too',
    ],
    [
      'its health at the port of a scheduler',
      { healthzPort: 10_259 },
      {},
      '127.0.0.1:10259 is that of kubelet, too',
      '127.0.0.1:10259 is that of kube-scheduler, too',
    ],
    [
      'a flag above its settings',
      { healthzPort: 1 },
      { 'healthz-port': '10257' },
      '127.0.0.1:10257 is that of kubelet, too',
      '127.0.0.1:10257 is that of kube-controller-manager, too',
    ],
    [
      'what everybody reads at the port of etcd',
      { readOnlyPort: 2380 },
      {},
      '192.0.2.10:2380 is that of kubelet, too',
      ':2380 is that of etcd, too',
    ],
    [
      'a name of the machine itself',
      { healthzPort: 2381, healthzBindAddress: 'localhost' },
      {},
      '127.0.0.1:2381 is that of kubelet, too',
      '127.0.0.1:2381 is that of etcd, too',
    ],
    [
      'its address by a flag',
      { port: 2380, address: '127.0.0.1' },
      { address: '::' },
      '192.0.2.10:2380 is that of kubelet, too',
      ':2380 is that of etcd, too',
    ],
  ] as const)
    it(`not with a kubelet that is told ${what}`, () =>
      assert.deepEqual(shared(told(settings, flags)), [first, second]));

  it('which a kubelet does for itself', () => {
    const same = { port: 10_250, readOnlyPort: 10_250 };
    const twice = ':10250 is that of kubelet, too';
    assert.deepEqual(shared(told(same)), [`${twice}; ${twice}`]);
    assert.deepEqual(shared(told({ healthzPort: 10_250 })), [`${twice}; 127.0.0.1:10250 is that of kubelet, too`]);
  });

  it('also among those of the control plane', () => {
    const scheduler = { 'kube-scheduler': { 'bind-address': '0.0.0.0', 'secure-port': '10257' } };
    assert.deepEqual(shared(told({}, {}, scheduler)), [
      '127.0.0.1:10257 is that of kube-scheduler, too',
      ':10257 is that of kube-controller-manager, too',
    ]);
    const api = { 'kube-apiserver': { 'secure-port': '2379', 'bind-address': '192.0.2.10' } };
    assert.deepEqual(shared(told({}, {}, api)), [
      '192.0.2.10:2379 is that of etcd, too',
      '192.0.2.10:2379 is that of kube-apiserver, too',
    ]);
    const six = {
      'kube-apiserver': { 'secure-port': '2379', 'bind-address': '2001:DB8::10' },
      etcd: { ...ETCD, 'listen-client-urls': 'https://[2001:db8:0::10]:2379/' },
    };
    assert.match(shared(told({}, {}, six))[0] ?? '', /^\[2001:.*:10\]:2379 is that of etcd, too$/);
  });

  it('or at one port of different addresses', () => {
    assert.deepEqual(shared(told({ healthzPort: 2380 })), []);
    const own = { 'kube-apiserver': { 'secure-port': '10248', 'bind-address': '192.0.2.10' } };
    assert.deepEqual(shared(told({}, {}, own)), []);
    const other = { ...CONTROLLERS, 'bind-address': '127.0.0.2', 'secure-port': '10257' };
    assert.deepEqual(shared(told({}, {}, { 'kube-scheduler': other })), []);
  });

  it('of what is no port nothing is said', () => {
    for (const port of [0, -1, 'many', 6443.5, null]) assert.deepEqual(shared(told({ readOnlyPort: port })), []);
    const etcd = { ...ETCD, 'listen-metrics-urls': 'http://127.0.0.1,unix://a' };
    assert.deepEqual(shared(told({}, {}, { etcd })), []);
  });

  it('nobody knows of what cannot be read', () => {
    const listening = told({ port: 6443 });
    assert.deepEqual(
      resultsOf(portsApart, { ...listening, kubelet: broken('/var/lib/kubelet/config.yaml') }, undefined),
      [...Array<string>(4).fill('met'), 'unclear'],
    );
    const manifests = [broken('/etc/kubernetes/manifests/kube-apiserver.yaml')];
    assert.deepEqual(resultsOf(portsApart, { ...listening, manifests }, undefined), ['unclear', 'met']);
  });
});
