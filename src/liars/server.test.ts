import assert from 'node:assert/strict';
import { get, type RequestOptions } from 'node:https';
import { describe, it } from 'node:test';
import { connect } from 'node:tls';
import type { Entry } from '../kubernetes/transcript.js';
import { lies } from './lies/index.js';
import { LiarServer } from './server.js';

/** What an honest server has seen of a client once that is gone. */
async function seenOf(client: (port: number) => Promise<unknown>, of = 'ok-pin'): Promise<readonly Entry[]> {
  const lie = lies.find(({ name }) => name === of);
  assert.ok(lie !== undefined);
  const server = await LiarServer.start(lie);
  try {
    await client(Number(server.liar.scene.endpoint.split(':')[1]));
    for (let looks = 0; server.liar.journal.length === 0 && looks < 100; looks += 1)
      await new Promise((resolve) => setTimeout(resolve, 10));
    return [...server.liar.journal];
  } finally {
    await server.close();
  }
}
const asks = (port: number, options: RequestOptions): Promise<unknown> =>
  new Promise((resolve) => {
    get({ host: '127.0.0.1', port, path: '/version', agent: false, ...options }, (response) => {
      response.resume();
      response.once('end', resolve);
    }).once('error', resolve);
  });
const told = (entries: readonly Entry[]): readonly string[] =>
  entries.map((entry) => (entry.kind === 'request' ? entry.target : entry.event));

describe('a connection to a liar', () => {
  it('is told where the client verifies after the handshake, and goes without a word', async () =>
    assert.deepEqual(told(await seenOf((port) => asks(port, {}))), ['closed without a request']));

  it('is told once, by its requests, where there are some', async () =>
    assert.deepEqual(told(await seenOf((port) => asks(port, { rejectUnauthorized: false }))), ['/version']));

  it('is told where the client ends it after the handshake by itself', async () => {
    const ends = (port: number): Promise<unknown> =>
      new Promise((resolve) => {
        const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => socket.destroy());
        socket.once('close', resolve);
      });
    assert.deepEqual(told(await seenOf(ends)), ['closed without a request']);
  });

  it('is told by the name that the client tells', async () => {
    const names = async (options: RequestOptions): Promise<unknown> => {
      const [entry] = await seenOf((port) => asks(port, { rejectUnauthorized: false, ...options }));
      return entry?.kind === 'request' ? entry.serverName : undefined;
    };
    assert.equal(await names({ servername: 'a.example' }), 'a.example');
    assert.equal(await names({}), '');
  });

  it('carries its answers in each form', async () => {
    for (const of of ['chunked', 'until-closed', 'in-pieces', 'after-hints']) {
      let status: number | undefined;
      const reads = (port: number): Promise<unknown> =>
        new Promise((resolve) => {
          const path = '/api/v1/namespaces/kube-public/configmaps/cluster-info';
          get({ host: '127.0.0.1', port, path, agent: false, rejectUnauthorized: false }, (response) => {
            const chunks: Buffer[] = [];
            response.on('data', (chunk: Buffer) => chunks.push(chunk));
            response.once('end', () => {
              assert.equal(JSON.parse(Buffer.concat(chunks).toString()).kind, 'ConfigMap', of);
              status = response.statusCode;
              resolve(undefined);
            });
          }).once('error', resolve);
        });
      await seenOf(reads, `answers-${of}`);
      assert.equal(status, 200, of);
    }
  });

  it('is made by whoever offers what protects nothing, and by nobody else', async () => {
    const weak = { minVersion: 'TLSv1', ciphers: 'ALL:eNULL:aNULL:@SECLEVEL=0' } as const;
    for (const [of, maxVersion] of [
      ['tls-old', 'TLSv1.1'],
      ['tls-null', 'TLSv1.2'],
      ['tls-anonymous', 'TLSv1.2'],
    ] as const) {
      const options = { rejectUnauthorized: false, ...weak, maxVersion };
      assert.deepEqual(told(await seenOf((port) => asks(port, options), of)), ['/version'], of);
      const plain = told(await seenOf((port) => asks(port, { rejectUnauthorized: false }), of));
      assert.deepEqual(plain, ['no common cipher'], of);
    }
  });
});
