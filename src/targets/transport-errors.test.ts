import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TargetUnreachable } from './errors.js';
import { unreachable } from './transport-errors.js';

const redact = (text: string): string => text.replaceAll('hunter2', '[redacted]');
const of = (error: unknown, proxy?: string): TargetUnreachable => unreachable(error, 'host:6443', redact, proxy);
const coded = (code: string, message = 'it broke'): Error => Object.assign(new Error(message), { code });

test('what nobody knows is told as it was said, without what is secret', () => {
  const { why, message } = of(new Error('odd hunter2', { cause: coded('EODD', 'said hunter2') }));
  assert.equal(why, 'other');
  assert.equal(message, 'Cannot ask host:6443: odd [redacted] said [redacted] (EODD).');
});

test('what is known is told in words of ours, by the innermost code that says something', () => {
  assert.equal(of(coded('ECONNREFUSED')).why, 'refused');
  assert.equal(of(new Error('failed', { cause: coded('ENOTFOUND') })).why, 'dns');
  assert.equal(of(new AggregateError([new Error('none'), coded('ETIMEDOUT')])).why, 'timeout');
  assert.equal(of(coded('ERR_TLS_CERT_ALTNAME_INVALID')).why, 'tls-hostname');
  assert.equal(of(coded('HPE_INVALID_CONSTANT')).why, 'not-http');
  assert.equal(of(coded('X', 'ssl3_get_record:wrong version number')).why, 'not-https');
  assert.equal(of(coded('X', 'tlsv13 alert certificate required')).why, 'tls-refused');
});

test('what goes wrong on the way to a proxy is told of the proxy, and what it says of certificates of the server', () => {
  assert.match(of(coded('ECONNREFUSED'), 'proxy:3128').message, /over the proxy proxy:3128/);
  assert.equal(of(coded('CERT_HAS_EXPIRED'), 'proxy:3128').why, 'tls-expired');
  assert.equal(of(new Error('Proxy response (407) !== 200'), 'proxy:3128').why, 'proxy');
});

test('what was told already stays', () => {
  const told = new TargetUnreachable('gone', 'aborted');
  assert.equal(of(told), told);
});
