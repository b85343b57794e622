/**
 * What access reviews refuse. Source: pkg/apis/authorization/validation/validation.go; apimachinery,
 * pkg/apis/meta/v1/validation/validation.go.
 */

import { goQuote } from '../../apiserver/go/text.js';
import { forbiddenField, invalidEach, invalidValue, required } from '../../apiserver/machinery/field-errors.js';
import { labelKey, labelValue } from '../../apiserver/machinery/name-rules.js';
import type { FieldError } from '../../apiserver/resource-definition.js';
import { type Fields, isRecord, list, record, records, text } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';

const NEEDS_VALUES = "must be specified when `operator` is 'In' or 'NotIn'";
const NO_VALUES = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";

/** Attributes as Go prints the internal type, whose fields have no JSON names. */
const internalNonResource = (attributes: unknown): unknown => {
  const { path, verb } = record(attributes);
  return { Path: text(path), Verb: text(verb) };
};

/** The same as Go's %#v shows it. */
const nonResourceInGo = ({ path, verb }: Fields): string =>
  `authorization.NonResourceAttributes{Path:${goQuote(text(path))}, Verb:${goQuote(text(verb))}}`;

function validateRequirements(requirements: readonly Fields[], path: string, labels: boolean): FieldError[] {
  return requirements.flatMap((requirement, index) => {
    const at = `${path}.requirements[${index}]`;
    const key = text(requirement.key);
    const values = list(requirement.values);
    const errors: FieldError[] = [];
    if (!labels && key === '') errors.push(required(`${at}.key`, 'must be specified'));
    // An operator that this server does not know may come from a newer client: it is left to the authorizer.
    if (['In', 'NotIn'].includes(text(requirement.operator)) && values.length === 0)
      errors.push(required(`${at}.values`, NEEDS_VALUES));
    if (['Exists', 'DoesNotExist'].includes(text(requirement.operator)) && values.length > 0)
      errors.push(forbiddenField(`${at}.values`, NO_VALUES));
    if (!labels) return errors;
    errors.push(...invalidEach(`${at}.key`, key, labelKey(key)));
    values.forEach((value, position) => {
      errors.push(...invalidEach(`${at}.values[${position}]`, value, labelValue(text(value))));
    });
    return errors;
  });
}

function validateSelector(selector: unknown, path: string, labels: boolean): FieldError[] {
  if (!isRecord(selector)) return [];
  const raw = text(selector.rawSelector);
  const requirements = records(selector.requirements);
  const errors: FieldError[] = [];
  if (raw !== '' && requirements.length > 0)
    errors.push(invalidValue(`${path}.rawSelector`, raw, 'may not specified at the same time as requirements'));
  if (raw === '' && requirements.length === 0) {
    errors.push(required(`${path}.requirements`, `when ${path} is specified, requirements or rawSelector is required`));
  }
  return [...errors, ...validateRequirements(requirements, path, labels)];
}

/** Metadata that may not be there, without managedFields, which the server itself adds. */
function givenMetadata(object: KubeObject, local: boolean): boolean {
  return Object.entries(object.metadata).some(([key, value]) => {
    if (
      key === 'managedFields' ||
      (local && key === 'namespace') ||
      value === null ||
      value === undefined ||
      value === ''
    )
      return false;
    return typeof value !== 'object' || Object.keys(value).length > 0;
  });
}

/** Keys in the order of Go's struct, which is that of its JSON. */
const META_ORDER = [
  'name',
  'generateName',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
] as const;
const ordered = (metadata: KubeObject['metadata']): unknown =>
  Object.fromEntries(
    META_ORDER.flatMap((key) => (metadata[key] === undefined || metadata[key] === null ? [] : [[key, metadata[key]]])),
  );

/** @param kind which of the three access reviews the object is */
export function validateAccessReview(
  object: KubeObject,
  kind: 'SubjectAccessReview' | 'LocalSubjectAccessReview' | 'SelfSubjectAccessReview',
): FieldError[] {
  const spec = record(object.spec);
  const { resourceAttributes, nonResourceAttributes } = spec;
  const resource = isRecord(resourceAttributes);
  const nonResource = isRecord(nonResourceAttributes);
  const errors: FieldError[] = [];
  if (resource && nonResource) {
    errors.push(
      invalidValue(
        'spec.nonResourceAttributes',
        internalNonResource(nonResourceAttributes),
        'cannot be specified in combination with resourceAttributes',
        nonResourceInGo(nonResourceAttributes),
      ),
    );
  }
  if (!resource && !nonResource) {
    errors.push(
      invalidValue(
        'spec.resourceAttributes',
        null,
        'exactly one of nonResourceAttributes or resourceAttributes must be specified',
      ),
    );
  }
  if (kind !== 'SelfSubjectAccessReview' && text(spec.user) === '' && list(spec.groups).length === 0) {
    errors.push(invalidValue('spec.user', '', 'at least one of user or group must be specified'));
  }
  if (resource) {
    errors.push(...validateSelector(resourceAttributes.fieldSelector, 'spec.resourceAttributes.fieldSelector', false));
    errors.push(...validateSelector(resourceAttributes.labelSelector, 'spec.resourceAttributes.labelSelector', true));
  }
  const local = kind === 'LocalSubjectAccessReview';
  if (givenMetadata(object, local))
    errors.push(
      invalidValue(
        'metadata',
        ordered(object.metadata),
        local ? 'must be empty except for namespace' : 'must be empty',
      ),
    );
  if (local && resource && text(resourceAttributes.namespace) !== (object.metadata.namespace ?? '')) {
    errors.push(
      invalidValue(
        'spec.resourceAttributes.namespace',
        text(resourceAttributes.namespace),
        'must match metadata.namespace',
      ),
    );
  }
  if (local && nonResource) {
    errors.push(
      invalidValue(
        'spec.nonResourceAttributes',
        internalNonResource(nonResourceAttributes),
        'disallowed on this kind of request',
        nonResourceInGo(nonResourceAttributes),
      ),
    );
  }
  return errors;
}
