/**
 * What checks have said: an observation, what it was put to a check with and what the check found, without what differs
 * from run to run. Pure.
 */
import { stable } from '../../matrix/rows.js';
import type { Finding } from '../../model/finding.js';
import type { Report } from '../../model/report.js';
import { packed } from './packed.js';

export interface Case {
  readonly check: string;
  /** null where the check needs none. */
  readonly observation: unknown;
  readonly parameters?: unknown;
  /** What it demands is taken for granted there: its findings are controls. */
  readonly taken?: true;
  readonly findings: readonly Finding[];
}

/** Times, hashes, keys and certificates: the same thing has others in every run. */
const OF_A_RUN: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, 'time'],
  [/\b\d{10,}\b/g, 'number'],
  [/\b[0-9a-f]{16,}\b/g, 'hash'],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'uid'],
  [/[A-Za-z0-9+/_-]{60,}=*/g, 'bytes'],
  [/\b[a-z0-9]{6}\b/g, 'word'],
];

/** The same for the same thing in every run. */
export const likeness = ({ check, observation, parameters }: Case): string =>
  OF_A_RUN.reduce(
    (text, [pattern, kept]) => text.replace(pattern, kept),
    stable(JSON.stringify([check, observation, parameters])),
  );

/** Bootstrap tokens and private keys: of these, only what a test has made is here, but nobody could tell. */
export const SECRET = /\b[a-z0-9]{6}\.[a-z0-9]{16}\b|PRIVATE KEY|"(?:token-secret|client-key-data)":"(?!\*)/;

/** The cases of a report that was judged again: its findings are those of what it holds. */
export const casesOf = ({ rules, observations }: Report): readonly Case[] =>
  rules.flatMap(({ scenarios }) =>
    scenarios.flatMap(({ judgements }) =>
      judgements.flatMap(({ check, observation, parameters, taken, findings, more }) =>
        check === null || more !== undefined
          ? []
          : [
              {
                check,
                observation: observation === null ? null : observations[observation],
                ...(parameters === undefined ? {} : { parameters }),
                ...(taken === undefined ? {} : { taken }),
                findings,
              },
            ],
      ),
    ),
  );

/** Keeps what has not been seen the like of. */
export class Kept {
  readonly #seen = new Set<string>();

  of(cases: readonly Case[]): readonly Case[] {
    return cases.filter((one) => {
      const like = likeness(one);
      if (this.#seen.has(like) || SECRET.test(JSON.stringify(one))) return false;
      this.#seen.add(like);
      return true;
    });
  }
}

/** What is quoted of an answer names who asked and for what. */
const QUOTED = /"[^"]*"/g;

const said = ({ check, findings }: Case): readonly string[] =>
  findings.length === 0
    ? [`${check}: nothing`]
    : findings.map(({ role, result, demanded, seen, note = '' }) =>
        `${check} ${role} ${result}: ${stable(demanded)}: ${stable(seen).replace(QUOTED, '"…"')} ${note}`.replace(
          /\d+/g,
          '0',
        ),
      );

/** Characters that cases of one check may take beside what is shared. */
const ROOM = 40_000;

/** Together they say all there is to say beside what is known, as far as there is room; the shortest that do. */
export function fewest(cases: readonly Case[], already: readonly Case[] = []): readonly Case[] {
  const known = new Set(already.flatMap(said));
  const taken = new Map<string, number>();
  const lengths = packed(cases).values.map((value) => JSON.stringify(value).length);
  return cases
    .map((one, index) => ({ one, length: lengths[index] ?? 0, like: likeness(one) }))
    .sort((a, b) => a.length - b.length || (a.like < b.like ? -1 : 1))
    .filter(({ one, length }) => {
      const news = said(one).filter((text) => !known.has(text));
      const room = (taken.get(one.check) ?? 0) + length;
      if (news.length === 0 || room > ROOM) return false;
      for (const text of news) known.add(text);
      taken.set(one.check, room);
      return true;
    })
    .map(({ one }) => one);
}
