/**
 * What a server says and does of each kind: src/apiserver/recorded/kinds.txt has it for the newest minor, and what is
 * otherwise in the oldest; tables.txt what kubectl prints of objects. `node dist/src/apiserver/resources/kinds.test.js
 * --write` writes them anew.
 */
import type { KubeObject } from '../../kubernetes/objects.js';
import { testRecorded } from '../../report/recorded.testing.js';
import { packageFile } from '../../run/package-root.js';
import type { ResourceDefinition } from '../resource-definition.js';
import { definitions, inDiscoveryOrder } from './index.js';
import { tableOf } from './tables.js';
import { context } from './testing.js';

const NEWEST = 36;
const OLDEST = 25;
/** One that each rule of names takes otherwise. */
const NAMES = ['a', 'a.b', '1a', 'a-', 'A', 'a:b', 'a/b', '%', 'a'.repeat(64), 'a'.repeat(254)];

function told(definition: ResourceDefinition): string {
  const { group, version, kind, resource, singular, shortNames, categories, namespaced, verbs } = definition;
  const { allowCreateOnUpdate, allowUnconditionalUpdate, metadataOnUpdate, lookedAtTwiceUntil, anyFinalizer } =
    definition.strategy;
  const taken = NAMES.flatMap((name, at) => (definition.strategy.validateName?.(name, false).length === 0 ? [at] : []));
  return [
    `${group}/${version} ${resource} ${kind}, one ${singular}${namespaced ? ', in namespaces' : ''}`,
    `  ${[...shortNames, ...categories.map((name) => `of ${name}`)].join(', ') || 'no other name'}; ${verbs.join(' ')}`,
    ...definition.subresources.map((one) => `  ${one.name}: ${one.kind} ${'verbs' in one ? one.verbs.join(' ') : ''}`),
    `  ${[
      whatBecomesOf(definition),
      ...(allowCreateOnUpdate === true ? ['PUT creates'] : []),
      ...(allowUnconditionalUpdate === true ? ['PUT of any version'] : []),
      ...(anyFinalizer === true ? ['any finalizer'] : []),
      `metadata: ${metadataOnUpdate ?? 'usual'} ${lookedAtTwiceUntil ?? ''}`.trim(),
      `names ${taken.join('')}`,
      `fields ${Object.keys(definition.fieldSelectors).join(' ')}`,
    ].join('; ')}`,
    `  ${definition.columns.map(({ name, type, priority }) => `${name} ${type}${priority === 0 ? '' : ' wide'}`).join(', ')}`,
  ].join('\n');
}
/** Of the generation and the status that somebody sends, on creation and on an update of the spec. */
function whatBecomesOf({ strategy, kind }: ResourceDefinition): string {
  const sent = (more: object): KubeObject => ({
    apiVersion: 'v1',
    kind,
    metadata: { name: 'x', namespace: 'y', generation: 5 },
    status: { phase: 'sent' },
    ...more,
  });
  const shown = ({ metadata, status }: KubeObject): string =>
    `${metadata.generation} ${JSON.stringify(status) ?? 'none'}`;
  const created = strategy.prepareForCreate?.(sent({}), context()) ?? sent({});
  const old = sent({ status: { phase: 'old' } });
  const updated = [{}, { spec: {} }].map(
    (more) => strategy.prepareForUpdate?.(sent(more), old, context()) ?? sent(more),
  );
  return `generation and status ${[created, ...updated].map(shown).join(', ')}`;
}

const of = (minor: number): readonly string[] => inDiscoveryOrder(definitions({}, minor), minor).map(told);
const [now, then] = [of(NEWEST), of(OLDEST)];
const less = (these: readonly string[], those: readonly string[]): readonly string[] =>
  these.filter((one) => !those.includes(one));

const START = Date.parse('2026-11-20T10:00:00Z');
const METADATA = { name: 'x', namespace: 'y', creationTimestamp: '2026-11-20T09:00:00Z' };
const CONTAINERS = [
  { name: 'a', image: 'i:1' },
  { name: 'b', image: 'i:2' },
];
const TEMPLATE = { template: { spec: { containers: CONTAINERS, nodeSelector: { z: '1', a: '2' } } } };
const EXPRESSIONS = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Near'].map((operator) => ({
  ...{ key: operator.toLowerCase(), operator },
  ...(operator.endsWith('In') ? { values: ['q', 'p'] } : {}),
}));
const SELECTOR = { selector: { matchLabels: { k: 'v' }, matchExpressions: EXPRESSIONS } };
const ready = (status: string) => ({ type: 'Ready', status });
const state = (inner: object) => ({
  containerStatuses: [{ ready: true, restartCount: 2, state: inner }, { restartCount: 3 }],
});
const EVENT = {
  ...{
    type: 'Normal',
    reason: 'Because',
    message: ' it is so \n',
    involvedObject: { kind: 'Pod', name: 'p', fieldPath: 'f' },
  },
  ...{ lastTimestamp: '2026-11-20T09:59:00Z', firstTimestamp: '2026-11-20T08:00:00Z', count: 4 },
};

/** Objects by the key of their table, of which rows are told. */
const OBJECTS: Readonly<Record<string, readonly object[]>> = {
  configmaps: [{}, { data: { a: '1', b: '2' }, binaryData: { c: 'MQ==' } }],
  secrets: [{ type: 'Opaque', data: { a: 'MQ==' }, binaryData: { c: '' } }],
  serviceaccounts: [{}, { secrets: [{ name: 'a' }, { name: 'b' }] }],
  namespaces: [{ status: { phase: 'Active' } }],
  nodes: [
    { metadata: { name: 'x' } },
    {
      metadata: {
        ...METADATA,
        labels: {
          ...{ 'node-role.kubernetes.io/worker': '', 'node-role.kubernetes.io/control-plane': 'x' },
          ...{ 'kubernetes.io/role': 'old', 'node-role.kubernetes.io/': '', other: 'label' },
        },
      },
      spec: { unschedulable: true },
      status: {
        conditions: [ready('False'), { type: 'Other', status: 'False' }, ready('True')],
        addresses: [
          { type: 'ExternalIP', address: '198.51.100.1' },
          { type: 'InternalIP', address: '192.0.2.1' },
        ],
        nodeInfo: {
          ...{ kubeletVersion: 'v1.36.0', osImage: 'an image', kernelVersion: '6.1', architecture: 'amd64' },
          containerRuntimeVersion: 'containerd://2',
        },
      },
    },
    { spec: { unschedulable: false }, status: { conditions: [ready('Unknown')], nodeInfo: { kernelVersion: '6.1' } } },
  ],
  pods: [
    {},
    {
      spec: { containers: CONTAINERS, nodeName: 'n' },
      status: { ...state({ running: {} }), phase: 'Running', podIPs: [{ ip: '10.0.0.1' }], nominatedNodeName: 'm' },
    },
    { status: { ...state({ waiting: { reason: 'CrashLoopBackOff' } }), phase: 'Running' } },
    { status: { ...state({ terminated: { reason: 'Error' } }), reason: 'Evicted', phase: 'Failed' } },
    { status: { reason: 'Evicted', phase: 'Failed' } },
    { metadata: { ...METADATA, deletionTimestamp: '2026-11-20T09:59:00Z' }, status: { phase: 'Running' } },
  ],
  events: [
    {},
    { ...EVENT, source: { component: 'c', host: 'h' } },
    { ...EVENT, source: { component: 'c' }, reportingComponent: 'r', series: { count: 9 } },
    {
      ...EVENT,
      lastTimestamp: undefined,
      eventTime: '2026-11-20T09:58:00Z',
      reportingComponent: 'r',
      reportingInstance: 'i',
    },
  ],
  'events.events.k8s.io': [
    {
      ...{ type: 'Warning', regarding: { kind: 'Node', name: 'n', fieldPath: 'g' }, note: 'a note' },
      ...{ deprecatedSource: { component: 'd' }, deprecatedLastTimestamp: '2026-11-20T09:50:00Z' },
      ...{ deprecatedFirstTimestamp: '2026-11-20T09:40:00Z', deprecatedCount: 7, reportingController: 'rc' },
    },
    { eventTime: '2026-11-20T09:30:00Z', reportingController: 'rc' },
  ],
  services: [
    {},
    {
      spec: {
        ...{ type: 'ClusterIP', clusterIP: '10.96.0.1', externalIPs: ['192.0.2.1', '192.0.2.2'] },
        ...{
          ports: [
            { port: 443, protocol: 'TCP' },
            { port: 53, protocol: 'UDP' },
          ],
          selector: { z: '1', a: '2' },
        },
      },
    },
  ],
  'rolebindings.rbac.authorization.k8s.io': [
    { roleRef: { kind: 'Role', name: 'r' } },
    {
      roleRef: { kind: 'ClusterRole', name: 'r' },
      subjects: ['User', 'Group', 'ServiceAccount', 'User'].map((kind, at) => ({
        kind,
        name: `s${at}`,
        namespace: 'n',
      })),
    },
  ],
  componentstatuses: [{ status: 's', message: 'm', error: 'e' }],
  'mutatingwebhookconfigurations.admissionregistration.k8s.io': [{}, { webhooks: [{}, {}] }],
  'validatingadmissionpolicies.admissionregistration.k8s.io': [
    { spec: { validations: [{}, {}] } },
    { spec: { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } } },
  ],
  'mutatingadmissionpolicies.admissionregistration.k8s.io': [{ spec: { mutations: [{}] } }],
  'validatingadmissionpolicybindings.admissionregistration.k8s.io': [
    { spec: { policyName: 'p' } },
    { spec: { policyName: 'p', paramRef: { name: 'r' } } },
    { spec: { policyName: 'p', paramRef: { name: 'r', namespace: 'n' } } },
  ],
  'priorityclasses.scheduling.k8s.io': [
    { value: 5, globalDefault: true, preemptionPolicy: 'Never' },
    { value: 0, globalDefault: false },
  ],
  'runtimeclasses.node.k8s.io': [{ handler: 'h' }],
  'scales.autoscaling': [{ spec: { replicas: 3 }, status: { replicas: 2 } }],
  'leases.coordination.k8s.io': [{ spec: { holderIdentity: 'h' } }],
  'csinodes.storage.k8s.io': [{ spec: { drivers: [{}, {}] } }],
  'deployments.apps': [
    { spec: TEMPLATE },
    {
      spec: { ...TEMPLATE, ...SELECTOR, replicas: 3 },
      status: { readyReplicas: 1, updatedReplicas: 2, availableReplicas: 4 },
    },
  ],
  'statefulsets.apps': [{ spec: { ...TEMPLATE, ...SELECTOR, replicas: 3 }, status: { readyReplicas: 1 } }],
  'replicasets.apps': [{ spec: { ...TEMPLATE, replicas: 3 }, status: { replicas: 2, readyReplicas: 1 } }],
  'daemonsets.apps': [
    {
      spec: { ...TEMPLATE, ...SELECTOR },
      status: {
        ...{ desiredNumberScheduled: 5, currentNumberScheduled: 4, numberReady: 3, updatedNumberScheduled: 2 },
        numberAvailable: 1,
      },
    },
    {},
  ],
  'roles.rbac.authorization.k8s.io': [{}, { metadata: { name: '' } }],
};
const rows = Object.entries(OBJECTS).flatMap(([key, objects]) => {
  const { columns, row } = tableOf(key, NEWEST);
  return [
    key,
    ...objects.map((object) => {
      const cells = row({ metadata: METADATA, ...object } as unknown as KubeObject, START);
      return cells.map((cell, at) => `  ${columns[at]?.name}: ${JSON.stringify(cell)}`).join('\n');
    }),
  ].join('\n\n');
});

testRecorded(
  'what a server says of its kinds',
  packageFile('src/apiserver/recorded'),
  new Map([
    [
      'kinds.txt',
      `${[...now, `# in 1.${OLDEST}, otherwise`, ...less(then, now), `# not in 1.${OLDEST}, or otherwise`, ...less(now, then).map((one) => one.split('\n')[0])].join('\n')}\n`,
    ],
    ['tables.txt', `${rows.join('\n\n')}\n`],
  ]),
);
