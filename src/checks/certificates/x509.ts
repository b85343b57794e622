/**
 * Certificates as the judge reads them: node:crypto for what it shows, DER for the rest. Never with src/pki, which
 * makes them.
 * Source: RFC 5280; Go crypto/x509 parseCertificate, CheckSignatureFrom.
 */
import { X509Certificate } from 'node:crypto';
import { rememberedText } from '../../kubernetes/remembered.js';
import { type Node, readDer, type Subject, sequenceOf, subjectOf, Unreadable, wholeBits } from './der.js';
import { type Extensions, readExtensions } from './extensions.js';
import { blocksOf } from './pem.js';
import { pinOf, signatureProblem } from './signature.js';

/** What a certificate says; plain JSON. */
export interface CertificateFacts extends Subject, Extensions {
  /** Lower-case hex without leading zeros. */
  readonly serial: string;
  readonly issuer: Subject;
  /** Milliseconds since the epoch. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** "sha256:<hex>" of its public key. */
  readonly pin: string;
}

interface Taken {
  readonly tbs: Node;
  /** Serial, algorithm, issuer, validity, subject, key, then what is optional. */
  readonly fields: readonly Node[];
  /** Of version 3: in others nobody looks for extensions. */
  readonly isExtended: boolean;
  readonly algorithm: Node | undefined;
  readonly signature: Buffer;
}

/** Source: RFC 5280, 4.1.2.1. */
const VERSION_3 = Buffer.from([2]);

/** The parts of a certificate. Throws Unreadable. */
function take(der: Buffer): Taken {
  const [tbs, algorithm, signature] = sequenceOf(readDer(der), 'a certificate');
  const all = sequenceOf(tbs, 'what is signed');
  if (tbs === undefined) throw new Unreadable('it is no certificate');
  // the version stands first, as [0], except in version 1
  const [version, ...others] = all;
  const isNamed = version?.class === 2;
  return {
    tbs,
    fields: isNamed ? others : all,
    isExtended: isNamed && version.parts[0]?.content.equals(VERSION_3) === true,
    algorithm,
    signature: wholeBits(signature, 'the signature'),
  };
}

/** Reads one certificate. Throws Unreadable. */
export const readCertificate = (der: Buffer): CertificateFacts => readAlone(der.toString('latin1'));

/** The same few lie at many places. */
const readAlone = rememberedText((bytes) => read(Buffer.from(bytes, 'latin1')));

function read(der: Buffer): CertificateFacts {
  const { fields, isExtended } = take(der);
  const [, , issuer, , subject, key, ...optional] = fields;
  let shown: X509Certificate;
  try {
    shown = new X509Certificate(der);
  } catch {
    throw new Unreadable('it is no certificate');
  }
  if (key === undefined) throw new Unreadable('it has no key');
  const extensions = isExtended ? optional.find((node) => node.class === 2 && node.tag === 3) : undefined;
  const [notBefore, notAfter] = [Date.parse(shown.validFrom), Date.parse(shown.validTo)];
  if (Number.isNaN(notBefore + notAfter)) throw new Unreadable('its times cannot be read');
  return {
    ...subjectOf(subject),
    ...readExtensions(extensions?.parts.slice(0, 1)),
    serial: shown.serialNumber.toLowerCase().replace(/^0+(?=.)/, ''),
    issuer: subjectOf(issuer),
    notBefore,
    notAfter,
    pin: pinOf(key.der()),
  };
}

/** The same, or why it cannot be read. */
export function tryCertificate(der: Buffer): CertificateFacts | { readonly unreadable: string } {
  try {
    return readCertificate(der);
  } catch (error) {
    if (error instanceof Unreadable) return { unreadable: error.message };
    throw error;
  }
}

/** The DER of every certificate of a text. */
export const certificatesIn = (pem: string): readonly Buffer[] =>
  blocksOf(pem).flatMap(({ label, bytes }) => (label === 'CERTIFICATE' ? [bytes] : []));

/** The first certificate of a text, or why it cannot be read. */
export function readLeaf(pem: string): CertificateFacts | { readonly unreadable: string } {
  const [der] = certificatesIn(pem);
  return der === undefined ? { unreadable: 'there is no PEM block CERTIFICATE' } : tryCertificate(der);
}

/** The first certificate of a text; undefined where it holds none that can be read. */
export function leafIn(pem: string): CertificateFacts | undefined {
  const read = readLeaf(pem);
  return 'unreadable' in read ? undefined : read;
}

/**
 * Whether the key of `issuer` made the signature of `certificate`, and the names fit. Neither validity nor usages are
 * looked at.
 */
export const isSignedBy = (certificate: Buffer, issuer: Buffer): boolean =>
  signers(issuer.toString('latin1'))(certificate.toString('latin1'));

const signers = rememberedText((issuer) =>
  rememberedText((certificate) => holds(Buffer.from(certificate, 'latin1'), Buffer.from(issuer, 'latin1'))),
);

function holds(certificate: Buffer, issuer: Buffer): boolean {
  try {
    const own = take(certificate);
    const authority = take(issuer).fields;
    const [, , name] = own.fields;
    const [, , , , subject, key] = authority;
    if (name === undefined || subject === undefined || key === undefined) return false;
    if (!name.der().equals(subject.der())) return false;
    return signatureProblem({ ...own, signed: own.tbs.der(), spki: key.der() }) === undefined;
  } catch (error) {
    if (error instanceof Unreadable) return false;
    throw error;
  }
}

/** Thousands of certificates are held against the same authorities. */
const authoritiesIn = rememberedText(certificatesIn);

/** Of the certificates of a text those that have signed the first one of another. */
export const signersAmong = (pem: string, authorities: string): readonly Buffer[] => {
  const [leaf] = certificatesIn(pem);
  return leaf === undefined ? [] : authoritiesIn(authorities).filter((authority) => isSignedBy(leaf, authority));
};

/** Whether the first certificate of a text is signed by one of the certificates of another. */
export const isSignedAmong = (pem: string, authorities: string): boolean => signersAmong(pem, authorities).length > 0;

/** When the certificate ends that lives longest; milliseconds, undefined where none can be read. */
export function longestOf(signers: readonly Buffer[]): number | undefined {
  const ends = signers.flatMap((signer) => {
    const read = tryCertificate(signer);
    return 'unreadable' in read ? [] : [read.notAfter];
  });
  return ends.length === 0 ? undefined : Math.max(...ends);
}
