/** The grammar of the tags: the only place that reads them. */
import { didYouMean } from './nearest.js';
import { type Range, releasesOf } from './versions.js';

/** Strictest first. */
export const LEVELS = ['MUST', 'SHOULD', 'MAY'] as const;
export type Level = (typeof LEVELS)[number];
export const isLevel = (text: string): text is Level => (LEVELS as readonly string[]).includes(text);

const RULE_ID = /^@([A-Z]{1,8}-[0-9]{2,3})$/;
const RANGE = /^@(since|until):(.*)$/s;

interface Identity {
  readonly id: string;
  readonly level: Level;
  readonly problems: readonly string[];
}

/** Who a rule is: its id and level stand on the Rule. `place` stands in for a missing id. */
export function readRuleTags(own: readonly string[], inherited: readonly string[], place: string): Identity {
  const ids = own.flatMap((tag) => RULE_ID.exec(tag)?.[1] ?? []);
  const levels = own.map((tag) => tag.slice(1)).filter(isLevel);
  const problems = [
    ...(ids.length === 1 ? [] : [`must carry exactly one id such as @TOK-001, has ${ids.length}`]),
    ...(levels.length === 1 ? [] : [`must carry exactly one of @MUST, @SHOULD, @MAY, has ${levels.length}`]),
    ...inherited
      .filter((tag) => RULE_ID.test(tag))
      .map((tag) => `the id ${tag} stands on the Feature; it belongs on a Rule`),
  ];
  return { id: ids[0] ?? place, level: levels[0] ?? 'MUST', problems };
}

/** Every tag that may be written: ids, levels, and the releases that something is about. */
const KNOWN = [...LEVELS.map((level) => `@${level}`), '@since', '@until'];

/** What a scenario says with its own tags and those it inherits. */
export function readScenarioTags(tags: readonly string[]): {
  readonly range: Range;
  readonly problems: readonly string[];
} {
  const problems: string[] = [];
  const range: { since?: NonNullable<Range['since']>; until?: NonNullable<Range['until']> } = {};
  for (const tag of tags) {
    if (RULE_ID.test(tag) || isLevel(tag.slice(1))) continue;
    const [, end, value = ''] = RANGE.exec(tag) ?? [];
    if (end !== 'since' && end !== 'until') {
      problems.push(`the tag ${tag} is unknown.${didYouMean(tag.replace(/:.*/s, ''), KNOWN)}`);
      continue;
    }
    const releases = releasesOf(value);
    if (releases === undefined) problems.push(`${tag} is no release; write @${end}:1.29 or @${end}:1.36.1,1.35.5`);
    // The last one is the scenario's own: it narrows what the rule says.
    else range[end] = releases;
  }
  return { range, problems };
}

/** How to repair a violation, and who can. */
export interface Repair {
  readonly for: 'operator' | 'maker';
  readonly text: string;
}

/**
 * The paragraphs of a Rule's description that begin with "Why:", and with "Repair:" (what an operator does) or "Repair,
 * for makers:" (what the maker of the server or client does, where no operator can); each on one line.
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
