/**
 * What the server demands of metadata, for every kind alike. Order and repetition of errors are upstream's: an update
 * looks at metadata up to three times, and each look lists its own errors. Source: apimachinery,
 * pkg/api/validation/objectmeta.go, pkg/apis/meta/v1/validation/validation.go; apiserver,
 * pkg/registry/rest/{create,update}.go; pkg/apis/core/validation/validation.go ValidateObjectMeta,
 * validateKubeFinalizerName.
 */
import { text } from '../../kubernetes/json.js';
import type { KubeObject, ObjectMeta, OwnerReference } from '../../kubernetes/objects.js';
import { goQuote } from '../go/text.js';
import type { FieldError, ResourceDefinition } from '../resource-definition.js';
import {
  at,
  child,
  forbiddenField,
  IMMUTABLE,
  invalidEach,
  invalidValue,
  NEGATIVE,
  required,
  tooLong,
} from './field-errors.js';
import { asName, byteLength, dnsLabel, dnsSubdomain, labelKey, labelValue, pathSegmentName } from './name-rules.js';

const ANNOTATIONS_LIMIT = 256 * 1024;
const MANAGER_LIMIT = 128;
const SUBRESOURCE_LIMIT = 256;
const STANDARD_FINALIZERS: readonly string[] = ['kubernetes', 'orphan', 'foregroundDeletion'];
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}\p{Zs}]/u;

type ValidateName = (name: string, prefix: boolean) => readonly string[];
const defaultName: ValidateName = asName(dnsSubdomain);

export function validateLabels(labels: Readonly<Record<string, string>> | undefined, field: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(labels ?? {})) {
    errors.push(...invalidEach(field, key, labelKey(key)), ...invalidEach(field, value, labelValue(value)));
  }
  return errors;
}

function validateAnnotations(annotations: Readonly<Record<string, string>> | undefined, field: string): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(annotations ?? {})) {
    errors.push(...invalidEach(field, key, labelKey(key.toLowerCase())));
    size += byteLength(key) + byteLength(value);
  }
  if (size > ANNOTATIONS_LIMIT) errors.push(tooLong(field, ANNOTATIONS_LIMIT));
  return errors;
}

/** As Go's %#v shows it; undefined where it holds pointers, of which nobody knows where they point. */
const ownerInGo = ({ apiVersion = '', kind = '', name, uid, ...pointers }: OwnerReference): string | undefined =>
  Object.keys(pointers).length > 0
    ? undefined
    : `v1.OwnerReference{APIVersion:${goQuote(apiVersion)}, Kind:${goQuote(kind)}, Name:${goQuote(name ?? '')}, ` +
      `UID:${goQuote(uid ?? '')}, Controller:(*bool)(nil), BlockOwnerDeletion:(*bool)(nil)}`;

function validateOwners(owners: readonly OwnerReference[], field: string): FieldError[] {
  const errors: FieldError[] = [];
  let controller = '';
  for (const owner of owners) {
    const apiVersion = owner.apiVersion ?? '';
    const slashes = apiVersion.split('/').length - 1;
    // schema.FromAPIVersionAndKind: an apiVersion with two slashes does not parse and loses its kind too
    const version = slashes === 0 ? apiVersion : slashes === 1 ? (apiVersion.split('/')[1] ?? '') : '';
    const kind = slashes > 1 ? '' : (owner.kind ?? '');
    if (version === '') errors.push(invalidValue(child(field, 'apiVersion'), apiVersion, 'version must not be empty'));
    if (kind === '' && slashes <= 1)
      errors.push(invalidValue(child(field, 'kind'), owner.kind ?? '', 'must not be empty'));
    if ((owner.name ?? '') === '') errors.push(invalidValue(child(field, 'name'), '', 'must not be empty'));
    if ((owner.uid ?? '') === '') errors.push(invalidValue(child(field, 'uid'), '', 'must not be empty'));
    if (apiVersion === 'v1' && owner.kind === 'Event')
      errors.push(invalidValue(field, owner, '/v1, Kind=Event is disallowed from being an owner', ownerInGo(owner)));
    if (owner.controller !== true) continue;
    const name = `${owner.kind ?? ''}/${owner.name ?? ''}`;
    if (controller === '') controller = name;
    else
      errors.push(
        invalidValue(
          field,
          owners,
          `Only one reference can have Controller set to true. Found "true" in references for ${controller} ` +
            `and ${name}`,
        ),
      );
  }
  return errors;
}

function validateFinalizers(finalizers: readonly string[], field: string): FieldError[] {
  const errors = finalizers.flatMap((finalizer) => invalidEach(field, finalizer, labelKey(finalizer)));
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion'))
    errors.push(invalidValue(field, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set'));
  return errors;
}

/** Finalizers without a domain must be of the few old ones. */
export function kubeFinalizer(finalizer: string, field: string): FieldError[] {
  if (finalizer.includes('/') || STANDARD_FINALIZERS.includes(finalizer)) return [];
  return [invalidValue(field, finalizer, 'name is neither a standard finalizer name nor is it fully qualified')];
}
const kubeFinalizers = (metadata: ObjectMeta): FieldError[] =>
  (metadata.finalizers ?? []).flatMap((finalizer, index) => kubeFinalizer(finalizer, at('metadata.finalizers', index)));

/** A field manager's name: at most 128 bytes, printable. Also for the fieldManager parameter. */
export function validateFieldManager(manager: string, field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (byteLength(manager) > MANAGER_LIMIT) errors.push(tooLong(field, MANAGER_LIMIT));
  let position = 0;
  for (const character of manager) {
    if (character !== ' ' && UNPRINTABLE.test(character)) {
      const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
      errors.push(invalidValue(field, manager, `invalid character ${code} (at position ${position})`));
    }
    position += byteLength(character);
  }
  return errors;
}

function validateManagedFields(entries: readonly unknown[], field: string): FieldError[] {
  return entries.flatMap((entry, index) => {
    const path = at(field, index);
    const { operation, fieldsType, manager, subresource } = (entry ?? {}) as Readonly<Record<string, unknown>>;
    const errors: FieldError[] = [];
    if (operation !== 'Apply' && operation !== 'Update')
      errors.push(invalidValue(child(path, 'operation'), text(operation), 'must be `Apply` or `Update`'));
    if (text(fieldsType) !== '' && fieldsType !== 'FieldsV1')
      errors.push(invalidValue(child(path, 'fieldsType'), fieldsType, 'must be `FieldsV1`'));
    errors.push(...validateFieldManager(text(manager), child(path, 'manager')));
    if (byteLength(text(subresource)) > SUBRESOURCE_LIMIT)
      errors.push(tooLong(child(path, 'subresource'), SUBRESOURCE_LIMIT));
    return errors;
  });
}

/** ValidateObjectMeta: what an object must satisfy when it is made. */
function creation(metadata: ObjectMeta, namespaced: boolean, name: ValidateName): FieldError[] {
  const errors: FieldError[] = [];
  const generateName = metadata.generateName ?? '';
  if (generateName !== '') errors.push(...invalidEach('metadata.generateName', generateName, name(generateName, true)));
  const own = metadata.name ?? '';
  if (own === '') errors.push(required('metadata.name', 'name or generateName is required'));
  else errors.push(...invalidEach('metadata.name', own, name(own, false)));
  const namespace = metadata.namespace ?? '';
  if (namespaced) {
    if (namespace === '') errors.push(required('metadata.namespace'));
    else errors.push(...invalidEach('metadata.namespace', namespace, dnsLabel(namespace)));
  } else if (namespace !== '') errors.push(forbiddenField('metadata.namespace', 'not allowed on this type'));
  if ((metadata.generation ?? 0) < 0) errors.push(invalidValue('metadata.generation', metadata.generation, NEGATIVE));
  return [
    ...errors,
    ...validateLabels(metadata.labels, 'metadata.labels'),
    ...validateAnnotations(metadata.annotations, 'metadata.annotations'),
    ...validateOwners(metadata.ownerReferences ?? [], 'metadata.ownerReferences'),
    ...validateFinalizers(metadata.finalizers ?? [], 'metadata.finalizers'),
    ...validateManagedFields(metadata.managedFields ?? [], 'metadata.managedFields'),
  ];
}

const FIXED = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const;
/** Go's text of a time. */
const timeOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? `${value.replace('T', ' ').replace('Z', '')} +0000 UTC` : undefined;

/** How Go prints the absent value of each. */
const absent = (field: (typeof FIXED)[number]): unknown =>
  field === 'name' || field === 'namespace' || field === 'uid' ? '' : null;

/** ValidateObjectMetaUpdate: what may not change, and what may only change into something valid. */
function change(metadata: ObjectMeta, old: ObjectMeta): FieldError[] {
  const errors: FieldError[] = [];
  if (old.deletionTimestamp !== undefined) {
    const added = [...new Set(metadata.finalizers ?? [])]
      .filter((finalizer) => !(old.finalizers ?? []).includes(finalizer))
      .sort();
    if (added.length > 0)
      errors.push(
        forbiddenField(
          'metadata.finalizers',
          'no new finalizers can be added if the object is being deleted, found new finalizers ' +
            `[]string{${added.map((name) => JSON.stringify(name)).join(', ')}}`,
        ),
      );
  }
  if ((metadata.resourceVersion ?? '') === '')
    errors.push(invalidValue('metadata.resourceVersion', '', 'must be specified for an update'));
  if ((metadata.generation ?? 0) < (old.generation ?? 0))
    errors.push(invalidValue('metadata.generation', metadata.generation ?? 0, 'must not be decremented'));
  for (const field of FIXED) {
    const value = metadata[field] ?? absent(field);
    if (value !== (old[field] ?? absent(field)))
      errors.push(
        invalidValue(`metadata.${field}`, value, IMMUTABLE, field.endsWith('Timestamp') ? timeOf(value) : undefined),
      );
  }
  errors.push(
    ...validateLabels(metadata.labels, 'metadata.labels'),
    ...validateAnnotations(metadata.annotations, 'metadata.annotations'),
    ...validateOwners(metadata.ownerReferences ?? [], 'metadata.ownerReferences'),
    ...validateManagedFields(metadata.managedFields ?? [], 'metadata.managedFields'),
  );
  return errors;
}

/** What the kind itself finds: in the object as it is, and in what an update changed. */
interface KindErrors {
  readonly own: readonly FieldError[];
  readonly changes: readonly FieldError[];
  /** All that is found in the object as it is stands there twice. */
  readonly twice?: boolean;
}
const NO_ERRORS: KindErrors = { own: [], changes: [] };

/**
 * All errors of an object's metadata in upstream's order. Those of the kind itself follow, on creation; with `old` it
 * is an update, and they stand where the kind's ValidateUpdate has them: its own after the rules of creation, what it
 * says of changes after those of the update. The caller has already put in place what the server itself sets (uid,
 * creationTimestamp, deletionTimestamp, generation of the old object).
 */
export function validateMetadata(
  definition: {
    readonly namespaced: boolean;
    readonly strategy: Pick<ResourceDefinition['strategy'], 'validateName' | 'metadataOnUpdate' | 'anyFinalizer'>;
  },
  object: KubeObject,
  old?: KubeObject,
  kind: KindErrors = NO_ERRORS,
): readonly FieldError[] {
  const { namespaced, strategy } = definition;
  const { metadata } = object;
  const finalizers = strategy.anyFinalizer === true ? [] : kubeFinalizers(metadata);
  const byKind = (): FieldError[] => [
    ...creation(
      metadata,
      namespaced,
      (name, prefix) => strategy.validateName?.(name, prefix) ?? defaultName(name, prefix),
    ),
    ...finalizers,
  ];
  // The common look at a new object comes after the kind's own and only where that was content: see
  // validateCommonMetadata.
  if (old === undefined) return strategy.metadataOnUpdate === 'common' ? [] : byKind();
  const changed = change(metadata, old.metadata);
  const common = [...creation(metadata, namespaced, pathSegmentName), ...changed];
  const created = (): FieldError[] => {
    const once = [...byKind(), ...kind.own];
    return kind.twice === true ? [...once, ...once] : once;
  };
  const updated = [...changed, ...finalizers, ...kind.changes];
  switch (strategy.metadataOnUpdate ?? 'update-create') {
    case 'common':
      return [...common, ...kind.changes, ...kind.own];
    case 'create':
      return [...common, ...created(), ...kind.changes];
    case 'update':
      return [...common, ...updated, ...kind.own];
    case 'create-update':
      return [...common, ...created(), ...updated];
    case 'update-create':
      return [...common, ...updated, ...created()];
  }
}

/**
 * What all kinds share on creation, asked once a kind's own validation has found nothing: names in a path are looked at
 * here where the kind itself takes any.
 */
export const validateCommonMetadata = (object: KubeObject, namespaced: boolean): FieldError[] =>
  creation(object.metadata, namespaced, pathSegmentName);
