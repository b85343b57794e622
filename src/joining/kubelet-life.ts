/**
 * What a kubelet does once it has its certificate: it registers its Node, and renews.
 * Source: pkg/kubelet/kubelet_node_status.go registerWithAPIServer; client-go,
 * util/certificate/certificate_manager.go rotateCerts.
 */
import type { JoiningDecisions } from './decisions/index.js';
import type { Kubelet } from './kubelet.js';
import type { Clock } from './ports.js';
import type { Addresses } from './request.js';

/** Milliseconds after which it registers again, doubled up to the second. Source: kubelet_node_status.go. */
const FIRST_STEP = 100;
const LAST_STEP = 7_000;
/** Milliseconds that one attempt to renew may take. Source: certificate_manager.go certificateWaitTimeout. */
const RENEWING = 15 * 60_000;
/** Failures in a row until it is played no longer: it would go on in the same way for months. */
const MOST_FAILURES = 50;
const MOST_REFUSALS = 200;

interface Living {
  readonly clock: Clock;
  readonly decisions: JoiningDecisions;
  /** Milliseconds. */
  readonly within: number;
  /** Its configuration says so: else it keeps the certificate that it has. Source: pkg/kubelet/kubelet.go, RotateCertificates. */
  readonly renews: boolean;
  /** It is told to ask for what it serves with. */
  readonly serves: boolean;
}

/** Of a machine that is played: an address of documentation, RFC 5737. */
const ADDRESS = '192.0.2.9';
const addressesOf = ({ nodeName }: Kubelet): Addresses => ({ dns: [nodeName], ip: [ADDRESS] });

/** Asks for what it serves with, and says when to ask again. */
async function askToServe(
  kubelet: Kubelet,
  within: number,
  { clock, decisions }: Pick<Living, 'clock' | 'decisions'>,
): Promise<number> {
  const asked = clock.now();
  const wait = decisions.servingWait();
  const { kind } = await kubelet.askForServing(addressesOf(kubelet), Math.min(within, wait), true);
  if (kind === 'issued') return decisions.servingDeadline(kubelet.renewalDeadline('serving'));
  return asked + (kind === 'waiting' ? wait : decisions.bootstrapPause(1));
}

export async function goOn(kubelet: Kubelet, { clock, decisions, within, renews, serves }: Living): Promise<void> {
  const end = clock.now() + within;
  let step = FIRST_STEP;
  for (let refused = 0; refused < MOST_REFUSALS && clock.now() < end; refused += 1) {
    const { status } = await kubelet.registerNode();
    if (decisions.isRegistered(status)) break;
    await clock.sleep(step);
    step = Math.min(2 * step, LAST_STEP);
  }
  const living = { clock, decisions };
  let failed = 0;
  let own = renews ? kubelet.renewalDeadline() : Number.POSITIVE_INFINITY;
  let serving = decisions.asksToServe(serves) ? clock.now() : Number.POSITIVE_INFINITY;
  while (failed < MOST_FAILURES) {
    const due = Math.min(own, serving);
    if (due >= end || clock.now() >= end) break;
    await clock.sleep(Math.max(0, due - clock.now()));
    const left = Math.min(RENEWING, end - clock.now());
    if (serving < own) {
      serving = await askToServe(kubelet, Math.min(left, own - clock.now()), living);
      continue;
    }
    const { kind } = await kubelet.renew(left);
    failed = kind === 'issued' ? 0 : failed + 1;
    if (failed > 0) await clock.sleep(decisions.bootstrapPause(failed));
    own = kubelet.renewalDeadline();
  }
  await clock.sleep(Math.max(0, end - clock.now()));
}
