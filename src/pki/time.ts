/** UTCTime and GeneralizedTime as Go's cryptobyte reads them. */
import { PkiError } from './asn1-go.js';
import { type DerReader, TAG } from './der-read.js';

const UTC = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?(Z|[+-]\d{4})$/;
const GENERALIZED = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(Z|[+-]\d{4})$/;

/** Milliseconds since the epoch. Throws PkiError with Go's text. Source: crypto/x509 parseTime. */
export function readTime(reader: DerReader): number {
  const utc = reader.peek() === TAG.utcTime;
  if (!utc && reader.peek() !== TAG.generalizedTime) throw new PkiError('x509: unsupported time format');
  const text = reader.any()?.content.toString('latin1') ?? '';
  const at = parse((utc ? UTC : GENERALIZED).exec(text), utc);
  if (at === undefined) throw new PkiError(`x509: malformed ${utc ? 'UTCTime' : 'GeneralizedTime'}`);
  return at;
}

function parse(match: RegExpExecArray | null, twoDigits: boolean): number | undefined {
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? '0'));
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const full = twoDigits ? (year >= 50 ? 1900 + year : 2000 + year) : year;
  const date = new Date(0);
  date.setUTCFullYear(full, month - 1, day);
  date.setUTCHours(hour ?? 0, minute ?? 0, second ?? 0);
  const same =
    date.getUTCFullYear() === full &&
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    date.getUTCHours() === hour &&
    date.getUTCMinutes() === minute;
  if (!same || date.getUTCSeconds() !== (second ?? 0)) return undefined;
  const zone = match[7] ?? 'Z';
  // An offset of zero is written Z: Go compares what it would have written itself.
  if (zone === '+0000' || zone === '-0000') return undefined;
  const minutes = zone === 'Z' ? 0 : Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3, 5));
  return date.getTime() - (zone.startsWith('-') ? -minutes : minutes) * 60_000;
}
