import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RuleTold } from '../model/specification.js';
import { rulesMarkdown, ruleText } from './rule-text.js';

const FULL: RuleTold = {
  id: 'TOY-01',
  level: 'MUST',
  chapter: 'toys',
  title: 'A toy | is *there*',
  why: 'Without a toy nobody plays.',
  repair: { for: 'operator', text: 'Buy one.' },
  place: 'toys/1-there.feature:8',
  beyond: false,
  sentences: [
    {
      id: '001-1',
      level: 'MUST',
      statement: 'Toys are many.',
      places: [{ document: '001', heading: 'Toys' }],
      today: 'they are two',
      erratum: { claim: 'the document says: few;', fact: 'they are many' },
    },
    {
      id: '001-2',
      level: 'MAY',
      statement: 'Toys squeak.',
      places: [],
      today: 'they do',
      erratum: { fact: 'some do' },
    },
    {
      id: '001-3',
      level: 'MAY',
      statement: 'Toys roll.',
      places: [{ document: '000', heading: 'Wheels' }],
      today: 'so',
    },
  ],
  errata: [{ id: 'TRAP-01', trap: 'Few are promised.', today: 'Many are there.' }],
  scenarios: [
    { id: 'a', name: 'by name', releases: 'since 1.29', needs: ['files', 'writes'] },
    { id: 'b', name: 'by sight', releases: '', needs: [] },
  ],
  gherkin: 'Rule: A toy\n\n  Scenario: by name',
  mutants: [{ name: 'no-toy', defect: 'there is none' }],
};
const BARE: RuleTold = {
  ...FULL,
  id: 'TOY-02',
  chapter: 'more-toys',
  title: 'A second toy',
  why: 'long '.repeat(30).trim(),
  repair: { for: 'maker', text: 'Make one.' },
  beyond: true,
  sentences: [],
  errata: [],
  scenarios: [],
  mutants: [],
};

test('of a rule everything is told that is known, in parts, and no part is empty', () => {
  assert.deepEqual(ruleText(FULL).split('\n'), [
    'TOY-01 MUST  A toy | is *there*',
    '  toys, features/toys/1-there.feature:8',
    '',
    'Why',
    '  Without a toy nobody plays.',
    '',
    'Repair',
    '  Buy one.',
    '',
    'Sentences',
    '  001-1 MUST: Toys are many.',
    '    001 Authenticating with Bootstrap Tokens, "Toys"',
    '    Kubernetes: they are two',
    '    Erratum: the document says: few; they are many',
    '  001-2 MAY: Toys squeak.',
    '    beyond the documents',
    '    Kubernetes: they do',
    '    Erratum: some do',
    '  001-3 MAY: Toys roll.',
    '    000 TLS bootstrap, a walkthrough, "Wheels"',
    '    Kubernetes: so',
    '',
    'Where the documents mislead',
    '  TRAP-01: Few are promised.',
    '    Kubernetes: Many are there.',
    '',
    'Scenarios',
    '  by name; needs files, writes; since 1.29',
    '  by sight',
    '',
    '    Rule: A toy',
    '',
    '      Scenario: by name',
    '',
    'Proved by',
    '  no-toy: there is none',
    '',
  ]);
  const bare = ruleText(BARE).split('\n');
  assert.equal(bare[1], '  toys, features/toys/1-there.feature:8, beyond the documents'.replace('toys,', 'more-toys,'));
  assert.deepEqual(
    bare.filter((line) => /^[A-Z]/.test(line)),
    ['TOY-02 MUST  A second toy', 'Why', 'For the maker'],
  );
  const why = bare.filter((line) => line.startsWith('  long'));
  assert.equal(
    why
      .join(' ')
      .split(/\s+/)
      .filter((word) => word === 'long').length,
    30,
  );
  assert.deepEqual([why.length, why.every((line) => line.length <= 100), (why[0]?.length ?? 0) > 95], [2, true, true]);
});

test('a table for each chapter tells documents, errata and mutants, with what Markdown takes for its own escaped', () => {
  assert.deepEqual(rulesMarkdown([FULL, BARE]).split('\n'), [
    '## toys',
    '',
    '| rule | level | demands | documents | errata | mutants |',
    '|---|---|---|---|---|---:|',
    '| TOY-01 | MUST | A toy \\| is \\*there\\* | 000, 001 | TRAP-01 | 1 |',
    '',
    '## more-toys',
    '',
    '| rule | level | demands | documents | errata | mutants |',
    '|---|---|---|---|---|---:|',
    '| TOY-02 | MUST | A second toy | beyond |  | 0 |',
    '',
  ]);
});
