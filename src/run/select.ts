/**
 * Which scenarios a run is about. A name or tag that matches nothing is refused: a typing mistake must not shrink a run
 * silently.
 */
import tagExpressions from '@cucumber/tag-expressions';
import { firstLine } from '../kubernetes/first-line.js';
import type { Catalogue, Rule } from './features.js';
import { didYouMean } from './nearest.js';
import { isLevel, LEVELS } from './tags.js';
import { UsageError } from './usage-error.js';

export interface Selection {
  readonly tags?: string | undefined;
  readonly rules?: readonly string[] | undefined;
  readonly chapters?: readonly string[] | undefined;
  /** At least that level: SHOULD selects MUST and SHOULD. */
  readonly level?: string | undefined;
}

export interface Selected {
  readonly rules: readonly Rule[];
  readonly chosen: ReadonlySet<string>;
}

const unique = (names: readonly string[]): readonly string[] => [...new Set(names)].sort();

/** Throws UsageError where something is unknown or nothing is left. */
export function select(catalogue: Catalogue, selection: Selection): Selected {
  const ids = unique(catalogue.rules.map(({ id }) => id));
  const chapters = unique(catalogue.rules.map(({ chapter }) => chapter));
  for (const id of selection.rules ?? [])
    if (!ids.includes(id))
      throw new UsageError(`There is no rule "${id}".${didYouMean(id, ids)} "joinproof rules" lists them.`);
  for (const name of selection.chapters ?? []) {
    if (!chapters.includes(name))
      throw new UsageError(
        `There is no chapter "${name}".${didYouMean(name, chapters)} The chapters are ${chapters.join(', ')}.`,
      );
  }
  const level = selection.level?.toUpperCase();
  if (level !== undefined && !isLevel(level))
    throw new UsageError(
      `There is no level "${selection.level}".${didYouMean(level, LEVELS)} The levels are ${LEVELS.join(', ')}.`,
    );
  const levels: readonly string[] = level === undefined ? LEVELS : LEVELS.slice(0, LEVELS.indexOf(level) + 1);
  const matches = matcher(catalogue, selection.tags);
  const chosen = new Set<string>();
  const rules = catalogue.rules
    .filter(({ id }) => selection.rules === undefined || selection.rules.length === 0 || selection.rules.includes(id))
    .filter(
      ({ chapter }) =>
        selection.chapters === undefined || selection.chapters.length === 0 || selection.chapters.includes(chapter),
    )
    .filter((rule) => levels.includes(rule.level))
    .filter((rule) => {
      const scenarios = rule.scenarios.filter(({ tags }) => matches(tags));
      for (const { key } of scenarios) chosen.add(key);
      // A malformed rule may have no scenario at all; it must not vanish for that.
      return scenarios.length > 0 || (rule.scenarios.length === 0 && selection.tags === undefined);
    });
  if (rules.length === 0)
    throw new UsageError(
      'The selection matches no scenario: each option is known, but no rule satisfies all of them. Give fewer of --tags, --rule, --chapter and --level.',
    );
  return { rules, chosen };
}

function matcher(catalogue: Catalogue, expression: string | undefined): (tags: readonly string[]) => boolean {
  if (expression === undefined) return () => true;
  let parsed: ReturnType<typeof tagExpressions>;
  try {
    parsed = tagExpressions(expression);
  } catch (error) {
    throw new UsageError(
      `The tag expression "${expression}" cannot be read: ${firstLine(error)} Write for example "@MUST and not @waits".`,
    );
  }
  const known = unique(catalogue.rules.flatMap(({ scenarios }) => scenarios.flatMap(({ tags }) => tags)));
  const named = expression.split(/[\s()]+/).filter((word) => word !== '' && !['and', 'or', 'not'].includes(word));
  if (named.length === 0)
    throw new UsageError('--tags is empty. Write for example "@MUST and not @waits", or leave it out.');
  for (const tag of named)
    if (!known.includes(tag)) throw new UsageError(`No rule carries the tag "${tag}".${didYouMean(tag, known)}`);
  return (tags) => parsed.evaluate([...tags]);
}
