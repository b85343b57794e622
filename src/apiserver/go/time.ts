/**
 * Times as Go's metav1.Time and MicroTime read them, with the complaints of time.Parse. Source: apimachinery,
 * pkg/apis/meta/v1/{time,micro_time}.go; Go, time/format.go.
 */

const SECONDS = '2006-01-02T15:04:05Z07:00';
const MICROSECONDS = '2006-01-02T15:04:05.000000Z07:00';

/** A text as package time quotes it: byte by byte beyond ASCII. */
export function quoteBytes(text: string): string {
  let out = '"';
  for (const byte of Buffer.from(text)) {
    const character = String.fromCharCode(byte);
    if (character === '"' || character === '\\') out += `\\${character}`;
    else out += byte < 0x20 || byte >= 0x80 ? `\\x${byte.toString(16).padStart(2, '0')}` : character;
  }
  return `${out}"`;
}

interface Step {
  readonly pattern: RegExp;
  /** what the layout calls this part */
  readonly layout: string;
  readonly range?: { readonly low: number; readonly high: number; readonly name: string };
}

const part = (pattern: RegExp, layout: string, range: NonNullable<Step['range']>): Step => ({ pattern, layout, range });
const plain = (pattern: RegExp, layout: string): Step => ({ pattern, layout });

const STEPS: readonly Step[] = [
  plain(/^\d{4}/, '2006'),
  plain(/^-/, '-'),
  part(/^\d{2}/, '01', { low: 1, high: 12, name: 'month' }),
  plain(/^-/, '-'),
  plain(/^\d{2}/, '02'),
  plain(/^T/, 'T'),
  part(/^\d{1,2}/, '15', { low: 0, high: 23, name: 'hour' }),
  plain(/^:/, ':'),
  part(/^\d{2}/, '04', { low: 0, high: 59, name: 'minute' }),
  plain(/^:/, ':'),
  part(/^\d{2}/, '05', { low: 0, high: 59, name: 'second' }),
];
const ZONE = /^(?:Z|[+-]\d{2}:\d{2})/;

const daysOf = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** What nearly all times look like; days that not every month has are looked at more closely. */
const USUAL = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

/** Why a text is no such time, in Go's words; undefined where it is one. */
export function timeFault(text: string, micro: boolean): string | undefined {
  if (!micro && USUAL.test(text)) return undefined;
  const whole = `parsing time ${quoteBytes(text)}`;
  const cannot = (rest: string, layout: string): string =>
    `${whole} as "${micro ? MICROSECONDS : SECONDS}": cannot parse ${quoteBytes(rest)} as "${layout}"`;
  let rest = text;
  const numbers: number[] = [];
  for (const { pattern, layout, range } of STEPS) {
    const found = pattern.exec(rest)?.[0];
    if (found === undefined) return cannot(rest, layout);
    rest = rest.slice(found.length);
    if (/\d/.test(found)) numbers.push(Number(found));
    if (range !== undefined && (Number(found) < range.low || Number(found) > range.high))
      return `${whole}: ${range.name} out of range`;
  }
  if (micro) {
    const fraction = /^[.,]\d{6}/.exec(rest)?.[0];
    if (fraction === undefined) return cannot(rest, '.000000');
    rest = rest.slice(fraction.length);
  } else rest = rest.replace(/^[.,]\d+/, '');
  const zone = ZONE.exec(rest)?.[0];
  if (zone === undefined) return cannot(rest, 'Z07:00');
  rest = rest.slice(zone.length);
  if (rest !== '') return `${whole}: extra text: ${quoteBytes(rest)}`;
  const [year = 0, month = 1, day = 1] = numbers;
  return day < 1 || day > daysOf(year, month) ? `${whole}: day out of range` : undefined;
}
