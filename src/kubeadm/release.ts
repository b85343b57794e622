/** Releases of Kubernetes, and what holds in which of them. */
import { inSpan, NEWEST_MINOR, type Span } from '../kubernetes/versions.js';

/** "v1.36.1" taken apart. */
export interface Release {
  readonly text: string;
  readonly minor: number;
  readonly patch: number;
}

/** The releases that are known: what changed within them is stated, and nothing before. */
const OLDEST_MINOR = 22;
export const NEWEST_RELEASE = 'v1.36.1';

/** Every minor that is known, oldest first. */
export const knownMinors = (): readonly number[] =>
  Array.from({ length: NEWEST_MINOR - OLDEST_MINOR + 1 }, (_none, index) => OLDEST_MINOR + index);

/** A known release. Throws RangeError with a sentence for what is no version or out of range; "1.33" is "v1.33.0". */
export function parseRelease(text: string): Release {
  const parts = /^v?1\.(\d{1,3})(?:\.(\d{1,3}))?$/.exec(text);
  const minor = Number(parts?.[1]);
  if (parts === null || minor < OLDEST_MINOR || minor > NEWEST_MINOR)
    throw new RangeError(
      `"${text}" is no Kubernetes version that the reference plays. ` +
        `Give one from v1.${OLDEST_MINOR} to v1.${NEWEST_MINOR}, for example ${NEWEST_RELEASE}.`,
    );
  const patch = Number(parts[2] ?? 0);
  return { text: `v1.${minor}.${patch}`, minor, patch };
}

/** The same, but one may be later than what is known. Throws RangeError. */
export function laterRelease(text: string): Release {
  const [, minor = 0, patch = 0] = /^v?1\.(\d{1,3})(?:\.(\d{1,3}))?$/.exec(text)?.map(Number) ?? [];
  return minor > NEWEST_MINOR ? { text: `v1.${minor}.${patch || 0}`, minor, patch: patch || 0 } : parseRelease(text);
}

/** The release of a server that may be older or newer than what is known; one too new counts as the newest minor. */
export function releaseOf(version: string): Release {
  const [, minor = NEWEST_MINOR, patch = 0] = /^v?1\.(\d+)\.(\d+)/.exec(version)?.map(Number) ?? [];
  const known = minor <= NEWEST_MINOR ? { minor, patch } : { minor: NEWEST_MINOR, patch: 0 };
  return { text: `v1.${known.minor}.${known.patch}`, ...known };
}

/** A span of minors that begins with a patch of `since`, and with patches of older minors (minor → patch). */
export interface ReleaseSpan extends Span {
  readonly patch?: number;
  readonly backports?: Readonly<Record<number, number>>;
}

/** Whether a release lies in a span. */
export function inRelease({ minor, patch }: Release, span: ReleaseSpan): boolean {
  const backported = span.backports?.[minor];
  if (backported !== undefined) return patch >= backported;
  return inSpan(minor, span) && (minor !== span.since || patch >= (span.patch ?? 0));
}

/** What something is in which releases: the first span that fits counts. */
export type ByRelease<T> = readonly (readonly [ReleaseSpan, T])[];

export const atRelease = <T>(release: Release, table: ByRelease<T>): T | undefined =>
  table.find(([span]) => inRelease(release, span))?.[1];
