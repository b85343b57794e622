/**
 * RFC 3339 as Go reads it, which is neither the RFC nor what Date.parse takes. Source: Go, src/time/format.go parse
 * with layout time.RFC3339.
 * Accepted beyond the RFC: one-digit hour, comma before the fraction, offsets of 24 hours and 60 minutes. Refused:
 * lower case t and z, second 60.
 */

const SHAPE = /^(\d{4})-(\d{2})-(\d{2})T(\d{1,2}):(\d{2}):(\d{2})(?:[.,](\d+))?(?:Z|([+-])(\d{2}):(\d{2}))$/;

const daysIn = (year: number, month: number): number => {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
};

/**
 * Milliseconds since the epoch (with a fraction where the text has one beyond milliseconds), or undefined where Go
 * refuses the text.
 */
export function parseGoRfc3339(text: string): number | undefined {
  const match = SHAPE.exec(text);
  // `$` would also match before a trailing newline in other engines; JavaScript's without the m flag does not.
  if (match === null) return undefined;
  const [, y, mo, d, h, mi, s, fraction, sign, offsetHours, offsetMinutes] = match;
  const year = Number(y);
  const month = Number(mo);
  const day = Number(d);
  const hour = Number(h);
  const minute = Number(mi);
  const second = Number(s);
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const nanoseconds = fraction === undefined ? 0 : Number(fraction.slice(0, 9).padEnd(9, '0'));
  let offset = 0;
  if (sign !== undefined) {
    const hours = Number(offsetHours);
    const minutes = Number(offsetMinutes);
    if (hours > 24 || minutes > 60) return undefined;
    offset = (sign === '-' ? -1 : 1) * (hours * 60 + minutes) * 60_000;
  }
  // Date.UTC would move the years 0 to 99 into the twentieth century.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, 0);
  return date.getTime() - offset + nanoseconds / 1e6;
}
