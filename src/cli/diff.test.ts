import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { toJson } from '../report/json.js';
import { report } from '../report/testing-report.js';
import { UsageError } from '../run/usage-error.js';
import { compared } from './diff-action.js';

const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-diff-'));
after(() => rmSync(folder, { recursive: true }));
const fileOf = (name: string, rules: typeof report.rules): string => {
  const file = path.join(folder, name);
  writeFileSync(file, toJson({ ...report, rules }));
  return file;
};

describe('joinproof diff', () => {
  const [passed, , , failed] = report.rules;
  assert.ok(passed && failed);
  const good = fileOf('good.json', [{ ...passed, id: 'TOY-04' }]);
  const bad = fileOf('bad.json', [failed]);

  it('says whether something is worse, and what became of each rule', async () => {
    const worse = await compared(good, bad, 'text');
    assert.ok(worse.worse);
    assert.match(worse.text, /^worse {5}TOY-04 MUST .*: passed → failed\n {4}\+ Secret/);
    const better = await compared(bad, good, 'json');
    assert.ok(!better.worse);
    assert.equal(JSON.parse(better.text).changes[0].change, 'better');
    assert.deepEqual(await compared(bad, bad, 'markdown'), { text: 'nothing has changed\n', worse: false });
  });

  it('refuses what is no report, and standard input twice', async () => {
    await assert.rejects(compared(good, path.join(folder, 'absent'), 'text'), UsageError);
    await assert.rejects(compared('-', '-', 'text'), UsageError);
  });
});
