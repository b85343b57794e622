/** Which answers are compressed. Source: responsewriters/writers.go deferredResponseWriter, negotiateContentEncoding. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { compress } from './encode.js';
import type { ApiResponse } from './http.js';

const answer = (length: number): ApiResponse => ({
  kind: 'full',
  code: 200,
  headers: { 'Content-Type': 'application/json' },
  body: 'x'.repeat(length),
});
const LARGE = 128 * 1024;

it('compresses what is large, for who accepts gzip', () => {
  for (const accepted of ['gzip', 'gzip;q=0.5', ' gzip ', 'deflate, gzip', 'gzip,br', 'br;q=1 ,gzip ;q=0.1']) {
    const made = compress(answer(LARGE), accepted);
    assert.ok(made.kind === 'full');
    assert.deepEqual(made.headers, {
      'Content-Type': 'application/json',
      'Content-Encoding': 'gzip',
      Vary: 'Accept-Encoding',
    });
    assert.equal(gunzipSync(made.body).toString(), 'x'.repeat(LARGE), accepted);
  }
});

it('leaves all else as it is', () => {
  for (const other of ['', 'br', 'gzipx', 'xgzip', 'x-gzip', 'deflate;gzip', '*', 'identity'])
    assert.deepEqual(compress(answer(LARGE), other), answer(LARGE), other);
  assert.deepEqual(compress(answer(LARGE - 1), 'gzip'), answer(LARGE - 1));
  const stream: ApiResponse = { kind: 'stream', code: 200, headers: {}, open: () => () => undefined };
  assert.equal(compress(stream, 'gzip'), stream);
});
