import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import type { Asked, Gateway } from '../mutants/types.js';
import { gatewayBefore } from './gateway.js';

/** What is answered behind a gateway, by a server that says "real" of what it is asked. */
async function through(
  gateway: Gateway,
  act: (url: string, asked: string[], server: Server) => Promise<void>,
  serve = (_: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(201, { 'content-type': 'application/json', 'x-own': 'a' });
    response.write('{"kind":');
    response.end('"Real"}');
  },
): Promise<void> {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(request.url ?? '');
    serve(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const end = gatewayBefore(gateway);
  try {
    const address = server.address();
    await act(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, heard, server);
  } finally {
    end();
    server.closeAllConnections();
    server.close();
  }
}
const read = async (url: string, init: RequestInit = {}) => {
  const response = await fetch(url, init);
  const { status, headers } = response;
  return { status, type: headers.get('content-type'), own: headers.get('x-own'), text: await response.text() };
};
const REAL = { status: 201, type: 'application/json', own: 'a', text: '{"kind":"Real"}' };

describe('a gateway', () => {
  it('lets through what it says nothing of', async () => {
    await through({}, async (url) => assert.deepEqual(await read(url), REAL));
    await through({ before: () => undefined, after: () => undefined }, async (url) =>
      assert.deepEqual(await read(url), REAL),
    );
  });

  it('answers in place of the server, which never hears of it', async () => {
    const gateway: Gateway = {
      before: ({ path }) =>
        path === '/a' ? { status: 418, body: { kind: 'Other' }, headers: { 'x-own': 'b' } } : undefined,
    };
    await through(gateway, async (url, heard) => {
      assert.deepEqual(await read(`${url}/a?b`, { method: 'POST', body: 'c' }), {
        status: 418,
        type: 'application/json',
        own: 'b',
        text: '{"kind":"Other"}',
      });
      assert.deepEqual(await read(`${url}/b`), REAL);
      assert.deepEqual(heard, ['/b']);
    });
  });

  it('says something else than the server, when that has said all', async () => {
    const seen: unknown[] = [];
    const gateway: Gateway = {
      after: (asked, answer) => {
        seen.push([asked.path, answer]);
        return asked.path === '/a' ? { status: 200, body: '<p>' } : undefined;
      },
    };
    await through(gateway, async (url) => {
      assert.deepEqual(await read(`${url}/a`), { status: 200, type: 'text/html', own: null, text: '<p>' });
      assert.deepEqual(await read(`${url}/b`), REAL);
    });
    const said = { status: 201, body: { kind: 'Real' } };
    assert.deepEqual(seen, [
      ['/a', said],
      ['/b', said],
    ]);
  });

  it('hears texts, answers without a head, and such without a body', async () => {
    const seen: unknown[] = [];
    const gateway: Gateway = {
      after: (_, answer) => {
        seen.push(answer);
        return undefined;
      },
    };
    await through(
      gateway,
      async (url) => {
        assert.equal((await read(`${url}/text`)).text, 'no JSON');
        assert.equal((await read(`${url}/none`)).status, 204);
      },
      (request, response) => {
        if (request.url === '/text') {
          response.end(Buffer.from('no JSON'));
          return;
        }
        response.statusCode = 204;
        response.end();
      },
    );
    assert.deepEqual(seen, [
      { status: 200, body: 'no JSON' },
      { status: 204, body: '' },
    ]);
  });

  it('lets watches through as they come', async () => {
    await through({ after: () => ({ status: 500, body: '' }) }, async (url) => {
      assert.deepEqual(await read(`${url}/a?watch=true`), REAL);
      assert.equal((await read(`${url}/a?watching=true`)).status, 500);
    });
  });

  it('knows who asks by his token, and what', async () => {
    const seen: Asked[] = [];
    const gateway: Gateway = {
      before: (asked) => {
        seen.push(asked);
        return undefined;
      },
    };
    await through(gateway, async (url) => {
      for (const authorization of [
        'Bearer a1b2c3.0123456789abcdef',
        'bearer  a1b2c3.x',
        'Bearer x',
        'x Bearer a1b2c3.x',
      ])
        await read(`${url}/a?b=c`, { method: 'PUT', headers: { authorization }, body: '' });
      await read(url);
    });
    assert.deepEqual(
      seen.map(({ user }) => user),
      [
        'system:bootstrap:a1b2c3',
        'system:bootstrap:a1b2c3',
        'system:anonymous',
        'system:anonymous',
        'system:anonymous',
      ],
    );
    assert.deepEqual([seen[0]?.method, seen[0]?.path, seen[0]?.query.get('b')], ['PUT', '/a', 'c']);
    assert.deepEqual([seen[4]?.method, seen[4]?.path], ['GET', '/']);
  });

  it('stands before a server once, and is gone when it has ended', async () => {
    let times = 0;
    const gateway: Gateway = {
      before: () => {
        times += 1;
        return undefined;
      },
    };
    let url = '';
    const server = createServer((_, response) => response.end('real')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    const end = gatewayBefore(gateway);
    for (let asked = 0; asked < 3; asked += 1) await read(url);
    const before = times;
    end();
    await read(url);
    server.closeAllConnections();
    server.close();
    assert.deepEqual([before, times], [3, 3]);
  });
});
