import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { readFeatures } from './features.js';
import { featuresFolder } from './package-root.js';
import { identityProblems } from './rule-problems.js';

const complaints = (feature: string): string => {
  const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-features-'));
  writeFileSync(path.join(folder, 'a.feature'), feature);
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
    assert.equal(complaints(`@chapter:c @source:001\nFeature: f\n${rule('@TOK-001 @MUST')}`), '');
  });

  it('misses id, level, chapter, source, why, repair and scenarios', () => {
    const seen = complaints('Feature: f\nRule: x\n');
    for (const word of [
      'exactly one id',
      'exactly one of @MUST',
      '@chapter:NAME',
      '@source:NNN',
      'Why:',
      'Repair:',
      'no scenario',
    ])
      assert.match(seen, new RegExp(word));
  });

  it('sees an id that is taken, one on a Feature, and a scenario without a Rule', () => {
    const twice = rule('@TOK-001 @MUST').repeat(2);
    const seen = complaints(`@chapter:c @source:001 @TOK-009\nFeature: f\nScenario: lost\nGiven a\n${twice}`);
    for (const word of ['is taken by', 'belongs on a Rule', 'belongs to no Rule']) assert.match(seen, new RegExp(word));
  });

  it('names the nearest ability and refuses releases that are none', () => {
    const scenario = '@needs:wirte @since:new\nScenario: s\nGiven a';
    const seen = complaints(`@chapter:c @source:001\nFeature: f\n${rule('@TOK-001 @MUST', 'x', scenario)}`);
    assert.match(seen, /@needs:wirte names no ability and no fact\. Did you mean "writes"\?/);
    assert.match(seen, /@since:new is no release/);
  });
});
