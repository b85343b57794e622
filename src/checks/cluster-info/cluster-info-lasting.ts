/** Whether what cluster-info publishes can go on: the ConfigMap can be signed anew, and its CAs are valid. */
import type { ObjectMeta } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { demand, type Finding } from '../../model/finding.js';
import { type Life, MONTH, timeLeft, YEAR } from '../certificates/time-left.js';
import { certificatesIn, tryCertificate } from '../certificates/x509.js';
import { CLUSTER_INFO_NAME } from './cluster-info.js';

/** The ConfigMap beside what it says. */
interface Kept {
  readonly immutable: boolean;
  /** Why it goes; '' where it stays. */
  readonly leaving?: string;
}

/** Reader: nobody but who has deleted it, or an owner, takes it away. */
export function leavingOf({ deletionTimestamp, ownerReferences = [] }: ObjectMeta): string {
  const [owner] = ownerReferences;
  if (deletionTimestamp !== undefined) return 'it is being deleted';
  return owner === undefined ? '' : `it goes with ${owner.kind} ${owner.name}`;
}

/** Whether it stays; nothing where nobody has looked, or it is not there. */
export const stays = (subject: string, leaving: string | undefined): readonly Finding[] =>
  leaving === undefined ? [] : [demand({ subject, demanded: 'stays', seen: leaving || 'it does', ok: leaving === '' })];

export const writable: Check<Kept> = {
  id: 'cluster-info-lasting/writable',
  source: 'k8s.io/api, core/v1 ConfigMap, immutable; pkg/controller/bootstrap/bootstrapsigner.go',
  judge: ({ immutable, leaving }) => [
    demand({
      subject: CLUSTER_INFO_NAME,
      demanded: 'can be written by its signer',
      seen: immutable ? 'it is immutable' : 'it can',
      ok: !immutable,
    }),
    ...stays(CLUSTER_INFO_NAME, leaving),
  ],
};

/** When a CA that is published begins and ends, milliseconds since the epoch. */
export interface AuthorityLife {
  /** "CN=kubernetes" */
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** Reader: of every certificate of a text that can be read. */
export const livesOf = (pem: string): AuthorityLife[] =>
  certificatesIn(pem).flatMap((der) => {
    const read = tryCertificate(der);
    if ('unreadable' in read) return [];
    return [{ name: `CN=${read.commonName}`, from: read.notBefore, to: read.notAfter }];
  });

const dayOf = (at: number): string => new Date(at).toISOString();

/** `now`: milliseconds since the epoch. */
export const authoritiesValid: Check<readonly AuthorityLife[], { readonly now: number }> = {
  id: 'cluster-info-lasting/authorities-valid',
  source: 'RFC 5280, 6.1.3 (a) (2); Go crypto/x509, Certificate.isValid',
  nothing: 'cluster-info publishes no certificate that can be read',
  judge: (lives, { now }) =>
    lives.map(({ name, from, to }) =>
      demand({
        subject: CLUSTER_INFO_NAME,
        demanded: `publishes ${name} while it is valid`,
        seen: now < from ? `it begins at ${dayOf(from)}` : `it ends at ${dayOf(to)}`,
        ok: now >= from && now <= to,
      }),
    ),
};

const KUBELETS = 'client-go util/certificate/certificate_manager.go nextRotationDeadline';

/** While authorities are exchanged, an old one may end beside its successor. */
export const authorityGoesOn: Check<readonly AuthorityLife[], { readonly now: number }> = {
  id: 'cluster-info-lasting/authority-goes-on',
  source: `${KUBELETS}; cmd/kubeadm/app/constants/constants.go CACertificateValidityPeriod`,
  nothing: 'cluster-info publishes no certificate that can be read',
  judge: (lives, { now }) => {
    if (lives.length === 0) return [];
    const all = lives.map(({ name, from, to }) => ({
      name,
      ...timeLeft({ notBefore: from, notAfter: to }, now, YEAR),
    }));
    return [
      demand({
        subject: CLUSTER_INFO_NAME,
        demanded: 'publishes a CA that goes on for a year, or has a tenth of its life left',
        seen: all.map(({ name, seen }) => `${name}: ${seen}`).join('; '),
        ok: all.some(({ ok }) => ok === true),
      }),
    ];
  },
};

/** What an API server presents. */
export interface PresentedLife {
  readonly server: string;
  readonly life: Life;
}

/** Nobody renews it but people, and an upgrade. */
export const serverGoesOn: Check<PresentedLife, { readonly now: number }> = {
  id: 'cluster-info-lasting/server-goes-on',
  source: `${KUBELETS}; kubernetes.io, Certificate Management with kubeadm`,
  judge: ({ server, life }, { now }) => [
    demand({
      subject: server,
      demanded: 'presents a certificate that goes on for a month, or has a tenth of its life left',
      ...timeLeft(life, now, MONTH),
    }),
  ],
};
