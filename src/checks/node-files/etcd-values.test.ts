import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { twinsOf } from '../common/twins.testing.js';
import { endingEtcd } from './etcd-values.js';

const of = (flags: Readonly<Record<string, string>>): string => endingEtcd(flags).join('; ');

describe('values that end etcd', () => {
  it('are told of how it starts', () => {
    assert.equal(of({ 'initial-cluster': 'a=https://192.0.2.1:2380' }), '');
    assert.equal(of({ 'initial-cluster': 'a', discovery: 'https://d' }), '--initial-cluster beside --discovery');
    assert.equal(of({ 'initial-cluster': 'a', 'discovery-srv': '' }), '');
    assert.equal(of({ 'auth-token': 'jwt' }), '--auth-token=jwt');
    for (const token of ['simple', '', 'jwt,pub-key=/a,priv-key=/b,sign-method=RS256'])
      assert.equal(of({ 'auth-token': token }), '', token);
  });
  it('are told of where it listens', () => {
    const listening = (name: string, url: string): string =>
      of({ 'listen-client-urls': 'https://127.0.0.1:2379,https://192.0.2.1:2379', [`listen-${name}-urls`]: url });
    assert.equal(listening('metrics', 'http://127.0.0.1:2381'), '');
    assert.equal(listening('metrics', 'http://localhost:2381'), '');
    assert.equal(listening('metrics', 'http://[::1]:2381'), '');
    assert.equal(listening('metrics', 'http://h.example:2381'), '--listen-metrics-urls=http://h.example:2381');
    assert.equal(listening('client-http', 'http://127.0.0.1:2379'), '--listen-client-http-urls=http://127.0.0.1:2379');
  });
  it('are told of TLS', () => {
    assert.equal(of({ 'tls-min-version': 'TLS1.3', 'tls-max-version': 'TLS1.3' }), '');
    assert.match(of({ 'tls-min-version': 'TLS1.3', 'tls-max-version': 'TLS1.2' }), /above/);
    const suites = { 'cipher-suites': 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256' };
    assert.match(of({ 'tls-min-version': 'TLS1.3', ...suites }), /chooses its own/);
    assert.equal(of({ 'tls-min-version': 'TLS1.2', ...suites }), '');
  });
  it('are told of what has two names', () => {
    const gate = { 'feature-gates': 'InitialCorruptCheck=true' };
    const flag = { 'experimental-initial-corrupt-check': 'true' };
    assert.equal(of(gate), '');
    assert.equal(of(flag), '');
    assert.equal(
      of({ ...gate, ...flag }),
      '--experimental-initial-corrupt-check beside the feature gate InitialCorruptCheck',
    );
    assert.equal(of({ 'feature-gates': 'CompactHashCheck=true', ...flag }), '');
    assert.equal(of({ 'feature-gates': 'SetMemberLocalAddr=true' }), '');
    const times = { 'corrupt-check-time': '1h', 'experimental-corrupt-check-time': '1h' };
    assert.equal(of(times), '--experimental-corrupt-check-time beside --corrupt-check-time');
  });
  it('are told of its logs', () => {
    const rotated = (outputs: string): string => of({ 'enable-log-rotation': 'true', 'log-outputs': outputs });
    assert.equal(rotated('/a'), '');
    for (const outputs of ['', 'stderr', '/a,/b'])
      assert.equal(rotated(outputs), '--enable-log-rotation without one file of --log-outputs');
    assert.equal(of({ 'log-outputs': 'stderr' }), '');
  });
});

describe('where others look for etcd', () => {
  const at = (kind: string, listens: string, told: string): string =>
    of({
      [`listen-${kind}-urls`]: listens,
      [kind === 'peer' ? 'initial-advertise-peer-urls' : 'advertise-client-urls']: told,
    });
  const URL = (host: string): string => `https://${host}:2379`;
  it('is where it listens', () => {
    for (const kind of ['peer', 'client']) {
      const who = kind === 'peer' ? 'members' : 'clients';
      for (const host of ['192.0.2.1', '0.0.0.0', '[::]', ...(kind === 'peer' ? ['127.0.0.1', 'localhost'] : [])])
        assert.equal(at(kind, URL(host), URL('192.0.2.1')), '', `${kind} ${host}`);
      for (const host of ['192.0.2.2', '10.0.0.0', '[fd00::]'])
        assert.equal(
          at(kind, URL(host), URL('192.0.2.1')),
          `${who} are told 192.0.2.1, not ${host.replace(/[[\]]/g, '')}`,
          `${kind} ${host}`,
        );
      // behind a name anything may stand
      assert.equal(at(kind, URL('192.0.2.2'), URL('a.example')), '');
      assert.equal(at(kind, '', URL('192.0.2.1')), '');
    }
    assert.equal(at('client', URL('localhost'), URL('192.0.2.1')), 'clients are told 192.0.2.1, not localhost');
    assert.equal(
      at('client', URL('192.0.2.1'), `${URL('192.0.2.1')},${URL('192.0.2.3')}`),
      'clients are told 192.0.2.3, not 192.0.2.1',
    );
  });
  it('is the machine alone for none whose members come from elsewhere', () => {
    const seen = (client: string, peer: string): string =>
      of({
        'listen-client-urls': `${URL('127.0.0.1')},${client}`,
        'advertise-client-urls': URL('127.0.0.1'),
        'initial-advertise-peer-urls': peer,
      });
    assert.equal(seen(URL('192.0.2.1'), URL('192.0.2.1')), 'clients are told 127.0.0.1, and peers 192.0.2.1');
    assert.equal(seen(URL('192.0.2.1'), URL('127.0.0.1')), '');
    assert.equal(seen(URL('192.0.2.1'), ''), '');
  });
  it('is no place that two of its flags take', () => {
    const twice = (first: string, second: string): string =>
      of({ 'listen-client-urls': first, 'listen-metrics-urls': second });
    assert.equal(
      twice('https://127.0.0.1:2379/', 'http://127.0.0.1:2379'),
      '--listen-metrics-urls=http://127.0.0.1:2379',
    );
    assert.equal(twice('https://127.0.0.1:2379,https://127.0.0.1:2379', ''), '');
    assert.equal(twice('https://127.0.0.1:2379', 'http://127.0.0.1:2381'), '');
    assert.equal(twice('https://127.0.0.1:2379/a/b', 'http://127.0.0.1:2379/ab'), '');
  });
  it('is said once, and by flags as they are written', () => {
    const all = ['initial-cluster', 'discovery', 'discovery-endpoints', 'discovery-srv'];
    for (const [first, second] of all.flatMap((one, index) =>
      all.slice(index + 1).map((other) => [one, other] as const),
    ))
      assert.equal(of({ [first]: 'a', [second]: 'b' }), `--${first} beside --${second}`);
    for (const twin of twinsOf('discovery')) assert.equal(of({ 'initial-cluster': 'a', [twin]: 'b' }), '', twin);
  });
});

describe('values of etcd', () => {
  it('are read as they are written', () => {
    const rotated = (on: string, outputs = 'stderr'): boolean =>
      of({ 'enable-log-rotation': on, 'log-outputs': outputs }) !== '';
    for (const on of ['true', 'True', '1', 't']) assert.equal(rotated(on), true, on);
    for (const off of ['false', 'xtrue', 'truex', '10', '']) assert.equal(rotated(off), false, off);
    for (const name of ['default', 'stdout', 'stderr'])
      for (const twin of twinsOf(name).filter((one) => one.trim() === one && one !== ''))
        assert.equal(rotated('true', twin), false, twin);
    for (const token of [
      ...twinsOf('simple').filter((one) => one !== ''),
      'xjwt,sign-method=RS256',
      'jwt,pub-key=/a',
      'a,sign-method=RS256',
    ])
      assert.equal(of({ 'auth-token': token }), `--auth-token=${token}`, token);
    for (const twin of twinsOf('TLS1.3'))
      assert.equal(of({ 'tls-min-version': twin, 'tls-max-version': 'TLS1.2' }), '', twin);
    for (const twin of twinsOf('TLS1.2'))
      assert.equal(of({ 'tls-min-version': 'TLS1.3', 'tls-max-version': twin }), '', twin);
  });
  it('are no less than what is needed', () => {
    for (const [flags, told] of [
      [
        { 'heartbeat-interval': '200', 'election-timeout': '999' },
        '--election-timeout=999 is less than five times 200',
      ],
      [{ 'heartbeat-interval': '200', 'election-timeout': '1000' }, ''],
      [{ 'heartbeat-interval': '201' }, '--election-timeout=1000 is less than five times 201'],
      [{ 'election-timeout': '499' }, '--election-timeout=499 is less than five times 100'],
      [{ 'quota-backend-bytes': '67108863' }, '--quota-backend-bytes=67108863: soon nothing can be written'],
      [{ 'quota-backend-bytes': '67108864' }, ''],
      [{ 'quota-backend-bytes': '0' }, ''],
      [{ 'quota-backend-bytes': '-1' }, ''],
      [{ 'max-request-bytes': '1048575' }, '--max-request-bytes=1048575: objects are larger'],
      [{ 'max-request-bytes': '1048576' }, ''],
      [{ 'max-request-bytes': 'x' }, ''],
      [{ 'auto-compaction-retention': '5m' }, ''],
      [{ 'auto-compaction-retention': '1000' }, ''],
      [{ 'auto-compaction-retention': '5x' }, '--auto-compaction-retention is no duration'],
    ] as const)
      assert.equal(of(flags as Readonly<Record<string, string>>), told, JSON.stringify(flags));
  });
});
