/** The row of a pod, whose status column sums up its containers. Source: pkg/printers/internalversion/printers.go printPod. */

import { count, type Fields, isRecord, record, records, text } from '../../../kubernetes/json.js';
import type { KubeObject } from '../../../kubernetes/objects.js';
import { spec, status } from '../read.js';
import { age, type Cell, columns, name, orNone, since, type Table } from './cells.js';

interface Sum {
  reason: string;
  ready: number;
  restarts: number;
  lastRestart: string;
}

const terminatedText = (terminated: Fields): string => {
  if (text(terminated.reason) !== '') return text(terminated.reason);
  return count(terminated.signal) !== 0
    ? `Signal:${count(terminated.signal)}`
    : `ExitCode:${count(terminated.exitCode)}`;
};

const later = (known: string, container: Fields): string => {
  const finished = text(record(record(container.lastState).terminated).finishedAt);
  return finished > known ? finished : known;
};

const isRestartable = (container: Fields | undefined): boolean => container?.restartPolicy === 'Always';

/** True where an init container is still at work (its word is then in `sum.reason`); sidecars are counted into `sidecars`. */
function initContainers(pod: KubeObject, sum: Sum, sidecars: Pick<Sum, 'restarts' | 'lastRestart'>): boolean {
  const specs = new Map(records(spec(pod).initContainers).map((container) => [text(container.name), container]));
  for (const [index, container] of records(status(pod).initContainerStatuses).entries()) {
    const restartable = isRestartable(specs.get(text(container.name)));
    sum.restarts += count(container.restartCount);
    sum.lastRestart = later(sum.lastRestart, container);
    if (restartable) {
      sidecars.restarts += count(container.restartCount);
      sidecars.lastRestart = later(sidecars.lastRestart, container);
    }
    const { terminated, waiting } = record(container.state);
    if (isRecord(terminated) && count(terminated.exitCode) === 0) continue;
    if (restartable && container.started === true) {
      if (container.ready === true) sum.ready += 1;
      continue;
    }
    const waits = text(record(waiting).reason);
    if (isRecord(terminated)) sum.reason = `Init:${terminatedText(terminated)}`;
    else if (waits !== '' && waits !== 'PodInitializing') sum.reason = `Init:${waits}`;
    else sum.reason = `Init:${index}/${specs.size}`;
    return true;
  }
  return false;
}

function containers(pod: KubeObject, sum: Sum): void {
  let running = false;
  let failure = '';
  for (const container of [...records(status(pod).containerStatuses)].reverse()) {
    sum.restarts += count(container.restartCount);
    sum.lastRestart = later(sum.lastRestart, container);
    const state = record(container.state);
    const waits = text(record(state.waiting).reason);
    if (waits !== '') sum.reason = waits;
    else if (isRecord(state.terminated)) {
      sum.reason = terminatedText(state.terminated);
      if (count(state.terminated.exitCode) !== 0) failure = sum.reason;
    } else if (container.ready === true && isRecord(state.running)) {
      running = true;
      sum.ready += 1;
    }
  }
  if (sum.reason !== 'Completed') return;
  const ready = records(status(pod).conditions).some(
    (condition) => condition.type === 'Ready' && condition.status === 'True',
  );
  if (running && ready) sum.reason = 'Running';
  else if (failure !== '') sum.reason = failure;
  else if (running) sum.reason = 'NotReady';
}

function readinessGates(pod: KubeObject): string {
  const gates = records(spec(pod).readinessGates);
  const conditions = records(status(pod).conditions);
  const open = gates.filter(
    (gate) => conditions.find((condition) => condition.type === gate.conditionType)?.status === 'True',
  );
  return gates.length === 0 ? '<none>' : `${open.length}/${gates.length}`;
}

function row(pod: KubeObject, now: number): readonly Cell[] {
  const { phase, reason, conditions } = status(pod);
  const sum: Sum = { reason: text(reason) || text(phase), ready: 0, restarts: 0, lastRestart: '' };
  const scheduled = records(conditions).find((condition) => condition.type === 'PodScheduled');
  if (scheduled?.reason === 'SchedulingGated') sum.reason = 'SchedulingGated';
  const sidecars = { restarts: 0, lastRestart: '' };
  const initializing = initContainers(pod, sum, sidecars);
  const initialized = records(conditions).some(
    (condition) => condition.type === 'Initialized' && condition.status === 'True',
  );
  if (!initializing || initialized) {
    Object.assign(sum, sidecars);
    containers(pod, sum);
  }
  if (pod.metadata.deletionTimestamp !== undefined) {
    if (reason === 'NodeLost') sum.reason = 'Unknown';
    else if (phase !== 'Succeeded' && phase !== 'Failed') sum.reason = 'Terminating';
  }
  const total = records(spec(pod).containers).length + records(spec(pod).initContainers).filter(isRestartable).length;
  const restarts =
    sum.restarts !== 0 && sum.lastRestart !== ''
      ? `${sum.restarts} (${since(sum.lastRestart, now)} ago)`
      : String(sum.restarts);
  return [
    name(pod),
    `${sum.ready}/${total}`,
    sum.reason,
    restarts,
    age(pod, now),
    orNone(text(records(status(pod).podIPs)[0]?.ip)),
    orNone(text(spec(pod).nodeName)),
    orNone(text(status(pod).nominatedNodeName)),
    readinessGates(pod),
  ];
}

export const podTable: Table = {
  columns: columns('Name Ready Status Restarts Age | IP Node Nominated_Node Readiness_Gates'),
  row,
};
