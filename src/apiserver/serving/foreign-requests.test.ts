import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { it } from 'node:test';
import { answerForeign } from './foreign-requests.js';

const said = (code: string) => {
  const socket = new PassThrough();
  answerForeign(Object.assign(new Error('it is so'), { code }), socket, async () => assert.fail('nothing was asked'));
  const text = String(socket.read() ?? '');
  return { text, open: !socket.destroyed && socket.writable };
};

it('answers what is no HTTP, and ends the connection', () => {
  assert.match(said('HPE_INVALID_CONSTANT').text, /^HTTP\/1\.1 400 /);
  assert.equal(said('HPE_INVALID_CONSTANT').open, false);
  assert.match(said('HPE_HEADER_OVERFLOW').text, /^HTTP\/1\.1 431 /);
  assert.deepEqual(said('ERR_HTTP_REQUEST_TIMEOUT'), { text: '', open: false });
});

it('leaves a request alone that came with a certificate that does not verify', () => {
  assert.deepEqual(said('ERR_SSL_EVP_LIB'), { text: '', open: true });
});
