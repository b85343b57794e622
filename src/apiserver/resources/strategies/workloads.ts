/** Deployments, DaemonSets, ReplicaSets, StatefulSets, Jobs and the like. Source: pkg/apis/apps/validation/validation.go, pkg/registry/apps. */
import { isDeepStrictEqual } from 'node:util';
import { count, type Fields, isRecord, record, text, textMap } from '../../../kubernetes/json.js';
import type { KubeObject } from '../../../kubernetes/objects.js';
import {
  child,
  forbiddenField,
  IMMUTABLE,
  invalidValue,
  notSupported,
  required,
} from '../../machinery/field-errors.js';
import { validateAnnotations, validateLabels } from '../../machinery/metadata-validation.js';
import type { FieldError } from '../../types.js';
import type { Behaviour, Behaviours } from '../behaviour.js';
import { isEmptySelector, selectorMatches, validateLabelSelector } from '../label-selector-validation.js';
import { nonNegative, validatePodSpec } from '../pod-spec-validation.js';
import { spec, status, withDefaults, withFields, withMetadata } from '../read.js';
import { scaleSubresource } from '../scale.js';

/** ValidatePodTemplateSpec: labels, annotations, spec. */
function validateTemplate(template: Fields, field: string): FieldError[] {
  const metadata = record(template.metadata);
  return [
    ...validateLabels(textMap(metadata.labels), child(field, 'labels')),
    ...validateAnnotations(textMap(metadata.annotations), child(field, 'annotations')),
    ...validatePodSpec(record(template.spec), child(field, 'spec')),
  ];
}

const templateLabels = (object: KubeObject): Readonly<Record<string, string>> =>
  textMap(record(record(spec(object).template).metadata).labels);

function alwaysRestarts(object: KubeObject, kind: string): FieldError[] {
  const podSpec = record(record(spec(object).template).spec);
  return [
    ...(podSpec.restartPolicy === 'Always'
      ? []
      : [notSupported('spec.template.spec.restartPolicy', text(podSpec.restartPolicy), ['Always'])]),
    ...(podSpec.activeDeadlineSeconds === undefined
      ? []
      : [
          forbiddenField(
            'spec.template.spec.activeDeadlineSeconds',
            `activeDeadlineSeconds in ${kind} is not Supported`,
          ),
        ]),
  ];
}

/** Selector and template, and that one selects the other. */
function selectorAndTemplate(
  object: KubeObject,
  emptyFor: string,
  kind: string,
  faultText = 'invalid label selector',
): FieldError[] {
  const { selector, template } = spec(object);
  const errors: FieldError[] = [];
  const faults = isRecord(selector) ? validateLabelSelector(selector, 'spec.selector') : [];
  if (!isRecord(selector)) errors.push(required('spec.selector'));
  else {
    errors.push(...faults);
    if (isEmptySelector(selector))
      errors.push(invalidValue('spec.selector', selector, `empty selector is invalid for ${emptyFor}`));
  }
  if (faults.length > 0) return [...errors, invalidValue('spec.selector', selector, faultText)];
  // A selector that is not there selects nothing, an empty one is not held against the template.
  const matches =
    isRecord(selector) && (isEmptySelector(selector) || selectorMatches(selector, templateLabels(object)));
  if (!matches)
    errors.push(
      invalidValue(
        'spec.template.metadata.labels',
        record(record(record(template).metadata).labels),
        '`selector` does not match template `labels`',
      ),
    );
  return [...errors, ...validateTemplate(record(template), 'spec.template'), ...alwaysRestarts(object, kind)];
}

const PERCENT = /^[0-9]+%$/;
const PERCENT_FAULT =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

function intOrPercent(value: unknown, field: string): FieldError[] {
  if (typeof value === 'string') return PERCENT.test(value) ? [] : [invalidValue(field, value, PERCENT_FAULT)];
  return nonNegative(field, value);
}
const amount = (value: unknown): number => (typeof value === 'string' ? Number.parseInt(value, 10) || 0 : count(value));
const atMostAll = (value: unknown, field: string): FieldError[] =>
  typeof value === 'string' && PERCENT.test(value) && amount(value) > 100
    ? [invalidValue(field, value, 'must not be greater than 100%')]
    : [];

function deploymentStrategy(strategy: Fields): FieldError[] {
  const { type, rollingUpdate } = strategy;
  if (type === 'Recreate')
    return isRecord(rollingUpdate)
      ? [forbiddenField('spec.strategy.rollingUpdate', "may not be specified when strategy `type` is 'Recreate'")]
      : [];
  if (type !== 'RollingUpdate')
    return [
      notSupported('spec.strategy', { Type: text(type), RollingUpdate: rollingUpdate ?? null }, [
        'Recreate',
        'RollingUpdate',
      ]),
    ];
  const { maxUnavailable, maxSurge } = record(rollingUpdate);
  const path = 'spec.strategy.rollingUpdate';
  return [
    ...intOrPercent(maxUnavailable, `${path}.maxUnavailable`),
    ...intOrPercent(maxSurge, `${path}.maxSurge`),
    ...(amount(maxUnavailable) === 0 && amount(maxSurge) === 0
      ? [invalidValue(`${path}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0')]
      : []),
    ...atMostAll(maxUnavailable, `${path}.maxUnavailable`),
  ];
}

function validateDeployment(deployment: KubeObject): FieldError[] {
  const { replicas, strategy, minReadySeconds, revisionHistoryLimit, progressDeadlineSeconds } = spec(deployment);
  return [
    ...nonNegative('spec.replicas', replicas),
    ...selectorAndTemplate(deployment, 'deployment', 'ReplicaSet'),
    ...deploymentStrategy(record(strategy)),
    ...nonNegative('spec.minReadySeconds', minReadySeconds),
    ...nonNegative('spec.revisionHistoryLimit', revisionHistoryLimit),
    ...nonNegative('spec.progressDeadlineSeconds', progressDeadlineSeconds),
    ...(count(progressDeadlineSeconds) <= count(minReadySeconds)
      ? [invalidValue('spec.progressDeadlineSeconds', progressDeadlineSeconds, 'must be greater than minReadySeconds')]
      : []),
  ];
}

const validateReplicaSet = (set: KubeObject): FieldError[] => [
  ...nonNegative('spec.replicas', spec(set).replicas),
  ...nonNegative('spec.minReadySeconds', spec(set).minReadySeconds),
  ...selectorAndTemplate(set, 'deployment', 'ReplicaSet'),
];

function daemonSetStrategy(strategy: Fields): FieldError[] {
  const { type, rollingUpdate } = strategy;
  const path = 'spec.updateStrategy.rollingUpdate';
  if (type === 'OnDelete') return [];
  if (type !== 'RollingUpdate')
    return [notSupported('spec.updateStrategy.type', text(type), ['RollingUpdate', 'OnDelete'])];
  const { maxUnavailable, maxSurge } = record(rollingUpdate);
  const errors = [
    ...intOrPercent(maxUnavailable, `${path}.maxUnavailable`),
    ...atMostAll(maxUnavailable, `${path}.maxUnavailable`),
    ...intOrPercent(maxSurge, `${path}.maxSurge`),
    ...atMostAll(maxSurge, `${path}.maxSurge`),
  ];
  const [unavailable, surge] = [amount(maxUnavailable) !== 0, amount(maxSurge) !== 0];
  if (unavailable && surge)
    errors.push(invalidValue(`${path}.maxSurge`, maxSurge, 'may not be set when maxUnavailable is non-zero'));
  if (!unavailable && !surge) errors.push(required(`${path}.maxUnavailable`, 'cannot be 0 when maxSurge is 0'));
  return errors;
}

function validateDaemonSet(set: KubeObject): FieldError[] {
  const { selector, template, minReadySeconds, updateStrategy, revisionHistoryLimit } = spec(set);
  const faults = validateLabelSelector(selector, 'spec.selector');
  const errors = [...faults];
  if (faults.length === 0 && !(isRecord(selector) && selectorMatches(selector, templateLabels(set))))
    errors.push(
      invalidValue(
        'spec.template.metadata.labels',
        record(record(record(template).metadata).labels),
        '`selector` does not match template `labels`',
      ),
    );
  if (isRecord(selector) && isEmptySelector(selector))
    errors.push(invalidValue('spec.selector', selector, 'empty selector is invalid for daemonset'));
  return [
    ...errors,
    ...validateTemplate(record(template), 'spec.template'),
    ...alwaysRestarts(set, 'DaemonSet'),
    ...nonNegative('spec.minReadySeconds', minReadySeconds),
    ...daemonSetStrategy(record(updateStrategy)),
    ...nonNegative('spec.revisionHistoryLimit', revisionHistoryLimit),
  ];
}

function validateStatefulSet(set: KubeObject): FieldError[] {
  const { podManagementPolicy, updateStrategy, replicas, minReadySeconds } = spec(set);
  const { type } = record(updateStrategy);
  const policy = text(podManagementPolicy);
  return [
    ...(policy === 'OrderedReady' || policy === 'Parallel'
      ? []
      : [invalidValue('spec.podManagementPolicy', policy, "must be 'OrderedReady' or 'Parallel'")]),
    ...(type === 'RollingUpdate' || type === 'OnDelete'
      ? []
      : [invalidValue('spec.updateStrategy', updateStrategy, "must be 'RollingUpdate' or 'OnDelete'")]),
    ...nonNegative('spec.replicas', replicas),
    ...nonNegative('spec.minReadySeconds', minReadySeconds),
    ...selectorAndTemplate(set, 'statefulset', 'StatefulSet', ''),
  ];
}

const fixedSelector = (object: KubeObject, old: KubeObject): FieldError[] =>
  isDeepStrictEqual(spec(object).selector, spec(old).selector)
    ? []
    : [invalidValue('spec.selector', spec(object).selector ?? null, IMMUTABLE)];

const STATEFUL_SET_CHANGES = [
  'replicas',
  'template',
  'updateStrategy',
  'minReadySeconds',
  'ordinals',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
];
function statefulSetChange(set: KubeObject, old: KubeObject): FieldError[] {
  const fixed = (object: KubeObject): Fields =>
    Object.fromEntries(Object.entries(spec(object)).filter(([field]) => !STATEFUL_SET_CHANGES.includes(field)));
  if (isDeepStrictEqual(fixed(set), fixed(old))) return [];
  const detail =
    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";
  return [forbiddenField('spec', detail)];
}

/** The status of a Deployment leaves its labels alone; its siblings are not as strict. Source: deployment/strategy.go deploymentStatusStrategy. */
const labelsStay = (object: KubeObject, old: KubeObject): KubeObject => {
  const { labels: _labels, ...metadata } = object.metadata;
  return {
    ...object,
    metadata: { ...metadata, ...(old.metadata.labels === undefined ? {} : { labels: old.metadata.labels }) },
  };
};

const workload = (
  validate: (object: KubeObject) => readonly FieldError[],
  change = fixedSelector,
  more: Behaviour = {},
): Behaviour => ({
  metadataOnUpdate: 'update',
  validate,
  validateUpdate: (object, old) => [...validate(object), ...change(object, old)],
  ...more,
});

const DEPRECATED_GENERATION = 'deprecated.daemonset.template.generation';
/** The generation of a DaemonSet's template lives on as an annotation. Source: pkg/apis/apps/v1/conversion.go. */
const templateGeneration = (set: KubeObject, generation: number): KubeObject =>
  withMetadata(set, { annotations: { ...set.metadata.annotations, [DEPRECATED_GENERATION]: String(generation) } });

const replicaSelector = (object: KubeObject): string => String(count(status(object).replicas));

/** Labels and selector of a ReplicationController default to those of its template, a Job's labels too. */
const templateDefaults = (object: KubeObject): KubeObject => {
  const labels = templateLabels(object);
  if (Object.keys(labels).length === 0) return object;
  const own = object.metadata.labels ?? {};
  const labelled = Object.keys(own).length === 0 ? withMetadata(object, { labels }) : object;
  if (object.kind !== 'ReplicationController' || Object.keys(record(spec(object).selector)).length > 0) return labelled;
  return withFields(labelled, { spec: { ...spec(labelled), selector: labels } });
};

/** Defaults of a Job; those of a CronJob's template wait until the Job is made. Source: pkg/apis/batch/v1/defaults.go SetDefaults_Job. */
function jobDefaults(job: KubeObject): KubeObject {
  const own = spec(job);
  const defaults = {
    ...(own.completions === undefined && own.parallelism === undefined ? { completions: 1 } : {}),
    parallelism: 1,
    backoffLimit: own.backoffLimitPerIndex === undefined ? 6 : 2147483647,
    completionMode: 'NonIndexed',
    suspend: false,
    podReplacementPolicy: own.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed',
    manualSelector: false,
  };
  return templateDefaults(withFields(job, { spec: withDefaults(own, defaults) }));
}

/** A Job selects its pods by its own uid. Source: pkg/registry/batch/job/strategy.go generateSelector. */
function jobSelector(job: KubeObject): KubeObject {
  const { uid } = job.metadata;
  if (spec(job).manualSelector === true || uid === undefined) return job;
  const template = record(spec(job).template);
  const metadata = record(template.metadata);
  const name = job.metadata.name ?? '';
  const added = {
    'controller-uid': uid,
    'job-name': name,
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
  };
  const labels = { ...textMap(metadata.labels), ...added };
  return withFields(job, {
    spec: {
      ...spec(job),
      template: { ...template, metadata: { ...metadata, labels } },
      selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } },
    },
  });
}

/** The spec of a Job, which also stands in a CronJob. */
function validateJobSpec(job: Fields, field: string): FieldError[] {
  const policy = text(record(record(job.template).spec).restartPolicy);
  return [
    ...['parallelism', 'completions', 'backoffLimit'].flatMap((name) => nonNegative(child(field, name), job[name])),
    ...validateTemplate(record(job.template), child(field, 'template')),
    ...(policy === 'OnFailure' || policy === 'Never'
      ? []
      : [required(child(field, 'template.spec.restartPolicy'), 'valid values: "OnFailure", "Never"')]),
  ];
}

function validateCronJob(job: KubeObject): FieldError[] {
  const { schedule, jobTemplate, concurrencyPolicy } = spec(job);
  const policies = ['Allow', 'Forbid', 'Replace'];
  return [
    ...(text(schedule) === '' ? [required('spec.schedule')] : []),
    ...(policies.includes(text(concurrencyPolicy))
      ? []
      : [notSupported('spec.concurrencyPolicy', text(concurrencyPolicy), policies)]),
    ...validateJobSpec(record(record(jobTemplate).spec), 'spec.jobTemplate.spec'),
  ];
}

export const workloadBehaviours: Behaviours = {
  'deployments.apps': () =>
    workload(validateDeployment, fixedSelector, {
      prepareStatus: labelsStay,
      subresources: [scaleSubresource('deployments.apps')],
    }),
  'replicasets.apps': () =>
    workload(validateReplicaSet, fixedSelector, {
      subresources: [scaleSubresource('replicasets.apps')],
      fieldSelectors: { 'status.replicas': replicaSelector },
    }),
  'statefulsets.apps': () =>
    workload(validateStatefulSet, statefulSetChange, { subresources: [scaleSubresource('statefulsets.apps')] }),
  'daemonsets.apps': () =>
    workload(validateDaemonSet, fixedSelector, {
      validateUpdate: (set, old) => [...fixedSelector(set, old), ...validateDaemonSet(set)],
      prepareForCreate: (set) =>
        templateGeneration(set, Number(set.metadata.annotations?.[DEPRECATED_GENERATION] ?? 0) || 1),
      prepareForUpdate: (set, old) => {
        const before = Number(old.metadata.annotations?.[DEPRECATED_GENERATION] ?? 0);
        return templateGeneration(set, isDeepStrictEqual(spec(set).template, spec(old).template) ? before : before + 1);
      },
    }),
  replicationcontrollers: () => ({
    metadataOnUpdate: 'update-create',
    default: templateDefaults,
    subresources: [scaleSubresource('replicationcontrollers')],
    fieldSelectors: { 'status.replicas': replicaSelector },
    refuseFieldLabel: (label) =>
      ['metadata.name', 'metadata.namespace', 'status.replicas'].includes(label)
        ? undefined
        : `field label not supported: ${label}`,
  }),
  'jobs.batch': () => ({
    metadataOnUpdate: 'update-create',
    default: jobDefaults,
    prepareForCreate: jobSelector,
    validate: (job) => validateJobSpec(spec(job), 'spec'),
    fieldSelectors: { 'status.successful': (job) => String(count(status(job).succeeded)) },
    refuseFieldLabel: (label) =>
      ['metadata.name', 'metadata.namespace', 'status.successful'].includes(label)
        ? undefined
        : `field label ${JSON.stringify(label)} not supported for Job`,
  }),
  'controllerrevisions.apps': () => ({
    validateUpdate: (revision, old) =>
      isDeepStrictEqual(revision.data, old.data) ? [] : [invalidValue('data', revision.data, IMMUTABLE)],
  }),
  'cronjobs.batch': () => ({ validate: validateCronJob }),
};
