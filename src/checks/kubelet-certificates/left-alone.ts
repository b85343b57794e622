/** Certificate requests that nobody may act on: neither approved nor signed, once their twin is. */
import type { CertificateSigningRequest } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { type Finding, refusal } from '../../model/finding.js';
import { type Progress, readProgress, type Sent, shownSent } from './request-progress.js';

/** A request, as it is held after a while. */
export interface LeftAlone {
  readonly progress: Progress;
  /** What was answered to it, where it was not even taken. */
  readonly refused: Sent | null;
}

export const readLeftAlone = (
  subject: string,
  refused: Sent | undefined,
  held: CertificateSigningRequest | undefined,
): LeftAlone => ({ progress: readProgress(subject, held), refused: refused ?? null });

/** By these the API server refuses what it has looked at. What is answered otherwise was not asked. */
const REFUSED = [400, 403, 422];

/** What was refused to begin with is left alone as well. */
const look = (
  requests: readonly LeftAlone[],
  demanded: string,
  acted: (progress: Progress) => string | undefined,
): readonly Finding[] =>
  requests.map(({ progress, refused }) => {
    const { subject, there } = progress;
    if (refused !== null) {
      const ok = REFUSED.includes(refused.status) ? true : undefined;
      return refusal({ subject, demanded, seen: `not taken: ${shownSent(refused)}`, ok });
    }
    const seen = there ? acted(progress) : 'it is gone';
    return refusal({ subject, demanded, seen: seen ?? 'nobody has', ok: there ? seen === undefined : undefined });
  });

const SIGNED = 'somebody has signed it';

/** A certificate without an approval is worth as much as an approval. */
export const requestsNotApproved: Check<readonly LeftAlone[]> = {
  id: 'left-alone/not-approved',
  source: '002 and 004, automatic approval; pkg/controller/certificates/approver/sarapprove.go',
  judge: (requests) =>
    look(requests, 'is not approved automatically', ({ conditions, certificate }) => {
      const approval = conditions.find(({ type }) => type === 'Approved');
      if (approval !== undefined) return `approved: ${approval.reason} ${approval.message}`.trimEnd();
      return certificate ? SIGNED : undefined;
    }),
};

export const requestsNotIssued: Check<readonly LeftAlone[]> = {
  id: 'left-alone/not-issued',
  source: '004, the signer signs what is approved; pkg/controller/certificates/signer/signer.go',
  judge: (requests) =>
    look(requests, 'carries no certificate', ({ certificate }) => (certificate ? SIGNED : undefined)),
};
