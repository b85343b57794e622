/** What counts as a certificate that can be used, and when it is renewed. Times in milliseconds since the epoch. */

import type { KeyObject } from 'node:crypto';

/** When a certificate begins and ends. */
export interface Validity {
  readonly notBefore: number;
  readonly notAfter: number;
}

export const certificateDecisions = {
  /**
   * Whether a kubeconfig on the disk spares a bootstrap: it holds certificates, and none of them has ended; that it has
   * begun is not looked at, nor are subject and issuer. Source: pkg/kubelet/certificate/bootstrap/bootstrap.go
   * isClientConfigStillValid.
   */
  isUsable: (certificates: readonly Validity[], now: number): boolean =>
    certificates.length > 0 && certificates.every(({ notAfter }) => now <= notAfter),

  /**
   * When a certificate is renewed: after 70 to 90 percent of its life, by chance (0 ≤ x < 1), so that machines that
   * joined together do not ask together. Source: client-go, util/certificate/certificate_manager.go
   * nextRotationDeadline, jitteryDuration.
   */
  renewalDeadline: ({ notBefore, notAfter }: Validity, chance: number): number =>
    notBefore + (notAfter - notBefore) * (0.7 + 0.2 * chance),

  /** Whether what it serves with is asked for, by serverTLSBootstrap. Source: pkg/kubelet/kubelet.go NewMainKubelet. */
  asksToServe: (isTold: boolean): boolean => isTold,

  /** When another one is asked for to serve with, by seven to nine tenths of the life of the one before. */
  servingDeadline: (due: number): number => due,

  /** Milliseconds after which a request that waits is made anew. Source: certificate_manager.go certificateWaitTimeout. */
  servingWait: (): number => 15 * 60_000,

  /** The key of the next certificate: another one each time. Source: certificate_manager.go generateCSR. */
  renewalKey: (_current: () => KeyObject | undefined, fresh: () => KeyObject): KeyObject => fresh(),

  /**
   * Whether an issued certificate is taken: only with the key that was asked for.
   * Source: certificate_manager.go rotateCerts, tls.X509KeyPair.
   */
  takesCertificate: (isOfOurKey: boolean): boolean => isOfOurKey,
};
