/** What comes back for a request that is sent without TLS. */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer, Socket } from 'node:net';
import { after, describe, it, mock } from 'node:test';
import { authority, clientCertificate, listen, serve } from './local-server.testing.js';
import { plainAnswer, presentedCertificates, trusted } from './tls-probe.js';

const HEAD = 'HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain';
const closing: (() => void)[] = [];
after(() => {
  for (const close of closing) close();
});

/** Does that with who connects, once he has asked. */
async function serverThat(answers: (socket: Socket, asked: string) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (chunk) => answers(socket, chunk.toString('latin1')));
  });
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const { signal } = new AbortController();

describe('an answer without TLS', () => {
  it('is the head of what is said to a request for the version', async () => {
    let heard = '';
    const server = await serverThat((socket, asked) => {
      heard += asked;
      socket.end(`${HEAD}\r\n\r\nClient sent an HTTP request to an HTTPS server.\n`);
    });
    assert.equal(await plainAnswer({ server, signal }), HEAD);
    assert.match(heard, /^GET \/version HTTP\/1\.1\r\nHost: 127\.0\.0\.1:\d+\r\nConnection: close\r\n\r\n$/);
  });

  it('is what was said until it was closed, and nothing where nobody listens', async () => {
    assert.equal(await plainAnswer({ server: await serverThat((socket) => socket.end('half')), signal }), 'half');
    assert.equal(await plainAnswer({ server: await serverThat((socket) => socket.destroy()), signal }), '');
    const free = await serverThat(() => {});
    closing.pop()?.();
    assert.equal(await plainAnswer({ server: free, signal }), '');
  });

  it('is not waited for without end, nor read without end', async () => {
    const waits: number[] = [];
    const patched = mock.method(
      Socket.prototype,
      'setTimeout',
      function (this: Socket, time: number, end?: () => void) {
        waits.push(time);
        if (end !== undefined) setImmediate(end);
        return this;
      },
    );
    try {
      assert.equal(await plainAnswer({ server: await serverThat(() => {}), signal }), '');
    } finally {
      patched.mock.restore();
    }
    assert.deepEqual(waits, [5000]);
    const flood = await serverThat((socket) => void socket.write('x'.repeat(65_536)));
    assert.ok((await plainAnswer({ server: flood, signal })).length > 4096);
  });

  it('is not heard where the run is over', async () => {
    const over = new AbortController();
    const server = await serverThat(() => over.abort(new Error('it is over')));
    await assert.rejects(plainAnswer({ server, signal: over.signal }), /it is over/);
    await assert.rejects(async () => plainAnswer({ server, signal: over.signal }), /it is over/);
  });
});

describe('a certificate that is looked at', () => {
  it('is none of a server that is reached by http', async () => {
    await assert.rejects(presentedCertificates({ server: 'http://127.0.0.1:1', signal }), {
      name: 'TargetUnreachable',
      message: 'Cannot look at the certificate of 127.0.0.1:1: it is reached by http.',
    });
    await assert.rejects(presentedCertificates({ server: 'http://a.example', signal }), /of a\.example:443: it is/);
  });

  it('is what is presented, the leaf first, whoever has issued it', async () => {
    const ca = authority();
    const server = await serve(() => {}, { ca, names: { dns: ['a.example'], ip: ['192.0.2.1'] } });
    const [leaf = '', ...more] = await presentedCertificates({ server: server.url, signal });
    assert.match(new X509Certificate(leaf).subject, /CN=kube-apiserver/);
    assert.deepEqual(more, []);
    await server.close();
    await assert.rejects(presentedCertificates({ server: server.url, signal }), { why: 'refused' });
  });

  it('is asked for by the name of the server or the one that is given, and by none where that is an address', async () => {
    const ca = authority();
    const { certificate: cert, key } = clientCertificate(ca, 'any');
    const asked: string[] = [];
    const SNICallback = (name: string, done: (error: Error | null) => void): void => {
      asked.push(name);
      done(null);
    };
    const server = createHttps({ cert, key, SNICallback });
    const { url, close } = await listen(server, ca, 'https');
    const named = url.replace('127.0.0.1', 'localhost');
    await presentedCertificates({ server: named, signal });
    await presentedCertificates({ server: named, serverName: 'a.example', signal });
    await presentedCertificates({ server: url, serverName: 'b.example', signal });
    await presentedCertificates({ server: url, signal });
    await presentedCertificates({ server: named, serverName: '192.0.2.1', signal });
    await close();
    assert.deepEqual(asked, ['localhost', 'a.example', 'b.example']);
  });

  it('is trusted by its authority and its names, and by its dates', async () => {
    const ca = authority();
    const caPem = ca.certificate.pem;
    const server = await serve(() => {}, { ca, names: { dns: ['a.example'], ip: ['127.0.0.1', '192.0.2.1'] } });
    const named = await serve(() => {}, { ca, names: { dns: ['a.example'], ip: ['192.0.2.1'] } });
    const past = Date.now() - 48 * 3_600_000;
    const expired = await serve(() => {}, { ca, now: past, validity: 3_600_000 });
    const by = async (given: Partial<Parameters<typeof trusted>[0]>): Promise<boolean> =>
      (await trusted({ server: server.url, caPem, signal, ...given })).ok;
    assert.equal(await by({}), true);
    assert.equal(await by({ caPem: authority().certificate.pem }), false);
    for (const serverName of ['a.example', '192.0.2.1', '127.0.0.1']) assert.equal(await by({ serverName }), true);
    for (const serverName of ['b.example', '192.0.2.2', '192.0.2']) assert.equal(await by({ serverName }), false);
    assert.equal(await by({ server: named.url }), false, 'it is reached by an address that it does not name');
    for (const serverName of ['a.example', '192.0.2.1'])
      assert.equal(await by({ server: named.url, serverName }), true);
    const answer = await trusted({ server: expired.url, caPem, signal });
    assert.match(answer.ok ? '' : answer.reason, /has expired/);
    await assert.rejects(trusted({ server: 'http://127.0.0.1:1', caPem, signal }), { why: 'not-https' });
    for (const one of [server, named, expired]) await one.close();
    await assert.rejects(by({}), { why: 'refused' });
  });

  it('is not waited for without end, nor once the run is over', async () => {
    const silent = await serverThat(() => {});
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const looking = presentedCertificates({ server: silent, signal });
      mock.timers.tick(9_999);
      const late = assert.rejects(looking, { name: 'TargetUnreachable', why: 'timeout' });
      mock.timers.tick(1);
      await late;
    } finally {
      mock.timers.reset();
    }
    const over = new AbortController();
    const reason = new Error('it is over');
    const looking = assert.rejects(presentedCertificates({ server: silent, signal: over.signal }), reason);
    over.abort(reason);
    await looking;
    await assert.rejects(presentedCertificates({ server: silent, signal: over.signal }), reason);
  });
});
