/** What a runtime that stands in answers, byte by byte as protobuf has it. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:http2';
import { connect as connectSocket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { type RuntimeLike, startRuntime } from './stand-in-runtime.js';

const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-stand-in-'));
after(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;

/** Fields of a message by their numbers: texts, messages as such, and numbers. */
type Fields = Readonly<Record<number, unknown>>;
function decoded(message: Buffer, inner: readonly number[] = []): Fields {
  const fields: Record<number, unknown> = {};
  for (let at = 0; at < message.length; ) {
    const key = message[at] ?? 0;
    const value = message[at + 1] ?? 0;
    const isBytes = (key & 7) === 2;
    const bytes = message.subarray(at + 2, at + 2 + value);
    const read = inner.includes(key >> 3) ? decoded(bytes, inner) : bytes.toString('utf8');
    const before = fields[key >> 3];
    fields[key >> 3] = isBytes ? (before === undefined ? read : [before, read]) : value;
    at += 2 + (isBytes ? value : 0);
  }
  return fields;
}

/** The message, and how it ended, by each method. */
async function answers(like: RuntimeLike, ...methods: readonly string[]) {
  count += 1;
  const socket = path.join(folder, `${count}.sock`);
  const end = await startRuntime(socket, like);
  const session = connect('http://localhost', { createConnection: () => connectSocket(socket) });
  try {
    return await Promise.all(
      methods.map(
        (method) =>
          new Promise<{ body: Buffer; head: unknown; trailers: unknown }>((resolve, reject) => {
            const stream = session.request({ ':method': 'POST', ':path': `/runtime.v1.${method}` });
            const chunks: Buffer[] = [];
            let [head, trailers]: unknown[] = [];
            stream.on('response', (headers) => {
              head = [headers[':status'], headers['content-type']];
            });
            stream.on('trailers', (headers) => {
              trailers = [headers['grpc-status'], headers['grpc-message']];
            });
            stream.on('data', (chunk: Buffer) => chunks.push(chunk));
            stream.on('end', () => resolve({ body: Buffer.concat(chunks), head, trailers }));
            stream.on('error', reject);
            stream.end();
          }),
      ),
    );
  } finally {
    session.destroy();
    end();
  }
}
const FINE = ['0', ''];
const UNKNOWN = ['12', 'unknown method'];

describe('a runtime that stands in', () => {
  const METHODS = ['RuntimeService/Version', 'RuntimeService/Status', 'ImageService/ImageStatus'];
  const shown = async (like: RuntimeLike): Promise<readonly Fields[]> =>
    (await answers(like, ...METHODS)).map(({ body, head, trailers }) => {
      assert.deepEqual([head, trailers], [[200, 'application/grpc'], FINE]);
      assert.equal(body[0], 0);
      assert.equal(body.readUInt32BE(1), body.length - 5);
      return decoded(body.subarray(5), [1]);
    });
  const version = { 1: '0.1.0', 2: 'joinproof', 3: '1.0.0', 4: 'v1' };

  it('has a version, is ready, and has every image', async () => {
    const [found, status, image] = await answers({ configures: true }, ...METHODS);
    assert.deepEqual(decoded(found?.body.subarray(5) ?? Buffer.alloc(0)), version);
    const conditions = decoded(status?.body.subarray(5) ?? Buffer.alloc(0), []);
    assert.ok(String(conditions[1]).includes('RuntimeReady') && String(conditions[1]).includes('NetworkReady'));
    const inner = Buffer.from(image?.body.subarray(7) ?? []);
    assert.deepEqual(decoded(inner), { 1: 'sha256:0', 4: 1 });
  });

  it('is not ready where it is told so, though its network is', async () => {
    const of = async (like: RuntimeLike) => {
      const [status] = await answers(like, 'RuntimeService/Status');
      const all = decoded(status?.body.subarray(7) ?? Buffer.alloc(0), [])[1];
      return (all as readonly string[]).map((one) => decoded(Buffer.from(one)));
    };
    assert.deepEqual(await of({ configures: true }), [
      { 1: 'RuntimeReady', 2: 1 },
      { 1: 'NetworkReady', 2: 1 },
    ]);
    assert.deepEqual(await of({ configures: true, notReady: { reason: 'Late', message: 'soon' } }), [
      { 1: 'RuntimeReady', 3: 'Late', 4: 'soon' },
      { 1: 'NetworkReady', 2: 1 },
    ]);
  });

  it('knows what it is asked, and nothing else', async () => {
    const METHOD = 'RuntimeService/RuntimeConfig';
    const ended = async (configures: boolean, ...methods: readonly string[]) =>
      (await answers({ configures }, ...methods)).map(({ trailers }) => trailers);
    assert.deepEqual(await ended(true, METHOD, 'ImageService/ImageFsInfo', 'RuntimeService/RunPodSandbox', 'Version'), [
      ...[FINE, FINE, UNKNOWN, UNKNOWN],
    ]);
    assert.deepEqual(await ended(false, METHOD), [UNKNOWN]);
    assert.equal((await shown({ configures: true })).length, METHODS.length);
  });
});
