/**
 * Pods: what may change, who binds them, how they are evicted. Source: pkg/registry/core/pod/strategy.go,
 * storage/{storage,eviction}.go; pkg/apis/core/v1/defaults.go SetDefaults_Pod.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Fields, record, records, text, texts } from '../../../kubernetes/json.js';
import type { KubeObject } from '../../../kubernetes/objects.js';
import { rfc3339 } from '../../clock.js';
import { parseQuantity } from '../../go/quantity.js';
import { badRequest, notFound } from '../../machinery/errors.js';
import { at, child, forbiddenField, invalidValue, required } from '../../machinery/field-errors.js';
import { dnsLabel } from '../../machinery/name-rules.js';
import type { FieldError, Subresource } from '../../resource-definition.js';
import { type Behaviours, onlyLabels } from '../behaviour.js';
import { bindPod, SUCCESS } from '../pod-binding.js';
import { validatePodSpec } from '../pod-spec-validation.js';
import { kubeletSubresource, proxySubresource } from '../proxies.js';
import { spec, status, withFields } from '../read.js';

const PODS = { group: '', resource: 'pods' } as const;
const MIRROR = 'kubernetes.io/config.mirror';

const withRequests = (container: Fields): Fields => {
  const resources = record(container.resources);
  if (resources.limits === undefined) return container;
  return {
    ...container,
    resources: { ...resources, requests: { ...record(resources.limits), ...record(resources.requests) } },
  };
};

function defaults(pod: KubeObject): KubeObject {
  const own = spec(pod);
  const { serviceAccountName, serviceAccount } = own;
  // The old name of the field says the same. Source: pkg/apis/core/v1/conversion.go Convert_v1_PodSpec_To_core_PodSpec.
  const account = text(serviceAccountName) || text(serviceAccount);
  return withFields(pod, {
    spec: {
      ...own,
      ...(account === '' ? {} : { serviceAccountName: account, serviceAccount: account }),
      ...(own.containers === null || own.containers === undefined
        ? {}
        : { containers: records(own.containers).map(withRequests) }),
      ...(records(own.initContainers).length === 0
        ? {}
        : { initContainers: records(own.initContainers).map(withRequests) }),
      enableServiceLinks: own.enableServiceLinks ?? true,
    },
  });
}

/** Source: pkg/apis/core/helper/qos/qos.go ComputePodQOS. */
function qosClass(pod: KubeObject): 'BestEffort' | 'Burstable' | 'Guaranteed' {
  const containers = [...records(spec(pod).containers), ...records(spec(pod).initContainers)];
  let any = false;
  let guaranteed = true;
  for (const container of containers) {
    const { limits, requests } = record(container.resources);
    for (const resource of ['cpu', 'memory']) {
      const limit = parseQuantity(String(record(limits)[resource] ?? '0'))?.nano ?? 0n;
      const request = parseQuantity(String(record(requests)[resource] ?? '0'))?.nano ?? 0n;
      if (limit > 0n || request > 0n) any = true;
      if (limit === 0n || limit !== request) guaranteed = false;
    }
  }
  if (!any) return 'BestEffort';
  return guaranteed ? 'Guaranteed' : 'Burstable';
}

/** Source: pkg/apis/core/validation/validation.go ValidatePodSpecificAnnotations, validatePodResourceClaim. */
function validateMirror(pod: KubeObject): FieldError[] {
  const value = pod.metadata.annotations?.[MIRROR];
  if (value === undefined) return [];
  const { nodeName, resourceClaims } = spec(pod);
  return [
    ...(text(nodeName) === ''
      ? [
          invalidValue(
            `metadata.annotations[${MIRROR}]`,
            value,
            'must set spec.nodeName if mirror pod annotation is set',
          ),
        ]
      : []),
    ...records(resourceClaims).map(() => forbiddenField('[]', 'static pods do not support resource claims')),
  ];
}

function validateCreation(pod: KubeObject): FieldError[] {
  const own = spec(pod);
  return [
    ...validateMirror(pod),
    ...validatePodSpec(own, 'spec'),
    ...(records(own.ephemeralContainers).length > 0
      ? [forbiddenField('spec.ephemeralContainers', 'cannot be set on create')]
      : []),
    ...(text(own.nodeName) !== '' && records(own.schedulingGates).length > 0
      ? [forbiddenField('spec.nodeName', 'cannot be set until all schedulingGates have been cleared')]
      : []),
  ];
}

const CHANGEABLE = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
].join(',');

function addOrRemove(pod: KubeObject, old: KubeObject, field: 'containers' | 'initContainers'): FieldError[] {
  const [after, before] = [records(spec(pod)[field]), records(spec(old)[field])];
  if (after.length !== before.length)
    return [forbiddenField(`spec.${field}`, 'pod updates may not add or remove containers')];
  return after.flatMap((container, index) => {
    const path = child(at(`spec.${field}`, index), 'image');
    const image = text(container.image);
    if (image === '') return [required(path)];
    return image.trim() === image ? [] : [invalidValue(path, image, 'must not have leading or trailing whitespace')];
  });
}

/** A spec without what may change. */
function fixedPart(pod: KubeObject): Fields {
  const { activeDeadlineSeconds: _deadline, tolerations: _tolerations, schedulingGates: _gates, ...rest } = spec(pod);
  const imageless = (containers: unknown): readonly Fields[] =>
    records(containers).map((container) => withFields(container, { image: undefined }));
  return { ...rest, containers: imageless(rest.containers), initContainers: imageless(rest.initContainers) };
}

/** Source: pkg/apis/core/validation/validation.go ValidatePodSpecificAnnotationUpdates. */
function validateMirrorChange(pod: KubeObject, old: KubeObject): FieldError[] {
  const [after, before] = [pod.metadata.annotations?.[MIRROR], old.metadata.annotations?.[MIRROR]];
  if (after === before) return [];
  const what = before === undefined ? 'add' : 'remove or update';
  return [forbiddenField(`metadata.annotations[${MIRROR}]`, `may not ${what} mirror pod annotation`)];
}

function validateChange(pod: KubeObject, old: KubeObject): FieldError[] {
  const errors = [...validateMirrorChange(pod, old), ...validatePodSpec(spec(pod), 'spec')];
  for (const field of ['containers', 'initContainers'] as const) {
    const faults = addOrRemove(pod, old, field);
    errors.push(...faults);
    if (faults.some((fault) => fault.type === 'Forbidden')) return errors;
  }
  const kept = records(spec(old).tolerations).every((toleration) =>
    records(spec(pod).tolerations).some((other) => isDeepStrictEqual(other, toleration)),
  );
  if (!kept)
    errors.push(
      forbiddenField('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds'),
    );
  if (!isDeepStrictEqual(fixedPart(pod), fixedPart(old)))
    errors.push(forbiddenField('spec', `pod updates may not change fields other than ${CHANGEABLE}`));
  return errors;
}

/** pods/binding: the binding names the pod that the URL names. */
const binding: Subresource = {
  kind: 'action',
  name: 'binding',
  verbs: ['create'],
  answersWith: { group: '', version: 'v1', kind: 'Binding' },
  act({ parent, name, body, context }) {
    if (text(body.metadata?.name) !== name) throw badRequest('name in URL does not match name in Binding object');
    return bindPod(parent, name, body, context);
  },
};

/** Source: eviction.go addConditionAndDeletePod. */
function disrupted(pod: KubeObject, now: string): KubeObject {
  const others = records(status(pod).conditions).filter(({ type }) => type !== 'DisruptionTarget');
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
    lastTransitionTime: now,
  };
  return withFields(pod, { status: { ...status(pod), conditions: [...others, condition] } });
}

/** pods/eviction: a deletion. No disruption budget holds it up here: nobody counts their pods. Source: eviction.go. */
const eviction: Subresource = {
  kind: 'action',
  name: 'eviction',
  verbs: ['create'],
  answersWith: { group: 'policy', version: 'v1', kind: 'Eviction' },
  act({ parent, name, body, context, end }) {
    const own = text(body.metadata?.name);
    if (own !== name) throw badRequest('name in URL does not match name in Eviction object');
    if (parent === undefined) throw notFound(PODS, name);
    const options = record(body.deleteOptions);
    const isTried = context.dryRun || texts(options.dryRun).length > 0;
    if (!isTried) end(context.store.update(PODS, disrupted(parent, rfc3339(context.clock.now()))), options);
    return { code: 201, object: SUCCESS };
  },
};

const onlySpecField = (field: string, more: (pod: KubeObject, old: KubeObject) => FieldError[]): Subresource => ({
  kind: 'part',
  name: field === 'ephemeralContainers' ? 'ephemeralcontainers' : 'resize',
  verbs: ['get', 'patch', 'update'],
  strategy: {
    prepareForUpdate: (pod, old) => {
      const value = spec(pod)[field];
      return {
        ...old,
        metadata: {
          ...old.metadata,
          ...(pod.metadata.managedFields === undefined ? {} : { managedFields: pod.metadata.managedFields }),
        },
        spec: { ...spec(old), [field]: value },
      };
    },
    validateUpdate: more,
    metadataOnUpdate: 'update',
  },
});

const ephemeral = onlySpecField('ephemeralContainers', (pod, old) => {
  const names = records(spec(pod).ephemeralContainers).map((container) => text(container.name));
  const errors: FieldError[] = [];
  for (const container of records(spec(old).ephemeralContainers)) {
    const name = text(container.name);
    if (!names.includes(name))
      errors.push(
        forbiddenField(
          'spec.ephemeralContainers',
          `existing ephemeral containers ${JSON.stringify(name)} may not be removed\n`,
        ),
      );
  }
  if (old.metadata.annotations?.[MIRROR] !== undefined)
    errors.push(forbiddenField('', 'static pods do not support ephemeral containers'));
  return errors;
});

/** Gate InPlacePodVerticalScaling: beta and on in 1.33. Source: pkg/features/kube_features.go. */
const resize: Subresource = { ...onlySpecField('containers', () => []), since: 33 };

/** A pod that runs somewhere is its kubelet's to end. Source: pkg/registry/core/pod/strategy.go CheckGracefulDelete. */
function gracePeriod(pod: KubeObject, requested: number | undefined): number {
  const { nodeName, terminationGracePeriodSeconds } = spec(pod);
  if (text(nodeName) === '' || ['Failed', 'Succeeded'].includes(text(status(pod).phase))) return 0;
  const period = requested ?? (typeof terminationGracePeriodSeconds === 'number' ? terminationGracePeriodSeconds : 0);
  return period < 0 ? 1 : period;
}

/** A negative grace period means the shortest one. Source: pkg/registry/core/pod/strategy.go PrepareForCreate. */
const atLeastASecond = (pod: KubeObject): KubeObject => {
  const { terminationGracePeriodSeconds } = spec(pod);
  const negative = typeof terminationGracePeriodSeconds === 'number' && terminationGracePeriodSeconds < 0;
  return negative ? withFields(pod, { spec: { ...spec(pod), terminationGracePeriodSeconds: 1 } }) : pod;
};

/** Source: pkg/registry/core/pod/strategy.go WarningsOnCreate. */
function hostnameWarnings({ metadata }: KubeObject, old?: KubeObject): readonly string[] {
  if (old !== undefined) return [];
  const faults = dnsLabel(metadata.name ?? '');
  const why = "this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended";
  return faults.length === 0 ? [] : [`metadata.name: ${why}: [${faults.join(' ')}]`];
}

export const podBehaviours: Behaviours = {
  pods: () => ({
    default: defaults,
    prepareForCreate: (pod) =>
      withFields(atLeastASecond(pod), { status: { phase: 'Pending', qosClass: qosClass(pod) } }),
    warnings: hostnameWarnings,
    gracePeriod,
    validate: validateCreation,
    validateUpdate: validateChange,
    prepareStatus: (pod, old) =>
      text(status(pod).qosClass) === ''
        ? withFields(pod, { status: { ...status(pod), qosClass: status(old).qosClass } })
        : pod,
    validateStatus: (pod, old) => {
      const [after, before] = [text(status(pod).qosClass), text(status(old).qosClass)];
      return before !== '' && after !== before ? [invalidValue('status.qosClass', after, 'field is immutable')] : [];
    },
    subresources: [
      binding,
      eviction,
      ephemeral,
      resize,
      proxySubresource('PodProxyOptions'),
      kubeletSubresource('attach', 'PodAttachOptions', ['create', 'get']),
      kubeletSubresource('exec', 'PodExecOptions', ['create', 'get']),
      kubeletSubresource('portforward', 'PodPortForwardOptions', ['create', 'get']),
      kubeletSubresource('log', 'Pod', ['get']),
    ],
    fieldSelectors: {
      'spec.nodeName': (pod) => text(spec(pod).nodeName),
      'spec.restartPolicy': (pod) => text(spec(pod).restartPolicy),
      'spec.schedulerName': (pod) => text(spec(pod).schedulerName),
      'spec.serviceAccountName': (pod) => text(spec(pod).serviceAccountName),
      'spec.hostNetwork': (pod) => String(spec(pod).hostNetwork === true),
      'status.phase': (pod) => text(status(pod).phase),
      'status.podIP': (pod) => text(records(status(pod).podIPs)[0]?.ip) || texts([status(pod).podIP])[0] || '',
      'status.nominatedNodeName': (pod) => text(status(pod).nominatedNodeName),
    },
    refuseFieldLabel: onlyLabels(
      'metadata.name',
      'metadata.namespace',
      'spec.nodeName',
      'spec.restartPolicy',
      'spec.schedulerName',
      'spec.serviceAccountName',
      'spec.hostNetwork',
      'status.phase',
      'status.podIP',
      'status.podIPs',
      'status.nominatedNodeName',
      'spec.host',
    ),
  }),
};
