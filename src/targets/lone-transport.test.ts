/** What a transport does for whoever asks: before a server of this process, or one that does little. */
import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Carried, Connection, Credential } from './connection.js';
import { fixedCredential } from './connection.js';
import type { Handle } from './in-process.js';
import { Unlistable } from './item-scanner.js';
import { connectionTo, serve } from './local-server.testing.js';
import { Transport } from './transport.js';
import { kept, never, question, transport } from './transport.testing.js';
import type { Identity } from './types.js';

type Request = Parameters<Handle>[0];
const inside = (
  handle: (request: Request) => { code?: number; headers?: Record<string, string>; body?: string },
  more: Partial<Connection> = {},
): Connection => ({
  server: 'https://127.0.0.1:1',
  name: 'inside',
  insecure: false,
  credential: fixedCredential({}),
  handle: (request) => ({ kind: 'full', code: 200, headers: {}, body: '{}', ...handle(request) }),
  ...more,
});
const OTHERS: readonly Identity[] = [
  { kind: 'anonymous' },
  { kind: 'token', token: 't' },
  { kind: 'header', authorization: ['Bearer t'] },
];

describe('a credential that is refused', () => {
  async function asked(identity: Identity, mayBeOther: boolean, status = 401) {
    let [requests, refusals] = [0, 0];
    const credential: Credential = {
      current: async () => ({ authorization: 'Bearer own' }),
      refused: () => {
        refusals += 1;
        return mayBeOther;
      },
    };
    const handle = () => {
      requests += 1;
      return { code: status };
    };
    const answer = await transport(inside(handle, { credential })).send(identity, question(), never);
    return [answer.status, requests, refusals, answer.resent];
  }
  it('is fetched once more, where another one may be had and it is the own one', async () => {
    assert.deepEqual(await asked({ kind: 'admin' }, true), [401, 2, 1, true]);
    assert.deepEqual(await asked({ kind: 'admin' }, false), [401, 1, 1, undefined]);
    assert.deepEqual(await asked({ kind: 'admin' }, true, 403), [403, 1, 0, undefined]);
    for (const identity of OTHERS) assert.deepEqual(await asked(identity, true), [401, 1, 0, undefined]);
  });
});

describe('what a credential carries', () => {
  it('is sent for its own questions only, and is registered as secret', async () => {
    const seen: unknown[] = [];
    const secrets: string[] = [];
    const carried: Carried = {
      authorization: 'Basic dXNlcjpwYXNz',
      headers: [['impersonate-user', 'jane']],
      secrets: ['pass', 'key'],
    };
    const connection = inside(
      ({ headers }) => {
        seen.push([headers.authorization, headers['impersonate-user'], headers['user-agent']]);
        return {};
      },
      { credential: fixedCredential(carried) },
    );
    const sink = { secret: (value: string) => void secrets.push(value), redact: (text: string) => text };
    const one = kept(new Transport(connection, sink));
    for (const identity of [{ kind: 'admin' } as const, ...OTHERS]) await one.send(identity, question(), never);
    assert.deepEqual(seen, [
      [['Basic dXNlcjpwYXNz'], ['jane'], ['joinproof']],
      [undefined, undefined, ['joinproof']],
      [['Bearer t'], undefined, ['joinproof']],
      [['Bearer t'], undefined, ['joinproof']],
    ]);
    assert.deepEqual(
      secrets.filter((value) => value !== ''),
      ['pass', 'key', 'dXNlcjpwYXNz'],
    );
  });
});

describe('an answer', () => {
  it('is read as JSON where it says so, or looks like it', async () => {
    const body = async (type: string | undefined, text: string): Promise<unknown> => {
      const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
      const one = transport(inside(() => ({ headers, body: text })));
      const answer = await one.send({ kind: 'admin' }, question({ method: 'POST' }), never);
      assert.equal(answer.text, text);
      return answer.body;
    };
    assert.deepEqual(await body('application/json; charset=utf-8', '{"a":1}'), { a: 1 });
    assert.deepEqual(await body('application/apply-patch+json', '[1]'), [1]);
    assert.deepEqual(await body('application/json', '"text"'), 'text');
    assert.deepEqual(await body(undefined, '1'), 1);
    assert.deepEqual(await body(undefined, 'text'), undefined);
    assert.deepEqual(await body('text/plain', '1'), undefined);
    assert.deepEqual(await body('text/plain', ' {"a":1}'), { a: 1 });
    assert.deepEqual(await body('text/plain', '\n[1]'), [1]);
    assert.deepEqual(await body('text/plain', '{a'), undefined);
    assert.deepEqual(await body('application/json', ''), undefined);
    await assert.rejects(body('application/json', '{"a":'), { name: 'TargetUnreachable' });
    await assert.rejects(body('application/json', '['.repeat(200)), /the answer is nested deeper/);
  });

  it('is no packed one, whatever it is packed with', async () => {
    let encoding = '';
    const server = kept(
      await serve((_request, response) => response.writeHead(200, { 'content-encoding': encoding }).end('{}'), {
        plain: true,
      }),
    );
    const one = transport(connectionTo(server));
    for (encoding of ['gzip', 'deflate', 'br', 'zstd', 'x'])
      await assert.rejects(
        one.send({ kind: 'admin' }, question(), never),
        /compressed, which joinproof did not ask for/,
      );
    encoding = 'identity';
    assert.equal((await one.send({ kind: 'admin' }, question(), never)).status, 200);
  });
});

describe('a question', () => {
  it('is no longer than what an API server takes, and not told of as a whole', async () => {
    const one = transport(inside(() => ({})));
    const path = (length: number): string => `/${'a'.repeat(length - 1)}`;
    const send = (more: Parameters<typeof question>[0]) => one.send({ kind: 'admin' }, question(more), never);
    assert.equal((await send({ path: path(16 * 1024) })).status, 200);
    assert.equal((await send({ method: 'POST', body: 'a'.repeat(200 * 1024) })).status, 200);
    const [MIB, refused] = [1024 * 1024, { name: 'TargetUnreachable', why: 'too-large' }];
    await assert.rejects(send({ path: path(16 * 1024 + 1) }), { ...refused, message: /^GET \/a{99}… is longer than / });
    await assert.rejects(send({ method: 'POST', body: 'a'.repeat(MIB + 1) }), refused);
    const wire = kept(
      await serve((request, response) => request.resume().on('end', () => response.end('{}')), { plain: true }),
    );
    const over = transport(connectionTo(wire));
    const long = question({ method: 'POST', body: 'a'.repeat(MIB) });
    assert.equal((await over.send({ kind: 'admin' }, long, never)).status, 200);
  });

  it('is read as it comes where that is asked for, of a 200 alone, for as long as it gets on', async () => {
    let code = 200;
    const server = kept(await serve((_request, response) => response.writeHead(code).end('abc'), { plain: true }));
    const one = transport(connectionTo(server));
    const read = async (body: import('node:stream').Readable, alive: () => void): Promise<string> => {
      let text = 'read ';
      for await (const chunk of body) text += String(chunk);
      for (let times = 0; times < 3; times += 1) alive();
      return text;
    };
    const LIMIT = 77_777;
    let putOff = 0;
    const real = globalThis.setTimeout;
    const spied = mock.method(globalThis, 'setTimeout', (act: () => void, milliseconds: number, ...given: []) => {
      const timer = real(act, milliseconds, ...given);
      const refresh = timer.refresh.bind(timer);
      if (milliseconds === LIMIT)
        timer.refresh = () => {
          putOff += 1;
          return refresh();
        };
      return timer;
    });
    const slow = question({ read, timeoutMs: LIMIT, method: 'POST' });
    assert.equal((await one.send({ kind: 'admin' }, slow, never)).text, 'read abc');
    assert.equal(putOff, 3);
    code = 201;
    assert.equal((await one.send({ kind: 'admin' }, slow, never)).text, 'abc');
    assert.equal(putOff, 3);
    spied.mock.restore();
    code = 200;
    const refusing = async (): Promise<string> => {
      throw new Unlistable('it is none');
    };
    await assert.rejects(one.send({ kind: 'admin' }, question({ read: refusing, method: 'POST' }), never), {
      name: 'TargetUnreachable',
    });
  });

  it('is sent neither before nor after it may be', async () => {
    const over = new Error('over');
    let asked = 0;
    const one = transport(
      inside(() => {
        asked += 1;
        return {};
      }),
    );
    await assert.rejects(one.send({ kind: 'admin' }, question(), AbortSignal.abort(over)), over);
    assert.equal(asked, 0);
  });
});

describe('a server', () => {
  it('is believed by its authority alone, unless anybody is', async () => {
    const server = kept(await serve((_request, response) => response.end('{}')));
    const { caPem, ...unknown } = connectionTo(server);
    const strange = kept(await serve((_request, response) => response.end('{}')));
    const by = (connection: Connection) => transport(connection).send({ kind: 'admin' }, question(), never);
    const refused = { name: 'TargetUnreachable', why: 'tls-unknown-ca' };
    await assert.rejects(by(unknown), refused);
    await assert.rejects(by(connectionTo({ ...server, ca: strange.ca })), refused);
    assert.equal((await by(connectionTo(server))).status, 200);
    assert.equal((await by({ ...unknown, insecure: true })).status, 200);
    assert.ok(caPem !== undefined);
  });
});

describe('a transport that is closed', () => {
  it('has no connection left, and opens none', async () => {
    let ends = 0;
    const server = kept(
      await serve(
        (request, response) => {
          request.socket.once('close', () => {
            ends += 1;
          });
          response.end('{}');
        },
        { plain: true },
      ),
    );
    const one = transport(connectionTo(server));
    await one.send({ kind: 'admin' }, question(), never);
    assert.deepEqual([server.connections(), ends], [1, 0]);
    await one.close();
    for (let at = 0; ends === 0 && at < 10_000; at += 1) await turn();
    await assert.rejects(one.send({ kind: 'admin' }, question(), never), { name: 'TargetUnreachable', why: 'aborted' });
    assert.equal(server.connections(), 1);
  });
});

describe('where a transport leads', () => {
  it('is said with its port', () => {
    const where = (server: string): string => transport(inside(() => ({}), { server })).where;
    assert.equal(where('https://a.example'), 'a.example:443');
    assert.equal(where('http://a.example'), 'a.example:80');
    assert.equal(where('https://a.example:6443/k8s'), 'a.example:6443');
  });
});
