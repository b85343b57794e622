/** Writing DER with node-forge. Values are node-forge's trees; `der` turns one into bytes. */
import type { asn1 as types } from 'node-forge';
import asn1 from 'node-forge/lib/asn1.js';

export type DerTree = types.Asn1;

const universal = asn1.Class.UNIVERSAL;
const binary = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');

export const sequence = (...parts: readonly DerTree[]): DerTree =>
  asn1.create(universal, asn1.Type.SEQUENCE, true, [...parts]);

/** A SET OF: elements in the order of their encodings, as DER wants it (X.690 11.6). */
export const setOf = (parts: readonly DerTree[]): DerTree =>
  asn1.create(
    universal,
    asn1.Type.SET,
    true,
    parts.length < 2
      ? [...parts]
      : parts
          .map((tree) => ({ tree, bytes: der(tree) }))
          .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
          .map(({ tree }) => tree),
  );

export const oid = (dotted: string): DerTree =>
  asn1.create(universal, asn1.Type.OID, false, asn1.oidToDer(dotted).getBytes());
export const boolean = (value: boolean): DerTree =>
  asn1.create(universal, asn1.Type.BOOLEAN, false, value ? '\xff' : '\0');
export const nothing = (): DerTree => asn1.create(universal, asn1.Type.NULL, false, '');
export const octets = (bytes: Uint8Array): DerTree =>
  asn1.create(universal, asn1.Type.OCTETSTRING, false, binary(bytes));

/** A non-negative INTEGER from big-endian bytes of any length. */
export function integer(bytes: Uint8Array): DerTree {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start++;
  const minimal = bytes.length === 0 ? Buffer.from([0]) : bytes.subarray(start);
  return asn1.create(universal, asn1.Type.INTEGER, false, ((minimal[0] ?? 0) & 0x80 ? '\0' : '') + binary(minimal));
}

/** A BIT STRING; `unused` bits at the end of the last byte do not count. */
export const bits = (bytes: Uint8Array, unused = 0): DerTree =>
  asn1.create(universal, asn1.Type.BITSTRING, false, String.fromCharCode(unused) + binary(bytes));

/**
 * A string of one of ASN.1's types; the caller sees to it that the type can hold it. node-forge encodes BMPString by
 * itself.
 */
export const string = (type: StringType, value: string): DerTree =>
  asn1.create(
    universal,
    STRING_TAGS[type],
    false,
    type === 'BMP' ? value : Buffer.from(value, type === 'UTF8' ? 'utf8' : 'latin1').toString('latin1'),
  );

/** The string types that names are made of, and their universal tags. */
const STRING_TAGS = { UTF8: 12, Numeric: 18, Printable: 19, T61: 20, IA5: 22, BMP: 30 } as const;
export type StringType = keyof typeof STRING_TAGS;

/** A context-specific element: constructed of trees, or primitive bytes. */
export const context = (tag: number, content: readonly DerTree[] | Uint8Array): DerTree =>
  content instanceof Uint8Array
    ? asn1.create(asn1.Class.CONTEXT_SPECIFIC, tag, false, binary(content))
    : asn1.create(asn1.Class.CONTEXT_SPECIFIC, tag, true, [...content]);

/** UTCTime to 2049, GeneralizedTime after (RFC 5280, 4.1.2.5). `at` in milliseconds; cut to seconds. */
export function time(at: number): DerTree {
  const date = new Date(at);
  const year = date.getUTCFullYear();
  return year >= 1950 && year < 2050
    ? asn1.create(universal, asn1.Type.UTCTIME, false, asn1.dateToUtcTime(date))
    : asn1.create(universal, asn1.Type.GENERALIZEDTIME, false, asn1.dateToGeneralizedTime(date));
}

/** An element that is already encoded. */
export const embed = (bytes: Uint8Array): DerTree =>
  asn1.fromDer(binary(bytes), { strict: true, decodeBitStrings: false, parseAllBytes: true });

export const der = (tree: DerTree): Buffer => Buffer.from(asn1.toDer(tree).getBytes(), 'latin1');
