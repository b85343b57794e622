/**
 * Namespaces, Nodes, ServiceAccounts and Leases. Source: pkg/apis/core/validation/validation.go,
 * pkg/registry/core/{namespace,node,serviceaccount}/strategy.go, pkg/apis/coordination/validation/validation.go.
 */

import { count, type Fields, list, record, records, text, texts } from '../../../kubernetes/json.js';
import type { KubeObject } from '../../../kubernetes/objects.js';
import { isCidr } from '../../go/ip.js';
import { parseQuantity } from '../../go/quantity.js';
import { goQuote } from '../../go/text.js';
import { notFound } from '../../machinery/errors.js';
import {
  at,
  child,
  duplicate,
  forbiddenField,
  internalFieldError,
  invalidEach,
  invalidValue,
  NEGATIVE,
  notSupportedWord,
  required,
} from '../../machinery/field-errors.js';
import { kubeFinalizer } from '../../machinery/metadata-validation.js';
import { labelKey, labelValue } from '../../machinery/name-rules.js';
import type { FieldError, Strategy, Subresource } from '../../resource-definition.js';
import { ApiError } from '../../types.js';
import { type Behaviour, type Behaviours, onlyLabels } from '../behaviour.js';
import type { ResourceHooks } from '../hooks.js';
import { proxySubresource } from '../proxies.js';
import { spec, status, withFields, withMetadata } from '../read.js';
import { checkTokenNames } from '../token-request-names.js';
import { csiNodes } from './csi-nodes.js';

const NAME_LABEL = 'kubernetes.io/metadata.name';
const KUBERNETES = 'kubernetes';

const finalizersOf = (namespace: KubeObject): readonly string[] => texts(spec(namespace).finalizers);

const nameLabelled = (namespace: KubeObject): KubeObject => {
  const name = namespace.metadata.name ?? '';
  return name === ''
    ? namespace
    : withMetadata(namespace, { labels: { ...namespace.metadata.labels, [NAME_LABEL]: name } });
};

const validateFinalizers = (namespace: KubeObject, field: (index: number) => string): FieldError[] =>
  finalizersOf(namespace).flatMap((name, index) => [
    ...invalidEach(field(index), name, labelKey(name)),
    ...kubeFinalizer(name, field(index)),
  ]);

/** PUT of namespaces/finalize: the spec's finalizers are what it is for; the status stays. */
const finalizeStrategy: Strategy = {
  default: nameLabelled,
  prepareForUpdate: (namespace, old) => withFields(namespace, { status: old.status }),
  validateUpdate: (namespace) => validateFinalizers(namespace, (index) => at('spec.finalizers', index)),
  metadataOnUpdate: 'update',
};

const namespaces = (): Behaviour => ({
  default: (namespace) => {
    const phase = text(status(namespace).phase);
    return nameLabelled(
      phase === '' ? withFields(namespace, { status: { ...status(namespace), phase: 'Active' } }) : namespace,
    );
  },
  prepareForCreate: (namespace) => {
    const finalizers = finalizersOf(namespace);
    return nameLabelled(
      withFields(namespace, {
        spec: {
          ...spec(namespace),
          finalizers: finalizers.includes(KUBERNETES) ? finalizers : [...finalizers, KUBERNETES],
        },
        status: { phase: 'Active' },
      }),
    );
  },
  prepareForUpdate: (namespace, old) => withFields(namespace, { spec: old.spec }),
  validate: (namespace) => validateFinalizers(namespace, () => 'spec.finalizers'),
  validateStatus: (namespace) => {
    const { phase } = status(namespace);
    const terminating = namespace.metadata.deletionTimestamp !== undefined;
    if (phase === (terminating ? 'Terminating' : 'Active')) return [];
    const detail = terminating
      ? "may only be 'Terminating' if `deletionTimestamp` is not empty"
      : "may only be 'Active' if `deletionTimestamp` is empty";
    return [invalidValue('status.Phase', text(phase), detail)];
  },
  metadataOnUpdate: 'create-update',
  // What holds a namespace is in its spec: the namespace controller takes it away once the namespace is empty.
  beforeDelete: (namespace) => finalizersOf(namespace).length === 0,
  subresources: [{ kind: 'part', name: 'finalize', strategy: finalizeStrategy, verbs: ['update'] }],
  fieldSelectors: { 'status.phase': (namespace) => text(status(namespace).phase) },
  refuseFieldLabel: onlyLabels('status.phase', 'metadata.name'),
});

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;

function validateTaints(taints: readonly Fields[], field: string): FieldError[] {
  const seen = new Set<string>();
  return taints.flatMap((taint, index) => {
    const path = at(field, index);
    const { key, value, effect } = { key: text(taint.key), value: text(taint.value), effect: text(taint.effect) };
    const errors = invalidEach(child(path, 'key'), key, labelKey(key));
    const faults = labelValue(value);
    if (faults.length > 0) errors.push(invalidValue(child(path, 'value'), value, faults.join(';')));
    if (effect === '') errors.push(required(child(path, 'effect')));
    else if (!EFFECTS.some((known) => known === effect))
      errors.push(notSupportedWord(child(path, 'effect'), effect, EFFECTS));
    const identity = `${effect}/${key}`;
    if (seen.has(identity)) {
      const printed = { Key: key, Value: value, Effect: effect, TimeAdded: taint.timeAdded ?? null };
      const syntax = `core.Taint{Key:${goQuote(key)}, Value:${goQuote(value)}, Effect:${goQuote(effect)}, TimeAdded:<nil>}`;
      // A time is a pointer there, whose address nobody can tell.
      const older = printed.TimeAdded === null ? syntax : undefined;
      errors.push(duplicate(path, printed, 'taints must be unique by key and effect pair', older));
    }
    seen.add(identity);
    return errors;
  });
}

/**
 * Native resources come in whole numbers but for cpu, memory and the like. Source: pkg/apis/core/helper
 * IsIntegerResourceName.
 */
const isWhole = (name: string): boolean => (name.includes('/') && !name.includes('kubernetes.io/')) || name === 'pods';

function validateQuantities(quantities: unknown, field: string): FieldError[] {
  return Object.entries(record(quantities)).flatMap(([name, value]) => {
    const quantity = parseQuantity(String(value));
    if (quantity === undefined) return [];
    const path = child(field, name);
    const errors: FieldError[] = [];
    if (quantity.nano < 0n) errors.push(invalidValue(path, String(value), NEGATIVE));
    if (isWhole(name) && quantity.nano % 1_000_000_000n !== 0n)
      errors.push(invalidValue(path, value, 'must be an integer'));
    return errors;
  });
}

const NO_CIDR = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

const validateResources = (node: KubeObject): FieldError[] => [
  ...validateQuantities(status(node).capacity, 'status.capacity'),
  ...validateQuantities(status(node).allocatable, 'status.allocatable'),
];

/** One for each family of addresses, at most. */
function validatePodCidrs(cidrs: readonly string[]): FieldError[] {
  const field = 'spec.podCIDRs';
  const errors = cidrs.flatMap((cidr, index) => (isCidr(cidr) ? [] : [invalidValue(at(field, index), cidr, NO_CIDR)]));
  if (cidrs.length < 2) return errors;
  const odd = cidrs.find((cidr) => !isCidr(cidr));
  if (odd !== undefined)
    errors.push(
      internalFieldError(
        field,
        `invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR address: ${odd}`,
      ),
    );
  const families = new Set(cidrs.filter(isCidr).map((cidr) => cidr.includes(':')));
  if (odd !== undefined || families.size < 2 || cidrs.length > 2)
    errors.push(invalidValue(field, cidrs, 'may specify no more than one CIDR for each IP family'));
  return errors;
}

// Upstream looks for the taints of the spec below metadata; its message is kept.
const validateNode = (node: KubeObject): FieldError[] => [
  ...validateTaints(records(spec(node).taints), 'metadata.taints'),
  ...validateResources(node),
  ...validatePodCidrs(texts(spec(node).podCIDRs)),
  ...validateSwap(record(record(status(node).nodeInfo).swap).capacity),
];

const validateSwap = (capacity: unknown): FieldError[] =>
  typeof capacity === 'number' && capacity <= 0
    ? [invalidValue('metadata.nodeSwapStatus.capacity', capacity, 'must be greater than zero')]
    : [];

function validateNodeChange(node: KubeObject, old: KubeObject): FieldError[] {
  const errors = validateResources(node);
  const seen = new Set<string>();
  records(status(node).addresses).forEach((address, index) => {
    const identity = JSON.stringify([address.type, address.address]);
    if (seen.has(identity))
      errors.push(
        duplicate(at('status.addresses', index), { Type: text(address.type), Address: text(address.address) }),
      );
    seen.add(identity);
  });
  const [before, after] = [texts(spec(old).podCIDRs), texts(spec(node).podCIDRs)];
  const isOther = before.length !== after.length;
  for (const _changed of isOther ? before.slice(0, 1) : before.filter((cidr, index) => cidr !== after[index]))
    errors.push(forbiddenField('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid'));
  const provider = text(spec(old).providerID);
  if (provider !== '' && provider !== text(spec(node).providerID))
    errors.push(forbiddenField('spec.providerID', 'node updates may not change providerID except from "" to valid'));
  if (text(spec(old).externalID) !== text(spec(node).externalID))
    errors.push(forbiddenField('spec.externalID', 'may not be updated'));
  return [...errors, ...validateTaints(records(spec(node).taints), 'metadata.taints')];
}

function nodeDefaults(node: KubeObject): KubeObject {
  const { capacity, allocatable } = status(node);
  const { podCIDR, podCIDRs } = spec(node);
  let out = node;
  if (capacity !== undefined && allocatable === undefined)
    out = withFields(out, { status: { ...status(out), allocatable: capacity } });
  // The old single field and the list say the same. Source: pkg/apis/core/v1/conversion.go
  // Convert_v1_NodeSpec_To_core_NodeSpec.
  if (text(podCIDR) !== '' && text(podCIDR) !== texts(podCIDRs)[0])
    out = withFields(out, { spec: { ...spec(out), podCIDRs: [podCIDR] } });
  else if (text(podCIDR) === '' && list(podCIDRs).length > 0)
    out = withFields(out, { spec: { ...spec(out), podCIDR: texts(podCIDRs)[0] } });
  return out;
}

/** What a kubelet told of a configuration that the API served, once. Source: nodeStatusStrategy, dropDisabledFields. */
function withoutConfig(node: KubeObject): KubeObject {
  if (status(node).config === undefined) return node;
  const { config: _dropped, ...rest } = status(node);
  return withFields(node, { status: rest });
}

const nodes = (): Behaviour => ({
  default: nodeDefaults,
  keepsStatus: true,
  prepareForCreate: (node) => {
    const { configSource: _dropped, ...rest } = spec(node);
    return withoutConfig(withFields(node, { spec: rest }));
  },
  prepareStatus: (node, old) => (status(old).config === undefined ? withoutConfig(node) : node),
  validate: validateNode,
  validateChange: validateNodeChange,
  validateStatus: validateNodeChange,
  metadataOnUpdate: 'create-update',
  warnings: (node) =>
    text(spec(node).externalID) === ''
      ? []
      : ['spec.externalID: this field is deprecated, and is unused by Kubernetes'],
  subresources: [proxySubresource('NodeProxyOptions')],
  fieldSelectors: { 'spec.unschedulable': (node) => String(spec(node).unschedulable === true) },
  refuseFieldLabel: onlyLabels('metadata.name', 'spec.unschedulable'),
});

/** Source: pkg/apis/authentication/v1/defaults.go. */
const TOKEN_SECONDS = 3600;

/** serviceaccounts/token. Source: pkg/registry/core/serviceaccount/storage/token.go. */
const tokenSubresource = (hooks: ResourceHooks): Subresource => ({
  kind: 'action',
  name: 'token',
  verbs: ['create'],
  answersWith: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' },
  default: (request) =>
    withFields(request, {
      spec: { ...record(request.spec), expirationSeconds: record(request.spec).expirationSeconds ?? TOKEN_SECONDS },
    }),
  act({ parent, name, body, context }) {
    if (parent === undefined) {
      checkTokenNames(body.metadata, name, context.namespace);
      throw notFound({ group: '', resource: 'serviceaccounts' }, name);
    }
    if (hooks.requestToken === undefined)
      throw new ApiError(404, 'NotFound', 'the server could not find the requested resource', {});
    return hooks.requestToken(parent, body, context);
  },
});

const secretNames = (account: KubeObject): KubeObject => {
  const secrets = records(account.secrets).map((secret) => (text(secret.name) === '' ? {} : { name: secret.name }));
  return secrets.length === 0 ? account : withFields(account, { secrets });
};

const ENFORCE_MOUNTABLE = 'kubernetes.io/enforce-mountable-secrets';

const serviceAccounts = (hooks: ResourceHooks): Behaviour => ({
  prepareForCreate: secretNames,
  prepareForUpdate: secretNames,
  warnings: (account) =>
    account.metadata.annotations?.[ENFORCE_MOUNTABLE] === undefined
      ? []
      : [
          `metadata.annotations[${ENFORCE_MOUNTABLE}]: deprecated in v1.32+; prefer separate namespaces to ` +
            'isolate access to mounted secrets',
        ],
  subresources: [tokenSubresource(hooks)],
});

function validateLease(lease: KubeObject): FieldError[] {
  const { leaseDurationSeconds, leaseTransitions } = spec(lease);
  const errors: FieldError[] = [];
  if (leaseDurationSeconds !== undefined && count(leaseDurationSeconds) <= 0)
    errors.push(invalidValue('spec.leaseDurationSeconds', leaseDurationSeconds, 'must be greater than 0'));
  if (count(leaseTransitions) < 0) errors.push(invalidValue('spec.leaseTransitions', leaseTransitions, NEGATIVE));
  return errors;
}

/** Coordinated leader election is a gate that is off. */
const withoutElection = (lease: KubeObject): KubeObject => {
  const { strategy: _strategy, preferredHolder: _holder, ...rest } = spec(lease);
  return withFields(lease, { spec: rest });
};

const leases = (): Behaviour => ({
  metadataOnUpdate: 'update',
  anyFinalizer: true,
  prepareForCreate: withoutElection,
  prepareForUpdate: withoutElection,
  validate: validateLease,
});

export const clusterBehaviours: Behaviours = {
  namespaces,
  nodes,
  serviceaccounts: serviceAccounts,
  'leases.coordination.k8s.io': leases,
  'csinodes.storage.k8s.io': csiNodes,
};
