/**
 * The namespaces that joining writes to, and what keeps something out of them: that they go, quotas that are used up,
 * and a level of Pod security that kube-proxy and networks do not keep.
 * Source: apiserver, pkg/admission/plugin/namespace/lifecycle; plugin/pkg/admission/resourcequota;
 * pod-security-admission, policy/check_{privileged,hostNamespaces}.go.
 */
import { record, text } from '../kubernetes/json.js';
import { KUBE_SYSTEM } from '../kubernetes/names.js';
import type { KubeObject } from '../kubernetes/objects.js';
import type { Check } from '../model/check.js';
import { refusal } from '../model/finding.js';
import type { DaemonSeen } from './kubeadm-addons.js';
import { quantity } from './pod-values.js';

export interface JoiningNamespace {
  readonly name: string;
  /** What keeps something out: "it is being deleted". */
  readonly lacks: readonly string[];
}

interface Around {
  readonly namespace: KubeObject;
  readonly quotas: readonly KubeObject[];
  /** Of all namespaces. */
  readonly daemons: readonly DaemonSeen[];
}

/** What joining makes, and how quotas count it. */
const MADE: Readonly<Record<string, readonly string[]>> = {
  'kube-node-lease': ['count/leases.coordination.k8s.io'],
  [KUBE_SYSTEM]: ['secrets', 'count/secrets', 'pods', 'count/pods'],
};

/** No number where it is none. */
const numberOf = (given: unknown): number => (given === undefined ? 0 : (quantity(given) ?? Number.NaN));

/** Those of a scope are for some Pods alone. */
function fullBy({ metadata, spec, status }: KubeObject, namespace: string): readonly string[] {
  const { hard, scopes, scopeSelector } = record(spec);
  if (scopes !== undefined || scopeSelector !== undefined) return [];
  const used = record(record(status).used);
  return Object.entries(record(hard)).flatMap(([what, given]) => {
    const [most, taken] = [numberOf(given), numberOf(used[what])];
    return taken >= most && MADE[namespace]?.includes(what)
      ? [`ResourceQuota ${metadata.name ?? ''} leaves no ${what}`]
      : [];
  });
}

const ENFORCED = 'pod-security.kubernetes.io/enforce';

/** Reader. */
export function readNamespace({ namespace, quotas, daemons }: Around): JoiningNamespace {
  const { name = '', deletionTimestamp, labels = {} } = namespace.metadata;
  const level = Object.hasOwn(labels, ENFORCED) ? text(labels[ENFORCED]) : '';
  // neither lets such a Pod be
  const isKept = ['baseline', 'restricted'].includes(level);
  const kept = daemons.filter(({ namespace: its, privileged }) => isKept && its === name && privileged);
  return {
    name,
    lacks: [
      ...(deletionTimestamp === undefined ? [] : ['it is being deleted']),
      ...quotas.flatMap((quota) => fullBy(quota, name)),
      ...(kept.length === 0 ? [] : [`it enforces "${level}", and DaemonSet ${kept[0]?.name ?? ''} is privileged`]),
    ],
  };
}

/** What cannot be written there, no machine gets. */
export const namespacesTake: Check<readonly JoiningNamespace[]> = {
  id: 'joining-namespaces/take',
  source: 'apiserver, pkg/admission/plugin/namespace/lifecycle/admission.go; plugin/pkg/admission/resourcequota',
  judge: (namespaces) =>
    namespaces.map(({ name, lacks }) =>
      refusal({
        subject: `Namespace ${name}`,
        demanded: 'takes what is written for machines that join',
        seen: lacks.join('; ') || 'nothing keeps it out',
        ok: lacks.length === 0,
      }),
    ),
};
