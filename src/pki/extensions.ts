/** X.509 v3 extensions: written, and read with Go's strictness and texts (crypto/x509/parser.go). */
import { PkiError } from './asn1-go.js';
import { DerReader, TAG } from './der-read.js';
import { bits, boolean, context, type DerTree, der, integer, octets, oid, sequence } from './der-write.js';
import { ipBytes, ipText, shortestIp } from './ip.js';
import {
  EXTENDED_KEY_USAGES,
  EXTENSION,
  type ExtendedKeyUsage,
  extendedKeyUsageName,
  KEY_USAGES,
  type KeyUsage,
} from './oids.js';
import { uriProblem } from './uri.js';

export interface Extension {
  readonly oid: string;
  readonly critical: boolean;
  /** Content of the OCTET STRING. */
  readonly value: Buffer;
}

/** Subject alternative names of the kinds that Kubernetes knows. Addresses in text. */
export interface SubjectAltNames {
  readonly dns: readonly string[];
  readonly email: readonly string[];
  readonly ip: readonly string[];
  readonly uri: readonly string[];
}

/** As read: `other` names the kinds that Go drops without a word, in order. */
export interface ReadAltNames extends SubjectAltNames {
  readonly other: readonly (
    | 'otherName'
    | 'x400Address'
    | 'directoryName'
    | 'ediPartyName'
    | 'registeredID'
    | 'unknown'
  )[];
}

export const NO_ALT_NAMES: ReadAltNames = { dns: [], email: [], ip: [], uri: [], other: [] };

const OTHER_KINDS = {
  0: 'otherName',
  3: 'x400Address',
  4: 'directoryName',
  5: 'ediPartyName',
  8: 'registeredID',
} as const;

export const encodeExtension = (extension: Extension): DerTree =>
  extension.critical
    ? sequence(oid(extension.oid), boolean(true), octets(extension.value))
    : sequence(oid(extension.oid), octets(extension.value));

/** DNS, e-mail, IP, URI in that order, as Go's marshalSANs. Throws PkiError for a text that is no IP address. */
export function altNamesExtension(names: Partial<SubjectAltNames>, critical = false): Extension {
  const ascii = (tag: number, value: string): DerTree => context(tag, Buffer.from(value, 'latin1'));
  const address = (text: string): DerTree => {
    const bytes = ipBytes(text);
    if (bytes === undefined)
      throw new PkiError(`subject alternative name: "${text}" is no IP address; give an IPv4 or IPv6 address`);
    return context(7, shortestIp(bytes));
  };
  const list = [
    ...(names.dns ?? []).map((value) => ascii(2, value)),
    ...(names.email ?? []).map((value) => ascii(1, value)),
    ...(names.ip ?? []).map(address),
    ...(names.uri ?? []).map((value) => ascii(6, value)),
  ];
  return { oid: EXTENSION.subjectAltName, critical, value: der(sequence(...list)) };
}

/** KeyUsage, critical, as a BIT STRING without trailing zero bits. */
export function keyUsageExtension(usages: readonly KeyUsage[]): Extension {
  const bytes = [0, 0];
  let last = 0;
  for (const usage of usages) {
    const bit = KEY_USAGES.indexOf(usage);
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
    last = Math.max(last, bit);
  }
  const used = Buffer.from(bytes.slice(0, (last >> 3) + 1));
  return { oid: EXTENSION.keyUsage, critical: true, value: der(bits(used, 7 - (last & 7))) };
}

/** ExtendedKeyUsage, not critical, in the order of Go's enumeration; dotted identifiers behind the names. */
export function extendedKeyUsageExtension(usages: readonly (ExtendedKeyUsage | string)[]): Extension {
  const known = Object.entries(EXTENDED_KEY_USAGES).flatMap(([name, id]) => (usages.includes(name) ? [id] : []));
  const dotted = usages.filter((usage) => !(usage in EXTENDED_KEY_USAGES));
  return { oid: EXTENSION.extendedKeyUsage, critical: false, value: der(sequence(...[...known, ...dotted].map(oid))) };
}

/** BasicConstraints, critical. */
export const basicConstraintsExtension = (ca: boolean, pathLength?: number): Extension => ({
  oid: EXTENSION.basicConstraints,
  critical: true,
  value: der(
    sequence(...(ca ? [boolean(true)] : []), ...(pathLength === undefined ? [] : [integer(Buffer.from([pathLength]))])),
  ),
});

export const subjectKeyIdentifierExtension = (id: Buffer): Extension => ({
  oid: EXTENSION.subjectKeyIdentifier,
  critical: false,
  value: der(octets(id)),
});
export const authorityKeyIdentifierExtension = (id: Buffer): Extension => ({
  oid: EXTENSION.authorityKeyIdentifier,
  critical: false,
  value: der(sequence(context(0, id))),
});

const isAscii = (bytes: Buffer): boolean => bytes.every((byte) => byte < 0x80);

/** Source: parseSANExtension. Throws PkiError with Go's text. */
export function readAltNames(value: Buffer): ReadAltNames {
  const list = new DerReader(value).inside(TAG.sequence);
  if (list === undefined) throw new PkiError('x509: invalid subject alternative names');
  const names = {
    dns: [] as string[],
    email: [] as string[],
    ip: [] as string[],
    uri: [] as string[],
    other: [] as ReadAltNames['other'][number][],
  };
  while (!list.empty) {
    const name = list.any();
    if (name === undefined) throw new PkiError('x509: invalid subject alternative name');
    const kind = name.tag ^ 0x80;
    const text = name.content.toString('latin1');
    if (kind === 1) {
      if (!isAscii(name.content)) throw new PkiError('x509: SAN rfc822Name is malformed');
      names.email.push(text);
    } else if (kind === 2) {
      if (!isAscii(name.content)) throw new PkiError('x509: SAN dNSName is malformed');
      names.dns.push(text);
    } else if (kind === 6) {
      if (!isAscii(name.content)) throw new PkiError('x509: SAN uniformResourceIdentifier is malformed');
      const problem = uriProblem(text);
      if (problem !== undefined) throw new PkiError(problem);
      names.uri.push(text);
    } else if (kind === 7) {
      if (name.content.length !== 4 && name.content.length !== 16)
        throw new PkiError(`x509: cannot parse IP address of length ${name.content.length}`);
      names.ip.push(ipText(name.content));
    } else {
      const other = kind & 0x1f;
      names.other.push(isOtherKind(other) ? OTHER_KINDS[other] : 'unknown');
    }
  }
  return names;
}

const isOtherKind = (kind: number): kind is keyof typeof OTHER_KINDS => kind in OTHER_KINDS;

/** Source: parseKeyUsageExtension. */
export function readKeyUsage(value: Buffer): readonly KeyUsage[] {
  const found = new DerReader(value).bitString();
  if (found === undefined) throw new PkiError('x509: invalid key usage');
  return KEY_USAGES.filter((_, bit) => ((found.raw[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) !== 0);
}

/** Names where known, dotted identifiers else, in order. Source: parseExtKeyUsageExtension. */
export function readExtendedKeyUsage(value: Buffer): readonly string[] {
  const list = new DerReader(value).inside(TAG.sequence);
  if (list === undefined) throw new PkiError('x509: invalid extended key usages');
  const usages: string[] = [];
  while (!list.empty) {
    const id = list.oid();
    if (id === undefined) throw new PkiError('x509: invalid extended key usages');
    usages.push(extendedKeyUsageName(id));
  }
  return usages;
}

export interface BasicConstraints {
  readonly ca: boolean;
  readonly pathLength?: number;
}

/** Source: parseBasicConstraintsExtension. */
export function readBasicConstraints(value: Buffer): BasicConstraints {
  const invalid = (): PkiError => new PkiError('x509: invalid basic constraints');
  const inner = new DerReader(value).inside(TAG.sequence);
  if (inner === undefined) throw invalid();
  const ca = inner.peek() === TAG.boolean ? inner.boolean() : false;
  if (ca === undefined) throw invalid();
  if (inner.peek() !== TAG.integer) return { ca };
  const length = inner.integer();
  if (length === undefined || (length[0] ?? 0) >= 0x80 || length.length > 8) throw invalid();
  return { ca, pathLength: Number(BigInt(`0x${length.toString('hex')}`)) };
}

/** Source: parseAuthorityKeyIdentifier. undefined: present without a key identifier. */
export function readAuthorityKeyIdentifier(extension: Extension): Buffer | undefined {
  if (extension.critical) throw new PkiError('x509: authority key identifier incorrectly marked critical');
  const inner = new DerReader(extension.value).inside(TAG.sequence);
  if (inner === undefined) throw new PkiError('x509: invalid authority key identifier');
  if (inner.peek() !== 0x80) return undefined;
  const id = inner.element(0x80);
  if (id === undefined) throw new PkiError('x509: invalid authority key identifier');
  return id.content;
}

export function readSubjectKeyIdentifier(extension: Extension): Buffer {
  if (extension.critical) throw new PkiError('x509: subject key identifier incorrectly marked critical');
  const id = new DerReader(extension.value).element(TAG.octetString);
  if (id === undefined) throw new PkiError('x509: invalid subject key identifier');
  return id.content;
}
