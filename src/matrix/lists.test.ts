/** Committed lists: read whole, and written for the rules that were played, in files of their features. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import type { Rule } from '../run/features.js';
import { packageRoot } from '../run/package-root.js';
import { FeatureLists } from './feature-lists.js';
import { writeRows } from './row-files.js';
import { linesOtherwise, RuleLines } from './rule-lines.js';

const rule = (id: string, place: string): Rule => ({ id, place }) as unknown as Rule;
const CATALOGUE = [
  rule('A-01', 'login/1-tokens.feature:8'),
  rule('A-02', 'login/1-tokens.feature:20'),
  rule('B-01', 'nodes/2-names.feature:8'),
];

/** A folder of lists that is there as long as somebody looks at it. */
function within(look: (name: string, folder: string) => void, isThere = true): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-lists-'));
  try {
    if (!isThere) rmSync(folder, { recursive: true });
    look(path.relative(packageRoot, folder), folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.txt'))
    .sort();

describe('lists of features', () => {
  it('are none where there is no folder', () =>
    within(
      (name) =>
        assert.deepEqual(
          new FeatureLists(name).read((text) => text),
          [],
        ),
      false,
    ));

  it('are those below the folders of chapters, in order', () =>
    within((name, folder) => {
      for (const chapter of ['b', 'a']) mkdirSync(path.join(folder, chapter));
      for (const [file, text] of [
        ['b/1.txt', 'third'],
        ['a/2.txt', 'second'],
        ['a/1.txt', 'first'],
        ['a/1.md', 'no list'],
        ['0.txt', 'no list'],
      ] as const)
        writeFileSync(path.join(folder, file), text);
      assert.deepEqual(
        new FeatureLists(name).read((text) => text),
        ['first', 'second', 'third'],
      );
    }));

  it('are told of by their files where they cannot be read', () =>
    within((name, folder) => {
      mkdirSync(path.join(folder, 'a'));
      writeFileSync(path.join(folder, 'a', '1.txt'), '');
      const parse = (): never => {
        throw new Error('no list');
      };
      assert.throws(() => new FeatureLists(name).read(parse), /\/a\/1\.txt cannot be read: no list$/);
    }));

  it('are written one for each feature, and those of features that are gone are removed', () =>
    within((name, folder) => {
      mkdirSync(path.join(folder, 'gone'));
      writeFileSync(path.join(folder, 'gone', '1.txt'), '');
      new FeatureLists(name).write(CATALOGUE, (ids) => ids.join());
      assert.deepEqual(filesIn(folder), ['login/1-tokens.txt', 'nodes/2-names.txt']);
      assert.equal(readFileSync(path.join(folder, 'login/1-tokens.txt'), 'utf8'), 'A-01,A-02');
      assert.equal(existsSync(path.join(folder, 'gone/1.txt')), false);
    }));
});

describe('lines of rules', () => {
  it('are read as they are written, and those of rules that were not played stay', () =>
    within((name, folder) => {
      const lists = new RuleLines(name, '# head');
      lists.write({ 'A-01': ['x', 'y z'], 'B-01': [] }, CATALOGUE);
      const text = readFileSync(path.join(folder, 'login/1-tokens.txt'), 'utf8');
      assert.equal(text, '# head\n\nA-01\n  x\n  y z\n\nA-02\n');
      assert.deepEqual(lists.read(), { 'A-01': ['x', 'y z'], 'A-02': [], 'B-01': [] });
      lists.write({ 'A-02': ['w'] }, CATALOGUE);
      assert.deepEqual(lists.read(), { 'A-01': ['x', 'y z'], 'A-02': ['w'], 'B-01': [] });
    }));

  it('are other than listed by what is gone and what is new, of rules that were played', () => {
    const listed = { 'A-01': ['x', 'y'], 'A-02': ['z'] };
    assert.deepEqual(linesOtherwise('asks', { 'A-01': ['y', 'w'], 'B-01': ['v'] }, listed), [
      'A-01 no longer asks: x',
      'A-01 newly asks: w',
      'B-01 newly asks: v',
    ]);
    assert.deepEqual(linesOtherwise('asks', { 'A-01': ['x', 'y'] }, listed), []);
  });
});

describe('rows', () => {
  it('are written of the rules that were played, with who breaks them, and those of others stay', () =>
    within((name, folder) => {
      const lists = new FeatureLists(name);
      const row = (id: string, demanded: string, ...by: readonly string[]) => ({
        rule: id,
        scenario: `${id}/one`,
        text: `demand login/refused: the token: ${demanded}`,
        times: 1,
        by,
      });
      const written = () => readFileSync(path.join(folder, 'login/1-tokens.txt'), 'utf8');
      writeRows(
        [row('A-01', 'is refused', 'bad'), row('A-02', 'is taken', 'worse')],
        new Set(['A-01', 'A-02']),
        CATALOGUE,
        lists,
      );
      assert.match(written(), /A-01(?:.|\n)*is refused(?:.|\n)*bad(?:.|\n)*A-02(?:.|\n)*is taken(?:.|\n)*worse/);
      writeRows([row('A-01', 'is unknown', 'new')], new Set(['A-01']), CATALOGUE, lists);
      assert.match(written(), /A-01(?:.|\n)*is unknown(?:.|\n)*new(?:.|\n)*A-02(?:.|\n)*is taken(?:.|\n)*worse/);
      assert.doesNotMatch(written(), /is refused/);
      writeRows([], new Set(['A-02']), CATALOGUE, lists);
      assert.doesNotMatch(written(), /is taken/);
    }));
});
