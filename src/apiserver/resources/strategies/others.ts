/** What little the remaining kinds need in code. Source: the defaults.go, validation.go and strategy.go of storage, autoscaling, apiextensions, flowcontrol and resource. */

import { count, type Fields, isRecord, record, records, text, texts } from '../../../kubernetes/json.js';
import type { KubeObject } from '../../../kubernetes/objects.js';
import { rfc3339 } from '../../clock.js';
import { isIp } from '../../go/ip.js';
import { NO_SOURCE } from '../../machinery/embedded.js';
import { at, child, invalidValue, notSupported, required } from '../../machinery/field-errors.js';
import type { FieldError } from '../../types.js';
import type { Behaviours } from '../behaviour.js';
import { spec, status, withDefaults, withFields } from '../read.js';

const has = (value: unknown): boolean => Object.keys(record(value)).length > 0;
function validateVolume(volume: KubeObject): FieldError[] {
  const own = spec(volume);
  const capacity = own.capacity;
  return [
    ...(texts(own.accessModes).length === 0 ? [required('spec.accessModes')] : []),
    ...(has(capacity) ? [] : [required('spec.capacity')]),
    ...(record(capacity).storage === undefined || Object.keys(record(capacity)).length > 1
      ? [notSupported('spec.capacity', capacity ?? null, ['storage'])]
      : []),
    ...(Object.keys(own).some((field) => !NO_SOURCE.includes(field))
      ? []
      : [required('spec', 'must specify a volume type')]),
  ];
}

function validateClaim(claim: KubeObject): FieldError[] {
  const { accessModes, resources } = spec(claim);
  return [
    ...(texts(accessModes).length === 0 ? [required('spec.accessModes', 'at least 1 access mode is required')] : []),
    ...(record(record(resources).requests).storage === undefined ? [required('spec.resources[storage]')] : []),
  ];
}

/** Names of a CustomResourceDefinition that follow from the others. Source: apiextensions-apiserver, pkg/apis/apiextensions/v1/defaults.go. */
function definitionDefaults(definition: KubeObject): KubeObject {
  const own = spec(definition);
  const names = record(own.names);
  const kind = text(names.kind);
  const conversion = withDefaults(record(own.conversion), { strategy: 'None' });
  return withFields(definition, {
    spec: {
      ...own,
      names: withDefaults(names, { singular: kind.toLowerCase(), listKind: kind === '' ? '' : `${kind}List` }),
      conversion,
    },
  });
}

const storedVersions = (definition: KubeObject): readonly string[] =>
  records(spec(definition).versions)
    .filter((version) => version.storage === true)
    .map((version) => text(version.name));

function levelDefaults(level: KubeObject): KubeObject {
  const own = spec(level);
  const fill = (field: 'limited' | 'exempt', defaults: Fields): Fields =>
    isRecord(own[field]) ? { [field]: withDefaults(record(own[field]), defaults) } : {};
  const limited = fill('limited', { nominalConcurrencyShares: 30, lendablePercent: 0 });
  const queuing = record(record(record(limited.limited).limitResponse).queuing);
  const filled =
    queuing.queues === undefined && !has(queuing)
      ? limited
      : {
          limited: {
            ...record(limited.limited),
            limitResponse: {
              ...record(record(limited.limited).limitResponse),
              queuing: withDefaults(queuing, { queues: 64, handSize: 8, queueLengthLimit: 50 }),
            },
          },
        };
  return withFields(level, {
    spec: { ...own, ...filled, ...fill('exempt', { nominalConcurrencyShares: 0, lendablePercent: 0 }) },
  });
}

const SLICE = 'resource.k8s.io/v1, Kind=ResourceSlice';

/** Source: pkg/apis/core/validation/validation.go validateEndpointSubsets. */
function validateEndpoints(endpoints: KubeObject): FieldError[] {
  return records(endpoints.subsets).flatMap((subset, index) => {
    const field = at('subsets', index);
    const addresses = (['addresses', 'notReadyAddresses'] as const).flatMap((kind) =>
      records(subset[kind]).map((address, number) => ({
        ip: text(address.ip),
        at: child(at(child(field, kind), number), 'ip'),
      })),
    );
    const ports = records(subset.ports).map((port, number) => ({
      port: count(port.port),
      at: child(at(child(field, 'ports'), number), 'port'),
    }));
    return [
      ...(addresses.length === 0 ? [required(field, 'must specify `addresses` or `notReadyAddresses`')] : []),
      ...addresses.flatMap((address) =>
        isIp(address.ip)
          ? []
          : [
              invalidValue(address.at, address.ip, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'),
              invalidValue(address.at, address.ip, 'must be a valid IP address'),
            ],
      ),
      ...ports.flatMap((one) =>
        one.port >= 1 && one.port <= 65_535
          ? []
          : [invalidValue(one.at, one.port, 'must be between 1 and 65535, inclusive')],
      ),
    ];
  });
}

export const otherBehaviours: Behaviours = {
  persistentvolumes: () => ({
    prepareForCreate: (volume, context) =>
      withFields(volume, { status: { phase: 'Pending', lastPhaseTransitionTime: rfc3339(context.clock.now()) } }),
    validate: validateVolume,
  }),
  persistentvolumeclaims: () => ({
    prepareForCreate: (claim) => withFields(claim, { status: { phase: 'Pending' } }),
    validate: validateClaim,
  }),
  endpoints: () => ({ validate: validateEndpoints }),
  'customresourcedefinitions.apiextensions.k8s.io': () => ({
    default: definitionDefaults,
    prepareForCreate: (definition) =>
      withFields(definition, { status: { ...status(definition), storedVersions: storedVersions(definition) } }),
  }),
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io': () => ({ default: levelDefaults }),
  'priorityclasses.scheduling.k8s.io': () => ({
    validateUpdate: (object, old) =>
      object.value === old.value ? [] : [invalidValue('value', object.value ?? 0, 'field is immutable')],
  }),
  'storageclasses.storage.k8s.io': () => ({
    validate: (object) => (text(object.provisioner) === '' ? [required('provisioner', '')] : []),
  }),
  'resourceslices.resource.k8s.io': () => ({
    fieldSelectors: {
      'spec.nodeName': (slice) => text(spec(slice).nodeName),
      'spec.driver': (slice) => text(spec(slice).driver),
    },
    refuseFieldLabel: (label) =>
      ['metadata.name', 'spec.nodeName', 'spec.driver'].includes(label)
        ? undefined
        : `field label not supported for ${SLICE}: ${label}`,
  }),
};
