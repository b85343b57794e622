/**
 * What is read from certificates and requests that differ from sound ones in one element of their DER: for each element
 * src/pki/recorded/bytes.txt has what is said when it is left out, stands there twice, is empty, has another tag, or
 * other bytes. `node dist/src/pki/odd-bytes.test.js --write` writes it anew.
 */
import { createHash, createPrivateKey } from 'node:crypto';
import { ranges } from '../kubeadm/odd-values.testing.js';
import { testRecorded } from '../report/recorded.testing.js';
import { packageFile } from '../run/package-root.js';
import { PkiError } from './asn1-go.js';
import { createCertificate, parseCertificate } from './certificate.js';
import { bits, der, integer, nothing, oid, sequence } from './der-write.js';
import type { KeyObject } from './keys.js';
import { createRequest, parseRequest } from './request.js';

/** Signs the same bytes in the same way each time: Ed25519, of a seed. */
const key: KeyObject = createPrivateKey({
  key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 7)]),
  format: 'der',
  type: 'pkcs8',
});
/** Keys that nobody has the other half of. */
const modulus = Buffer.concat([Buffer.from([0xc1]), Buffer.alloc(255, 0x5b)]);
const rsa = der(
  sequence(
    sequence(oid('1.2.840.113549.1.1.1'), nothing()),
    bits(der(sequence(integer(modulus), integer(Buffer.from([1, 0, 1]))))),
  ),
);
/** The generator of P-256 is a point of it. */
const point = Buffer.from(
  '046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5',
  'hex',
);
const ec = der(sequence(sequence(oid('1.2.840.10045.2.1'), oid('1.2.840.10045.3.1.7')), bits(point)));

const altNames = {
  dns: ['a.example', '*.b.example'],
  email: ['a@b.example'],
  ip: ['192.0.2.1', 'fd00::1'],
  uri: ['spiffe://a.example/b'],
};
const whole = {
  subject: { commonName: 'system:node:a', organizations: ['system:nodes', 'b'] },
  signingKey: key,
  notBefore: Date.UTC(2026, 0, 1),
  notAfter: Date.UTC(2051, 0, 1),
  serial: Buffer.from([0x81, 2, 3]),
} as const;
const SOUND: Readonly<Record<string, Buffer>> = {
  'a certificate': createCertificate({
    ...whole,
    publicKey: rsa,
    keyUsage: ['digitalSignature', 'keyEncipherment', 'keyCertSign'],
    extendedKeyUsage: ['serverAuth', 'clientAuth'],
    basicConstraints: { ca: true, pathLength: 3 },
    subjectKeyId: Buffer.alloc(20, 1),
    authorityKeyId: Buffer.alloc(20, 2),
    altNames,
  }).der,
  'a short certificate': createCertificate({ ...whole, subject: [], publicKey: ec }).der,
  'a request': createRequest({ key, subject: whole.subject, altNames }).der,
  'a short request': createRequest({ key, subject: { commonName: 'a' } }).der,
};

interface Element {
  readonly tag: number;
  readonly content: Buffer | readonly Element[];
  /** It is a text of octets, or of bits, and holds elements. */
  readonly wraps?: 'octets' | 'bits';
}

/** Elements one behind the other; undefined: they are none. */
function elementsIn(bytes: Buffer): readonly Element[] | undefined {
  const all: Element[] = [];
  for (let at = 0; at < bytes.length; ) {
    const [tag = 0, first = 0] = bytes.subarray(at, at + 2);
    const more = first < 0x80 ? 0 : first & 0x7f;
    const length = more === 0 ? first : Number(`0x${bytes.subarray(at + 2, at + 2 + more).toString('hex') || '0'}`);
    const start = at + 2 + more;
    if (more > 2 || start + length > bytes.length || at + 2 > bytes.length) return undefined;
    all.push(elementOf(tag, bytes.subarray(start, start + length)));
    at = start + length;
  }
  return all;
}
function elementOf(tag: number, content: Buffer): Element {
  const isWrapping = tag === 0x04 || (tag === 0x03 && content[0] === 0 && content[1] === 0x30);
  const inner = (tag & 0x20) !== 0 ? content : tag === 0x04 ? content : content.subarray(1);
  const within = (tag & 0x20) !== 0 || isWrapping ? elementsIn(inner) : undefined;
  if (within === undefined || (isWrapping && within.length !== 1)) return { tag, content };
  return { tag, content: within, ...(isWrapping ? { wraps: tag === 0x04 ? 'octets' : 'bits' } : {}) };
}
function bytesOf({ tag, content, wraps }: Element): Buffer {
  const inner = Buffer.isBuffer(content) ? content : Buffer.concat((content as readonly Element[]).map(bytesOf));
  const all = wraps === 'bits' ? Buffer.concat([Buffer.from([0]), inner]) : inner;
  const { length } = all;
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), all]);
}

/** What may be done to an element: what stands there then. */
const TAGS = [
  0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x0c, 0x13, 0x14, 0x16, 0x17, 0x18, 0x1e, 0x30, 0x31, 0x80, 0x81, 0x82, 0x86,
  0x87, 0xa0, 0xa3,
];
const inner = (one: Element): Buffer => {
  const all = bytesOf(one);
  const more = (all[1] ?? 0) < 0x80 ? 0 : (all[1] ?? 0) & 0x7f;
  return all.subarray(2 + more);
};
const changed = (bytes: Buffer, at: number, by: number): Buffer => {
  const copy = Buffer.from(bytes);
  if (copy.length > 0) copy[(at + copy.length) % copy.length] = (copy[(at + copy.length) % copy.length] ?? 0) ^ by;
  return copy;
};
/** Something behind the first of the elements that it holds. */
function between(one: Element, bytes: Buffer): readonly Element[] {
  if (Buffer.isBuffer(one.content)) return [one];
  const [first, ...rest] = one.content as readonly Element[];
  return [{ ...one, content: [...(first === undefined ? [] : [first]), ...(elementsIn(bytes) ?? []), ...rest] }];
}
const DEEDS: readonly (readonly [string, (one: Element) => readonly Element[]])[] = [
  ['left out', () => []],
  ['twice', (one) => [one, one]],
  ['with TRUE in second place', (one) => between(one, Buffer.from([1, 1, 0xff]))],
  ['with FALSE in second place', (one) => between(one, Buffer.from([1, 1, 0]))],
  [
    'turned round',
    (one) =>
      Buffer.isBuffer(one.content) ? [one] : [{ ...one, content: [...(one.content as readonly Element[])].reverse() }],
  ],
  ['empty', ({ tag }) => [{ tag, content: Buffer.alloc(0) }]],
  ...TAGS.map((tag) => [`tag ${tag.toString(16)}`, (one: Element) => [{ tag, content: inner(one) }]] as const),
  ...(
    [
      ['first bit', (bytes) => changed(bytes, 0, 0x80)],
      ['first byte', (bytes) => changed(bytes, 0, 0x01)],
      ['last byte', (bytes) => changed(bytes, -1, 0x01)],
      ['last bit', (bytes) => changed(bytes, -1, 0x80)],
      ['first byte 0', (bytes) => Buffer.concat([Buffer.from([0]), bytes.subarray(1)])],
      ['first byte 42', (bytes) => Buffer.concat([Buffer.from('*'), bytes.subarray(1)])],
      ['after 0', (bytes) => Buffer.concat([Buffer.from([0]), bytes])],
      ['after 255', (bytes) => Buffer.concat([Buffer.from([0xff]), bytes])],
      ['before 0', (bytes) => Buffer.concat([bytes, Buffer.from([0])])],
      ['before NULL', (bytes) => Buffer.concat([bytes, Buffer.from([5, 0])])],
      ['before nine', (bytes) => Buffer.concat([bytes, Buffer.alloc(9, 0x39)])],
      ['without its end', (bytes) => bytes.subarray(0, -1)],
    ] as const satisfies readonly (readonly [string, (bytes: Buffer) => Buffer])[]
  ).map(([name, act]) => [name, (one: Element) => [{ tag: one.tag, content: act(inner(one)) }]] as const),
];

/** The same with something done to the element at this place. */
function withDeed(
  one: Element,
  place: readonly number[],
  act: (one: Element) => readonly Element[],
): readonly Element[] {
  const [index, ...rest] = place;
  if (index === undefined) return act(one);
  const content = (one.content as readonly Element[]).flatMap((each, at) =>
    at === index ? withDeed(each, rest, act) : [each],
  );
  return [{ ...one, content }];
}
const placesIn = (one: Element, at: readonly number[] = []): readonly (readonly number[])[] => [
  at,
  ...(Buffer.isBuffer(one.content)
    ? []
    : (one.content as readonly Element[]).flatMap((each, index) => placesIn(each, [...at, index]))),
];

const plain = (_: string, value: unknown): unknown => {
  if (typeof value === 'bigint') return String(value);
  const { type, data } = (typeof value === 'object' && value !== null ? value : {}) as {
    type?: unknown;
    data?: unknown;
  };
  return type === 'Buffer' ? Buffer.from(data as number[]).toString('hex') : value;
};
/** What is said of each field, without those that hold the whole again. */
function factsOf(bytes: Buffer, isRequest: boolean): ReadonlyMap<string, string> {
  try {
    const facts: object = isRequest ? parseRequest(bytes) : parseCertificate(bytes);
    const kept = Object.entries(facts).filter(([name]) => !['der', 'tbs', 'signature', 'spki', 'pin'].includes(name));
    return new Map(kept.map(([name, value]) => [name, JSON.stringify(value, plain) ?? 'nothing']));
  } catch (error) {
    if (!(error instanceof PkiError)) throw error;
    return new Map([['', error.message]]);
  }
}

const short = (text: string): string =>
  text.length > 90 ? `${text.slice(0, 60)}… ${createHash('sha256').update(text).digest('hex').slice(0, 6)}` : text;
const lines = DEEDS.map(([deed], index) => `${index} ${deed}`);
for (const [name, bytes] of Object.entries(SOUND)) {
  const isRequest = name.includes('request');
  const sound = factsOf(bytes, isRequest);
  lines.push(name, ...[...sound].map(([field, value]) => ` ${field}: ${value}`));
  const [top] = elementsIn(bytes) ?? [];
  if (top === undefined) continue;
  for (const place of placesIn(top)) {
    const said = new Map<string, number[]>();
    for (const [deed, [, act]] of DEEDS.entries()) {
      const facts = factsOf(Buffer.concat(withDeed(top, place, act).map(bytesOf)), isRequest);
      const others = [...facts].filter(([field, value]) => sound.get(field) !== value);
      const words = others.map(([field, value]) => (field === '' ? value : `${field} ${short(value)}`)).join('; ');
      said.set(words, [...(said.get(words) ?? []), deed]);
    }
    lines.push(`${name}, ${place.join('.')}`);
    for (const [words, deeds] of said) lines.push(` ${ranges(deeds)}: ${words === '' ? 'as it was' : words}`);
  }
}

testRecorded(
  'what is read from odd bytes',
  packageFile('src/pki/recorded'),
  new Map([['bytes.txt', `${lines.join('\n')}\n`]]),
);
