/**
 * What each rule asks, scenario by scenario: src/run/recorded/scenarios has its level, releases, needs, how many steps
 * and rows it has, and a digest of their words, so that none is left out or made easier unseen. `node
 * dist/src/run/scenarios.test.js --write` writes it anew: git diff names the scenarios that ask something else now.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { testRecorded } from '../report/recorded.testing.js';
import { prepareSteps } from './execute.js';
import { type Rule, readFeatures, type Scenario } from './features.js';
import { featuresFolder, packageFile } from './package-root.js';
import { traitsOf } from './traits.js';

const FOLDER = packageFile('src/run/recorded/scenarios');
const library = await prepareSteps();

/** Of a step what stands below its sentence, too. */
function line(scenario: Scenario): string {
  const { id, steps, tags } = scenario;
  const traits = traitsOf(scenario, library);
  if ('problem' in traits) return `  ${id}: ${traits.problem}`;
  const rows = steps.map(({ argument }) =>
    argument?.dataTable?.rows.map(({ cells }) => cells.map(({ value }) => value)),
  );
  const words = steps.map(({ text, argument }, at) => [text, rows[at] ?? [], argument?.docString?.content ?? '']);
  const digest = createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, 10);
  const { needs, waits, acts, exclusive } = traits;
  const held = [
    ...tags.filter((tag) => /^@(?:since|until):/.test(tag)),
    ...needs,
    ...(waits ? ['waits'] : []),
    ...(acts ? ['acts'] : []),
    ...exclusive.map((name) => `${name} alone`),
  ];
  const { length } = rows.flatMap((of) => of ?? []);
  return `  ${id.replace(/^[^/]*\//, '')}: ${[`${steps.length} steps`, `${length} rows`, digest, ...held].join(', ')}`;
}

const rulesTold = ({ id, level, scenarios }: Rule): readonly string[] => [`${id} ${level}`, ...scenarios.map(line)];

const { rules } = readFeatures(featuresFolder);
const texts = new Map(
  [...new Set(rules.map(({ chapter }) => chapter))].map((chapter) => [
    `${chapter}.txt`,
    `${rules
      .filter((rule) => rule.chapter === chapter)
      .flatMap(rulesTold)
      .join('\n')}\n`,
  ]),
);

testRecorded('what the rules of a chapter ask', FOLDER, texts);

describe('the chapters', () => {
  it('are those that are recorded', () => {
    const recorded = existsSync(FOLDER) ? readdirSync(FOLDER) : [];
    assert.deepEqual(recorded.sort(), [...texts.keys()].sort());
  });
});
