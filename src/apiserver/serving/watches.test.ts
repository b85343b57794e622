import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONFIG_MAPS, type Fixture, fixture, read } from './fixture.js';

/** A watch whose client takes nothing until it is told to. */
function stalled({ api }: Fixture, query = '') {
  const chunks: string[] = [];
  let isFull = false;
  let drain = (): void => undefined;
  let ended = false;
  const url = `${CONFIG_MAPS}?watch=1${query}`;
  const response = api.handle({ method: 'GET', url, headers: {}, certificates: [], body: Buffer.alloc(0) });
  assert.equal(response.kind, 'stream');
  const stop =
    response.kind === 'stream'
      ? response.open({
          write(chunk) {
            assert.equal(isFull, false, 'nothing is written to who has not taken what there was');
            chunks.push(String(chunk));
            isFull = true;
            return false;
          },
          onDrain(act) {
            drain = act;
          },
          end() {
            ended = true;
          },
        })
      : () => undefined;
  return {
    chunks,
    stop,
    hasEnded: () => ended,
    take() {
      isFull = false;
      drain();
    },
    events: () =>
      chunks
        .join('')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { type: string; object: { metadata: { name: string } } })
        .map(({ type, object }) => `${type} ${object.metadata.name}`),
  };
}

const text = (length: number): string => 'ä😀'.repeat(length / 2);

test('a client that reads late is told everything in order, in pieces, and no more than one at a time', () => {
  const all = fixture();
  all.ask('POST', CONFIG_MAPS, { metadata: { name: 'a' }, data: { text: text(50_000) } });
  const watch = stalled(all);
  all.ask('POST', CONFIG_MAPS, { metadata: { name: 'b' } });
  all.ask('PUT', `${CONFIG_MAPS}/b`, { metadata: { name: 'b' }, data: { x: '1' } });
  all.ask('DELETE', `${CONFIG_MAPS}/a`);
  assert.equal(watch.chunks.length, 1);
  for (let turn = 0; turn < 100; turn += 1) watch.take();
  assert.ok(watch.chunks.length > 10);
  assert.ok(watch.chunks.every((chunk) => chunk.length <= 16 * 1024 + 1));
  assert.deepEqual(watch.events(), ['ADDED a', 'ADDED b', 'MODIFIED b', 'DELETED a']);
  watch.stop();
});

test('a thousand clients that read nothing hold a piece each, and are ended when history has gone on', () => {
  const all = fixture();
  const names = Array.from({ length: 25 }, (_, index) => `map-${index}`);
  const write = (method: string, turn: number): void => {
    for (const name of names)
      all.ask(method, method === 'POST' ? CONFIG_MAPS : `${CONFIG_MAPS}/${name}`, {
        metadata: { name },
        data: { text: text(20_000), turn: String(turn) },
      });
  };
  write('POST', 0);
  const watches = Array.from({ length: 1000 }, () => stalled(all));
  for (let turn = 1; turn < 20; turn += 1) write('PUT', turn);
  const held = watches.reduce((sum, { chunks }) => sum + chunks.join('').length, 0);
  assert.ok(held <= 1000 * (16 * 1024 + 1), `${held} characters are held`);
  const [one, ...others] = watches;
  for (let turn = 0; turn < 200; turn += 1) one?.take();
  assert.equal(one?.hasEnded(), true);
  assert.ok(others.every((watch) => !watch.hasEnded()));
  for (const watch of others) watch.stop();
});

test('a watch of Tables that cannot be made is refused before it begins', () => {
  const { api } = fixture();
  const answer = read(
    api.handle({
      method: 'GET',
      url: `${CONFIG_MAPS}?watch=1&includeObject=all`,
      headers: { accept: ['application/json;as=Table;v=v1;g=meta.k8s.io'] },
      certificates: [],
      body: Buffer.alloc(0),
    }),
  );
  assert.equal(answer.code, 400);
  assert.match(String(answer.json.message), /^Unable to convert to Table as requested: includeObject: Invalid value/);
});

test('a watch of less than no time is over before it told anything', async () => {
  const all = fixture();
  all.ask('POST', CONFIG_MAPS, { metadata: { name: 'a' } });
  const { chunks, hasEnded, stop } = stalled(all, '&timeoutSeconds=-1');
  assert.deepEqual([hasEnded(), chunks], [true, []]);
  stop();
  const endless = stalled(all, '&timeoutSeconds=0');
  assert.deepEqual(endless.events(), ['ADDED a']);
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal(endless.hasEnded(), false);
  endless.stop();
});

test('a watch is over when its time has passed by the clock of the server', () => {
  const moved = fixture();
  const { hasEnded, stop } = stalled(moved, '&timeoutSeconds=60');
  moved.clock.advance(59_999);
  assert.equal(hasEnded(), false);
  moved.clock.advance(1);
  assert.equal(hasEnded(), true);
  stop();
});

test('where a watch begins is said where that is asked for, with bookmarks, and is its manner', () => {
  const end = { 'k8s.io/initial-events-end': 'true' };
  for (const [query, says, expected] of [
    ['&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true', true, ['ADDED', 'BOOKMARK']],
    ['&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true', false, ['ADDED']],
    ['&sendInitialEvents=true&resourceVersionMatch=NotOlderThan', true, ['ADDED']],
    // The same is meant where no version is named. Source: apimachinery, meta/internalversion SetListOptionsDefaults.
    ['&allowWatchBookmarks=true', true, ['ADDED', 'BOOKMARK']],
    ['&resourceVersion=0&allowWatchBookmarks=true', true, ['ADDED', 'BOOKMARK']],
    ['&resourceVersion=0&allowWatchBookmarks=true', false, ['ADDED']],
    ['', true, ['ADDED']],
  ] as const) {
    const all = fixture({ manners: { watchSaysWhereItBegins: () => says } });
    all.ask('POST', CONFIG_MAPS, { metadata: { name: 'a' } });
    const watch = stalled(all, query);
    for (let turn = 0; turn < 5; turn += 1) watch.take();
    const events = watch.chunks
      .join('')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; object: { metadata: { annotations?: object } } });
    assert.deepEqual(
      events.map(({ type }) => type),
      expected,
      query,
    );
    if (expected.length === 2) assert.deepEqual(events[1]?.object.metadata.annotations, end);
    watch.stop();
  }
});

test('a watch of a version tells what came after it, by its manners, and says where that is forgotten', () => {
  const told = (query: string, manners: object = {}): readonly string[] => {
    const all = fixture({ manners });
    for (const name of ['a', 'b']) all.ask('POST', CONFIG_MAPS, { metadata: { name, labels: { name } } });
    all.ask('PUT', `${CONFIG_MAPS}/a`, { metadata: { name: 'a', labels: { name: 'c' } } });
    all.ask('DELETE', `${CONFIG_MAPS}/b`);
    if (query.includes('resourceVersion=1')) all.store.compact(all.store.revision);
    const watch = stalled(all, query);
    for (let turn = 0; turn < 9; turn += 1) watch.take();
    watch.stop();
    if (watch.chunks.join('') === '') return [];
    return watch.chunks
      .join('')
      .trim()
      .split('\n')
      .map(
        (line) =>
          JSON.parse(line) as { type: string; object: { code?: number; reason?: string; metadata: { name?: string } } },
      )
      .map(({ type, object }) => `${type} ${object.metadata.name ?? `${object.code} ${object.reason}`}`);
  };
  const from = (version: number): string => `&resourceVersion=${version}`;
  const { store } = fixture();
  const first = store.revision;
  assert.deepEqual(told(from(first)), ['ADDED a', 'ADDED b', 'MODIFIED a', 'DELETED b']);
  assert.deepEqual(told(from(first + 1)), ['ADDED b', 'MODIFIED a', 'DELETED b']);
  assert.deepEqual(told(from(first + 4)), []);
  assert.deepEqual(told(`${from(first)}&labelSelector=name%3Da`), ['ADDED a', 'DELETED a']);
  assert.deepEqual(told(`${from(first)}&labelSelector=name%3Dc`), ['ADDED a']);
  assert.deepEqual(told(from(first), { watchBegins: (named: number) => named + 2 }), ['MODIFIED a', 'DELETED b']);
  assert.deepEqual(told(from(first), { watchReaches: () => false }), []);
  assert.deepEqual(told(from(first), { watchTells: () => undefined }), ['DELETED b']);
  assert.deepEqual(told(from(1)), ['ERROR 410 Expired']);
});
