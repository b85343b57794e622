/**
 * What is compared with recorded answers: each play names its recordings, and the reference that has to answer as they
 * do.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ReferenceOptions } from '../reference/options.js';

/** The minor whose answers stand in one file as a whole; of other minors only what differs from it is recorded. */
const WHOLE_MINOR = '1.36';

/** One comparison: a reference, the recordings (a later file overrides an earlier one), and how much must be equal. */
export interface Play {
  readonly name: string;
  readonly reference: ReferenceOptions;
  /** Paths within the folder of recordings. */
  readonly recordings: readonly string[];
  /**
   * Only the questions of the recordings are asked: of a variant only those answers were recorded that matter to it.
   */
  readonly onlyRecorded: boolean;
  /** Percent of the answers that must be equal. */
  readonly demanded: number;
}

/** How each variant of the recorded control plane is started: the file's name says what was changed there. */
const VARIANTS: Readonly<Record<string, ReferenceOptions>> = {
  'always-allow': { authorizationMode: 'AlwaysAllow' },
  'anonymous-health-only': { anonymousAuth: ['/livez', '/readyz', '/healthz'] },
  'anonymous-off': { anonymousAuth: false },
  'no-bootstrap-auth': { bootstrapTokenAuth: false },
  'no-cleaner': { controllers: { tokencleaner: false } },
  'no-service-account-credentials': { serviceAccountCredentials: false },
  'no-signer': { controllers: { bootstrapsigner: false } },
};

const whole = `truth-${WHOLE_MINOR}.jsonl`;

/** The names that a folder's files carry between a prefix and ".jsonl", sorted; none where there is no such folder. */
const namesIn = (folder: string, prefix: string): readonly string[] =>
  (existsSync(folder) ? readdirSync(folder) : [])
    .filter((file) => file.startsWith(prefix) && file.endsWith('.jsonl'))
    .map((file) => file.slice(prefix.length, -'.jsonl'.length))
    .sort();

const minorsIn = (folder: string): readonly string[] => namesIn(join(folder, 'minors'), 'truth-');

/** Whether a folder holds the whole recording. */
export const isRecorded = (folder: string): boolean =>
  existsSync(join(folder, 'engine.py')) && existsSync(join(folder, whole));

const wholePlay: Play = { name: WHOLE_MINOR, reference: {}, recordings: [whole], onlyRecorded: false, demanded: 100 };

const minorPlay = (minor: string): Play => ({
  name: minor,
  reference: { kubernetesVersion: minor },
  recordings: [whole, `minors/truth-${minor}.jsonl`],
  onlyRecorded: false,
  demanded: 98,
});

const variantPlay = (variant: string): Play => ({
  name: variant,
  reference: VARIANTS[variant] ?? {},
  recordings: [`variants/${variant}.jsonl`],
  onlyRecorded: true,
  demanded: 98,
});

/** A minor for each day, so that runs of successive days play them all. */
const inTurn = (minors: readonly string[], now: number): string | undefined =>
  minors[Math.floor(now / 86_400_000) % minors.length];

/** What is asked for: "all", or one name; of minors also "turn", which takes another one each day. */
export interface Wanted {
  readonly minor?: string | undefined;
  readonly variant?: string | undefined;
}

/**
 * The plays that are wanted of a folder; without a wish, the whole recording. `now` is milliseconds since 1970 (UTC).
 * Throws RangeError where there is no such recording.
 */
export function playsOf(folder: string, { minor, variant }: Wanted, now: number): readonly Play[] {
  const minors = minorsIn(folder);
  const variants = namesIn(join(folder, 'variants'), '').filter((name) => name in VARIANTS);
  const oneOf = (names: readonly string[], name: string, option: string): string => {
    if (names.includes(name)) return name;
    throw new RangeError(`--${option} ${name} is not recorded; there are: ${names.join(', ') || 'none'}.`);
  };
  const plays: Play[] = [];
  if (minor === 'all') plays.push(wholePlay, ...minors.map(minorPlay));
  else if (minor === WHOLE_MINOR) plays.push(wholePlay);
  else if (minor !== undefined)
    plays.push(minorPlay(oneOf(minors, minor === 'turn' ? (inTurn(minors, now) ?? minor) : minor, 'minor')));
  if (variant === 'all') plays.push(...variants.map(variantPlay));
  else if (variant !== undefined) plays.push(variantPlay(oneOf(variants, variant, 'variant')));
  return minor === undefined && variant === undefined ? [wholePlay] : plays;
}

const groupOf = (id: string): string => id.split('/')[0] ?? id;

function count(ids: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(groupOf(id), (counts.get(groupOf(id)) ?? 0) + 1);
  return counts;
}

/** The rows of a result, one for each group and one for all, and whether as much is equal as the play demands. */
export function judge(
  play: Pick<Play, 'name' | 'demanded'>,
  asked: readonly string[],
  different: readonly string[],
): { readonly lines: readonly string[]; readonly ok: boolean } {
  const bad = count(different);
  const row = (name: string, equal: number, total: number): string =>
    `${name.padEnd(12)} ${String(equal).padStart(4)} of ${String(total).padStart(4)} equal`;
  const groups = [...count(asked)].sort(([a], [b]) => (a < b ? -1 : 1));
  const equal = asked.length - different.length;
  const ok = equal * 100 >= asked.length * play.demanded;
  const share = asked.length === 0 ? '0' : ((equal * 100) / asked.length).toFixed(1);
  return {
    lines: [
      ...groups.map(([group, total]) => row(group, total - (bad.get(group) ?? 0), total)),
      `${row('all', equal, asked.length)}: ${share} %${ok ? '' : `, ${play.demanded} % demanded`} (${play.name})`,
    ],
    ok,
  };
}
