/** What a node that has joined may get by asking again, and what that must not change. */
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import { type Login, whoAmI } from '../authenticators/login.js';
import type { CertificateFacts } from '../certificates/x509.js';
import { isBesides } from '../common/answers.js';
import { type ByItself, type Progress, requestApproved } from './request-progress.js';

const APPROVER = '000 and 002, renewal of client certificates; pkg/controller/certificates/approver/sarapprove.go';
/** What the approver says where the requester asks for its own name, and may. Source: sarapprove.go recognizers. */
const FOR_ITSELF = 'Auto approving self kubelet client certificate after SubjectAccessReview.';

/** Approved without a person, because a node may renew its own certificate, and not because it may have any. */
export const renewalApproved: Check<Progress, Pick<ByItself, 'kubeadm'>> = {
  id: 'renewals/approved',
  source: APPROVER,
  ...(requestApproved.nothing === undefined ? {} : { nothing: requestApproved.nothing }),
  judge: (progress, { kubeadm }) => {
    const found = requestApproved.judge(progress, { kubeadm, reason: 'AutoApproved' });
    const approval = progress.conditions.find(({ type }) => type === 'Approved');
    if (approval === undefined) return found;
    return [
      ...found,
      demand({
        subject: progress.subject,
        demanded: `is approved with the words "${FOR_ITSELF}"`,
        seen: approval.message || 'no message',
        ok: approval.message === FOR_ITSELF,
      }),
    ];
  },
};

/** Two certificates of one node, each asking who it is. */
export interface Renewed extends Login {
  /** With the certificate before it. */
  readonly before: Login['heard'];
}

const shown = ({ username, groups }: { readonly username: string; readonly groups: readonly string[] }): string =>
  `${username} in ${[...groups].sort().join(', ')}`;

/** Who comes with the next certificate is who came with the one before. */
export const sameIdentity: Check<Renewed> = {
  id: 'renewals/same-identity',
  source: '004, a renewal is for the same node; apiserver, pkg/authentication/request/x509/x509.go',
  judge: ({ subject, heard, before }) => {
    const [now, then] = [whoAmI(heard), whoAmI(before)];
    const unclear = then === undefined || isBesides(heard);
    return [
      demand({
        subject,
        demanded: `logs in as ${then === undefined ? 'the same as before' : shown(then)}`,
        seen: now === undefined ? String(heard.status) : shown(now),
        ok: unclear ? undefined : now !== undefined && shown(now) === shown(then),
      }),
    ];
  },
};

/** A certificate that has just come. */
export interface Fresh {
  readonly subject: string;
  /** null: it cannot be read. */
  readonly certificate: CertificateFacts | null;
}

const time = (at: number): string => (Number.isNaN(at) ? 'no time' : new Date(at).toISOString());

/** It is good when it comes: between the old one and the new there is no gap. `now`: milliseconds since the epoch. */
export const goodAtOnce: Check<readonly Fresh[], { readonly now: number }> = {
  id: 'renewals/good-at-once',
  source: '004, key points of rotation; pkg/controller/certificates/authority/policies.go',
  judge: (certificates, { now }) =>
    certificates.map(({ subject, certificate }) => {
      const [from, to] = [certificate?.notBefore ?? Number.NaN, certificate?.notAfter ?? Number.NaN];
      return demand({
        subject,
        demanded: 'is good from when it comes',
        seen: `it is good from ${time(from)} to ${time(to)}, and came before ${time(now)}`,
        ok: from <= now && to > now,
      });
    }),
};
