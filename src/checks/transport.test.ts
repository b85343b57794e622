import assert from 'node:assert/strict';
import { test } from 'node:test';
import { servedOverTls } from './transport.js';

test('an address is an https one or not', () => {
  const result = (server: string) => servedOverTls.judge({ server }, undefined).map((finding) => finding.result);
  assert.deepEqual(result('https://10.0.0.1:6443'), ['met']);
  assert.deepEqual(result('http://10.0.0.1:8080'), ['unmet']);
});
