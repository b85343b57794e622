/** What is wrong with the identities and descriptions of the rules: each problem as one sentence, sorted. Pure. */
import type { Catalogue } from './features.js';

export function identityProblems({ rules, problems }: Catalogue): readonly string[] {
  const own = rules.flatMap((rule) =>
    [...rule.problems, ...rule.scenarios.flatMap((scenario) => scenario.problems)].map(
      (problem) => `${rule.place}: ${rule.id} ${problem}`,
    ),
  );
  return [...new Set([...problems, ...own])].sort();
}
