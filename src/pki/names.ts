/**
 * Distinguished names: built, encoded, decoded as Go decodes them.
 * Source: Go crypto/x509/pkix, crypto/x509 parseName.
 */
import { elementsOf, GO, GoFields, goBitString, goInteger, goOid, PkiError, syntaxError } from './asn1-go.js';
import { DerReader, TAG } from './der-read.js';
import { type DerTree, oid, type StringType, sequence, setOf, string } from './der-write.js';
import { ATTRIBUTE } from './oids.js';
import { STRING_KINDS } from './strings.js';

/**
 * One attribute as it was read. `value` is undefined where it is no string. `tag` is the universal tag of the value.
 */
export interface Attribute {
  readonly oid: string;
  readonly value: string | undefined;
  readonly tag: number;
}

/**
 * A name as it was read: relative distinguished names in order, each a set of one or more attributes in the order of
 * the bytes.
 */
export interface Name {
  readonly rdns: readonly (readonly Attribute[])[];
  /** The DER of the whole name. */
  readonly der: Buffer;
}

/** One attribute to write. `type` defaults to what Go chooses: PrintableString where it fits, else UTF8String. */
export interface AttributeInput {
  readonly oid: string;
  readonly value: string;
  readonly type?: StringType;
}

/**
 * What most names need: every organisation becomes an RDN of its own, in order; the common name is last. `extra` comes
 * behind it.
 */
export interface SubjectInput {
  readonly commonName?: string;
  readonly organizations?: readonly string[];
  readonly organizationalUnits?: readonly string[];
  /** The UID of the Kubernetes user: attribute 1.3.6.1.4.1.57683.2. */
  readonly uid?: string;
  readonly extra?: readonly AttributeInput[];
}

/** A name to write: by its parts, or RDN by RDN. */
export type NameInput = SubjectInput | readonly (readonly AttributeInput[])[];

const isPrintable = (value: string): boolean => /^[a-zA-Z0-9'()+,\-./ :=?]*$/.test(value) && !value.includes('\n');

function rdnsOf(name: NameInput): readonly (readonly AttributeInput[])[] {
  if (
    !(
      'commonName' in name ||
      'organizations' in name ||
      'organizationalUnits' in name ||
      'uid' in name ||
      'extra' in name
    )
  )
    return isRdns(name) ? name : [];
  const one = (id: string, value: string | undefined): AttributeInput[][] =>
    value === undefined ? [] : [[{ oid: id, value }]];
  return [
    ...(name.organizations ?? []).flatMap((value) => one(ATTRIBUTE.organization, value)),
    ...(name.organizationalUnits ?? []).flatMap((value) => one(ATTRIBUTE.organizationalUnit, value)),
    ...one(ATTRIBUTE.commonName, name.commonName),
    ...one(ATTRIBUTE.kubernetesUid, name.uid),
    ...(name.extra ?? []).map((attribute) => [attribute]),
  ];
}

const isRdns = (name: NameInput): name is readonly (readonly AttributeInput[])[] => Array.isArray(name);

/** DER of a name. The attributes of one RDN are sorted by their encoding, as DER wants a set. */
export const encodeName = (name: NameInput): DerTree =>
  sequence(
    ...rdnsOf(name).map((rdn) =>
      setOf(
        rdn.map((attribute) =>
          sequence(
            oid(attribute.oid),
            string(attribute.type ?? (isPrintable(attribute.value) ? 'Printable' : 'UTF8'), attribute.value),
          ),
        ),
      ),
    ),
  );

/** Every value of one attribute type, in order, over all RDNs. */
export const valuesOf = (name: Name, id: string): readonly string[] =>
  name.rdns.flatMap((rdn) =>
    rdn.flatMap((attribute) => (attribute.oid === id && attribute.value !== undefined ? [attribute.value] : [])),
  );

/** The common name; of several the last, as Go takes it; '' where there is none. */
export const commonNameOf = (name: Name): string => valuesOf(name, ATTRIBUTE.commonName).at(-1) ?? '';

export const organizationsOf = (name: Name): readonly string[] => valuesOf(name, ATTRIBUTE.organization);

/** Reads the name of a certificate. Throws PkiError with Go's text. `der` is the element as found. */
export function readCertificateName(der: Buffer): Name {
  const invalid = (what = ''): PkiError => new PkiError(`x509: invalid RDNSequence${what}`);
  const sequenceOf = new DerReader(der).inside(TAG.sequence);
  if (sequenceOf === undefined) throw invalid();
  const rdns: Attribute[][] = [];
  while (!sequenceOf.empty) {
    const set = sequenceOf.inside(TAG.set);
    if (set === undefined) throw invalid();
    const rdn: Attribute[] = [];
    while (!set.empty) {
      const pair = set.inside(TAG.sequence);
      if (pair === undefined) throw invalid(': invalid attribute');
      const id = pair.oid();
      if (id === undefined) throw invalid(': invalid attribute type');
      const raw = pair.any();
      if (raw === undefined) throw invalid(': invalid attribute value');
      const kind = STRING_KINDS[raw.tag];
      if (kind === undefined) throw invalid(`: invalid attribute value: unsupported string type: ${raw.tag}`);
      const value = kind.decode(raw.content);
      if (value === undefined) throw invalid(`: invalid attribute value: invalid ${kind.name}`);
      rdn.push({ oid: id, value, tag: raw.tag });
    }
    rdns.push(rdn);
  }
  return { rdns, der };
}

/**
 * Reads the name of a request, for which Go uses another reader with other texts: values need not be strings. Throws
 * PkiError.
 */
export function readRequestName(der: Buffer): Name {
  const fields = new GoFields(der);
  const { content } = fields.field(GO.sequence('RDNSequence'));
  if (!fields.ended) throw new PkiError('x509: trailing data after X.509 Subject');
  const rdns = elementsOf(content, { tag: 17, compound: true }).map((set) =>
    elementsOf(set.content, { tag: 16, compound: true }).map((pair): Attribute => {
      const pairFields = new GoFields(pair.content);
      const id = goOid(pairFields.field(GO.oid).content);
      const raw = pairFields.any();
      const value = raw.class === 0 && !raw.compound ? goAny(raw.tag, raw.content) : undefined;
      return { oid: id, value, tag: raw.tag };
    }),
  );
  return { rdns, der };
}

/** What encoding/asn1 puts into an `any`: only text is kept here, the rest is checked as Go checks it. */
function goAny(tag: number, content: Buffer): string | undefined {
  const kind = STRING_KINDS[tag];
  if (kind !== undefined) {
    const value = kind.decode(content);
    if (value !== undefined) return value;
    if (tag === TAG.bmp) throw new PkiError('invalid BMPString');
    throw tag === TAG.utf8
      ? new PkiError('asn1: invalid UTF-8 string')
      : syntaxError(`${kind.name} contains invalid character`);
  }
  if (tag === TAG.boolean && (content.length !== 1 || (content[0] !== 0 && content[0] !== 0xff)))
    throw syntaxError('invalid boolean');
  if (tag === TAG.integer) goInteger(content);
  if (tag === TAG.bitString) goBitString(content);
  if (tag === TAG.oid) goOid(content);
  return undefined;
}
