import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainRefused, servedOverTls } from './transport.js';

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
  for (const status of [200, 401, 403, 404, 500]) assert.equal(result(`HTTP/1.1 ${status} x`), 'unmet', `${status}`);
});
