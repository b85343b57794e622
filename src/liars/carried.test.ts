/** What a liar on real sockets does with connections and answers, as a client sees it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as requestOf } from 'node:https';
import { connect, createServer } from 'node:net';
import { describe, it } from 'node:test';
import type { Lie, Reply } from './lie.js';
import { LiarServer } from './server.js';

interface Asks {
  readonly post?: string;
  readonly patience?: number;
}

interface Seen {
  readonly status?: number | undefined;
  readonly text: string;
  /** "end": whole; "cut": it ended before; "reset": nothing came; "waits": the client was tired. */
  readonly how: 'end' | 'cut' | 'reset' | 'waits';
  readonly milliseconds: number;
}
/** Milliseconds after which a client is tired: of what comes, never on any machine, and of what does not. */
const [PATIENT, TIRED] = [30_000, 1000];

/** Asks once. */
function asks(port: number, { post, patience = PATIENT }: Asks = {}): Promise<Seen> {
  const began = Date.now();
  return new Promise((resolve) => {
    let [text, status]: [string, number | undefined] = ['', undefined];
    const done = (how: Seen['how']): void => {
      clearTimeout(tired);
      request.destroy();
      resolve({ status, text, how, milliseconds: Date.now() - began });
    };
    const options = {
      host: '127.0.0.1',
      port,
      path: '/version',
      agent: false,
      rejectUnauthorized: false,
      ...(post === undefined ? {} : { method: 'POST', headers: { 'content-length': Buffer.byteLength(post) } }),
    };
    const request = requestOf(options, (response) => {
      status = response.statusCode;
      response.on('data', (chunk: Buffer) => {
        text += chunk;
      });
      response.on('end', () => done('end')).on('error', () => done('cut'));
    });
    const tired = setTimeout(() => done('waits'), patience);
    request.on('error', () => done('reset'));
    request.end(post);
  });
}

async function seen(
  lie: Partial<Lie>,
  ask: (port: number) => Promise<Seen> = asks,
  entries = 1,
): Promise<{ readonly seen: Seen; readonly events: readonly string[] }> {
  const server = await LiarServer.start({ name: 'x', server: 'y', right: 'joins', ...lie });
  try {
    const got = await ask(Number(server.liar.scene.endpoint.split(':')[1]));
    for (let looks = 0; server.liar.journal.length < entries && looks < 100; looks += 1)
      await new Promise((resolve) => setTimeout(resolve, 10));
    const events = server.liar.journal.map((entry) => (entry.kind === 'connection' ? entry.event : entry.target));
    return { seen: got, events };
  } finally {
    await server.close();
  }
}
const tired = (port: number): Promise<Seen> => asks(port, { patience: TIRED });
const answering = (reply: Reply): Partial<Lie> => ({ answer: () => reply });
const plain = (more: object = {}): Partial<Lie> => answering({ status: 203, body: 'abc', ...more });

describe('an answer on a socket', () => {
  it('is whole, however it is carried', async () => {
    for (const form of [undefined, 'chunked', 'until closed', 'in pieces', 'after a hint'] as const) {
      const { seen: got } = await seen(plain(form === undefined ? {} : { form }));
      assert.deepEqual([got.status, got.text, got.how], [203, 'abc', 'end'], form);
    }
  });

  it('takes its time where it does', async () => {
    const { seen: got } = await seen(plain({ after: 60 }));
    assert.deepEqual([got.text, got.how], ['abc', 'end']);
    assert.ok(got.milliseconds >= 55);
  });

  it('may go on, or never come', async () => {
    const held = await seen(plain({ holds: true }), tired);
    assert.deepEqual([held.seen.status, held.seen.text, held.seen.how], [203, 'abc', 'waits']);
    const hung = await seen(answering('hang'), tired);
    assert.deepEqual([hung.seen.status, hung.seen.how, hung.events], [undefined, 'waits', ['/version']]);
  });

  it('may end before it is whole, or before it begins', async () => {
    const half = await seen(plain({ isHalf: true }));
    assert.deepEqual([half.seen.status, half.seen.text, half.seen.how], [203, 'abc', 'cut']);
    const cut = await seen(answering('cut'));
    assert.deepEqual([cut.seen.status, cut.seen.text, cut.seen.how], [200, '{"kind":"ConfigMap"', 'cut']);
    const reset = await seen(answering('reset'));
    assert.deepEqual([reset.seen.status, reset.seen.how], [undefined, 'reset']);
  });

  it('may come in drops, until the client has had enough', async () => {
    const { seen: got, events } = await seen(answering('drip'), tired, 2);
    assert.deepEqual([got.status, got.how, events], [200, 'waits', ['/version', 'closed by client']]);
    assert.match(got.text, /^( {10}){1,30}$/);
  });
});

describe('a connection on a socket', () => {
  it('may end, wait or speak no TLS before anything is asked', async () => {
    for (const [how, ends, event] of [
      ['closed', 'reset', 'closed after accept'],
      ['silent', 'waits', 'silent'],
      ['plain http', 'reset', 'answered without tls'],
      ['no common cipher', 'reset', 'no common cipher'],
    ] as const) {
      const { seen: got, events } = await seen({ accepts: () => how }, ends === 'waits' ? tired : asks);
      assert.deepEqual([got.how, events], [ends, [event]], how);
    }
  });

  it('of plain HTTP is none', async () => {
    const plainly = async (port: number): Promise<Seen> => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      socket.write('GET / HTTP/1.1\r\n\r\n');
      await once(socket, 'close');
      return { text: '', how: 'reset', milliseconds: 0 };
    };
    assert.deepEqual((await seen({}, plainly)).events, ['plain request']);
  });

  it('is none where nobody listens', async () => {
    assert.equal((await seen({ listens: false }, asks, 0)).seen.how, 'reset');
  });
});

describe('a server that lies', () => {
  it('is told before anybody gets anything, and keeps what it is asked', async () => {
    let before = 0;
    const server = await LiarServer.start(
      { name: 'x', server: 'y', right: 'joins' },
      { before: () => (before += 1), release: '1.31.0' },
    );
    try {
      const { text } = await asks(Number(server.liar.scene.endpoint.split(':')[1]), { post: 'body' });
      assert.match(text, /v1\.31\.0/);
      assert.equal(before, 2);
      const [entry] = server.liar.journal;
      assert.ok(entry?.kind === 'request');
      assert.deepEqual([entry.body, entry.method, /^TLSv1\.[23]$/.test(entry.tls ?? '')], ['body', 'POST', true]);
    } finally {
      await server.close();
    }
  });

  it('listens where somebody listens already, and at other addresses too', async () => {
    const [at, other] = [createServer(), createServer()];
    for (const one of [at, other]) await once(one.listen(0, '127.0.0.1'), 'listening');
    const server = await LiarServer.start({ name: 'x', server: 'y', right: 'joins' }, { at });
    server.alsoAt(other);
    for (const one of [at, other]) {
      const address = one.address();
      const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
      assert.equal((await asks(port)).status, 200);
    }
    await server.close();
    assert.deepEqual([at.listening, other.listening], [false, false]);
  });
});
