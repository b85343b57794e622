/**
 * What scenarios need, by their steps, and the releases that they are about: elsewhere they are skipped. The reference
 * lacks nothing, so that a need that nobody says any more would be seen on clusters of others alone.
 */
import { prepareSteps } from '../run/execute.js';
import { readFeatures } from '../run/features.js';
import { traitsOf } from '../run/traits.js';
import type { Range } from '../run/versions.js';
import type { Lines } from './rule-lines.js';

/** Stands before each line. */
export const NEEDS = 'needs';

/** "since 1.30.2, 1.31" */
const releasesIn = (range: Range): readonly string[] =>
  (['since', 'until'] as const).flatMap((bound) => {
    const releases = range[bound] ?? [];
    const named = releases.map(({ minor, patch }) => `1.${minor}${patch === undefined ? '' : `.${patch}`}`);
    return named.length === 0 ? [] : [`${bound} ${named.join(', ')}`];
  });

/** `rules`: of these alone. */
export async function needsOf(
  rules: readonly string[] | undefined,
  { features, steps }: { readonly features: string; readonly steps?: readonly string[] },
): Promise<Lines> {
  const library = await prepareSteps(steps);
  const chosen = readFeatures(features).rules.filter(({ id }) => rules?.includes(id) ?? true);
  return Object.fromEntries(
    chosen.map(({ id, scenarios }) => {
      const lines = scenarios.map((scenario) => {
        const traits = traitsOf(scenario, library);
        if ('problem' in traits) return `${NEEDS}: ${scenario.id}: ${traits.problem}`;
        const { needs, waits, exclusive } = traits;
        const all = [
          ...needs,
          ...(waits ? ['time'] : []),
          ...exclusive.map((name) => `${name} alone`),
          ...releasesIn(scenario.range),
        ];
        return `${NEEDS}: ${scenario.id.replace(/^[^/]*\//, '')}: ${all.join(', ') || 'nothing'}`;
      });
      return [id, [...new Set(lines)].sort()];
    }),
  );
}
