/** The shape of checks that are not findings yet. */
/** One thing looked at. `object` names it ("Secret kube-system/bootstrap-token-07401b", "GET /version as anonymous"). */
export interface Evidence {
  readonly object: string;
  /** What was demanded, in one clause. */
  readonly demanded: string;
  /** What was seen, in one clause. Never a secret: the sink redacts by value as well. */
  readonly seen: string;
  readonly ok: boolean;
  /** Information that is not to blame: a known extra of a distribution, an advice. */
  readonly note?: string;
}

export type Verdict =
  | { readonly kind: 'passed'; readonly evidence: readonly Evidence[] }
  | { readonly kind: 'failed'; readonly reason: string; readonly evidence: readonly Evidence[] }
  | { readonly kind: 'skipped'; readonly reason: string; readonly evidence: readonly Evidence[] }
  | { readonly kind: 'error'; readonly reason: string; readonly evidence: readonly Evidence[] };

/** Judges objects at rest one by one. Nothing looked at is skipped, never passed: `nothing` says why. */
export function judgeEach(evidence: readonly Evidence[], nothing: string): Verdict {
  if (evidence.length === 0) return { kind: 'skipped', reason: nothing, evidence };
  const bad = evidence.filter((item) => !item.ok);
  if (bad.length === 0) return { kind: 'passed', evidence };
  const first = bad[0] as Evidence;
  const more = bad.length > 1 ? ` (and ${bad.length - 1} more)` : '';
  return { kind: 'failed', reason: `${first.object}: ${first.demanded}; seen: ${first.seen}${more}`, evidence };
}
