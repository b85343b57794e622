import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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
