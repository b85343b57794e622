/** What was issued for a certificate request, and whether it does what it is for. */
import { GROUP_AUTHENTICATED, GROUP_NODES } from '../../kubernetes/names.js';
import type { CertificateSigningRequest } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { demand, type Finding, type Look } from '../../model/finding.js';
import { type Login, whoAmI } from '../authenticators/login.js';
import { readRequestPem } from '../certificates/csr.js';
import { blocksOf, decodedPem } from '../certificates/pem.js';
import { type CertificateFacts, readLeaf } from '../certificates/x509.js';
import type { Heard } from '../common/answers.js';
import type { Answered } from './issued-as-asked.js';
import type { Life } from './issued-life.js';
import { yearAtMost } from './requests.js';
import type { Signed } from './seen-requests.js';

/** A certificate and the request that it was issued for. Plain JSON; PEM of either is public. */
export interface Issued extends Answered, Life {
  /** Labels of the PEM blocks in the request's status. */
  readonly blocks: readonly string[];
}

/** PEM of what a request carries. */
export const issuedPem = (request: CertificateSigningRequest): string => decodedPem(request.status?.certificate);

export function readIssued(subject: string, request: CertificateSigningRequest): Issued {
  const pem = issuedPem(request);
  return {
    subject,
    asked: readRequestPem(decodedPem(request.spec.request)),
    usages: request.spec.usages ?? [],
    seconds: request.spec.expirationSeconds ?? null,
    created: request.metadata.creationTimestamp ?? '',
    certificate: readLeaf(pem),
    blocks: blocksOf(pem).map(({ label }) => label),
  };
}

const SIGNS = '004, what the signer issues; pkg/controller/certificates/authority/policies.go';

/** What each certificate says; one that cannot be read meets nothing. */
const leaf =
  <P>(
    look: (certificate: CertificateFacts, issued: Issued, parameters: P) => Omit<Look, 'subject'>,
  ): Check<readonly Issued[], P>['judge'] =>
  (all, parameters) =>
    all.map((issued) => {
      const { subject, certificate } = issued;
      if ('unreadable' in certificate)
        return demand({ subject, demanded: 'is a certificate', seen: certificate.unreadable, ok: false });
      return demand({ subject, ...look(certificate, issued, parameters) });
    });

export const issuedForKey: Check<readonly Issued[]> = {
  id: 'issued/for-key',
  source: SIGNS,
  judge: leaf(({ pin }, { asked }) => {
    const ok = !('unreadable' in asked) && asked.pin === pin;
    return { demanded: 'is for the public key of the request', seen: ok ? 'it is' : 'it is for another key', ok };
  }),
};

export const issuedForSubject: Check<readonly Issued[]> = {
  id: 'issued/for-subject',
  source: SIGNS,
  judge: leaf(({ commonName, organizations }, { asked }) => {
    const wanted = 'unreadable' in asked ? '' : asked.commonName;
    return {
      demanded: `CN ${wanted}, O ${GROUP_NODES}`,
      seen: `CN ${commonName}, O ${organizations.join(', ') || 'none'}`,
      ok: commonName === wanted && organizations.length === 1 && organizations[0] === GROUP_NODES,
    };
  }),
};

export const issuedForAYear: Check<readonly Issued[]> = {
  id: 'issued/for-a-year',
  source: '004, the lifetime of certificates',
  judge: leaf(yearAtMost),
};

/** Good for one role and not for the other: "clientAuth", "serverAuth". */
export const issuedForRole: Check<readonly Issued[], { readonly role: string; readonly other: string }> = {
  id: 'issued/for-role',
  source: SIGNS,
  judge: leaf(({ extendedKeyUsage: usages }, _, { role, other }) => ({
    demanded: `extended usage ${role} and not ${other}`,
    seen: usages?.join(', ') ?? 'no extended usage, which is any',
    ok: usages?.includes(role) === true && !usages.includes(other) && !usages.includes('any'),
  })),
};

export const issuedAsPem: Check<readonly Issued[], { readonly label: string }> = {
  id: 'issued/as-pem',
  source: '004, status.certificate',
  judge: (all, { label }) =>
    all.map(({ subject, blocks }) =>
      demand({
        subject: `status.certificate of ${subject}`,
        demanded: `one PEM block ${label}`,
        seen: blocks.join(', ') || 'none',
        ok: blocks.length === 1 && blocks[0] === label,
      }),
    ),
};

export const issuedByCluster: Check<readonly Signed[]> = {
  id: 'issued/by-cluster',
  source: '004, --cluster-signing-cert-file; 000, the CA of the cluster',
  judge: (certificates) =>
    certificates.map(({ subject, signed }) =>
      demand({ subject, demanded: "is signed by the cluster's CA", seen: signed ? 'it is' : 'it is not', ok: signed }),
    ),
};

/** Who one is cannot be asked: no SelfSubjectReview (404), or not for those without a permission (403, up to 1.27). */
export const tellsNobody = ({ status }: Heard): boolean => status === 404 || status === 403;

const NODES_GROUPS = [GROUP_NODES, GROUP_AUTHENTICATED];

/** The bearer is the node, in the group of nodes and in no other but that of all who log in. */
export const issuedLogsIn: Check<Login, { readonly username: string }> = {
  id: 'issued/logs-in',
  source: '000, 002 and 004, the identity of a node; apiserver, pkg/authentication/request/x509',
  judge: ({ subject, heard }, { username }): readonly Finding[] => {
    const who = whoAmI(heard);
    const named = who?.username === username && who.groups.includes(GROUP_NODES);
    const ok = named && who.groups.every((group) => NODES_GROUPS.includes(group));
    return [
      demand({
        subject,
        demanded: `logs in as ${username} in ${GROUP_NODES} and in no group of others`,
        seen: ok ? 'it does' : who === undefined ? String(heard.status) : `${who.username} in ${who.groups.join(', ')}`,
        ok: heard.status === 429 || heard.status >= 500 ? undefined : ok,
      }),
    ];
  },
};
