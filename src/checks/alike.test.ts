/**
 * A name that looks alike is another name: where another name changes what a check finds in a recorded case, so do
 * other letters, a blank, a longer one and none at all, and a second name beside the first is looked at as well.
 * src/checks/cases/alike.txt has the names, and after them what the check takes for the same on purpose.
 * `node dist/src/checks/alike.test.js --write` looks for them anew: git diff tells what is read more loosely now.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { isRecord } from '../kubernetes/json.js';
import type { Check } from '../model/check.js';
import { packageFile } from '../run/package-root.js';
import { checkOf } from '../run/registry.js';
import type { Case } from '../tools/cases/cases.js';
import { readCases } from '../tools/cases/files.js';
import { byCheck } from '../tools/cases/neighbours.js';
import { LOOKS, otherName } from './common/twins.testing.js';

type Place = readonly (string | number)[];
type Value = unknown;

/** A name in a recorded case that matters to its check. */
interface Name {
  readonly check: string;
  /** "observation.*.username" */
  readonly place: string;
  readonly value: string;
  /** Changes of it that change nothing. */
  readonly loose: readonly string[];
}

const FILE = packageFile('src/checks/cases/alike.txt');

const at = (value: Value, place: Place): Value =>
  place.reduce<Value>((inner, step) => (inner as Record<string | number, Value> | null | undefined)?.[step], value);

function replaced(value: Value, [step, ...rest]: Place, other: Value): Value {
  if (step === undefined) return other;
  if (Array.isArray(value)) return value.map((one, index) => (index === step ? replaced(one, rest, other) : one));
  const record = value as Readonly<Record<string, Value>>;
  return { ...record, [step]: replaced(record[step], rest, other) };
}

/** Texts that may be names, with where they stand. */
function textsOf(value: Value): readonly Place[] {
  const places: Place[] = [];
  const look = (inner: Value, place: Place): void => {
    if (typeof inner === 'string') {
      if (inner !== '' && inner.length <= 60 && otherName(inner) !== inner) places.push(place);
    } else if (Array.isArray(inner)) for (const [index, one] of inner.entries()) look(one, [...place, index]);
    else if (isRecord(inner)) for (const [key, one] of Object.entries(inner)) look(one, [...place, key]);
  };
  look(value, []);
  return places;
}

const shown = (place: Place): string => place.map((step) => (typeof step === 'number' ? '*' : step)).join('.');

const keyOf = (place: Place, value: Value): string => `${shown(place)}\t${value}`;

interface Handed {
  readonly observation: unknown;
  readonly parameters: unknown;
}
const handedOf = ({ observation, parameters }: Case): Handed => ({ observation: observation ?? undefined, parameters });

/** What a check finds, without words: "demand met, demand unmet"; "nothing it could be handed" where it throws. */
function found(check: Check<unknown, unknown>, { observation, parameters }: Handed): string {
  try {
    return check
      .judge(observation, parameters)
      .map(({ role, result }) => `${role} ${result}`)
      .join();
  } catch {
    return 'nothing it could be handed';
  }
}

/** A name beside which the same one or another one stands: in the list that is nearest to it, and in the outermost. */
function besides(handed: Handed, place: Place): readonly (readonly [string, (value: string, more: string) => Value])[] {
  const levels = place.flatMap((step, index) => (typeof step === 'number' ? [index] : []));
  const unlike = [...new Set([levels.at(-1), levels[0]])].filter((level) => level !== undefined);
  return unlike.map((level, index) => {
    const list = at(handed, place.slice(0, level)) as readonly Value[];
    const item = list[place[level] as number];
    const named = (value: string): Value => replaced(item, place.slice(level + 1), value);
    const made = (value: string, more: string): Value =>
      replaced(handed, place.slice(0, level), [
        ...list.map((one, which) => (which === place[level] ? named(value) : one)),
        named(more),
      ]);
    return [index === 0 ? 'second' : 'outer second', made];
  });
}

/** How a check reads this name more loosely; undefined where another name changes nothing. */
function looseness(check: Check<unknown, unknown>, handed: Handed, place: Place): readonly string[] | undefined {
  const value = at(handed, place) as string;
  const of = (made: Value): string => found(check, made as Handed);
  const same = of(handed);
  const other = otherName(value);
  if (of(replaced(handed, place, other)) === same) return undefined;
  const looks = Object.entries(LOOKS).flatMap(([look, twin]) =>
    twin(value) !== value && of(replaced(handed, place, twin(value))) === same ? [look] : [],
  );
  const seconds = besides(handed, place).flatMap(([list, made]) =>
    of(made(value, value)) === of(made(value, other)) && of(made(other, other)) === of(made(other, value))
      ? [list]
      : [],
  );
  return [...looks, ...seconds];
}

/** The shortest cases of each check first. */
const cases = byCheck([...readCases().values()].flat());
const lengths = new Map([...cases.values()].flat().map((one) => [one, JSON.stringify(one).length]));
const casesOf = (id: string): readonly Case[] =>
  [...(cases.get(id) ?? [])].sort((a, b) => (lengths.get(a) ?? 0) - (lengths.get(b) ?? 0));

const toText = ({ check, place, value, loose }: Name): string => [check, place, value, ...loose].join('\t');
const fromText = (line: string): Name => {
  const [check = '', place = '', value = '', ...loose] = line.split('\t');
  return { check, place, value, loose };
};

/** Names of one place that are kept, cases in which one is tried, and what is judged for one check. */
const [NAMES, TRIES, MOST] = [4, 6, 3000];

function search(id: string, check: Check<unknown, unknown>): readonly Name[] {
  const names = new Map<string, Name>();
  const tries = new Map<string, number>();
  let judged = 0;
  for (const one of casesOf(id)) {
    const handed = handedOf(one);
    for (const place of textsOf(handed)) {
      const value = at(handed, place) as string;
      const key = keyOf(place, value);
      const alike = [...names.values()].filter((name) => name.place === shown(place)).length;
      const tried = tries.get(key) ?? 0;
      if (names.has(key) || alike >= NAMES || tried >= TRIES || judged > MOST || /[\t\n]/.test(value)) continue;
      tries.set(key, tried + 1);
      judged += 2;
      const loose = looseness(check, handed, place);
      if (loose !== undefined) names.set(key, { check: id, place: shown(place), value, loose });
    }
  }
  return [...names.values()];
}

/** By place and value: where such a name stands in the cases of a check, as far as it is tried. */
function standing(id: string): ReadonlyMap<string, readonly (readonly [Handed, Place])[]> {
  const all = new Map<string, (readonly [Handed, Place])[]>();
  for (const one of casesOf(id)) {
    const handed = handedOf(one);
    for (const place of textsOf(handed)) {
      const key = keyOf(place, at(handed, place));
      const there = all.get(key);
      if (there === undefined) all.set(key, [[handed, place]]);
      else if (there.length < TRIES) there.push([handed, place]);
    }
  }
  return all;
}

const checks = new Map(
  await Promise.all([...cases.keys()].map(async (id) => [id, (await checkOf(id)) as Check<unknown, unknown>] as const)),
);

if (process.argv.includes('--write')) {
  const names = [...checks].flatMap(([id, check]) => search(id, check));
  writeFileSync(FILE, `${names.map(toText).sort().join('\n')}\n`);
}

const known = readFileSync(FILE, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map(fromText);

describe('a name that looks alike', () => {
  for (const [id, check] of checks) {
    const names = known.filter((name) => name.check === id);
    if (names.length === 0) continue;
    it(`is another name to ${id}`, () => {
      const all = standing(id);
      for (const { place, value, loose } of names) {
        let read: readonly string[] | undefined;
        for (const [handed, where] of all.get(`${place}\t${value}`) ?? []) read ??= looseness(check, handed, where);
        assert.deepEqual(
          read,
          loose,
          `${id} reads "${value}" at ${place} in another way: mend it, or write the names anew`,
        );
      }
    });
  }
});
