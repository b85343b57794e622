/** IP addresses as bytes and as the text that Go's net.IP prints. */
import { isIPv4, isIPv6 } from 'node:net';

/** 4 or 16 bytes of an address in text; undefined where it is none. Zones are no part of an address. */
export function ipBytes(text: string): Buffer | undefined {
  if (isIPv4(text)) return Buffer.from(text.split('.').map(Number));
  if (!isIPv6(text) || text.includes('%')) return undefined;
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const tail = dotted?.[2]?.split('.').map(Number) ?? [];
  const groups = (part: string): number[] =>
    part === ''
      ? []
      : part
          .split(':')
          .filter((group) => group !== '')
          .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]);
  const head = dotted?.[1] ?? text;
  const gap = head.indexOf('::');
  const before = gap < 0 ? groups(head) : groups(head.slice(0, gap));
  const after = [...(gap < 0 ? [] : groups(head.slice(gap + 2))), ...tail];
  return Buffer.from([...before, ...new Array<number>(16 - before.length - after.length).fill(0), ...after]);
}

const MAPPED = Buffer.from('00000000000000000000ffff', 'hex');

/** 16 bytes that hold an IPv4 address become 4, as Go's To4. */
export const shortestIp = (bytes: Buffer): Buffer =>
  bytes.length === 16 && bytes.subarray(0, 12).equals(MAPPED) ? bytes.subarray(12) : bytes;

/** RFC 5952 text of 4 or 16 bytes. */
export function ipText(bytes: Buffer): string {
  const short = shortestIp(bytes);
  if (short.length === 4) return [...short].join('.');
  const groups = Array.from({ length: 8 }, (_, i) => short.readUInt16BE(i * 2));
  let best = { start: -1, length: 1 };
  for (let start = 0; start < 8; start++) {
    let length = 0;
    while (start + length < 8 && groups[start + length] === 0) length++;
    if (length > best.length) best = { start, length };
  }
  const hex = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(':');
  return best.start < 0
    ? hex(groups)
    : `${hex(groups.slice(0, best.start))}::${hex(groups.slice(best.start + best.length))}`;
}
