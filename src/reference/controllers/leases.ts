/**
 * The Leases by which an API server and a controller manager say that they live, renewed by the clock.
 * Source: apiserver, pkg/controlplane/controller/leaderelection and pkg/reconcilers; client-go,
 * tools/leaderelection/resourcelock.
 */
import { createHash } from 'node:crypto';
import { uuid } from '../../apiserver/machinery/machinery.js';
import type { ApiClient, Controller } from '../../apiserver/types.js';
import { KUBE_SYSTEM } from '../../kubernetes/names.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import { type ControllerContext, createLoop, LEASES } from './controller.js';

/**
 * Upstream renews the one every 10 s and the other every 2 s. Ten is within both durations, and keeps a data file calm.
 */
const RENEW_EVERY = 10_000;

/** @param at milliseconds; MicroTime has six digits */
const microTime = (at: number): string => `${new Date(at).toISOString().slice(0, 23)}000Z`;

/** @param address where the API server says that it can be reached, host:port */
export function leases(context: ControllerContext, api: ApiClient, nodeName: string, address: string): Controller {
  const { store, clock, random } = context;
  const identity = `apiserver-${createHash('sha256').update(nodeName).digest('hex').slice(0, 26)}`;
  const holders: Readonly<Record<string, string>> = {
    [identity]: `${identity}_${uuid(random)}`,
    'kube-controller-manager': `${nodeName}_${uuid(random)}`,
  };
  const fresh = (name: string): KubeObject => {
    const now = microTime(clock.now());
    const spec = { holderIdentity: holders[name], renewTime: now };
    if (name !== identity) {
      const metadata = { name, namespace: KUBE_SYSTEM };
      return {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata,
        spec: { ...spec, acquireTime: now, leaseDurationSeconds: 15, leaseTransitions: 0 },
      };
    }
    const labels = { 'apiserver.kubernetes.io/identity': 'kube-apiserver', 'kubernetes.io/hostname': nodeName };
    const annotations = { 'kubernetes.io/peer-advertise-address': address };
    const metadata = { name, namespace: KUBE_SYSTEM, labels, annotations };
    return {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata,
      spec: { ...spec, leaseDurationSeconds: 3600 },
    };
  };
  return createLoop({
    name: 'leases',
    context,
    keysOf: () => [],
    initial: () => Object.keys(holders),
    sync(name, later) {
      later(clock.now() + RENEW_EVERY);
      const existing = store.get(LEASES, KUBE_SYSTEM, name);
      if (existing === undefined) api.create(LEASES, fresh(name));
      else {
        const renewed = {
          ...(existing.spec as object),
          holderIdentity: holders[name],
          renewTime: microTime(clock.now()),
        };
        api.update(LEASES, { ...existing, spec: renewed });
      }
    },
  });
}
