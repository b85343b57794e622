/**
 * Spans of time as kubectl prints ages, and as Go reads them. Source: apimachinery, pkg/util/duration/duration.go
 * HumanDuration; Go, time.ParseDuration.
 */
import { goQuote } from './text.js';

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
const NANOSECONDS: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 6e10,
  h: 3.6e12,
};
/** What an int64 holds no more. */
const TOO_LONG = 2 ** 63;

/** Why Go does not read a text as a duration, in its words; undefined where it does. Source: Go, time.ParseDuration. */
export function durationProblem(text: string): string | undefined {
  const invalid = `time: invalid duration ${goQuote(text)}`;
  const unsigned = text.replace(/^[-+]/, '');
  if (unsigned === '0') return undefined;
  if (unsigned === '') return invalid;
  let nanoseconds = 0;
  for (let at = 0; at < unsigned.length; ) {
    const number = numberAt(unsigned, at);
    if (!/\d/.test(number)) return invalid;
    const unit = unitAt(unsigned, at + number.length);
    if (unit === '') return `time: missing unit in duration ${goQuote(text)}`;
    const length = Object.hasOwn(NANOSECONDS, unit) ? NANOSECONDS[unit] : undefined;
    if (length === undefined) return `time: unknown unit ${goQuote(unit)} in duration ${goQuote(text)}`;
    nanoseconds += Number(number) * length;
    if (nanoseconds >= TOO_LONG) return invalid;
    at += number.length + unit.length;
  }
  return undefined;
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
