/**
 * Certificate authorities in the shape that kubeadm gives them, and what they issue.
 * Source: cmd/kubeadm/app/util/pkiutil/pki_helpers.go, client-go util/cert.
 */
import {
  type CertificateFacts,
  createCertificate,
  type EncodedCertificate,
  keyIdentifier,
  parseCertificate,
  randomSerial,
} from './certificate.js';
import type { Extension, SubjectAltNames } from './extensions.js';
import { generateKey, type KeyAlgorithm, type KeyObject, parsePrivateKey, privateKeyPem, sameKey } from './keys.js';
import type { NameInput } from './names.js';
import type { ExtendedKeyUsage, KeyUsage } from './oids.js';
import { certificatesOfPem } from './pem.js';

export interface Authority {
  readonly certificate: EncodedCertificate;
  readonly facts: CertificateFacts;
  readonly key: KeyObject;
}

export const FIVE_MINUTES = 5 * 60_000;
/** kubeadm's validity: leafs 8760 h, authorities ten times that. */
export const LEAF_VALIDITY = 8760 * 3_600_000;
export const CA_VALIDITY = 10 * LEAF_VALIDITY;

export interface AuthorityInput {
  /** "kubernetes", "front-proxy-ca", "etcd-ca" in kubeadm. */
  readonly commonName: string;
  /** A key algorithm to make a key of, or a key. */
  readonly key: KeyAlgorithm | KeyObject;
  /** Milliseconds since the epoch. The certificate begins five minutes earlier. */
  readonly now: number;
  /** Milliseconds from `now`; default ten years. */
  readonly validity?: number;
  /** Bytes for the serial number; default: cryptographic. */
  readonly random?: (length: number) => Buffer;
}

/**
 * A self-signed authority: digitalSignature, keyEncipherment and keyCertSign, no path length, a DNS name equal to its
 * common name.
 */
export function createAuthority(input: AuthorityInput): Authority {
  const key = typeof input.key === 'string' ? generateKey(input.key) : input.key;
  const certificate = createCertificate({
    subject: { commonName: input.commonName },
    publicKey: key,
    signingKey: key,
    notBefore: input.now - FIVE_MINUTES,
    notAfter: input.now + (input.validity ?? CA_VALIDITY),
    serial: randomSerial(63, input.random),
    keyUsage: ['digitalSignature', 'keyEncipherment', 'keyCertSign'],
    basicConstraints: { ca: true },
    subjectKeyId: keyIdentifier(key),
    altNames: { dns: [input.commonName] },
  });
  return { certificate, facts: parseCertificate(certificate.der), key };
}

/**
 * An authority from PEM; undefined where the texts are not one certificate (the first counts) and its key. Throws
 * PkiError where the certificate cannot be parsed.
 */
export function authorityFromPem(certificatePem: string, keyPem: string): Authority | undefined {
  const [first] = certificatesOfPem(certificatePem);
  const key = parsePrivateKey(keyPem);
  if (first === undefined || key === undefined) return undefined;
  const facts = parseCertificate(first);
  if (!('key' in facts.publicKey) || facts.publicKey.key === undefined || !sameKey(facts.publicKey.key, key))
    return undefined;
  return { certificate: { der: first, pem: certificatePem }, facts, key };
}

export interface LeafInput {
  readonly subject: NameInput;
  /** A public or private key, or DER of a SubjectPublicKeyInfo. */
  readonly publicKey: KeyObject | Buffer;
  /** Milliseconds since the epoch. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** Default, as kubeadm: digitalSignature and keyEncipherment, for EC keys too. [] leaves the extension out. */
  readonly keyUsage?: readonly KeyUsage[];
  readonly extendedKeyUsage?: readonly (ExtendedKeyUsage | string)[];
  readonly altNames?: Partial<SubjectAltNames>;
  readonly serial?: Buffer;
  /** Default false; `unsaid` leaves basicConstraints out. */
  readonly ca?: boolean | 'unsaid';
  /** Behind the others; default: none. */
  readonly extensions?: readonly Extension[];
}

/**
 * Issues a certificate with CA:FALSE and the authority's key identifier; no SubjectKeyIdentifier, as Go leaves it out
 * of leafs.
 */
export const issue = (authority: Authority, { ca = false, ...leaf }: LeafInput): EncodedCertificate =>
  createCertificate({
    subject: leaf.subject,
    issuer: authority.facts.subject.der,
    publicKey: leaf.publicKey,
    signingKey: authority.key,
    notBefore: leaf.notBefore,
    notAfter: leaf.notAfter,
    serial: leaf.serial ?? randomSerial(63),
    keyUsage: leaf.keyUsage ?? ['digitalSignature', 'keyEncipherment'],
    ...(leaf.extendedKeyUsage === undefined ? {} : { extendedKeyUsage: leaf.extendedKeyUsage }),
    ...(ca === 'unsaid' ? {} : { basicConstraints: { ca } }),
    ...(authority.facts.subjectKeyId === undefined ? {} : { authorityKeyId: authority.facts.subjectKeyId }),
    ...(leaf.altNames === undefined ? {} : { altNames: leaf.altNames }),
    ...(leaf.extensions === undefined ? {} : { extensions: leaf.extensions }),
  });

export interface Credential {
  readonly certificate: EncodedCertificate;
  readonly key: KeyObject;
  /** PEM of both, as kubeconfigs and TLS want them. */
  readonly certificatePem: string;
  readonly keyPem: string;
}

/**
 * A new key and its certificate, valid from five minutes before `now` for `validity` milliseconds (default one year).
 */
export function issueCredential(
  authority: Authority,
  leaf: Omit<LeafInput, 'publicKey' | 'notBefore' | 'notAfter'> & {
    readonly key: KeyAlgorithm | KeyObject;
    readonly now: number;
    readonly validity?: number;
    /** Default: five minutes before `now`. */
    readonly notBefore?: number;
  },
): Credential {
  const key = typeof leaf.key === 'string' ? generateKey(leaf.key) : leaf.key;
  const { now, validity = LEAF_VALIDITY, notBefore = now - FIVE_MINUTES } = leaf;
  const certificate = issue(authority, { ...leaf, publicKey: key, notBefore, notAfter: now + validity });
  return { certificate, key, certificatePem: certificate.pem, keyPem: privateKeyPem(key) };
}
