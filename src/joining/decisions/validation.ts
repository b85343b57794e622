/** What is refused before anything is asked. Source: cmd/kubeadm/app/apis/kubeadm/validation/validation.go. */
import { certificateKeyProblem } from '../../kubeadm/certificate-key.js';

export const validationDecisions = {
  /** Whether pins are missing: neither given nor renounced. Source: ValidateDiscoveryBootstrapToken. */
  demandsPins: (pins: readonly string[], skips: boolean): boolean => pins.length === 0 && !skips,

  /** Whether a discovery file may be fetched by a URL of this scheme. Source: ValidateDiscoveryKubeConfigPath. */
  takesDiscoveryScheme: (scheme: string): boolean => scheme === 'https',

  /** A name that a Node may have: a DNS subdomain (RFC 1123) in lower case. Source: ValidateNodeRegistrationOptions. */
  isNodeName: (name: string): boolean =>
    name.length <= 253 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(name),

  /**
   * Why a text is no certificate key: it is 32 bytes in hex, of either case; '' is none at all.
   * Source: ValidateCertificateKey (looked at before the first request since 1.29).
   */
  certificateKeyProblem: (key: string): string | undefined => certificateKeyProblem(key),
};
