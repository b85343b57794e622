/** For tests of checks: what a check says of an observation, and that it says the same of what a report keeps of it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Check } from '../../model/check.js';
import type { Finding, Result } from '../../model/finding.js';

/** The findings; judged again from JSON they must be the same, as `joinproof replay` does it. */
export function judged<O, P>(check: Check<O, P>, observation: O, parameters: P): readonly Finding[] {
  const findings = check.judge(observation, parameters);
  const kept: { o: O; p: P } = JSON.parse(JSON.stringify({ o: observation, p: parameters }));
  assert.deepEqual(check.judge(kept.o, kept.p), findings, `${check.id} judges the kept observation otherwise`);
  assert.match(check.id, /^[a-z0-9-]+\/[a-z0-9-]+$/);
  return findings;
}

export const resultsOf = <O, P>(check: Check<O, P>, observation: O, parameters: P): readonly Result[] =>
  judged(check, observation, parameters).map(({ result }) => result);

/** "unmet: it is not set", of each finding. */
export const saidBy = <O, P>(check: Check<O, P>, observation: O, parameters: P): readonly string[] =>
  judged(check, observation, parameters).map(({ result, seen }) => `${result}: ${seen}`);

/** The id of a check, how it is asked, and what differs in observations that it finds right and wrong each. */
export type Told<O> = readonly [
  id: string,
  look: (all: readonly O[]) => readonly Pick<Finding, 'result'>[],
  right: readonly Partial<O>[],
  wrong: readonly Partial<O>[],
];

/** A test for each: what is right is met, what is wrong is not. `made`: the whole of what differs. */
export function eachSays<O>(cases: readonly Told<O>[], made: (more: Partial<O>) => readonly O[]): void {
  for (const [id, look, right, wrong] of cases)
    describe(id, () => {
      for (const [result, all] of [
        ['met', right],
        ['unmet', wrong],
      ] as const)
        all.forEach((more, index) => {
          it(`${result} ${index}`, () =>
            assert.deepEqual(
              look(made(more)).map((one) => one.result),
              [result],
            ));
        });
    });
}
