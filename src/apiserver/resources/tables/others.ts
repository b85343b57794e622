/** Tables of all groups but the core group and RBAC. Source: pkg/printers/internalversion/printers.go; kube-aggregator, pkg/registry/apiservice/etcd/etcd.go. */

import { count, type Fields, isRecord, record, records, text, texts } from '../../../kubernetes/json.js';
import type { KubeObject } from '../../../kubernetes/objects.js';
import { spec, status } from '../read.js';
import {
  age,
  atMostThree,
  type Cell,
  columns,
  containerCells,
  humanDuration,
  labelsText,
  name,
  orNone,
  selectorText,
  since,
  type Table,
} from './cells.js';

const podSpecOf = (object: KubeObject): Fields => record(record(spec(object).template).spec);
const table = (line: string, row: Table['row']): Table => ({ columns: columns(line), row });
const aged = (line: string, cells: (object: KubeObject, now: number) => readonly Cell[]): Table =>
  table(`Name ${line} Age`.replace('  ', ' '), (object, now) => [
    name(object),
    ...cells(object, now),
    age(object, now),
  ]);
const printed = (value: unknown): string => (value === undefined || value === null ? '' : String(value));
/** A number where there is one, else a word. */
const numberOr = (value: unknown, otherwise: string): Cell => (typeof value === 'number' ? value : otherwise);
const goBool = (value: unknown): string => (value === true ? 'True' : 'False');

function jobStatus(job: KubeObject): string {
  const met = (type: string): boolean =>
    records(status(job).conditions).some((condition) => condition.type === type && condition.status === 'True');
  if (met('Complete')) return 'Complete';
  if (met('Failed')) return 'Failed';
  if (job.metadata.deletionTimestamp !== undefined) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(met) ?? 'Running';
}

function jobRow(job: KubeObject, now: number): readonly Cell[] {
  const { completions, parallelism, selector } = spec(job);
  const { succeeded, startTime, completionTime } = status(job);
  const wanted =
    completions === undefined ? (count(parallelism) > 1 ? `1 of ${count(parallelism)}` : '1') : String(completions);
  const end = text(completionTime) === '' ? now : Date.parse(text(completionTime));
  const duration = text(startTime) === '' ? '' : humanDuration(end - Date.parse(text(startTime)));
  return [
    name(job),
    jobStatus(job),
    `${count(succeeded)}/${wanted}`,
    duration,
    age(job, now),
    ...containerCells(podSpecOf(job)),
    selectorText(selector),
  ];
}

function cronJobRow(job: KubeObject, now: number): readonly Cell[] {
  const { schedule, timeZone, suspend, jobTemplate } = spec(job);
  const { active, lastScheduleTime } = status(job);
  const inner = record(record(jobTemplate).spec);
  return [
    name(job),
    text(schedule),
    orNone(text(timeZone)),
    goBool(suspend),
    records(active).length,
    text(lastScheduleTime) === '' ? '<none>' : since(lastScheduleTime, now),
    age(job, now),
    ...containerCells(record(record(inner.template).spec)),
    selectorText(inner.selector),
  ];
}

const replicaRow = (set: KubeObject, now: number): readonly Cell[] => [
  name(set),
  count(spec(set).replicas),
  count(status(set).replicas),
  count(status(set).readyReplicas),
  age(set, now),
  ...containerCells(podSpecOf(set)),
  isRecord(spec(set).selector) && set.kind === 'ReplicationController'
    ? labelsText(spec(set).selector)
    : selectorText(spec(set).selector),
];

function daemonSetRow(set: KubeObject, now: number): readonly Cell[] {
  const { desiredNumberScheduled, currentNumberScheduled, numberReady, updatedNumberScheduled, numberAvailable } =
    status(set);
  return [
    name(set),
    ...[desiredNumberScheduled, currentNumberScheduled, numberReady, updatedNumberScheduled, numberAvailable].map(
      count,
    ),
    labelsText(podSpecOf(set).nodeSelector),
    age(set, now),
    ...containerCells(podSpecOf(set)),
    selectorText(spec(set).selector),
  ];
}

const deploymentRow = (deployment: KubeObject, now: number): readonly Cell[] => [
  name(deployment),
  `${count(status(deployment).readyReplicas)}/${count(spec(deployment).replicas)}`,
  count(status(deployment).updatedReplicas),
  count(status(deployment).availableReplicas),
  age(deployment, now),
  ...containerCells(podSpecOf(deployment)),
  selectorText(spec(deployment).selector, ''),
];

function revisionOwner(revision: KubeObject): string {
  const owner = revision.metadata.ownerReferences?.find((reference) => reference.controller === true);
  if (owner === undefined) return '<none>';
  const [group] = owner.apiVersion.includes('/') ? owner.apiVersion.split('/') : [''];
  return `${owner.kind.toLowerCase()}${group === '' ? '' : `.${group}`}/${owner.name}`;
}

/** Hosts of an Ingress's rules: the first three rules are looked at. */
function hosts(rules: readonly Fields[]): string {
  const named = rules
    .slice(0, 3)
    .map((rule) => text(rule.host))
    .filter((host) => host !== '');
  if (named.length === 0) return '*';
  return rules.length > 3 ? `${named.join(',')} + ${rules.length - 3} more...` : named.join(',');
}
const ingressAddresses = (ingress: KubeObject): string =>
  [
    ...new Set(
      records(record(status(ingress).loadBalancer).ingress).map((entry) => text(entry.ip) || text(entry.hostname)),
    ),
  ]
    .sort()
    .join(',');

const IS_DEFAULT = {
  ingress: 'ingressclass.kubernetes.io/is-default-class',
  storage: 'storageclass.kubernetes.io/is-default-class',
} as const;
const withDefaultMark = (object: KubeObject, annotation: string): string =>
  object.metadata.annotations?.[annotation] === 'true' ? `${name(object)} (default)` : name(object);

function classParameters(ingressClass: KubeObject): string {
  const { parameters } = spec(ingressClass);
  if (!isRecord(parameters)) return '<none>';
  const group = parameters.apiGroup === undefined ? '' : `.${text(parameters.apiGroup)}`;
  return `${text(parameters.kind)}${group}/${text(parameters.name)}`;
}

function parentRef(address: KubeObject): string {
  const { parentRef: parent } = spec(address);
  if (!isRecord(parent)) return '<none>';
  const resource = text(parent.group) === '' ? text(parent.resource) : `${text(parent.resource)}.${text(parent.group)}`;
  return [
    resource.toLowerCase(),
    ...(text(parent.namespace) === '' ? [] : [text(parent.namespace)]),
    text(parent.name),
  ].join('/');
}

const endpointPorts = (slice: KubeObject): string =>
  atMostThree(
    records(slice.ports).map((port) => (typeof port.port === 'number' ? String(port.port) : text(port.name) || '*')),
    '<unset>',
  );
const endpointAddresses = (slice: KubeObject): string =>
  atMostThree(
    records(slice.endpoints).flatMap((endpoint) => texts(endpoint.addresses)),
    '<unset>',
  );

function driverRow(driver: KubeObject, now: number): readonly Cell[] {
  const { attachRequired, podInfoOnMount, storageCapacity, tokenRequests, requiresRepublish, volumeLifecycleModes } =
    spec(driver);
  return [
    name(driver),
    attachRequired !== false,
    podInfoOnMount === true,
    storageCapacity === true,
    tokenRequests === undefined
      ? '<unset>'
      : records(tokenRequests)
          .map((request) => text(request.audience))
          .join(','),
    requiresRepublish === true,
    orNone(texts(volumeLifecycleModes).join(',')),
    age(driver, now),
  ];
}

const kindOf = (value: unknown): string =>
  isRecord(value) ? `${text(value.apiVersion)}/${text(value.kind)}` : '<unset>';
function paramRef(binding: KubeObject): string {
  const ref = record(spec(binding).paramRef);
  if (text(ref.name) === '') return isRecord(ref.selector) ? selectorText(ref.selector) : '<unset>';
  return `${text(ref.namespace) || '*'}/${text(ref.name)}`;
}

/** Numbers of metrics as autoscalers print them: current/target, at most two. */
function targets(autoscaler: KubeObject): string {
  if (autoscaler.apiVersion === 'autoscaling/v1') {
    const target = spec(autoscaler).targetCPUUtilizationPercentage;
    const current = status(autoscaler).currentCPUUtilizationPercentage;
    return typeof target === 'number'
      ? `cpu: ${typeof current === 'number' ? `${current}%` : '<unknown>'}/${target}%`
      : '<none>';
  }
  const known = records(status(autoscaler).currentMetrics);
  const said = records(spec(autoscaler).metrics).map((metric, index) => {
    if (metric.type !== 'Resource') return `<unknown>/${text(metric.type)}`;
    const { name: resource, target } = record(metric.resource);
    const current = record(record(record(known[index]).resource).current);
    const { averageValue, averageUtilization } = record(target);
    if (averageValue !== undefined)
      return `${text(resource)}: ${printed(current.averageValue) || '<unknown>'}/${printed(averageValue)}`;
    const now = typeof current.averageUtilization === 'number' ? `${current.averageUtilization}%` : '<unknown>';
    return `${text(resource)}: ${now}/${typeof averageUtilization === 'number' ? `${averageUtilization}%` : '<auto>'}`;
  });
  const shown = said.slice(0, 2).join(', ');
  return said.length > 2 ? `${shown} + ${said.length - 2} more...` : orNone(shown);
}

const autoscalerTable = aged('Reference Targets MinPods MaxPods Replicas', (autoscaler) => {
  const { scaleTargetRef, minReplicas, maxReplicas } = spec(autoscaler);
  const target = record(scaleTargetRef);
  return [
    `${text(target.kind)}/${text(target.name)}`,
    targets(autoscaler),
    printed(minReplicas) || '<unset>',
    count(maxReplicas),
    count(status(autoscaler).currentReplicas),
  ];
});

function claimState(claim: KubeObject): string {
  const { allocation, reservedFor, deallocationRequested } = status(claim);
  const states = [
    ...(claim.metadata.deletionTimestamp === undefined ? [] : ['deleted']),
    ...(allocation === undefined
      ? ['pending']
      : [records(reservedFor).length > 0 ? 'allocated,reserved' : 'allocated']),
    ...(deallocationRequested === true ? ['deallocation-requested'] : []),
  ];
  return states.join(',');
}

function flowSchemaRow(schema: KubeObject, now: number): readonly Cell[] {
  const { priorityLevelConfiguration, matchingPrecedence, distinguisherMethod } = spec(schema);
  const dangling = records(status(schema).conditions).find((condition) => condition.type === 'Dangling');
  return [
    name(schema),
    text(record(priorityLevelConfiguration).name),
    count(matchingPrecedence),
    orNone(text(record(distinguisherMethod).type)),
    age(schema, now),
    dangling === undefined ? '?' : text(dangling.status),
  ];
}

function priorityLevelRow(level: KubeObject, now: number): readonly Cell[] {
  const limited = record(spec(level).limited);
  const queuing = record(record(limited.limitResponse).queuing);
  const cells = [limited.nominalConcurrencyShares, queuing.queues, queuing.handSize, queuing.queueLengthLimit];
  return [name(level), text(spec(level).type), ...cells.map((cell) => numberOr(cell, '<none>')), age(level, now)];
}

const serviceOf = (service: KubeObject): string => {
  const { service: reference } = spec(service);
  return isRecord(reference) ? `${text(reference.namespace)}/${text(reference.name)}` : 'Local';
};
function available(service: KubeObject): string {
  const condition = records(status(service).conditions).find((entry) => entry.type === 'Available');
  if (condition === undefined) return 'Unknown';
  return condition.status === 'True' ? 'True' : `${text(condition.status)} (${text(condition.reason)})`;
}

const named = (object: KubeObject, now: number): readonly Cell[] => [name(object), age(object, now)];
const ADMISSION = 'admissionregistration.k8s.io';
const webhooks = aged('Webhooks:i', (configuration) => [records(configuration.webhooks).length]);
const policyBinding = aged('PolicyName ParamRef', (binding) => [text(spec(binding).policyName), paramRef(binding)]);

const attachments: Table = {
  // The attacher's column has the format of a name too.
  columns: columns('Name Attacher PV Node Attached:b Age').map((column) =>
    column.name === 'Attacher' ? { ...column, format: 'name' } : column,
  ),
  row: (attachment, now) => [
    name(attachment),
    text(spec(attachment).attacher),
    text(record(spec(attachment).source).persistentVolumeName),
    text(spec(attachment).nodeName),
    status(attachment).attached === true,
    age(attachment, now),
  ],
};

/** By "resource.group", "resource" in the core group. */
export const otherTables: Readonly<Record<string, Table>> = {
  replicationcontrollers: table('Name Desired:i Current:i Ready:i Age | Containers Images Selector', replicaRow),
  'replicasets.apps': table('Name Desired:i Current:i Ready:i Age | Containers Images Selector', replicaRow),
  'daemonsets.apps': table(
    'Name Desired:i Current:i Ready:i Up-to-date:i Available:i Node_Selector Age | Containers Images Selector',
    daemonSetRow,
  ),
  'deployments.apps': table('Name Ready Up-to-date Available Age | Containers Images Selector', deploymentRow),
  'statefulsets.apps': table('Name Ready Age | Containers Images', (set, now) => [
    name(set),
    `${count(status(set).readyReplicas)}/${count(spec(set).replicas)}`,
    age(set, now),
    ...containerCells(podSpecOf(set)),
  ]),
  'controllerrevisions.apps': aged('Controller Revision', (revision) => [
    revisionOwner(revision),
    count(revision.revision),
  ]),
  'jobs.batch': table('Name Status Completions Duration Age | Containers Images Selector', jobRow),
  'cronjobs.batch': table(
    'Name Schedule Timezone Suspend:b Active:i Last_Schedule Age | Containers Images Selector',
    cronJobRow,
  ),
  'leases.coordination.k8s.io': aged('Holder', (lease) => [text(spec(lease).holderIdentity)]),
  'endpointslices.discovery.k8s.io': aged('AddressType Ports Endpoints', (slice) => [
    text(slice.addressType),
    endpointPorts(slice),
    endpointAddresses(slice),
  ]),
  'ingresses.networking.k8s.io': aged('Class Hosts Address Ports', (ingress) => [
    orNone(text(spec(ingress).ingressClassName)),
    hosts(records(spec(ingress).rules)),
    ingressAddresses(ingress),
    records(spec(ingress).tls).length === 0 ? '80' : '80, 443',
  ]),
  'ingressclasses.networking.k8s.io': table('Name Controller Parameters Age', (object, now) => [
    withDefaultMark(object, IS_DEFAULT.ingress),
    text(spec(object).controller),
    classParameters(object),
    age(object, now),
  ]),
  'ipaddresses.networking.k8s.io': table('Name ParentRef', (address, now) => [
    name(address),
    parentRef(address),
    age(address, now),
  ]),
  'networkpolicies.networking.k8s.io': aged('Pod-Selector', (policy) => [selectorText(spec(policy).podSelector)]),
  'servicecidrs.networking.k8s.io': aged('CIDRs', (range) => [texts(spec(range).cidrs).join(',')]),
  'poddisruptionbudgets.policy': aged('Min_Available Max_Unavailable Allowed_Disruptions:i', (budget) => [
    printed(spec(budget).minAvailable) || 'N/A',
    printed(spec(budget).maxUnavailable) || 'N/A',
    count(status(budget).disruptionsAllowed),
  ]),
  'horizontalpodautoscalers.autoscaling': autoscalerTable,
  'priorityclasses.scheduling.k8s.io': table('Name Value:i Global-Default:b Age PreemptionPolicy', (object, now) => [
    name(object),
    count(object.value),
    object.globalDefault === true,
    age(object, now),
    text(object.preemptionPolicy),
  ]),
  'runtimeclasses.node.k8s.io': aged('Handler', (object) => [text(object.handler)]),
  'storageclasses.storage.k8s.io': table(
    'Name Provisioner ReclaimPolicy VolumeBindingMode AllowVolumeExpansion Age',
    (object, now) => [
      withDefaultMark(object, IS_DEFAULT.storage),
      text(object.provisioner),
      text(object.reclaimPolicy) || 'Delete',
      text(object.volumeBindingMode) || 'Immediate',
      object.allowVolumeExpansion === true,
      age(object, now),
    ],
  ),
  'csidrivers.storage.k8s.io': table(
    'Name AttachRequired:b PodInfoOnMount:b StorageCapacity:b TokenRequests RequiresRepublish:b Modes Age',
    driverRow,
  ),
  'csinodes.storage.k8s.io': aged('Drivers:i', (node) => [records(spec(node).drivers).length]),
  'volumeattachments.storage.k8s.io': attachments,
  'volumeattributesclasses.storage.k8s.io': aged('DriverName', (object) => [text(object.driverName)]),
  'deviceclasses.resource.k8s.io': table('Name Age', named),
  'resourceclaimtemplates.resource.k8s.io': table('Name Age', named),
  'resourceclaims.resource.k8s.io': aged('State', (claim) => [claimState(claim)]),
  'resourceslices.resource.k8s.io': aged('Node Driver Pool', (slice) => [
    text(spec(slice).nodeName),
    text(spec(slice).driver),
    text(record(spec(slice).pool).name),
  ]),
  'flowschemas.flowcontrol.apiserver.k8s.io': table(
    'Name PriorityLevel MatchingPrecedence DistinguisherMethod Age MissingPL',
    flowSchemaRow,
  ),
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io': table(
    'Name Type NominalConcurrencyShares Queues HandSize QueueLengthLimit Age',
    priorityLevelRow,
  ),
  'apiservices.apiregistration.k8s.io': aged('Service Available', (service) => [
    serviceOf(service),
    available(service),
  ]),
  [`mutatingwebhookconfigurations.${ADMISSION}`]: webhooks,
  [`validatingwebhookconfigurations.${ADMISSION}`]: webhooks,
  [`mutatingadmissionpolicies.${ADMISSION}`]: aged('Mutations:i ParamKind', (policy) => [
    records(spec(policy).mutations).length,
    kindOf(spec(policy).paramKind),
  ]),
  [`validatingadmissionpolicies.${ADMISSION}`]: aged('Validations:i ParamKind', (policy) => [
    records(spec(policy).validations).length,
    kindOf(spec(policy).paramKind),
  ]),
  [`mutatingadmissionpolicybindings.${ADMISSION}`]: policyBinding,
  [`validatingadmissionpolicybindings.${ADMISSION}`]: policyBinding,
};
