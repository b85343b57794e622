import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { createServer as createTcp } from 'node:net';
import { mock, test } from 'node:test';
import type { Connection } from './connection.js';
import { TargetUnreachable, type Unreachable } from './errors.js';
import { authority, clientCertificate, connectionTo, type LocalServer, listen, serve } from './local-server.testing.js';
import type { Sent, Transport } from './transport.js';
import { kept, never, question, transport } from './transport.testing.js';

async function fails(connection: Connection, why: Unreachable, words: RegExp, more: Partial<Sent> = {}): Promise<void> {
  await assert.rejects(transport(connection).send({ kind: 'admin' }, question(more), never), (error) => {
    assert.ok(error instanceof TargetUnreachable, String(error));
    assert.equal(error.why, why, error.message);
    assert.match(error.message, words);
    return true;
  });
}

const echo = (): Promise<LocalServer> =>
  serve((request, response) => {
    const peer =
      'getPeerCertificate' in request.socket
        ? (request.socket as import('node:tls').TLSSocket).getPeerCertificate()
        : undefined;
    const authorization = request.rawHeaders.filter(
      (_value, index, all) => index % 2 === 1 && all[index - 1]?.toLowerCase() === 'authorization',
    );
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ authorization, headers: request.headers, certificate: peer?.subject?.CN, path: request.url }),
    );
  });

test('connections that fail say host, port and cause', async () => {
  const gone = await serve(() => undefined);
  await gone.close();
  await fails(connectionTo(gone), 'refused', new RegExp(`127\\.0\\.0\\.1:${gone.port}: the connection was refused`));
  await fails(
    connectionTo({ url: 'https://no-such-host.invalid:6443', ca: gone.ca }),
    'dns',
    /no-such-host\.invalid:6443: the host name cannot be resolved/,
  );
  const good = kept(await echo());
  await fails(connectionTo({ url: good.url, ca: authority('another-ca') }), 'tls-unknown-ca', /certificate/);
  await fails(connectionTo({ url: good.url, ca: authority() }), 'tls-unknown-ca', /another key|unknown authority/);
  const elsewhere = kept(await serve(() => undefined, { names: { dns: ['other.example'], ip: [] } }));
  await fails(connectionTo(elsewhere), 'tls-hostname', /tls-server-name/);
  const expired = kept(await serve(() => undefined, { now: Date.now() - 7_200_000, validity: 3_600_000 }));
  await fails(connectionTo(expired), 'tls-expired', /expired/);
  const plain = kept(await serve((_request, response) => response.end('hello'), { plain: true }));
  await fails(
    connectionTo({ url: plain.url.replace('http:', 'https:'), ca: plain.ca }),
    'not-https',
    /does not speak TLS/,
  );
  const garbage = kept(
    await listen(
      createTcp((socket) => socket.end('220 smtp.example ESMTP\r\n')),
      gone.ca,
      'http',
    ),
  );
  await fails(connectionTo(garbage), 'not-http', /HTTP/);
  const hangsUp = kept(
    await listen(
      createTcp((socket) => socket.destroy()),
      gone.ca,
      'http',
    ),
  );
  await fails(connectionTo(hangsUp), 'closed', /closed before an answer/);
  const wantsCertificate = kept(await serve(() => undefined, { clientCa: authority(), requireClient: true }));
  // TLS 1.3: the alert may or may not be read before the connection is gone.
  await assert.rejects(
    transport(connectionTo(wantsCertificate)).send({ kind: 'admin' }, question({ method: 'POST' }), never),
    (error) => {
      assert.ok(error instanceof TargetUnreachable && ['tls-refused', 'closed'].includes(error.why), String(error));
      return true;
    },
  );
});

test('silence and slow drips end at the time limit, as a whole and not per byte', async () => {
  const silent = kept(await serve(() => undefined));
  await fails(connectionTo(silent), 'timeout', /within 0\.05 s/, { timeoutMs: 50 });
  const drip = kept(
    await serve((_request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('x'), 5);
      response.on('close', () => clearInterval(timer));
    }),
  );
  await fails(connectionTo(drip), 'timeout', /within 0\.1 s/, { timeoutMs: 100 });
});

test('an answer without end is not read on', async () => {
  const flood = kept(
    await serve(
      (_request, response) => {
        const block = Buffer.alloc(4 * 1024 * 1024, 'x');
        const more = (): void => {
          while (!response.destroyed && response.write(block));
        };
        response.on('drain', more);
        more();
      },
      { plain: true },
    ),
  );
  await fails(connectionTo(flood), 'too-large', /8 MiB/, { timeoutMs: 30_000 });
});

test('redirects are answers, and never followed', async () => {
  let asked = 0;
  const loop = kept(
    await serve((_request, response) => {
      asked += 1;
      response.writeHead(302, { location: '/version' }).end();
    }),
  );
  const answer = await transport(connectionTo(loop)).send({ kind: 'admin' }, question(), never);
  assert.equal(answer.status, 302);
  assert.equal(asked, 1);
});

test('each identity sends its own credential and no other', async () => {
  const ca = authority('client-ca');
  const admin = clientCertificate(ca, 'kubernetes-admin');
  const other = clientCertificate(ca, 'system:node:a');
  const server = kept(
    await serve(
      (request, response) => {
        const subject = (request.socket as import('node:tls').TLSSocket).getPeerCertificate()?.subject;
        const authorization = request.rawHeaders.filter(
          (_value, index, all) => index % 2 === 1 && all[index - 1]?.toLowerCase() === 'authorization',
        );
        response.setHeader('content-type', 'application/json');
        response.end(
          JSON.stringify({
            authorization,
            impersonate: request.headers['impersonate-user'] ?? null,
            certificate: subject?.CN ?? null,
          }),
        );
      },
      { clientCa: ca },
    ),
  );
  const one = transport(connectionTo(server, { certificate: admin, headers: [['impersonate-user', 'jane']] }));
  const ask = async (identity: Parameters<Transport['send']>[0]): Promise<unknown> =>
    (await one.send(identity, question(), never)).body;
  // Twice, interleaved: pooled connections must not leak a certificate to somebody else.
  for (const _round of [1, 2]) {
    assert.deepEqual(await ask({ kind: 'admin' }), {
      authorization: [],
      impersonate: 'jane',
      certificate: 'kubernetes-admin',
    });
    assert.deepEqual(await ask({ kind: 'anonymous' }), { authorization: [], impersonate: null, certificate: null });
    assert.deepEqual(await ask({ kind: 'token', token: 'a.b' }), {
      authorization: ['Bearer a.b'],
      impersonate: null,
      certificate: null,
    });
    assert.deepEqual(await ask({ kind: 'certificate', ...other }), {
      authorization: [],
      impersonate: null,
      certificate: 'system:node:a',
    });
    assert.deepEqual(await ask({ kind: 'certificate', ...other, token: 't' }), {
      authorization: ['Bearer t'],
      impersonate: null,
      certificate: 'system:node:a',
    });
    assert.deepEqual(await ask({ kind: 'header', authorization: ['Bearer one', 'basic two'] }), {
      authorization: ['Bearer one', 'basic two'],
      impersonate: null,
      certificate: null,
    });
  }
  // Identities without certificate share their connections; each certificate has its own.
  assert.ok(server.connections() <= 6, String(server.connections()));
});

test('tls-server-name and a path of the server are used', async () => {
  const named = kept(
    await serve((request, response) => response.end(JSON.stringify({ path: request.url })), {
      names: { dns: ['kubernetes.test'], ip: [] },
    }),
  );
  const connection = connectionTo(
    named,
    {},
    { server: `${named.url}/k8s/clusters/c-1`, serverName: 'kubernetes.test' },
  );
  assert.deepEqual((await transport(connection).send({ kind: 'admin' }, question(), never)).body, {
    path: '/k8s/clusters/c-1/version',
  });
});

test('a connection closed under a GET is tried again, under a POST it is not', async () => {
  let asked = 0;
  const flaky = kept(
    await serve((request, response) => {
      asked += 1;
      if (asked % 2 === 1) request.socket.destroy();
      else response.end('{}');
    }),
  );
  const one = transport(connectionTo(flaky));
  assert.equal((await one.send({ kind: 'admin' }, question(), never)).status, 200);
  assert.equal(asked, 2);
  await assert.rejects(one.send({ kind: 'admin' }, question({ method: 'POST', body: '{}' }), never), {
    name: 'TargetUnreachable',
    why: 'closed',
  });
  assert.equal(asked, 3);
});

test('the run signal breaks off with its reason, close() with a sentence', async () => {
  const silent = kept(await serve(() => undefined));
  const run = new AbortController();
  const reason = new Error('stopped by SIGINT');
  const one = transport(connectionTo(silent));
  const asking = one.send({ kind: 'admin' }, question(), run.signal);
  setTimeout(() => run.abort(reason), 20);
  await assert.rejects(asking, reason);
  await assert.rejects(one.send({ kind: 'admin' }, question(), run.signal), reason);
  const other = one.send({ kind: 'admin' }, question(), never);
  setTimeout(() => void one.close(), 20);
  await assert.rejects(other, { why: 'aborted' });
});

test('what cleans up is sent, and waited for, also where the target counts as gone', async () => {
  const held: ServerResponse[] = [];
  const server = kept(
    await serve((request, response) => {
      request.resume();
      if (request.url === '/held') held.push(response);
      else if (request.method === 'POST') request.socket.destroy();
      else response.end('{}');
    }),
  );
  const one = transport(connectionTo(server));
  const ask = (more: Partial<Sent>) => one.send({ kind: 'admin' }, question({ timeoutMs: 60_000, ...more }), never);
  await ask({});
  const [usual, stubborn] = [ask({ path: '/held' }), ask({ path: '/held', stubborn: true })];
  const broken = assert.rejects(usual, /There has been no answer for 8 s/);
  while (held.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  const now = performance.now.bind(performance);
  const clock = mock.method(performance, 'now', () => now() + 9_000);
  try {
    for (let times = 0; times < 5; times += 1) await assert.rejects(ask({ method: 'POST', body: '{}' }));
    assert.ok(one.gone.aborted);
    await broken;
    for (const response of held) response.end('{}');
    assert.equal((await stubborn).status, 200);
    assert.equal((await ask({ stubborn: true })).status, 200);
    await assert.rejects(ask({}), /There has been no answer for 8 s/);
  } finally {
    clock.mock.restore();
  }
});

test('requests of one signal are as many as there are, and no leak', async () => {
  const said: Error[] = [];
  const hear = (warning: Error): void => void said.push(warning);
  process.on('warning', hear);
  try {
    const server = kept(await serve((_, response) => void setTimeout(() => response.end('{}'), 50)));
    const one = transport(connectionTo(server));
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 64 }, () => one.send({ kind: 'admin' }, question(), signal)));
    await one.close();
    assert.deepEqual(said, []);
  } finally {
    process.off('warning', hear);
  }
});

test('a credential that the server refuses is fetched once more', async () => {
  let fetched = 0;
  const picky = kept(
    await serve((request, response) => {
      response.writeHead(request.headers.authorization === 'Bearer new' ? 200 : 401).end();
    }),
  );
  let token = 'old';
  const credential = {
    current: async () => {
      fetched += 1;
      return { authorization: `Bearer ${token}` };
    },
    refused: () => {
      token = 'new';
      return true;
    },
  };
  const one = transport(connectionTo(picky, {}, { credential }));
  assert.equal((await one.send({ kind: 'admin' }, question(), never)).status, 200);
  assert.equal(fetched, 2);
  assert.equal((await one.send({ kind: 'token', token: 'x' }, question(), never)).status, 401);
});

test('an answer that is nested beyond reading is told as one', async () => {
  const server = kept(
    await serve((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end('['.repeat(2_000));
    }),
  );
  await assert.rejects(
    transport(connectionTo(server)).send({ kind: 'admin' }, question(), never),
    /the answer is nested deeper than 128 levels/,
  );
});

test('what is answered or refused leaves no limit running', async () => {
  const server = kept(await echo());
  const running = (): number => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length;
  const before = running();
  const ask = transport(connectionTo(server));
  for (let times = 0; times < 5; times += 1) await ask.send({ kind: 'admin' }, question({ timeoutMs: 600_000 }), never);
  await assert.rejects(
    ask.send({ kind: 'admin' }, question({ timeoutMs: 600_000 }), AbortSignal.abort(new Error('SIGINT'))),
  );
  // undici has one of its own, for all of its connections
  assert.ok(running() - before <= 2, process.getActiveResourcesInfo().join());
});
