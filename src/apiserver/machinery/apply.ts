/**
 * Server-side apply. Source: apimachinery, pkg/util/managedfields/internal/{fieldmanager,structuredmerge,conflict}.go;
 * structured-merge-diff, merge/update.go Apply.
 */
import { isDeepStrictEqual } from 'node:util';
import { isRecord, record, text } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import { rfc3339 } from '../clock.js';
import type { ResourceDefinition } from '../resource-definition.js';
import { ApiError } from '../types.js';
import { blank } from './blank.js';
import { badRequest, plainError } from './errors.js';
import { difference, intersection, isEmpty, union, withNamedParents } from './field-set.js';
import { compare, fieldsOf, merge, removeFields, typeFaults } from './field-walk.js';
import { apiVersion, type Machinery, type Scope, type Target } from './machinery.js';
import {
  conflictPaths,
  conflictsWith,
  identity,
  managerText,
  type Owners,
  type Ownership,
  readOwners,
  takeOver,
  tracked,
  trackedChanges,
  unmanaged,
  withOwners,
} from './managed-fields.js';
import { completeSchema } from './object-meta.js';
import { unstructuredFault } from './unstructured.js';

/** 409 that names every field and its manager. */
function conflictError(
  conflicts: readonly { readonly owner: Ownership; readonly paths: readonly string[] }[],
): ApiError {
  const count = conflicts.reduce((sum, { paths }) => sum + paths.length, 0);
  const [first] = conflicts;
  const sorted = [...conflicts].sort((a, b) => (managerText(a.owner) < managerText(b.owner) ? -1 : 1));
  const lines = sorted.flatMap(({ owner, paths }) => [
    `conflicts with ${managerText(owner)}:`,
    ...paths.map((path) => `- ${path}`),
  ]);
  const message =
    count === 1 && first !== undefined
      ? `Apply failed with 1 conflict: conflict with ${managerText(first.owner)}: ${first.paths[0]}`
      : `Apply failed with ${count} conflicts: ${lines.join('\n')}`;
  const causes = sorted.flatMap(({ owner, paths }) =>
    paths.map((field) => ({ reason: 'FieldManagerConflict', message: `conflict with ${managerText(owner)}`, field })),
  );
  return new ApiError(409, 'Conflict', message, { causes });
}

const gvk = (definition: ResourceDefinition): string =>
  `${definition.group}/${definition.version}, Kind=${definition.kind}`;

/** What cannot be an entry counts as none, and is told of as a value of a wrong type. Source: GetManagedFields. */
const isEntry = (value: unknown): boolean =>
  isRecord(value) &&
  ['manager', 'operation', 'apiVersion', 'fieldsType', 'subresource', 'time'].every((field) =>
    ['string', 'undefined'].includes(typeof value[field]),
  );

function checkConfig(target: Target, config: Readonly<Record<string, unknown>>): void {
  const { definition } = target;
  const meta = record(config.metadata);
  if (Array.isArray(meta.managedFields) && meta.managedFields.every(isEntry))
    throw badRequest('metadata.managedFields must be nil');
  const version = text(config.apiVersion);
  const kind = text(config.kind);
  if (version !== apiVersion(definition) || kind !== definition.kind)
    throw badRequest(`invalid object type: ${version.includes('/') ? version : `/${version}`}, Kind=${kind}`);
  const faults = typeFaults(completeSchema(definition.schema), config);
  if (faults.length === 0) return;
  const why = faults.length === 1 ? faults[0] : `errors:\n${faults.map((fault) => `  ${fault}`).join('\n')}`;
  throw plainError(`failed to create typed patch object (${placeOf(config, definition)}): ${why}`);
}

/** Where an object is and what it is, as errors of the library tell it. */
const placeOf = (object: Readonly<Record<string, unknown>>, definition: ResourceDefinition): string => {
  const { namespace, name } = record(object.metadata);
  return `${text(namespace)}/${text(name)}; ${gvk(definition)}`;
};

/** What is made of the configuration has to be such an object. Source: managedfields/internal/structuredmerge.go. */
function checkConversion(
  object: unknown,
  config: Readonly<Record<string, unknown>>,
  definition: ResourceDefinition,
): void {
  const fault = unstructuredFault(record(object), definition.schema);
  if (fault === undefined) return;
  const why = `unable to convert unstructured object to ${gvk(definition)}: ${fault}`;
  throw plainError(`failed to convert new object (${placeOf(config, definition)}) to proper version: ${why}`);
}

/**
 * Everything that an object without owners holds belongs to nobody in particular. Source:
 * managedfields/internal/skipnonapplied.go.
 */
function beforeFirstApply(machinery: Machinery, { definition }: Target, live: KubeObject, owners: Owners): void {
  const found = compare(completeSchema(definition.schema), blank(definition), unmanaged(live));
  const entry = {
    manager: 'before-first-apply',
    operation: 'Update',
    apiVersion: apiVersion(definition),
    subresource: '',
  } as const;
  const set = tracked(
    { definition, namespace: '', name: '', subresource: undefined },
    union(found.added, found.modified),
  );
  owners.set(identity(entry), { ...entry, time: rfc3339(machinery.clock.now()), set });
}

/**
 * What an apply makes of the live object (undefined: it is made), with its new owners; not yet validated.
 * @throws ApiError 400 for a configuration that cannot be one, 409 for fields of others that would change, 500 for
 * fields without a schema
 */
export function apply(
  { machinery, target, caller }: Scope,
  live: KubeObject | undefined,
  config: Readonly<Record<string, unknown>>,
  force: boolean,
): KubeObject {
  checkConfig(target, config);
  const { definition } = target;
  const schema = completeSchema(definition.schema);
  const before = live ?? blank(definition);
  const owners: Owners = readOwners(before.metadata.managedFields);
  const entry = {
    manager: caller.manager,
    operation: 'Apply',
    apiVersion: apiVersion(definition),
    subresource: target.subresource?.name ?? '',
  } as const;
  const self = identity(entry);
  if (live !== undefined && owners.size === 0) beforeFirstApply(machinery, target, live, owners);
  const last = owners.get(self);
  const applied = fieldsOf(schema, config);
  const set = tracked(target, applied);
  owners.set(self, { ...entry, set, time: last?.time });
  let wanted = merge(schema, before, config);
  if (last !== undefined && !isEmpty(last.set)) {
    // What the configuration says of its name is not tracked, and holds what lies around the name all the same.
    const owned = [...owners.values()].reduce((all, owner) => union(all, owner.set), applied);
    const dropped = difference(withNamedParents(last.set), withNamedParents(owned));
    wanted = removeFields(schema, wanted, intersection(withNamedParents(fieldsOf(schema, wanted)), dropped));
  }
  const object: KubeObject = { ...record(wanted), metadata: record(wanted).metadata ?? {} } as KubeObject;
  const all = compare(schema, before, object);
  const found = trackedChanges(target, all);
  const conflicts = conflictsWith(owners, self, found).map(({ owner, set: theirs }) => ({
    owner,
    paths: conflictPaths(theirs),
  }));
  if (conflicts.length > 0 && !force) throw conflictError(conflicts);
  checkConversion(wanted, config, definition);
  takeOver(owners, self, found);
  // the order of a list is of its value, whatever its items are found by
  const changed =
    live === undefined ||
    !isEmpty(union(union(all.added, all.modified), all.removed)) ||
    !isDeepStrictEqual(before, object);
  owners.set(self, { ...entry, set, time: changed ? rfc3339(machinery.clock.now()) : last?.time });
  return withOwners(object, owners);
}
