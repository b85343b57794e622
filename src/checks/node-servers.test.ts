import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultsOf, saidBy } from './judged.testing.js';
import { at, certificate, conf, crt } from './node-seen.testing.js';
import { asksCluster, asksDirectly, asksOwnServer, type OwnServer, proxyThere, verifies } from './node-servers.js';

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
});

describe('a server of the cluster', () => {
  const told = (server: string, more: Partial<OwnServer> = {}): string =>
    resultsOf(asksCluster, [conf({ server })], { address: '', port: '', certificate: null, ...more }).join();
  it('is where no other program of a cluster listens', () => {
    for (const port of ['', ':6443', ':443', ':8443/', ':12379']) assert.equal(told(`https://a.example${port}`), 'met');
    for (const port of [2379, 10_250, 10_257, 10_259])
      assert.equal(told(`https://a.example:${port}`), 'unmet', String(port));
    assert.equal(told('https://a.example:10250', { port: '10250' }), 'met');
  });
  it('is one that the authority of the cluster may sign for', () => {
    const limits = { permitted: { dns: ['a.example'], ip: [] }, excluded: { dns: [], ip: [] } };
    const root = at('/ca', { kind: 'certificates', certificates: [{ ...certificate(), limits }] });
    assert.equal(told('https://a.example:6443', { root }), 'met');
    assert.equal(told('https://b.example:6443', { root }), 'unmet');
    assert.equal(told('https://192.0.2.1:6443', { root }), 'met');
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
