/**
 * The verdict of a check: what was demanded, what was seen, on which object. Pure data.
 * Lattice (house.md): passed < waived < skipped < failed < error; a rule's result is the worst of its scenarios.
 */

export const VERDICTS = ['passed', 'waived', 'skipped', 'failed', 'error'] as const;
export type VerdictKind = (typeof VERDICTS)[number];

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
  /** The requests that this was seen by, those since the observation before it. Bodies only where it is not ok. */
  readonly exchanges?: readonly ExchangeSeen[];
}

/** One request and its answer, redacted. */
export interface ExchangeSeen {
  /** "anonymous", "admin", "system:bootstrap:<id>", a certificate's CN */
  readonly as: string;
  readonly request: string;
  /** HTTP status; null where none came. */
  readonly status: number | null;
  readonly sent?: string;
  readonly received?: string;
}

export type Verdict =
  | { readonly kind: 'passed'; readonly evidence: readonly Evidence[] }
  | { readonly kind: 'failed'; readonly reason: string; readonly evidence: readonly Evidence[] }
  | { readonly kind: 'skipped'; readonly reason: string; readonly evidence: readonly Evidence[] }
  | { readonly kind: 'error'; readonly reason: string; readonly evidence: readonly Evidence[] };

/** The worse of two kinds. */
export const worse = (a: VerdictKind, b: VerdictKind): VerdictKind =>
  VERDICTS.indexOf(a) >= VERDICTS.indexOf(b) ? a : b;

/** Judges objects at rest one by one. Nothing looked at is skipped, never passed: `nothing` says why. */
export function judgeEach(evidence: readonly Evidence[], nothing: string): Verdict {
  if (evidence.length === 0) return { kind: 'skipped', reason: nothing, evidence };
  const bad = evidence.filter((item) => !item.ok);
  if (bad.length === 0) return { kind: 'passed', evidence };
  const first = bad[0] as Evidence;
  const more = bad.length > 1 ? ` (and ${bad.length - 1} more)` : '';
  return { kind: 'failed', reason: `${first.object}: ${first.demanded}; seen: ${first.seen}${more}`, evidence };
}
