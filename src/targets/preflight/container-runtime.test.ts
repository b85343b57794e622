/** What a container runtime is taken for, by what it answers. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type ServerHttp2Session } from 'node:http2';
import { connect as connectSocket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { askRuntime } from './container-runtime.js';
import { startRuntime } from './stand-in-runtime.js';

const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-runtime-'));
after(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;
const newSocket = (): string => path.join(folder, `${++count}.sock`);

/** A field that holds bytes; a length of one byte. */
const field = (number: number, value: string | Buffer): Buffer => {
  const bytes = Buffer.from(value);
  return Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes]);
};
/** `reason`: why it is not so; '': it is. */
const condition = (type: string, reason = ''): Buffer =>
  field(1, Buffer.concat([field(1, type), ...(reason === '' ? [Buffer.from([16, 1])] : [field(3, reason)])]));

interface Said {
  readonly code?: number;
  readonly message?: Buffer;
}

/** What is said of a runtime that answers so, by method; the others it does not know. */
async function saidOf(answers: Readonly<Record<string, Said>>) {
  const socket = newSocket();
  const server = createServer();
  const sessions: ServerHttp2Session[] = [];
  server.on('session', (session) => sessions.push(session));
  server.on('stream', (stream, headers) => {
    const { code = 0, message = Buffer.alloc(0) } = answers[path.basename(String(headers[':path']))] ?? { code: 12 };
    const head = Buffer.alloc(5);
    head.writeUInt32BE(message.length, 1);
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': String(code), 'grpc-message': `as ${code}` }));
    stream.end(Buffer.concat([head, message]));
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  try {
    return await askRuntime(`unix://${socket}`);
  } finally {
    for (const session of sessions) session.destroy();
    server.close();
  }
}
const status = (...conditions: readonly Buffer[]): Said => ({ message: field(1, Buffer.concat(conditions)) });
const READY = status(condition('NetworkReady'), condition('RuntimeReady'));

describe('a container runtime', () => {
  it('is ready, and configures or not, as it says', async () => {
    assert.deepEqual(await saidOf({ Version: {}, Status: READY, RuntimeConfig: {} }), { configures: true });
    assert.deepEqual(await saidOf({ Version: {}, Status: READY }), { configures: false });
    assert.deepEqual(await saidOf({ Version: {}, Status: READY, RuntimeConfig: { code: 2 } }), { configures: true });
  });
  it('is not ready whatever numbers stand where its words are to be', async () => {
    const number = (at: number): Buffer => Buffer.from([at << 3, 7]);
    const odd = Buffer.concat([number(1), field(1, 'RuntimeReady'), number(3), field(3, 'Odd'), number(4)]);
    const said = await saidOf({ Version: {}, Status: status(number(1), field(1, odd)), RuntimeConfig: {} });
    assert.deepEqual(said, { notReady: { reason: 'Odd', message: '' }, configures: true });
  });
  it('is not ready by the condition of that name alone, wherever it stands', async () => {
    const late = await saidOf({
      Version: {},
      Status: status(condition('NetworkReady'), condition('RuntimeReady', 'Late')),
    });
    assert.deepEqual(late, { notReady: { reason: 'Late', message: '' }, configures: false });
    const alone = await saidOf({
      Version: {},
      Status: status(condition('NetworkReady', 'NoCNI'), condition('RuntimeReady')),
    });
    assert.deepEqual(alone, { configures: false });
  });
  for (const method of ['Version', 'Status'])
    for (const [code, name] of [
      [2, 'Unknown'],
      [4, 'DeadlineExceeded'],
      [12, 'Unimplemented'],
      [14, 'Unavailable'],
      [7, '7'],
    ] as const)
      it(`fails that answers ${code} to ${method}`, async () => {
        const said = await saidOf({ Version: {}, Status: READY, RuntimeConfig: {}, [method]: { code } });
        assert.ok('failure' in said);
        assert.match(said.failure, new RegExp(`code = ${name} desc = as ${code}`));
      });
  it('is none where nothing listens', async () => {
    const said = await askRuntime(`unix://${newSocket()}`);
    assert.ok('failure' in said);
    assert.match(said.failure, /connect: no such file or directory/);
  });
  it('stands in for one as it is told', async () => {
    const socket = newSocket();
    const notReady = { reason: 'Late', message: 'it starts' };
    const end = await startRuntime(socket, { notReady, configures: true });
    try {
      assert.deepEqual(await askRuntime(`unix://${socket}`), { notReady, configures: true });
    } finally {
      end();
    }
  });
  it('that stands in ends with whoever is connected to it, and is not there then', async () => {
    const socket = newSocket();
    const end = await startRuntime(socket, { configures: true });
    const session = connect('http://localhost', { createConnection: () => connectSocket(socket) });
    session.on('error', () => {});
    await once(session, 'remoteSettings');
    const closed = once(session, 'close');
    end();
    await closed;
    assert.ok('failure' in (await askRuntime(`unix://${socket}`)));
  });
});
