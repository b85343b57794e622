/** What became of a target between two reports. */
import type { Finding } from '../model/finding.js';
import { unmetDemands } from '../model/fingerprint.js';
import type { Report, RuleResult } from '../model/report.js';
import type { VerdictKind } from '../model/verdict.js';

export const CHANGES = ['worse', 'better', 'appeared', 'went'] as const;
export type Change = (typeof CHANGES)[number];

export interface RuleChange {
  readonly change: Change;
  readonly rule: string;
  readonly title: string;
  readonly level: RuleResult['level'];
  /** null: the rule is in one of the reports only. */
  readonly before: VerdictKind | null;
  readonly after: VerdictKind | null;
  /** Unmet findings that are new, and those that are no longer there. */
  readonly found: readonly Finding[];
  readonly gone: readonly Finding[];
}

/** In this order; what was judged and is not any more is worse, too. */
const RANK: Readonly<Record<VerdictKind, number>> = {
  passed: 0,
  waived: 1,
  skipped: 2,
  advised: 3,
  error: 4,
  failed: 5,
};
const unjudged = (verdict: VerdictKind): boolean => verdict === 'skipped' || verdict === 'error';

/** Sorted by kind of change, then by rule. */
export function differences(before: Report, after: Report): readonly RuleChange[] {
  const old = new Map(before.rules.map((rule) => [rule.id, rule]));
  const now = new Map(after.rules.map((rule) => [rule.id, rule]));
  const ids = [...new Set([...old.keys(), ...now.keys()])].sort();
  const all = ids.flatMap((id) => changeOf(old.get(id), now.get(id)));
  return CHANGES.flatMap((change) => all.filter((one) => one.change === change));
}

function changeOf(before: RuleResult | undefined, after: RuleResult | undefined): readonly RuleChange[] {
  const rule = after ?? before;
  if (rule === undefined) return [];
  const [first, second] = [unmetOf(before), unmetOf(after)];
  const found = [...second].filter(([print]) => !first.has(print)).map(([, finding]) => finding);
  const gone = [...first].filter(([print]) => !second.has(print)).map(([, finding]) => finding);
  const change = kindOf(before?.verdict, after?.verdict, { found: found.length, gone: gone.length });
  if (change === undefined) return [];
  const { id, title, level } = rule;
  return [
    { change, rule: id, title, level, before: before?.verdict ?? null, after: after?.verdict ?? null, found, gone },
  ];
}

function kindOf(
  before: VerdictKind | undefined,
  after: VerdictKind | undefined,
  { found, gone }: { readonly found: number; readonly gone: number },
): Change | undefined {
  if (before === undefined) return 'appeared';
  if (after === undefined) return 'went';
  if (before === after) {
    if (after !== 'failed' && after !== 'waived' && after !== 'advised') return undefined;
    return found > 0 ? 'worse' : gone > 0 ? 'better' : undefined;
  }
  // A failure that nobody looks for any more is not mended.
  if (before === 'failed' && unjudged(after)) return 'worse';
  return RANK[after] > RANK[before] ? 'worse' : 'better';
}

/** A rule that appears and is not met is worse, too: so is what a new rule finds. */
export const isWorse = (changes: readonly RuleChange[]): boolean =>
  changes.some(({ change, after }) => change === 'worse' || (change === 'appeared' && after === 'failed'));

const unmetOf = (rule: RuleResult | undefined): ReadonlyMap<string, Finding> =>
  new Map((rule?.scenarios ?? []).flatMap(unmetDemands));
