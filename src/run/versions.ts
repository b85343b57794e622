/** @since and @until: which releases of Kubernetes a rule or scenario is about. */
import type { ServerVersion } from '../targets/types.js';

interface Release {
  readonly minor: number;
  readonly patch?: number;
}

/**
 * `@since:1.29`, or with backports `@since:1.36.1,1.35.5`. Several entries name the first patch of each minor that has
 * the change.
 */
export interface Range {
  readonly since?: readonly Release[];
  readonly until?: readonly Release[];
}

const RELEASE = /^1\.(\d{1,3})(?:\.(\d{1,3}))?$/;

/** The releases of a tag's value, ascending by minor; undefined where one cannot be read or a minor is named twice. */
export function releasesOf(value: string): readonly Release[] | undefined {
  const releases: Release[] = [];
  for (const text of value.split(',')) {
    const [, minor, patch] = RELEASE.exec(text) ?? [];
    if (minor === undefined || releases.some((release) => release.minor === Number(minor))) return undefined;
    releases.push({ minor: Number(minor), ...(patch === undefined ? {} : { patch: Number(patch) }) });
  }
  return releases.sort((a, b) => a.minor - b.minor);
}

const shown = (releases: readonly Release[]): string =>
  releases.map(({ minor, patch }) => `1.${minor}${patch === undefined ? '' : `.${patch}`}`).join(', ');

/** Why a rule with this range does not apply to a version; undefined where it applies. Both ends are inclusive. */
export function whyNotApplicable(range: Range, version: ServerVersion): string | undefined {
  const { since, until } = range;
  if (since !== undefined) {
    const same = since.find((release) => release.minor === version.minor);
    const last = since.at(-1)?.minor ?? 0;
    if (same?.patch !== undefined && version.patch === undefined) return noPatch(version, same);
    const applies = same === undefined ? version.minor > last : (version.patch ?? 0) >= (same.patch ?? 0);
    if (!applies) return `applies since Kubernetes ${shown(since)}; the target is ${version.gitVersion}`;
  }
  if (until !== undefined) {
    const same = until.find((release) => release.minor === version.minor);
    const first = until[0]?.minor ?? 0;
    if (same?.patch !== undefined && version.patch === undefined) return noPatch(version, same);
    const applies =
      same === undefined ? version.minor < first : same.patch === undefined || (version.patch ?? 0) <= same.patch;
    if (!applies) return `applied until Kubernetes ${shown(until)}; the target is ${version.gitVersion}`;
  }
  return undefined;
}

const noPatch = (version: ServerVersion, release: Release): string =>
  `depends on the patch release (${shown([release])}), and the target's version "${version.gitVersion}" shows none`;
