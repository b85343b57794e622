/**
 * Do NetworkPolicies let Pods of every namespace ask the DNS of the cluster, and let it ask others? Policies add to one
 * another: what one lets in is let in.
 * Source: k8s.io/api, networking/v1 NetworkPolicySpec; kubernetes.io, Network policies.
 */
import { count, type Fields, record, records, text, textMap, texts } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';

export interface DnsPolicies {
  /** Those that pick its Pods: "kube-system/deny". */
  readonly picking: readonly string[];
  readonly lacks: readonly string[];
}

type Labels = Readonly<Record<string, string>>;

const holds = (labels: Labels, { key, operator, values }: Fields): boolean => {
  const own = labels[text(key)];
  const isAmong = own !== undefined && texts(values).includes(own);
  if (operator === 'In') return isAmong;
  if (operator === 'NotIn') return !isAmong;
  return operator === 'Exists' ? own !== undefined : own === undefined;
};

const picks = ({ matchLabels, matchExpressions }: Fields, labels: Labels): boolean =>
  Object.entries(record(matchLabels)).every(([key, value]) => labels[key] === value) &&
  records(matchExpressions).every((expression) => holds(labels, expression));

/** Of names by datagrams; what else a server of names answers at, Pods ask it for seldom. */
const DNS = 53;
const isDns = ({ port, endPort, protocol }: Fields): boolean =>
  protocol === 'UDP' &&
  (port === undefined || typeof port === 'string' || port === DNS || (Number(port) <= DNS && Number(endPort) >= DNS));

const portsOpen = ({ ports }: Fields): boolean => records(ports).length === 0 || records(ports).some(isDns);
/** Whoever it is, he is of another namespace, or none. */
const isBeyond = ({ namespaceSelector, ipBlock }: Fields): boolean =>
  namespaceSelector !== undefined || ipBlock !== undefined;
const peersOpen = ({ from }: Fields): boolean => records(from).length === 0 || records(from).some(isBeyond);

/** Whether what it asks of others may come to one of these ports. */
const isOneOf =
  (known: readonly number[]) =>
  ({ port, endPort, protocol = 'TCP' }: Fields): boolean =>
    protocol === 'TCP' &&
    (typeof port !== 'number' || known.some((one) => one === port || (port <= one && one <= count(endPort))));
/** `known`: ports of the API server; none where they are not known. */
const letsOut =
  (known: readonly number[]) =>
  ({ to, ports }: Fields): boolean =>
    (records(to).length === 0 || records(to).some(isBeyond)) &&
    (known.length === 0 || records(ports).length === 0 || records(ports).some(isOneOf(known)));

const typesOf = ({ policyTypes, egress }: Fields): readonly string[] =>
  policyTypes === undefined ? ['Ingress', ...(egress === undefined ? [] : ['Egress'])] : texts(policyTypes);

/**
 * Reader of NetworkPolicies of kube-system, beside what deploys the DNS; undefined: none that they are for. `api`: ports
 * of the API server, as far as they are known.
 */
export function readDnsPolicies(
  policies: readonly KubeObject[],
  deployment: KubeObject | undefined,
  api: readonly number[] = [],
): DnsPolicies | undefined {
  const { metadata, spec: pod } = record(record(deployment?.spec).template);
  const labels = textMap(record(metadata).labels);
  // who is on the network of its machine is beyond policies
  if (deployment === undefined || record(pod).hostNetwork === true) return undefined;
  const own = policies.filter(({ spec }) => picks(record(record(spec).podSelector), labels));
  const of = (type: string): readonly Fields[] =>
    own.map(({ spec }) => record(spec)).filter((spec) => typesOf(spec).includes(type));
  const [ingress, egress] = [of('Ingress'), of('Egress')];
  const isAsked = ingress.some((spec) => records(spec.ingress).some((rule) => portsOpen(rule) && peersOpen(rule)));
  return {
    picking: own.map(({ metadata: { namespace = '', name = '' } }) => `${namespace}/${name}`),
    lacks: [
      ...(ingress.length > 0 && !isAsked ? ['nobody beyond kube-system may ask it for names'] : []),
      ...(egress.length > 0 && !egress.some((spec) => records(spec.egress).some(letsOut(api)))
        ? ['it may not ask the API server']
        : []),
    ],
  };
}

export const dnsReached: Check<DnsPolicies | undefined> = {
  id: 'dns-policies/reached',
  source: 'kubernetes.io, Network policies; coredns, plugin kubernetes',
  nothing: 'no NetworkPolicy is for the DNS of the cluster',
  judge: (seen) => {
    if (seen === undefined || seen.picking.length === 0) return [];
    const { picking, lacks } = seen;
    return [
      demand({
        subject: `NetworkPolicy ${picking.slice(0, 5).join(', ')}`,
        demanded: 'lets Pods ask the DNS of the cluster for names, and lets it ask the API server',
        seen: lacks.join('; ') || 'it does',
        ok: lacks.length === 0,
      }),
    ];
  },
};
