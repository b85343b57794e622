/** When something holds: versions are data, stated where the thing itself is stated. */

/** Minors of Kubernetes 1.x, both ends included; an end that is not given is open. */
export interface Span {
  readonly since?: number;
  readonly until?: number;
}

/** Whether a minor lies in a span. */
export const inSpan = (minor: number, { since = 0, until = Number.POSITIVE_INFINITY }: Span): boolean =>
  minor >= since && minor <= until;

/** The newest minor of which it is known what changed in it. */
export const NEWEST_MINOR = 36;
