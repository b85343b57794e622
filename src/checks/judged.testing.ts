/** For tests of checks: what a check says of an observation, and that it says the same of what a report keeps of it. */
import assert from 'node:assert/strict';
import type { Check } from '../model/check.js';
import type { Finding, Result } from '../model/finding.js';

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
