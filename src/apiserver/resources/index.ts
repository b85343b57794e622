/** All kinds that the reference stores: rows of data, joined with schemas, tables and what needs code. */
import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../../kubernetes/objects.js';
import { asName, dns1035Label, dnsLabel, dnsSubdomain, pathSegmentName } from '../machinery/name-rules.js';
import type { FieldSchema, Lifetime, ResourceDefinition, Strategy, Subresource } from '../resource-definition.js';
import { isServed } from '../versions.js';
import type { Behaviour, Behaviours } from './behaviour.js';
import type { ResourceHooks } from './hooks.js';
import { groupOrder, type KindRow, kinds } from './kind-rows.js';
import { bindings, componentStatuses } from './legacy.js';
import { withFields, withMetadata } from './read.js';
import { roundTrip } from './round-trip.js';
import { findStruct, structSchema } from './schema.js';
import { clusterBehaviours } from './strategies/cluster.js';
import { configBehaviours } from './strategies/config.js';
import { eventBehaviours } from './strategies/events.js';
import { otherBehaviours } from './strategies/others.js';
import { podBehaviours } from './strategies/pods.js';
import { rbacBehaviours } from './strategies/rbac.js';
import { serviceBehaviours } from './strategies/services.js';
import { workloadBehaviours } from './strategies/workloads.js';
import { tableOf } from './tables.js';

export { validateMetadata } from '../machinery/metadata-validation.js';
export type { ResourceHooks } from './hooks.js';
export { podAdmission } from './pod-admission.js';

const NAMES = {
  subdomain: asName(dnsSubdomain),
  label: asName(dnsLabel),
  '1035': asName(dns1035Label),
  'path-segment': pathSegmentName,
} as const satisfies Record<KindRow['name'], NonNullable<Strategy['validateName']>>;

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'] as const;
/** Namespaces are not deleted in bulk. */
const NAMESPACE_VERBS = VERBS.filter((verb) => verb !== 'deletecollection');

const behaviours: Behaviours = {
  ...configBehaviours,
  ...clusterBehaviours,
  ...eventBehaviours,
  ...rbacBehaviours,
  ...serviceBehaviours,
  ...podBehaviours,
  ...workloadBehaviours,
  ...otherBehaviours,
};

const keyOf = (row: KindRow): string => (row.group === '' ? row.resource : `${row.resource}.${row.group}`);

/** What a user wants, as opposed to what the server and controllers note down. */
const wanted = ({
  metadata: _metadata,
  status: _status,
  apiVersion: _apiVersion,
  kind: _kind,
  ...rest
}: KubeObject): unknown => rest;

function strategyOf(
  row: KindRow,
  behaviour: Behaviour,
  inGoForm: (object: KubeObject, sent?: boolean) => KubeObject,
): Strategy {
  const { validate, validateUpdate, validateChange, warnings, gracePeriod, beforeDelete } = behaviour;
  const { metadataOnUpdate, lookedAtTwiceUntil, anyFinalizer } = behaviour;
  return {
    default: (object) => inGoForm(object, true),
    prepareForCreate(given, context) {
      let object = inGoForm(given);
      if (row.status && behaviour.keepsStatus !== true) object = inGoForm(withFields(object, { status: undefined }));
      if (row.generation) object = withMetadata(object, { generation: 1 });
      return behaviour.prepareForCreate?.(object, context) ?? object;
    },
    prepareForUpdate(given, old, context) {
      const isSame = (one: KubeObject, other: KubeObject): boolean =>
        isDeepStrictEqual(wanted(one), wanted(other)) &&
        (behaviour.countsAnnotations !== true ||
          isDeepStrictEqual(one.metadata.annotations ?? {}, other.metadata.annotations ?? {}));
      let object = inGoForm(given);
      if (row.status) object = withFields(object, { status: old.status });
      object = behaviour.prepareForUpdate?.(object, old, context) ?? object;
      if (!row.generation) return object;
      const generation = (old.metadata.generation ?? 0) + (isSame(object, old) ? 0 : 1);
      return withMetadata(object, { generation });
    },
    ...(validate === undefined ? {} : { validate }),
    ...(validateUpdate !== undefined
      ? { validateUpdate }
      : validate === undefined
        ? {}
        : {
            validateUpdate: (object: KubeObject, _old: KubeObject, context: Parameters<typeof validate>[1]) =>
              validate(object, context),
          }),
    ...(validateChange === undefined ? {} : { validateChange }),
    ...(warnings === undefined ? {} : { warnings }),
    ...(gracePeriod === undefined ? {} : { gracePeriod }),
    ...(beforeDelete === undefined ? {} : { beforeDelete }),
    ...(metadataOnUpdate === undefined ? {} : { metadataOnUpdate }),
    ...(lookedAtTwiceUntil === undefined ? {} : { lookedAtTwiceUntil }),
    ...(anyFinalizer === undefined ? {} : { anyFinalizer }),
    allowCreateOnUpdate: row.createOnUpdate,
    allowUnconditionalUpdate: row.unconditionalUpdate,
    validateName: behaviour.validateName ?? NAMES[row.name],
  };
}

const ENDPOINTS = {
  since: 33,
  text: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
} as const;

/** The status subresource: all but status and metadata stays as it was. */
function statusSubresource(
  row: KindRow,
  behaviour: Behaviour,
  inGoForm: (object: KubeObject) => KubeObject,
): Subresource {
  const { validateStatus, prepareStatus } = behaviour;
  return {
    kind: 'part',
    name: 'status',
    verbs: ['get', 'patch', 'update'],
    strategy: {
      default: inGoForm,
      prepareForUpdate(given, old, context) {
        const object = inGoForm(given);
        const kept: KubeObject = withFields({ ...old, metadata: object.metadata }, { status: object.status });
        return prepareStatus?.(kept, old, context) ?? kept;
      },
      validateUpdate: (object, old) => validateStatus?.(object, old) ?? [],
      metadataOnUpdate: 'update',
      allowUnconditionalUpdate: row.unconditionalUpdate,
    },
  };
}

const lifetime = ({ since, until }: KindRow): Lifetime => ({
  ...(since === undefined ? {} : { since }),
  ...(until === undefined ? {} : { until }),
});

/** An action with the shape of what it is sent, where that is a struct of its own. */
function withBody(subresource: Subresource): Subresource {
  if (subresource.kind !== 'action') return subresource;
  const { group, version, kind } = subresource.answersWith;
  const schema = findStruct(`${group === '' ? 'core' : group.split('.')[0]}.${version}.${kind}`);
  if (schema === undefined) return subresource;
  const inGoForm = (object: KubeObject): KubeObject => {
    const passed = roundTrip(schema, object);
    return subresource.default?.(passed) ?? passed;
  };
  return { ...subresource, body: { schema, inGoForm } };
}

function definition(kind: KindRow, hooks: ResourceHooks, minor: number): ResourceDefinition {
  const row = minor < (kind.generationSince ?? 0) ? { ...kind, generation: false } : kind;
  const key = keyOf(row);
  const behaviour = behaviours[key]?.(hooks) ?? {};
  const table = tableOf(key, minor);
  const defaults = behaviour.default;
  const inGoForm = (object: KubeObject, sent = false): KubeObject => {
    const passed = roundTrip(structSchema(row.struct), object, sent);
    return defaults?.(passed) ?? passed;
  };
  const subresources = [
    ...(behaviour.subresources ?? []).filter((one) => isServed(one, minor)).map(withBody),
    ...(row.status ? [statusSubresource(row, behaviour, inGoForm)] : []),
  ];
  return {
    group: row.group,
    version: row.version,
    kind: row.kind,
    resource: row.resource,
    singular: row.kind.toLowerCase(),
    shortNames: row.shortNames,
    categories: row.categories,
    namespaced: row.namespaced,
    verbs: row.resource === 'namespaces' ? NAMESPACE_VERBS : VERBS,
    strategy: strategyOf(row, behaviour, inGoForm),
    get schema(): FieldSchema {
      return structSchema(row.struct);
    },
    ...lifetime(row),
    ...(key === 'endpoints' ? { deprecated: ENDPOINTS } : {}),
    subresources: subresources.sort((a, b) => (a.name < b.name ? -1 : 1)),
    fieldSelectors: behaviour.fieldSelectors ?? {},
    ...(behaviour.refuseFieldLabel === undefined ? {} : { refuseFieldLabel: behaviour.refuseFieldLabel }),
    ...table,
  };
}

/**
 * Every kind but certificatesigningrequests and reviews that a minor may serve, in the order of discovery. Without
 * hooks nothing is refused for want of rights, and no tokens are made.
 */
export const definitions = (
  hooks: ResourceHooks = {},
  minor = Number.POSITIVE_INFINITY,
): readonly ResourceDefinition[] => [bindings, componentStatuses, ...kinds.map((row) => definition(row, hooks, minor))];

/**
 * Of the definitions of all rooms those that a minor serves, in the order in which discovery lists groups and
 * resources.
 */
export function inDiscoveryOrder(
  all: readonly ResourceDefinition[],
  minor = Number.POSITIVE_INFINITY,
): readonly ResourceDefinition[] {
  const rank = ({ group, version }: ResourceDefinition): number =>
    groupOrder.indexOf(group === '' ? version : `${group}/${version}`);
  return all
    .filter((one) => isServed(one, minor))
    .sort((a, b) => rank(a) - rank(b) || (a.resource < b.resource ? -1 : 1));
}
