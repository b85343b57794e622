/** A new Node starts out as not ready: nothing is scheduled there before it reports. Source: plugin/pkg/admission/nodetaint/admission.go. */
import type { AdmissionPlugin } from '../types.js';

const NOT_READY = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

interface Taint {
  readonly key?: string;
  readonly effect?: string;
}

export const taintNodes = (): AdmissionPlugin => ({
  name: 'TaintNodesByCondition',
  mutate({ operation, group, resource, subresource, object }) {
    if (operation !== 'CREATE' || group !== '' || resource !== 'nodes' || subresource !== '' || object === undefined) return undefined;
    const spec = (object.spec ?? {}) as { readonly taints?: readonly Taint[] };
    const taints = spec.taints ?? [];
    if (taints.some(({ key, effect }) => key === NOT_READY.key && effect === NOT_READY.effect)) return undefined;
    return { ...object, spec: { ...spec, taints: [...taints, NOT_READY] } };
  },
});
