import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import type { Target } from '../targets/types.js';
import { execute } from './execute.js';
import { parseFeature } from './features.js';
import { toyTarget } from './testing/toy-target.js';

const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-execute-'));
after(() => rmSync(folder, { recursive: true }));
const steps = path.join(folder, 'steps.mjs');
writeFileSync(
  steps,
  `import { Given } from ${JSON.stringify(new URL('./define.js', import.meta.url).href)};
  let now = 0;
  globalThis.mostAtOnce = 0;
  const whileOthersBegin = async () => {
    now += 1;
    globalThis.mostAtOnce = Math.max(globalThis.mostAtOnce, now);
    for (let turns = 0; turns < 200; turns += 1) await new Promise(setImmediate);
    now -= 1;
  };
  Given('somebody looks', whileOthersBegin);
  Given('somebody waits', { waits: true }, whileOthersBegin);
  Given('somebody changes all', { exclusive: 'all' }, whileOthersBegin);
  Given('somebody joins', { needs: ['client'] }, whileOthersBegin);`,
);

/** How many scenarios of that step are played at a time, of twenty. */
async function mostAtOnce(step: string, abilities: object): Promise<number> {
  const scenarios = Array.from({ length: 20 }, (_, n) => `Scenario: ${n}\nGiven ${step}\n`).join('');
  const { rules } = parseFeature(
    'toys/a.feature',
    `Feature: f\n@TOY-001 @MUST\nRule: r\nWhy: w\nRepair: r\n${scenarios}`,
  );
  const target = { ...toyTarget([]), abilities } as unknown as Target;
  const told = globalThis as unknown as { mostAtOnce: number };
  told.mostAtOnce = 0;
  const outcomes = await execute({
    rules,
    chosen: new Set(rules.flatMap((rule) => rule.scenarios.map(({ key }) => key))),
    target,
    signal: new AbortController().signal,
    steps: [steps],
  });
  assert.equal(outcomes.size, 20);
  return told.mostAtOnce;
}

describe('scenarios on a target whose time goes by', () => {
  it('are played eight at a time, but for those that wait', async () => {
    assert.equal(await mostAtOnce('somebody looks', {}), 8);
    assert.equal(await mostAtOnce('somebody waits', {}), 20);
    assert.equal(await mostAtOnce('somebody changes all', {}), 1);
  });

  it('are all begun where they join a program, which has its own turns', async () => {
    const program = { client: { program: {} } };
    assert.equal(await mostAtOnce('somebody joins', program), 20);
    assert.equal(await mostAtOnce('somebody looks', program), 8);
    assert.equal(await mostAtOnce('somebody joins', { client: {} }), 8);
  });

  it('are played one after another where time is moved', async () => {
    assert.equal(await mostAtOnce('somebody looks', { clock: { now: () => 0, move: async () => undefined } }), 1);
  });
});
