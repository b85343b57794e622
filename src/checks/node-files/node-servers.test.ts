import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judged, resultsOf, saidBy } from '../common/judged.testing.js';
import { at, certificate, conf, crt } from './node-seen.testing.js';
import {
  asksCluster,
  asksDirectly,
  asksNoService,
  asksOwnServer,
  isWholeDisk,
  mayBeProxy,
  type OwnServer,
  proxyThere,
  verifies,
} from './node-servers.js';

const NAMES = { dns: ['api.example'], ip: ['192.0.2.10', '192.0.2.11'], email: [], uri: [], other: 0 };
const OWN: OwnServer = { address: '192.0.2.10', port: '6443', certificate: crt({ altNames: NAMES }) };
const cut = at('/a', { kind: 'other' });

describe('a proxy on loopback', () => {
  const there = (server: string, ...proxies: readonly string[]): string =>
    resultsOf(proxyThere, [conf({ server })], { proxies }).join();
  it('answers where one is asked', () => {
    for (const server of [
      'https://127.0.0.1:6443',
      'https://localhost:8443',
      'https://[::1]:6443',
      'https://127.0.0.1',
    ]) {
      assert.equal(there(server, '/etc/haproxy'), 'met', server);
      assert.equal(there(server), 'unmet', server);
    }
    for (const other of ['https://192.0.2.10:6443', 'https://localhost.example:6443', 'https://127.0.0.1:40123', ''])
      assert.equal(there(other), '', other);
    assert.deepEqual(resultsOf(proxyThere, [cut], { proxies: [] }), []);
    const named = (...addresses: readonly string[]): readonly string[] =>
      resultsOf(proxyThere, [conf({ server: 'https://a.example:6443' })], {
        proxies: [],
        hosts: { 'a.example': addresses },
      });
    assert.deepEqual([named('127.0.0.1'), named('127.0.0.1', '192.0.2.1'), named()], [['unmet'], [], []]);
  });
  it('answers at its own address, too', () => {
    const asks = (server: string, own: readonly string[], hosts: Readonly<Record<string, readonly string[]>> = {}) =>
      resultsOf(proxyThere, [conf({ server })], { proxies: [], hosts, own }).join();
    const hosts = { w: ['192.0.2.20'], 'a.example': ['192.0.2.20'], 'b.example': ['192.0.2.20', '192.0.2.10'] };
    assert.equal(asks('https://a.example:6443', ['w'], hosts), 'unmet');
    assert.equal(asks('https://b.example:6443', ['w'], hosts), '');
    assert.equal(asks('https://a.example:6443', ['x'], hosts), '');
    assert.equal(asks('https://a.example:6443', ['192.0.2.20'], hosts), 'unmet');
    assert.equal(asks('https://w:6443', ['w']), 'unmet');
    assert.equal(asks('https://192.0.2.20:6443', ['w'], hosts), 'unmet');
    assert.equal(asks('https://[fd00::20]:6443', ['fd00:0:0::20']), 'unmet');
    assert.equal(asks('https://constructor:6443', ['toString'], hosts), '');
    assert.equal(
      resultsOf(proxyThere, [conf({ server: 'https://w:6443' })], { proxies: ['/a'], own: ['w'] }).join(),
      'met',
    );
  });
});

describe('a server of the cluster', () => {
  const told = (server: string, more: Partial<OwnServer> = {}): string =>
    resultsOf(asksCluster, [conf({ server })], { address: '', port: '', certificate: null, ...more }).join();
  it('is where no other program of a cluster listens', () => {
    for (const port of ['', ':6443', ':443', ':8443/', ':12379']) assert.equal(told(`https://a.example${port}`), 'met');
    for (const port of [2379, 10_250, 10_257, 10_259])
      assert.equal(told(`https://a.example:${port}`), 'unmet', String(port));
    assert.equal(told('https://a.example:10250', { port: '10250' }), 'met');
    assert.equal(told('https://***@a.example:6443'), 'unmet');
  });
  it('is one that the authority of the cluster may sign for', () => {
    const limits = { permitted: { dns: ['a.example'], ip: [] }, excluded: { dns: [], ip: [] } };
    const root = at('/ca', { kind: 'certificates', certificates: [{ ...certificate(), limits }] });
    assert.equal(told('https://a.example:6443', { root }), 'met');
    assert.equal(told('https://b.example:6443', { root }), 'unmet');
    assert.equal(told('https://192.0.2.1:6443', { root }), 'met');
  });
});

describe('a kubelet', () => {
  it('asks no Service', () => {
    const told = (server: string, ...services: readonly string[]): string =>
      resultsOf(asksNoService, conf({ server }), { services }).join();
    const its = ['10.96.0.1', 'fd00:0:0:0:0:0:0:1'];
    for (const server of ['https://10.96.0.1', 'https://10.96.0.1:443/', 'https://[fd00::1]:443'])
      assert.equal(told(server, ...its), 'unmet', server);
    for (const name of ['kubernetes.default.svc', 'kubernetes.default.svc.cluster.local'])
      assert.equal(told(`https://${name}:443`), 'unmet', name);
    for (const server of ['https://10.96.0.10:443', 'https://192.0.2.1:443', 'https://kubernetes.example:6443', ''])
      assert.equal(told(server, ...its), 'met', server);
    assert.equal(told('https://10.96.0.1'), 'met');
  });
});

describe('the server that a kubeconfig asks', () => {
  const own = (server: string, more: Partial<OwnServer> = {}, serverName = ''): string =>
    resultsOf(asksOwnServer, [conf({ server, serverName })], { ...OWN, ...more }).join();
  it('is the machine’s own, at its port, over TLS', () => {
    for (const server of ['https://192.0.2.10:6443', 'https://192.0.2.10:6443/'])
      assert.equal(own(server), 'met', server);
    // what nobody can read may be for all
    for (const server of ['https://127.0.0.1:6443', 'https://localhost:6443', 'https://[::1]:6443']) {
      assert.equal(own(server, { certificate: null }), 'met', server);
      assert.equal(own(server), 'unmet', `${server}, which the certificate is not for`);
      assert.equal(own(server, {}, 'api.example'), 'met', `${server} by another name`);
    }
    for (const server of [
      'http://192.0.2.10:6443',
      'https://192.0.2.11:6443',
      'https://192.0.2.10',
      'https://192.0.2.10:443',
      'https://192.0.2.10:16443',
      '',
    ])
      assert.equal(own(server), 'unmet', server);
    for (const server of [
      'https://x.localhost:6443',
      'https://localhost.example:6443',
      'https://127.0.0.11:6443',
      'https://192.0.2.10/a:6443/b',
    ])
      assert.equal(own(server), 'unmet', server);
    assert.equal(own('https://192.0.2.10', { port: '443' }), 'met');
    assert.equal(own('https://192.0.2.10:8443', { port: '' }), 'met');
  });
  it('is called as its certificate is', () => {
    const server = 'https://192.0.2.10:6443';
    assert.equal(own(server, {}, 'api.example'), 'met');
    assert.equal(own(server, {}, 'other.example'), 'unmet');
    for (const certificate of [null, cut, at('/a', null), at('/a', { kind: 'certificates', certificates: [] })])
      assert.equal(own(server, { certificate }, 'other.example'), 'met');
    assert.deepEqual(saidBy(asksOwnServer, [conf({ server, serverName: 'api.example' })], OWN), [
      `met: ${server} as api.example`,
    ]);
    assert.deepEqual(saidBy(asksOwnServer, [conf({ server: '' })], OWN), ['unmet: it asks nobody']);
    assert.deepEqual(saidBy(asksOwnServer, [conf({ server })], { ...OWN, address: '' }), [
      `unclear: ${server}; no manifest says the machine's address`,
    ]);
  });
  it('is one of the cluster, over TLS', () => {
    const told = (server: string, more: Partial<OwnServer> = {}, serverName = ''): string =>
      resultsOf(asksCluster, [conf({ server, serverName })], { ...OWN, ...more }).join();
    for (const server of [
      'https://api.example:8443',
      'https://192.0.2.11:1',
      'https://192.0.2.10:6443',
      'https://192.0.2.10:6443/',
    ])
      assert.equal(told(server), 'met', server);
    for (const server of [
      'http://api.example',
      'xhttps://api.example',
      'https://',
      'https://other.example',
      'https://192.0.2.10:8443',
      '',
    ])
      assert.equal(told(server), 'unmet', server);
    assert.equal(told('https://other.example', {}, 'api.example'), 'met');
    assert.equal(told('https://api.example', {}, 'other.example'), 'unmet');
    assert.equal(told('https://other.example', { certificate: null }), 'met');
    assert.equal(told('https:///a', { certificate: null }), 'unmet');
    assert.deepEqual(saidBy(asksCluster, [conf({ server: '' })], OWN), ['unmet: it asks nobody']);
  });
  it('is one', () => {
    const told = (server: string): readonly string[] => resultsOf(verifies, [conf({ server })], undefined);
    for (const server of [
      '192.0.2.10:6443',
      'https://[2001:db8::1]:6443',
      'https://a.example',
      'a.example',
      'https://a/b',
    ])
      assert.deepEqual(told(server), ['met'], server);
    for (const server of [
      'https://192.0.2.10:6443,https://192.0.2.11:6443',
      'https://',
      'https://a b',
      '192.0.2.10:99999',
    ])
      assert.deepEqual(told(server), ['unmet'], server);
    assert.deepEqual(saidBy(verifies, [conf({ server: 'https://' })], undefined), [
      'unmet: what it asks is no address of one server',
    ]);
  });
  it('is verified, and asked directly', () => {
    assert.deepEqual(saidBy(verifies, [conf(), conf({ isInsecure: true })], undefined), [
      'met: it does',
      'unmet: it says insecure-skip-tls-verify',
    ]);
    assert.deepEqual(saidBy(asksDirectly, [conf(), conf({ proxy: 'http://a' })], undefined), [
      'met: it does',
      'unmet: it names a proxy-url',
    ]);
  });
});

describe('what may answer on loopback', () => {
  it('is a proxy by its place and its name', () => {
    for (const path of [
      ...['haproxy', 'nginx', 'envoy', 'traefik', 'keepalived'].map((name) => `/etc/${name}`),
      ...[
        '/etc/kubernetes/manifests/haproxy.yaml',
        '/etc/kubernetes/manifests/a',
        '/usr/bin/haproxy',
        '/usr/sbin/nginx',
      ],
      ...[
        '/usr/bin/kube-vip',
        '/usr/bin/gobetween',
        '/usr/sbin/caddy',
        '/usr/bin/stunnel4',
        '/usr/bin/envoy',
        '/usr/bin/traefik',
      ],
      ...[
        '/etc/systemd/system/my-proxy.service',
        '/usr/lib/systemd/system/nginx-a.service',
        '/etc/systemd/system/kube-lb.service',
      ],
      ...[
        '/etc/systemd/system/vip.service',
        '/etc/systemd/system/balancer.service',
        '/etc/systemd/system/tunnel@a.service',
        '/etc/systemd/system/envoy.service',
        '/etc/systemd/system/kube-apiserver.service',
      ],
    ])
      assert.equal(mayBeProxy(path), true, path);
    for (const path of [
      ...[
        '/etc/haproxy/a.cfg',
        '/srv/etc/haproxy',
        '/etc/kubernetes/manifests/.a.yaml',
        '/etc/kubernetes/manifests/a/b',
      ],
      ...[
        '/usr/bin/haproxyctl',
        '/usr/local/bin/haproxy',
        '/usr/lib/systemd/system/kubelet.service',
        '/etc/systemd/system/a.service',
      ],
      ...[
        '/etc/systemd/system/proxy.timer',
        '/etc/systemd/system/a/proxy.service',
        '/etc/systemd/system/proxy.service.d',
        '/etc/nginxs',
      ],
    ])
      assert.equal(mayBeProxy(path), false, path);
  });
  it('is known of a whole disk alone', () => {
    for (const path of ['/usr/bin/kubelet', '/usr/bin/containerd', '/etc/containerd', '/etc/crontab', '/etc/sudoers'])
      assert.equal(isWholeDisk(['/a', path]), true, path);
    assert.equal(isWholeDisk(['/etc/kubernetes/kubelet.conf', '/etc/containerd/config.toml']), false);
    assert.equal(isWholeDisk([]), false);
  });
  it('is told by its name', () => {
    const told = (server: string, proxies: readonly string[]) =>
      judged(proxyThere, [conf({ server })], { proxies }).map(({ demanded, seen }) => `${demanded}: ${seen}`);
    assert.deepEqual(told('https://127.0.0.1:6443', ['/a', '/b', '/c', '/d']), [
      'somebody answers on loopback: /a, /b, /c',
    ]);
    assert.deepEqual(told('https://127.0.0.1:6443', []), [
      'somebody answers on loopback: nothing there listens for https://127.0.0.1:6443',
    ]);
    assert.deepEqual(told('https://127.0.0.1:32768', []), []);
    assert.equal(told('https://127.0.0.1:32767', []).length, 1);
    assert.equal(told('https://127.0.0.1:40123/a', []).length, 1);
    for (const other of ['https://x127.0.0.1:1', 'https://a.localhost:1', 'https://::1a:1'])
      assert.deepEqual(told(other, []), [], other);
  });
  it('is no program of a cluster at a port of its own', () => {
    const none = { address: '', port: '', certificate: null };
    for (const port of [2379, 2380, 2381, 10_248, 10_249, 10_250, 10_255, 10_256, 10_257, 10_259])
      assert.deepEqual(
        resultsOf(asksCluster, [conf({ server: `https://a.example:${port}` })], none),
        ['unmet'],
        `${port}`,
      );
    assert.deepEqual(resultsOf(asksCluster, [conf({ server: 'ftp://https://a.example' })], none), ['unmet']);
    const root = at('/ca', { kind: 'certificates', certificates: [] });
    for (const one of [root, at('/ca', null), at('/ca', { kind: 'other' })])
      assert.deepEqual(resultsOf(asksCluster, [conf({ server: 'https://a.example' })], { ...none, root: one }), [
        'met',
      ]);
    // 443 is that of https
    assert.deepEqual(
      resultsOf(asksOwnServer, [conf({ server: 'https://192.0.2.10' })], { ...OWN, port: '443', certificate: null }),
      ['met'],
    );
    for (const server of ['https://localhost.a:6443', 'https://a127.0.0.1:6443'])
      assert.deepEqual(resultsOf(asksOwnServer, [conf({ server })], { ...OWN, certificate: null }), ['unmet'], server);
  });
});
