/**
 * What the API server's default admission makes of a new Pod beside its ServiceAccount
 * (auth/service-account-admission.ts): a priority and tolerations. Run in this order. Source:
 * plugin/pkg/admission/{priority,defaulttolerationseconds}/admission.go.
 */

import { count, records, text } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import type { AdmissionAttributes, AdmissionPlugin } from '../access.js';
import { forbidden } from '../machinery/errors.js';
import type { Store } from '../types.js';
import { spec, withFields } from './read.js';

const PODS = { group: '', resource: 'pods' } as const;
const CLASSES = { group: 'scheduling.k8s.io', resource: 'priorityclasses' } as const;

/** A pod that is being created, nothing else. */
const newPod = ({ operation, group, resource, subresource, object }: AdmissionAttributes): KubeObject | undefined =>
  operation === 'CREATE' && group === '' && resource === 'pods' && subresource === '' ? object : undefined;

const refuse = (pod: KubeObject, why: string): never => {
  throw forbidden(PODS, pod.metadata.name ?? pod.metadata.generateName ?? '', why);
};

const priority = (store: Store): AdmissionPlugin => ({
  name: 'Priority',
  mutate(attributes) {
    const pod = newPod(attributes);
    if (pod === undefined) return undefined;
    const own = spec(pod);
    const wanted = text(own.priorityClassName);
    const found =
      wanted === ''
        ? store.list(CLASSES).find((one) => one.globalDefault === true)
        : store.get(CLASSES, undefined, wanted);
    if (wanted !== '' && found === undefined) return refuse(pod, `no PriorityClass with name ${wanted} was found`);
    const value = count(found?.value);
    if (own.priority !== undefined && own.priority !== value)
      return refuse(
        pod,
        `the integer value of priority (${String(own.priority)}) must not be provided in pod spec; priority ` +
          `admission controller computed ${value} from the given PriorityClass name`,
      );
    const preemptionPolicy = text(found?.preemptionPolicy) || 'PreemptLowerPriority';
    const className = found === undefined ? {} : { priorityClassName: found.metadata.name };
    return withFields(pod, { spec: { ...own, ...className, priority: value, preemptionPolicy } });
  },
});

const NODE_TAINTS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'] as const;

const defaultTolerations: AdmissionPlugin = {
  name: 'DefaultTolerationSeconds',
  mutate(attributes) {
    const pod = newPod({
      ...attributes,
      operation: attributes.operation === 'UPDATE' ? 'CREATE' : attributes.operation,
    });
    if (pod === undefined) return undefined;
    const own = spec(pod);
    const tolerations = records(own.tolerations);
    const tolerated = (key: string): boolean =>
      tolerations.some(
        (one) => (text(one.key) === '' || one.key === key) && (text(one.effect) === '' || one.effect === 'NoExecute'),
      );
    const added = NODE_TAINTS.filter((key) => !tolerated(key)).map((key) => ({
      key,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: 300,
    }));
    return added.length === 0
      ? undefined
      : withFields(pod, { spec: { ...own, tolerations: [...tolerations, ...added] } });
  },
};

/** In the order of the API server's own list. */
export const podAdmission = (store: Store): readonly AdmissionPlugin[] => [priority(store), defaultTolerations];
