/**
 * Counts what is left out of the judgement because it is of joinproof's making, and what runs that were killed have
 * left behind.
 */
import type { KubeObject } from '../kubernetes/objects.js';
import { type Onlooker, ownership, runOf } from '../kubernetes/own-objects.js';
import type { Resource } from '../kubernetes/resources.js';
import type { OwnObjectsSeen } from '../model/report.js';

/** Names that are kept, to count each object once. */
const MOST = 1_000;
/** Names that are told. */
const EXAMPLES = 10;

export class OwnObjects {
  readonly #others = new Set<string>();
  readonly #expired = new Set<string>();

  /** Is it the cluster's? */
  isForeign(resource: Resource, object: KubeObject, onlooker: Onlooker): boolean {
    const whose = ownership(resource, object, onlooker);
    if (whose === 'foreign') return true;
    const names = whose === 'expired' ? this.#expired : this.#others;
    const { namespace, name } = object.metadata;
    if (runOf(object) !== onlooker.run && names.size < MOST)
      names.add(`${resource.kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`);
    return whose === 'expired';
  }

  /** undefined: none but those of this run. */
  get seen(): OwnObjectsSeen | undefined {
    if (this.#others.size + this.#expired.size === 0) return undefined;
    const of = (names: ReadonlySet<string>): OwnObjectsSeen['leftOut'] => ({
      count: names.size,
      examples: [...names].sort().slice(0, EXAMPLES),
    });
    return { leftOut: of(this.#others), leftBehind: of(this.#expired) };
  }
}
