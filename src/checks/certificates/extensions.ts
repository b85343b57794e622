/** X.509 extensions as the judge reads them, of certificates and of requests. Source: RFC 5280, 4.2. */
import { isSet, type Node, oidOf, readDer, sequenceOf, Unreadable } from './der.js';

/** Alternative names; addresses in their shortest text. `other` counts the kinds that Kubernetes does not know. */
export interface AltNames {
  readonly dns: readonly string[];
  readonly email: readonly string[];
  readonly ip: readonly string[];
  readonly uri: readonly string[];
  readonly other: number;
}

export const NO_NAMES: AltNames = { dns: [], email: [], ip: [], uri: [], other: 0 };

/** What extensions say; a member is missing where the extension is. */
export interface Extensions {
  readonly altNames: AltNames;
  readonly keyUsage?: readonly string[];
  /** Names where known, dotted identifiers else. */
  readonly extendedKeyUsage?: readonly string[];
  readonly ca: boolean;
  /** How many authorities may stand between it and a leaf; left out: any number. */
  readonly pathLength?: number;
  /** Dotted identifiers of all of them, in order. */
  readonly ids: readonly string[];
  /** Of those that are critical, where there are. */
  readonly critical?: readonly string[];
}

const KEY_USAGES = [
  'digitalSignature',
  'contentCommitment',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'cRLSign',
  'encipherOnly',
  'decipherOnly',
] as const;

const PURPOSES: Readonly<Record<string, string>> = {
  '2.5.29.37.0': 'any',
  '1.3.6.1.5.5.7.3.1': 'serverAuth',
  '1.3.6.1.5.5.7.3.2': 'clientAuth',
};

const IPV4_IN_IPV6 = Buffer.from('00000000000000000000ffff', 'hex');

function addressOf(bytes: Buffer): string {
  const [v4] = [bytes.length === 16 && bytes.subarray(0, 12).equals(IPV4_IN_IPV6) ? bytes.subarray(12) : bytes];
  if (v4.length === 4) return v4.join('.');
  if (v4.length !== 16) throw new Unreadable('an alternative name is an address of a length that none has');
  const groups = Array.from({ length: 8 }, (_, at) => v4.readUInt16BE(at * 2).toString(16));
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}

/** E-mail addresses, DNS names and URIs. */
const IA5 = [1, 2, 6];

function altNamesOf(node: Node): AltNames {
  const names = { dns: [] as string[], email: [] as string[], ip: [] as string[], uri: [] as string[], other: 0 };
  for (const { tag, content } of sequenceOf(node, 'the list of alternative names')) {
    // Source: Go crypto/x509 isIA5String.
    if (IA5.includes(tag) && content.some((byte) => byte > 127))
      throw new Unreadable('an alternative name holds what is no ASCII');
    if (tag === 1) names.email.push(content.toString('latin1'));
    else if (tag === 2) names.dns.push(content.toString('latin1'));
    else if (tag === 6) names.uri.push(content.toString('latin1'));
    else if (tag === 7) names.ip.push(addressOf(content));
    else names.other += 1;
  }
  return names;
}

/** Reads SEQUENCEs of extensions. Throws Unreadable, also where one stands there twice. */
export function readExtensions(lists: readonly Node[] = []): Extensions {
  const found = lists.flatMap((list) => sequenceOf(list, 'the list of extensions'));
  const read = { altNames: NO_NAMES, ca: false };
  // there may be tens of thousands
  const ids = new Set<string>();
  const critical: string[] = [];
  for (const extension of found) {
    const parts = sequenceOf(extension, 'an extension');
    const id = oidOf(parts[0]);
    const value = parts.at(-1);
    if (value?.tag !== 4) throw new Unreadable(`the extension ${id} has no value`);
    if (ids.has(id)) throw new Unreadable(`the extension ${id} stands there twice`);
    ids.add(id);
    if (parts.length === 3 && parts[1]?.tag === 1 && parts[1].content[0] === 255) critical.push(id);
    Object.assign(read, known(id, value.content));
  }
  return { ...read, ids: [...ids], ...(critical.length === 0 ? {} : { critical }) };
}

function known(id: string, value: Buffer): Partial<Extensions> {
  switch (id) {
    case '2.5.29.15': {
      const { content } = readDer(value);
      return { keyUsage: KEY_USAGES.filter((_, bit) => isSet(content, bit)) };
    }
    case '2.5.29.17':
      return { altNames: altNamesOf(readDer(value)) };
    case '2.5.29.19': {
      const parts = sequenceOf(readDer(value), 'basicConstraints');
      const length = parts.find(({ tag }) => tag === 2)?.content;
      return {
        ca: parts.some(({ tag, content }) => tag === 1 && content[0] === 255),
        ...(length === undefined ? {} : { pathLength: Number(`0x${length.toString('hex') || '0'}`) }),
      };
    }
    case '2.5.29.37': {
      const ids = sequenceOf(readDer(value), 'extKeyUsage').map(oidOf);
      return { extendedKeyUsage: ids.map((usage) => PURPOSES[usage] ?? usage) };
    }
    default:
      return {};
  }
}

/** All alternative names that have a text. */
export const namesIn = ({ dns, ip, email, uri }: AltNames): string[] => [...dns, ...ip, ...email, ...uri];
