import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultsOf } from '../common/judged.testing.js';
import type { Seen } from './node-files.js';
import { dataClosed, dataPrivate, inPlace, isReached, unchanging } from './node-places.js';
import { at } from './node-seen.testing.js';

const folder = (mode: number): Seen => at('/p', { kind: 'folder' }, mode);
const file = (mode: number): Seen => at('/p', { kind: 'other' }, mode);
const none = at('/p', null);

describe('places of a node', () => {
  it('are reached where every folder above them lets others through', () => {
    const reached = (...modes: readonly (number | null)[]): boolean => {
      const folders = modes.map((mode, index) => [['/a', '/a/b'][index] ?? '', mode] as const);
      const entry = (path: string, mode: number | null, kind: 'folder' | 'other') =>
        [path, { ...folder(0).file, path, mode, held: { kind } }] as const;
      const beside = [entry('/ab', 0o700, 'folder'), entry('/a/b/c', 0o600, 'other'), entry('/a/b/d', 0o700, 'folder')];
      const all = [...folders.map(([path, mode]) => entry(path, mode, 'folder')), ...beside];
      return isReached(Object.fromEntries(all) as never, '/a/b/c');
    };
    for (const modes of [[], [0o755, 0o755], [0o701, 0o710], [null, 0o711], [null, null]]) assert.ok(reached(...modes));
    for (const modes of [
      [0o700, 0o755],
      [0o755, 0o700],
      [0o766, 0o755],
      [null, 0o600],
    ])
      assert.ok(!reached(...modes));
  });

  it('are changed by their owner, or by a group that takes nothing away', () => {
    for (const [mode, result] of [
      [0o755, 'met'],
      [0o775, 'unmet'],
      [0o1775, 'met'],
      [0o757, 'unmet'],
      [0o1757, 'unmet'],
      [0o1777, 'unmet'],
      [0o2755, 'met'],
    ] as const)
      assert.deepEqual(resultsOf(unchanging, [folder(mode)], undefined), [result], mode.toString(8));
    for (const mode of [0o4755, 0o2755, 0o6755])
      assert.deepEqual(resultsOf(unchanging, [file(mode)], undefined), ['met', 'unmet'], mode.toString(8));
    assert.deepEqual(resultsOf(unchanging, [none, file(0o644)], undefined), ['met']);
  });

  it('are not led to by a link into the folders of others', () => {
    const told = (path: string): string =>
      resultsOf(inPlace, [none, { path: '/a', file: { ...file(0o644).file, at: path } as never }], {
        data: '/d',
      }).join();
    for (const path of ['/home/a/b', '/mnt/a', '/media/a', '/tmp/a', '/var/tmp/a'])
      assert.equal(told(path), 'unmet', path);
    for (const path of ['/var/home/a', '/var/mnt/a', '/etc/media/a', '/etc/a', '/homes/a'])
      assert.equal(told(path), 'met', path);
  });

  it('of etcd are read by etcd alone', () => {
    const told = (folders: readonly Seen[], files: readonly Seen[], known: readonly number[] | null = null) =>
      resultsOf(dataClosed, { folders, files }, { known });
    assert.deepEqual(told([none], [none]), []);
    assert.deepEqual(told([folder(0o700)], [file(0o600), file(0o640), file(0o604), none]), ['met', 'unmet', 'unmet']);
    assert.deepEqual(told([folder(0o700), none], [file(0o600), none], [0]), ['met', 'met', 'met']);
    assert.deepEqual(told([folder(0o700)], [], [7]), ['unmet']);
    assert.deepEqual(resultsOf(dataPrivate, [none, folder(0o700), folder(0o701)], undefined), ['met', 'unmet']);
  });
});
