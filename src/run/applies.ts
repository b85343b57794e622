/** What is decided about a scenario before any of its steps: it is skipped or an error, or it may be played. */
import { error, type NotPassed, skipped } from '../model/verdict.js';
import { isAbility, type Need, type Target } from '../targets/types.js';
import type { Rule, Scenario } from './features.js';
import { whyNotApplicable } from './versions.js';

/** undefined: play it. `needs`: of its steps. */
export function decideBefore(
  rule: Rule,
  scenario: Scenario,
  needs: readonly Need[],
  target: Target,
): NotPassed | undefined {
  const problems = [...rule.problems, ...scenario.problems];
  if (problems.length > 0) return error('joinproof', `the rule is malformed (${rule.place}): ${problems.join('; ')}`);
  const { range } = scenario;
  if (range.since !== undefined || range.until !== undefined) {
    const { version } = target.facts;
    if ('unreadable' in version)
      return target.kind === 'dump' ? skipped('version', version.unreadable) : error('target', version.unreadable);
    const reason = whyNotApplicable(range, version);
    if (reason !== undefined) return skipped('version', reason);
  }
  for (const need of needs) {
    const kind = isAbility(need) ? 'ability' : 'fact';
    const there = isAbility(need) ? target.abilities[need] !== undefined : target.facts.holds.has(need);
    if (!there) return skipped(kind, target.why(need));
  }
  return undefined;
}
