/** What is played when the unchanged reference has shown what each rule looks at: each by the rules that it can touch. */
import type { Mutant } from '../mutants/types.js';
import { VARIANTS } from './foreign.js';
import type { Job, Played } from './job.js';
import type { Row } from './rows.js';

export interface SecondRound {
  /** Of the unchanged reference; undefined where that could not be played. */
  readonly shown: Played | undefined;
  /** Ids of the rules that the matrix is about. */
  readonly ids: ReadonlySet<string>;
  /** The same, where those are not all that there are. */
  readonly everything: readonly string[] | undefined;
}

const rowsOf = (shown: Played | undefined, wanted: (row: Row) => boolean): ReadonlySet<string> =>
  new Set((shown?.rows.all ?? []).filter(wanted).map(({ rule }) => rule));

const isControl = ({ role }: Row): boolean => role === 'control';
const isOfClients = ({ check }: Row): boolean =>
  /^(joining-(client|discovery)|joined-(files|bootstrap)|preflight|uploaded)\//.test(check);
/** Preflight and uploads are of the cluster's release. */
const isOfJoins = ({ check }: Row): boolean => /^(joining-(client|discovery)|joined-(files|bootstrap))\//.test(check);

/** One alone is played as it is: a group has two members or more. */
export function playedTogether(name: string, members: readonly string[], rules: readonly string[] | undefined): Job {
  const [only] = members;
  return members.length === 1 && only !== undefined
    ? { kind: 'mutant', name: only, rules }
    : { kind: 'group', name, members, rules };
}

/**
 * Groups of harmless variants. What a joining client does has nothing to do with a cluster that is another: it joins
 * servers of ours.
 */
export function groupsPlayed(
  groups: readonly (readonly Mutant[])[],
  { shown, ids, everything }: SecondRound,
): readonly Job[] {
  const joins = rowsOf(shown, isOfJoins);
  const others = [...ids].filter((id) => !joins.has(id));
  return groups.flatMap((members, index) => {
    const rules = members.some(({ client }) => client !== undefined) ? everything : others;
    const names = members.map(({ name }) => name);
    return rules?.length === 0 ? [] : [playedTogether(`group ${index}`, names, rules)];
  });
}

/** Of paralysed variants only rules about refusing are of interest and rules with controls. */
export function paralysedPlayed({ shown, ids, everything }: SecondRound): readonly Job[] {
  // A cluster that is paralysed has the same joining client.
  const ofClients = rowsOf(shown, isOfClients);
  const held = [...new Set([...(shown?.refusing ?? []), ...rowsOf(shown, isControl)])].filter(
    (id) => !ofClients.has(id),
  );
  const known = (some: readonly string[]): readonly string[] => some.filter((id) => ids.has(id));
  return VARIANTS.flatMap(({ name, idle = [], rules: touched, client }) => {
    const some = touched === undefined ? [...new Set([...held, ...known(idle)])] : known(touched);
    const rules = client === undefined ? some : everything;
    return rules?.length === 0 ? [] : [{ kind: 'paralysed' as const, name, rules }];
  });
}
