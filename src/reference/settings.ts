/** What the options of a reference come to, with every default filled in. */
import { systemClock } from '../apiserver/clock.js';
import type { Clock, RandomBytes } from '../apiserver/types.js';
import { NEWEST_RELEASE, parseRelease, type Release } from '../kubeadm/release.js';
import { type Decisions, decide } from './decisions.js';
import { addressesOf } from './host-addresses.js';
import type { ReferenceOptions, SwitchableController } from './options.js';
import { pooledBytes } from './random-pool.js';

export interface Settings {
  readonly options: ReferenceOptions;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly decisions: Decisions;
  readonly release: Release;
  readonly minor: number;
  readonly keyAlgorithm: NonNullable<ReferenceOptions['keyAlgorithm']>;
  readonly nodeName: string;
  readonly host: string;
  /** Where others reach it; never empty. */
  readonly addresses: readonly string[];
  readonly alwaysAllow: boolean;
  readonly bare: boolean;
  /** Whether the controllers act as service accounts of their own. */
  readonly credentials: boolean;
  runs(controller: SwitchableController): boolean;
}

/** Throws RangeError for a version that is none. */
export function settingsOf(options: ReferenceOptions): Settings {
  const decisions = decide(options.decisions);
  const release = parseRelease(options.kubernetesVersion ?? NEWEST_RELEASE);
  const host = options.host ?? '127.0.0.1';
  const addresses = addressesOf(host);
  return {
    options,
    clock: options.clock ?? systemClock(),
    random: options.random ?? pooledBytes(),
    decisions,
    release,
    minor: release.minor,
    keyAlgorithm: options.keyAlgorithm ?? 'ECDSA-P256',
    nodeName: options.nodeName ?? 'cp-1',
    host,
    addresses: addresses.length === 0 ? [host] : addresses,
    alwaysAllow: options.authorizationMode === 'AlwaysAllow',
    bare: options.bare ?? false,
    credentials: options.serviceAccountCredentials ?? true,
    runs: (controller) =>
      decisions.controllerRuns(
        controller,
        (options.controllers?.[controller] ?? true) && !(controller === 'csrsigning' && options.externalCa === true),
      ),
  };
}
