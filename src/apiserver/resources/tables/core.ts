/** Tables of the core group and of RBAC. Source: pkg/printers/internalversion/printers.go. */

import { count, record, records, text, textMap, texts } from '../../../kubernetes/json.js';
import type { KubeObject } from '../../../kubernetes/objects.js';
import { spec, status } from '../read.js';
import {
  age,
  atMostThree,
  type Cell,
  columns,
  containerCells,
  labelsText,
  name,
  orNone,
  since,
  type Table,
} from './cells.js';
import { podTable } from './pods.js';

const ROLE_LABEL = 'node-role.kubernetes.io/';

function nodeRoles(node: KubeObject): string {
  const roles = new Set<string>();
  for (const [key, value] of Object.entries(node.metadata.labels ?? {})) {
    if (key.startsWith(ROLE_LABEL)) {
      if (key.length > ROLE_LABEL.length) roles.add(key.slice(ROLE_LABEL.length));
    } else if (key === 'kubernetes.io/role' && value !== '') roles.add(value);
  }
  return orNone([...roles].sort().join(','));
}

function nodeStatus(node: KubeObject): string {
  const ready = records(status(node).conditions).findLast((condition) => condition.type === 'Ready');
  const said = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return spec(node).unschedulable === true ? `${said},SchedulingDisabled` : said;
}

const nodeAddress = (node: KubeObject, type: string): string =>
  text(records(status(node).addresses).find((address) => address.type === type)?.address) || '<none>';

function nodeRow(node: KubeObject, now: number): readonly Cell[] {
  const info = record(status(node).nodeInfo);
  const known = (field: string): string => text(info[field]) || '<unknown>';
  const architecture = text(info.architecture);
  return [
    name(node),
    nodeStatus(node),
    nodeRoles(node),
    age(node, now),
    text(info.kubeletVersion),
    nodeAddress(node, 'InternalIP'),
    nodeAddress(node, 'ExternalIP'),
    known('osImage'),
    architecture === '' ? known('kernelVersion') : `${known('kernelVersion')} (${architecture})`,
    known('containerRuntimeVersion'),
  ];
}

function loadBalancerAddresses(service: KubeObject): readonly string[] {
  const ingress = records(record(status(service).loadBalancer).ingress);
  return [
    ...new Set(ingress.map((entry) => text(entry.ip) || text(entry.hostname)).filter((address) => address !== '')),
  ].sort();
}

function externalIp(service: KubeObject): string {
  const external = texts(spec(service).externalIPs);
  switch (spec(service).type) {
    case 'ClusterIP':
    case 'NodePort':
      return orNone(external.join(','));
    case 'LoadBalancer':
      return [...loadBalancerAddresses(service), ...external].join(',') || '<pending>';
    case 'ExternalName':
      return text(spec(service).externalName);
    default:
      return '<unknown>';
  }
}

const servicePorts = (service: KubeObject): string =>
  orNone(
    records(spec(service).ports)
      .map(
        (port) =>
          `${count(port.port)}${count(port.nodePort) > 0 ? `:${count(port.nodePort)}` : ''}/${text(port.protocol)}`,
      )
      .join(','),
  );

const joinHostPort = (host: string, port: number): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

function endpointAddresses(endpoints: KubeObject): readonly string[] {
  return records(endpoints.subsets).flatMap((subset) => {
    const addresses = records(subset.addresses).map((address) => text(address.ip));
    const ports = records(subset.ports);
    return ports.length === 0
      ? addresses
      : ports.flatMap((port) => addresses.map((address) => joinHostPort(address, count(port.port))));
  });
}

/** One row for both groups' events. */
function eventRow(event: KubeObject, now: number): readonly Cell[] {
  const isCore = event.apiVersion !== 'events.k8s.io/v1';
  const pick = (core: string, newer: string): unknown => event[isCore ? core : newer];
  const zeroable = (time: unknown, otherwise: string): string => (text(time) === '' ? otherwise : since(time, now));
  const first = zeroable(pick('firstTimestamp', 'deprecatedFirstTimestamp'), since(event.eventTime, now));
  const series = event.series === undefined ? undefined : record(event.series);
  const last =
    series === undefined
      ? zeroable(pick('lastTimestamp', 'deprecatedLastTimestamp'), first)
      : since(series.lastObservedTime, now);
  const about = record(pick('involvedObject', 'regarding'));
  const source = record(pick('source', 'deprecatedSource'));
  const component = text(source.component) || text(pick('reportingComponent', 'reportingController'));
  const instance = text(source.host) || text(event.reportingInstance);
  const kind = text(about.kind).toLowerCase();
  return [
    last,
    text(event.type),
    text(event.reason),
    text(about.name) === '' ? kind : `${kind}/${text(about.name)}`,
    text(about.fieldPath),
    instance === '' ? component : `${component}, ${instance}`,
    text(pick('message', 'note')).trim(),
    first,
    series === undefined ? count(pick('count', 'deprecatedCount')) || 1 : count(series.count),
    name(event),
  ];
}
// The wide columns stand between the others.
const eventColumns = columns('Last_Seen Type Reason Object Subobject Source Message First_Seen Count Name').map(
  (column) =>
    ['Subobject', 'Source', 'First Seen', 'Count', 'Name'].includes(column.name) ? { ...column, priority: 1 } : column,
);
const eventTable: Table = { columns: eventColumns, row: eventRow };

function subjectNames(binding: KubeObject): readonly [string, string, string] {
  const subjects = records(binding.subjects);
  const of = (kind: string): readonly string[] =>
    subjects
      .filter((subject) => subject.kind === kind)
      .map((subject) =>
        kind === 'ServiceAccount' ? `${text(subject.namespace)}/${text(subject.name)}` : text(subject.name),
      );
  return [of('User').join(', '), of('Group').join(', '), of('ServiceAccount').join(', ')];
}

const bindingTable: Table = {
  columns: columns('Name Role Age | Users Groups ServiceAccounts'),
  row: (binding, now) => {
    const ref = record(binding.roleRef);
    return [name(binding), `${text(ref.kind)}/${text(ref.name)}`, age(binding, now), ...subjectNames(binding)];
  },
};

const dataCount = (...maps: readonly unknown[]): number =>
  maps.reduce<number>((sum, map) => sum + Object.keys(record(map)).length, 0);

const ACCESS_MODES = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
} as const;
const accessModes = (modes: unknown): string =>
  Object.entries(ACCESS_MODES)
    .filter(([mode]) => texts(modes).includes(mode))
    .map(([, short]) => short)
    .join(',');
const STORAGE_CLASS = 'volume.beta.kubernetes.io/storage-class';
const storageClass = (volume: KubeObject): string =>
  volume.metadata.annotations?.[STORAGE_CLASS] ?? text(spec(volume).storageClassName);
const quantity = (value: unknown): string => (value === undefined ? '0' : String(value));

function claimRow(claim: KubeObject, now: number): readonly Cell[] {
  const bound = text(spec(claim).volumeName) !== '';
  return [
    name(claim),
    claim.metadata.deletionTimestamp === undefined ? text(status(claim).phase) : 'Terminating',
    text(spec(claim).volumeName),
    bound ? quantity(record(status(claim).capacity).storage) : '',
    bound ? accessModes(status(claim).accessModes) : '',
    storageClass(claim),
    text(spec(claim).volumeAttributesClassName) || '<unset>',
    age(claim, now),
    text(spec(claim).volumeMode) || '<unset>',
  ];
}

function volumeRow(volume: KubeObject, now: number): readonly Cell[] {
  const claim = record(spec(volume).claimRef);
  return [
    name(volume),
    quantity(record(spec(volume).capacity).storage),
    accessModes(spec(volume).accessModes),
    text(spec(volume).persistentVolumeReclaimPolicy),
    volume.metadata.deletionTimestamp === undefined ? text(status(volume).phase) : 'Terminating',
    spec(volume).claimRef === undefined ? '' : `${text(claim.namespace)}/${text(claim.name)}`,
    storageClass(volume),
    text(spec(volume).volumeAttributesClassName) || '<unset>',
    text(status(volume).reason),
    age(volume, now),
    text(spec(volume).volumeMode) || '<unset>',
  ];
}

function quotaRow(quota: KubeObject, now: number): readonly Cell[] {
  const { hard, used } = status(quota);
  const line = (limits: boolean): string =>
    Object.entries(record(hard))
      .filter(([resource]) => resource.startsWith('limits.') === limits)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([resource, value]) => `${resource}: ${quantity(record(used)[resource])}/${quantity(value)}`)
      .join(', ');
  return [name(quota), line(false), line(true), age(quota, now)];
}

const RBAC = 'rbac.authorization.k8s.io';

/** By "resource" or "resource.group". */
export const coreTables: Readonly<Record<string, Table>> = {
  configmaps: {
    columns: columns('Name Data Age'),
    row: (map, now) => [name(map), dataCount(map.data, map.binaryData), age(map, now)],
  },
  secrets: {
    columns: columns('Name Type Data Age'),
    row: (secret, now) => [name(secret), text(secret.type), dataCount(secret.data), age(secret, now)],
  },
  serviceaccounts: { columns: columns('Name Age'), row: (account, now) => [name(account), age(account, now)] },
  namespaces: {
    columns: columns('Name Status Age'),
    row: (namespace, now) => [name(namespace), text(status(namespace).phase), age(namespace, now)],
  },
  nodes: {
    columns: columns(
      'Name Status Roles Age Version | Internal-IP External-IP OS-Image Kernel-Version Container-Runtime',
    ),
    row: nodeRow,
  },
  pods: podTable,
  services: {
    columns: columns('Name Type Cluster-IP External-IP Port(s) Age | Selector'),
    row: (service, now) => [
      name(service),
      text(spec(service).type),
      texts(spec(service).clusterIPs)[0] ?? '<none>',
      externalIp(service),
      servicePorts(service),
      age(service, now),
      labelsText(spec(service).selector),
    ],
  },
  endpoints: {
    columns: columns('Name Endpoints Age'),
    row: (endpoints, now) => [
      name(endpoints),
      atMostThree(endpointAddresses(endpoints), records(endpoints.subsets).length === 0 ? '<none>' : ''),
      age(endpoints, now),
    ],
  },
  events: eventTable,
  'events.events.k8s.io': eventTable,
  persistentvolumeclaims: {
    columns: columns('Name Status Volume Capacity Access_Modes StorageClass VolumeAttributesClass Age | VolumeMode'),
    row: claimRow,
  },
  persistentvolumes: {
    columns: columns(
      'Name Capacity Access_Modes Reclaim_Policy Status Claim StorageClass VolumeAttributesClass Reason Age | VolumeMode',
    ),
    row: volumeRow,
  },
  podtemplates: {
    columns: columns('Name Containers Images Pod_Labels'),
    row: (object) => {
      const template = record(object.template);
      return [
        name(object),
        ...containerCells(record(template.spec)),
        labelsText(textMap(record(template.metadata).labels)),
      ];
    },
  },
  resourcequotas: { columns: columns('Name Request Limit Age'), row: quotaRow },
  [`rolebindings.${RBAC}`]: bindingTable,
  [`clusterrolebindings.${RBAC}`]: bindingTable,
};
