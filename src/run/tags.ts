/** The grammar of the tags: the only place that reads them. */
import { ABILITIES, FACTS, isAbility, isFact, type Need } from '../targets/types.js';
import { didYouMean } from './nearest.js';
import { type Range, releasesOf } from './versions.js';

/** Strictest first. */
export const LEVELS = ['MUST', 'SHOULD', 'MAY'] as const;
export type Level = (typeof LEVELS)[number];
export const isLevel = (text: string): text is Level => (LEVELS as readonly string[]).includes(text);

const RULE_ID = /^@([A-Z]{1,8}-[0-9]{2,3})$/;
const valuesOf = (tags: readonly string[], name: string): readonly string[] =>
  tags.filter((tag) => tag.startsWith(`@${name}:`)).map((tag) => tag.slice(name.length + 2));

interface Identity {
  readonly id: string;
  readonly level: Level;
  readonly chapter: string;
  readonly sources: readonly string[];
  readonly problems: readonly string[];
}

/** Who a rule is: id and level stand on the Rule, chapter and sources on the Rule or its Feature. `place` stands in for a missing id. */
export function readRuleTags(own: readonly string[], inherited: readonly string[], place: string): Identity {
  const all = [...inherited, ...own];
  const ids = own.flatMap((tag) => RULE_ID.exec(tag)?.[1] ?? []);
  const levels = own.map((tag) => tag.slice(1)).filter(isLevel);
  const chapters = [...new Set(valuesOf(all, 'chapter'))];
  const sources = [...new Set(valuesOf(all, 'source'))].sort();
  const problems = [
    ...(ids.length === 1 ? [] : [`must carry exactly one id such as @TOK-001, has ${ids.length}`]),
    ...(levels.length === 1 ? [] : [`must carry exactly one of @MUST, @SHOULD, @MAY, has ${levels.length}`]),
    ...(chapters.length === 1 ? [] : [`must carry exactly one @chapter:NAME, has ${chapters.length}`]),
    ...(sources.length > 0 ? [] : ['must carry at least one @source:NNN']),
    ...inherited
      .filter((tag) => RULE_ID.test(tag))
      .map((tag) => `the id ${tag} stands on the Feature; it belongs on a Rule`),
  ];
  return { id: ids[0] ?? place, level: levels[0] ?? 'MUST', chapter: chapters[0] ?? 'none', sources, problems };
}

interface Demands {
  readonly needs: readonly Need[];
  readonly waits: boolean;
  readonly exclusive: readonly string[];
  readonly range: Range;
  readonly problems: readonly string[];
}

const KNOWN = ['source', 'chapter', 'needs', 'since', 'until', 'exclusive'];

/** What a scenario says with its own tags and those it inherits. */
export function readScenarioTags(tags: readonly string[]): Demands {
  const problems: string[] = [];
  const needs: Need[] = [];
  for (const value of valuesOf(tags, 'needs')) {
    if (isAbility(value) || isFact(value)) needs.push(value);
    else problems.push(`@needs:${value} names no ability and no fact.${didYouMean(value, [...ABILITIES, ...FACTS])}`);
  }
  const range: { since?: NonNullable<Range['since']>; until?: NonNullable<Range['until']> } = {};
  for (const end of ['since', 'until'] as const) {
    // The last one is the scenario's own: it narrows what the rule says.
    const value = valuesOf(tags, end).at(-1);
    if (value === undefined) continue;
    const releases = releasesOf(value);
    if (releases === undefined)
      problems.push(`@${end}:${value} is no release; write @${end}:1.29 or @${end}:1.36.1,1.35.5`);
    else range[end] = releases;
  }
  for (const tag of tags) {
    const [name, value] = tag.slice(1).split(':', 2);
    if (value !== undefined && !KNOWN.includes(name ?? ''))
      problems.push(`the tag ${tag} is unknown.${didYouMean(name ?? '', KNOWN)}`);
  }
  const waits = tags.includes('@waits');
  return {
    needs: needs.sort(),
    waits,
    exclusive: [...valuesOf(tags, 'exclusive')].sort(),
    range,
    problems,
  };
}

/** How to repair a violation, and who can. */
export interface Repair {
  readonly for: 'operator' | 'maker';
  readonly text: string;
}

/**
 * The paragraphs of a Rule's description that begin with "Why:", and with "Repair:" (what an operator does) or "Repair, for makers:" (what the
 * maker of the server or client does, where no operator can); each on one line.
 */
export function describedAs(description: string): { readonly why: string; readonly repair: Repair } {
  const parts = { Why: '', Repair: '', 'Repair, for makers': '' };
  let current: keyof typeof parts | undefined;
  for (const line of description.split('\n').map((text) => text.trim())) {
    const [, head, rest] = /^(Why|Repair|Repair, for makers):\s*(.*)$/.exec(line) ?? [];
    if (head !== undefined) {
      current = head as keyof typeof parts;
      parts[current] = rest ?? '';
    } else if (line === '') current = undefined;
    else if (current !== undefined) parts[current] += ` ${line}`;
  }
  const forMakers = parts['Repair, for makers'];
  const repair: Repair = forMakers === '' ? { for: 'operator', text: parts.Repair } : { for: 'maker', text: forMakers };
  return { why: parts.Why, repair };
}
