/**
 * Defects of the way from a request to a certificate: what is taken, who approves, which signers there are and what
 * they hold to.
 */
import { upstream } from '../reference/decisions.js';
import { decides } from './arrange.js';
import type { Mutant } from './types.js';

const nobodysWord = (): string => 'not allowed';

export const mutants: readonly Mutant[] = [
  decides('approver-sees-nothing', 'the approver takes no request for one that waits', ['CSR-013', 'ROT-005'], {
    awaitsApproval: () => false,
  }),
  decides('approver-asks-for-users-alone', 'the review of the approver leaves out the groups', ['CSR-013', 'ROT-005'], {
    approvalReviewUser: (spec) => ({ ...upstream.approvalReviewUser(spec), groups: [] }),
  }),
  decides('approver-asks-as-itself', 'the review of the approver names an administrator', ['CSR-014', 'ROT-007'], {
    approvalReviewUser: () => ({ username: 'kubernetes-admin', groups: ['system:masters'] }),
  }),
  decides('approvals-through-no-path', 'the condition Approved is refused wherever it comes', ['CSR-013', 'CSR-015'], {
    csrApprovalSetThrough: () => false,
  }),
  decides('signers-without-the-kubelets', 'the signer of kubelet client certificates is not started', ['CSR-016'], {
    builtInSigners: () => upstream.builtInSigners().filter((name) => !name.endsWith('client-kubelet')),
  }),
  decides('serving-requests-are-malformed', 'the signer of serving certificates takes no request', ['SRV-005'], {
    kubeletServingProblem: nobodysWord,
  }),
  decides('serving-usage-unknown', 'the usage server auth is not known', ['SRV-005'], {
    csrUsageKnown: (usage) => usage !== 'server auth' && upstream.csrUsageKnown(usage),
  }),
  decides('serving-signer-refused', 'requests for serving certificates are refused', ['SRV-005', 'SRV-012'], {
    csrSignerAllowed: (name) => !name.endsWith('kubelet-serving') && upstream.csrSignerAllowed(name),
  }),
  decides('signers-hold-to-one-rule', 'every signer holds requests to the rules of kubelet clients', ['SRV-005'], {
    signerRules: () => 'kubelet-client',
  }),
  decides('approvals-are-not-true', 'an approval with the status True is refused', ['CSR-013', 'CSR-015'], {
    csrConditionStatuses: () => ['False', 'Unknown'],
  }),
  decides('signing-loses-approvals', 'who writes the status takes the approval away', ['CSR-015', 'CSR-016'], {
    csrConditionsThroughStatus: () => [],
  }),
  decides('signers-sign-nothing', 'the signer holds its CA for one that has ended', ['CSR-016'], {
    mayBeSigned: () => false,
  }),
  decides('certificates-cannot-be-set', 'the certificate of a request cannot be written', ['CSR-016'], {
    csrCertificateMayChange: () => false,
  }),
  decides('certificates-are-not-read', 'every certificate in a status is refused as malformed', ['CSR-016'], {
    csrCertificateProblem: (certificate) => (certificate === '' ? undefined : nobodysWord()),
  }),
  decides('signers-know-no-rights', 'no name of a signer gives the right to sign or approve', ['CSR-013', 'CSR-016'], {
    signerRightNames: () => [],
  }),
  decides('century-by-default', 'the longest lifetime of a certificate is a century', ['ROT-009'], {
    longestLifetime: () => 876_000 * 3_600_000,
    certificateValidity: (now, lifetime) => ({ notBefore: now - 300_000, notAfter: now + lifetime }),
  }),
  decides('cleaner-looks-once', 'the cleaner sets no timer', ['CLEAN-002'], {
    cleanerLooksAgain: () => undefined,
  }),
  decides('node-leases-refused', 'NodeRestriction lets no node renew its Lease', ['NODE-002'], {
    nodeLeaseProblem: nobodysWord,
  }),
  decides('node-restriction-left-out', 'the API server runs without NodeRestriction', ['NODE-006'], {
    admissionPlugins: () => upstream.admissionPlugins().filter((name) => name !== 'NodeRestriction'),
  }),
  decides('only-denials-refuse', 'a request is let through unless it is denied', ['CSR-012', 'LIM-001', 'INFO-018'], {
    isAllowed: (decision) => decision !== 'deny',
  }),
];
