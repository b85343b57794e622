/**
 * Spans of time as kubectl prints ages, and as Go reads them. Source: apimachinery, pkg/util/duration/duration.go
 * HumanDuration; Go, time.ParseDuration.
 */
import { quoteBytes } from './time.js';

const UNITS = { s: 1, m: 60, h: 3600, d: 86_400, y: 365 * 86_400 } as const;
type Unit = keyof typeof UNITS;

/** Below so many seconds: the larger unit, and a smaller one that is shown beside it where it is not zero. */
const STEPS: readonly (readonly [number, Unit, Unit?])[] = [
  [120, 's'],
  [10 * UNITS.m, 'm', 's'],
  [3 * UNITS.h, 'm'],
  [8 * UNITS.h, 'h', 'm'],
  [48 * UNITS.h, 'h'],
  [8 * UNITS.d, 'd', 'h'],
  [2 * UNITS.y, 'd'],
  [8 * UNITS.y, 'y', 'd'],
];

/** @param milliseconds negative where the clock that wrote the time is ahead */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  const [, big, small] = STEPS.find(([below]) => seconds < below) ?? [Infinity, 'y'];
  const rest = small === undefined ? 0 : Math.floor((seconds % UNITS[big]) / UNITS[small]);
  return `${Math.floor(seconds / UNITS[big])}${big}${rest === 0 ? '' : `${rest}${small}`}`;
}

/** Nanoseconds of each unit. Source: Go, time/format.go unitMap. */
const NANOSECONDS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);
/** What an int64 holds of less than nothing; one less of more. */
const LONGEST = 2n ** 63n;

/** Why Go does not read a text as a duration, in its words; undefined where it does. Source: Go, time.ParseDuration. */
export function durationProblem(text: string): string | undefined {
  const invalid = `time: invalid duration ${quoteBytes(text)}`;
  const unsigned = text.replace(/^[-+]/, '');
  if (unsigned === '0') return undefined;
  if (unsigned === '') return invalid;
  let nanoseconds = 0n;
  for (let at = 0; at < unsigned.length; ) {
    const number = numberAt(unsigned, at);
    if (!/\d/.test(number)) return invalid;
    const unit = unitAt(unsigned, at + number.length);
    if (unit === '') return `time: missing unit in duration ${quoteBytes(text)}`;
    const length = NANOSECONDS.get(unit);
    if (length === undefined) return `time: unknown unit ${quoteBytes(unit)} in duration ${quoteBytes(text)}`;
    const [whole = '', fraction = ''] = number.split('.');
    nanoseconds += BigInt(whole) * length + (BigInt(fraction) * length) / 10n ** BigInt(fraction.length);
    if (nanoseconds > LONGEST) return invalid;
    at += number.length + unit.length;
  }
  return nanoseconds === LONGEST && !text.startsWith('-') ? invalid : undefined;
}

function numberAt(text: string, at: number): string {
  let end = at;
  while (isDigit(text.charAt(end))) end += 1;
  if (text.charAt(end) === '.') end += 1;
  while (isDigit(text.charAt(end))) end += 1;
  return text.slice(at, end);
}

function unitAt(text: string, at: number): string {
  let end = at;
  while (end < text.length && text.charAt(end) !== '.' && !isDigit(text.charAt(end))) end += 1;
  return text.slice(at, end);
}

const isDigit = (character: string): boolean => character >= '0' && character <= '9';
