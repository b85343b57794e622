/** Whether a controller manager waits for what the kubelet of its machine sends. */
import type { Fields } from '../../kubernetes/json.js';
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import { secondsOf } from '../written/flag-values.js';
import type { Seen } from './node-files.js';
import { inFlags } from './node-flags.js';

/** A quarter of its Lease is what a kubelet renews it after. Source: pkg/kubelet/kubelet.go, nodeLeaseRenewIntervalFraction. */
const RENEWED_AFTER = 0.25;
/** Status is sent this often where nobody says how often it is looked at. Source: kubelet v1beta1/defaults.go. */
const REPORTED_AFTER = 300;
/** Source: nodelifecycle/config/v1alpha1/defaults.go, since 1.32; it was 40 s. */
const WAITED = 50;

/** Seconds after which something of a kubelet is heard. */
function heardAfter(settings: Fields): number {
  const lease = Number(settings.nodeLeaseDurationSeconds ?? 0) || 40;
  const status = secondsOf(String(settings.nodeStatusReportFrequency ?? settings.nodeStatusUpdateFrequency ?? ''));
  return Math.min(lease * RENEWED_AFTER, status || REPORTED_AFTER);
}

/** A machine that is heard of more seldom than it is waited for is not ready, and ready again, without an end. */
export const heartbeatsWaitedFor: Check<{ readonly manager: Seen; readonly settings: Fields }> = {
  id: 'node-heartbeats/waited-for',
  source: 'pkg/controller/nodelifecycle, node-monitor-grace-period; pkg/kubelet/nodelease',
  judge: ({ manager, settings }) => [
    inFlags(manager, 'it waits for as long as the kubelet of the machine takes', (flags) => {
      const heard = heardAfter(settings);
      const waited = secondsOf(flags['node-monitor-grace-period'] ?? '') ?? WAITED;
      return { seen: `it waits ${waited} s, and hears of it each ${heard} s`, ok: heard < waited };
    }),
  ],
};

/** Of a worker the controller manager is elsewhere: it waits for as long as one that is told nothing. */
export const heartbeatsInTime: Check<{ readonly path: string; readonly settings: Fields }> = {
  id: 'node-heartbeats/in-time',
  source: 'pkg/controller/nodelifecycle, node-monitor-grace-period; pkg/kubelet/nodelease',
  judge: ({ path, settings }) => {
    const heard = heardAfter(settings);
    const seen = `it is heard of each ${heard} s`;
    return [demand({ subject: path, demanded: `it is heard of within ${WAITED} s`, seen, ok: heard < WAITED })];
  },
};
