import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoreEvent } from '../types.js';
import { createStore, StoreConflict } from './store.js';

const MAPS = { group: '', resource: 'configmaps' };
const object = (name: string, data: Record<string, string> = {}, namespace = 'default') => ({
  metadata: { name, namespace },
  data,
});

test('a write raises the revision, an equal one does not', () => {
  const store = createStore();
  const first = store.create(MAPS, object('a'));
  assert.equal(first.metadata.resourceVersion, String(store.revision));
  const same = store.update(MAPS, object('a'));
  assert.equal(same, first);
  const changed = store.update(MAPS, object('a', { x: '1' }), first.metadata.resourceVersion);
  assert.ok(Number(changed.metadata.resourceVersion) > Number(first.metadata.resourceVersion));
  assert.ok(Object.isFrozen(changed.data));
});

test('what is there cannot be created, what has changed cannot be replaced', () => {
  const store = createStore();
  const first = store.create(MAPS, object('a'));
  store.update(MAPS, object('a', { x: '1' }));
  assert.throws(
    () => store.create(MAPS, object('a')),
    (error) => error instanceof StoreConflict && error.why === 'exists',
  );
  assert.throws(
    () => store.update(MAPS, object('a', { x: '2' }), first.metadata.resourceVersion),
    (error) => error instanceof StoreConflict && error.why === 'changed',
  );
  assert.throws(
    () => store.update(MAPS, object('b')),
    (error) => error instanceof StoreConflict && error.why === 'missing',
  );
});

test('lists are sorted by namespace and name', () => {
  const store = createStore();
  for (const [name, namespace] of [
    ['b', 'x'],
    ['a', 'x'],
    ['c', 'a'],
  ] as const)
    store.create(MAPS, object(name, {}, namespace));
  assert.deepEqual(
    store.list(MAPS).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`),
    ['a/c', 'x/a', 'x/b'],
  );
  assert.deepEqual(
    store.list(MAPS, 'x').map(({ metadata }) => metadata.name),
    ['a', 'b'],
  );
});

test('listeners hear every change in order, and history gives it again until it is compacted', () => {
  const store = createStore();
  const heard: StoreEvent[] = [];
  const stop = store.subscribe((event) => heard.push(event));
  const start = store.revision;
  store.create(MAPS, object('a'));
  store.update(MAPS, object('a', { x: '1' }));
  store.delete(MAPS, 'default', 'a');
  stop();
  store.create(MAPS, object('b'));
  assert.deepEqual(
    heard.map(({ type }) => type),
    ['ADDED', 'MODIFIED', 'DELETED'],
  );
  assert.equal(store.since(MAPS, start)?.length, 4);
  store.compact(start + 2);
  assert.equal(store.since(MAPS, start + 1), undefined);
  assert.equal(store.since(MAPS, start + 2)?.length, 2);
});

test('a list can be had as it was', () => {
  const store = createStore();
  store.create(MAPS, object('a', { x: '1' }));
  const then = store.revision;
  store.update(MAPS, object('a', { x: '2' }));
  store.create(MAPS, object('b'));
  store.delete(MAPS, 'default', 'a');
  assert.deepEqual(
    store.listAt(MAPS, undefined, then)?.map(({ data }) => data),
    [{ x: '1' }],
  );
});

test('content survives a restart with its revisions, and old watches cannot go on', () => {
  const store = createStore();
  const kept = store.create(MAPS, object('a', { x: '1' }));
  const again = createStore({ content: store.content() });
  assert.deepEqual(again.get(MAPS, 'default', 'a'), kept);
  assert.equal(again.revision, store.revision);
  assert.equal(again.since(MAPS, store.revision - 1), undefined);
});

test('what cannot be kept has not happened: nobody hears of it, and it is gone from every view', () => {
  const store = createStore();
  store.create(MAPS, object('a', { x: '1' }));
  let full = false;
  const kept: string[][] = [];
  const heard: string[] = [];
  store.keepWith((events) => {
    if (full) throw new Error('ENOSPC');
    kept.push(events.map(({ type, object: { metadata } }) => `${type} ${metadata.name}`));
  });
  store.subscribe(({ type, object: { metadata } }) => heard.push(`${type} ${metadata.name}`));
  const before = store.content();
  let touched = 0;
  store.onTouch(() => {
    touched += 1;
  });
  full = true;
  assert.throws(() => store.create(MAPS, object('b')), /ENOSPC/);
  assert.throws(
    () =>
      store.together(() => {
        store.update(MAPS, object('a', { x: '2' }));
        store.delete(MAPS, 'default', 'a');
        store.create(MAPS, object('a', { x: '3' }));
        assert.equal(store.list(MAPS).length, 1);
      }),
    /ENOSPC/,
  );
  assert.equal(touched, 8);
  assert.deepEqual(store.content(), before);
  assert.deepEqual(store.list(MAPS), [before.objects[0]?.object]);
  assert.deepEqual(heard, []);
  full = false;
  store.together(() => {
    store.create(MAPS, object('c'));
    assert.deepEqual(heard, []);
    store.delete(MAPS, 'default', 'a');
  });
  assert.deepEqual(kept, [['ADDED c', 'DELETED a']]);
  assert.deepEqual(heard, ['ADDED c', 'DELETED a']);
  assert.equal(store.revision, before.revision + 2);
});

test('history keeps a bounded number of bytes, and forgets for one resource only', () => {
  const store = createStore();
  const start = store.revision;
  const SECRETS = { group: '', resource: 'secrets' };
  store.create(SECRETS, object('quiet'));
  for (let turn = 0; turn < 100; turn += 1) {
    const large = object('large', { text: `${turn}`.padEnd(1024 * 1024) });
    if (turn === 0) store.create(MAPS, large);
    else store.update(MAPS, large);
  }
  assert.equal(store.since(MAPS, start), undefined);
  const left = store.since(MAPS, store.compacted(MAPS)) ?? [];
  assert.ok(left.length > 1 && left.length <= 16, String(left.length));
  assert.equal(store.since(SECRETS, start)?.length, 1);
});

test('history has what is not kept yet, of its resource, after what is; and nothing where it is forgotten', () => {
  const store = createStore();
  store.keepWith(() => {});
  const start = store.revision;
  store.create(MAPS, object('a'));
  store.create(MAPS, object('b'));
  const types = (from: number): readonly string[] | undefined =>
    store.since(MAPS, from)?.map(({ type, object: { metadata } }) => `${type} ${metadata.name}`);
  store.together(() => {
    store.delete(MAPS, 'default', 'a');
    store.create({ group: '', resource: 'secrets' }, object('c'));
    assert.deepEqual(types(start), ['ADDED a', 'ADDED b', 'DELETED a']);
    assert.deepEqual(
      store.listAt(MAPS, 'default', start + 1)?.map(({ metadata }) => metadata.name),
      ['a'],
    );
    store.compact(start + 1);
    assert.deepEqual([types(start), types(start + 1)], [undefined, ['ADDED b', 'DELETED a']]);
    assert.equal(store.listAt(MAPS, undefined, start), undefined);
  });
  assert.deepEqual(types(start + 1), ['ADDED b', 'DELETED a']);
  assert.equal(store.listAt(MAPS, undefined, store.revision + 1), undefined);
});
