/**
 * What a kubelet does once it has its certificate: it registers its Node, and renews.
 * Source: pkg/kubelet/kubelet_node_status.go registerWithAPIServer; client-go,
 * util/certificate/certificate_manager.go rotateCerts.
 */
import type { JoiningDecisions } from './decisions/index.js';
import type { Kubelet } from './kubelet.js';
import type { Clock } from './ports.js';

/** Milliseconds after which it registers again, doubled up to the second. Source: kubelet_node_status.go. */
const FIRST_STEP = 100;
const LAST_STEP = 7_000;
/** Milliseconds that one attempt to renew may take. Source: certificate_manager.go certificateWaitTimeout. */
const RENEWING = 15 * 60_000;

interface Living {
  readonly clock: Clock;
  readonly decisions: JoiningDecisions;
  /** Milliseconds. */
  readonly within: number;
  /** Its configuration says so: else it keeps the certificate that it has. Source: pkg/kubelet/kubelet.go, RotateCertificates. */
  readonly renews: boolean;
}

export async function goOn(kubelet: Kubelet, { clock, decisions, within, renews }: Living): Promise<void> {
  const end = clock.now() + within;
  for (let step = FIRST_STEP; clock.now() < end; step = Math.min(2 * step, LAST_STEP)) {
    const { status } = await kubelet.registerNode();
    if (decisions.isRegistered(status)) break;
    await clock.sleep(step);
  }
  for (let failed = 0; renews; ) {
    const due = kubelet.renewalDeadline();
    if (due >= end || clock.now() >= end) break;
    await clock.sleep(Math.max(0, due - clock.now()));
    const { kind } = await kubelet.renew(Math.min(RENEWING, end - clock.now()));
    failed = kind === 'issued' ? 0 : failed + 1;
    if (failed > 0) await clock.sleep(decisions.bootstrapPause(failed));
  }
  await clock.sleep(Math.max(0, end - clock.now()));
}
