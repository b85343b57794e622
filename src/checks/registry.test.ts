import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import type { AnyCheck } from '../model/check.js';
import { checkFiles, checkOf } from '../run/registry.js';

const FOLDER = new URL('./', import.meta.url);
const modules = checkFiles();
const tests = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.js'));

interface Exported {
  readonly file: string;
  readonly name: string;
  readonly check: AnyCheck;
}

const isCheck = (value: unknown): value is AnyCheck =>
  typeof value === 'object' && value !== null && 'judge' in value && typeof value.judge === 'function';

async function exportedBy(file: string): Promise<readonly Exported[]> {
  const module: Readonly<Record<string, unknown>> = await import(new URL(file, FOLDER).href);
  return Object.entries(module).flatMap(([name, check]) => (isCheck(check) ? [{ file, name, check }] : []));
}
const all: readonly Exported[] = (await Promise.all(modules.map(exportedBy))).flat();

describe('every file of checks', () => {
  it('has a name of its own, by which it is found whatever its room', () => {
    assert.deepEqual(
      modules.filter((file, index) => modules.findIndex((one) => path.basename(one) === path.basename(file)) !== index),
      [],
    );
  });
});

describe('every exported check', () => {
  it('is found by its id, which is its own', async () => {
    assert.ok(all.length > 100, `there are ${all.length}`);
    assert.equal(new Set(all.map(({ check }) => check.id)).size, all.length);
    for (const { file, name, check } of all) {
      assert.equal(`${check.id.split('/')[0]}.js`, path.basename(file), `${name} of ${file} has the id ${check.id}`);
      assert.equal(await checkOf(check.id), check, check.id);
    }
  });

  it('names its source', () => {
    assert.deepEqual(
      all.filter(({ check }) => check.source.trim() === '').map(({ check }) => check.id),
      [],
    );
  });

  it('has something to say where it finds nothing, or leaves it open', () => {
    assert.deepEqual(
      all.filter(({ check }) => check.nothing?.trim() === '').map(({ check }) => check.id),
      [],
    );
  });

  it('is tested beside it', () => {
    const words = new Set(tests.flatMap((file) => readFileSync(new URL(file, FOLDER), 'utf8').split(/\W+/)));
    const untested = all.filter(({ name }) => !words.has(name));
    assert.deepEqual(
      untested.map(({ check }) => check.id),
      [],
    );
  });
});

describe('checkOf', () => {
  it('knows nothing else', async () => {
    for (const id of [
      '',
      'requests',
      'requests/none',
      'none/none',
      // of a file that nobody has looked for before
      `${randomUUID()}/none`,
      '../model/x',
      'requests/proof/x',
      'registry/check-of',
      '/requests/proof',
      ' requests/proof',
      'requests/proof ',
      'Requests/proof',
      'requests/Proof',
      `${'r'.repeat(61)}/proof`,
    ])
      assert.equal(await checkOf(id), undefined, id);
  });
});
