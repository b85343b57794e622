/** How long certificates live that were issued for requests. */
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import type { CertificateFacts } from '../certificates/x509.js';

/** What was asked for and given. Plain JSON. */
export interface Life {
  /** "CertificateSigningRequest csr-abcde" */
  readonly subject: string;
  /** spec.expirationSeconds; null: none. */
  readonly seconds: number | null;
  /** RFC 3339; when it was asked for. */
  readonly created: string;
  readonly certificate: CertificateFacts | { readonly unreadable: string };
}

const MINUTE = 60_000;
/** A signer may begin a certificate five minutes in the past; clocks differ. */
const SLACK = 10 * MINUTE;
const minutes = (milliseconds: number): string => `${Math.round(milliseconds / MINUTE)} minutes`;

/**
 * As long as was asked for, at most. `longest`: milliseconds that the signer gives where nothing is asked for; then it
 * gives no less either than the shorter of the two.
 */
export const lifeAsAsked: Check<readonly Life[], { readonly longest?: number }> = {
  id: 'issued-life/as-asked',
  source: 'certificates.k8s.io/v1 expirationSeconds; pkg/controller/certificates/signer/signer.go duration',
  judge: (lives, { longest }) =>
    lives.flatMap(({ subject, seconds, certificate }) => {
      if (seconds === null || 'unreadable' in certificate) return [];
      const { notBefore, notAfter } = certificate;
      const life = notAfter - notBefore;
      const least = longest === undefined ? 0 : Math.min(seconds * 1000, longest) - SLACK;
      return [
        demand({
          subject,
          demanded: `lives for ${minutes(seconds * 1000)} at most${least > 0 ? `, for ${minutes(least)} at least` : ''}`,
          seen: minutes(life),
          ok: life <= seconds * 1000 + SLACK && life >= least,
        }),
      ];
    }),
};

/** No earlier than it was asked for, but for what signers begin earlier. */
export const lifeBeginsNow: Check<readonly Life[]> = {
  id: 'issued-life/begins-now',
  source: 'pkg/controller/certificates/authority/policies.go, the backdate of five minutes',
  nothing: 'the cluster holds no certificate that was issued for a request',
  judge: (lives) =>
    lives.flatMap(({ subject, created, certificate }) => {
      if ('unreadable' in certificate) return [];
      const early = Date.parse(created) - certificate.notBefore;
      return [
        demand({
          subject,
          demanded: 'begins no more than ten minutes before it was asked for',
          seen: early > 0 ? `${minutes(early)} before` : 'later',
          ok: Number.isNaN(early) ? undefined : early <= SLACK,
        }),
      ];
    }),
};

/** A certificate and the authority that has signed it. */
export interface Within {
  readonly subject: string;
  /** Milliseconds since the epoch. */
  readonly ends: number;
  /** Likewise. */
  readonly authorityEnds: number;
}

/** It does not outlive its authority: whoever verifies it later says 401. */
export const lifeWithinAuthority: Check<readonly Within[]> = {
  id: 'issued-life/within-authority',
  source: 'pkg/controller/certificates/authority/policies.go; RFC 5280, 6.1.3',
  nothing: 'the cluster holds no certificate that one of its authorities has signed',
  judge: (all) =>
    all.map(({ subject, ends, authorityEnds }) =>
      demand({
        subject,
        demanded: 'ends with its authority at the latest',
        seen: ends > authorityEnds ? `${minutes(ends - authorityEnds)} later` : 'it does',
        ok: ends <= authorityEnds,
      }),
    ),
};

/** It ends before its authority: one that was cut at the authority's end is gone with it, and so are all others. */
export const lifeBeforeAuthority: Check<readonly Within[]> = {
  id: 'issued-life/before-authority',
  source: 'pkg/controller/certificates/authority/policies.go, notAfter of the CA',
  nothing: 'the cluster holds no certificate that one of its authorities has signed',
  judge: (all) =>
    all.map(({ subject, ends, authorityEnds }) =>
      demand({
        subject,
        demanded: 'ends before its authority does',
        seen: ends < authorityEnds ? `${minutes(authorityEnds - ends)} before` : 'both end at once',
        ok: ends < authorityEnds,
      }),
    ),
};
