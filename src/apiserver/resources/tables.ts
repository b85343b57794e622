/**
 * Tables as kubectl prints them: a row of data for every column. Kinds that have no columns here show name and
 * creation, as upstream's default convertor does. Source: pkg/printers/internalversion/printers.go; apiserver,
 * pkg/registry/rest/table.go; of workloads and services the columns that are fields are kept.
 */
import { count, record, records, text, textMap, texts } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import { humanDuration } from '../go/duration.js';
import type { Lifetime, TableColumn } from '../resource-definition.js';
import { isServed } from '../versions.js';
import { spec, status } from './read.js';

type Cell = string | number | boolean;

interface Column extends Lifetime {
  readonly name: string;
  readonly type?: TableColumn['type'];
  /** Shown with -o wide only. */
  readonly wide?: true;
  /** A path of field names ("spec.type"), printed as text or number, or what is made of the object. */
  readonly cell: string | ((object: KubeObject, now: number) => Cell);
}

export interface Table {
  readonly columns: readonly TableColumn[];
  readonly row: (object: KubeObject, now: number) => readonly Cell[];
}

const orNone = (value: string): string => (value === '' ? '<none>' : value);

const valueAt = (object: KubeObject, path: string): unknown =>
  path.split('.').reduce<unknown>((value, field) => record(value)[field], object);

function cellAt(object: KubeObject, path: string, type: TableColumn['type']): Cell {
  const value = valueAt(object, path);
  if (type === 'integer') return Array.isArray(value) ? value.length : count(value);
  return Array.isArray(value) ? value.join(',') : typeof value === 'number' ? String(value) : text(value);
}

const since = (time: unknown, now: number): string => {
  const at = Date.parse(text(time));
  return Number.isNaN(at) ? '<unknown>' : humanDuration(now - at);
};

/** A label selector as a line. Source: apimachinery, pkg/apis/meta/v1/helpers.go FormatLabelSelector. */
export function selectorText(selector: unknown): string {
  const { matchLabels, matchExpressions } = record(selector);
  const parts: (readonly [string, string])[] = Object.entries(textMap(matchLabels)).map(([key, value]) => [
    key,
    `${key}=${value}`,
  ]);
  for (const expression of records(matchExpressions)) {
    const key = text(expression.key);
    const values = `(${[...texts(expression.values)].sort().join(',')})`;
    const said = { In: `${key} in ${values}`, NotIn: `${key} notin ${values}`, Exists: key, DoesNotExist: `!${key}` };
    parts.push([key, Object.entries(said).find(([operator]) => operator === expression.operator)?.[1] ?? '']);
  }
  return parts
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, said]) => said)
    .join(',');
}

const NAME: Column = { name: 'Name', cell: 'metadata.name' };
const AGE: Column = { name: 'Age', cell: (object, now) => since(object.metadata.creationTimestamp, now) };

const entries =
  (...fields: readonly string[]) =>
  (object: KubeObject): number =>
    fields.reduce((sum, field) => sum + Object.keys(record(object[field])).length, 0);

const ROLE_LABEL = 'node-role.kubernetes.io/';

function nodeRoles({ metadata }: KubeObject): string {
  const roles = Object.entries(metadata.labels ?? {}).map(([key, value]) =>
    key.startsWith(ROLE_LABEL) ? key.slice(ROLE_LABEL.length) : key === 'kubernetes.io/role' ? value : '',
  );
  return orNone(
    [...new Set(roles)]
      .filter((role) => role !== '')
      .sort()
      .join(','),
  );
}

function nodeStatus(node: KubeObject): string {
  const ready = records(status(node).conditions).findLast((condition) => condition.type === 'Ready');
  const said = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return spec(node).unschedulable === true ? `${said},SchedulingDisabled` : said;
}

const nodeAddress =
  (type: string) =>
  (node: KubeObject): string =>
    orNone(text(records(status(node).addresses).find((address) => address.type === type)?.address));

const nodeInfo =
  (field: string) =>
  (node: KubeObject): string =>
    text(record(status(node).nodeInfo)[field]) || '<unknown>';

const NODE: readonly Column[] = [
  NAME,
  { name: 'Status', cell: nodeStatus },
  { name: 'Roles', cell: nodeRoles },
  AGE,
  { name: 'Version', cell: 'status.nodeInfo.kubeletVersion' },
  { name: 'Internal-IP', wide: true, cell: nodeAddress('InternalIP') },
  { name: 'External-IP', wide: true, cell: nodeAddress('ExternalIP') },
  { name: 'OS-Image', wide: true, cell: nodeInfo('osImage') },
  {
    name: 'Kernel-Version',
    wide: true,
    cell: (node) => {
      const architecture = text(record(status(node).nodeInfo).architecture);
      return `${nodeInfo('kernelVersion')(node)}${architecture === '' ? '' : ` (${architecture})`}`;
    },
  },
  { name: 'Container-Runtime', wide: true, cell: nodeInfo('containerRuntimeVersion') },
];

function podStatus(pod: KubeObject): string {
  if (pod.metadata.deletionTimestamp !== undefined) return 'Terminating';
  const { reason, phase, containerStatuses } = status(pod);
  const states = records(containerStatuses).map(({ state }) => record(state));
  const waits = states.map((state) => text(record(state.waiting ?? state.terminated).reason));
  return waits.find((word) => word !== '') ?? (text(reason) || text(phase));
}

const containers = (pod: KubeObject): ReturnType<typeof records> => records(status(pod).containerStatuses);

const POD: readonly Column[] = [
  NAME,
  {
    name: 'Ready',
    cell: (pod) =>
      `${containers(pod).filter(({ ready }) => ready === true).length}/${records(spec(pod).containers).length}`,
  },
  { name: 'Status', cell: podStatus },
  {
    name: 'Restarts',
    cell: (pod) => String(containers(pod).reduce((sum, { restartCount }) => sum + count(restartCount), 0)),
  },
  AGE,
  { name: 'IP', wide: true, cell: (pod) => orNone(text(records(status(pod).podIPs)[0]?.ip)) },
  { name: 'Node', wide: true, cell: (pod) => orNone(text(spec(pod).nodeName)) },
  { name: 'Nominated Node', wide: true, cell: (pod) => orNone(text(status(pod).nominatedNodeName)) },
  { name: 'Readiness Gates', wide: true, cell: () => '<none>' },
];

const subjects =
  (kind: string) =>
  (binding: KubeObject): string =>
    records(binding.subjects)
      .filter((subject) => subject.kind === kind)
      .map(({ namespace, name }) => (kind === 'ServiceAccount' ? `${text(namespace)}/${text(name)}` : text(name)))
      .join(', ');

const BINDING: readonly Column[] = [
  NAME,
  { name: 'Role', cell: ({ roleRef }) => `${text(record(roleRef).kind)}/${text(record(roleRef).name)}` },
  AGE,
  { name: 'Users', wide: true, cell: subjects('User') },
  { name: 'Groups', wide: true, cell: subjects('Group') },
  { name: 'ServiceAccounts', wide: true, cell: subjects('ServiceAccount') },
];

/** Source: printers.go formatEventSource. */
const eventSource = (event: KubeObject): string => {
  const { component, host } = record(event.source ?? event.deprecatedSource);
  const who = text(component) || text(event.reportingComponent ?? event.reportingController);
  const where = text(host) || text(event.reportingInstance);
  return where === '' ? who : `${who}, ${where}`;
};

const EVENT: readonly Column[] = [
  {
    name: 'Last Seen',
    cell: (event, now) =>
      since(event.lastTimestamp ?? event.deprecatedLastTimestamp ?? event.eventTime ?? event.firstTimestamp, now),
  },
  { name: 'Type', cell: 'type' },
  { name: 'Reason', cell: 'reason' },
  {
    name: 'Object',
    cell: (event) => {
      const { kind, name } = record(event.involvedObject ?? event.regarding);
      return `${text(kind).toLowerCase()}/${text(name)}`;
    },
  },
  { name: 'Subobject', wide: true, cell: (event) => text(record(event.involvedObject ?? event.regarding).fieldPath) },
  { name: 'Source', wide: true, cell: eventSource },
  { name: 'Message', cell: (event) => text(event.message ?? event.note).trim() },
  {
    name: 'First Seen',
    wide: true,
    cell: (event, now) => since(event.firstTimestamp ?? event.deprecatedFirstTimestamp ?? event.eventTime, now),
  },
  {
    name: 'Count',
    wide: true,
    cell: (event) => count(record(event.series).count) || count(event.count ?? event.deprecatedCount) || 1,
  },
  { ...NAME, wide: true },
];

/** A list of labels. Source: apimachinery, pkg/labels/labels.go Set.String. */
export const labelsText = (labels: unknown): string =>
  Object.entries(textMap(labels))
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(',');

const ofContainers =
  (field: string) =>
  (set: KubeObject): string =>
    records(record(record(spec(set).template).spec).containers)
      .map((container) => text(container[field]))
      .join(',');

/** What of a workload is shown with -o wide. */
const WORKLOAD: readonly Column[] = [
  { name: 'Containers', wide: true, cell: ofContainers('name') },
  { name: 'Images', wide: true, cell: ofContainers('image') },
  { name: 'Selector', wide: true, cell: (set) => orNone(selectorText(spec(set).selector)) },
];

const READY_OF_WANTED: Column = {
  name: 'Ready',
  cell: (set) => `${count(status(set).readyReplicas)}/${count(spec(set).replicas)}`,
};
const numbers = (fields: Readonly<Record<string, string>>): readonly Column[] =>
  Object.entries(fields).map(([name, cell]) => ({ name, type: 'integer', cell }));

const WEBHOOKS: readonly Column[] = [NAME, { name: 'Webhooks', type: 'integer', cell: 'webhooks' }, AGE];

/** Policies of admission: how much they say, and what they are told by. */
const policy = (name: string, cell: string): readonly Column[] => [
  NAME,
  { name, type: 'integer', cell },
  {
    name: 'ParamKind',
    cell: (object) => {
      const { paramKind } = spec(object);
      const { apiVersion, kind } = record(paramKind);
      return paramKind === undefined ? '<unset>' : `${text(apiVersion)}/${text(kind)}`;
    },
  },
  AGE,
];
const POLICY_BINDING: readonly Column[] = [
  NAME,
  { name: 'PolicyName', cell: 'spec.policyName' },
  {
    name: 'ParamRef',
    cell: (binding) => {
      const { name, namespace } = record(spec(binding).paramRef);
      return text(name) === '' ? '<unset>' : `${text(namespace) || '*'}/${text(name)}`;
    },
  },
  AGE,
];
const ADMISSION = {
  mutatingwebhookconfigurations: WEBHOOKS,
  validatingwebhookconfigurations: WEBHOOKS,
  validatingadmissionpolicies: policy('Validations', 'spec.validations'),
  mutatingadmissionpolicies: policy('Mutations', 'spec.mutations'),
  validatingadmissionpolicybindings: POLICY_BINDING,
  mutatingadmissionpolicybindings: POLICY_BINDING,
};

/** By "resource", "resource.group" outside the core group. */
const TABLES: Readonly<Record<string, readonly Column[]>> = {
  configmaps: [NAME, { name: 'Data', cell: entries('data', 'binaryData') }, AGE],
  secrets: [NAME, { name: 'Type', cell: 'type' }, { name: 'Data', cell: entries('data') }, AGE],
  serviceaccounts: [NAME, { name: 'Secrets', until: 33, cell: ({ secrets }) => records(secrets).length }, AGE],
  namespaces: [NAME, { name: 'Status', cell: 'status.phase' }, AGE],
  nodes: NODE,
  pods: POD,
  events: EVENT,
  'events.events.k8s.io': EVENT,
  services: [
    NAME,
    { name: 'Type', cell: 'spec.type' },
    { name: 'Cluster-IP', cell: (service) => orNone(text(spec(service).clusterIP)) },
    { name: 'External-IP', cell: (service) => orNone(texts(spec(service).externalIPs).join(',')) },
    {
      name: 'Port(s)',
      cell: (service) =>
        orNone(
          records(spec(service).ports)
            .map(({ port, protocol }) => `${count(port)}/${text(protocol)}`)
            .join(','),
        ),
    },
    AGE,
    { name: 'Selector', wide: true, cell: (service) => orNone(labelsText(spec(service).selector)) },
  ],
  'rolebindings.rbac.authorization.k8s.io': BINDING,
  'clusterrolebindings.rbac.authorization.k8s.io': BINDING,
  componentstatuses: [
    NAME,
    ...['Status', 'Message', 'Error'].map((name): Column => ({ name, cell: name.toLowerCase() })),
  ],
  ...Object.fromEntries(
    Object.entries(ADMISSION).map(([resource, columns]) => [`${resource}.admissionregistration.k8s.io`, columns]),
  ),
  'priorityclasses.scheduling.k8s.io': [
    NAME,
    ...numbers({ Value: 'value' }),
    { name: 'Global-Default', type: 'boolean', cell: ({ globalDefault }) => globalDefault === true },
    AGE,
    { name: 'PreemptionPolicy', wide: true, cell: 'preemptionPolicy' },
  ],
  'runtimeclasses.node.k8s.io': [NAME, { name: 'Handler', cell: 'handler' }, AGE],
  'scales.autoscaling': [NAME, ...numbers({ Desired: 'spec.replicas', Available: 'status.replicas' }), AGE],
  'leases.coordination.k8s.io': [NAME, { name: 'Holder', cell: 'spec.holderIdentity' }, AGE],
  'csinodes.storage.k8s.io': [NAME, ...numbers({ Drivers: 'spec.drivers' }), AGE],
  'deployments.apps': [
    NAME,
    READY_OF_WANTED,
    // Numbers, though their columns say texts.
    { name: 'Up-to-date', cell: (set) => count(status(set).updatedReplicas) },
    { name: 'Available', cell: (set) => count(status(set).availableReplicas) },
    AGE,
    ...WORKLOAD,
  ],
  'statefulsets.apps': [NAME, READY_OF_WANTED, AGE, ...WORKLOAD.slice(0, 2)],
  'replicasets.apps': [
    NAME,
    ...numbers({ Desired: 'spec.replicas', Current: 'status.replicas', Ready: 'status.readyReplicas' }),
    AGE,
    ...WORKLOAD,
  ],
  'daemonsets.apps': [
    NAME,
    ...numbers({
      Desired: 'status.desiredNumberScheduled',
      Current: 'status.currentNumberScheduled',
      Ready: 'status.numberReady',
      'Up-to-date': 'status.updatedNumberScheduled',
      Available: 'status.numberAvailable',
    }),
    {
      name: 'Node Selector',
      cell: (set) => orNone(labelsText(record(record(spec(set).template).spec).nodeSelector)),
    },
    AGE,
    ...WORKLOAD,
  ],
};

/** The zero time of Go where there is none, as in a bookmark. Source: apiserver, pkg/registry/rest/table.go. */
const PLAIN: readonly Column[] = [
  NAME,
  {
    name: 'Created At',
    type: 'date',
    cell: ({ metadata }) => metadata.creationTimestamp ?? '0001-01-01T00:00:00Z',
  },
];

function tableOfColumns(columns: readonly Column[]): Table {
  return {
    columns: columns.map(({ name, type = 'string', wide }) => ({
      name,
      type,
      format: name === 'Name' ? 'name' : '',
      description: '',
      priority: wide === true ? 1 : 0,
    })),
    row: (object, now) =>
      columns.map(({ cell, type = 'string' }) =>
        typeof cell === 'string' ? cellAt(object, cell, type) : cell(object, now),
      ),
  };
}

/** The table of a kind, by "resource" or "resource.group", as that minor prints it. */
export const tableOf = (key: string, minor: number): Table =>
  tableOfColumns((TABLES[key] ?? PLAIN).filter((column) => isServed(column, minor)));

export const plainTable: Table = tableOfColumns(PLAIN);
