/** Defects of who is written down as a requester, and of when and for whom requests are approved. */
import { GROUP_NODES, NODE_USER_PREFIX, SIGNER_KUBELET_CLIENT } from '../kubernetes/names.js';
import { upstream } from '../reference/decisions.js';
import { decides } from './arrange.js';
import type { Mutant } from './types.js';

export const mutants: readonly Mutant[] = [
  decides('requesters-without-a-uid', 'the UID of a requester is not written down', ['CSR-011'], {
    csrRequester: (user, sent) => {
      const { uid: _uid, ...written } = upstream.csrRequester(user, sent);
      return written;
    },
  }),
  decides('approvers-by-a-star', 'who may approve for the name * approves for every signer', ['P-55'], {
    signerRightNames: (signerName) => [...upstream.signerRightNames(signerName), '*', '*/*'],
  }),
  decides('approvers-of-no-domain', 'who may approve for a domain approves for no signer of it', ['P-55'], {
    signerRightNames: (signerName) => [signerName],
  }),
  decides('approvers-of-no-name', 'who may approve for one signer by its name approves for nobody', ['P-55'], {
    signerRightNames: (signerName) =>
      upstream.signerRightNames(signerName).filter((name) => name !== 'joinproof.invalid/nobodys-signer'),
  }),
  decides('approvers-of-a-part', 'who may approve for a part of a name approves for all of it', ['P-55'], {
    signerRightNames: (signerName) => [
      ...upstream.signerRightNames(signerName),
      ...signerName.split('/'),
      signerName.slice(0, -7),
      `${signerName}2`,
      `${signerName.slice(0, 1).toUpperCase()}${signerName.slice(1)}`,
      `${signerName.split('/')[0]?.split('.').at(-1) ?? ''}/*`,
      'kubernetes.io/*',
    ],
  }),
  decides('certificates-that-are-none', 'anything may stand in the place of a certificate', ['P-25'], {
    csrCertificateProblem: () => undefined,
    csrCertificateMayChange: () => true,
  }),
  decides('certificates-beside-others', 'what stands beside a certificate is not looked at', ['P-25'], {
    csrCertificateProblem: (certificate) => {
      const problem = upstream.csrCertificateProblem(certificate);
      return /PRIVATE KEY"/.test(problem ?? '') ? undefined : problem;
    },
  }),
  decides('usages-in-any-case', 'the case of a usage does not count', ['P-61'], {
    csrUsageKnown: (usage) => upstream.csrUsageKnown(usage.toLowerCase()),
  }),
  decides('approved-in-vain-for-ever', 'what was approved and is never issued stays for ever', ['P-58'], {
    csrIsSwept: (csr, now) => upstream.csrIsSwept(csr, now, 34),
  }),
  decides('approvals-asked-about-once', 'what was not approved at once is never looked at again', ['CSR-014'], {
    approvalRetryDelay: () => 1e12,
  }),
  decides(
    'renewals-of-other-names',
    'whoever has the name of a node may renew the certificate of every node',
    ['ROT-006'],
    {
      approvalRights: (spec, commonName, problem) =>
        spec.signerName === SIGNER_KUBELET_CLIENT &&
        problem === undefined &&
        spec.username?.startsWith(NODE_USER_PREFIX) === true
          ? ['selfnodeclient', 'nodeclient']
          : upstream.approvalRights(spec, commonName, problem),
    },
  ),
  decides('requesters-taken-for-nodes', 'whoever asks is asked about as a node', ['ROT-006'], {
    approvalReviewUser: (spec) => {
      const user = upstream.approvalReviewUser(spec);
      return { ...user, groups: [...user.groups, GROUP_NODES] };
    },
  }),
];
