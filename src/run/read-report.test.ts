import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { toJson } from '../report/json.js';
import { report } from '../report/testing-report.js';
import { readReport, unpacked } from './read-report.js';

const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-read-report-'));
after(() => rmSync(folder, { recursive: true }));
const file = path.join(folder, 'report.json');
const whole = toJson(report);
const changed = (fields: object): string => JSON.stringify({ ...JSON.parse(whole), ...fields });

describe('a report', () => {
  it('is read as it was written, packed or not', async () => {
    for (const bytes of [whole, gzipSync(whole)]) {
      writeFileSync(file, bytes);
      assert.deepEqual(await readReport(file), JSON.parse(whole));
    }
  });

  const refused = [
    [gzipSync(whole).subarray(0, 40), /report\.json cannot be read \(Z_BUF_ERROR\)\. Give a report that/],
    ['', /report\.json is no JSON\. Give/],
    [`${whole}}`, /report\.json is no JSON\. Give/],
    [`${'['.repeat(9_999)}${']'.repeat(9_999)}`, /report\.json is no report of joinproof: /],
    ['null', /report\.json is no report of joinproof: /],
    [changed({ rules: undefined }), /report\.json is no report of joinproof: /],
    [changed({ schemaVersion: '1.4' }), /report\.json is a report of the schema 1\.4, which holds no observations; /],
    [changed({ schemaVersion: 'x'.repeat(30) }), / of the schema x{20}, which/],
  ] as const;
  for (const [bytes, why] of refused)
    it(`is none: ${why}`, async () => {
      writeFileSync(file, bytes);
      await assert.rejects(readReport(file), { name: 'UsageError', message: why });
    });

  it('has to be there', async () => {
    await assert.rejects(readReport(path.join(folder, 'none')), {
      name: 'UsageError',
      message: /none cannot be read \(ENOENT\)\. Give a report that "joinproof run --out json=FILE" wrote\./,
    });
  });

  it('is not unpacked beyond its limit, however small it is packed', async () => {
    const packed = gzipSync(' '.repeat(5_000));
    assert.equal((await unpacked(packed, 5_000)).length, 5_000);
    await assert.rejects(unpacked(packed, 4_999), { code: 'ERR_BUFFER_TOO_LARGE' });
  });
});
