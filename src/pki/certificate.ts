/**
 * X.509 certificates: made, and read into facts as Go reads them.
 * Source: RFC 5280; Go crypto/x509 CreateCertificate, parser.go parseCertificate.
 */
import { createHash, type KeyObject, randomBytes } from 'node:crypto';
import { remembered, rememberedText } from '../kubernetes/remembered.js';
import { PkiError } from './asn1-go.js';
import {
  type KnownExtensions,
  processExtensions,
  readAlgorithm,
  readExtensions,
  readVersion,
} from './certificate-parts.js';
import { DerReader, TAG } from './der-read.js';
import { bits, context, type DerTree, der, embed, integer, sequence, time } from './der-write.js';
import {
  altNamesExtension,
  authorityKeyIdentifierExtension,
  type BasicConstraints,
  basicConstraintsExtension,
  type Extension,
  encodeExtension,
  extendedKeyUsageExtension,
  keyUsageExtension,
  type SubjectAltNames,
  subjectKeyIdentifierExtension,
} from './extensions.js';
import { type KeyFacts, spkiOf, spkiPin } from './keys.js';
import { commonNameOf, encodeName, type Name, type NameInput, organizationsOf, readCertificateName } from './names.js';
import type { ExtendedKeyUsage, KeyUsage } from './oids.js';
import { encodePem } from './pem.js';
import { factsOf, type GoPublicKey, readPublicKey } from './public-key.js';
import {
  type AlgorithmIdentifier,
  defaultSignature,
  encodeAlgorithm,
  type SignatureName,
  signatureName,
  signatureProblem,
  signWith,
} from './signature.js';
import { readTime } from './time.js';

export interface CertificateInput {
  /** Parts, or a DER name (an issuer's subject) that is taken as it is. */
  readonly subject: NameInput | Buffer;
  /** undefined: as the subject (self-signed). */
  readonly issuer?: Buffer;
  /** A public or private key, or the DER of a SubjectPublicKeyInfo. */
  readonly publicKey: KeyObject | Buffer;
  readonly signingKey: KeyObject;
  /** Milliseconds since the epoch; X.509 cuts them to seconds. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** Big-endian, positive. Default: 127 random bits. */
  readonly serial?: Buffer;
  readonly keyUsage?: readonly KeyUsage[];
  readonly extendedKeyUsage?: readonly (ExtendedKeyUsage | string)[];
  readonly basicConstraints?: BasicConstraints;
  readonly subjectKeyId?: Buffer;
  readonly authorityKeyId?: Buffer;
  readonly altNames?: Partial<SubjectAltNames>;
  /** Behind the others. */
  readonly extensions?: readonly Extension[];
  readonly signature?: SignatureName;
}

export interface EncodedCertificate {
  readonly der: Buffer;
  readonly pem: string;
}

/**
 * Makes and signs a certificate; extensions in the order of Go's buildCertExtensions, those not given are left out. EC
 * P-256: under a millisecond.
 */
export function createCertificate(input: CertificateInput): EncodedCertificate {
  const emptySubject = !Buffer.isBuffer(input.subject) && Array.isArray(input.subject) && input.subject.length === 0;
  const { altNames = {} } = input;
  const named = [altNames.dns, altNames.email, altNames.ip, altNames.uri].some(
    (list) => list !== undefined && list.length > 0,
  );
  const extensions: readonly Extension[] = [
    ...(input.keyUsage === undefined || input.keyUsage.length === 0 ? [] : [keyUsageExtension(input.keyUsage)]),
    ...(input.extendedKeyUsage === undefined || input.extendedKeyUsage.length === 0
      ? []
      : [extendedKeyUsageExtension(input.extendedKeyUsage)]),
    ...(input.basicConstraints === undefined
      ? []
      : [basicConstraintsExtension(input.basicConstraints.ca, input.basicConstraints.pathLength)]),
    ...(input.subjectKeyId === undefined ? [] : [subjectKeyIdentifierExtension(input.subjectKeyId)]),
    ...(input.authorityKeyId === undefined ? [] : [authorityKeyIdentifierExtension(input.authorityKeyId)]),
    ...(named ? [altNamesExtension(altNames, emptySubject)] : []),
    ...(input.extensions ?? []),
  ];
  const name = input.signature ?? defaultSignature(input.signingKey);
  const subject = Buffer.isBuffer(input.subject) ? embed(input.subject) : encodeName(input.subject);
  const algorithm = encodeAlgorithm(name);
  const parts: DerTree[] = [
    context(0, [integer(Buffer.from([2]))]),
    integer(input.serial ?? randomSerial(127)),
    algorithm,
    input.issuer === undefined ? subject : embed(input.issuer),
    sequence(time(input.notBefore), time(input.notAfter)),
    subject,
    embed(Buffer.isBuffer(input.publicKey) ? input.publicKey : spkiOf(input.publicKey)),
    ...(extensions.length === 0 ? [] : [context(3, [sequence(...extensions.map(encodeExtension))])]),
  ];
  const tbs = sequence(...parts);
  const encoded = der(sequence(tbs, algorithm, bits(signWith(name, der(tbs), input.signingKey))));
  return { der: encoded, pem: encodePem('CERTIFICATE', encoded) };
}

/** A random positive number below 2^`width`. `random` gives bytes. */
export function randomSerial(width: number, random: (length: number) => Buffer = randomBytes): Buffer {
  const bytes = Buffer.from(random(Math.ceil(width / 8)));
  const spare = bytes.length * 8 - width;
  bytes[0] = (bytes[0] ?? 0) & (0xff >> spare);
  if (bytes.every((byte) => byte === 0)) bytes[bytes.length - 1] = 1;
  return bytes;
}

/** What a certificate says. */
export interface CertificateFacts extends KnownExtensions {
  readonly der: Buffer;
  readonly version: number;
  /** Lower-case hex without leading zeros. */
  readonly serial: string;
  readonly subject: Name;
  readonly issuer: Name;
  /** Of several the last; '' where there is none. */
  readonly commonName: string;
  /** In order, duplicates kept. */
  readonly organizations: readonly string[];
  /** Milliseconds since the epoch. */
  readonly notBefore: number;
  readonly notAfter: number;
  readonly extensions: readonly Extension[];
  /** DER of the SubjectPublicKeyInfo. */
  readonly spki: Buffer;
  /** "sha256:<hex>" of it: kubeadm's discovery pin. */
  readonly pin: string;
  readonly publicKey: GoPublicKey;
  readonly key: KeyFacts | undefined;
  readonly signatureName: string;
  readonly signatureAlgorithm: AlgorithmIdentifier;
  readonly signature: Buffer;
  /** What is signed. */
  readonly tbs: Buffer;
}

/** Throws PkiError with Go's text where Go cannot parse. Nothing is verified. */
export function parseCertificate(bytes: Buffer): CertificateFacts {
  const facts = readAlone(bytes.toString('latin1'));
  if (facts.der.length !== bytes.length) throw new PkiError('x509: trailing data');
  return facts;
}

/** A client looks at the same few certificates at every connection. */
const readAlone = rememberedText((bytes) => parseFirst(Buffer.from(bytes, 'latin1')));

/** Certificates one behind the other, as Go's ParseCertificates. */
export function parseCertificates(bytes: Buffer): readonly CertificateFacts[] {
  const all: CertificateFacts[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const facts = parseFirst(rest);
    all.push(facts);
    rest = rest.subarray(facts.der.length);
  }
  return all;
}

function parseFirst(bytes: Buffer): CertificateFacts {
  const malformed = (what: string): PkiError => new PkiError(`x509: malformed ${what}`);
  const demand = <T>(found: T | undefined, what: string): T => {
    if (found === undefined) throw malformed(what);
    return found;
  };
  const whole = demand(new DerReader(bytes).element(TAG.sequence), 'certificate');
  const top = new DerReader(whole.content);
  const tbsElement = demand(top.element(TAG.sequence), 'tbs certificate');
  const tbs = new DerReader(tbsElement.content);
  const version = readVersion(tbs);
  const serial = demand(tbs.integer(), 'serial number');
  if ((serial[0] ?? 0) >= 0x80) throw new PkiError('x509: negative serial number');
  const inner = demand(tbs.element(TAG.sequence), 'signature algorithm identifier').content;
  const outerAlgorithm = demand(top.element(TAG.sequence), 'algorithm identifier').content;
  if (!inner.equals(outerAlgorithm))
    throw new PkiError("x509: inner and outer signature algorithm identifiers don't match");
  const signatureAlgorithm = readAlgorithm(inner);
  const issuer = readCertificateName(demand(tbs.element(TAG.sequence), 'issuer').full);
  const validity = demand(tbs.inside(TAG.sequence), 'validity');
  const notBefore = readTime(validity);
  const notAfter = readTime(validity);
  const subject = readCertificateName(demand(tbs.element(TAG.sequence), 'issuer').full);
  const spki = demand(tbs.element(TAG.sequence), 'spki');
  const keyParts = new DerReader(spki.content);
  const keyAlgorithm = readAlgorithm(demand(keyParts.element(TAG.sequence), 'public key algorithm identifier').content);
  const keyBits = demand(keyParts.bitString(), 'subjectPublicKey');
  const publicKey = readPublicKey({ ...keyAlgorithm, bits: keyBits.bytes });
  const extensions = readExtensions(tbs, version);
  const known = processExtensions(extensions);
  const signature = demand(top.bitString(), 'signature');
  return {
    der: whole.full,
    version,
    serial: serial.toString('hex').replace(/^0+(?=.)/, ''),
    subject,
    issuer,
    commonName: commonNameOf(subject),
    organizations: organizationsOf(subject),
    notBefore,
    notAfter,
    ...known,
    extensions,
    spki: spki.full,
    pin: spkiPin(spki.full),
    publicKey,
    key: factsOf(publicKey),
    signatureName: signatureName(signatureAlgorithm),
    signatureAlgorithm,
    signature: signature.bytes,
    tbs: tbsElement.full,
  };
}

/**
 * Whether `issuer`'s key made the signature of `certificate` (SHA-1 and MD5 never count) and the names fit. Neither
 * validity nor usages are looked at.
 */
export const isSignedBy = (certificate: CertificateFacts, issuer: CertificateFacts): boolean =>
  certificate.issuer.der.equals(issuer.subject.der) && holdsUnder(certificate)(issuer).holds;

const holdsUnder = remembered(({ signatureAlgorithm: algorithm, tbs: signed, signature }: CertificateFacts) =>
  remembered(({ publicKey: key }: CertificateFacts) => ({
    holds: signatureProblem({ algorithm, signed, signature, key }) === undefined,
  })),
);

/**
 * The key identifier that Go gives a CA of its own: SHA-1 of the key bits before 1.25, since then the first 160 bits of
 * their SHA-256 (RFC 7093).
 */
export function keyIdentifier(key: KeyObject): Buffer {
  const parts = new DerReader(spkiOf(key)).inside(TAG.sequence);
  parts?.any();
  const keyBits = parts?.bitString();
  return createHash('sha256')
    .update(keyBits?.raw ?? Buffer.alloc(0))
    .digest()
    .subarray(0, 20);
}
