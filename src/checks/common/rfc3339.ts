/**
 * The time stamps that a Go program reads as RFC 3339, written for the judge alone: the bundled reference has a reader
 * of its own, so that one mistake cannot hide in both. Neither the RFC nor Date.parse has exactly this set. Pure.
 * Source: Go, src/time/format_rfc3339.go parseStrictRFC3339 and src/time/format.go Parse with the layout RFC3339; RFC
 * 3339, 5.6.
 */

export type Rfc3339 =
  /** `strict`: RFC 3339 has it too. `utc`: written with the suffix Z. `at`: milliseconds since the epoch. */
  | { readonly readable: true; readonly at: number; readonly strict: boolean; readonly utc: boolean }
  | { readonly readable: false; readonly because: string };

const refuse = (because: string): Rfc3339 => ({ readable: false, because });

/** Takes digits off a text from the left; `undefined` once something did not fit. */
class Cursor {
  #at = 0;
  constructor(readonly text: string) {}

  /** Between `least` and `most` ASCII digits, as many as there are. */
  digits(least: number, most: number): string | undefined {
    let end = this.#at;
    while (end - this.#at < most && isDigit(this.text[end])) end += 1;
    if (end - this.#at < least) return undefined;
    const found = this.text.slice(this.#at, end);
    this.#at = end;
    return found;
  }

  /** One of these characters. */
  one(of: string): string | undefined {
    const found = this.text[this.#at];
    if (found === undefined || !of.includes(found)) return undefined;
    this.#at += 1;
    return found;
  }

  get over(): boolean {
    return this.#at === this.text.length;
  }
}

const isDigit = (character: string | undefined): boolean =>
  character !== undefined && character >= '0' && character <= '9';
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;
const isLeap = (year: number): boolean => year % 400 === 0 || (year % 4 === 0 && year % 100 !== 0);

/** Reads one time stamp. Nothing is trimmed. */
export function readRfc3339(text: string): Rfc3339 {
  const cursor = new Cursor(text);
  const year = cursor.digits(4, 4);
  const month = cursor.one('-') && cursor.digits(2, 2);
  const day = cursor.one('-') && cursor.digits(2, 2);
  if (!year || !month || !day) return refuse('it does not begin with a date such as 2027-03-10');
  if (!cursor.one('T')) return refuse('date and time are not joined by a capital T');
  const hour = cursor.digits(1, 2);
  const minute = cursor.one(':') && cursor.digits(2, 2);
  const second = cursor.one(':') && cursor.digits(2, 2);
  if (!hour || !minute || !second) return refuse('it has no time such as 03:22:11');
  const separator = cursor.one('.,');
  const fraction = separator === undefined ? '' : cursor.digits(1, Number.POSITIVE_INFINITY);
  if (fraction === undefined) return refuse('no digit follows the decimal point');
  const zone = cursor.one('Z+-');
  if (zone === undefined) return refuse('it has no time zone: Z, or an offset such as +08:00');
  const offsetHour = zone === 'Z' ? '0' : cursor.digits(2, 2);
  const offsetMinute = zone === 'Z' ? '0' : cursor.one(':') && cursor.digits(2, 2);
  if (!offsetHour || !offsetMinute) return refuse('its offset is not written like +08:00');
  if (!cursor.over) return refuse('something follows the time zone');

  const [y, mo, d, h, mi, s] = [year, month, day, hour, minute, second].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const last = mo === 2 && isLeap(y) ? 29 : DAYS[mo - 1];
  if (last === undefined) return refuse(`there is no month ${month}`);
  if (d < 1 || d > last) return refuse(`the month ${year}-${month} has no day ${day}`);
  if (h > 23) return refuse(`there is no hour ${hour}`);
  if (mi > 59) return refuse(`there is no minute ${minute}`);
  if (s > 59) return refuse(`there is no second ${second} (Go knows no leap seconds)`);
  const [oh, om] = [Number(offsetHour), Number(offsetMinute)];
  if (oh > 24 || om > 60) return refuse('its offset is longer than a day');

  const midnight = new Date(0).setUTCFullYear(y, mo - 1, d);
  const local = midnight + ((h * 60 + mi) * 60 + s) * 1000 + (fraction === '' ? 0 : Number(`0.${fraction}`) * 1000);
  const offset = (zone === '-' ? -1 : 1) * (oh * 60 + om) * 60_000;
  const strict = separator !== ',' && hour.length === 2 && oh <= 23 && om <= 59;
  return { readable: true, at: local - offset, strict, utc: zone === 'Z' };
}

/** An instant as kubeadm writes it: UTC, whole seconds, Z. */
export const writeRfc3339 = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

/** The same instant as a clock shows it that is `hours` ahead of UTC; the judge's own means of writing offsets. */
export function writeWithOffset(at: number, offset: string): string {
  const [hours = '', minutes = ''] = offset.split(':');
  const east = (Number(hours.slice(1)) * 60 + Number(minutes)) * (offset.startsWith('-') ? -1 : 1);
  return new Date(at + east * 60_000).toISOString().slice(0, 19) + offset;
}
