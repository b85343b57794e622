/**
 * What scenarios need made by the other end: machines that join, certificate requests, keys, certificates of a
 * stranger. The one door from the steps to src/joining and src/pki; what steps judge is read by src/checks alone.
 */
import { Kubelet, type Outcome } from '../joining/kubelet.js';
import { clientRequest, type RequestWanted, requestObject, servingRequest } from '../joining/request.js';
import { SIGNER_APISERVER_CLIENT } from '../kubernetes/names.js';
import type { CertificateSigningRequest } from '../kubernetes/objects.js';
import { createAuthority, issue } from '../pki/authority.js';
import { DerReader, TAG } from '../pki/der-read.js';
import { der, embed, sequence } from '../pki/der-write.js';
import { generateKey, type KeyAlgorithm, type KeyObject, privateKeyPem, spareKey } from '../pki/keys.js';
import { encodePem } from '../pki/pem.js';
import { createRequest } from '../pki/request.js';
import type { Answer, Asker, Identity } from '../targets/types.js';

export type { Outcome } from '../joining/kubelet.js';
export { decide, send } from '../joining/request.js';

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
  renew(
    within: number,
    options?: { readonly key?: KeyObject; readonly take?: boolean; readonly expirationSeconds?: number },
  ): Promise<Outcome>;
  askForServing(addresses: Addresses, within: number): Promise<Outcome>;
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

/** What a request asks for. */
export type Wanted = Pick<RequestWanted, 'commonName' | 'organizations' | 'signerName' | 'usages'> & {
  readonly altNames?: Addresses;
  /** Of the object. */
  readonly name: string;
  /** Before the PEM block. */
  readonly around?: string;
};

const newKey = (): KeyObject => generateKey('ECDSA-P256');

/** A request, signed with a new key that nobody keeps. */
export const certificateRequest = ({ around = '', ...wanted }: Wanted): CertificateSigningRequest =>
  requestObject({ ...wanted, key: newKey() }, around);

/** The request of a kubelet for its client certificate. */
export const nodeRequest = (nodeName: string, name: string): CertificateSigningRequest =>
  requestObject({ ...clientRequest(nodeName, newKey()), name });

/** The request of a kubelet for its serving certificate. */
export const nodeServingRequest = (nodeName: string, name: string, addresses: Addresses): CertificateSigningRequest =>
  requestObject({ ...servingRequest(nodeName, newKey(), addresses), name });

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

/** Texts that stand where a request should, by what is wrong with them. */
const BROKEN: Readonly<Record<string, () => string>> = {
  'signed with another key': () => {
    const [signed = Buffer.alloc(0), algorithm = Buffer.alloc(0)] = partsOf(soundDer());
    const [, , signature = Buffer.alloc(0)] = partsOf(soundDer());
    return encodePem('CERTIFICATE REQUEST', der(sequence(embed(signed), embed(algorithm), embed(signature))));
  },
  'changed after it was signed': () => {
    const bytes = soundDer();
    bytes.write(NAME.toUpperCase(), bytes.indexOf(NAME), 'latin1');
    return encodePem('CERTIFICATE REQUEST', bytes);
  },
  'a certificate, not a request': () => strangersPair('jp', []).certificate,
  'no PEM at all': () => 'this is no PEM',
};

/** An object whose request is broken as `how` says; undefined where nobody knows how. */
export function brokenRequest(how: string, name: string): CertificateSigningRequest | undefined {
  const text = BROKEN[how]?.();
  if (text === undefined) return undefined;
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name },
    spec: {
      request: Buffer.from(text).toString('base64'),
      signerName: SIGNER_APISERVER_CLIENT,
      usages: ['digital signature', 'client auth'],
    },
  };
}
