/**
 * What becomes a certificate of an approved request, how long it lives, and when a request is cleaned away.
 * Source: pkg/controller/certificates/{signer,authority,cleaner}.
 */

import {
  SIGNER_APISERVER_CLIENT,
  SIGNER_KUBELET_CLIENT,
  SIGNER_KUBELET_SERVING,
  SIGNER_LEGACY_UNKNOWN,
} from '../../kubernetes/names.js';
import type { Condition } from '../../kubernetes/objects.js';
import { inSpan, type Span } from '../../kubernetes/versions.js';
import { randomSerial } from '../../pki/certificate.js';
import type { Extension, SubjectAltNames } from '../../pki/extensions.js';
import { type AttributeInput, type Name, valuesOf } from '../../pki/names.js';
import { ATTRIBUTE, type ExtendedKeyUsage, KEY_USAGES, type KeyUsage } from '../../pki/oids.js';
import type { RequestFacts } from '../../pki/request.js';
import { goUri } from '../../pki/uri.js';
import type { RequestContent } from './certificate-approval.js';
import { EXTENDED_USAGE_OF, extendedKeyUsages, KEY_USAGE_OF } from './usages.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

type Conditions = readonly Condition[];

/** Releases that clean away what was approved and never issued. */
const APPROVED_IS_SWEPT: Span = { since: 35 };

const has = (conditions: Conditions, type: string): boolean => conditions.some((condition) => condition.type === type);
const hasTrue = (conditions: Conditions, type: string): boolean =>
  conditions.some((condition) => condition.type === type && (condition.status === 'True' || condition.status === ''));

/**
 * Subject attributes that Go knows, in the order in which it writes them. Source: Go crypto/x509/pkix
 * Name.ToRDNSequence.
 */
const KEPT_ATTRIBUTES = [
  ATTRIBUTE.country,
  ATTRIBUTE.province,
  ATTRIBUTE.locality,
  ATTRIBUTE.street,
  ATTRIBUTE.postalCode,
  ATTRIBUTE.organization,
  ATTRIBUTE.organizationalUnit,
] as const;
const LAST_ONE_COUNTS = [ATTRIBUTE.commonName, ATTRIBUTE.serialNumber] as const;

export const certificateSigningDecisions = {
  /**
   * Approved, not denied, not failed, no certificate yet. Source:
   * pkg/controller/certificates/certificate_controller_utils.go IsCertificateRequestApproved, signer/signer.go handle.
   */
  awaitsSigning: (conditions: Conditions, hasCertificate: boolean): boolean =>
    !hasCertificate && has(conditions, 'Approved') && !has(conditions, 'Denied') && !hasTrue(conditions, 'Failed'),

  /** Milliseconds that a certificate lives at most unless told otherwise. Source: --cluster-signing-duration. */
  longestLifetime: (): number => 8760 * HOUR,

  /** The signers of the controller manager. Source: cmd/kube-controller-manager/app/certificates.go. */
  builtInSigners: (): readonly string[] => [
    SIGNER_KUBELET_SERVING,
    SIGNER_KUBELET_CLIENT,
    SIGNER_APISERVER_CLIENT,
    SIGNER_LEGACY_UNKNOWN,
  ],

  /**
   * Whose rules a signer applies before it signs; legacy-unknown has none. Source: signer.go, New…CSRSigningController.
   */
  signerRules: (signerName: string): 'kubelet-serving' | 'kubelet-client' | 'client' | undefined => {
    if (signerName === SIGNER_KUBELET_SERVING) return 'kubelet-serving';
    if (signerName === SIGNER_KUBELET_CLIENT) return 'kubelet-client';
    return signerName === SIGNER_APISERVER_CLIENT ? 'client' : undefined;
  },

  /**
   * Whether a certificate can be made at all: not under a CA that has ended, nor for a request whose self-signature
   * does not hold.
   * Where it cannot, upstream tries again. Times in milliseconds since the epoch. Source: authority/authority.go Sign.
   */
  mayBeSigned: (request: Pick<RequestFacts, 'signatureProblem' | 'key'>, caNotAfter: number, now: number): boolean =>
    request.signatureProblem === undefined && now < caNotAfter,

  /**
   * Why the client signer does not sign these usages; undefined: it does. No rule about the subject. Source: signer.go
   * validAPIServerClientUsages.
   */
  clientUsagesProblem: (usages: readonly string[]): string | undefined => {
    const other = usages.find(
      (usage) => usage !== 'client auth' && usage !== 'digital signature' && usage !== 'key encipherment',
    );
    if (other !== undefined) return `invalid usage for client certificate: ${other}`;
    return usages.includes('client auth') ? undefined : 'missing required usage for client certificate: client auth';
  },

  /** What becomes of a request that the signer's rules refuse: a Failed condition. Source: signer.go handle. */
  signingFailure: (problem: string): Condition => ({
    type: 'Failed',
    status: 'True',
    reason: 'SignerValidationFailure',
    message: problem,
  }),

  /**
   * Milliseconds that a certificate is signed for: what was asked for, between ten minutes and the signer's maximum,
   * which is also what is given where nothing was asked for. Source: signer.go duration.
   */
  grantedLifetime: (requestedSeconds: number | undefined, maximum: number): number => {
    if (requestedSeconds === undefined || requestedSeconds * 1000 > maximum) return maximum;
    return Math.max(requestedSeconds * 1000, 10 * MINUTE);
  },

  /**
   * Begins five minutes back. A lifetime under eight hours is counted from now, a longer one from that beginning. Never
   * beyond the CA.
   * All in milliseconds since the epoch. Source: authority/policies.go PermissiveSigningPolicy.apply.
   */
  certificateValidity: (
    now: number,
    lifetime: number,
    caNotAfter: number,
  ): { readonly notBefore: number; readonly notAfter: number } => ({
    notBefore: now - 5 * MINUTE,
    notAfter: Math.min(now + lifetime - (lifetime < 8 * HOUR ? 0 : 5 * MINUTE), caNotAfter),
  }),

  /**
   * The subject that is signed: rebuilt from the attributes that Go knows, in its order. Values of one type become one
   * RDN, of several common names the last counts, everything else is dropped. Source: Go crypto/x509/pkix
   * FillFromRDNSequence, ToRDNSequence.
   */
  certificateSubject: (requested: Name): readonly (readonly AttributeInput[])[] => [
    ...KEPT_ATTRIBUTES.flatMap((oid) => {
      const values = valuesOf(requested, oid);
      return values.length === 0 ? [] : [values.map((value) => ({ oid, value }))];
    }),
    ...LAST_ONE_COUNTS.flatMap((oid) => {
      const value = valuesOf(requested, oid).at(-1);
      return value === undefined || value === '' ? [] : [[{ oid, value }]];
    }),
  ],

  /**
   * The alternative names that are signed: those asked for; other requested extensions are dropped. Source:
   * authority/authority.go Sign.
   */
  certificateAltNames: (request: RequestContent): SubjectAltNames => ({
    dns: request.altNames.dns,
    email: request.altNames.email,
    ip: request.altNames.ip,
    uri: request.altNames.uri.map(goUri),
  }),

  /**
   * The usages that are signed come from spec.usages, not from the request's own extensions. Source: policies.go
   * keyUsagesFromStrings.
   */
  certificateUsages: (
    usages: readonly string[],
  ): { readonly keyUsage: readonly KeyUsage[]; readonly extendedKeyUsage: readonly ExtendedKeyUsage[] } => ({
    keyUsage: KEY_USAGES.filter((wanted) => usages.some((usage) => KEY_USAGE_OF[usage] === wanted)),
    extendedKeyUsage: extendedKeyUsages.filter((wanted) => usages.some((usage) => EXTENDED_USAGE_OF[usage] === wanted)),
  }),

  /**
   * Nothing that a signer signs is an authority, and it says so. Source: policies.go PermissiveSigningPolicy.apply,
   * BasicConstraintsValid.
   */
  certificateIsAuthority: (_request: Pick<RequestFacts, 'extensions'>): boolean | 'unsaid' => false,

  /** Extensions of the request that are signed as they are: none. Source: policies.go PermissiveSigningPolicy.apply. */
  certificateExtensions: (_request: Pick<RequestFacts, 'extensions'>): readonly Extension[] => [],

  /** Whether a certificate names the key of its authority. Source: Go crypto/x509 CreateCertificate, AuthorityKeyId. */
  certificateNamesAuthority: (): boolean => true,

  /** A number of 128 random bits, as Go gives it. Source: authority/authority.go Sign. */
  certificateSerial: (random: (length: number) => Buffer): Buffer => randomSerial(128, random),

  /** status.certificate: the leaf alone, without the CA. PEM in, PEM out. Source: signer.go sign. */
  issuedPem: (leaf: string, _authority: string): string => leaf,

  /**
   * Milliseconds between sweeps; the first comes one interval after the start. Source:
   * pkg/controller/certificates/cleaner/cleaner.go pollingInterval.
   */
  csrSweepInterval: (): number => HOUR,

  /**
   * Whether the cleaner deletes a request: issued, denied or failed for over an hour, pending or (since 1.35) approved
   * without a certificate for over a day, or approved with a certificate that has expired. Times in milliseconds since
   * the epoch; undefined: unset.
   * Source: cleaner.go handle.
   */
  csrIsSwept: (
    csr: {
      readonly conditions: readonly { readonly type: string; readonly lastUpdate: number | undefined }[];
      readonly created: number | undefined;
      readonly hasCertificate: boolean;
      /** End of the first certificate; undefined where it cannot be read. */
      readonly certificateNotAfter: number | undefined;
    },
    now: number,
    minor: number,
  ): boolean => {
    const olderThan = (at: number | undefined, limit: number): boolean => at !== undefined && now - at > limit;
    const any = (type: string, limit: number): boolean =>
      csr.conditions.some((condition) => condition.type === type && olderThan(condition.lastUpdate, limit));
    if (csr.conditions.length === 0) return olderThan(csr.created, 24 * HOUR);
    if (any('Denied', HOUR) || any('Failed', HOUR)) return true;
    if (!csr.hasCertificate) return inSpan(minor, APPROVED_IS_SWEPT) && any('Approved', 24 * HOUR);
    if (any('Approved', HOUR)) return true;
    return (
      csr.conditions.some((condition) => condition.type === 'Approved') &&
      csr.certificateNotAfter !== undefined &&
      now > csr.certificateNotAfter
    );
  },
};
