import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rulesMarkdown, ruleText } from '../report/rule-text.js';
import { chaptersToRead, inReadingOrder } from './chapters.js';
import { prepareSteps } from './execute.js';
import { plan } from './judge.js';
import { specification } from './specification.js';

const { selected } = await plan({});
const told = specification(selected.rules, await prepareSteps());

describe('the specification', () => {
  it('has of every rule what it judges, its scenarios as they are written, and a defect that it notices', () => {
    assert.equal(told.length, selected.rules.length);
    for (const { id, sentences, scenarios, gherkin, mutants } of told) {
      assert.ok(sentences.length > 0, id);
      assert.ok(scenarios.length > 0, id);
      assert.match(gherkin, /^(@[^\n]*\n)?(Scenario|Background)/, id);
      assert.doesNotMatch(gherkin, /Rule:|Why:|Repair:|@MUST|@SHOULD|@MAY/, id);
      assert.equal(gherkin.match(/^ *(Given|When|Then) /gm) === null, false, id);
      assert.ok(mutants.length > 0, id);
    }
  });

  it('begins with tokens and ends with the policy, and knows every chapter that has rules', () => {
    const listed = chaptersToRead().map(({ chapter }) => chapter);
    assert.deepEqual([...new Set(told.map(({ chapter }) => chapter))], listed);
    assert.deepEqual([...listed].sort(), [...new Set(selected.rules.map(({ chapter }) => chapter))].sort());
    assert.deepEqual(
      inReadingOrder([{ chapter: 'unknown' }, { chapter: 'policy' }, { chapter: 'bootstrap-tokens' }]).map(
        ({ chapter }) => chapter,
      ),
      ['bootstrap-tokens', 'policy', 'unknown'],
    );
  });

  it('is told as text and as a table', () => {
    for (const rule of told) assert.ok(ruleText(rule).startsWith(`${rule.id} ${rule.level}`), rule.id);
    const table = rulesMarkdown(told);
    for (const { id } of told) assert.ok(table.includes(`| ${id} |`), id);
  });
});
