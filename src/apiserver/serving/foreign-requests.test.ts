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

it('answers a method that Node does not know with the whole answer of the API', async () => {
  const socket = new PassThrough();
  const asked: string[] = [];
  const written = new Promise<string>((resolve) => {
    socket.end = ((bytes: Buffer) => resolve(bytes.toString())) as never;
  });
  const rawPacket = Buffer.from('FOO /version HTTP/1.1\r\nHost: x\r\nX-A: b\r\n c\r\n\r\n');
  answerForeign(
    Object.assign(new Error('no method'), { code: 'HPE_INVALID_METHOD', rawPacket }),
    socket,
    ({ method, url, headers }, respond) => {
      asked.push(method, url, String(headers['x-a']));
      respond({
        kind: 'full',
        code: 405,
        headers: { 'Content-Type': 'text/plain', Warning: ['1', '2'] },
        body: 'no é',
      });
    },
  );
  assert.equal(
    await written,
    'HTTP/1.1 405 Method Not Allowed\r\nContent-Type: text/plain\r\nWarning: 1\r\nWarning: 2\r\n' +
      'Content-Length: 5\r\nConnection: close\r\n\r\nno é',
  );
  assert.deepEqual(asked, ['FOO', '/version', 'b c']);
});

it('waits for the whole body of such a request, and asks once', () => {
  const socket = new PassThrough();
  const asked: string[] = [];
  const head = 'FOO / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n';
  const error = { code: 'HPE_INVALID_METHOD', rawPacket: Buffer.from(`${head}a`) };
  answerForeign(Object.assign(new Error('no method'), error), socket, ({ body }) => asked.push(body.toString()));
  for (const [chunk, heard] of [
    ['bc', []],
    ['d', ['abcd']],
    ['e', ['abcd']],
  ] as const) {
    socket.emit('data', Buffer.from(chunk));
    assert.deepEqual(asked, heard);
  }
});

it('leaves a request alone that came with a certificate that does not verify', () => {
  assert.deepEqual(said('ERR_SSL_EVP_LIB'), { text: '', open: true });
});
