import assert from 'node:assert/strict';
import { request } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { connect } from 'node:tls';
import { createAuthority, issueCredential } from '../../pki/authority.js';
import { fixture } from './fixture.js';
import type { Listener } from './listen.js';

const authority = createAuthority({ commonName: 'test', key: 'ECDSA-P256', now: Date.now() });
const serving = issueCredential(authority, {
  subject: { commonName: 'server' },
  key: 'ECDSA-P256',
  now: Date.now(),
  altNames: { ip: ['127.0.0.1'] },
});
const client = issueCredential(authority, { subject: { commonName: 'jane' }, key: 'ECDSA-P256', now: Date.now() });

async function serve(act: (listener: Listener) => Promise<void>, seen: number[] = []): Promise<void> {
  const { api } = fixture({
    authenticator: {
      authenticate({ certificates }) {
        seen.push(certificates.length);
        return { kind: 'user', user: { username: 'jane', groups: [] }, via: 'certificate' };
      },
      review: () => ({}),
    },
  });
  const listener = await api.listen({ key: serving.keyPem, cert: serving.certificatePem });
  try {
    await act(listener);
  } finally {
    await listener.close();
  }
}

const get = (listener: Listener, path: string, more: object = {}): Promise<{ code: number; body: string }> =>
  new Promise((resolve, reject) => {
    const asked = request(
      `${listener.url}${path}`,
      { ca: authority.certificate.pem, agent: false, ...more },
      (response) => {
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          body += chunk;
        });
        response.on('end', () => resolve({ code: response.statusCode ?? 0, body }));
      },
    );
    asked.on('error', reject);
    asked.end();
  });

test('a client certificate is taken but not demanded', async () => {
  const seen: number[] = [];
  await serve(async (listener) => {
    assert.equal((await get(listener, '/healthz')).body, 'ok');
    assert.equal((await get(listener, '/healthz', { key: client.keyPem, cert: client.certificatePem })).code, 200);
  }, seen);
  assert.equal(seen[0], 0);
  assert.ok((seen[1] ?? 0) >= 1);
});

test('methods that Node does not know are answered by the API', async () => {
  await serve(async (listener) => {
    const text = await new Promise<string>((resolve, reject) => {
      let heard = '';
      const socket = connect({ port: listener.port, host: listener.host, ca: authority.certificate.pem }, () =>
        socket.write('FOO /version HTTP/1.1\r\nHost: x\r\n\r\n'),
      );
      socket.setEncoding('utf8');
      socket.on('data', (chunk: string) => {
        heard += chunk;
      });
      socket.on('end', () => resolve(heard));
      socket.on('error', reject);
    });
    assert.match(text, /^HTTP\/1\.1 405 Method Not Allowed\r\n/);
  });
});

test('a port that is taken is told at once', async () => {
  const { api } = fixture();
  // It keeps nobody waiting, so that what never comes to an end is seen to be so.
  const taken = createServer().unref();
  const port = await new Promise<number>((resolve) =>
    taken.listen(0, '127.0.0.1', () => resolve((taken.address() as AddressInfo).port)),
  );
  const asked = api.listen({ key: serving.keyPem, cert: serving.certificatePem, port });
  await assert.rejects(asked, { code: 'EADDRINUSE' });
  taken.close();
});

test('an open watch ends when the server closes', async () => {
  let watching: Promise<{ code: number; body: string }> | undefined;
  await serve(async (listener) => {
    watching = get(listener, '/api/v1/namespaces?watch=1');
    await get(listener, '/healthz');
  });
  const ended = await watching?.catch(() => undefined);
  assert.ok(ended === undefined || ended.code === 200);
});

/** What the server says on one connection to what is written there, until it ends it. */
const say = (listener: Listener, text: string): Promise<string> =>
  new Promise((resolve) => {
    let heard = '';
    const socket = connect({ port: listener.port, host: listener.host, ca: authority.certificate.pem }, () =>
      socket.write(text),
    );
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      heard += chunk;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(heard));
  });

test('a target may be a whole URL, whose path counts', async () => {
  await serve(async (listener) => {
    for (const [target, status] of [
      ['http://elsewhere.example/healthz', 200],
      ['HTTPS://[::1]:6443/healthz?verbose=1', 200],
      ['http://elsewhere.example/nope', 404],
      ['http://elsewhere.example', 200],
      ['http://elsewhere.example?x=/healthz', 200],
      ['/http://elsewhere.example/healthz', 404],
    ] as const)
      assert.match(
        await say(listener, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
        new RegExp(`^HTTP/1\\.1 ${status} `),
        target,
      );
  });
});

test('who waits for leave to go on gets it where a body follows, and the answer at once where none does', async () => {
  await serve(async (listener) => {
    const head = 'Host: x\r\nConnection: close\r\nExpect: 100-continue\r\n';
    assert.match(await say(listener, `GET /healthz HTTP/1.1\r\n${head}\r\n`), /^HTTP\/1\.1 200 OK\r\n/);
    assert.match(
      await say(listener, `POST /version HTTP/1.1\r\n${head}Content-Length: 2\r\n\r\n{}`),
      /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 405 /,
    );
  });
});

test('headers are read up to a mebibyte, all of them, and refused beyond', async () => {
  await serve(async (listener) => {
    const headers = (count: number): string =>
      Array.from({ length: count }, (_, index) => `x-${index}: ${'y'.repeat(80)}\r\n`).join('');
    const head = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n';
    assert.match(await say(listener, `${head}${headers(10_000)}\r\n`), /^HTTP\/1\.1 200 OK\r\n/);
    assert.match(
      await say(listener, `${head}${headers(100_000)}\r\n`),
      /^(HTTP\/1\.1 431 Request Header Fields Too Large\r\n|$)/,
    );
    assert.match(await say(listener, `${head}: no name\r\n\r\n`), /^HTTP\/1\.1 400 Bad Request\r\n/);
    assert.equal((await get(listener, '/healthz')).body, 'ok');
  });
});

test('nobody waits for a long YAML to be read', async () => {
  await serve(async (listener) => {
    const ended: string[] = [];
    const post = (name: string, lines: number): Promise<number> =>
      new Promise((resolve, reject) => {
        const headers = { 'content-type': 'application/yaml' };
        const asked = request(
          `${listener.url}/api/v1/namespaces/default/configmaps`,
          { ca: authority.certificate.pem, agent: false, method: 'POST', headers },
          (response) => {
            response.resume();
            response.on('end', () => {
              ended.push(name);
              resolve(response.statusCode ?? 0);
            });
          },
        );
        asked.on('error', reject);
        const data = Array.from({ length: lines }, (_, n) => `  k${n}: v\n`).join('');
        asked.end(`apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n${data}`);
      });
    const long = [post('long', 30_000), post('also', 20_000)];
    // The first is under way by the time that this has gone there and back.
    for (let time = 0; time < 5; time += 1) assert.equal((await get(listener, '/healthz')).body, 'ok');
    assert.equal(await post('short', 10), 201);
    assert.deepEqual(await Promise.all(long), [201, 201]);
    assert.equal(ended[0], 'short');
  });
});
