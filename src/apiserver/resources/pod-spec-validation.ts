/**
 * The parts of a pod's spec that manifests get wrong: names, images, ports, variables, mounts, quantities, policies. Rarer structs (affinity, security
 * contexts, Windows options, dynamic resources) are taken as they come. Source: pkg/apis/core/validation/validation.go ValidatePodSpec and what it calls.
 */

import { count, type Fields, isRecord, record, records, text, textMap } from '../../kubernetes/json.js';
import {
  at,
  child,
  duplicate,
  forbiddenField,
  invalidEach,
  invalidValue,
  NEGATIVE,
  notFoundValue,
  notSupported,
  required,
} from '../machinery/field-errors.js';
import { validateLabels } from '../machinery/metadata-validation.js';
import {
  configKey,
  dnsLabel,
  dnsSubdomain,
  envName,
  inRange,
  labelKey,
  labelValue,
  portName,
  portNumber,
} from '../machinery/name-rules.js';
import type { FieldError } from '../types.js';
import { validateResources } from './container-resources.js';

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'] as const;
const MAX_INT32 = 2147483647;

/** A field that must be one of a few words: absent, unknown. */
function oneOf(field: string, value: unknown, allowed: readonly string[]): FieldError[] {
  if (text(value) === '') return [required(field)];
  return allowed.includes(text(value)) ? [] : [notSupported(field, text(value), allowed)];
}

export const nonNegative = (field: string, value: unknown): FieldError[] =>
  count(value) < 0 ? [invalidValue(field, value, NEGATIVE)] : [];

function validatePorts(ports: readonly Fields[], field: string): FieldError[] {
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const path = at(field, index);
    const name = text(port.name);
    const errors: FieldError[] = [];
    if (name !== '') {
      const faults = portName(name);
      if (faults.length > 0) errors.push(...invalidEach(child(path, 'name'), name, faults));
      else if (names.has(name)) errors.push(duplicate(child(path, 'name'), name));
      else names.add(name);
    }
    const number = count(port.containerPort);
    if (number === 0) errors.push(required(child(path, 'containerPort')));
    else errors.push(...invalidEach(child(path, 'containerPort'), number, portNumber(number)));
    if (count(port.hostPort) !== 0)
      errors.push(...invalidEach(child(path, 'hostPort'), port.hostPort, portNumber(count(port.hostPort))));
    return [...errors, ...oneOf(child(path, 'protocol'), port.protocol, PROTOCOLS)];
  });
}

const SOURCES = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'] as const;

function validateKeyRef(ref: unknown, field: string): FieldError[] {
  const { key } = record(ref);
  return text(key) === ''
    ? [required(child(field, 'key'))]
    : invalidEach(child(field, 'key'), text(key), configKey(text(key)));
}

function validateValueFrom(variable: Fields, field: string): FieldError[] {
  if (!isRecord(variable.valueFrom)) return [];
  const from = variable.valueFrom;
  const errors: FieldError[] = [];
  for (const source of ['configMapKeyRef', 'secretKeyRef'])
    if (isRecord(from[source])) errors.push(...validateKeyRef(from[source], child(field, source)));
  const given = SOURCES.filter((source) => isRecord(from[source])).length;
  if (given === 0)
    errors.push(
      invalidValue(
        field,
        '',
        'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
      ),
    );
  else if (text(variable.value) !== '')
    errors.push(invalidValue(field, '', 'may not be specified when `value` is not empty'));
  else if (given > 1) errors.push(invalidValue(field, '', 'may not have more than one field specified at a time'));
  return errors;
}

const validateEnv = (variables: readonly Fields[], field: string): FieldError[] =>
  variables.flatMap((variable, index) => {
    const path = at(field, index);
    const name = text(variable.name);
    return [
      ...(name === '' ? [required(child(path, 'name'))] : invalidEach(child(path, 'name'), name, envName(name))),
      ...validateValueFrom(variable, child(path, 'valueFrom')),
    ];
  });

function validateMounts(mounts: readonly Fields[], volumes: ReadonlySet<string>, field: string): FieldError[] {
  const paths = new Set<string>();
  return mounts.flatMap((mount, index) => {
    const path = at(field, index);
    const [name, mountPath] = [text(mount.name), text(mount.mountPath)];
    const errors: FieldError[] = [];
    if (name === '') errors.push(required(child(path, 'name')));
    if (!volumes.has(name)) errors.push(notFoundValue(child(path, 'name'), name));
    if (mountPath === '') errors.push(required(child(path, 'mountPath')));
    if (paths.has(mountPath)) errors.push(invalidValue(child(path, 'mountPath'), mountPath, 'must be unique'));
    paths.add(mountPath);
    for (const sub of ['subPath', 'subPathExpr']) {
      const value = text(mount[sub]);
      // Upstream names the list here, not the entry.
      if (value.startsWith('/')) errors.push(invalidValue(child(field, sub), value, 'must be a relative path'));
      if (value.split('/').includes('..')) errors.push(invalidValue(child(field, sub), value, "must not contain '..'"));
    }
    return errors;
  });
}

const PROBE_NUMBERS = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
] as const;
const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc'] as const;

/** A port by number or by its name in the container. Source: validation.go ValidatePortNumOrName. */
const validatePortOrName = (port: unknown, field: string): FieldError[] =>
  typeof port === 'string'
    ? invalidEach(field, port, portName(port))
    : invalidEach(field, count(port), portNumber(count(port)));

function validateProbe(probe: unknown, field: string, single: boolean): FieldError[] {
  if (!isRecord(probe)) return [];
  const errors: FieldError[] = [];
  const handlers = HANDLERS.filter((handler) => isRecord(probe[handler]));
  if (handlers.length === 0) errors.push(required(field, 'must specify a handler type'));
  for (const extra of handlers.slice(1))
    errors.push(forbiddenField(child(field, extra), 'may not specify more than 1 handler type'));
  for (const handler of ['httpGet', 'tcpSocket'] as const)
    if (isRecord(probe[handler]))
      errors.push(...validatePortOrName(probe[handler].port, child(field, `${handler}.port`)));
  errors.push(...PROBE_NUMBERS.flatMap((name) => nonNegative(child(field, name), probe[name])));
  if (single && count(probe.successThreshold) !== 1)
    errors.push(invalidValue(child(field, 'successThreshold'), probe.successThreshold, 'must be 1'));
  return errors;
}

function validateContainer(container: Fields, volumes: ReadonlySet<string>, path: string): FieldError[] {
  const name = text(container.name);
  return [
    ...(name === '' ? [required(child(path, 'name'))] : invalidEach(child(path, 'name'), name, dnsLabel(name))),
    ...(text(container.image) === '' ? [required(child(path, 'image'))] : []),
    ...oneOf(child(path, 'terminationMessagePolicy'), container.terminationMessagePolicy, [
      'File',
      'FallbackToLogsOnError',
    ]),
    ...validatePorts(records(container.ports), child(path, 'ports')),
    ...validateEnv(records(container.env), child(path, 'env')),
    ...validateMounts(records(container.volumeMounts), volumes, child(path, 'volumeMounts')),
    ...oneOf(child(path, 'imagePullPolicy'), container.imagePullPolicy, ['Always', 'IfNotPresent', 'Never']),
    ...validateResources(record(container.resources), child(path, 'resources')),
  ];
}

const probesOf = (container: Fields, path: string): FieldError[] => [
  ...validateProbe(container.livenessProbe, child(path, 'livenessProbe'), true),
  ...validateProbe(container.readinessProbe, child(path, 'readinessProbe'), false),
  ...validateProbe(container.startupProbe, child(path, 'startupProbe'), true),
];

function hostPortConflicts(containers: readonly Fields[], field: string): FieldError[] {
  const seen = new Set<string>();
  return containers.flatMap((container, index) =>
    records(container.ports).flatMap((port, position) => {
      if (count(port.hostPort) === 0) return [];
      const key = `${text(port.protocol)}/${text(port.hostIP)}/${count(port.hostPort)}`;
      if (!seen.has(key)) {
        seen.add(key);
        return [];
      }
      return [duplicate(child(at(child(at(field, index), 'ports'), position), 'hostPort'), key)];
    }),
  );
}

function validateContainers(spec: Fields, volumes: ReadonlySet<string>, field: string): FieldError[] {
  const containers = records(spec.containers);
  const path = child(field, 'containers');
  if (containers.length === 0) return [required(path)];
  const names = new Set<string>();
  const errors = containers.flatMap((container, index) => {
    const own = validateContainer(container, volumes, at(path, index));
    const name = text(container.name);
    if (names.has(name)) own.push(duplicate(child(at(path, index), 'name'), name));
    names.add(name);
    return [...own, ...probesOf(container, at(path, index))];
  });
  return [...errors, ...hostPortConflicts(containers, path)];
}

const WITHOUT_SIDECAR = 'may not be set for init containers without restartPolicy=Always';

function validateInitContainers(spec: Fields, volumes: ReadonlySet<string>, field: string): FieldError[] {
  const path = child(field, 'initContainers');
  const names = new Set(records(spec.containers).map((container) => text(container.name)));
  return records(spec.initContainers).flatMap((container, index) => {
    const own = validateContainer(container, volumes, at(path, index));
    const name = text(container.name);
    if (names.has(name)) own.push(duplicate(child(at(path, index), 'name'), name));
    else if (name !== '') names.add(name);
    if (container.restartPolicy === 'Always') return [...own, ...probesOf(container, at(path, index))];
    const misplaced = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'].filter((part) =>
      isRecord(container[part]),
    );
    return [...own, ...misplaced.map((part) => forbiddenField(child(at(path, index), part), WITHOUT_SIDECAR))];
  });
}

const NEEDED: Readonly<Record<string, readonly string[]>> = {
  hostPath: ['path'],
  secret: ['secretName'],
  configMap: ['name'],
  persistentVolumeClaim: ['claimName'],
  nfs: ['server', 'path'],
  csi: ['driver'],
};

/** One source a volume; only the first that upstream looks at is looked into. */
function validateVolumeSource(volume: Fields, path: string): FieldError[] {
  const sources = Object.keys(volume).filter((field) => field !== 'name');
  // emptyDir is looked at before all others.
  if (sources.includes('emptyDir')) sources.unshift(...sources.splice(sources.indexOf('emptyDir'), 1));
  const [first, ...others] = sources;
  if (first === undefined) return [required(path, 'must specify a volume type')];
  const value = record(volume[first]);
  return [
    ...(NEEDED[first] ?? [])
      .filter((field) => text(value[field]) === '')
      .map((field) => required(child(child(path, first), field))),
    ...others.map((source) => forbiddenField(child(path, source), 'may not specify more than 1 volume type')),
  ];
}

/** Names of the volumes that are in order, and the faults of the others. */
function validateVolumes(
  volumes: readonly Fields[],
  field: string,
): { readonly names: ReadonlySet<string>; readonly errors: readonly FieldError[] } {
  const names = new Set<string>();
  const errors: FieldError[] = [];
  volumes.forEach((volume, index) => {
    const path = at(field, index);
    const name = text(volume.name);
    const own = validateVolumeSource(volume, path);
    own.push(
      ...(name === '' ? [required(child(path, 'name'))] : invalidEach(child(path, 'name'), name, dnsLabel(name))),
    );
    if (names.has(name)) own.push(duplicate(child(path, 'name'), name));
    if (own.length === 0) names.add(name);
    errors.push(...own);
  });
  return { names, errors };
}

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;

const validateTolerations = (tolerations: readonly Fields[], field: string): FieldError[] =>
  tolerations.flatMap((toleration, index) => {
    const path = at(field, index);
    const [key, operator, value, effect] = [
      text(toleration.key),
      text(toleration.operator),
      text(toleration.value),
      text(toleration.effect),
    ];
    const errors = key === '' ? [] : invalidEach(child(path, 'key'), key, labelKey(key));
    if (key === '' && operator !== 'Exists')
      errors.push(
        invalidValue(
          child(path, 'operator'),
          operator,
          'operator must be Exists when `key` is empty, which means "match all values and all keys"',
        ),
      );
    if (toleration.tolerationSeconds !== undefined && effect !== 'NoExecute')
      errors.push(
        invalidValue(child(path, 'effect'), effect, 'effect must be `NoExecute` when `tolerationSeconds` is set'),
      );
    if (operator === '' || operator === 'Equal') {
      const faults = labelValue(value);
      if (faults.length > 0) errors.push(invalidValue(child(path, 'operator'), value, faults.join(';')));
    } else if (operator === 'Exists') {
      if (value !== '')
        errors.push(
          invalidValue(child(path, 'operator'), { ...toleration }, 'value must be empty when `operator` is `Exists`'),
        );
    } else errors.push(notSupported(child(path, 'operator'), operator, ['Equal', 'Exists']));
    if (effect !== '' && !EFFECTS.some((known) => known === effect))
      errors.push(notSupported(child(path, 'effect'), effect, EFFECTS));
    return errors;
  });

const named = (spec: Fields, field: string, key: string, rule: (value: string) => readonly string[]): FieldError[] => {
  const value = text(spec[key]);
  return value === '' ? [] : invalidEach(child(field, key), value, rule(value));
};

function hostNetworkPorts(spec: Fields, field: string): FieldError[] {
  if (spec.hostNetwork !== true) return [];
  return records(spec.containers).flatMap((container, index) =>
    records(container.ports).flatMap((port, position) =>
      count(port.hostPort) === count(port.containerPort)
        ? []
        : [
            invalidValue(
              child(at(child(at(child(field, 'containers'), index), 'ports'), position), 'hostPort'),
              count(port.hostPort),
              'must match `containerPort` when `hostNetwork` is true',
            ),
          ],
    ),
  );
}

/** The spec of a pod or of a template. `field` is its path ("spec", "spec.template.spec"). */
export function validatePodSpec(spec: Fields, field: string): FieldError[] {
  const volumes = validateVolumes(records(spec.volumes), child(field, 'volumes'));
  const deadline = spec.activeDeadlineSeconds;
  return [
    ...volumes.errors,
    ...validateContainers(spec, volumes.names, field),
    ...validateInitContainers(spec, volumes.names, field),
    ...hostNetworkPorts(spec, field),
    ...oneOf(child(field, 'restartPolicy'), spec.restartPolicy, ['Always', 'OnFailure', 'Never']),
    ...oneOf(child(field, 'dnsPolicy'), spec.dnsPolicy, ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']),
    ...validateLabels(textMap(spec.nodeSelector), child(field, 'nodeSelector')),
    ...named(spec, field, 'serviceAccountName', dnsSubdomain),
    ...named(spec, field, 'nodeName', dnsSubdomain),
    ...(deadline === undefined
      ? []
      : invalidEach(child(field, 'activeDeadlineSeconds'), deadline, inRange(count(deadline), 1, MAX_INT32))),
    ...named(spec, field, 'hostname', dnsLabel),
    ...named(spec, field, 'subdomain', dnsLabel),
    ...validateTolerations(records(spec.tolerations), child(field, 'tolerations')),
    ...named(spec, field, 'priorityClassName', dnsSubdomain),
    ...named(spec, field, 'runtimeClassName', dnsSubdomain),
  ];
}
