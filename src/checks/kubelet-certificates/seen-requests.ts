/** Reads the certificate requests that a cluster holds into facts, so that checks see plain JSON. */
import { isRecord, record, records, text } from '../../kubernetes/json.js';
import { SIGNER_KUBELET_SERVING } from '../../kubernetes/names.js';
import type { CertificateSigningRequest, KubeObject } from '../../kubernetes/objects.js';
import { type RequestFacts, readRequestPem } from '../certificates/csr.js';
import { decodedPem } from '../certificates/pem.js';
import { type CertificateFacts, longestOf, readLeaf, signersAmong } from '../certificates/x509.js';
import { conforms, isConforming } from '../schema.js';
import type { Within } from './issued-life.js';

/** A request of the cluster, read. Plain JSON. */
export interface SeenRequest {
  /** "CertificateSigningRequest csr-abcde" */
  readonly subject: string;
  readonly signer: string;
  readonly usages: readonly string[];
  /** Who asked, as the API server wrote it down. */
  readonly username: string;
  readonly groups: readonly string[];
  /** What the requester came with, where the API server writes that down. */
  readonly credential?: string;
  /** RFC 3339 */
  readonly created: string;
  readonly asked: RequestFacts | { readonly unreadable: string };
  /** What does not fit the form of a request: "spec.usages[0] is none of 23 known values". */
  readonly malformed: readonly string[];
  readonly conditions: readonly SeenCondition[];
  /** spec.expirationSeconds; null: none. */
  readonly seconds: number | null;
  /** Programs that wrote the approval and the certificate, as the API server noted them; sorted, each once. */
  readonly approvers: readonly string[];
  readonly issuers: readonly string[];
  /** The leaf that was issued, or why it cannot be read; missing where nothing was. */
  readonly certificate?: CertificateFacts | { readonly unreadable: string };
}

/** What somebody has written down about a request; of one who was sure of it. */
export interface SeenCondition {
  /** "Approved", "Denied", "Failed", … */
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  /** RFC 3339; '' where it is not said. */
  readonly updated: string;
}

/** What the signers that Kubernetes itself has are called. */
const KUBERNETES_SIGNERS = 'kubernetes.io/';
export const isOfKubernetes = ({ signer }: Pick<SeenRequest, 'signer'>): boolean =>
  signer.startsWith(KUBERNETES_SIGNERS);

/** Key of spec.extra. Source: apiserver, pkg/authentication/user/user.go CredentialIDKey. */
const CREDENTIAL = 'authentication.kubernetes.io/credential-id';

/** "X509SHA256=…", "JTI=…"; undefined where the server says nothing. */
export const credentialIn = ({ spec }: CertificateSigningRequest): string | undefined => spec.extra?.[CREDENTIAL]?.[0];

const isReadable = (object: KubeObject): object is CertificateSigningRequest =>
  isConforming<CertificateSigningRequest>('certificate-signing-request/object', object);

/** One that cannot be read says nothing but why. */
const unreadable = ({ metadata }: KubeObject, malformed: readonly string[]): SeenRequest => ({
  subject: `CertificateSigningRequest ${text(record(metadata).name)}`,
  signer: '',
  usages: [],
  username: '',
  groups: [],
  created: '',
  asked: { unreadable: 'it has not the form of a CertificateSigningRequest' },
  malformed,
  conditions: [],
  seconds: null,
  approvers: [],
  issuers: [],
});

/** Who wrote a part of the status. Source: apimachinery, meta/v1 ManagedFieldsEntry. */
function writersOf(object: KubeObject, wrote: (status: Readonly<Record<string, unknown>>) => boolean): string[] {
  const entries = records(object.metadata.managedFields).filter(({ fieldsV1 }) =>
    wrote(record(record(fieldsV1)['f:status'])),
  );
  return [...new Set(entries.map(({ manager }) => text(manager)))].sort();
}
const approval = (status: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(record(status['f:conditions'])).some((key) => key.includes('"type":"Approved"'));
const certificate = (status: Readonly<Record<string, unknown>>): boolean => 'f:certificate' in status;

function readSeen(object: CertificateSigningRequest): SeenRequest {
  const malformed = conforms('certificate-signing-request', object);
  if (!isReadable(object)) return unreadable(object, malformed);
  const { metadata, spec, status } = object;
  const conditions = (status?.conditions ?? []).map(({ type, reason, message, lastUpdateTime }) => ({
    type,
    reason: reason ?? '',
    message: message ?? '',
    updated: lastUpdateTime ?? '',
  }));
  const encoded = status?.certificate ?? '';
  const credential = credentialIn(object);
  return {
    subject: `CertificateSigningRequest ${metadata.name ?? ''}`,
    signer: spec.signerName,
    usages: spec.usages ?? [],
    username: spec.username ?? '',
    groups: spec.groups ?? [],
    ...(credential === undefined ? {} : { credential }),
    created: metadata.creationTimestamp ?? '',
    asked: readRequestPem(decodedPem(spec.request)),
    malformed,
    conditions,
    seconds: spec.expirationSeconds ?? null,
    approvers: writersOf(object, approval),
    issuers: writersOf(object, certificate),
    ...(encoded === '' ? {} : { certificate: readLeaf(decodedPem(encoded)) }),
  };
}

/** A request of the cluster as far as rules look at it. */
export interface RequestAtRest {
  readonly seen: SeenRequest;
  /** PEM of what one of the signers of Kubernetes has issued. */
  readonly issued?: string;
}

/** Characters of what was issued: a chain of some certificates. */
const LONGEST_CHAIN = 64 * 1024;
/**
 * Of each list that a request holds, and of each of its texts. No kubelet asks for more, whoever asks for so much is
 * told apart all the same.
 */
const MOST_ENTRIES = 100;
const LONGEST = 1024;

/** The first different ones; and one of them twice, if one was. */
function fewer(entries: readonly unknown[]): unknown[] {
  const different = [...new Set(entries)];
  const twice = different.length < entries.length ? entries.slice(0, 1) : [];
  return [...different.slice(0, MOST_ENTRIES), ...twice];
}

/** Facts within limits: a tenant may ask for what fills the memory. */
function bounded<T>(facts: T): T {
  if (typeof facts === 'string')
    return (facts.length <= LONGEST ? facts : `${Buffer.from(facts.slice(0, LONGEST))}…`) as T;
  if (Array.isArray(facts)) return (facts.length <= MOST_ENTRIES ? facts : fewer(facts)).map(bounded) as T;
  if (!isRecord(facts)) return facts;
  return Object.fromEntries(Object.entries(facts).map(([key, value]) => [key, bounded(value)])) as T;
}

export function requestAtRest(object: KubeObject): RequestAtRest {
  const seen = bounded(readSeen(object as CertificateSigningRequest));
  const pem = isOfKubernetes(seen) ? decodedPem(text(record(object.status).certificate)) : '';
  return seen.certificate === undefined || pem === '' || pem.length > LONGEST_CHAIN ? { seen } : { seen, issued: pem };
}

type Signers = ReturnType<typeof signersAmong>;
const held = new WeakMap<RequestAtRest, { readonly accepted: string; readonly signers: Signers }>();

/** Several rules ask it of the same thousands. */
function signersOf(request: RequestAtRest, issued: string, accepted: string): Signers {
  const known = held.get(request);
  if (known?.accepted === accepted) return known.signers;
  const signers = signersAmong(issued, accepted);
  held.set(request, { accepted, signers });
  return signers;
}

/** A certificate that was issued to a kubelet, and whether one of the authorities has signed it. */
export interface Signed {
  readonly subject: string;
  readonly signed: boolean;
}

/** Of every client certificate. `accepted`: PEM of the authorities. */
export const readSigned = (requests: readonly RequestAtRest[], accepted: string): Signed[] =>
  requests.flatMap((request) => {
    const { seen, issued } = request;
    if (issued === undefined || seen.signer === SIGNER_KUBELET_SERVING) return [];
    return [{ subject: seen.subject, signed: signersOf(request, issued, accepted).length > 0 }];
  });

/** Of every certificate that one of the authorities has signed. */
export const readWithin = (requests: readonly RequestAtRest[], accepted: string): Within[] =>
  requests.flatMap((request) => {
    const { seen, issued } = request;
    const { subject, certificate } = seen;
    if (issued === undefined || certificate === undefined || 'unreadable' in certificate) return [];
    const authorityEnds = longestOf(signersOf(request, issued, accepted));
    return authorityEnds === undefined ? [] : [{ subject, ends: certificate.notAfter, authorityEnds }];
  });
