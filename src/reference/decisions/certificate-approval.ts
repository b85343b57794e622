/**
 * Who approves a kubelet's certificate request, and on whose rights.
 * Source: pkg/controller/certificates/approver/sarapprove.go; pkg/apis/certificates/helpers.go.
 */

import { SIGNER_KUBELET_CLIENT } from '../../kubernetes/names.js';
import type { CertificateSigningRequest, Condition, UserInfo } from '../../kubernetes/objects.js';
import { inSpan, type Span } from '../../kubernetes/versions.js';
import type { RequestFacts } from '../../pki/request.js';

/** What the rules look at in a parsed request. */
export type RequestContent = Pick<RequestFacts, 'commonName' | 'organizations' | 'altNames'> &
  Partial<Pick<RequestFacts, 'key'>>;
type Spec = CertificateSigningRequest['spec'];
type Conditions = readonly Condition[];

/** Releases whose reviews name every version. */
const REVIEWS_OF_ALL_VERSIONS: Span = { since: 28 };

const has = (conditions: Conditions, type: string): boolean => conditions.some((condition) => condition.type === type);

const sameSet = (usages: readonly string[], wanted: readonly string[]): boolean => {
  const set = new Set(usages);
  return set.size === wanted.length && wanted.every((usage) => set.has(usage));
};
const isSystemNodes = (organizations: readonly string[]): boolean =>
  organizations.length === 1 && organizations[0] === 'system:nodes';

export const certificateApprovalDecisions = {
  /**
   * Only what has neither certificate nor verdict is looked at; Failed is no verdict. Source:
   * pkg/controller/certificates/approver/sarapprove.go handle.
   */
  awaitsApproval: (conditions: Conditions, hasCertificate: boolean): boolean =>
    !hasCertificate && !has(conditions, 'Approved') && !has(conditions, 'Denied'),

  /**
   * Why a request is not a kubelet's client request; undefined: it is. Source: pkg/apis/certificates/helpers.go
   * ValidateKubeletClientCSR.
   */
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

  /**
   * Why a request is not a kubelet's serving request; undefined: it is. Source: helpers.go ValidateKubeletServingCSR.
   */
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
   * Subresources of which the requester must be allowed "create" for an automatic approval, in the order of asking.
   * selfnodeclient: the requester asks for its own name. Serving requests and all other signers: none. `problem` is
   * kubeletClientProblem's answer.
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

  /**
   * The API version in the approver's SubjectAccessReview: "*" since 1.28, none before. Source: sarapprove.go
   * recognizers.
   */
  approvalReviewVersion: (minor: number): string => (inSpan(minor, REVIEWS_OF_ALL_VERSIONS) ? '*' : ''),

  /** Who is asked about: the requester as the API server recorded it. Source: sarapprove.go authorize. */
  approvalReviewUser: (spec: Spec): UserInfo => ({
    username: spec.username ?? '',
    ...(spec.uid === undefined ? {} : { uid: spec.uid }),
    groups: spec.groups ?? [],
    ...(spec.extra === undefined ? {} : { extra: spec.extra }),
  }),

  /**
   * The condition of an automatic approval; undefined leaves the request pending, which is what a refusal comes to: the
   * approver never denies. Source: sarapprove.go appendApprovalCondition.
   */
  approvalVerdict: (allowed: 'selfnodeclient' | 'nodeclient' | undefined): Condition | undefined =>
    allowed === undefined
      ? undefined
      : {
          type: 'Approved',
          status: 'True',
          reason: 'AutoApproved',
          message:
            `Auto approving ${allowed === 'selfnodeclient' ? 'self ' : ''}kubelet client certificate ` +
            'after SubjectAccessReview.',
        },

  /**
   * Milliseconds until the next attempt after `failures` failed ones: 200 ms doubling up to 1000 s. Source:
   * certificate_controller.go NewCertificateController.
   */
  approvalRetryDelay: (failures: number): number => Math.min(200 * 2 ** Math.min(failures - 1, 30), 1_000_000),
};
