/** What is decided about a scenario before any of its steps: it is skipped, failed or an error, or it may be played. */
import { isThere } from '../checks/common/presence.js';
import { error, type NotPassed, skipped, type Verdict, verdictOf } from '../model/verdict.js';
import { isAbility, type Need, type Target } from '../targets/types.js';
import type { Rule, Scenario } from './features.js';
import type { Outcome } from './outcome.js';
import { excused, type Profile } from './profiles.js';
import { whyNotApplicable } from './versions.js';

export interface HeldTo {
  readonly target: Target;
  readonly profile: Profile;
}

const CONTROLLERS = 'kube-controller-manager';

/** undefined: play it. `needs`: of its steps. */
export function decideBefore(
  rule: Rule,
  scenario: Scenario,
  needs: readonly Need[],
  { target, profile }: HeldTo,
): Outcome | undefined {
  const why = whyNotPlayed(rule, scenario, { target, profile });
  if (why !== undefined) return unplayed(why);
  if (needs.includes('controllers') && profile.controllersMustRun && target.facts.absent?.has('controllers') === true)
    return withoutControllers(target);
  for (const need of needs) {
    const kind = isAbility(need) ? 'ability' : 'fact';
    const there = isAbility(need) ? target.abilities[need] !== undefined : target.facts.holds.has(need);
    if (!there) return unplayed(skipped(kind, target.why(need)));
  }
  return undefined;
}

export const unplayed = (verdict: NotPassed): Outcome => ({
  verdict,
  ended: verdict,
  judged: [],
  played: 0,
  milliseconds: 0,
});

function whyNotPlayed(rule: Rule, scenario: Scenario, { target, profile }: HeldTo): NotPassed | undefined {
  const problems = [...rule.problems, ...scenario.problems];
  if (problems.length > 0) return error('joinproof', `the rule is malformed (${rule.place}): ${problems.join('; ')}`);
  const excuse = excused(profile, rule.id);
  if (excuse !== undefined) return skipped('profile', excuse);
  const { range } = scenario;
  if (range.since === undefined && range.until === undefined) return undefined;
  const { version } = target.facts;
  if ('unreadable' in version)
    return target.kind === 'dump' || target.kind === 'node'
      ? skipped('version', version.unreadable)
      : error('target', version.unreadable);
  const reason = whyNotApplicable(range, version);
  return reason === undefined ? undefined : skipped('version', reason);
}

/** Nothing of what the rule demands is done by anybody: it is not met, whatever else could be tried. */
function withoutControllers(target: Target): Outcome {
  const observation = [{ subject: CONTROLLERS, there: false }];
  const parameters = { demanded: `runs: ${target.why('controllers')}` };
  const findings = isThere.judge(observation, parameters);
  const verdict: Verdict = verdictOf(findings, undefined);
  const judged = [{ check: isThere.id, observation, parameters, taken: false, findings, exchanges: [] }];
  return { verdict, ended: undefined, judged, played: 0, milliseconds: 0 };
}
