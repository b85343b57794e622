import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainRefused, servedOverTls } from './transport.js';

test('what was seen is told', () => {
  const seen = (head: string) => plainRefused.judge({ server: 'https://a', head }, undefined)[0]?.seen;
  assert.equal(seen(''), 'no HTTP answer');
  assert.equal(seen('HTTP/1.1 200 OK\r\nServer: x'), 'HTTP/1.1 200 OK');
  assert.deepEqual(
    servedOverTls.judge({ server: 'http://a' }, undefined).map((finding) => finding.seen),
    ['no https'],
  );
});

test('an address is an https one or not', () => {
  const result = (server: string) => servedOverTls.judge({ server }, undefined).map((finding) => finding.result);
  assert.deepEqual(result('https://10.0.0.1:6443'), ['met']);
  assert.deepEqual(result('http://10.0.0.1:8080'), ['unmet']);
});

test('what comes without TLS is not read', () => {
  const result = (head: string) => plainRefused.judge({ server: 'https://a', head }, undefined)[0]?.result;
  assert.equal(result(''), 'met');
  assert.equal(result('\u0015\u0003\u0001'), 'met');
  assert.equal(result('HTTP/1.0 400 Bad Request'), 'met');
  assert.equal(result('HTTP/1.1 301 Moved Permanently\r\nLocation: https://a/version'), 'met');
  assert.equal(result('HTTP/1.1 301 Moved Permanently\r\nLocation: http://a/version/'), 'unmet');
  assert.equal(result('SSH-2.0 HTTP/1.1 200'), 'met');
  const location = 'Location: https://a/version';
  for (const status of [300, 399]) assert.equal(result(`HTTP/1.1 ${status} x\r\n${location}`), 'met', `${status}`);
  for (const status of [201, 299, 401])
    assert.equal(result(`HTTP/1.1 ${status} x\r\n${location}`), 'unmet', `${status}`);
  assert.equal(result(`HTTP/1.1 301 Moved\r\nX-${location}`), 'unmet');
  for (const status of [200, 401, 403, 404, 500]) assert.equal(result(`HTTP/1.1 ${status} x`), 'unmet', `${status}`);
});
