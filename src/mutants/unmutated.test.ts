import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collectMutants } from '../matrix/collect.js';
import { upstream } from '../reference/decisions.js';
import { unmutated } from './unmutated.js';

const replaced = new Set((await collectMutants()).flatMap(({ options }) => Object.keys(options?.decisions ?? {})));
const reasons: Readonly<Record<string, string>> = unmutated;

test('every decision has a mutant or a written reason, and none has both', () => {
  const names = Object.keys(upstream);
  assert.deepEqual(
    names.filter((name) => !replaced.has(name) && !(name in reasons)),
    [],
    'these have neither a mutant nor a reason in src/mutants/unmutated.ts',
  );
  assert.deepEqual(
    Object.keys(reasons).filter((name) => replaced.has(name)),
    [],
    'these have a mutant by now: their reasons can go',
  );
});

test('no mutant replaces a decision that there is not', () => {
  assert.deepEqual(
    [...replaced].filter((name) => !(name in upstream)),
    [],
  );
});
