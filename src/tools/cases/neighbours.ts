/**
 * What checks say of what is near their cases, as a row of hashes: the files of src/checks/cases/near, one for each
 * file of checks, a case a line.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Check } from '../../model/check.js';
import { writeWhole } from '../../report/files.js';
import { packageFile } from '../../run/package-root.js';
import type { Case } from './cases.js';
import { type Handed, near } from './near.js';

const FOLDER = packageFile('src/checks/cases/near');

type Judge = Check<unknown, unknown>['judge'] | undefined;

/** What a check says of that; undefined where it throws, since that is nothing it could have been handed. */
function said(judge: Judge, { observation, parameters }: Handed): string | undefined {
  try {
    return judge && hashOf(JSON.stringify(judge(observation ?? undefined, parameters)), 4);
  } catch {
    return undefined;
  }
}

/** Changes of each case that are looked at, and how many of them are kept: that bring news, and that bring none. */
const LOOKED_AT = 300;
const NEWS = 40;
const NO_NEWS = 4;

const hashOf = (text: string, length: number): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, length);
const nameOf = ({ check, observation, parameters }: Case): string =>
  hashOf(JSON.stringify([check, observation, parameters]), 12);

/** By its number in the row of changes of a case: the hash of what the check said of it. */
export type Neighbours = ReadonlyMap<number, string>;

/** The cases of each check. */
export function byCheck(cases: readonly Case[]): ReadonlyMap<string, readonly Case[]> {
  const groups = new Map<string, Case[]>();
  for (const one of cases) {
    const group = groups.get(one.check);
    if (group === undefined) groups.set(one.check, [one]);
    else group.push(one);
  }
  return groups;
}

/** Of what is near the cases of one check that which says most, and a little of what says nothing new. */
export function neighboursOf(cases: readonly Case[], judge: Judge): ReadonlyMap<string, Neighbours> {
  const known = new Set<string>();
  const all = new Map<string, Neighbours>();
  for (const one of cases) {
    const kept = new Map<number, string>();
    const changes = near(one, cases);
    let [news, same] = [0, 0];
    for (let index = 0; index < LOOKED_AT && news < NEWS; index += 1) {
      const found = said(judge, changes.next().value());
      if (found === undefined) continue;
      if (!known.has(found)) news += 1;
      else if (same < NO_NEWS) same += 1;
      else continue;
      known.add(found);
      kept.set(index, found);
    }
    all.set(nameOf(one), kept);
  }
  return all;
}

/** What is near a case of these, of which its check says something else than was written down. */
export function changed(one: Case, cases: readonly Case[], known: Neighbours, judge: Judge): readonly Handed[] {
  const changes = near(one, cases);
  const last = Math.max(-1, ...known.keys());
  const different: Handed[] = [];
  for (let index = 0; index <= last; index += 1) {
    const made = changes.next().value;
    if (!known.has(index)) continue;
    const handed = made();
    if (said(judge, handed) !== known.get(index)) different.push(handed);
  }
  return different;
}

/** Instead of all that were there. */
export function writeNeighbours(all: ReadonlyMap<string, ReadonlyMap<string, Neighbours>>): void {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const files = new Map<string, string[]>();
  for (const [check, cases] of all) {
    const file = `${check.split('/')[0]}.txt`;
    const lines = [...cases].map(([name, kept]) =>
      [`${check} ${name}`, ...[...kept].map(([index, found]) => `${index}:${found}`)].join(' '),
    );
    files.set(file, [...(files.get(file) ?? []), ...lines]);
  }
  for (const [file, lines] of files) writeWhole(path.join(FOLDER, file), `${lines.sort().join('\n')}\n`);
}

/** By the name of a case. */
export function readNeighbours(): (one: Case) => Neighbours | undefined {
  const all = new Map<string, Neighbours>();
  for (const file of readdirSync(FOLDER))
    for (const line of readFileSync(path.join(FOLDER, file), 'utf8').split('\n')) {
      const [, name = '', ...kept] = line.split(' ');
      const pairs = kept.map((text) => text.split(':') as [string, string]);
      all.set(name, new Map(pairs.map(([index, said]) => [Number(index), said])));
    }
  return (one) => all.get(nameOf(one));
}
