/** IP addresses and networks by sight, and IPv4 addresses as numbers. */
import { isIPv4, isIPv6 } from 'node:net';

/** An address and the length of its network. */
export function isCidr(text: string): boolean {
  const [address = '', bits = '', more] = text.split('/');
  if (more !== undefined || !/^\d{1,3}$/.test(bits)) return false;
  return (isIPv4(address) && Number(bits) <= 32) || (isIPv6(address) && Number(bits) <= 128);
}

/** NaN for what is no IPv4 address. */
export const ipv4Number = (address: string): number =>
  isIPv4(address) ? address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0) : Number.NaN;

export const ipv4Text = (value: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
