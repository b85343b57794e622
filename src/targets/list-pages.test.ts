import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import type { KubeObject } from '../kubernetes/objects.js';
import { costOf, KeptLists } from './kept-lists.js';
import { listPages, type Pages } from './list-pages.js';
import type { Answer } from './types.js';

const item = (name: string): KubeObject => ({ metadata: { name } });
const page = (names: readonly string[], next?: string): unknown => ({
  kind: 'XList',
  metadata: next === undefined ? {} : { continue: next },
  items: names.map(item),
});
const status = (code: number): Answer => ({ status: code, headers: {}, text: '', body: { kind: 'Status' } });

/** A server that says `body(n, query)` to the n-th question; a number is a status. */
function pagesOf(body: (turn: number, next: string) => unknown): Pages<string> & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    path: '/api/v1/xs',
    keep: ({ metadata }) => metadata.name,
    object: (answer) => {
      if (answer.status !== 200) throw new Error(`status ${answer.status}`);
      return answer.body as KubeObject;
    },
    ask: async ({ continue: next = '' }, read) => {
      asked.push(next);
      const said = body(asked.length, next);
      if (typeof said === 'number') return status(said);
      const chunks = (typeof said === 'string' ? said : JSON.stringify(said)).match(/.{1,50}/gs) ?? [];
      const text = await read(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), () => {});
      return { status: 200, headers: {}, text, body: text === '' ? undefined : JSON.parse(text) };
    },
  };
}

const refused = (body: (turn: number, next: string) => unknown, why: RegExp): Promise<void> =>
  assert.rejects(listPages(pagesOf(body)), { name: 'UnexpectedAnswer', message: why });

describe('lists', () => {
  it('are read page by page', async () => {
    const pages = pagesOf((_turn, next) => (next === '' ? page(['a', 'b'], 'x') : page(['c'])));
    assert.deepEqual(await listPages(pages), ['a', 'b', 'c']);
    assert.deepEqual(pages.asked, ['', 'x']);
  });

  it('keep only what is wanted of each item', async () => {
    const pages = pagesOf(() => page(['a', 'b', 'c']));
    const keep = ({ metadata }: KubeObject): number | undefined => (metadata.name === 'b' ? 1 : undefined);
    assert.deepEqual(await listPages({ ...pages, keep }), [1]);
  });

  it('may lack items altogether', async () => {
    for (const items of [null, [], undefined])
      assert.deepEqual(await listPages(pagesOf(() => ({ kind: 'XList', metadata: {}, items }))), []);
    assert.deepEqual(await listPages(pagesOf(() => ({ kind: 'XList' }))), []);
  });

  it('begin anew where the server does not keep them any more, but not for ever', async () => {
    const once = pagesOf((turn) => [page(['a'], 'x'), 410, page(['b'], 'y'), page(['c'])][turn - 1]);
    assert.deepEqual(await listPages(once), ['b', 'c']);
    const never = pagesOf((_turn, next) => (next === '' ? page(['a'], 'x') : 410));
    await assert.rejects(listPages(never), /status 410/);
    const none = pagesOf(() => 410);
    await assert.rejects(listPages(none), /status 410/);
    assert.equal(none.asked.length, 1, 'who keeps nothing is not asked anew');
    assert.equal(never.asked.length, 6);
  });

  it('are refused where they have no end', async () => {
    await refused(() => page(['a'], 'x'), /names the same next page twice/);
    await refused((turn, next) => page(['a'], next === 'x' ? `y${turn % 2}` : 'x'), /names the same next page twice/);
    await refused((turn) => page([], `x${turn}`), /21 pages in a row hold nothing/);
    await refused((turn) => page(['a'], 'x'.repeat(turn + 9000)), /longer than 8 KiB/);
    await refused((turn) => page(['a'], `x${turn}`), /more than 20000 pages/);
  });

  it('are refused where what is kept of them does not fit, and count for nothing then', async () => {
    const sizes: number[] = [];
    const fits = (bytes: number): boolean => {
      sizes.push(bytes);
      return bytes < 10_000;
    };
    const message = /the list is not read: what would be judged of it does not fit into the memory/;
    const endless = pagesOf((turn) => page(['a'], `x${turn}`));
    const keep = (item: KubeObject): KubeObject => item;
    await assert.rejects(listPages({ ...endless, keep, fits }), { name: 'UnexpectedAnswer', message });
    assert.equal(sizes.at(-1), 0);
    assert.ok(endless.asked.length < 5);
    assert.deepEqual(await listPages({ ...pagesOf(() => page(['a', 'b'])), keep: () => true, fits }), [true, true]);
  });

  it('share the room of one target, each as it was read last', () => {
    const lists = new KeptLists();
    const half = 80 * 1024 * 1024;
    assert.ok(lists.fits('secrets', half));
    assert.ok(lists.fits('secrets', half));
    assert.ok(!lists.fits('nodes', half));
    assert.ok(lists.fits('nodes', 0));
    assert.ok(costOf('x'.repeat(1_000)) >= 1_000);
    assert.ok(costOf({ metadata: { name: 'x'.repeat(1_000) }, rules: [['y'.repeat(500)]] }) >= 1_500);
    assert.ok(costOf(true) < 100);
  });

  it('are refused where they only just get on, page by page or within one', async () => {
    const late = (body: (turn: number) => unknown): Promise<unknown> => {
      let passed = 0;
      const now = (): number => {
        passed += 10_000;
        return passed;
      };
      return listPages({ ...pagesOf(body), now });
    };
    const message = /has not ended within 600 s/;
    await assert.rejects(
      late((turn) => page(['a'], `x${turn}`)),
      { name: 'UnexpectedAnswer', message },
    );
    const long = JSON.stringify(page(Array.from({ length: 5_000 }, () => 'x'.repeat(1_000))));
    await assert.rejects(
      late(() => long),
      { name: 'UnexpectedAnswer', message },
    );
  });

  it('are refused where they are none', async () => {
    await refused(() => ({ kind: 'Status', metadata: {} }), /it is no list but a Status/);
    await refused(() => ({ kind: 'Table', metadata: {}, rows: [] }), /it is no list but a Table/);
    await refused(() => ({ metadata: {}, items: [] }), /no list but an object without a kind/);
    await refused(() => ({ kind: 'XList', metadata: {}, items: { a: 1 } }), /its items are no list/);
    await refused(
      () => ({ kind: 'XList', metadata: {}, items: [null] }),
      /one of its items is no object with metadata/,
    );
    await refused(() => '{"kind":"XList","items":[{"metadata":{}},{"a"]}', /one of its items is no JSON/);
  });

  it('tell that they get on, so that a long page is no slow one', async () => {
    let alive = 0;
    const chunks = Array.from({ length: 5 }, (_, at) =>
      Buffer.from(`${at === 0 ? '{"kind":"XList","items":[' : ','}{"metadata":{"name":"${'x'.repeat(70_000)}"}}`),
    );
    const pages: Pages<number> = {
      ...pagesOf(() => 0),
      keep: () => 1,
      ask: async (_page, read) => {
        const text = await read(Readable.from([...chunks, Buffer.from(']}')]), () => {
          alive += 1;
        });
        return { status: 200, headers: {}, text, body: JSON.parse(text) };
      },
    };
    assert.deepEqual(await listPages(pages), [1, 1, 1, 1, 1]);
    assert.equal(alive, 5);
  });
});
