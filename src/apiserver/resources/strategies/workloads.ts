/**
 * Deployments, DaemonSets, ReplicaSets, StatefulSets and Jobs: rows of the schema with their defaults, a scale, and a
 * selector that stays. No controller of this server runs them, so their specs are taken as they come. Source:
 * pkg/registry/{apps,batch,core}, pkg/apis/batch/v1/defaults.go.
 */
import { isDeepStrictEqual } from 'node:util';
import { count, record, textMap } from '../../../kubernetes/json.js';
import type { KubeObject } from '../../../kubernetes/objects.js';
import { IMMUTABLE, invalidValue } from '../../machinery/field-errors.js';
import type { Behaviour, Behaviours } from '../behaviour.js';
import { spec, status, withDefaults, withFields, withMetadata } from '../read.js';
import { scaleSubresource } from '../scale.js';

const workload = (more: Behaviour = {}): Behaviour => ({
  metadataOnUpdate: 'update',
  validateChange: (object, old) =>
    isDeepStrictEqual(spec(object).selector, spec(old).selector)
      ? []
      : [invalidValue('spec.selector', spec(object).selector ?? null, IMMUTABLE)],
  ...more,
});
const scaled = (key: string): Behaviours => ({ [key]: () => workload({ subresources: [scaleSubresource(key)] }) });

/** Labels and selector of a ReplicationController default to those of its template, a Job's labels too. */
const templateDefaults = (object: KubeObject): KubeObject => {
  const labels = textMap(record(record(spec(object).template).metadata).labels);
  if (Object.keys(labels).length === 0) return object;
  const labelled = Object.keys(object.metadata.labels ?? {}).length === 0 ? withMetadata(object, { labels }) : object;
  if (object.kind !== 'ReplicationController' || Object.keys(record(spec(object).selector)).length > 0) return labelled;
  return withFields(labelled, { spec: { ...spec(labelled), selector: labels } });
};

/** Defaults of a Job; those of a CronJob's template wait until the Job is made. */
function jobDefaults(job: KubeObject): KubeObject {
  const own = spec(job);
  const defaults = {
    ...(own.completions === undefined && own.parallelism === undefined ? { completions: 1 } : {}),
    parallelism: 1,
    backoffLimit: 6,
    completionMode: 'NonIndexed',
    suspend: false,
    podReplacementPolicy: 'TerminatingOrFailed',
    manualSelector: false,
  };
  return templateDefaults(withFields(job, { spec: withDefaults(own, defaults) }));
}

/** A Job selects its pods by its own uid. Source: pkg/registry/batch/job/strategy.go generateSelector. */
function jobSelector(job: KubeObject): KubeObject {
  const { uid, name = '' } = job.metadata;
  if (spec(job).manualSelector === true || uid === undefined) return job;
  const template = record(spec(job).template);
  const metadata = record(template.metadata);
  const own = { 'batch.kubernetes.io/controller-uid': uid, 'batch.kubernetes.io/job-name': name };
  const labels = { ...textMap(metadata.labels), 'controller-uid': uid, 'job-name': name, ...own };
  const selector = { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } };
  const selecting = { ...spec(job), template: { ...template, metadata: { ...metadata, labels } }, selector };
  return withFields(job, { spec: selecting });
}

export const workloadBehaviours: Behaviours = {
  'deployments.apps': () =>
    workload({
      subresources: [scaleSubresource('deployments.apps')],
      countsAnnotations: true,
      // Source: deploymentStatusStrategy.PrepareForUpdate.
      prepareStatus: (object, old) => {
        const { labels: _labels, ...metadata } = object.metadata;
        const { labels } = old.metadata;
        return { ...object, metadata: labels === undefined ? metadata : { ...metadata, labels } };
      },
    }),
  ...scaled('replicasets.apps'),
  ...scaled('statefulsets.apps'),
  'daemonsets.apps': () => workload(),
  replicationcontrollers: () => ({
    default: templateDefaults,
    subresources: [scaleSubresource('replicationcontrollers')],
    fieldSelectors: { 'status.replicas': (object) => String(count(status(object).replicas)) },
  }),
  'jobs.batch': () => ({
    default: jobDefaults,
    prepareForCreate: jobSelector,
    fieldSelectors: { 'status.successful': (job) => String(count(status(job).succeeded)) },
  }),
};
