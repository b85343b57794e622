import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LIMITS, type Tree, WalkedFiles } from './walk.js';

/** Folders of folders of files, all alike. */
const wide = (folders: number, files: number): Tree => ({
  look: async (place) => ({ kind: place.split('/').length > 3 ? 'file' : 'folder', size: 1 }),
  names: async (place) => Array.from({ length: place.split('/').length > 2 ? files : folders }, (_, at) => `n${at}`),
  contents: async () => new Map(),
});

describe('a walk through a tree', () => {
  it('ends where there is too much of it, and says so', async () => {
    const found = await new WalkedFiles(wide(900, 900)).read(['/a']);
    assert.ok(found.length < LIMITS.places + 900 + 900);
    assert.match(found.at(-1)?.unreadable ?? '', /^more than 20000 files/);
  });
  it('goes through what is within its bounds', async () => {
    const found = await new WalkedFiles(wide(3, 4)).read(['/a']);
    assert.equal(found.length, 1 + 3 + 12);
    assert.deepEqual(
      found.filter(({ kind }) => kind === 'folder').flatMap(({ unreadable }) => unreadable ?? []),
      [],
    );
  });
});
