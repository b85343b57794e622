/**
 * Removes what killed runs left on a cluster: what is marked as a run's and is of joinproof's making, and nothing else.
 * Labels, names and contents of a cluster only ever say what is left alone.
 */
import type { KubeObject } from '../kubernetes/objects.js';
import { expiryOf, isOfOurMaking, OWN_KINDS, RUN_LABEL, runOf } from '../kubernetes/own-objects.js';
import type { Resource } from '../kubernetes/resources.js';
import type { HttpTarget } from './http-target.js';
import { accessFor, type JournalAccess } from './journal-access.js';
import { insisted, type Left, leftOf, nameOf, placeOf, Removal } from './removal.js';

/**
 * Which runs are over. A run is looked at as a whole: as long as one of its objects says otherwise it may be under
 * way.
 */
export type Choice =
  | { readonly kind: 'expired' }
  | { readonly kind: 'older'; readonly seconds: number }
  | { readonly kind: 'all' };

export interface SweepOptions {
  readonly choice: Choice;
  /** Reads only. */
  readonly dryRun?: boolean;
  readonly signal: AbortSignal;
  readonly onProgress?: (gone: number, known: number) => void;
}

/**
 * An object, and the run that it says it is of. The texts of `removed` are joinproof's own; those of `foreign` may
 * be anybody's.
 */
export interface Seen {
  /** "Secret kube-system/bootstrap-token-abcdef" */
  readonly what: string;
  readonly run: string;
}

export interface Swept {
  /** In a dry run: what would be. In the order of removal. */
  readonly removed: readonly Seen[];
  /** Could not be looked at, or not be removed. */
  readonly left: readonly Left[];
  /** Of runs that may be under way. `until`: milliseconds since the epoch. */
  readonly spared: { readonly objects: number; readonly runs: number; readonly until: number };
  /** Carries the label, but is not of joinproof's making. */
  readonly foreign: readonly Seen[];
}

/** Longer lists of runs are no selector. */
const MOST_RUNS = 50;

interface Listed {
  readonly resource: Resource;
  readonly namespace: string | undefined;
  readonly own: readonly KubeObject[];
  readonly foreign: readonly KubeObject[];
}

/**
 * `target` must be open for writing unless dryRun. Never rejects but by ConfigurationError: what went wrong is
 * left.
 */
export async function sweep(target: HttpTarget, options: SweepOptions): Promise<Swept> {
  const { signal, dryRun = false, onProgress = () => {} } = options;
  const access = accessFor(target.admin, signal);
  const left: Left[] = [];
  const listed = await everything(access, signal, left);
  const seen = (list: Listed, objects: readonly KubeObject[]): readonly Seen[] =>
    objects.map((object) => ({ what: nameOf(placeOf(list, object)), run: runOf(object) ?? '' }));

  const runs = new Map<string, KubeObject[]>();
  for (const object of listed.flatMap(({ own }) => own)) {
    const run = runOf(object) ?? '';
    runs.set(run, [...(runs.get(run) ?? []), object]);
  }
  const over = new Set(
    [...runs].filter(([, objects]) => isOver(objects, options.choice, target.facts.now())).map(([run]) => run),
  );
  const isChosen = (object: KubeObject): boolean => over.has(runOf(object) ?? '');
  const going = listed.map((list) => ({ ...list, own: list.own.filter(isChosen) }));
  const planned = going.flatMap((list) => seen(list, list.own));

  if (!dryRun)
    left.push(
      ...(await new Removal(access, { signal, onProgress }).run(
        going
          .filter(({ own }) => own.length > 0)
          .map((list) => ({
            ...list,
            selector: over.size > MOST_RUNS ? RUN_LABEL : `${RUN_LABEL} in (${[...over].join(',')})`,
            known: new Map(list.own.map((object) => [object.metadata.uid ?? '', placeOf(list, object)])),
            mine: (object) => isChosen(object) && isOfOurMaking(list.resource, object),
          })),
      )),
    );
  const stayed = new Set(left.map(({ what }) => what));
  const spared = [...runs].filter(([run]) => !over.has(run)).flatMap(([, objects]) => objects);
  return {
    removed: planned.filter(({ what }) => !stayed.has(what)),
    left,
    spared: {
      objects: spared.length,
      runs: runs.size - over.size,
      until: Math.max(0, ...spared.map((object) => expiryOf(object) ?? 0)),
    },
    foreign: listed.flatMap((list) => seen(list, list.foreign)),
  };
}

/** Whatever carries the label, of the kinds and in the namespaces that joinproof uses. */
async function everything(access: JournalAccess, signal: AbortSignal, left: Left[]): Promise<readonly Listed[]> {
  const places = OWN_KINDS.flatMap(({ resource, namespaces = [undefined] }) =>
    namespaces.map((namespace) => ({ resource, namespace, selector: RUN_LABEL })),
  );
  const lists = await Promise.all(
    places.map(async (place): Promise<Listed> => {
      try {
        const { items } = await insisted(() => access.find(place), signal);
        const isOwn = (object: KubeObject): boolean => isOfOurMaking(place.resource, object);
        return { ...place, own: items.filter(isOwn), foreign: items.filter((object) => !isOwn(object)) };
      } catch (error) {
        left.push(...leftOf({ ...place, known: new Map() }, error));
        return { ...place, own: [], foreign: [] };
      }
    }),
  );
  return lists;
}

function isOver(objects: readonly KubeObject[], choice: Choice, now: number): boolean {
  switch (choice.kind) {
    case 'all':
      return true;
    case 'expired':
      return objects.every((object) => (expiryOf(object) ?? now) <= now);
    case 'older':
      return objects.every(
        ({ metadata }) => now - Date.parse(metadata.creationTimestamp ?? '') >= choice.seconds * 1000,
      );
  }
}
