import assert from 'node:assert/strict';
import { get, type RequestOptions } from 'node:https';
import { describe, it } from 'node:test';
import { connect } from 'node:tls';
import type { Entry } from '../kubernetes/transcript.js';
import { lies } from './lies/index.js';
import { LiarServer } from './server.js';

/** What an honest server has seen of a client once that is gone. */
async function seenOf(client: (port: number) => Promise<unknown>): Promise<readonly Entry[]> {
  const lie = lies.find(({ name }) => name === 'ok-pin');
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
});
