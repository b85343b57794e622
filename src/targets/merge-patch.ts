/** RFC 7396 merge patches, and the patch that takes one back: clean-up restores what joinproof changed and nothing else. */

import { isRecord } from '../kubernetes/json.js';

/** The merge patch that turns `after` back into `before`; undefined where they are alike. Arrays are replaced as a whole. */
export function mergeDiff(after: unknown, before: unknown): unknown {
  if (!isRecord(after) || !isRecord(before))
    return JSON.stringify(after) === JSON.stringify(before) ? undefined : (before ?? null);
  const patch: Record<string, unknown> = {};
  for (const key of new Set([...Object.keys(after), ...Object.keys(before)])) {
    if (before[key] === undefined) {
      // Only the leaves that were added: what others put beside them meanwhile stays.
      if (isRecord(after[key])) patch[key] = mergeDiff(after[key], {}) ?? null;
      else if (after[key] !== undefined) patch[key] = null;
      continue;
    }
    const difference = after[key] === undefined ? before[key] : mergeDiff(after[key], before[key]);
    if (difference !== undefined) patch[key] = difference;
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}

/** Applies a merge patch. Source: RFC 7396, section 2. */
export function mergeApply(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const result: Record<string, unknown> = isRecord(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = mergeApply(result[key], value);
  }
  return result;
}
