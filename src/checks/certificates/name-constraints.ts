/**
 * What an authority may sign, as Go holds its certificates to it: names that are permitted and excluded, and purposes,
 * of the root as of all between. Source: RFC 5280, 4.2.1.10; crypto/x509 verify.go, checkNameConstraints.
 */
import { isAmong } from '../../kubernetes/no-proxy.js';
import type { CertificateSeen } from '../node-files/node-seen.js';
import { type Node, sequenceOf } from './der.js';
import type { AltNames } from './extensions.js';

/** DNS names as they are written; networks as "address/bits". */
export interface NamesWithin {
  readonly dns: readonly string[];
  readonly ip: readonly string[];
}
export interface NameLimits {
  readonly permitted: NamesWithin;
  readonly excluded: NamesWithin;
}

const DNS = 2;
const ADDRESS = 7;
const LENGTHS = [8, 32];

const bitsOf = (mask: Buffer): number =>
  [...mask].reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0);
function networkOf(bytes: Buffer): string {
  const address = bytes.subarray(0, bytes.length / 2);
  const written =
    address.length === 4
      ? address.join('.')
      : Array.from({ length: 8 }, (_, at) => address.readUInt16BE(at * 2).toString(16)).join(':');
  return `${written}/${bitsOf(bytes.subarray(bytes.length / 2))}`;
}

function within(list: Node | undefined): NamesWithin {
  const bases = (list?.parts ?? []).flatMap((subtree) => sequenceOf(subtree, 'a subtree').slice(0, 1));
  return {
    dns: bases.filter(({ tag }) => tag === DNS).map(({ content }) => content.toString('latin1').toLowerCase()),
    ip: bases
      .filter(({ tag, content }) => tag === ADDRESS && LENGTHS.includes(content.length))
      .map(({ content }) => networkOf(content)),
  };
}

/** Of the value of the extension. Throws Unreadable. */
export function nameLimits(value: Node): NameLimits {
  const lists = sequenceOf(value, 'the name constraints');
  const of = (tag: number): NamesWithin => within(lists.find((node) => node.class === 2 && node.tag === tag));
  return { permitted: of(0), excluded: of(1) };
}

/** "example.com" is itself and all below it, ".example.com" only that. */
function isBelow(name: string, domain: string): boolean {
  if (domain === '') return true;
  const host = name.toLowerCase().replace(/\.$/, '');
  return domain.startsWith('.') ? host.endsWith(domain) : host === domain || host.endsWith(`.${domain}`);
}
const isIn = (address: string, network: string): boolean => {
  const [base = '', bits] = network.split('/');
  return isAmong(address, base, bits);
};

/** Whether an authority may sign for a name or an address. */
export function maySign({ permitted, excluded }: NameLimits, name: string): boolean {
  const kind = /^[\d.]+$|:/.test(name) ? 'ip' : 'dns';
  const fits = kind === 'dns' ? isBelow : isIn;
  const isPermitted = permitted[kind].length === 0 || permitted[kind].some((one) => fits(name, one));
  return isPermitted && !excluded[kind].some((one) => fits(name, one));
}

const OURS = ['serverAuth', 'clientAuth'];

/** What a leaf is for, and its authority may not let it be. */
export function beyond({ limits, facts }: CertificateSeen, leaf: CertificateSeen['facts']): readonly string[] {
  const { dns, ip }: AltNames = leaf.altNames;
  const names = limits === undefined ? [] : [...dns, ...ip].filter((name) => !maySign(limits, name));
  const may = facts.extendedKeyUsage ?? [];
  const isOpen = may.length === 0 || may.includes('any');
  const usages = isOpen ? [] : (leaf.extendedKeyUsage ?? []).filter((one) => OURS.includes(one) && !may.includes(one));
  return [...names, ...usages];
}
