/**
 * What checks said of what the kill matrix plays, judged again: written by npm run cases. Where a check says something
 * else on purpose, npm run cases -- --again writes it down.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Check } from '../model/check.js';
import { asControls, type Finding } from '../model/finding.js';
import { checkOf } from '../run/registry.js';
import { readCases } from '../tools/cases/files.js';
import { byCheck, changed, readNeighbours } from '../tools/cases/neighbours.js';

/** As a report holds it. */
const written = (findings: readonly Finding[]): unknown => JSON.parse(JSON.stringify(findings));

const files = readCases();
// what modules decide while they load is decided before the first test
const ids = [...new Set([...files.values()].flatMap((cases) => cases.map(({ check }) => check)))];
const checks = new Map(await Promise.all(ids.map(async (id) => [id, await checkOf(id)] as const)));
function judgeOf(id: string): Check<unknown, unknown>['judge'] {
  const check = checks.get(id) as Check<unknown, unknown> | undefined;
  assert.ok(check, `there is no check ${id}`);
  return (observation, parameters) => check.judge(observation, parameters);
}
const neighbours = readNeighbours();
const alike = byCheck([...files.values()].flat());

for (const [file, cases] of files) {
  describe(`what is near the recorded cases of ${file}`, () => {
    for (const [index, one] of cases.entries())
      it(`${index + 1}: ${one.check}`, () => {
        const known = neighbours(one);
        assert.ok(known, 'npm run cases -- --again has not been run since');
        assert.deepEqual(changed(one, alike.get(one.check) ?? [], known, judgeOf(one.check)), []);
      });
  });
  describe(`recorded cases of ${file}`, () => {
    for (const [index, { check: id, observation, parameters, taken, findings }] of cases.entries()) {
      it(`${index + 1}: ${id}`, () => {
        const found = judgeOf(id)(observation ?? undefined, parameters);
        assert.deepEqual(written(taken === true ? asControls(found) : found), findings);
      });
    }
  });
}
