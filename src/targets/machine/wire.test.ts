/** What a machine sends over the real wire, what it takes for an answer, and what it says where none came. */
import assert from 'node:assert/strict';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:net';
import { after, afterEach, describe, it, mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { WireAnswer, WireQuestion } from '../../kubernetes/wire.js';
import { authority, bodyOf, clientCertificate, type LocalServer, listen, serve } from '../local-server.testing.js';
import { NodeWire } from './wire.js';

const servers: LocalServer[] = [];
const wires: NodeWire[] = [];
after(async () => {
  for (const wire of wires) wire.close();
  for (const server of servers) await server.close();
});
afterEach(() => mock.timers.reset());

async function serving(listener: RequestListener, options: Parameters<typeof serve>[1] = { plain: true }) {
  const server = await serve(listener, options);
  servers.push(server);
  return server;
}
function wireTo(signal = new AbortController().signal, more: { hostCaPem?: string } = {}): NodeWire {
  const wire = new NodeWire(signal, { userAgent: 'kubeadm/v1.36.1', ...more });
  wires.push(wire);
  return wire;
}
const asking = (url: string, more: Partial<WireQuestion> = {}): WireQuestion => ({
  method: 'GET',
  url,
  headers: {},
  trust: 'anybody',
  largest: 1000,
  ...more,
});
const failed = (answer: WireAnswer): unknown => (answer.kind === 'failure' ? answer.failure : answer);
const textOf = (answer: WireAnswer): unknown => (answer.kind === 'answer' ? answer.body.toString('utf8') : answer);
/** Lets what is under way on loopback arrive. */
const arrived = async (): Promise<void> => {
  for (let at = 0; at < 50; at += 1) await turn();
};

describe('what is sent over the wire', () => {
  it('is the method, the path with its query, the headers and the body as they are', async () => {
    const seen: unknown[] = [];
    const server = await serving(async (request, response) => {
      const { 'user-agent': agent, 'content-length': length, accept, host } = request.headers;
      seen.push([request.method, request.url, agent, length, accept, host, await bodyOf(request)]);
      response.end();
    });
    const wire = wireTo();
    const at = `127.0.0.1:${server.port}`;
    await wire.exchange(asking(`${server.url}/api/v1?a=%2F&b`, { headers: { accept: 'text/plain' } }));
    await wire.exchange(asking(server.url));
    await wire.exchange(asking(`HTTP://${at}/x`, { method: 'POST', body: 'é', headers: { 'user-agent': 'other' } }));
    await wire.exchange(asking(`http://[::ffff:127.0.0.1]:${server.port}/`));
    assert.deepEqual(seen, [
      ['GET', '/api/v1?a=%2F&b', 'kubeadm/v1.36.1', undefined, 'text/plain', at, ''],
      ['GET', '/', 'kubeadm/v1.36.1', undefined, undefined, at, ''],
      ['POST', '/x', 'other', '2', undefined, at, 'é'],
      ['GET', '/', 'kubeadm/v1.36.1', undefined, undefined, at, ''],
    ]);
    assert.equal(server.connections(), 1, 'an IPv4 address written as one of IPv6 is the same server');
  });

  it('goes to an address that is one', async () => {
    const wire = wireTo();
    const bad = { cause: 'bad address' };
    for (const url of ['127.0.0.1:1', 'ftp://127.0.0.1:1', 'http://127.0.0.1:65536/', 'http://127.0.0.1:1x'])
      assert.deepEqual(failed(await wire.exchange(asking(url))), bad, url);
    assert.notDeepEqual(failed(await wire.exchange(asking('http://127.0.0.1:65535/'))), bad);
    assert.deepEqual(failed(await wire.exchange(asking('http://127.0.0.1:1/'))), { cause: 'refused' });
  });

  it('goes on one connection for each server, trust and certificate', async () => {
    const ca = authority();
    const seen: unknown[] = [];
    const server = await serving(
      (request, response) => {
        seen.push((request.socket as import('node:tls').TLSSocket).getPeerCertificate().subject?.CN);
        response.end();
      },
      { ca, clientCa: ca },
    );
    const wire = wireTo(undefined, { hostCaPem: ca.certificate.pem });
    const trust = { caPem: ca.certificate.pem };
    const [one, other] = [clientCertificate(ca, 'one'), clientCertificate(ca, 'other')];
    const asked: readonly (readonly [Partial<WireQuestion>, number])[] = [
      [{}, 1],
      [{}, 1],
      [{ trust }, 2],
      [{ trust: 'host' }, 3],
      [{ trust, certificate: one }, 4],
      [{ trust, certificate: other }, 5],
      [{ trust, certificate: one }, 5],
      [{ trust }, 5],
    ];
    for (const [more, connections] of asked) {
      assert.equal((await wire.exchange(asking(server.url, more))).kind, 'answer');
      assert.equal(server.connections(), connections);
    }
    assert.deepEqual(seen, [undefined, undefined, undefined, undefined, 'one', 'other', 'one', undefined]);
    const name = `https://localhost:${server.port}`;
    await wire.exchange(asking(name, { trust }));
    assert.equal(server.connections(), 6, 'another name is another server');
    const strange = { caPem: authority('strange').certificate.pem };
    const problem = { kind: 'authority' };
    assert.deepEqual(failed(await wire.exchange(asking(name, { trust: strange }))), { cause: 'untrusted', problem });
  });

  it('waits for its turn on its connection', async () => {
    const waiting: ServerResponse[] = [];
    const server = await serving((request, response) => {
      if (request.url === '/first') response.end();
      else waiting.push(response);
    });
    const wire = wireTo();
    await wire.exchange(asking(`${server.url}/first`));
    const both = [wire.exchange(asking(server.url)), wire.exchange(asking(server.url))];
    await turnsUntil(() => waiting.length === 1);
    await arrived();
    assert.equal(waiting.length, 1);
    waiting[0]?.end('one');
    await turnsUntil(() => waiting.length === 2);
    waiting[1]?.end('two');
    assert.deepEqual((await Promise.all(both)).map(textOf), ['one', 'two']);
    assert.equal(server.connections(), 1);
  });
});

const turnsUntil = async (is: () => boolean): Promise<void> => {
  while (!is()) await turn();
};

describe('an answer over the wire', () => {
  it('has its status, its headers and its body', async () => {
    const server = await serving((_request, response) => {
      response.writeHead(404, { 'X-One': 'a', 'Set-Cookie': ['b', 'c'], 'content-type': 'text/plain' });
      response.end('not here');
    });
    const answer = await wireTo().exchange(asking(server.url));
    assert.ok(answer.kind === 'answer');
    const { 'x-one': one, 'set-cookie': several, 'content-type': type } = answer.headers;
    assert.deepEqual([answer.status, one, several, type], [404, 'a', 'b, c', 'text/plain']);
    assert.equal(textOf(answer), 'not here');
  });

  it('is a redirect, too, which is not followed', async () => {
    const server = await serving((_request, response) => response.writeHead(302, { location: '/b' }).end());
    const answer = await wireTo().exchange(asking(`${server.url}/a`));
    assert.ok(answer.kind === 'answer' && answer.status === 302 && answer.headers.location === '/b');
  });

  it('is read up to its limit, decompressed', async () => {
    const bodies: Readonly<Record<string, readonly [Buffer, string]>> = {
      '/plain': [Buffer.alloc(1000, 'a'), 'identity'],
      '/longer': [Buffer.alloc(1001, 'a'), 'identity'],
      '/gzip': [gzipSync(Buffer.alloc(1000, 'a')), 'gzip'],
      '/longer-gzip': [gzipSync(Buffer.alloc(1001, 'a')), 'gzip'],
      '/other': [Buffer.from('abc'), 'deflate'],
    };
    const server = await serving((request, response) => {
      const [body, encoding] = bodies[request.url ?? ''] ?? [];
      response.writeHead(200, { 'content-encoding': encoding ?? '' }).end(body);
    });
    const wire = wireTo();
    const of = (path: string) => wire.exchange(asking(server.url + path));
    for (const path of ['/plain', '/gzip']) assert.equal(textOf(await of(path)), 'a'.repeat(1000), path);
    for (const path of ['/longer', '/longer-gzip']) assert.deepEqual(failed(await of(path)), { cause: 'too large' });
    assert.equal(textOf(await of('/other')), 'abc');
  });
});

describe('what is no answer over the wire', () => {
  const cut = (body: Buffer, encoding: string) => (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, { 'content-length': body.length + 5, 'content-encoding': encoding });
    response.write(body, () => response.destroy());
  };
  it('is one that is cut in its middle', async () => {
    for (const [body, encoding] of [
      [Buffer.from('abc'), 'identity'],
      [gzipSync('abc'.repeat(100)).subarray(0, 12), 'gzip'],
      [Buffer.from('no gzip at all'), 'gzip'],
    ] as const) {
      const server = await serving(cut(body, encoding));
      assert.deepEqual(failed(await wireTo().exchange(asking(server.url))), { cause: 'cut' });
    }
  });

  it('is a connection that ends before one', async () => {
    const server = await serving((request) => request.socket.end());
    assert.deepEqual(failed(await wireTo().exchange(asking(server.url))), { cause: 'ended' });
    const reset = await serving((request) => request.socket.resetAndDestroy());
    assert.deepEqual(failed(await wireTo().exchange(asking(reset.url))), { cause: 'reset' });
  });

  it('is silence, wherever it begins', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const during = (phase: string): object => ({ cause: 'time', during: phase });
    let asked = 0;
    const server = await serving((request, response) => {
      asked += 1;
      if (request.url === '/head') response.writeHead(200).write('abc');
      else if (request.url === '/') response.end();
    });
    const wire = wireTo();
    await wire.exchange(asking(server.url));
    for (const [path, phase] of [
      ['/none', 'waiting'],
      ['/head', 'reading'],
    ]) {
      const before = asked;
      const exchange = wire.exchange(asking(`${server.url}${path}`, { within: 500 }));
      await turnsUntil(() => asked > before);
      await arrived();
      mock.timers.tick(499);
      await arrived();
      mock.timers.tick(1);
      assert.deepEqual(failed(await exchange), during(phase ?? ''), path);
    }
    let connected = 0;
    const silent: Server = createServer(() => {
      connected += 1;
    });
    const local = await listen(silent, authority(), 'https');
    servers.push(local);
    const exchange = wire.exchange(asking(local.url, { within: 500 }));
    await turnsUntil(() => connected === 1);
    mock.timers.tick(500);
    assert.deepEqual(failed(await exchange), during('connecting'));
  });

  it('is the end of the run, which is thrown', async () => {
    const controller = new AbortController();
    let asked = 0;
    const server = await serving((request, response) => {
      asked += 1;
      if (request.url === '/head') response.writeHead(200).write('abc');
    });
    const over = new Error('the run is over');
    const both = ['/head', '/none'].map((path) => {
      const wire = wireTo(controller.signal);
      return assert.rejects(wire.exchange(asking(server.url + path, { within: 60_000 })), over);
    });
    await turnsUntil(() => asked === 2);
    controller.abort(over);
    await Promise.all(both);
    await assert.rejects(wireTo(controller.signal).exchange(asking(server.url)), over);
    assert.equal(asked, 2);
  });

  it('comes of a wire that is closed: its connections end', async () => {
    let closed = 0;
    const server = await serving((request, response) => {
      request.socket.once('close', () => {
        closed += 1;
      });
      response.end();
    });
    const wire = wireTo();
    await wire.exchange(asking(server.url));
    await arrived();
    assert.equal(closed, 0);
    wire.close();
    await turnsUntil(() => closed === 1);
    assert.equal((await wire.exchange(asking(server.url))).kind, 'answer');
    assert.equal(server.connections(), 2);
  });
});
