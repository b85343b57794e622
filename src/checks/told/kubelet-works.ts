/**
 * Does what kubelets are told leave a machine that has joined the work of a node? Pods stay on it, its Lease is renewed
 * in time, and nothing that it runs or asks is for everybody to replace.
 * Source: pkg/kubelet/eviction; pkg/kubelet/kubelet.go, nodeLeaseRenewIntervalFraction; pkg/volume/flexvolume.
 */
import { type Fields, isRecord, record, text, texts } from '../../kubernetes/json.js';
import type { ConfigMap } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import { isGateOn } from '../node-files/component-values.js';
import { asFlags, weakFlags } from '../node-files/node-weakened.js';
import { isInCommonFolder } from '../written/flag-values.js';
import { documentOf } from './machine-configuration.js';

export interface KubeletWorks {
  /** "ConfigMap kube-system/kubelet-config" */
  readonly subject: string;
  readonly there: boolean;
  readonly odd: readonly string[];
}

/** Of what there is: so much is free on no machine that runs Pods. */
const MOST_FREE = 90;
/** kube-proxy, a network, and what looks at the machine. */
const FEWEST_PODS = 4;
/** After so many seconds without a Lease a node is taken for dead, if nobody says otherwise; ten more since 1.32. */
const GRACE = 40;
/** A Lease is renewed after this share of its time. */
const RENEWED = 0.25;
/** Whether it is a node that others reach, and where the runtime is asked: judged as flags of a kubelet are. */
const AS_FLAGS = ['registerNode', 'healthzPort', 'address', 'containerRuntimeEndpoint', 'imageServiceEndpoint'];

/** "evictionHard memory.available 100%" */
const evictsAll = (settings: Fields): readonly string[] =>
  ['evictionHard', 'evictionSoft'].flatMap((field) =>
    Object.entries(record(settings[field]))
      .filter(([, limit]) => /^\d{1,3}(?:\.\d+)?%$/.test(text(limit)) && Number(text(limit).slice(0, -1)) >= MOST_FREE)
      .map(([signal, limit]) => `${field} ${signal} ${text(limit)}: no Pod stays`),
  );

/** Settings of whatever depth that name what lies where everybody may write. */
function inCommon(value: unknown, name: string, depth = 0): readonly string[] {
  if (typeof value === 'string') return isInCommonFolder(value) ? [`${name} ${value}: everybody may write there`] : [];
  if (depth > 5) return [];
  if (Array.isArray(value)) return texts(value).flatMap((one) => inCommon(one, name, depth + 1));
  return Object.entries(record(value)).flatMap(([key, one]) =>
    inCommon(one, name === '' ? key : `${name}.${key}`, depth + 1),
  );
}

function oddIn(settings: Fields): readonly string[] {
  const gates = Object.entries(record(settings.featureGates)).map(([gate, on]) => `${gate}=${String(on)}`);
  const { maxPods, nodeLeaseDurationSeconds: lease } = settings;
  // whether these are where the cluster has them is told by others
  const { authentication: _, staticPodPath: __, ...others } = settings;
  return [
    ...evictsAll(settings),
    ...inCommon(others, ''),
    ...weakFlags('kubelet', asFlags(settings, AS_FLAGS)),
    ...(isGateOn({ 'feature-gates': gates.join(',') }, 'AllAlpha', 'AllAlpha')
      ? ['the feature gate AllAlpha: what nobody has finished is on']
      : []),
    ...(typeof maxPods === 'number' && maxPods > 0 && maxPods < FEWEST_PODS ? [`maxPods ${maxPods}`] : []),
    ...(typeof lease === 'number' && lease * RENEWED >= GRACE
      ? [`nodeLeaseDurationSeconds ${lease}: its Lease is renewed when the node is taken for dead`]
      : []),
  ];
}

/** Reader. */
export function readKubeletWorks(subject: string, map: ConfigMap | undefined): KubeletWorks {
  const settings = documentOf(map, 'kubelet');
  return { subject, there: isRecord(settings), odd: isRecord(settings) ? oddIn(settings) : [] };
}

/** Every machine that joins is a node by it. */
export const kubeletsWork: Check<KubeletWorks> = {
  id: 'kubelet-works/nodes',
  source: 'pkg/kubelet/eviction/helpers.go; pkg/kubelet/kubelet.go; kubelet.config.k8s.io/v1beta1',
  nothing: 'no configuration of kubelets can be read',
  judge: ({ subject, there, odd }) =>
    there
      ? [
          demand({
            subject,
            demanded: 'lets machines be nodes: Pods stay, Leases come in time, and nobody replaces what is run',
            seen: odd.slice(0, 5).join('; ').slice(0, 240) || 'it does',
            ok: odd.length === 0,
          }),
        ]
      : [],
};
