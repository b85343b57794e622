/** Whether a controller manager waits for what the kubelet of its machine sends. */
import type { Fields } from '../../kubernetes/json.js';
import type { Check } from '../../model/check.js';
import { secondsOf } from '../written/flag-values.js';
import type { Seen } from './node-files.js';
import { inFlags } from './node-flags.js';

/** A quarter of its Lease is what a kubelet renews it after. Source: pkg/kubelet/kubelet.go, nodeLeaseRenewIntervalFraction. */
const RENEWED_AFTER = 0.25;
/** Status is sent this often where nobody says how often it is looked at. Source: kubelet v1beta1/defaults.go. */
const REPORTED_AFTER = 300;
/** Source: nodelifecycle/config/v1alpha1/defaults.go, since 1.32; it was 40 s. */
const WAITED = 50;

/** A machine that is heard of more seldom than it is waited for is not ready, and ready again, without an end. */
export const heartbeatsWaitedFor: Check<{ readonly manager: Seen; readonly settings: Fields }> = {
  id: 'node-heartbeats/waited-for',
  source: 'pkg/controller/nodelifecycle, node-monitor-grace-period; pkg/kubelet/nodelease',
  judge: ({ manager, settings }) => [
    inFlags(manager, 'it waits for as long as the kubelet of the machine takes', (flags) => {
      const lease = Number(settings.nodeLeaseDurationSeconds ?? 0) || 40;
      const status = secondsOf(String(settings.nodeStatusReportFrequency ?? settings.nodeStatusUpdateFrequency ?? ''));
      const heard = Math.min(lease * RENEWED_AFTER, status || REPORTED_AFTER);
      const waited = secondsOf(flags['node-monitor-grace-period'] ?? '') ?? WAITED;
      return { seen: `it waits ${waited} s, and hears of it each ${heard} s`, ok: heard < waited };
    }),
  ],
};
