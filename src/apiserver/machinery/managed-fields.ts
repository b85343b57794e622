/**
 * Who owns which field: metadata.managedFields on every create, update, patch and apply.
 * Source: apimachinery, pkg/util/managedfields; structured-merge-diff, merge/update.go.
 */

import { isRecord, text } from '../../kubernetes/json.js';
import type { Json, KubeObject, ObjectMeta } from '../../kubernetes/objects.js';
import { rfc3339 } from '../clock.js';
import { goQuote } from '../go/text.js';
import type { ResourceDefinition } from '../resource-definition.js';
import { blank } from './blank.js';
import {
  difference,
  EMPTY,
  type FieldNode,
  fromFieldsV1,
  intersection,
  isEmpty,
  paths,
  pathTree,
  prune,
  toFieldsV1,
  union,
} from './field-set.js';
import { type Comparison, compare } from './field-walk.js';
import { apiVersion, type Scope, type Target } from './machinery.js';
import { completeSchema } from './object-meta.js';

export interface Ownership {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
  readonly time: string | undefined;
  readonly set: FieldNode;
}

/** By identity: manager, operation, version (not of appliers) and subresource. */
export type Owners = Map<string, Ownership>;

export const identity = (of: Pick<Ownership, 'manager' | 'operation' | 'apiVersion' | 'subresource'>): string =>
  JSON.stringify([of.manager, of.operation, of.operation === 'Apply' ? '' : of.apiVersion, of.subresource]);

/** Fields that the server itself keeps. Source: managedfields/internal/stripmeta.go. */
const SYSTEM = [
  ['f:apiVersion'],
  ['f:kind'],
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => ['f:metadata', `f:${name}`]),
];
/** What an endpoint resets is not owned through it. Source: each strategy's GetResetFields. */
const UNTRACKED = {
  plain: pathTree(SYSTEM),
  besideStatus: pathTree([...SYSTEM, ['f:status']]),
  status: pathTree([...SYSTEM, ['f:spec']]),
  statusOfDeployment: pathTree([...SYSTEM, ['f:spec'], ['f:metadata', 'f:labels']]),
} as const;

const hasStatus = (definition: ResourceDefinition): boolean =>
  definition.subresources.some(({ kind, name }) => kind === 'part' && name === 'status');

/**
 * Of a certificate request, spec never changes and each subresource has a part of status. Source:
 * pkg/registry/certificates/certificates/strategy.go.
 */
const UNTRACKED_OF_REQUESTS: Readonly<Record<string, ReturnType<typeof pathTree>>> = {
  '': pathTree([...SYSTEM, ['f:spec'], ['f:status']]),
  status: pathTree([...SYSTEM, ['f:spec'], ['f:status', 'f:conditions']]),
  approval: pathTree([...SYSTEM, ['f:spec'], ['f:status', 'f:certificate']]),
};

function untrackedBy({ definition, subresource }: Target): ReturnType<typeof pathTree> {
  const name = subresource?.name ?? '';
  if (definition.resource === 'certificatesigningrequests') return UNTRACKED_OF_REQUESTS[name] ?? UNTRACKED.plain;
  if (name === 'status') return definition.resource === 'deployments' ? UNTRACKED.statusOfDeployment : UNTRACKED.status;
  return hasStatus(definition) ? UNTRACKED.besideStatus : UNTRACKED.plain;
}

/** A set without what its endpoint does not track. */
export function tracked(target: Target, set: FieldNode): FieldNode {
  const left = prune(set, untrackedBy(target));
  const meta = left.children.get('f:metadata');
  return meta?.member === true && meta.children.size === 0 ? prune(left, METADATA) : left;
}
const METADATA = pathTree([['f:metadata']]);

/** What changed of what an endpoint changes: what it resets stays with its owners. */
export const trackedChanges = (target: Target, { added, modified, removed }: Comparison): Comparison => ({
  added: tracked(target, added),
  modified: tracked(target, modified),
  removed: tracked(target, removed),
});

export function readOwners(managed: ObjectMeta['managedFields']): Owners {
  const owners: Owners = new Map();
  for (const entry of managed ?? []) {
    if (!isRecord(entry)) continue;
    const { operation, time } = entry;
    if ((operation !== 'Apply' && operation !== 'Update') || entry.fieldsType !== 'FieldsV1') return new Map();
    const owner: Ownership = {
      manager: text(entry.manager),
      operation,
      apiVersion: text(entry.apiVersion),
      subresource: text(entry.subresource),
      time: typeof time === 'string' ? time : undefined,
      set: fromFieldsV1(entry.fieldsV1),
    };
    owners.set(identity(owner), owner);
  }
  return owners;
}

const rank = (owner: Ownership): string =>
  [owner.operation, owner.time ?? '', owner.manager, owner.apiVersion, owner.subresource].join('\u0000');

function writeOwners(owners: Owners): Json[] {
  return [...owners.values()]
    .filter(({ set }) => !isEmpty(set))
    .sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
    .map((owner) => ({
      manager: owner.manager,
      operation: owner.operation,
      apiVersion: owner.apiVersion,
      ...(owner.time === undefined ? {} : { time: owner.time }),
      fieldsType: 'FieldsV1',
      fieldsV1: toFieldsV1(owner.set) as Json,
      ...(owner.subresource === '' ? {} : { subresource: owner.subresource }),
    }));
}

/** An object with these owners in its metadata. */
export function withOwners(object: KubeObject, owners: Owners): KubeObject {
  const { managedFields: _old, ...metadata } = object.metadata;
  const managedFields = writeOwners(owners);
  return { ...object, metadata: managedFields.length === 0 ? metadata : { ...metadata, managedFields } };
}

/** The most managers that update; the oldest beyond that become one. Source: managedfields/internal/capmanagers.go. */
const MOST_UPDATERS = 10;
function cap(owners: Owners): Owners {
  if (owners.size <= MOST_UPDATERS) return owners;
  const updaters = [...owners.values()]
    .filter(({ operation }) => operation === 'Update')
    .sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
  if (updaters.length <= MOST_UPDATERS) return owners;
  const merged = updaters.slice(0, updaters.length - MOST_UPDATERS + 1);
  for (const owner of merged) owners.delete(identity(owner));
  const last = merged.at(-1);
  if (last === undefined) return owners;
  const ancient: Ownership = {
    ...last,
    manager: 'ancient-changes',
    subresource: '',
    set: merged.reduce((set, owner) => union(set, owner.set), EMPTY),
  };
  owners.set(identity(ancient), ancient);
  return owners;
}

/** What a change takes from the other managers. `conflicts` is theirs where the values differ. */
export function conflictsWith(
  owners: Owners,
  self: string,
  found: Comparison,
): { readonly owner: Ownership; readonly set: FieldNode }[] {
  const changed = union(found.modified, found.added);
  return [...owners]
    .filter(([key]) => key !== self)
    .map(([, owner]) => ({ owner, set: intersection(owner.set, changed) }))
    .filter(({ set }) => !isEmpty(set));
}

/** Takes what changed or went away from everybody else. */
export function takeOver(owners: Owners, self: string, found: Comparison): void {
  const lost = union(union(found.modified, found.added), found.removed);
  for (const [key, owner] of owners) if (key !== self) owners.set(key, { ...owner, set: difference(owner.set, lost) });
}

export function managerText({ manager, operation, apiVersion: version, subresource }: Ownership): string {
  const name = subresource === '' ? goQuote(manager) : `${goQuote(manager)} with subresource ${goQuote(subresource)}`;
  return operation === 'Update' ? `${name} using ${version}` : name;
}

/** Source: managedfields/internal/conflict.go. */
export const conflictPaths = (set: FieldNode): string[] => paths(set);

/** A list without entries, or with an empty one, lets go of all fields. Source: managedfields/internal/fieldmanager.go. */
const isReset = (given: readonly unknown[]): boolean =>
  given.length === 0 || (given.length === 1 && isRecord(given[0]) && Object.keys(given[0]).length === 0);

/** The owners to start from: those that the request itself names, else those of the live object. */
function startingOwners(target: Target, live: KubeObject | undefined, object: KubeObject): Owners {
  const given = object.metadata.managedFields;
  if (given !== undefined && target.subresource === undefined) {
    if (isReset(given)) return new Map();
    const owners = readOwners(given);
    if (owners.size > 0) return convertible(target, owners);
  }
  return convertible(target, readOwners(live?.metadata.managedFields));
}

/** Without those whose fields are of a version of another group, which nothing converts. Source: structuredmerge.go. */
function convertible({ definition }: Target, owners: Owners): Owners {
  const groupOf = (version: string): string => version.split('/').slice(0, -1).join('/');
  return new Map([...owners].filter(([, owner]) => groupOf(owner.apiVersion) === definition.group));
}

export const unmanaged = (object: KubeObject): KubeObject => {
  const { managedFields: _managed, ...metadata } = object.metadata;
  return { ...object, metadata };
};

/** Records what a create (no `live`), an update or a patch changed. */
export function trackUpdate(
  { machinery, target, caller }: Scope,
  live: KubeObject | undefined,
  object: KubeObject,
): KubeObject {
  const schema = completeSchema(target.definition.schema);
  const owners = startingOwners(target, live, object);
  // Who took all owners away is left in peace until somebody applies. Source: managedfields/internal/skipnonapplied.go.
  if (live !== undefined && owners.size === 0) return unmanaged(object);
  const before = live === undefined ? blank(target.definition) : unmanaged(live);
  const found = trackedChanges(target, compare(schema, before, unmanaged(object)));
  const entry = {
    manager: caller.manager,
    operation: 'Update',
    apiVersion: apiVersion(target.definition),
    subresource: target.subresource?.name ?? '',
  } as const;
  const self = identity(entry);
  const taken = union(found.modified, found.added);
  takeOver(owners, self, found);
  const mine = owners.get(self);
  const set = union(difference(mine?.set ?? EMPTY, found.removed), taken);
  if (!isEmpty(taken) || mine !== undefined) {
    owners.set(self, { ...entry, set, time: isEmpty(taken) ? mine?.time : rfc3339(machinery.clock.now()) });
  }
  return withOwners(object, cap(owners));
}
