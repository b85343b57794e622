import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { type Coverage, coverageProblems, identityProblems } from './coverage.js';
import { type Catalogue, readFeatures } from './features.js';
import { featuresFolder, packageFile } from './package-root.js';

const schema: object = JSON.parse(readFileSync(packageFile('schemas/coverage.schema.json'), 'utf8'));
const validate = new Ajv({ allErrors: true }).compile<Coverage>(schema);
const file = packageFile('features/coverage.yaml');

const read = (feature: string): Catalogue => {
  const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-features-'));
  writeFileSync(path.join(folder, 'a.feature'), feature);
  try {
    return readFeatures(folder);
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

  it('agree with the list of sentences, both ways', {
    skip: existsSync(file) ? false : 'features/coverage.yaml is not there yet',
  }, () => {
    const coverage: unknown = parse(readFileSync(file, 'utf8'));
    assert.ok(validate(coverage), JSON.stringify(validate.errors, undefined, 1));
    assert.deepEqual(coverageProblems(readFeatures(featuresFolder), coverage), []);
  });
});

describe('identityProblems', () => {
  const complaints = (feature: string): string => identityProblems(read(feature)).join('\n');

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
    const seen = complaints(
      `@chapter:c @source:001 @TOK-009\nFeature: f\nScenario: lost\nGiven a\n${rule('@TOK-001 @MUST')}${rule('@TOK-001 @MUST')}`,
    );
    for (const word of ['is taken by', 'belongs on a Rule', 'belongs to no Rule']) assert.match(seen, new RegExp(word));
  });

  it('names the nearest capability and refuses releases that are none', () => {
    const scenario = '@needs:wirte @since:new\nScenario: s\nGiven a';
    const seen = complaints(`@chapter:c @source:001\nFeature: f\n${rule('@TOK-001 @MUST', 'x', scenario)}`);
    assert.match(seen, /@needs:wirte names no capability\. Did you mean "write"\?/);
    assert.match(seen, /@since:new is no release/);
  });
});

describe('coverageProblems', () => {
  const catalogue = read(`@chapter:c @source:001\nFeature: f\n${rule('@TOK-001 @MUST')}${rule('@TOK-002 @MUST')}`);

  it('is empty where both agree, shared rules included', () => {
    const coverage: Coverage = {
      rules: {
        'TOK-001': { rule: 'TOK-001' },
        'TOK-002': { rule: ['TOK-001', 'TOK-002'] },
        'TOK-003': { kind: 'client', waits: 'a joining client' },
      },
    };
    assert.ok(validate(coverage));
    assert.deepEqual(coverageProblems(catalogue, coverage), []);
  });

  it('sees a rule that no feature has, one that the list misses, and one listed as not judged', () => {
    const problems = coverageProblems(catalogue, {
      rules: { 'TOK-002': { kind: 'state', excluded: 'not observable' }, 'TOK-005': { rule: 'TOK-011' } },
    }).join('\n');
    assert.match(problems, /TOK-005 is said to be judged by TOK-011/);
    assert.match(problems, /the rule TOK-001 is missing/);
    assert.match(problems, /TOK-002 is listed as not judged/);
  });

  it('is refused by the schema without a written reason', () => {
    assert.equal(validate({ rules: { 'TOK-001': { kind: 'client', waits: 'later' } } }), false);
    assert.equal(validate({ rules: { 'TOK-001': { kind: 'client' } } }), false);
  });
});
