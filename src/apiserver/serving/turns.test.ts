import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainError } from '../machinery/errors.js';
import { CONFIG_MAPS, fixture, read } from './fixture.js';
import { inTurns } from './turns.js';

test('requests of one turn are kept by one write, and what cannot be kept takes no other with it', async () => {
  const { api, store } = fixture();
  const kept: string[][] = [];
  store.keepWith((events) => {
    const names = events.map(({ object }) => object.metadata.name ?? '');
    if (names.includes('large')) throw plainError('nothing was changed: no space');
    kept.push(names);
  });
  const heard: string[] = [];
  store.subscribe(({ object }) => heard.push(object.metadata.name ?? ''));
  const refuse = (_request: unknown, error: unknown) => ({
    kind: 'full' as const,
    code: 500,
    headers: {},
    body: String(error),
  });
  const serve = inTurns({ handle: api.handle, refuse }, store);
  const ask = (method: string, url: string, body: unknown = {}): Promise<{ code: number; text: string }> =>
    new Promise((resolve) => {
      const request = { method, url, headers: {}, certificates: [], body: Buffer.from(JSON.stringify(body)) };
      serve(request, (answer) => resolve(read(answer)));
    });
  const post = (name: string) => ask('POST', CONFIG_MAPS, { metadata: { name } });

  const fine = await Promise.all([post('a'), post('b'), ask('GET', `${CONFIG_MAPS}/a`)]);
  assert.deepEqual(
    fine.map(({ code }) => code),
    [201, 201, 200],
  );
  assert.deepEqual(kept, [['a', 'b']]);
  const mixed = await Promise.all([post('c'), post('large'), ask('GET', `${CONFIG_MAPS}/large`), post('d')]);
  assert.deepEqual(
    mixed.map(({ code }) => code),
    [201, 500, 404, 201],
  );
  assert.match(mixed[1]?.text ?? '', /nothing was changed: no space/);
  assert.deepEqual(heard, ['a', 'b', 'c', 'd']);
  assert.equal(store.get({ group: '', resource: 'configmaps' }, 'default', 'large'), undefined);
});

test('a request is answered in a turn of its own, and at once where nothing is kept', async () => {
  const { api, store } = fixture();
  const refuse = () => assert.fail('nothing is refused');
  const serve = inTurns({ handle: api.handle, refuse }, store);
  const answered: number[] = [];
  const get = (): void =>
    serve({ method: 'GET', url: CONFIG_MAPS, headers: {}, certificates: [], body: Buffer.alloc(0) }, (answer) =>
      answered.push(read(answer).code),
    );
  get();
  assert.deepEqual(answered, [200]);
  const kept: number[] = [];
  store.keepWith((events) => void kept.push(events.length));
  for (const expected of [2, 3]) {
    get();
    assert.equal(answered.length, expected - 1, 'it waits for others');
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(answered.length, expected);
  }
});
