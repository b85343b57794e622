/** Flow control, quotas and levels of Pod security that keep joining machines waiting, or out. */
import { GROUP_BOOTSTRAPPERS, GROUP_NODES, GROUP_UNAUTHENTICATED } from '../kubernetes/names.js';
import type { KubeObject } from '../kubernetes/objects.js';
import { resources } from '../kubernetes/resources.js';
import type { Reference } from '../reference/options.js';
import { edit, finds } from './arrange.js';
import { deletedBefore } from './policy-tokens.js';
import type { Mutant } from './types.js';

const FLOW = 'flowcontrol.apiserver.k8s.io/v1';

const addLevel = ({ api }: Reference, name: string, spec: object): void =>
  void api.create(resources.priorityLevelConfigurations, {
    apiVersion: FLOW,
    kind: resources.priorityLevelConfigurations.kind,
    metadata: { name },
    spec,
  });
const limited = (limit: object) => ({ type: 'Limited', limited: { limitResponse: { type: 'Reject' }, ...limit } });
/** It never serves anything. */
const STARVED = limited({ nominalConcurrencyShares: 0, lendablePercent: 0, borrowingLimitPercent: 0 });

interface Flow {
  readonly level: string;
  readonly subject: object;
  readonly precedence?: number;
  readonly rule?: object;
}
const EVERYTHING = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], clusterScope: true };
const ofGroup = (name: string) => ({ kind: 'Group', group: { name } });

const addFlow = (
  { api }: Reference,
  name: string,
  { level, subject, precedence = 50, rule = { resourceRules: [EVERYTHING] } }: Flow,
): void =>
  void api.create(resources.flowSchemas, {
    apiVersion: FLOW,
    kind: resources.flowSchemas.kind,
    metadata: { name },
    spec: {
      matchingPrecedence: precedence,
      priorityLevelConfiguration: { name: level },
      rules: [{ subjects: [subject], ...rule }],
    },
  });

const starves = (name: string, defect: string, subject: object, rule: object = EVERYTHING): Mutant =>
  finds(name, defect, ['P-254'], (reference) => {
    addLevel(reference, 'starved', STARVED);
    addFlow(reference, name, { level: 'starved', subject, rule: { resourceRules: [rule] } });
  });
const exempts = (name: string, defect: string, flow: Omit<Flow, 'level'>): Mutant =>
  finds(name, defect, ['P-255'], (reference) => {
    addLevel(reference, 'exempt', { type: 'Exempt' });
    addFlow(reference, name, { level: 'exempt', ...flow });
  });

const addQuota = ({ api }: Reference, namespace: string, hard: object, fields: object = {}): void => {
  const { resourceQuotas: resource } = resources;
  const quota = api.create(resource, {
    apiVersion: 'v1',
    kind: resource.kind,
    metadata: { name: 'limits', namespace },
    spec: { hard, ...fields },
  });
  const used = Object.fromEntries(Object.keys(hard).map((what) => [what, '3']));
  api.update(resource, { ...quota, status: { hard, used } }, { subresource: 'status' });
};
const addRange = ({ api }: Reference, namespace: string, limit: object): void =>
  void api.create(resources.limitRanges, {
    apiVersion: 'v1',
    kind: resources.limitRanges.kind,
    metadata: { name: 'defaults', namespace },
    spec: { limits: [limit] },
  });
/** A quota of what every machine runs. */
const CRITICAL = {
  scopeSelector: {
    matchExpressions: [
      { operator: 'In', scopeName: 'PriorityClass', values: ['system-node-critical', 'system-cluster-critical'] },
    ],
  },
};
const labelled = (reference: Reference, name: string, level: string): void =>
  edit<KubeObject>(reference, { resource: resources.namespaces, name }, (found) => ({
    ...found,
    metadata: {
      ...found.metadata,
      labels: { ...found.metadata.labels, 'pod-security.kubernetes.io/enforce': level },
    },
  }));
const usesUp = (name: string, defect: string, namespace: string, hard: object): Mutant =>
  finds(name, defect, ['P-256'], (reference) => addQuota(reference, namespace, hard));

export const mutants: readonly Mutant[] = [
  starves(
    'flow-of-tokens-starved',
    'requests of tokens fall under a level without seats',
    ofGroup(GROUP_BOOTSTRAPPERS),
  ),
  starves('flow-of-leases-starved', 'Leases of nodes fall under a level without seats', ofGroup(GROUP_NODES), {
    verbs: ['update'],
    apiGroups: ['coordination.k8s.io'],
    resources: ['leases'],
    namespaces: ['kube-node-lease'],
  }),
  starves(
    'flow-of-controllers-starved',
    'what signs falls under a level without seats',
    { kind: 'ServiceAccount', serviceAccount: { namespace: 'kube-system', name: '*' } },
    { ...EVERYTHING, resources: ['certificatesigningrequests/status'] },
  ),
  starves(
    'flow-of-strangers-starved',
    'whoever asks for cluster-info falls under a level without seats',
    { kind: 'User', user: { name: 'system:anonymous' } },
    { ...EVERYTHING, namespaces: ['kube-public'] },
  ),
  exempts('flow-exempts-strangers', 'strangers are limited by nothing', { subject: ofGroup(GROUP_UNAUTHENTICATED) }),
  exempts('flow-exempts-every-pod', 'accounts of Pods are limited by nothing', {
    subject: ofGroup('system:serviceaccounts'),
  }),
  exempts('flow-exempts-tokens', 'bearers of tokens are limited by nothing', {
    subject: ofGroup('system:bootstrappers:kubeadm:default-node-token'),
  }),
  exempts('flow-exempts-anybody', 'discovery is limited for nobody', {
    subject: { kind: 'User', user: { name: '*' } },
    rule: { nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/apis'] }] },
  }),
  {
    name: 'harmless-flows',
    defect: 'FlowSchemas as API servers and operators make them',
    killedBy: [],
    strict: true,
    arrange: (reference) => {
      addLevel(reference, 'exempt', { type: 'Exempt' });
      addLevel(reference, 'starved', STARVED);
      addLevel(reference, 'borrows', limited({ nominalConcurrencyShares: 0 }));
      addLevel(reference, 'few', limited({ nominalConcurrencyShares: 1, borrowingLimitPercent: 0 }));
      const nodes = ofGroup(GROUP_NODES);
      addFlow(reference, 'masters', { level: 'exempt', subject: ofGroup('system:masters'), precedence: 1 });
      addFlow(reference, 'nodes', { level: 'few', subject: nodes, precedence: 40 });
      addFlow(reference, 'nodes-again', { level: 'starved', subject: nodes, precedence: 41 });
      addFlow(reference, 'nobodys', { level: 'starved', subject: ofGroup('crawlers'), precedence: 2 });
      addFlow(reference, 'one-token', {
        level: 'starved',
        subject: { kind: 'User', user: { name: 'system:bootstrap:a1b2c3' } },
      });
      addFlow(reference, 'nowhere', { level: 'gone', subject: ofGroup('*'), precedence: 3 });
      addFlow(reference, 'tokens', { level: 'borrows', subject: ofGroup(GROUP_BOOTSTRAPPERS) });
      addFlow(reference, 'anonymous-reads', {
        level: 'starved',
        subject: ofGroup(GROUP_UNAUTHENTICATED),
        rule: { resourceRules: [{ ...EVERYTHING, resources: ['secrets'] }] },
      });
      addFlow(reference, 'probes', {
        level: 'exempt',
        subject: ofGroup(GROUP_UNAUTHENTICATED),
        precedence: 2,
        rule: { nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }] },
      });
    },
  },
  usesUp('quota-of-leases', 'a quota leaves no Lease for another node', 'kube-node-lease', {
    'count/leases.coordination.k8s.io': '3',
  }),
  usesUp('quota-of-secrets', 'a quota leaves no Secret for another token', 'kube-system', { secrets: '1' }),
  usesUp('quota-of-memory', 'a quota takes no Pod that does not say how much memory it needs', 'kube-system', {
    memory: '64Gi',
  }),
  finds('quota-of-critical-pods', 'a quota leaves no Pod for what every machine runs', ['P-256'], (reference) =>
    addQuota(reference, 'kube-system', { pods: '3' }, CRITICAL),
  ),
  finds('range-of-pods', 'a range takes no Pod without a limit', ['P-256'], (reference) =>
    addRange(reference, 'kube-system', { type: 'Pod', max: { cpu: '1' } }),
  ),
  finds('range-of-containers', 'a range refuses what a network states', ['P-256'], (reference) => {
    const labels = { app: 'net' };
    const containers = [
      { name: 'net', image: 'registry.example.com/net:v1', resources: { requests: { cpu: '250m' } } },
    ];
    reference.api.create(resources.daemonSets, {
      apiVersion: 'apps/v1',
      kind: resources.daemonSets.kind,
      metadata: { name: 'net', namespace: 'kube-system' },
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
    });
    addRange(reference, 'kube-system', { type: 'Container', max: { cpu: '100m' } });
  }),
  {
    name: 'namespace-of-leases-goes',
    defect: 'somebody has deleted kube-node-lease, and it does not end',
    killedBy: ['P-256'],
    gateway: deletedBefore('kube-node-lease', 1),
  },
  finds('kube-system-restricted', 'kube-system takes no privileged Pods', ['P-256'], (reference) =>
    labelled(reference, 'kube-system', 'restricted'),
  ),
  {
    name: 'harmless-quotas',
    defect: 'quotas and levels of Pod security as platforms set them',
    killedBy: [],
    strict: true,
    arrange: (reference) => {
      addQuota(reference, 'kube-system', { pods: '1G', 'limits.cpu': '9', memory: '9Gi' }, CRITICAL);
      addRange(reference, 'kube-system', { type: 'Container', default: { cpu: '1', memory: '1Gi' } });
      addQuota(reference, 'kube-node-lease', { 'count/leases.coordination.k8s.io': '5k', pods: '0' });
      addQuota(reference, 'kube-public', { secrets: '0' });
      labelled(reference, 'kube-system', 'privileged');
      labelled(reference, 'kube-public', 'restricted');
    },
  },
];
