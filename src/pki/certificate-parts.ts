/**
 * The parts of a certificate, read as Go reads them.
 * Source: Go crypto/x509, parser.go parseCertificate, processExtensions.
 */
import { PkiError } from './asn1-go.js';
import { DerReader, TAG } from './der-read.js';
import {
  type BasicConstraints,
  type Extension,
  NO_ALT_NAMES,
  type ReadAltNames,
  readAltNames,
  readAuthorityKeyIdentifier,
  readBasicConstraints,
  readExtendedKeyUsage,
  readKeyUsage,
  readSubjectKeyIdentifier,
} from './extensions.js';
import { EXTENSION, type KeyUsage } from './oids.js';
import type { AlgorithmIdentifier } from './signature.js';

export function readVersion(tbs: DerReader): number {
  if (tbs.peek() !== 0xa0) return 1;
  const explicit = tbs.inside(0xa0);
  const number = explicit?.integer();
  if (number === undefined || explicit?.empty !== true || (number[0] ?? 0) >= 0x80 || number.length > 8)
    throw new PkiError('x509: malformed version');
  const version = Number(BigInt(`0x${number.toString('hex')}`)) + 1;
  if (version > 3) throw new PkiError('x509: invalid version');
  return version;
}

export function readAlgorithm(content: Buffer): AlgorithmIdentifier {
  const parts = new DerReader(content);
  const algorithm = parts.oid();
  if (algorithm === undefined) throw new PkiError('x509: malformed OID');
  if (parts.empty) return { algorithm, parameters: Buffer.alloc(0) };
  const parameters = parts.any();
  if (parameters === undefined) throw new PkiError('x509: malformed parameters');
  return { algorithm, parameters: parameters.full };
}

export function readExtensions(tbs: DerReader, version: number): readonly Extension[] {
  if (version < 2) return [];
  for (const [tag, what] of [
    [0x81, 'issuerUniqueID'],
    [0x82, 'subjectUniqueID'],
  ] as const) {
    if (tbs.peek() === tag && tbs.any() === undefined) throw new PkiError(`x509: malformed ${what}`);
  }
  if (version !== 3 || tbs.peek() !== 0xa3) return [];
  const list = tbs.inside(0xa3)?.inside(TAG.sequence);
  if (list === undefined) throw new PkiError('x509: malformed extensions');
  const extensions: Extension[] = [];
  while (!list.empty) {
    const element = list.inside(TAG.sequence);
    if (element === undefined) throw new PkiError('x509: malformed extension');
    const id = element.oid();
    if (id === undefined) throw new PkiError('x509: malformed extension OID field');
    const critical = element.peek() === TAG.boolean ? element.boolean() : false;
    if (critical === undefined) throw new PkiError('x509: malformed extension critical field');
    const value = element.element(TAG.octetString);
    if (value === undefined) throw new PkiError('x509: malformed extension value field');
    if (extensions.some((other) => other.oid === id))
      throw new PkiError(`x509: certificate contains duplicate extension with OID "${id}"`);
    extensions.push({ oid: id, critical, value: value.content });
  }
  return extensions;
}

/** What the extensions that are known say; undefined: the extension is absent. */
export interface KnownExtensions {
  readonly altNames: ReadAltNames;
  readonly keyUsage: readonly KeyUsage[] | undefined;
  /** Names where known, dotted identifiers else. */
  readonly extendedKeyUsage: readonly string[] | undefined;
  readonly basicConstraints: BasicConstraints | undefined;
  readonly subjectKeyId: Buffer | undefined;
  readonly authorityKeyId: Buffer | undefined;
}

const READERS: Readonly<Record<string, (extension: Extension) => Partial<KnownExtensions>>> = {
  [EXTENSION.keyUsage]: ({ value }) => ({ keyUsage: readKeyUsage(value) }),
  [EXTENSION.basicConstraints]: ({ value }) => ({ basicConstraints: readBasicConstraints(value) }),
  [EXTENSION.subjectAltName]: ({ value }) => ({ altNames: readAltNames(value) }),
  [EXTENSION.extendedKeyUsage]: ({ value }) => ({ extendedKeyUsage: readExtendedKeyUsage(value) }),
  [EXTENSION.subjectKeyIdentifier]: (extension) => ({ subjectKeyId: readSubjectKeyIdentifier(extension) }),
  [EXTENSION.authorityKeyIdentifier]: (extension) => ({ authorityKeyId: readAuthorityKeyIdentifier(extension) }),
};

/** In the order of the bytes, because the first that Go refuses gives the text. */
export function processExtensions(extensions: readonly Extension[]): KnownExtensions {
  let known: KnownExtensions = {
    altNames: NO_ALT_NAMES,
    keyUsage: undefined,
    extendedKeyUsage: undefined,
    basicConstraints: undefined,
    subjectKeyId: undefined,
    authorityKeyId: undefined,
  };
  for (const extension of extensions) known = { ...known, ...READERS[extension.oid]?.(extension) };
  return known;
}
