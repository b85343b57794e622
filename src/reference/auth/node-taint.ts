/** TaintNodesByCondition: a new Node starts as not ready, so that nothing lands on it too early. Source: plugin/pkg/admission/nodetaint/admission.go. */
import { record, records } from '../resources/read.js';
import type { AdmissionPlugin } from '../types.js';

const NOT_READY = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

export const nodeTaint: AdmissionPlugin = {
  name: 'TaintNodesByCondition',
  mutate({ operation, group, resource, subresource, object }) {
    if (operation !== 'CREATE' || group !== '' || resource !== 'nodes' || subresource !== '' || object === undefined) return undefined;
    const spec = record(object.spec);
    const taints = records(spec.taints);
    if (taints.some(({ key, effect }) => key === NOT_READY.key && effect === NOT_READY.effect)) return undefined;
    return { ...object, spec: { ...spec, taints: [...taints, NOT_READY] } };
  },
};
