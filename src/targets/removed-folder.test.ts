import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { removed } from './removed-folder.js';

const made = (): string => mkdtempSync(path.join(tmpdir(), 'joinproof-removed-'));

describe('a folder in which a program has worked', () => {
  it('is removed with all in it, and may be gone already', async () => {
    const folder = made();
    mkdirSync(path.join(folder, 'a/b'), { recursive: true });
    writeFileSync(path.join(folder, 'a/b/c'), '');
    await removed(folder);
    assert.equal(existsSync(folder), false);
    await removed(folder);
  });

  it('is removed where the program has taken its own rights away', async () => {
    const folder = made();
    mkdirSync(path.join(folder, 'a/b'), { recursive: true });
    writeFileSync(path.join(folder, 'a/b/c'), '');
    for (const one of ['a/b', 'a', '']) chmodSync(path.join(folder, one), 0o000);
    await removed(folder);
    assert.equal(existsSync(folder), false);
  });

  it('is removed where a path in it is longer than the system takes', async () => {
    const folder = made();
    const [half = '', other = ''] = ['x', 'y'].map((name) =>
      path.join(folder, name, ...Array(15).fill('a'.repeat(200))),
    );
    for (const one of [half, other]) mkdirSync(one, { recursive: true });
    renameSync(path.join(folder, 'y'), path.join(half, 'y'));
    await removed(folder);
    assert.equal(existsSync(folder), false);
  });
});
