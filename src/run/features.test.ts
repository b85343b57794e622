import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { featureFiles, parseFeature, readFeatures } from './features.js';
import { CannotJudge } from './usage-error.js';

const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-features-'));
after(() => rmSync(folder, { recursive: true }));

const FEATURE = `@since:1.30
Feature: Toys

  @TOY-001 @MUST
  Rule: A toy is sound
    Why: toys break.
    Repair: mend it.

    @until:1.35
    Scenario: It is: sound!
      Given a toy
      Then it is sound
    Scenario: it is sound
      Given a toy
    Scenario Outline: of <what>
      Given a toy of <what>
      Examples:
        | what |
        | wood |
        | tin  |
      Examples: broken
        | what |
        | Wood |

  @TOY-002 @SHOULD
  Rule: Toys are many
    Why: one is none.
    Repair: make more.
    Scenario: ${'long '.repeat(30)}
      Given toys
`;
const parsed = (text: string, file = 'toys/a.feature') => parseFeature(file, text);

describe('a feature', () => {
  it('holds rules with their scenarios, each with an id that lasts and the place where it stands', () => {
    const { rules, problems } = parsed(FEATURE);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      rules.map(({ id, level, chapter, title, why, place }) => [id, level, chapter, title, why, place]),
      [
        ['TOY-001', 'MUST', 'toys', 'A toy is sound', 'toys break.', 'toys/a.feature:5'],
        ['TOY-002', 'SHOULD', 'toys', 'Toys are many', 'one is none.', 'toys/a.feature:26'],
      ],
    );
    assert.deepEqual(
      rules.flatMap((rule) => [...rule.problems, ...rule.scenarios.flatMap((scenario) => scenario.problems)]),
      [],
    );
    assert.deepEqual(
      rules[0]?.scenarios.map(({ id, key, name, tags }) => [id, key, name, tags]),
      [
        [
          'TOY-001/it-is-sound',
          'toys/a.feature:10',
          'It is: sound!',
          ['@since:1.30', '@TOY-001', '@MUST', '@until:1.35'],
        ],
        ['TOY-001/it-is-sound-2', 'toys/a.feature:13', 'it is sound', ['@since:1.30', '@TOY-001', '@MUST']],
        ['TOY-001/of-wood/wood', 'toys/a.feature:19', 'of wood', ['@since:1.30', '@TOY-001', '@MUST']],
        ['TOY-001/of-tin/tin', 'toys/a.feature:20', 'of tin', ['@since:1.30', '@TOY-001', '@MUST']],
        ['TOY-001/of-wood/broken-wood', 'toys/a.feature:23', 'of Wood', ['@since:1.30', '@TOY-001', '@MUST']],
      ],
    );
    assert.deepEqual(
      rules[0]?.scenarios[0]?.steps.map(({ text }) => text),
      ['a toy', 'it is sound'],
    );
    assert.deepEqual(rules[0]?.scenarios[0]?.range, { since: [{ minor: 30 }], until: [{ minor: 35 }] });
    assert.equal(rules[1]?.scenarios.length, 1);
    assert.equal(rules[1]?.scenarios[0]?.id.length, 'TOY-002/'.length + 80);
  });

  it('names what it lacks', () => {
    const lacking = (text: string, file?: string): readonly string[] => {
      const { rules, problems } = parsed(text, file);
      return [...problems, ...rules.flatMap((rule) => rule.problems)];
    };
    const rule = '@TOY-001 @MUST\nRule: x\n';
    const whole = 'Why: w\nRepair: r\nScenario: s\nGiven a\n';
    assert.deepEqual(lacking(`Feature: f\n${rule}${whole}`), []);
    assert.deepEqual(lacking(`Feature: f\n${rule}${whole}`, 'a.feature'), [
      'lies in no folder; the folder is its chapter',
    ]);
    assert.equal(parsed(`Feature: f\n${rule}${whole}`, 'a.feature').rules[0]?.chapter, 'none');
    assert.deepEqual(lacking(`Feature: f\n${rule}${whole.replace('Why: w\n', '')}`), ['has no line "Why: …"']);
    assert.deepEqual(lacking(`Feature: f\n${rule}${whole.replace('Repair: r\n', '')}`), ['has no line "Repair: …"']);
    assert.deepEqual(lacking(`Feature: f\n${rule}Why: w\nRepair: r\n`), ['has no scenario']);
    assert.deepEqual(lacking(`Feature: f\n${rule}${whole}Scenario: t\n`), ['the scenario "t" has no steps']);
    assert.deepEqual(lacking(`Feature: f\nScenario: lost\nGiven a\n${rule}${whole}`), [
      'toys/a.feature:2: the scenario "lost" belongs to no Rule',
    ]);
    assert.deepEqual(lacking(''), ['toys/a.feature: holds no feature']);
    assert.throws(
      () => parsed('Given a toy\n'),
      (error) =>
        error instanceof CannotJudge &&
        /^toys\/a\.feature is no valid Gherkin: Parser errors: \(1:1\): /.test(error.message),
    );
    assert.match(lacking(`Feature: f\nRule: x\n${whole}`).join(), /must carry exactly one id such as/);
  });

  it('begins each scenario with what stands before all of them', () => {
    const { rules } = parsed(
      'Feature: f\nBackground:\nGiven a shelf\n@TOY-001 @MUST\nRule: x\nWhy: w\nRepair: r\nBackground:\nGiven a box\n' +
        'Scenario: s\nGiven a toy\n',
    );
    assert.deepEqual(
      rules[0]?.scenarios.map(({ key, steps }) => [key, ...steps.map(({ text }) => text)]),
      [['toys/a.feature:10', 'a shelf', 'a box', 'a toy']],
    );
  });
});

describe('a folder of features', () => {
  it('is read in order, with those of its folders and nothing else', () => {
    for (const [name, text] of [
      ['b/a.feature', FEATURE],
      ['a/z.feature', FEATURE.replaceAll('TOY', 'DOLL')],
      ['a/z.md', 'no feature'],
    ] as const) {
      mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    }
    assert.deepEqual(featureFiles(folder), ['a/z.feature', 'b/a.feature']);
    const { rules, problems } = readFeatures(folder);
    assert.deepEqual(
      rules.map(({ id }) => id),
      ['DOLL-001', 'DOLL-002', 'TOY-001', 'TOY-002'],
    );
    assert.deepEqual(problems, []);
  });

  it('may not give one id to two rules', () => {
    const twice = mkdtempSync(path.join(folder, 'twice-'));
    mkdirSync(path.join(twice, 'c'));
    for (const name of ['a', 'b']) writeFileSync(path.join(twice, 'c', `${name}.feature`), FEATURE);
    assert.deepEqual(readFeatures(twice).problems, [
      'c/b.feature:5: the id TOY-001 is taken by c/a.feature:5',
      'c/b.feature:26: the id TOY-002 is taken by c/a.feature:26',
    ]);
  });

  it('is needed', () => {
    const empty = mkdtempSync(path.join(folder, 'empty-'));
    assert.throws(() => readFeatures(empty), CannotJudge);
    assert.throws(() => readFeatures(path.join(folder, 'none')), /ENOENT/);
  });
});
