/** Weakenings of whole rooms of src, each made in a copy of what was compiled and held against unit tests there. */
import { spawn } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { distFolder } from '../../run/package-root.js';
import type { Choose } from './clauses.js';
import { nearest } from './nearest.js';
import { type RoomChange, roomChanges, weakerText } from './room-changes.js';

/** A weakening that was tried. */
export interface Tried {
  readonly name: string;
  /** What its score is told of: "src/joining". */
  readonly part: string;
  /** The test by which it was noticed first; undefined: none. */
  readonly noticed: string | undefined;
}

/**
 * Of the tests of its room that import a file, so many of the nearest are tried one by one, then the others at once;
 * where there are fewer, those of other rooms.
 */
const NEAREST = 12;
/** Rooms whose tests start them as a program: what these import says little of what they reach. */
const STARTED = ['cli'];
/** Milliseconds after which tests that do not end have noticed. */
const PATIENCE_MS = 200_000;

const compiled = (folder: string): readonly string[] =>
  readdirSync(path.join(distFolder, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => path.join(folder, name));
const isTest = (file: string): boolean => file.endsWith('.test.js');
/** What only tests import, "run/testing/toy-steps.js" and "report/testing-report.js": no judge is weaker without it. */
export const isForTests = (file: string): boolean => /(?:^|[/\\])(?:testing[/\\]|[^/\\]*\btesting\b)/.test(file);
const below = path.join('src', path.sep);
/** Of these tests the ones whose names begin as the file's: "join.test.js" for "join-action.js". */
const sameSubject = (file: string, tests: readonly string[]): readonly string[] => {
  const [word = ''] = path.basename(file).split(/[-.]/);
  return tests.filter((test) => path.basename(test).startsWith(word));
};
const roomOf = (file: string): string => file.slice(below.length).split(path.sep)[0] ?? '';

/** Names of rooms, "joining" or "kubeadm/init", that hold nothing. */
export const emptyRooms = (rooms: readonly string[]): readonly string[] => {
  const all = compiled('src');
  return rooms.filter((room) => !all.some((file) => file.startsWith(path.join('src', room, path.sep))));
};

/** Weakens places of these rooms, one at a time. Each is told when it was tried: the whole takes hours. */
export async function ofRooms(
  rooms: readonly string[],
  choose: Choose,
  workers: number,
  onEnd: (one: Tried, done: number, of: number) => void,
): Promise<readonly Tried[]> {
  const all = compiled('src');
  const files = all.filter(
    (file) =>
      !isTest(file) && !isForTests(file) && rooms.some((room) => file.startsWith(path.join('src', room, path.sep))),
  );
  const tests = nearest(all.map((file) => [file, readFileSync(path.join(distFolder, file), 'utf8')]));
  const queue = choose(files.flatMap((file) => changesOf(file)));
  const chosen = [...queue];
  const found: Tried[] = [];
  const lane = async (_: unknown, at: number): Promise<void> => {
    const dist = `${distFolder}.rooms-${at}`;
    cpSync(distFolder, dist, { recursive: true });
    try {
      for (let change = chosen.shift(); change !== undefined; change = chosen.shift()) {
        const { file, name } = change;
        const own = all.filter((one) => isTest(one) && roomOf(one) === roomOf(file) && STARTED.includes(roomOf(file)));
        const isOwn = (one: string): boolean => roomOf(one) === roomOf(file);
        const importing = tests(file);
        const near = importing.filter(isOwn).slice(0, NEAREST);
        const others = importing.filter((one) => isOwn(one) && !near.includes(one));
        const elsewhere = importing.filter((one) => !isOwn(one)).slice(0, NEAREST - near.length);
        const alone = [...new Set([...near, ...sameSubject(file, own), ...own])];
        const noticed = await weakened(dist, change, [
          ...alone.map((one) => [one]),
          others,
          ...elsewhere.map((one) => [one]),
        ]);
        const one = { name, part: `src/${roomOf(file)}`, noticed };
        found.push(one);
        onEnd(one, found.length, queue.length);
      }
    } finally {
      rmSync(dist, { recursive: true });
    }
  };
  await Promise.all(Array.from({ length: Math.min(workers, queue.length) }, lane));
  return found;
}

interface Change extends RoomChange {
  readonly file: string;
}

const changesOf = (file: string): readonly Change[] =>
  roomChanges(file.slice(below.length), readFileSync(path.join(distFolder, file), 'utf8')).map((change) => ({
    ...change,
    file,
  }));

/** The first test that fails with it, or how many there are that fail together. The copy is as it was afterwards. */
async function weakened(
  dist: string,
  change: Change,
  groups: readonly (readonly string[])[],
): Promise<string | undefined> {
  const place = path.join(dist, change.file);
  const text = readFileSync(place, 'utf8');
  writeFileSync(place, weakerText(text, change));
  try {
    for (const tests of groups)
      if (tests.length > 0 && !(await pass(dist, tests)))
        return tests.length === 1 ? tests[0] : `one of ${tests.length} farther tests`;
    return undefined;
  } finally {
    writeFileSync(place, text);
  }
}

/** In one process: most of what one of them takes is loading what all of them import. */
const pass = (dist: string, tests: readonly string[]): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const files = tests.map((test) => path.join(dist, test));
    const loading = files.flatMap((file, at) => (at === files.length - 1 ? [file] : ['--import', file]));
    const child = spawn(process.execPath, loading, {
      cwd: dist,
      stdio: 'ignore',
      timeout: PATIENCE_MS,
    });
    child.on('error', reject).on('exit', (code) => resolve(code === 0));
  });
