import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { TargetUnreachable } from './errors.js';
import { authority, clientCertificate, connectionTo, listen, serve } from './local-server.testing.js';
import { Transport } from './transport.js';

const never = new AbortController().signal;
const sink = { secret: () => undefined, redact: (text: string) => text };
const question = { method: 'GET', path: '/version', headers: [], timeoutMs: 5_000 } as const;

test('a proxy tunnels TLS with the client certificate inside, and its refusal is told', async () => {
  const ca = authority('client-ca');
  const admin = clientCertificate(ca, 'admin');
  const server = await serve(
    (request, response) =>
      response.end(
        JSON.stringify({
          certificate: (request.socket as import('node:tls').TLSSocket).getPeerCertificate()?.subject?.CN ?? null,
        }),
      ),
    { clientCa: ca },
  );
  const seen: (string | undefined)[] = [];
  const http = createServer();
  http.on('connect', (request, socket) => {
    seen.push(request.headers['proxy-authorization']);
    if (request.headers['proxy-authorization'] === undefined) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    const upstream = connect(server.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('error', () => upstream.destroy());
  });
  const proxy = await listen(http, ca, 'http');
  const through = new Transport(
    connectionTo(server, { certificate: admin }, { proxyUrl: `http://user:word@127.0.0.1:${proxy.port}` }),
    sink,
  );
  assert.deepEqual((await through.send({ kind: 'admin' }, question, never)).body, { certificate: 'admin' });
  assert.deepEqual((await through.send({ kind: 'anonymous' }, question, never)).body, { certificate: null });
  assert.equal(seen[0], `Basic ${Buffer.from('user:word').toString('base64')}`);
  await through.close();
  const refused = new Transport(connectionTo(server, {}, { proxyUrl: proxy.url }), sink);
  await assert.rejects(
    refused.send({ kind: 'admin' }, question, never),
    (error) => error instanceof TargetUnreachable && error.why === 'proxy' && /407/.test(error.message),
  );
  await refused.close();
  await proxy.close();
  const gone = new Transport(connectionTo(server, {}, { proxyUrl: proxy.url }), sink);
  await assert.rejects(
    gone.send({ kind: 'admin' }, question, never),
    (error) => error instanceof TargetUnreachable && error.why === 'proxy' && /proxy/.test(error.message),
  );
  await gone.close();
  await server.close();
});
