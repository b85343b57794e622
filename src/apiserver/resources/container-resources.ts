/** Quantities that containers ask for. Source: pkg/apis/core/validation/validation.go, pkg/apis/core/helper/helpers.go. */

import { type Fields, record } from '../../kubernetes/json.js';
import { formatQuantity, parseQuantity } from '../go/quantity.js';
import { at, child, invalidEach, invalidValue, NEGATIVE } from '../machinery/field-errors.js';
import { labelKey } from '../machinery/name-rules.js';
import type { FieldError } from '../types.js';

const CONTAINER_RESOURCES: readonly string[] = ['cpu', 'memory', 'ephemeral-storage'];
const STANDARD_RESOURCES: readonly string[] = [
  ...CONTAINER_RESOURCES.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
  ...[
    'pods',
    'resourcequotas',
    'services',
    'replicationcontrollers',
    'secrets',
    'configmaps',
    'persistentvolumeclaims',
    'storage',
    'requests.storage',
  ],
  ...['services.nodeports', 'services.loadbalancers'],
];
const isHugePages = (name: string): boolean => name.startsWith('hugepages-');

function validateResourceName(name: string, field: string): FieldError[] {
  const errors = invalidEach(field, name, labelKey(name));
  if (name.includes('/')) return errors;
  if (errors.length === 0 && !STANDARD_RESOURCES.includes(name) && !isHugePages(name.replace(/^requests\./, '')))
    errors.push(invalidValue(field, name, 'must be a standard resource type or fully qualified'));
  if (!CONTAINER_RESOURCES.includes(name) && !isHugePages(name))
    errors.push(invalidValue(field, name, 'must be a standard resource for containers'));
  return errors;
}

/** Requests and limits of a container. Source: validateResourceRequirements, ValidateContainerResourceName. */
export function validateResources(resources: Fields, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const limits = record(resources.limits);
  for (const kind of ['limits', 'requests'] as const) {
    for (const [name, value] of Object.entries(record(resources[kind]))) {
      const path = at(child(field, kind), name);
      errors.push(...validateResourceName(name, path));
      const quantity = parseQuantity(String(value));
      if (quantity === undefined) continue;
      if (quantity.nano < 0n) errors.push(invalidValue(path, formatQuantity(quantity), NEGATIVE));
      const limit = limits[name] === undefined ? undefined : parseQuantity(String(limits[name]));
      if (kind === 'requests' && limit !== undefined && quantity.nano > limit.nano)
        errors.push(
          invalidValue(
            child(field, 'requests'),
            formatQuantity(quantity),
            `must be less than or equal to ${name} limit of ${formatQuantity(limit)}`,
          ),
        );
    }
  }
  return errors;
}
