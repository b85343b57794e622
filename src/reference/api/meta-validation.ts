/**
 * Validation of metadata, for every kind alike. Source: apimachinery, pkg/api/validation/objectmeta.go, pkg/apis/meta/v1/validation/validation.go;
 * the finalizer rule that names an index: pkg/apis/core/validation/validation.go ValidateFinalizerName.
 */
import { isDeepStrictEqual } from 'node:util';
import type { KubeObject, ObjectMeta } from '../../kubernetes/objects.js';
import type { FieldError, ResourceDefinition } from '../types.js';
import { goJson, goQuote, goStrings } from './go-text.js';
import { dnsLabelFaults, labelKeyFaults, labelValueFaults, pathSegmentFaults, subdomainName } from './names.js';

export const invalidValue = (field: string, value: unknown, detail: string): FieldError => {
  const shown = typeof value === 'string' ? goQuote(value) : goJson(value);
  return { type: 'Invalid', field, body: `Invalid value: ${shown}: ${detail}` };
};
const required = (field: string, detail: string): FieldError => ({
  type: 'Required',
  field,
  body: detail === '' ? 'Required value' : `Required value: ${detail}`,
});
export const forbiddenField = (field: string, detail: string): FieldError => ({ type: 'Forbidden', field, body: `Forbidden: ${detail}` });
export const notSupported = (field: string, value: unknown, supported: readonly string[]): FieldError => {
  const shown = typeof value === 'string' ? goQuote(value) : goJson(value);
  return { type: 'NotSupported', field, body: `Unsupported value: ${shown}: supported values: ${supported.map(goQuote).join(', ')}` };
};
export const tooLongField = (field: string, limit: number): FieldError => ({ type: 'TooLong', field, body: `Too long: may not be more than ${limit} bytes` });

const ANNOTATIONS_LIMIT = 256 * 1024;
const STANDARD_FINALIZERS = new Set(['kubernetes', 'orphan', 'foregroundDeletion', 'kubernetes.io/pvc-protection', 'kubernetes.io/pv-protection']);

function labels(values: ObjectMeta['labels'], field: string): FieldError[] {
  if (values === undefined) return [];
  return Object.entries(values).flatMap(([key, value]) => [
    ...labelKeyFaults(key).map((fault) => invalidValue(field, key, fault)),
    ...labelValueFaults(value).map((fault) => invalidValue(field, value, fault)),
  ]);
}

function annotations(values: ObjectMeta['annotations'], field: string): FieldError[] {
  if (values === undefined) return [];
  let size = 0;
  const errors = Object.entries(values).flatMap(([key, value]) => {
    size += Buffer.byteLength(key) + Buffer.byteLength(value);
    return labelKeyFaults(key.toLowerCase()).map((fault) => invalidValue(field, key, fault));
  });
  return size > ANNOTATIONS_LIMIT ? [...errors, tooLongField(field, ANNOTATIONS_LIMIT)] : errors;
}

function owners(references: ObjectMeta['ownerReferences'], field: string): FieldError[] {
  const errors: FieldError[] = [];
  let controller = '';
  for (const reference of references ?? []) {
    // The element's own index is not printed: upstream passes the list's path on.
    const version = (reference.apiVersion ?? '').split('/').at(-1) ?? '';
    if (version === '') errors.push(invalidValue(`${field}.apiVersion`, reference.apiVersion ?? '', 'version must not be empty'));
    if ((reference.kind ?? '') === '') errors.push(invalidValue(`${field}.kind`, '', 'must not be empty'));
    if ((reference.name ?? '') === '') errors.push(invalidValue(`${field}.name`, '', 'must not be empty'));
    if ((reference.uid ?? '') === '') errors.push(invalidValue(`${field}.uid`, '', 'must not be empty'));
    if (reference.apiVersion === 'v1' && reference.kind === 'Event') {
      errors.push(invalidValue(field, reference, '/v1, Kind=Event is disallowed from being an owner'));
    }
    if (reference.controller !== true) continue;
    const current = `${reference.kind}/${reference.name}`;
    if (controller !== '') {
      const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${current}`;
      errors.push(invalidValue(field, references, detail));
    } else controller = current;
  }
  return errors;
}

function finalizers(names: ObjectMeta['finalizers'], field: string): FieldError[] {
  if (names === undefined) return [];
  const errors = names.flatMap((name) => labelKeyFaults(name).map((fault) => invalidValue(field, name, fault)));
  if (names.includes('orphan') && names.includes('foregroundDeletion')) {
    errors.push(invalidValue(field, names, 'finalizer orphan and foregroundDeletion cannot be both set'));
  }
  names.forEach((name, index) => {
    if (!name.includes('/') && !STANDARD_FINALIZERS.has(name)) {
      errors.push(invalidValue(`${field}[${index}]`, name, 'name is neither a standard finalizer name nor is it fully qualified'));
    }
  });
  return errors;
}

/** Whether a field manager's name is fit. Source: ValidateFieldManager. */
export function fieldManager(manager: string, field: string): FieldError[] {
  const errors: FieldError[] = Buffer.byteLength(manager) > 128 ? [tooLongField(field, 128)] : [];
  let position = 0;
  for (const character of manager) {
    if (character !== ' ' && /[\p{C}\p{Z}]/u.test(character)) {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      errors.push(invalidValue(field, manager, `invalid character U+${code} (at position ${position})`));
    }
    position += Buffer.byteLength(character);
  }
  return errors;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

function managed(entries: ObjectMeta['managedFields'], field: string): FieldError[] {
  return (entries ?? []).flatMap((entry, index) => {
    if (!isRecord(entry)) return [];
    const at = `${field}[${index}]`;
    const operation = entry.operation ?? '';
    return [
      ...(operation === 'Apply' || operation === 'Update' ? [] : [invalidValue(`${at}.operation`, operation, 'must be `Apply` or `Update`')]),
      ...(entry.fieldsType === undefined || entry.fieldsType === 'FieldsV1' ? [] : [invalidValue(`${at}.fieldsType`, entry.fieldsType, 'must be `FieldsV1`')]),
      ...(typeof entry.manager === 'string' ? fieldManager(entry.manager, `${at}.manager`) : []),
    ];
  });
}

const common = (meta: ObjectMeta): FieldError[] => [
  ...labels(meta.labels, 'metadata.labels'),
  ...annotations(meta.annotations, 'metadata.annotations'),
  ...owners(meta.ownerReferences, 'metadata.ownerReferences'),
];

const plain = (meta: ObjectMeta): boolean =>
  meta.labels === undefined && meta.annotations === undefined && meta.ownerReferences === undefined && meta.finalizers === undefined;

/** Metadata of a new object, name included. */
export function validateMeta(object: KubeObject, definition: ResourceDefinition): FieldError[] {
  const meta = object.metadata;
  const nameFaults = definition.strategy.validateName ?? subdomainName;
  const errors: FieldError[] = [];
  const generate = meta.generateName ?? '';
  if (generate !== '') errors.push(...nameFaults(generate, true).map((fault) => invalidValue('metadata.generateName', generate, fault)));
  const name = meta.name ?? '';
  if (name === '') errors.push(required('metadata.name', 'name or generateName is required'));
  else
    errors.push(
      ...[...new Set([...nameFaults(name, false), ...pathSegmentFaultsOnly(name, nameFaults)])].map((fault) => invalidValue('metadata.name', name, fault)),
    );
  if (definition.namespaced) {
    const namespace = meta.namespace ?? '';
    if (namespace === '') errors.push(required('metadata.namespace', ''));
    else errors.push(...dnsLabelFaults(namespace).map((fault) => invalidValue('metadata.namespace', namespace, fault)));
  } else if ((meta.namespace ?? '') !== '') errors.push(forbiddenField('metadata.namespace', 'not allowed on this type'));
  if ((meta.generation ?? 0) < 0) errors.push(invalidValue('metadata.generation', meta.generation, 'must be greater than or equal to 0'));
  if (plain(meta)) return errors;
  return [...errors, ...common(meta), ...finalizers(meta.finalizers, 'metadata.finalizers'), ...managed(meta.managedFields, 'metadata.managedFields')];
}

/** The check of path segments comes second upstream and only speaks where the kind's own check was content. */
const pathSegmentFaultsOnly = (name: string, own: (name: string, prefix: boolean) => readonly string[]): string[] =>
  own(name, false).length === 0 ? pathSegmentFaults(name) : [];

const IMMUTABLE = ['name', 'namespace', 'uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const;

/** Metadata of a change. */
export function validateMetaUpdate(object: KubeObject, old: KubeObject): FieldError[] {
  const meta = object.metadata;
  const before = old.metadata;
  const errors: FieldError[] = [];
  if (before.deletionTimestamp !== undefined) {
    const extra = (meta.finalizers ?? []).filter((name) => !(before.finalizers ?? []).includes(name)).sort();
    if (extra.length > 0) {
      const detail = `no new finalizers can be added if the object is being deleted, found new finalizers ${goStrings(extra)}`;
      errors.push(forbiddenField('metadata.finalizers', detail));
    }
  }
  if ((meta.resourceVersion ?? '') === '') errors.push(invalidValue('metadata.resourceVersion', '', 'must be specified for an update'));
  if ((meta.generation ?? 0) < (before.generation ?? 0)) errors.push(invalidValue('metadata.generation', meta.generation ?? 0, 'must not be decremented'));
  for (const field of IMMUTABLE) {
    if (!isDeepStrictEqual(meta[field], before[field]))
      errors.push(invalidValue(`metadata.${field}`, meta[field] ?? (field === 'uid' || field === 'name' ? '' : null), 'field is immutable'));
  }
  if (meta.labels !== before.labels || meta.annotations !== before.annotations || meta.ownerReferences !== before.ownerReferences) errors.push(...common(meta));
  errors.push(...managed(meta.managedFields, 'metadata.managedFields'));
  return errors;
}
