/**
 * The judge's own view of DER, on node-forge: nothing of src/pki, or a mistake of the judged would hide in the judge.
 * Source: X.690; RFC 5280 and RFC 2986 for what is read with it.
 */
import asn1 from 'node-forge/lib/asn1.js';

/** "it cannot be read", in one clause. */
export class Unreadable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Unreadable';
  }
}

export interface Node {
  /** 0 universal, 2 context-specific. */
  readonly class: number;
  readonly tag: number;
  readonly parts: readonly Node[];
  /** Content of what has no parts. */
  readonly content: Buffer;
  /** The whole element, encoded anew: the same bytes where they were DER. */
  der(): Buffer;
}

/** The tag of a BMPString. */
const UTF_16 = 30;

type ForgeNode = ReturnType<typeof asn1.fromDer>;

/** node-forge has made text of a BMPString, and of nothing else. */
const contentOf = ({ tagClass, type }: ForgeNode, value: string): Buffer =>
  Number(tagClass) === 0 && Number(type) === UTF_16
    ? Buffer.from(value, 'utf16le').swap16()
    : Buffer.from(value, 'latin1');

const wrap = (node: ForgeNode): Node => {
  const { value } = node;
  return {
    class: Number(node.tagClass) >> 6,
    tag: Number(node.type),
    parts: typeof value === 'string' ? [] : value.map(wrap),
    content: typeof value === 'string' ? contentOf(node, value) : Buffer.alloc(0),
    der: () => Buffer.from(asn1.toDer(node).getBytes(), 'latin1'),
  };
};

/** One element and nothing behind it. Throws Unreadable. */
export function readDer(bytes: Buffer): Node {
  try {
    return wrap(asn1.fromDer(bytes.toString('latin1'), { strict: true, decodeBitStrings: false, parseAllBytes: true }));
  } catch {
    throw new Unreadable('it is no DER');
  }
}

/** Tags of the universal class. */
const SEQUENCE = 16;
const SET = 17;
const OID = 6;

const isOf = (node: Node | undefined, tag: number): node is Node => node?.class === 0 && node.tag === tag;

/** The parts of a SEQUENCE. Throws Unreadable. */
export function sequenceOf(node: Node | undefined, what: string): readonly Node[] {
  if (!isOf(node, SEQUENCE)) throw new Unreadable(`${what} is no sequence`);
  return node.parts;
}

/** Dotted. Throws Unreadable, also for numbers beyond 53 bits (the API server takes none beyond 31). */
export function oidOf(node: Node | undefined): string {
  if (!isOf(node, OID) || node.content.length === 0) throw new Unreadable('an object identifier is missing');
  // its last byte goes on. Source: Go x/crypto/cryptobyte ReadASN1ObjectIdentifier
  if (((node.content.at(-1) ?? 0) & 0x80) !== 0) throw new Unreadable('an object identifier is cut off');
  try {
    return asn1.derToOid(node.content.toString('latin1'));
  } catch {
    throw new Unreadable('a number of an object identifier is too large');
  }
}

/** The bytes of a BIT STRING without unused bits, as keys and signatures are. Throws Unreadable. */
export function wholeBits(node: Node | undefined, what: string): Buffer {
  if (!isOf(node, 3) || node.content[0] !== 0) throw new Unreadable(`${what} is no string of whole bytes`);
  return node.content.subarray(1);
}

/** Whether a bit is set in the content of a BIT STRING, which begins with the number of unused ones; the first is 0. */
export const isSet = (content: Buffer, bit: number): boolean =>
  ((content[1 + (bit >> 3)] ?? 0) & (0x80 >> (bit & 7))) !== 0;

/** Text of the string types that names are written in; undefined for a value of another type. */
function textOf(node: Node): string | undefined {
  if (node.class !== 0) return undefined;
  if (node.tag === 12) return node.content.toString('utf8');
  if ([18, 19, 20, 22].includes(node.tag)) return node.content.toString('latin1');
  if (node.tag !== UTF_16) return undefined;
  return Buffer.from(node.content).swap16().toString('utf16le');
}

const COMMON_NAME = '2.5.4.3';
const ORGANIZATION = '2.5.4.10';

export interface Subject {
  /** Of several the last, as the API server takes it; '' where there is none. */
  readonly commonName: string;
  /** In order, duplicates kept. */
  readonly organizations: readonly string[];
  /** What else stands in it, by object identifier, sorted; missing where nothing does. */
  readonly others?: readonly string[];
  /** It has several common names, or parts of several attributes; missing where it has not. */
  readonly isOdd?: true;
}

/** Of a distinguished name. Throws Unreadable. */
export function subjectOf(name: Node | undefined): Subject {
  const parts = sequenceOf(name, 'a name');
  const pairs = parts.flatMap((set) => {
    if (!isOf(set, SET)) throw new Unreadable('a part of a name is no set');
    return set.parts.map((pair) => {
      const [id, value] = sequenceOf(pair, 'an attribute of a name');
      return { id: oidOf(id), text: value === undefined ? undefined : textOf(value) };
    });
  });
  const values = (id: string): string[] =>
    pairs.flatMap((pair) => (pair.id === id && pair.text !== undefined ? [pair.text] : []));
  const others = new Set(pairs.map(({ id }) => id).filter((id) => id !== COMMON_NAME && id !== ORGANIZATION));
  return {
    commonName: values(COMMON_NAME).at(-1) ?? '',
    organizations: values(ORGANIZATION),
    ...(others.size === 0 ? {} : { others: [...others].sort() }),
    ...(pairs.length > parts.length || values(COMMON_NAME).length > 1 ? { isOdd: true as const } : {}),
  };
}
