/**
 * What checks said of what the kill matrix plays, judged again: written by npm run cases. Where a check says something
 * else on purpose, npm run cases -- --again writes it down.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Check } from '../model/check.js';
import { asControls, type Finding } from '../model/finding.js';
import { readCases } from '../tools/cases/files.js';
import { checkOf } from './registry.js';

/** As a report holds it. */
const written = (findings: readonly Finding[]): unknown => JSON.parse(JSON.stringify(findings));

const files = readCases();
// what modules decide while they load is decided before the first test
const ids = [...new Set([...files.values()].flatMap((cases) => cases.map(({ check }) => check)))];
const checks = new Map(await Promise.all(ids.map(async (id) => [id, await checkOf(id)] as const)));

for (const [file, cases] of files) {
  describe(`recorded cases of ${file}`, () => {
    for (const [index, { check: id, observation, parameters, taken, findings }] of cases.entries()) {
      it(`${index + 1}: ${id}`, () => {
        const check = checks.get(id) as Check<unknown, unknown> | undefined;
        assert.ok(check, `there is no check ${id}`);
        const found = check.judge(observation ?? undefined, parameters);
        assert.deepEqual(written(taken === true ? asControls(found) : found), findings);
      });
    }
  });
}
