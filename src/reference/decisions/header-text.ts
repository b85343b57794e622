/** Text of headers. Values are bytes (latin1), as Node hands them over. */

export const utf8 = (value: string): string => Buffer.from(value, 'latin1').toString('utf8');

/** Go's url.PathUnescape; text that does not decode is taken as it is. */
export function unescapeKey(key: string): string {
  if (!/^(?:[^%]|%[0-9a-fA-F]{2})*$/.test(key)) return key;
  return utf8(key.replaceAll(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))));
}
