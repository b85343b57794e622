import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultsOf, saidBy } from '../common/judged.testing.js';
import { etcdFlags, etcdIsLocal, etcdListens, letClientsIn } from './node-etcd.js';
import { crt, pod } from './node-seen.testing.js';

type Flags = Readonly<Record<string, string>>;
const api = (flags: Flags) => [pod('kube-apiserver', flags)];

describe('etcd, as an API server asks it', () => {
  it('is named by URLs, with what TLS needs', () => {
    const told = (servers: string, more: Flags = {}): string =>
      resultsOf(etcdFlags, api({ 'etcd-servers': servers, ...more }), undefined).join();
    assert.equal(told('http://a:1'), 'met,met,met');
    assert.equal(told('http://a:1,https://b:2', { 'etcd-cafile': '/a' }), 'met,met,met');
    for (const odd of ['', 'a:2379', 'https://', 'https://a:1,b:2', 'xhttp://a'])
      assert.match(told(odd), /^unmet/, odd);
    assert.match(told('https://a:1,http://b:2'), /unmet$/);
  });

  it('lets clients in', () => {
    const told = (extendedKeyUsage?: readonly string[]): readonly string[] =>
      saidBy(letClientsIn, [crt(extendedKeyUsage === undefined ? {} : { extendedKeyUsage })], undefined);
    assert.deepEqual(told(), ['met: any']);
    assert.deepEqual(told(['serverAuth', 'clientAuth']), ['met: serverAuth, clientAuth']);
    assert.deepEqual(told(['serverAuth', 'codeSigning']), ['unmet: serverAuth, codeSigning']);
    assert.deepEqual(told([]), ['unmet: it is for nothing']);
    assert.equal(letClientsIn.judge([crt()], undefined)[0]?.demanded, 'its certificate may be shown by clients');
  });

  it('is that of the machine, or one that somebody has it advertise elsewhere', () => {
    const told = (servers: string, advertised: string, address = '192.0.2.10'): string =>
      resultsOf(etcdIsLocal, api({ 'etcd-servers': servers, 'advertise-address': address }), { advertised }).join();
    for (const local of ['https://127.0.0.1:2379', 'https://localhost:2379', 'https://[::1]:2379'])
      assert.equal(told(local, ''), 'met', local);
    for (const other of [
      'https://127.0.0.1:23790',
      'http://127.0.0.1:2379',
      'xhttps://127.0.0.1:2379',
      'https://192.0.2.9:2379',
    ])
      assert.equal(told(other, 'https://192.0.2.7:2379'), 'unmet', other);
    assert.equal(told('https://192.0.2.9:2379', 'https://192.0.2.9:2379'), 'met');
    assert.equal(told('http://192.0.2.9:2379', 'http://192.0.2.9:2379'), 'unmet');
    assert.equal(told('https://192.0.2.10:2379', 'https://192.0.2.10:2379'), 'unmet');
    assert.equal(told('https://192.0.2.9:2379', ''), 'unmet');
  });

  it('is one of the members that it starts with, over TLS at each of its addresses', () => {
    const URLS = {
      'listen-client-urls': 'https://127.0.0.1:2379,https://192.0.2.10:2379',
      'advertise-client-urls': 'https://192.0.2.10:2379',
      'listen-peer-urls': 'https://192.0.2.10:2380',
      'initial-advertise-peer-urls': 'https://192.0.2.10:2380',
      'initial-cluster': 'a=https://192.0.2.9:2380,cp-1=https://192.0.2.10:2380',
      name: 'cp-1',
    };
    const told = (more: Flags = {}): string =>
      resultsOf(etcdListens, [pod('etcd', { ...URLS, ...more })], undefined).join();
    const met = (...at: readonly number[]): string =>
      [0, 1, 2, 3, 4, 5].map((one) => (at.includes(one) ? 'unmet' : 'met')).join();
    assert.equal(told(), met());
    assert.equal(told({ 'listen-client-urls': 'https://192.0.2.10:2379' }), met(0));
    for (const all of ['https://0.0.0.0:2379', 'https://[::]:2379'])
      assert.equal(told({ 'listen-client-urls': all }), met());
    assert.equal(told({ 'listen-client-urls': 'https://0.0.0.0:2380' }), met(0));
    assert.equal(told({ 'listen-client-urls': 'https://127.0.0.1:2379,http://192.0.2.10:2379' }), met(1));
    assert.equal(told({ 'advertise-client-urls': '' }), met(2));
    assert.equal(told({ 'listen-peer-urls': 'https://a,http://b' }), met(3));
    assert.equal(told({ name: '' }), met(5));
    assert.equal(told({ name: '', 'initial-cluster': '=https://192.0.2.10:2380' }), met(5));
    const two = 'https://192.0.2.10:2380,https://192.0.2.11:2380';
    assert.equal(told({ 'initial-advertise-peer-urls': two }), met(5));
    assert.equal(
      told({ 'initial-advertise-peer-urls': two, 'initial-cluster': two.replaceAll('https', 'cp-1=https') }),
      met(),
    );
  });
});
