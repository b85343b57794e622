/**
 * Comparing sets of rules: what one set grants that another does not, and how upstream writes rules into messages.
 * Source: component-helpers, auth/rbac/validation/policy_comparator.go; pkg/registry/rbac/validation/policy_compact.go;
 * pkg/apis/rbac/v1/evaluation_helpers.go CompactString.
 */

import type { PolicyRule } from '../../kubernetes/objects.js';
import type { Decisions } from '../decisions.js';
import { goQuoteList } from '../go-errors.js';

/** Rights are compared before a rule is validated: it may come without verbs. */
const verbsOf = ({ verbs }: { readonly verbs?: readonly string[] }): readonly string[] => verbs ?? [];

/**
 * A rule as rules of one verb, one group, one resource and at most one name (or one URL) each. Source: BreakdownRule.
 */
function breakDown(rule: PolicyRule): PolicyRule[] {
  const atoms: PolicyRule[] = [];
  for (const group of rule.apiGroups ?? []) {
    for (const resource of rule.resources ?? []) {
      for (const verb of verbsOf(rule)) {
        const atom = { verbs: [verb], apiGroups: [group], resources: [resource] };
        if ((rule.resourceNames?.length ?? 0) === 0) atoms.push(atom);
        for (const name of rule.resourceNames ?? []) atoms.push({ ...atom, resourceNames: [name] });
      }
    }
  }
  for (const url of rule.nonResourceURLs ?? [])
    for (const verb of verbsOf(rule)) atoms.push({ verbs: [verb], nonResourceURLs: [url] });
  return atoms;
}

/** Atoms of `wanted` that no rule of `held` covers. Source: Covers. */
export const uncovered = (
  held: readonly PolicyRule[],
  wanted: readonly PolicyRule[],
  covers: Decisions['ruleCovers'],
): PolicyRule[] => wanted.flatMap(breakDown).filter((atom) => !held.some((rule) => covers(rule, atom)));

/** Atoms that differ by verb only, as one rule each. Source: CompactRules. */
export function compact(rules: readonly PolicyRule[]): PolicyRule[] {
  const together = new Map<string, PolicyRule>();
  const others: PolicyRule[] = [];
  for (const rule of rules) {
    const simple =
      rule.apiGroups?.length === 1 &&
      rule.resources?.length === 1 &&
      (rule.resourceNames?.length ?? 0) <= 1 &&
      rule.nonResourceURLs === undefined;
    if (!simple) {
      others.push(rule);
      continue;
    }
    const key = JSON.stringify([rule.apiGroups, rule.resources, rule.resourceNames]);
    const found = together.get(key);
    together.set(key, found === undefined ? rule : { ...found, verbs: [...found.verbs, ...rule.verbs] });
  }
  return [...others, ...together.values()];
}

/** A rule as it stands in the message of a refused grant. Source: CompactString. */
export function compactString(rule: PolicyRule): string {
  const parts: string[] = [];
  const add = (name: string, list: readonly string[] | undefined): void => {
    if (list !== undefined && list.length > 0) parts.push(`${name}:${goQuoteList(list)}`);
  };
  add('APIGroups', rule.apiGroups);
  add('Resources', rule.resources);
  add('NonResourceURLs', rule.nonResourceURLs);
  add('ResourceNames', rule.resourceNames);
  add('Verbs', rule.verbs);
  return `{${parts.join(', ')}}`;
}
