/**
 * What each rule hands to its checks on the unchanged reference: with which parameters, and of what shape. A step or a
 * reader that looks at less, or asks a check for less, is seen by that, though nothing there is to be found.
 */
import { createHash } from 'node:crypto';
import { isRecord } from '../kubernetes/json.js';
import type { Report } from '../model/report.js';
import { stable } from './rows.js';
import { type Lines, RuleLines } from './rule-lines.js';

export const givenLists = new RuleLines(
  'src/matrix/given',
  '# What checks of each rule are given on the unchanged reference: digests of parameters and of what was seen. Written by: npm run matrix -- --update',
);

/** What every run has anew: times, texts that are encoded, digests, serial numbers, versions of objects. */
const OF_A_RUN: readonly (readonly [RegExp, string])[] = [
  [/\b(ResourceVersion in (?:the precondition|record) \()\d+/g, '$1…'],
  [/\d{4}-\d\d-\d\d[T -]\d\d[:-]\d\d[:-]\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d| [+-]\d{4} [A-Z]+)?/g, '…'],
  [/-----BEGIN ([A-Z ]+)-----[^-]*-----END [A-Z ]+-----/g, '$1'],
  [/[A-Za-z0-9+/_=-]{40,}/g, '…'],
  [/\b[a-z0-9]{6}\.(?:[a-z0-9]{16}\b|\[redacted\])/g, '…'],
  [/\b(?=[A-Za-z]*\d)[A-Za-z0-9]{15,}\b/g, '…'],
  [/\b\d{5,}\b/g, '…'],
];
/** Of what is seen also words as long as ids, names and halves: which letters they have is left to chance. */
const MADE: readonly (readonly [RegExp, string])[] = [
  [/\b(?:[a-z0-9]{6}|[a-z0-9]{10}|[a-z0-9]{12}|[a-z0-9]{16})\b/g, '…'],
];
const KEYS_OF_A_RUN = ['uid', 'resourceVersion', 'serial', 'digest', 'given'];
/** Ports above are whichever was free; times are. */
const LARGEST = 32_767;

type Plain = (text: string) => string;
const plainly =
  (patterns: typeof OF_A_RUN): Plain =>
  (text) =>
    patterns.reduce((rest, [pattern, kept]) => rest.replace(pattern, kept), stable(text));
const ofParameters = plainly(OF_A_RUN);
const ofSeen = plainly([...OF_A_RUN, ...MADE]);

/** A value as every run has it. */
function shapeOf(value: unknown, plain: Plain): unknown {
  if (typeof value === 'string') return plain(value);
  if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) <= LARGEST ? value : '…';
  // how many tokens or requests others have there is left to chance
  if (Array.isArray(value)) return [...new Set(value.map((one) => JSON.stringify(shapeOf(one, plain))))];
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [plain(key), KEYS_OF_A_RUN.includes(key) ? '…' : shapeOf(one, plain)]),
  );
}

const digestOf = (value: unknown, plain: Plain): string =>
  createHash('sha256')
    .update(JSON.stringify(shapeOf(value, plain)) ?? '')
    .digest('hex')
    .slice(0, 8);

/** What programs and controllers do by the clock is seen at another moment each time. */
const isTimed = (check: string): boolean =>
  /^(?:joining-|joined-|(?:preflight|uploaded|jws|renewals|request-access|request-progress)\/|access\/came-through$|init-makes\/follows$|client-requests\/)/.test(
    check,
  );

/** Of a report that holds all that was seen. */
export function givenIn({ rules, observations }: Report): Lines {
  const digests = new Map<string, string>();
  const seen = (key: string): string => {
    const known = digests.get(key) ?? digestOf(observations[key], ofSeen);
    digests.set(key, known);
    return known;
  };
  return Object.fromEntries(
    rules.map(({ id, scenarios }) => {
      const lines = scenarios.flatMap((scenario) =>
        scenario.judgements.flatMap(({ check, parameters, observation }) => {
          if (check === null) return [];
          const asked = parameters === null || parameters === undefined ? '-' : digestOf(parameters, ofParameters);
          const of = observation === null || isTimed(check) ? '-' : seen(observation);
          return [`${scenario.id.replace(/^[^/]*\//, '')} ${check} ${asked} ${of}`];
        }),
      );
      return [id, [...new Set(lines)].sort()];
    }),
  );
}
