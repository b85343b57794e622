/**
 * The namespaces that joining writes to, and what keeps something out of them: that they go, quotas that are used up,
 * quotas and ranges of what kube-proxy and networks do not say that they need, and a level of Pod security that these do
 * not keep.
 * Source: apiserver, pkg/admission/plugin/namespace/lifecycle; plugin/pkg/admission/{resourcequota,limitranger};
 * pkg/quota/v1/evaluator/core/pods.go; pod-security-admission, policy/check_{privileged,hostNamespaces}.go.
 */
import { type Fields, record, records, text, texts } from '../../kubernetes/json.js';
import { KUBE_SYSTEM } from '../../kubernetes/names.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { refusal } from '../../model/finding.js';
import type { DaemonSeen } from '../policy/kubeadm-addons.js';
import { quantity } from '../written/pod-values.js';

export interface JoiningNamespace {
  readonly name: string;
  /** What keeps something out: "it is being deleted". */
  readonly lacks: readonly string[];
}

interface Around {
  readonly namespace: KubeObject;
  readonly quotas: readonly KubeObject[];
  readonly ranges: readonly KubeObject[];
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

const CRITICAL = 'system-node-critical';

/** Is a quota for what runs on every machine? One of a scope is for some Pods alone. */
function isForMachines(spec: Fields): boolean {
  const { scopes, scopeSelector } = spec;
  if (scopes === undefined && scopeSelector === undefined) return true;
  const asked = records(record(scopeSelector).matchExpressions);
  if (texts(scopes).length > 0 || asked.length === 0) return false;
  return asked.every(({ scopeName, operator, values }) => {
    const isNamed = texts(values).includes(CRITICAL);
    const ofNamed = operator === 'In' ? isNamed : operator === 'NotIn' && !isNamed;
    return scopeName === 'PriorityClass' && (operator === 'Exists' || ofNamed);
  });
}

function fullBy({ metadata, spec, status }: KubeObject, namespace: string): readonly string[] {
  const { hard } = record(spec);
  const used = record(record(status).used);
  return Object.entries(record(hard)).flatMap(([what, given]) => {
    const [most, taken] = [numberOf(given), numberOf(used[what])];
    return taken >= most && MADE[namespace]?.includes(what)
      ? [`ResourceQuota ${metadata.name ?? ''} leaves no ${what}`]
      : [];
  });
}

/** Of these a quota takes no Pod that does not say how much it needs. */
const COUNTED = /^(?:(?:requests|limits)\.)?(?:cpu|memory)$/;
const spelt = (what: string): string => (what.includes('.') ? what : `requests.${what}`);

/** What a range adds to Pods that do not say it. */
const addedBy = (ranges: readonly KubeObject[]): readonly string[] =>
  ranges
    .flatMap(({ spec }) => records(record(spec).limits))
    .filter(({ type }) => type === 'Container')
    .flatMap(({ default: limits, defaultRequest }) => [
      ...Object.keys(record(limits)).flatMap((what) => [`limits.${what}`, `requests.${what}`]),
      ...Object.keys(record(defaultRequest)).map((what) => `requests.${what}`),
    ]);

/** What Pods must say, and to whom; a range of whole Pods is content with one container that does. */
function unsaidIn({ quotas, ranges, daemons }: Omit<Around, 'namespace'>): readonly string[] {
  const added = addedBy(ranges);
  const unsaid = (by: string, asked: readonly string[], needs: (one: DaemonSeen, what: string) => boolean) =>
    asked.flatMap((what) => {
      const refused = added.includes(what) ? undefined : daemons.find((one) => !needs(one, what));
      return refused === undefined ? [] : [`${by} asks for ${what}, which DaemonSet ${refused.name} does not state`];
    });
  return [
    ...quotas.flatMap(({ metadata, spec }) =>
      unsaid(
        `ResourceQuota ${metadata.name ?? ''}`,
        Object.keys(record(record(spec).hard))
          .filter((what) => COUNTED.test(what))
          .map(spelt),
        ({ needs }, what) => needs.every((one) => Object.hasOwn(one, what)),
      ),
    ),
    ...ranges.flatMap(({ metadata, spec }) =>
      records(record(spec).limits)
        .filter(({ type }) => type === 'Pod')
        .flatMap(({ max, min }) =>
          unsaid(
            `LimitRange ${metadata.name ?? ''}`,
            [
              ...Object.keys(record(max)).map((what) => `limits.${what}`),
              ...Object.keys(record(min)).map((what) => `requests.${what}`),
            ],
            ({ needs }, what) => needs.some((one) => Object.hasOwn(one, what)),
          ),
        ),
    ),
  ];
}

/** What a range of containers refuses of what they say, whatever it adds to others. */
function beyondIn({ ranges, daemons }: Pick<Around, 'ranges' | 'daemons'>): readonly string[] {
  const [below, above] = [(one: number, bound: number) => one < bound, (one: number, bound: number) => one > bound];
  return ranges.flatMap(({ metadata, spec }) =>
    records(record(spec).limits)
      .filter(({ type }) => type === 'Container')
      .flatMap(({ min, max }) =>
        [
          ...Object.entries(record(min)).map(([what, bound]) => [`requests.${what}`, bound, below] as const),
          ...Object.entries(record(max)).map(([what, bound]) => [`limits.${what}`, bound, above] as const),
          ...Object.entries(record(max)).map(([what, bound]) => [`requests.${what}`, bound, above] as const),
        ].flatMap(([what, bound, isBeyond]) => {
          const refused = daemons.find(({ states }) =>
            states.some((one) => Object.hasOwn(one, what) && isBeyond(numberOf(one[what]), numberOf(bound))),
          );
          const by = `LimitRange ${metadata.name ?? ''}`;
          return refused === undefined ? [] : [`${by} refuses ${what} of DaemonSet ${refused.name}`];
        }),
      ),
  );
}

const ENFORCED = 'pod-security.kubernetes.io/enforce';

/** Reader. */
export function readNamespace(around: Around): JoiningNamespace {
  const { namespace, ranges } = around;
  const { name = '', deletionTimestamp, labels = {} } = namespace.metadata;
  const level = Object.hasOwn(labels, ENFORCED) ? text(labels[ENFORCED]) : '';
  // neither lets such a Pod be
  const isKept = ['baseline', 'restricted'].includes(level);
  const daemons = around.daemons.filter((one) => one.namespace === name);
  const kept = daemons.filter(({ privileged }) => isKept && privileged);
  const quotas = around.quotas.filter(({ spec }) => isForMachines(record(spec)));
  return {
    name,
    lacks: [
      ...(deletionTimestamp === undefined ? [] : ['it is being deleted']),
      ...quotas.flatMap((quota) => fullBy(quota, name)),
      ...unsaidIn({ quotas, ranges, daemons }),
      ...beyondIn({ ranges, daemons }),
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
