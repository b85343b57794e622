import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { readFeatures } from './features.js';
import { featuresFolder } from './package-root.js';
import { identityProblems } from './rule-problems.js';

const complaints = (feature: string, inFolder = true): string => {
  const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-features-'));
  mkdirSync(path.join(folder, 'c'));
  writeFileSync(path.join(folder, inFolder ? 'c' : '', 'a.feature'), feature);
  try {
    return identityProblems(readFeatures(folder)).join('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const rule = (tags: string, name = 'x', scenario = 'Scenario: s\nGiven something'): string =>
  `${tags}\nRule: ${name}\nWhy: w\nRepair: r\n\n${scenario}\n`;

describe('the features of the package', () => {
  it('give every rule a well-formed identity, a reason and a repair', () => {
    assert.deepEqual(identityProblems(readFeatures(featuresFolder)), []);
  });
});

describe('identityProblems', () => {
  it('is empty for a sound feature', () => {
    assert.equal(complaints(`Feature: f\n${rule('@TOK-001 @MUST')}`), '');
  });

  it('misses id, level, chapter, why, repair and scenarios', () => {
    const seen = complaints('Feature: f\nRule: x\n', false);
    for (const word of [
      'exactly one id',
      'exactly one of @MUST',
      'lies in no folder',
      'Why:',
      'Repair:',
      'no scenario',
    ])
      assert.match(seen, new RegExp(word));
  });

  it('sees an id that is taken, one on a Feature, and a scenario without a Rule', () => {
    const twice = rule('@TOK-001 @MUST').repeat(2);
    const seen = complaints(`@TOK-009\nFeature: f\nScenario: lost\nGiven a\n${twice}`);
    for (const word of ['is taken by', 'belongs on a Rule', 'belongs to no Rule']) assert.match(seen, new RegExp(word));
  });

  it('refuses unknown tags, with and without a value, and releases that are none', () => {
    const scenario = '@waits @MUTS @untl:1.2 @since:new\nScenario: s\nGiven a';
    const seen = complaints(`Feature: f\n${rule('@TOK-001 @MUST', 'x', scenario)}`);
    assert.match(seen, /the tag @waits is unknown/);
    assert.match(seen, /the tag @MUTS is unknown\. Did you mean "@MUST"\?/);
    assert.match(seen, /the tag @untl:1\.2 is unknown\. Did you mean "@until"\?/);
    assert.match(seen, /@since:new is no release/);
  });
});
