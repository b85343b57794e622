/**
 * What unit tests have asked of functions beside checks, and all that is near it, is answered as it was: a reader that
 * reads less is noticed. Written by npm run cases; where a function answers otherwise on purpose, npm run cases --
 * --again writes it down.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { anywhere, byFunction, callableOf, readCalls } from '../tools/cases/call-files.js';
import { answersTo } from '../tools/cases/calls.js';

anywhere();

const recorded = byFunction(readCalls());
const callables = new Map(
  await Promise.all([...recorded.keys()].map(async (name) => [name, await callableOf(name)] as const)),
);

describe('recorded calls', () => {
  for (const [name, calls] of recorded)
    it(name, () => {
      const callable = callables.get(name);
      assert.ok(callable, `there is no function ${name}: npm run cases -- --again leaves it out`);
      for (const { answers, ...one } of calls)
        assert.equal(
          answersTo(callable, one, calls),
          answers,
          `${name} answers otherwise near ${JSON.stringify(one.args)}`,
        );
    });
});
