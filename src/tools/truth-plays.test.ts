import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { judge, playsOf } from './truth-plays.js';

const DAY = 86_400_000;

describe('the comparison with recorded answers', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'jp-truth-'));
    for (const name of ['minors', 'variants']) mkdirSync(join(folder, name));
    for (const file of [
      'truth-1.36.jsonl',
      'minors/truth-1.31.jsonl',
      'minors/truth-1.35.jsonl',
      'variants/anonymous-off.jsonl',
    ])
      writeFileSync(join(folder, file), '');
  });
  after(() => rmSync(folder, { recursive: true }));
  const names = (wanted: Parameters<typeof playsOf>[1], now = 0): readonly string[] =>
    playsOf(folder, wanted, now).map(({ name }) => name);

  it('plays the newest minor by itself, older ones and variants when asked', () => {
    assert.deepEqual(names({}), ['1.36']);
    assert.deepEqual(names({ minor: '1.36' }), ['1.36']);
    assert.deepEqual(names({ minor: '1.31' }), ['1.31']);
    assert.deepEqual(names({ minor: 'all' }), ['1.36', '1.31', '1.35']);
    assert.deepEqual(names({ variant: 'all' }), ['anonymous-off']);
    assert.deepEqual(playsOf(folder, { minor: '1.31' }, 0)[0]?.recordings, [
      'truth-1.36.jsonl',
      'minors/truth-1.31.jsonl',
    ]);
  });
  it('takes another minor each day', () => {
    assert.deepEqual(
      [0, DAY - 1, DAY, 2 * DAY].flatMap((now) => names({ minor: 'turn' }, now)),
      ['1.31', '1.31', '1.35', '1.31'],
    );
  });
  it('refuses what is not recorded', () => {
    assert.throws(() => names({ minor: '1.30' }), /1\.30 is not recorded; there are: 1\.31, 1\.35\./);
    assert.throws(() => names({ variant: 'x' }), RangeError);
  });
  it('counts each group and all of them', () => {
    assert.deepEqual(judge({ name: '1.36', demanded: 100 }, ['tok/a', 'tok/b'], ['tok/b']), {
      lines: ['tok             1 of    2 equal', 'all             1 of    2 equal: 50.0 %, 100 % demanded (1.36)'],
      ok: false,
    });
    assert.equal(judge({ name: '1.36', demanded: 100 }, ['tok/a'], []).ok, true);
  });
  it('lets two of a hundred answers of an older minor differ, and no more', () => {
    const asked = Array.from({ length: 100 }, (_, index) => `api/${index}`);
    const old = { name: '1.31', demanded: 98 };
    assert.equal(judge(old, asked, ['api/1', 'api/2']).ok, true);
    assert.equal(judge(old, asked, ['api/1', 'api/2', 'api/3']).ok, false);
  });
});
