/**
 * The parts of a pod's spec that manifests get wrong: containers with their names and images, volumes and their
 * mounts, policies, the node. All else is taken as it comes: nothing runs pods here. Source:
 * pkg/apis/core/validation/validation.go ValidatePodSpec and what it calls.
 */

import { type Fields, records, text } from '../../kubernetes/json.js';
import {
  at,
  child,
  duplicate,
  forbiddenField,
  invalidEach,
  notFoundValue,
  notSupportedWord,
  required,
} from '../machinery/field-errors.js';
import { dnsLabel, dnsSubdomain } from '../machinery/name-rules.js';
import type { FieldError } from '../resource-definition.js';

/** A field that must be one of a few words: absent, unknown. */
function oneOf(field: string, value: unknown, allowed: readonly string[]): FieldError[] {
  if (text(value) === '') return [required(field)];
  return allowed.includes(text(value)) ? [] : [notSupportedWord(field, text(value), allowed)];
}

/** A name of its own in a list: given, a DNS label, not there yet. It is added to `names`. */
function ownName(entry: Fields, names: Set<string>, path: string): FieldError[] {
  const [name, field] = [text(entry.name), child(path, 'name')];
  const errors = name === '' ? [required(field)] : invalidEach(field, name, dnsLabel(name));
  if (names.has(name)) errors.push(duplicate(field, name));
  names.add(name);
  return errors;
}

function validateVolumes(volumes: readonly Fields[], names: Set<string>, field: string): FieldError[] {
  return volumes.flatMap((volume, index) => {
    const path = at(field, index);
    const [first, ...others] = Object.keys(volume).filter((key) => key !== 'name');
    return [
      ...(first === undefined ? [required(path, 'must specify a volume type')] : []),
      ...others.map((source) => forbiddenField(child(path, source), 'may not specify more than 1 volume type')),
      ...ownName(volume, names, path),
    ];
  });
}

function validateMounts(mounts: readonly Fields[], volumes: ReadonlySet<string>, field: string): FieldError[] {
  return mounts.flatMap((mount, index) => {
    const path = at(field, index);
    const name = text(mount.name);
    return [
      ...(name === '' ? [required(child(path, 'name'))] : []),
      ...(volumes.has(name) ? [] : [notFoundValue(child(path, 'name'), name)]),
      ...(text(mount.mountPath) === '' ? [required(child(path, 'mountPath'))] : []),
    ];
  });
}

const named = (spec: Fields, field: string, key: string): FieldError[] => {
  const value = text(spec[key]);
  return value === '' ? [] : invalidEach(child(field, key), value, dnsSubdomain(value));
};

/** The spec of a pod. `field` is its path ("spec"). */
export function validatePodSpec(spec: Fields, field: string): FieldError[] {
  const volumes = new Set<string>();
  const errors = validateVolumes(records(spec.volumes), volumes, child(field, 'volumes'));
  const names = new Set<string>();
  if (records(spec.containers).length === 0) errors.push(required(child(field, 'containers')));
  for (const kind of ['containers', 'initContainers']) {
    records(spec[kind]).forEach((container, index) => {
      const path = at(child(field, kind), index);
      errors.push(...ownName(container, names, path));
      if (text(container.image) === '') errors.push(required(child(path, 'image')));
      errors.push(...validateMounts(records(container.volumeMounts), volumes, child(path, 'volumeMounts')));
      const policies = ['Always', 'IfNotPresent', 'Never'];
      errors.push(...oneOf(child(path, 'imagePullPolicy'), container.imagePullPolicy, policies));
    });
  }
  return [
    ...errors,
    ...oneOf(child(field, 'restartPolicy'), spec.restartPolicy, ['Always', 'OnFailure', 'Never']),
    ...oneOf(child(field, 'dnsPolicy'), spec.dnsPolicy, ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']),
    ...named(spec, field, 'serviceAccountName'),
    ...named(spec, field, 'nodeName'),
    ...named(spec, field, 'priorityClassName'),
    ...named(spec, field, 'runtimeClassName'),
  ];
}
