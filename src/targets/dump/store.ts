/** The objects of a dump, read as a server's are. What a dump does not show is not taken for absent. */
import type { KubeObject } from '../../kubernetes/objects.js';
import { apiVersionOf, groupOf, type Resource } from '../../kubernetes/resources.js';
import { NotInDump } from '../errors.js';
import type { Keep, ListOptions, ObjectReader } from '../types.js';
import type { Found } from './documents.js';

const keyOf = ({ group, kind }: Pick<Resource, 'group' | 'kind'>): string => `${group}/${kind}`;

/** So many kinds of several namespaces show how the others were asked for. */
const SEVERAL = 3;

interface Kind {
  /** By namespace and name; of the same object the last one counts. */
  readonly objects: Map<string, KubeObject>;
  /** Namespaces of which a list was seen. */
  readonly listed: Set<string>;
  /** Some list was of all namespaces. */
  everywhere: boolean;
}

export class DumpStore implements ObjectReader {
  readonly #kinds = new Map<string, Kind>();

  constructor(found: readonly Found[]) {
    for (const { object, listed, everywhere = false } of found) {
      const key = keyOf({ group: groupOf(object.apiVersion ?? ''), kind: object.kind ?? '' });
      const kind = this.#kinds.get(key) ?? { objects: new Map(), listed: new Set(), everywhere: false };
      this.#kinds.set(key, kind);
      const { namespace = '', name = '' } = object.metadata;
      kind.objects.set(`${namespace}/${name}`, object);
      if (listed) kind.listed.add(namespace);
      if (everywhere) kind.everywhere = true;
    }
    this.#takeSomeForAll();
  }

  /** Who has listed several kinds in all namespaces has listed the others so, though they are in one of them alone. */
  #takeSomeForAll(): void {
    const kinds = [...this.#kinds.values()];
    if (kinds.filter(({ listed }) => listed.size > 1).length < SEVERAL) return;
    for (const kind of kinds) if (kind.listed.size > 0) kind.everywhere = true;
  }

  async get<T extends KubeObject>(resource: Resource, name: string, namespace = ''): Promise<T | undefined> {
    const kind = this.#kinds.get(keyOf(resource));
    const found = kind?.objects.get(`${namespace}/${name}`);
    if (found !== undefined) return found as T;
    if (kind === undefined || !shows(kind, namespace)) throw lacking(resource, namespace);
    return undefined;
  }

  list<T extends KubeObject>(resource: Resource, options?: ListOptions): Promise<T[]>;
  list<T>(resource: Resource, options: ListOptions, keep: Keep<T>): Promise<T[]>;
  async list<T>(resource: Resource, options: ListOptions = {}, keep: Keep<T> = (object) => object as T): Promise<T[]> {
    const { namespace, labelSelector = '', fieldSelector = '', whole = false } = options;
    const kind = this.#kinds.get(keyOf(resource));
    const inside = [...(kind?.objects.values() ?? [])].filter(
      (object) => namespace === undefined || object.metadata.namespace === namespace,
    );
    const isTold = (one: Kind): boolean =>
      whole ? holdsAll(one, resource, namespace ?? '') : inside.length > 0 || shows(one, namespace ?? '');
    if (kind === undefined || !isTold(kind)) throw lacking(resource, namespace ?? '');
    return inside
      .filter((object) => hasLabels(object, labelSelector) && hasFields(object, fieldSelector))
      .map(keep)
      .filter((kept) => kept !== undefined);
  }
}

/** Lists of several namespaces are taken for one of all. */
const shows = ({ listed, everywhere }: Kind, namespace: string): boolean =>
  everywhere || listed.has(namespace) || listed.size > 1 || (namespace === '' && listed.size > 0);

/** A list of one namespace may have been asked for as such. */
const holdsAll = (kind: Kind, { namespaced }: Resource, namespace: string): boolean =>
  shows(kind, namespace) && (namespace !== '' || !namespaced || kind.everywhere || kind.listed.size > 1);

const lacking = (resource: Resource, namespace: string): NotInDump =>
  new NotInDump(
    `the dump holds no list of ${resource.resource}${resource.group === '' ? '' : `.${resource.group}`}${namespace === '' ? '' : ` of the namespace ${namespace}`} (${apiVersionOf(resource)})`,
  );

/** "key=value,other!=value": what joinproof asks with. */
const pairs = (selector: string): readonly (readonly [key: string, value: string, same: boolean])[] =>
  selector
    .split(',')
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.indexOf('=');
      const same = part[at - 1] !== '!';
      return [part.slice(0, same ? at : at - 1), part.slice(at + 1), same] as const;
    });

const hasLabels = ({ metadata }: KubeObject, selector: string): boolean =>
  pairs(selector).every(([key, value, same]) => (metadata.labels?.[key] === value) === same);

/** A path of members, "metadata.name" or "type". */
const hasFields = (object: KubeObject, selector: string): boolean =>
  pairs(selector).every(([path, value, same]) => {
    let at: unknown = object;
    for (const member of path.split('.'))
      at = typeof at === 'object' && at !== null ? (at as Readonly<Record<string, unknown>>)[member] : undefined;
    return (at === value) === same;
  });
