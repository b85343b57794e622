/** Reads the certificate requests that a cluster holds into facts, so that checks see plain JSON. */
import { record, records, text } from '../kubernetes/json.js';
import { NODE_USER_PREFIX, SIGNER_KUBELET_CLIENT, SIGNER_KUBELET_SERVING } from '../kubernetes/names.js';
import type { CertificateSigningRequest, KubeObject } from '../kubernetes/objects.js';
import { type RequestFacts, readRequestPem } from './csr.js';
import { namesIn } from './extensions.js';
import { decodedPem } from './pem.js';
import { conforms, isConforming } from './schema.js';
import { type CertificateFacts, isSignedAmong, leafIn } from './x509.js';

/** What is joinproof's own, of this run or another, is not the cluster's. */
const OWN_NAME = 'jp-';
const OWN_LABEL = 'joinproof.io/run';

/** A request of the cluster, read. Plain JSON. */
export interface SeenRequest {
  /** "CertificateSigningRequest csr-abcde" */
  readonly subject: string;
  readonly signer: string;
  readonly usages: readonly string[];
  /** Who asked, as the API server wrote it down. */
  readonly username: string;
  readonly groups: readonly string[];
  /** RFC 3339 */
  readonly created: string;
  readonly asked: RequestFacts | { readonly unreadable: string };
  /** What does not fit the form of a request: "spec.usages[0] is none of 23 known values". */
  readonly malformed: readonly string[];
  readonly approval?: { readonly reason: string; readonly message: string };
  /** The leaf that was issued, where one was that can be read. */
  readonly certificate?: CertificateFacts;
}

/** What a reader has to take as it comes: its type says what an API server answers. */
function isOwn({ metadata }: KubeObject): boolean {
  const { name, labels } = record(metadata);
  return text(name).startsWith(OWN_NAME) || OWN_LABEL in record(labels);
}

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
});

function readSeen(object: CertificateSigningRequest): SeenRequest {
  const malformed = conforms('certificate-signing-request', object);
  if (!isReadable(object)) return unreadable(object, malformed);
  const { metadata, spec, status } = object;
  const approval = (status?.conditions ?? []).find((condition) => condition.type === 'Approved');
  const certificate = leafIn(decodedPem(status?.certificate));
  return {
    subject: `CertificateSigningRequest ${metadata.name ?? ''}`,
    signer: spec.signerName,
    usages: spec.usages ?? [],
    username: spec.username ?? '',
    groups: spec.groups ?? [],
    created: metadata.creationTimestamp ?? '',
    asked: readRequestPem(decodedPem(spec.request)),
    malformed,
    ...(approval === undefined ? {} : { approval: { reason: approval.reason ?? '', message: approval.message ?? '' } }),
    ...(certificate === undefined ? {} : { certificate }),
  };
}

/** Reads requests; joinproof's own are left out. */
export const readRequests = (objects: readonly CertificateSigningRequest[]): SeenRequest[] =>
  objects.filter((object) => !isOwn(object)).map(readSeen);

/** A certificate that was issued to a kubelet, and whether one of the authorities has signed it. */
export interface Signed {
  readonly subject: string;
  readonly signed: boolean;
}

/** Of every client certificate of a kubelet. `accepted`: PEM of the authorities. */
export const readSigned = (objects: readonly CertificateSigningRequest[], accepted: string): Signed[] =>
  objects
    .filter((object) => !isOwn(object) && isReadable(object) && object.spec.signerName === SIGNER_KUBELET_CLIENT)
    .map(({ metadata, status }) => ({ subject: metadata.name ?? '', pem: decodedPem(status?.certificate) }))
    .filter(({ pem }) => leafIn(pem) !== undefined)
    .map(({ subject, pem }) => ({
      subject: `CertificateSigningRequest ${subject}`,
      signed: isSignedAmong(pem, accepted),
    }));

/** A serving request and the names that its Node has. */
export interface ServingNames {
  readonly subject: string;
  readonly asked: readonly string[];
  /** The Node's name and its addresses. */
  readonly own: readonly string[];
}

/** Of the serving requests of Nodes that are there. */
export const readServingNames = (requests: readonly SeenRequest[], nodes: readonly KubeObject[]): ServingNames[] =>
  requests.flatMap(({ subject, signer, asked }) => {
    if (signer !== SIGNER_KUBELET_SERVING || 'unreadable' in asked) return [];
    const name = asked.commonName.slice(NODE_USER_PREFIX.length);
    const node = nodes.find((candidate) => candidate.metadata.name === name);
    if (node === undefined) return [];
    const addresses = records(record(node.status).addresses).map(({ address }) => text(address));
    const own = [...new Set([name, ...addresses])];
    return [{ subject, asked: namesIn(asked.altNames), own }];
  });
