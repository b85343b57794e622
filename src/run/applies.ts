/** What is decided about a scenario before any of its steps: it is skipped or an error, or it may be played. */
import type { Target } from '../targets/types.js';
import type { Rule, Scenario } from './features.js';
import { error, type NotPassed, verdictOf } from './outcome.js';
import { whyNotApplicable } from './versions.js';

/** undefined: play it. Asks the target for its version only where a tag depends on it. */
export async function decideBefore(rule: Rule, scenario: Scenario, target: Target): Promise<NotPassed | undefined> {
  const problems = [...rule.problems, ...scenario.problems];
  if (problems.length > 0) return error(`the rule is malformed (${rule.place}): ${problems.join('; ')}`);
  if (scenario.range.since !== undefined || scenario.range.until !== undefined) {
    try {
      const reason = whyNotApplicable(scenario.range, await target.version());
      if (reason !== undefined) return { kind: 'skipped', reason, evidence: [] };
    } catch (thrown) {
      return verdictOf(thrown);
    }
  }
  const missing = scenario.needs.find((need) => !target.capabilities.has(need));
  return missing === undefined ? undefined : { kind: 'skipped', reason: target.why(missing), evidence: [] };
}
