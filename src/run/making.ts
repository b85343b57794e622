/**
 * What scenarios need made by the other end: machines that join, certificate requests, keys, certificates of a
 * stranger. The one door from the steps to src/joining and src/pki; what steps judge is read by src/checks alone.
 */
import { Kubelet, type Outcome } from '../joining/kubelet.js';
import { clientRequest, type RequestWanted, requestObject, servingRequest } from '../joining/request.js';
import { SIGNER_APISERVER_CLIENT, SIGNER_LEGACY_UNKNOWN } from '../kubernetes/names.js';
import type { CertificateSigningRequest } from '../kubernetes/objects.js';
import { createAuthority, issue } from '../pki/authority.js';
import { DerReader, TAG } from '../pki/der-read.js';
import { bits, der, embed, sequence } from '../pki/der-write.js';
import {
  basicConstraintsExtension,
  extendedKeyUsageExtension,
  keyUsageExtension,
  type SubjectAltNames,
} from '../pki/extensions.js';
import { generateKey, type KeyAlgorithm, type KeyObject, privateKeyPem, publicKeyPem, spareKey } from '../pki/keys.js';
import { ATTRIBUTE } from '../pki/oids.js';
import { encodePem } from '../pki/pem.js';
import { createRequest } from '../pki/request.js';
import type { Answer, Asker, Identity } from '../targets/types.js';

export type { Outcome } from '../joining/kubelet.js';
export { decide, send } from '../joining/request.js';
export type { KeyObject } from '../pki/keys.js';

/** Certificate and key, PEM each. The key is a secret. */
export interface Pair {
  readonly certificate: string;
  readonly key: string;
}

/** A cluster as a machine sees it. */
export interface Surroundings {
  readonly server: string;
  readonly clock: { now(): number; sleep(milliseconds: number): Promise<void> };
  as(identity: Identity): Asker;
}

/** A kubelet as far as joining goes. `within`: milliseconds that it waits for an answer to its request. */
export interface Machine {
  readonly nodeName: string;
  /** What it did and as whom, in order. */
  readonly steps: readonly string[];
  /** The node's own client. Throws where it has no certificate yet. */
  readonly node: Pick<Asker, 'ask'>;
  /** The same machine over another view of its cluster. */
  on(cluster: Surroundings): Machine;
  start(within: number): Promise<Outcome>;
  goOn(within: number): Promise<Outcome>;
  renew(within: number, options?: { readonly take?: boolean; readonly expirationSeconds?: number }): Promise<Outcome>;
  registerNode(): Promise<Answer>;
}

export interface Addresses {
  readonly dns: readonly string[];
  readonly ip: readonly string[];
}

/** A machine with an empty disk and a bootstrap token. Its requests are named below `generateName`. */
export const machineOf = (options: {
  readonly cluster: Surroundings;
  readonly nodeName: string;
  readonly token: string;
  readonly generateName: string;
}): Machine => new Kubelet(options);

/** Attributes of a name, in order; each is a part of its own. */
export type NameParts = readonly (readonly [keyof typeof PARTS, string])[];
const PARTS = {
  CN: ATTRIBUTE.commonName,
  O: ATTRIBUTE.organization,
  OU: ATTRIBUTE.organizationalUnit,
  serialNumber: ATTRIBUTE.serialNumber,
} as const;

/** Critical, and nobody knows what it is for. */
export const UNKNOWN_EXTENSION = { oid: '1.3.6.1.4.1.57683.99', critical: true, value: Buffer.from([5, 0]) } as const;

/** What a request may ask for by its own extensions, which nobody has to grant. */
const EXTENSIONS = {
  'to be an authority': () => basicConstraintsExtension(true),
  'to sign certificates': () => keyUsageExtension(['digitalSignature', 'keyCertSign', 'cRLSign']),
  'to serve': () => extendedKeyUsageExtension(['serverAuth', 'clientAuth']),
  'for what nobody knows': () => UNKNOWN_EXTENSION,
  'to be looked up elsewhere': () => ({ oid: '2.5.29.31', critical: false, value: Buffer.from([0x30, 0]) }),
} as const;

/** What a request asks for. */
export interface Wanted {
  readonly subject: NameParts;
  /** All attributes in one part, as a set. */
  readonly inOnePart?: boolean;
  readonly altNames?: Partial<SubjectAltNames>;
  readonly extensions?: readonly (keyof typeof EXTENSIONS)[];
  readonly signerName: string;
  readonly usages: readonly string[];
  readonly expirationSeconds?: number;
  /** Default: ECDSA-P256. */
  readonly key?: KeyAlgorithm;
}

/** PEM of a key, and of its public half. */
export const pemOfKey = (key: KeyObject): string => privateKeyPem(key);
export const pemOfPublicKey = (key: KeyObject): string => publicKeyPem(key);
/** A new key of a kind ("ECDSA-P384"). */
export const newKeyOf = (kind: KeyAlgorithm): KeyObject => generateKey(kind);
const USUAL_KEY = 'ECDSA-P256';
const newKey = (): KeyObject => newKeyOf(USUAL_KEY);

/** PEM of a request, signed with a new key that nobody keeps. */
export function requestPem({
  subject,
  inOnePart = false,
  altNames = {},
  extensions = [],
  key = USUAL_KEY,
}: Wanted): string {
  const attributes = subject.map(([part, value]) => ({ oid: PARTS[part], value }));
  return createRequest({
    key: newKeyOf(key),
    subject: inOnePart ? [attributes] : attributes.map((attribute) => [attribute]),
    altNames,
    extensions: extensions.map((wanted) => EXTENSIONS[wanted]()),
  }).pem;
}

/** The object to send: `text` (PEM, and what may stand around it) asks for what `wanted` says. */
export function certificateRequest(name: string, wanted: Wanted, text = requestPem(wanted)): CertificateSigningRequest {
  const { signerName, usages, expirationSeconds } = wanted;
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name },
    spec: {
      request: Buffer.from(text).toString('base64'),
      signerName,
      usages,
      ...(expirationSeconds === undefined ? {} : { expirationSeconds }),
    },
  };
}

/** A request and the key that it is for: with what is issued they make a pair. */
export interface Keyed {
  readonly object: CertificateSigningRequest;
  pair(certificate: string): Pair;
}

const keyed = (wanted: RequestWanted): Keyed => ({
  object: requestObject(wanted),
  pair: (certificate) => ({ certificate, key: privateKeyPem(wanted.key) }),
});

/** The request of a kubelet for its client certificate; with a new key where none is given. */
export const nodeRequest = (nodeName: string, name: string, key: KeyObject = newKey()): Keyed =>
  keyed({ ...clientRequest(nodeName, key), name });

/** The request of a kubelet for its serving certificate. */
export const nodeServingRequest = (nodeName: string, name: string, addresses: Addresses): Keyed =>
  keyed({ ...servingRequest(nodeName, newKey(), addresses), name });

/** One key of a kind ("RSA-2048") for the whole run. */
export const keyOfKind = (kind: string): Promise<KeyObject> => spareKey(kind as KeyAlgorithm);

/** A certificate for `commonName` among the nodes, from an authority that nobody knows, and its key. */
export function strangersPair(commonName: string, organizations: readonly string[]): Pair {
  const now = Date.now();
  const key = newKey();
  const { pem } = issue(createAuthority({ commonName: 'kubernetes', key: 'ECDSA-P256', now }), {
    subject: { commonName, organizations },
    publicKey: key,
    notBefore: now - 300_000,
    notAfter: now + 3_600_000,
    extendedKeyUsage: ['clientAuth'],
  });
  return { certificate: pem, key: privateKeyPem(key) };
}

const NAME = 'jp-broken';
const soundDer = (): Buffer =>
  createRequest({ key: newKey(), subject: { commonName: NAME, organizations: ['joinproof'] } }).der;

/** What is signed, the algorithm and the signature of a request. */
function partsOf(request: Buffer): Buffer[] {
  const reader = new DerReader(request).inside(TAG.sequence);
  return [reader?.any(), reader?.any(), reader?.any()].map((part) => part?.full ?? Buffer.alloc(0));
}

const signedWith = (signature: Buffer): Buffer => {
  const [signed = Buffer.alloc(0), algorithm = Buffer.alloc(0)] = partsOf(soundDer());
  return der(sequence(embed(signed), embed(algorithm), embed(signature)));
};
const LABEL = 'CERTIFICATE REQUEST';

/** Texts that stand where a request should, by what is wrong with them. */
const BROKEN: Readonly<Record<string, () => string>> = {
  'signed with another key': () => encodePem(LABEL, signedWith(partsOf(soundDer())[2] ?? Buffer.alloc(0))),
  'signed by nobody': () => encodePem(LABEL, signedWith(der(bits(Buffer.alloc(0))))),
  'changed after it was signed': () => {
    const bytes = soundDer();
    bytes.write(NAME.toUpperCase(), bytes.indexOf(NAME), 'latin1');
    return encodePem(LABEL, bytes);
  },
  'cut off': () => encodePem(LABEL, soundDer().subarray(0, -20)),
  'followed by other bytes': () => encodePem(LABEL, Buffer.concat([soundDer(), Buffer.from([5, 0])])),
  'PEM of another label': () => encodePem(`NEW ${LABEL}`, soundDer()),
  'behind a PEM block of something else': () =>
    `${encodePem('CERTIFICATE', soundDer())}${encodePem(LABEL, soundDer())}`,
  'a certificate, not a request': () => strangersPair('jp', []).certificate,
  'no PEM at all': () => 'this is no PEM',
};

/** What else may stand in the spec of a request that is sound by itself, and no signer could grant. */
const UNGRANTABLE: Readonly<Record<string, Partial<CertificateSigningRequest['spec']>>> = {
  'for less than ten minutes': { expirationSeconds: 599 },
  'for no usage': { usages: [] },
  'for a usage that nobody knows': { usages: ['digital signature', 'client auth', 'surfing'] },
  'for a usage in capitals': { usages: ['Digital Signature', 'client auth'] },
  'for a usage that ends as one that is known': { usages: ['digital signature', 'client auth', 'web auth'] },
  'for a usage with a blank behind it': { usages: ['digital signature', 'client auth', 'any '] },
  'for a usage as certificates call it': { usages: ['digital signature', 'clientAuth'] },
  'for one usage twice': { usages: ['digital signature', 'client auth', 'client auth'] },
  'for one usage twice, another between': { usages: ['client auth', 'digital signature', 'client auth'] },
  'for no signer': { signerName: '' },
  'for a signer without a domain': { signerName: 'signer' },
  'for a signer of three parts': { signerName: 'joinproof.invalid/nobodys/signer' },
  'for a signer whose domain has one part': { signerName: 'invalid/nobodys-signer' },
  'for a signer with capitals in its domain': { signerName: 'Joinproof.invalid/nobodys-signer' },
  'for a signer with capitals in its path': { signerName: 'joinproof.invalid/Nobodys-signer' },
  'for a signer with a blank in its path': { signerName: 'joinproof.invalid/nobodys signer' },
  'for a signer without a path': { signerName: 'joinproof.invalid/' },
  'for a signer of a name too long': { signerName: `joinproof.invalid/${'a'.repeat(572)}` },
  'for the signer of old, kubernetes.io/legacy-unknown': { signerName: SIGNER_LEGACY_UNKNOWN },
};

/** An object that asks for what cannot be granted, as `how` says; undefined where nobody knows how. */
export function brokenRequest(how: string, name: string): CertificateSigningRequest | undefined {
  const text = BROKEN[how]?.();
  const unfit = UNGRANTABLE[how];
  if (text === undefined && unfit === undefined) return undefined;
  const object = certificateRequest(
    name,
    {
      subject: [['CN', NAME]],
      signerName: SIGNER_APISERVER_CLIENT,
      usages: ['digital signature', 'client auth'],
    },
    text,
  );
  return { ...object, spec: { ...object.spec, ...unfit } };
}
