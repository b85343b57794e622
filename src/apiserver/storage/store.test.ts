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
