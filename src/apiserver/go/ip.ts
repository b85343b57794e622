/** IPv4 addresses and ranges as numbers, as far as ClusterIPs need them; IPv6 only by sight. */
import { isIPv4, isIPv6 } from 'node:net';

export { isIPv4, isIPv6 };
export const isIp = (text: string): boolean => isIPv4(text) || isIPv6(text);

/** An address and the length of its network. */
export function isCidr(text: string): boolean {
  const [address = '', bits = '', more] = text.split('/');
  if (more !== undefined || !/^\d{1,3}$/.test(bits)) return false;
  return (isIPv4(address) && Number(bits) <= 32) || (isIPv6(address) && Number(bits) <= 128);
}

const toNumber = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
const toText = (value: number): string => [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');

export interface Range {
  readonly first: number;
  readonly size: number;
  readonly text: string;
}

/** An IPv4 CIDR; undefined where it is none. */
export function parseRange(cidr: string): Range | undefined {
  const [address = '', bits = ''] = cidr.split('/');
  if (!isIPv4(address) || !/^\d{1,2}$/.test(bits) || Number(bits) > 32) return undefined;
  const size = 2 ** (32 - Number(bits));
  return { first: Math.floor(toNumber(address) / size) * size, size, text: cidr };
}

/** Neither the network's own address nor its broadcast address is given out. */
export const inRangeForUse = (range: Range, address: string): boolean => {
  const offset = isIPv4(address) ? toNumber(address) - range.first : -1;
  return offset > 0 && offset < range.size - 1;
};
export const addressAt = (range: Range, offset: number): string => toText(range.first + offset);
