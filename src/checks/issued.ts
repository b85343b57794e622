/** What was issued for a certificate request, and whether it does what it is for. */
import { GROUP_NODES } from '../kubernetes/names.js';
import type { CertificateSigningRequest } from '../kubernetes/objects.js';
import type { Check } from '../model/check.js';
import { demand, type Finding, type Look } from '../model/finding.js';
import type { Heard } from './answers.js';
import { type RequestFacts, readRequestPem } from './csr.js';
import { type Login, whoAmI } from './login.js';
import { blocksOf, decodedPem } from './pem.js';
import { yearAtMost } from './requests.js';
import type { Signed } from './seen-requests.js';
import { type CertificateFacts, certificatesIn, tryCertificate } from './x509.js';

/** A certificate and the request that it was issued for. Plain JSON; PEM of either is public. */
export interface Issued {
  /** "the node's certificate" */
  readonly subject: string;
  readonly asked: RequestFacts | { readonly unreadable: string };
  readonly certificate: CertificateFacts | { readonly unreadable: string };
  /** Labels of the PEM blocks in the request's status. */
  readonly blocks: readonly string[];
}

/** PEM of what a request carries. */
export const issuedPem = (request: CertificateSigningRequest): string => decodedPem(request.status?.certificate);

export function readIssued(subject: string, request: CertificateSigningRequest): Issued {
  const pem = issuedPem(request);
  const [der] = certificatesIn(pem);
  return {
    subject,
    asked: readRequestPem(decodedPem(request.spec.request)),
    certificate: der === undefined ? { unreadable: 'there is no PEM block CERTIFICATE' } : tryCertificate(der),
    blocks: blocksOf(pem).map(({ label }) => label),
  };
}

const SIGNS = '004, what the signer issues; pkg/controller/certificates/authority/policies.go';

/** What the certificate says; one that cannot be read meets nothing. */
const leaf =
  <P>(
    look: (certificate: CertificateFacts, issued: Issued, parameters: P) => Omit<Look, 'subject'>,
  ): Check<Issued, P>['judge'] =>
  (issued, parameters) => {
    const { subject, certificate } = issued;
    if ('unreadable' in certificate)
      return [demand({ subject, demanded: 'is a certificate', seen: certificate.unreadable, ok: false })];
    return [demand({ subject, ...look(certificate, issued, parameters) })];
  };

export const issuedForKey: Check<Issued> = {
  id: 'issued/for-key',
  source: SIGNS,
  judge: leaf(({ pin }, { asked }) => {
    const ok = !('unreadable' in asked) && asked.pin === pin;
    return { demanded: 'is for the public key of the request', seen: ok ? 'it is' : 'it is for another key', ok };
  }),
};

export const issuedForSubject: Check<Issued> = {
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

export const issuedForAYear: Check<Issued> = {
  id: 'issued/for-a-year',
  source: '004, the lifetime of certificates',
  judge: leaf(yearAtMost),
};

/** Good for one role and not for the other: "clientAuth", "serverAuth". */
export const issuedForRole: Check<Issued, { readonly role: string; readonly other: string }> = {
  id: 'issued/for-role',
  source: SIGNS,
  judge: leaf(({ extendedKeyUsage: usages }, _, { role, other }) => ({
    demanded: `extended usage ${role} and not ${other}`,
    seen: usages?.join(', ') ?? 'no extended usage, which is any',
    ok: usages?.includes(role) === true && !usages.includes(other) && !usages.includes('any'),
  })),
};

export const issuedAsPem: Check<Issued, { readonly label: string }> = {
  id: 'issued/as-pem',
  source: '004, status.certificate',
  judge: ({ subject, blocks }, { label }) => [
    demand({
      subject: `status.certificate of ${subject}`,
      demanded: `one PEM block ${label}`,
      seen: blocks.join(', ') || 'none',
      ok: blocks.length === 1 && blocks[0] === label,
    }),
  ],
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

/** The bearer is the node, in the group of nodes. */
export const issuedLogsIn: Check<Login, { readonly username: string }> = {
  id: 'issued/logs-in',
  source: '000, 002 and 004, the identity of a node; apiserver, pkg/authentication/request/x509',
  judge: ({ subject, heard }, { username }): readonly Finding[] => {
    const who = whoAmI(heard);
    const ok = who?.username === username && who.groups.includes(GROUP_NODES);
    return [
      demand({
        subject,
        demanded: `logs in as ${username} in ${GROUP_NODES}`,
        seen: ok ? 'it does' : who === undefined ? String(heard.status) : `${who.username} in ${who.groups.join(', ')}`,
        ok: heard.status === 429 || heard.status >= 500 ? undefined : ok,
      }),
    ];
  },
};
