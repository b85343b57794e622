/** Do features/coverage.yaml and the features say the same? Every problem is one sentence. Pure: the caller reads the files. */
import type { Catalogue } from './features.js';
import { didYouMean } from './nearest.js';

export interface CoverageEntry {
  readonly rule?: string | readonly string[];
  readonly kind?: string;
  readonly waits?: string;
  readonly excluded?: string;
  readonly note?: string;
}

/** The shape of features/coverage.yaml; schemas/coverage.schema.json says it in full. */
export interface Coverage {
  readonly rules: Readonly<Record<string, CoverageEntry>>;
}

/** Both ways: what the list names exists, and every rule with an id of the catalogue is named under its own id. Sorted. */
export function coverageProblems({ rules }: Catalogue, coverage: Coverage): readonly string[] {
  const ids = rules.map(({ id }) => id);
  const problems: string[] = [];
  const named = new Set<string>();
  for (const [sentence, entry] of Object.entries(coverage.rules)) {
    if (entry.rule === undefined) {
      if (ids.includes(sentence))
        problems.push(`${sentence} is listed as not judged, but features has a rule of that id`);
      continue;
    }
    for (const id of [entry.rule].flat()) {
      named.add(id);
      if (!ids.includes(id))
        problems.push(`${sentence} is said to be judged by ${id}, which no feature has.${didYouMean(id, ids)}`);
      // A rule that judges a sentence of its own id must be the one that is named.
      else if (ids.includes(sentence) && ![entry.rule].flat().includes(sentence))
        problems.push(`${sentence} has a rule of its own, but is said to be judged by ${id}`);
    }
  }
  for (const { id, place } of rules)
    if (!named.has(id)) problems.push(`${place}: the rule ${id} is missing in features/coverage.yaml`);
  return [...new Set(problems)].sort();
}

/** What is wrong with the identities and descriptions of the rules themselves. */
export function identityProblems({ rules, problems }: Catalogue): readonly string[] {
  const own = rules.flatMap((rule) =>
    [...rule.problems, ...rule.scenarios.flatMap((scenario) => scenario.problems)].map(
      (problem) => `${rule.place}: ${rule.id} ${problem}`,
    ),
  );
  return [...new Set([...problems, ...own])].sort();
}
