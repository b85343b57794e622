/**
 * How a certificate request becomes a certificate, or does not: who approves it, who may sign it, what is in it and how long it lives.
 * Source: pkg/apis/certificates, pkg/registry/certificates, pkg/controller/certificates, plugin/pkg/admission/certificates of Kubernetes.
 */

import {
  SIGNER_APISERVER_CLIENT,
  SIGNER_KUBELET_CLIENT,
  SIGNER_KUBELET_SERVING,
  SIGNER_LEGACY_UNKNOWN,
} from '../../kubernetes/names.js';
import type { CertificateSigningRequest, Condition, UserInfo } from '../../kubernetes/objects.js';
import type { SubjectAltNames } from '../../pki/extensions.js';
import { type AttributeInput, type Name, valuesOf } from '../../pki/names.js';
import { ATTRIBUTE, type ExtendedKeyUsage, KEY_USAGES, type KeyUsage } from '../../pki/oids.js';
import type { RequestFacts } from '../../pki/request.js';
import { goUri } from '../../pki/uri.js';
import { API_USAGES, EXTENDED_USAGE_OF, extendedKeyUsages, KEY_USAGE_OF } from '../certificates/usages.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** What the rules look at in a parsed request. */
export type RequestContent = Pick<RequestFacts, 'commonName' | 'organizations' | 'altNames'> &
  Partial<Pick<RequestFacts, 'key'>>;
type Spec = CertificateSigningRequest['spec'];
type Conditions = readonly Condition[];

const has = (conditions: Conditions, type: string): boolean => conditions.some((condition) => condition.type === type);
const hasTrue = (conditions: Conditions, type: string): boolean =>
  conditions.some((condition) => condition.type === type && (condition.status === 'True' || condition.status === ''));

const sameSet = (usages: readonly string[], wanted: readonly string[]): boolean => {
  const set = new Set(usages);
  return set.size === wanted.length && wanted.every((usage) => set.has(usage));
};
const isSystemNodes = (organizations: readonly string[]): boolean =>
  organizations.length === 1 && organizations[0] === 'system:nodes';

/** Subject attributes that Go knows, in the order in which it writes them. Source: Go crypto/x509/pkix Name.ToRDNSequence. */
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

export const certificateDecisions = {
  // ---- what the API server takes -------------------------------------------------------------------------------------------------

  /**
   * Who asked: these fields of spec are the requester's, whatever the body says. extra only where there is some.
   * Source: pkg/registry/certificates/certificates/strategy.go PrepareForCreate.
   */
  csrRequester: (user: UserInfo, _sent: Spec): Pick<Spec, 'username' | 'uid' | 'groups' | 'extra'> => ({
    username: user.username,
    ...(user.uid === undefined || user.uid === '' ? {} : { uid: user.uid }),
    ...(user.groups.length === 0 ? {} : { groups: user.groups }),
    ...(user.extra === undefined || Object.keys(user.extra).length === 0 ? {} : { extra: user.extra }),
  }),

  /** A request cannot be created approved: status is emptied. Source: strategy.go PrepareForCreate. */
  csrInitialStatus: (
    _sent: CertificateSigningRequest['status'],
  ): NonNullable<CertificateSigningRequest['status']> => ({}),

  /** spec.request (base64 of the PEM) is stored as it came. Source: strategy.go PrepareForCreate, which leaves it alone. */
  csrStoredRequest: (sent: string): string => sent,

  /** spec never changes after creation; PUT and PATCH keep the old one silently. Source: strategy.go PrepareForUpdate. */
  csrSpecAfterUpdate: (old: Spec, _sent: Spec): Spec => old,

  /**
   * Why spec.request is refused; undefined where it is taken. `parsed` is a parse error's text, or the facts with the text of a broken
   * self-signature. Source: pkg/apis/certificates/validation/validation.go validateCSR.
   */
  csrRequestProblem: (
    parsed: { readonly parseError: string } | Pick<RequestFacts, 'signatureProblem'>,
  ): string | undefined => ('parseError' in parsed ? parsed.parseError : parsed.signatureProblem),

  /** Whether a usage is one of the 23. Source: validation.go allValidUsages. */
  csrUsageKnown: (usage: string): boolean => API_USAGES.includes(usage),

  /** The shortest lifetime that may be asked for, in seconds. Source: validation.go validateCertificateSigningRequest. */
  csrMinimumExpirationSeconds: (): number => 600,

  /** v1 does not take the signer of old, unrestricted certificates. Source: validation.go allowLegacySignerName. */
  csrSignerAllowed: (signerName: string): boolean => signerName !== SIGNER_LEGACY_UNKNOWN,

  /** Approved and Denied exclude each other. Source: validation.go validateConditions. */
  csrMayBeApprovedAndDenied: (): boolean => false,

  /** Approved, Denied and Failed are True or absent. Source: validation.go trueConditionTypes. */
  csrConditionStatuses: (type: string): readonly string[] =>
    type === 'Approved' || type === 'Denied' || type === 'Failed' ? ['True'] : ['False', 'True', 'Unknown'],

  /** Conditions that no update may take away. Source: validation.go validateCertificateSigningRequestUpdate. */
  csrConditionIsForever: (type: string): boolean => type === 'Approved' || type === 'Denied' || type === 'Failed',

  /** Approved and Denied are set through /approval only. Source: validation.go ValidateCertificateSigningRequestApprovalUpdate. */
  csrApprovalSetThrough: (subresource: string): boolean => subresource === 'approval',

  /** A certificate is set once. Source: validation.go allowResettingCertificate. */
  csrCertificateMayChange: (old: string): boolean => old === '',

  // ---- admission -----------------------------------------------------------------------------------------------------------------

  /** Whether /approval asks for the right "approve" on the signer, also when nothing changes. Source: plugin/pkg/admission/certificates/approval/admission.go. */
  approvalNeedsSignerRight: (_signerName: string): boolean => true,

  /** Whether /status asks for the right "sign" on the signer. Source: plugin/pkg/admission/certificates/signing/admission.go. */
  signingNeedsSignerRight: (change: { readonly certificate: boolean; readonly conditions: boolean }): boolean =>
    change.certificate || change.conditions,

  /** Names of the resource "signers" of which any one right is enough: the signer, then its whole domain. Source: pkg/certauthorization/certauthorization.go. */
  signerRightNames: (signerName: string): readonly string[] => [signerName, `${signerName.split('/', 1)[0] ?? ''}/*`],

  /** Nobody gets system:masters by way of the client signer. Source: plugin/pkg/admission/certificates/subjectrestriction/admission.go. */
  subjectIsRestricted: (signerName: string, organizations: readonly string[]): boolean =>
    signerName === SIGNER_APISERVER_CLIENT && organizations.includes('system:masters'),

  // ---- approver ------------------------------------------------------------------------------------------------------------------

  /** Only what has neither certificate nor verdict is looked at; Failed is no verdict. Source: pkg/controller/certificates/approver/sarapprove.go handle. */
  awaitsApproval: (conditions: Conditions, hasCertificate: boolean): boolean =>
    !hasCertificate && !has(conditions, 'Approved') && !has(conditions, 'Denied'),

  /** Why a request is not a kubelet's client request; undefined: it is. Source: pkg/apis/certificates/helpers.go ValidateKubeletClientCSR. */
  kubeletClientProblem: (request: RequestContent, usages: readonly string[]): string | undefined => {
    if (!isSystemNodes(request.organizations)) return 'subject organization is not system:nodes';
    if (request.altNames.dns.length > 0) return 'DNS subjectAltNames are not allowed';
    if (request.altNames.email.length > 0) return 'Email subjectAltNames are not allowed';
    if (request.altNames.ip.length > 0) return 'IP subjectAltNames are not allowed';
    if (request.altNames.uri.length > 0) return 'URI subjectAltNames are not allowed';
    if (!request.commonName.startsWith('system:node:')) return 'subject common name does not begin with system:node:';
    const fits =
      sameSet(usages, ['client auth', 'digital signature', 'key encipherment']) ||
      sameSet(usages, ['client auth', 'digital signature']);
    return fits ? undefined : 'usages did not match [client auth digital signature key encipherment]';
  },

  /** Why a request is not a kubelet's serving request; undefined: it is. Source: helpers.go ValidateKubeletServingCSR. */
  kubeletServingProblem: (request: RequestContent, usages: readonly string[]): string | undefined => {
    if (!isSystemNodes(request.organizations)) return 'subject organization is not system:nodes';
    if (request.altNames.dns.length === 0 && request.altNames.ip.length === 0)
      return 'DNS or IP subjectAltName is required';
    if (request.altNames.email.length > 0) return 'Email subjectAltNames are not allowed';
    if (request.altNames.uri.length > 0) return 'URI subjectAltNames are not allowed';
    const fits =
      sameSet(usages, ['digital signature', 'key encipherment', 'server auth']) ||
      sameSet(usages, ['digital signature', 'server auth']);
    if (!fits) return 'usages did not match [digital signature key encipherment server auth]';
    return request.commonName.startsWith('system:node:')
      ? undefined
      : 'subject common name does not begin with system:node:';
  },

  /**
   * Subresources of which the requester must be allowed "create" for an automatic approval, in the order of asking. selfnodeclient: the
   * requester asks for its own name. Serving requests and all other signers: none. `problem` is kubeletClientProblem's answer.
   * Source: sarapprove.go recognizers, isSelfNodeClientCert, isNodeClientCert.
   */
  approvalRights: (
    spec: Pick<Spec, 'signerName' | 'username'>,
    commonName: string,
    problem: string | undefined,
  ): readonly ('selfnodeclient' | 'nodeclient')[] => {
    if (spec.signerName !== SIGNER_KUBELET_CLIENT || problem !== undefined) return [];
    return spec.username === commonName ? ['selfnodeclient', 'nodeclient'] : ['nodeclient'];
  },

  /** The API version in the approver's SubjectAccessReview: "*" since 1.28, none before. Source: sarapprove.go recognizers. */
  approvalReviewVersion: (minor: number): string => (minor >= 28 ? '*' : ''),

  /** Who is asked about: the requester as the API server recorded it. Source: sarapprove.go authorize. */
  approvalReviewUser: (spec: Spec): UserInfo => ({
    username: spec.username ?? '',
    ...(spec.uid === undefined ? {} : { uid: spec.uid }),
    groups: spec.groups ?? [],
    ...(spec.extra === undefined ? {} : { extra: spec.extra }),
  }),

  /** The condition of an automatic approval; undefined leaves the request pending, which is what a refusal comes to: the approver never denies. Source: sarapprove.go appendApprovalCondition. */
  approvalVerdict: (allowed: 'selfnodeclient' | 'nodeclient' | undefined): Condition | undefined =>
    allowed === undefined
      ? undefined
      : {
          type: 'Approved',
          status: 'True',
          reason: 'AutoApproved',
          message: `Auto approving ${allowed === 'selfnodeclient' ? 'self ' : ''}kubelet client certificate after SubjectAccessReview.`,
        },

  /** Milliseconds until the next attempt after `failures` failed ones: 200 ms doubling up to 1000 s. Source: certificate_controller.go NewCertificateController. */
  approvalRetryDelay: (failures: number): number => Math.min(200 * 2 ** Math.min(failures - 1, 30), 1_000_000),

  // ---- signers -------------------------------------------------------------------------------------------------------------------

  /** Approved, not denied, not failed, no certificate yet. Source: pkg/controller/certificates/certificate_controller_utils.go IsCertificateRequestApproved, signer/signer.go handle. */
  awaitsSigning: (conditions: Conditions, hasCertificate: boolean): boolean =>
    !hasCertificate && has(conditions, 'Approved') && !has(conditions, 'Denied') && !hasTrue(conditions, 'Failed'),

  /** The signers of the controller manager. Source: cmd/kube-controller-manager/app/certificates.go. */
  builtInSigners: (): readonly string[] => [
    SIGNER_KUBELET_SERVING,
    SIGNER_KUBELET_CLIENT,
    SIGNER_APISERVER_CLIENT,
    SIGNER_LEGACY_UNKNOWN,
  ],

  /** Why the client signer does not sign these usages; undefined: it does. No rule about the subject. Source: signer.go validAPIServerClientUsages. */
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
   * Milliseconds that a certificate is signed for: what was asked for, between ten minutes and the signer's maximum, which is also what is
   * given where nothing was asked for. Source: signer.go duration.
   */
  grantedLifetime: (requestedSeconds: number | undefined, maximum: number): number => {
    if (requestedSeconds === undefined || requestedSeconds * 1000 > maximum) return maximum;
    return Math.max(requestedSeconds * 1000, 10 * MINUTE);
  },

  /**
   * Begins five minutes back. A lifetime under eight hours is counted from now, a longer one from that beginning. Never beyond the CA.
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
   * The subject that is signed: rebuilt from the attributes that Go knows, in its order. Values of one type become one RDN, of several
   * common names the last counts, everything else is dropped. Source: Go crypto/x509/pkix FillFromRDNSequence, ToRDNSequence.
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

  /** The alternative names that are signed: those asked for; other requested extensions are dropped. Source: authority/authority.go Sign. */
  certificateAltNames: (request: RequestContent): SubjectAltNames => ({
    dns: request.altNames.dns,
    email: request.altNames.email,
    ip: request.altNames.ip,
    uri: request.altNames.uri.map(goUri),
  }),

  /** The usages that are signed come from spec.usages, not from the request's own extensions. Source: policies.go keyUsagesFromStrings. */
  certificateUsages: (
    usages: readonly string[],
  ): { readonly keyUsage: readonly KeyUsage[]; readonly extendedKeyUsage: readonly ExtendedKeyUsage[] } => ({
    keyUsage: KEY_USAGES.filter((wanted) => usages.some((usage) => KEY_USAGE_OF[usage] === wanted)),
    extendedKeyUsage: extendedKeyUsages.filter((wanted) => usages.some((usage) => EXTENDED_USAGE_OF[usage] === wanted)),
  }),

  /** Nothing that a signer signs is an authority. Source: policies.go PermissiveSigningPolicy.apply. */
  certificateIsAuthority: (_request: Pick<RequestFacts, 'extensions'>): boolean => false,

  /** status.certificate: the leaf alone, without the CA. PEM in, PEM out. Source: signer.go sign. */
  issuedPem: (leaf: string, _authority: string): string => leaf,

  // ---- cleaner -------------------------------------------------------------------------------------------------------------------

  /** Milliseconds between sweeps; the first comes one interval after the start. Source: pkg/controller/certificates/cleaner/cleaner.go pollingInterval. */
  csrSweepInterval: (): number => HOUR,

  /**
   * Whether the cleaner deletes a request: issued, denied or failed for over an hour, pending or (since 1.35) approved without a
   * certificate for over a day, or approved with a certificate that has expired. Times in milliseconds since the epoch; undefined: unset.
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
    if (!csr.hasCertificate) return minor >= 35 && any('Approved', 24 * HOUR);
    if (any('Approved', HOUR)) return true;
    return (
      csr.conditions.some((condition) => condition.type === 'Approved') &&
      csr.certificateNotAfter !== undefined &&
      now > csr.certificateNotAfter
    );
  },
};
