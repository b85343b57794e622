import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { toJson } from '../report/json.js';
import { report } from '../report/testing-report.js';
import { UsageError } from '../run/usage-error.js';
import { diff } from './diff-action.js';

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

  it('ends with 1 where something is worse, and with 0 where it is not', async (t) => {
    const out = t.mock.method(process.stdout, 'write', () => true);
    assert.equal(await diff(good, bad, {}), 1);
    assert.match(String(out.mock.calls[0]?.arguments[0]), /^worse {5}TOY-04 MUST .*: passed → failed\n {4}\+ Secret/);
    assert.equal(await diff(bad, good, { format: 'json' }), 0);
    assert.equal(JSON.parse(String(out.mock.calls[1]?.arguments[0])).changes[0].change, 'better');
    assert.equal(await diff(bad, bad, { format: 'markdown' }), 0);
    assert.equal(String(out.mock.calls[2]?.arguments[0]), 'nothing has changed\n');
  });

  it('refuses what is no report, and standard input twice', async () => {
    await assert.rejects(diff(good, path.join(folder, 'absent'), {}), UsageError);
    await assert.rejects(diff('-', '-', {}), UsageError);
  });
});
