import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import type { RuleResult } from '../model/report.js';
import { readFeatures } from '../run/features.js';
import { featuresFolder } from '../run/package-root.js';
import { unknownWords } from './unknown-words.js';

const WORD = 'nobody knows this';
/** Each table has a row more whose first cell is that word, then that word in the second cell of its last row; each scenario has it for its last quoted text. */
const RULE = 'P-333';

it('features are played with a word that no step knows, and how scenarios fare that are no error is told', async () => {
  const played: string[] = [];
  const lines = await unknownWords([RULE, 'TOK-001'], { features: featuresFolder }, async (rules, { features }) => {
    const { rules: all } = readFeatures(features);
    const found = all.filter(({ id }) => rules.includes(id));
    for (const { id, place } of found) {
      const text = readFileSync(path.join(features, place.replace(/:\d+$/, '')), 'utf8');
      played.push(`${id} ${[...text.matchAll(new RegExp(`["|] ?${WORD} ?["|]`, 'g'))].map(([one]) => one[0]).at(0)}`);
      assert.ok(existsSync(features));
    }
    return found.map(({ id, scenarios }) => ({
      id,
      scenarios: scenarios.map((scenario, at) => ({
        id: scenario.id,
        verdict: at === 0 ? 'passed' : 'error',
        judgements: at === 0 ? [{ findings: [{ subject: WORD }] }] : [],
      })),
    })) as unknown as readonly RuleResult[];
  });
  assert.ok(played.includes(`${RULE} |`), played.join());
  const [first = ''] = lines[RULE] ?? [];
  assert.match(first, /^unknown words: a row more: \d+ of \d+ in error$/);
  assert.ok(
    lines[RULE]?.some((line) => /^unknown words: a row more: [a-z-]+ passed, and tells of it$/.test(line)),
    lines[RULE]?.join(),
  );
  assert.equal(lines['TOK-001'], undefined);
});

it('nothing is played where no scenario has such a word: of no rules all would be chosen', async () => {
  let played = 0;
  const lines = await unknownWords(['TOK-001'], { features: featuresFolder }, async () => {
    played += 1;
    return [];
  });
  assert.deepEqual([lines, played], [{}, 0]);
});
