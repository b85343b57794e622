/**
 * Removes what killed runs left on a cluster, and puts back what they changed. Only what carries the label of a run is touched, and only
 * through records that joinproof itself wrote.
 */
import type { ConfigMap, KubeObject } from '../kubernetes/objects.js';
import { type Resource, resources } from '../kubernetes/resources.js';
import { UnexpectedAnswer } from './errors.js';
import type { HttpTarget } from './http-target.js';
import {
  type Disturbance,
  EXPIRES_ANNOTATION,
  type JournalAccess,
  type Place,
  RECORD_NAMESPACE,
  RECORD_PREFIX,
  RUN_LABEL,
  removeForGood,
  restore,
} from './journal.js';
import { accessFor } from './journal-access.js';

/** Everything that scenarios create, in the order of removal: what grants goes before what it grants to, namespaces last. */
export const SWEPT: readonly Resource[] = [
  resources.clusterRoleBindings,
  resources.roleBindings,
  resources.clusterRoles,
  resources.roles,
  resources.certificateSigningRequests,
  resources.secrets,
  resources.daemonSets,
  resources.deployments,
  resources.pods,
  resources.services,
  resources.serviceAccounts,
  resources.leases,
  resources.events,
  resources.configMaps,
  resources.nodes,
  resources.namespaces,
];

export interface SweepOptions {
  /** Only runs whose object is older than this; default 0: everything, so do not sweep beside a run. */
  readonly olderThanSeconds?: number;
  /** Only what has passed its own expiry (an hour after its run began). */
  readonly expiredOnly?: boolean;
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal;
}

export interface Swept {
  readonly action: 'restored' | 'removed' | 'failed';
  /** "ConfigMap kube-public/cluster-info" */
  readonly what: string;
  readonly run: string;
  /** Of a failure. */
  readonly why?: string;
}

/** `target` must be open for writing unless dryRun. Returns what was (dryRun: would be) done, failures too. */
export async function sweep(target: HttpTarget, options: SweepOptions = {}): Promise<readonly Swept[]> {
  const access = accessFor(target.admin, options.signal ?? new AbortController().signal);
  const chosen = (object: KubeObject): boolean => isOld(object, options, target.facts.now());
  const done: Swept[] = [];
  const act = async (
    action: Swept['action'],
    place: Place,
    run: string,
    work: () => Promise<void>,
  ): Promise<boolean> => {
    const what = `${place.resource.kind} ${place.namespace === undefined ? '' : `${place.namespace}/`}${place.name}`;
    try {
      if (options.dryRun !== true) await work();
      done.push({ action, what, run });
      return true;
    } catch (error) {
      done.push({ action: 'failed', what, run, why: error instanceof Error ? error.message : String(error) });
      return false;
    }
  };
  const kept = new Set<string | undefined>();
  for (const record of (await labelled(access, resources.configMaps, done)).filter(chosen)) {
    if (!isRecord(record)) continue;
    let whole = true;
    for (const disturbance of disturbancesOf(record).reverse()) {
      whole = (await act('restored', disturbance, runOf(record), () => restore(access, disturbance))) && whole;
    }
    // What could not be put back stays on record for the next sweep.
    if (!whole) kept.add(record.metadata.uid);
  }
  for (const resource of SWEPT) {
    for (const object of (await labelled(access, resource, done)).filter(chosen)) {
      const { name, namespace, uid } = object.metadata;
      if (name === undefined || kept.has(uid)) continue;
      const place: Place = { resource, name, ...(namespace === undefined ? {} : { namespace }) };
      await act('removed', place, runOf(object), () => removeForGood(access, place, uid));
    }
  }
  return done;
}

const runOf = (object: KubeObject): string => object.metadata.labels?.[RUN_LABEL] ?? '';

const isRecord = (object: KubeObject): object is ConfigMap =>
  object.metadata.namespace === RECORD_NAMESPACE && object.metadata.name === RECORD_PREFIX + runOf(object);

function isOld(object: KubeObject, options: SweepOptions, now: number): boolean {
  const created = Date.parse(object.metadata.creationTimestamp ?? '');
  if (options.olderThanSeconds !== undefined && !(now - created >= options.olderThanSeconds * 1000)) return false;
  if (options.expiredOnly !== true) return true;
  return Date.parse(object.metadata.annotations?.[EXPIRES_ANNOTATION] ?? '') <= now;
}

async function labelled(access: JournalAccess, resource: Resource, done: Swept[]): Promise<readonly KubeObject[]> {
  try {
    return await access.find(resource, RUN_LABEL);
  } catch (error) {
    if (!(error instanceof UnexpectedAnswer)) throw error;
    const what = `${resource.kind}s`;
    if (!done.some((item) => item.what === what)) done.push({ action: 'failed', what, run: '', why: error.message });
    return [];
  }
}

const RESOURCE_FIELDS = ['group', 'version', 'resource', 'kind'] as const;

/** Entries in the order in which they were written; whatever is not one is left out. */
function disturbancesOf(record: ConfigMap): Disturbance[] {
  return Object.entries(record.data ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, text]) => {
      try {
        const value: unknown = JSON.parse(text);
        return isDisturbance(value) ? [value] : [];
      } catch {
        return [];
      }
    });
}

function isDisturbance(value: unknown): value is Disturbance {
  if (
    typeof value !== 'object' ||
    value === null ||
    !('name' in value) ||
    typeof value.name !== 'string' ||
    !('inverse' in value)
  )
    return false;
  if (!('resource' in value) || typeof value.resource !== 'object' || value.resource === null) return false;
  const resource = value.resource as Readonly<Record<string, unknown>>;
  return (
    RESOURCE_FIELDS.every((field) => typeof resource[field] === 'string') && typeof resource.namespaced === 'boolean'
  );
}
