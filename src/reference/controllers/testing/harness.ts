/** A store, a clock and a client without HTTP or authorization, for the tests of single controllers. */

import { type ManualClock, manualClock } from '../../../apiserver/clock.js';
import { createStore, type MemoryStore, StoreConflict } from '../../../apiserver/storage/store.js';
import { type ApiClient, ApiError, type Controller } from '../../../apiserver/types.js';
import type { KubeObject } from '../../../kubernetes/objects.js';
import { type Decisions, decide } from '../../decisions.js';
import type { ControllerContext, ServedResource } from '../controller.js';

export interface Harness {
  readonly store: MemoryStore;
  readonly clock: ManualClock;
  readonly context: ControllerContext;
  /** Every write: "update configmaps kube-public/cluster-info" and the like, with who did it. */
  readonly writes: string[];
  run(controller: Controller): Promise<void>;
  /** Moves the clock and lets the controllers work. */
  advance(milliseconds: number): Promise<void>;
  settle(): Promise<void>;
}

export const START = Date.UTC(2026, 10, 20, 10, 30);

const SERVED: readonly ServedResource[] = [
  { group: '', resource: 'namespaces', apiVersion: 'v1', kind: 'Namespace', namespaced: false },
  { group: '', resource: 'secrets', apiVersion: 'v1', kind: 'Secret', namespaced: true },
  { group: '', resource: 'configmaps', apiVersion: 'v1', kind: 'ConfigMap', namespaced: true },
  { group: '', resource: 'serviceaccounts', apiVersion: 'v1', kind: 'ServiceAccount', namespaced: true },
  {
    group: 'rbac.authorization.k8s.io',
    resource: 'clusterroles',
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    namespaced: false,
  },
];

export function harness(replaced: Partial<Decisions> = {}): Harness {
  const store = createStore();
  const clock = manualClock(START);
  const writes: string[] = [];
  const running: Controller[] = [];
  const settle = async (): Promise<void> => {
    for (let quiet = 0; quiet < 2; ) {
      await new Promise((resolve) => setImmediate(resolve));
      quiet = running.every((controller) => controller.idle()) ? quiet + 1 : 0;
    }
  };
  const guarded = <T>(act: () => T): T => {
    try {
      return act();
    } catch (error) {
      if (error instanceof StoreConflict)
        throw new ApiError(error.why === 'missing' ? 404 : 409, error.why, error.message);
      throw error;
    }
  };
  const as = (name: string): ApiClient => {
    const noted = (verb: string, resource: string, namespace: string | undefined, object: string): void => {
      writes.push(`${name}: ${verb} ${resource} ${namespace === undefined ? '' : `${namespace}/`}${object}`);
    };
    return {
      user: { username: `system:serviceaccount:kube-system:${name}`, groups: [] },
      get: (resource, namespace, object) => store.get(resource, namespace, object),
      list: (resource, namespace) => store.list(resource, namespace),
      create(resource, object) {
        noted('create', resource.resource, object.metadata.namespace, object.metadata.name ?? '');
        return guarded(() => store.create(resource, object));
      },
      update(resource, object, options) {
        noted(
          `update${options?.subresource === undefined ? '' : `/${options.subresource}`}`,
          resource.resource,
          object.metadata.namespace,
          object.metadata.name ?? '',
        );
        const updated = guarded(() => store.update(resource, object, object.metadata.resourceVersion));
        if (updated.metadata.deletionTimestamp !== undefined && (updated.metadata.finalizers ?? []).length === 0) {
          store.delete(resource, updated.metadata.namespace, updated.metadata.name ?? '');
        }
        return updated;
      },
      apply() {
        throw new ApiError(403, 'Forbidden', 'managers of fields are not kept in this test');
      },
      delete(resource, namespace, object, options) {
        noted(`delete${options?.uid === undefined ? '' : ` uid=${options.uid}`}`, resource.resource, namespace, object);
        const found = store.get(resource, namespace, object);
        if (found === undefined) throw new ApiError(404, 'NotFound', 'not found');
        if (options?.uid !== undefined && found.metadata.uid !== options.uid)
          throw new ApiError(409, 'Conflict', 'uid');
        store.delete(resource, namespace, object);
      },
    };
  };
  return {
    store,
    clock,
    writes,
    context: {
      store,
      clock,
      random: (length) => Buffer.alloc(length, 7),
      decisions: decide(replaced),
      as,
      served: SERVED,
    },
    async run(controller) {
      running.push(controller);
      controller.start();
      await settle();
    },
    async advance(milliseconds) {
      clock.advance(milliseconds);
      await settle();
    },
    settle,
  };
}

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

/** A Secret of kube-system; data in plain text. */
export const tokenSecret = (
  name: string,
  data: Readonly<Record<string, string>>,
  type = 'bootstrap.kubernetes.io/token',
  namespace = 'kube-system',
): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace, uid: `uid-of-${name}` },
  type,
  data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, base64(value)])),
});

export const clusterInfo = (data: Readonly<Record<string, string>>): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'cluster-info', namespace: 'kube-public' },
  data,
});

/** RFC 3339, seconds from the harness's start. */
export const inSeconds = (seconds: number): string => `${new Date(START + seconds * 1000).toISOString().slice(0, 19)}Z`;
