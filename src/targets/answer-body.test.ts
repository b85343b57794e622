import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ended, firstEvent, jsonOf, textOf, Unreadable } from './answer-body.js';
import { connectionTo, serve } from './local-server.testing.js';
import { Transport } from './transport.js';

const open: { close(): Promise<void> }[] = [];
after(() => Promise.all(open.map((one) => one.close())));
const never = new AbortController().signal;
const sink = { secret: () => undefined, redact: (text: string) => text };
const admin = { kind: 'admin' } as const;

async function answering(body: Buffer | string, headers: Record<string, string> = {}): Promise<Transport> {
  const server = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body);
  });
  const transport = new Transport(connectionTo(server), sink);
  open.push(transport, server);
  return transport;
}
const question = { method: 'GET', path: '/', headers: [], timeoutMs: 30_000 };

test('what is nested too deep or holds too many values is refused before it is parsed', () => {
  const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  assert.ok(jsonOf(nested(100)) !== undefined);
  assert.throws(() => jsonOf(nested(2_000_000)), { message: /nested deeper than 128 levels/ });
  assert.throws(() => jsonOf('['.repeat(2_000_000)), Unreadable);
  assert.throws(() => jsonOf(`[${'{},'.repeat(2_000_000)}{}]`), { message: /more than 100000 values/ });
  const keys = Array.from({ length: 1_000_000 }, (_, index) => `"${index}":0`).join();
  assert.throws(() => jsonOf(`{${keys}}`), { message: /more than 100000 values/ });
  const quoted = JSON.stringify({ text: `${'[{,'.repeat(600_000)}\\"` });
  assert.deepEqual(jsonOf(quoted), JSON.parse(quoted));
});

test('odd members, numbers and texts are values like others', () => {
  const odd = jsonOf('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"n":1e999}');
  assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  assert.equal((odd as { polluted?: unknown }).polluted, undefined);
  const digits = `{"n":${'9'.repeat(4_000_000)}}`;
  assert.ok(jsonOf(digits) !== undefined);
  assert.equal(jsonOf('{"a":'), undefined);
  assert.equal(jsonOf('"\\'), undefined);
});

test('a compressed answer is refused: nobody asked for it, and nobody knows how long it gets', async () => {
  const transport = await answering(gzipSync(Buffer.alloc(50_000_000)), { 'content-encoding': 'gzip' });
  await assert.rejects(transport.send(admin, question, never), { why: 'too-large', message: /compressed/ });
});

test('headers without end are refused', async () => {
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`x-${index}`, 'a'.repeat(1000)]));
  const transport = await answering('{}', many);
  await assert.rejects(transport.send(admin, question, never), { why: 'not-http', message: /headers/ });
});

test('long answers are all read, one after another', async () => {
  const transport = await answering(JSON.stringify('x'.repeat(3_000_000)));
  const answers = await Promise.all(Array.from({ length: 6 }, () => transport.send(admin, question, never)));
  assert.deepEqual(new Set(answers.map(({ text }) => text.length)), new Set([3_000_002]));
});

test('a character that comes in two parts is one', async () => {
  // each of three bytes, so that no length of a part fits all
  const text = JSON.stringify('€'.repeat(400_000));
  const transport = await answering(text);
  assert.ok((await transport.send(admin, question, never)).text === text);
});

test('what would be sent at the length of a foreign text is not', async () => {
  const transport = await answering('{}');
  const long = 'x'.repeat(2_000_000);
  await assert.rejects(transport.send(admin, { ...question, path: `/${long}` }, never), { why: 'too-large' });
  const asking = { ...question, method: 'POST', body: long };
  await assert.rejects(transport.send(admin, asking, never), { why: 'too-large', message: /longer than/ });
});

test('a body is whole where it ends, and nothing where it is closed before, with a reason or without', async () => {
  const body = (text: string, end: (stream: Readable) => void): Readable => {
    const stream = new Readable({ read: () => {} });
    stream.push(text);
    setImmediate(() => end(stream));
    return stream;
  };
  const whole = (stream: Readable): void => void stream.push(null);
  const left = (stream: Readable): void => void stream.destroy();
  const broken = (stream: Readable): void => void stream.destroy(new Error('it broke'));
  const said = async (read: (stream: Readable) => Promise<unknown>): Promise<readonly unknown[]> =>
    Promise.all(
      [whole, left, broken].map((end) => read(body('a\nb', end)).catch((error: Error) => `not read: ${error.message}`)),
    );
  const unread = ['not read: the answer did not end', 'not read: it broke'];
  assert.deepEqual(await said((stream) => textOf(stream)), ['a\nb', ...unread]);
  assert.deepEqual(await said((stream) => ended(stream.resume())), [undefined, ...unread]);
  // of what goes on without an end the first line is enough
  assert.deepEqual(await said((stream) => firstEvent(stream)), ['a', 'a', 'a']);
  await assert.rejects(firstEvent(body('a', left)), { code: 'ECONNRESET' });
  assert.equal(await firstEvent(body('a', whole)), 'a');
});

test('an answer of more than 1 MiB is read while no other one of that length is', async () => {
  const begun = (bytes: number): Readable => {
    const stream = new Readable({ read: () => {} });
    stream.push('x'.repeat(bytes));
    return stream;
  };
  const settled = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  const [first, short, second, left, last] = [1, 0, 1, 1, 1].map((more) => begun((1 << 20) + more)) as [
    ...[Readable, Readable, Readable, Readable, Readable],
  ];
  const all = [first, short, second, left, last];
  const texts = all.map((stream) => textOf(stream).then(({ length }) => length - (1 << 20)));
  const paused = async (): Promise<readonly boolean[]> => {
    await settled();
    return all.map((stream) => stream.isPaused());
  };
  assert.deepEqual(await paused(), [false, false, true, true, true]);
  first.push('x');
  assert.deepEqual(await paused(), [false, false, true, true, true]);
  // whoever is gone when it is his turn hands it on
  left.destroy();
  await assert.rejects(texts[3] as Promise<number>, { code: 'ECONNRESET' });
  first.push(null);
  assert.equal(await texts[0], 2);
  assert.deepEqual(
    (await paused()).filter((_, at) => at !== 3),
    [false, false, false, true],
  );
  for (const stream of [second, short, last]) stream.push(null);
  assert.deepEqual(await Promise.all([texts[1], texts[2], texts[4]]), [0, 1, 1]);
});
