/**
 * The unchanged reference where less of it is seen: as a cluster of somebody else, one that kubeadm has not set up, one
 * that is only read, a dump of its objects, dumps of its older releases. How each rule
 * fares there, what it asks and what its checks are given is listed: a step that goes another way where something is
 * lacking is played nowhere else.
 */
import { createHash } from 'node:crypto';
import { apiVersionOf, resources } from '../kubernetes/resources.js';
import type { Report } from '../model/report.js';
import type { ReferenceOptions } from '../reference/options.js';
import { asCluster } from '../run/needed-rights.js';
import { seededBytes } from '../run/seeded.js';
import type { Text } from '../targets/dump/files.js';
import { dumpOf } from '../targets/dump.js';
import type { HttpTarget } from '../targets/http-target.js';
import { openReference } from '../targets/reference.js';
import type { Fact, Target } from '../targets/types.js';
import { givenIn } from './given.js';
import { NEEDS } from './needs.js';
import { peopled } from './peopled.js';
import { askedIn } from './requests.js';
import { stable } from './rows.js';
import { type Lines, RuleLines } from './rule-lines.js';
import { UNKNOWN_WORDS } from './unknown-words.js';

export const elsewhereLists = new RuleLines(
  'src/matrix/elsewhere',
  '# How each rule fares where less of the unchanged reference is seen, and digests of what it asks and is given there. Written by: npm run matrix -- --update',
);

const HEARD = { exchange: () => {}, question: () => {} };

/** The same, of which that is not known. */
function without(fact: Fact, target: Target): Target {
  const { facts } = target;
  const holds = new Set([...facts.holds].filter((one) => one !== fact));
  return {
    ...target,
    facts: { ...facts, holds, signs: [] },
    why: (need) => (need === fact ? `nobody knows of this cluster: ${fact}` : target.why(need)),
    observed: (listener) => without(fact, target.observed?.(listener) ?? target),
  };
}

/** As kubectl writes it, kind by kind; what is not served is not there. */
export const textsOf = ({ abilities: { objects } }: Target): Promise<readonly Text[]> =>
  Promise.all(
    Object.values(resources).map(async (resource) => {
      const items = (await objects?.list(resource).catch(() => undefined)) ?? [];
      const list = { apiVersion: apiVersionOf(resource), kind: `${resource.kind}List`, items };
      return { name: resource.kind, text: JSON.stringify(list) };
    }),
  );
const dumped = async (target: Target): Promise<Target> => dumpOf(await textsOf(target), 'the reference');

export const ofSomebody = (reference: Target): Target => asCluster(reference, true, HEARD);
export const onlyRead = (reference: Target): Target => asCluster(reference, false, HEARD);

export const OF_SOMEBODY = 'of somebody else';
export const ONLY_READ = 'only read';
const PLACES: Readonly<Record<string, (reference: Target) => Target | Promise<Target>>> = {
  [OF_SOMEBODY]: ofSomebody,
  'not by kubeadm': (reference) => without('kubeadm', ofSomebody(reference)),
  [ONLY_READ]: onlyRead,
  'a dump': dumped,
};

/** Whose dumps are judged beside that of the newest. */
const OLDER: readonly number[] = [22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35];
const OLDER_RELEASES = 'dumps of older releases';

export const ELSEWHERE: readonly string[] = [NEEDS, UNKNOWN_WORDS, ...Object.keys(PLACES), OLDER_RELEASES];

/** As it is opened to be judged. */
export interface Opened {
  readonly target: Target;
  readonly redactor: { redact(text: string): string };
  close(): Promise<void>;
}

/** `connected`: it is asked over connections. */
export const openPeopled = (
  signal: AbortSignal,
  { connected = false, ...more }: Partial<ReferenceOptions> & { readonly connected?: boolean } = {},
): Promise<HttpTarget> =>
  openReference({
    signal,
    reference: { ...more, random: seededBytes('reference') },
    ...(connected ? { connected } : {}),
    arrange: peopled,
  });

/** Each is opened when the one before it was judged. Throws where there is no such place. */
export function openElsewhere(name: string, limit: () => AbortSignal): readonly (() => Promise<Opened>)[] {
  const open =
    (see: (reference: Target) => Target | Promise<Target>, more: Partial<ReferenceOptions> = {}) =>
    async () => {
      const reference = await openPeopled(limit(), more);
      return { target: await see(reference), redactor: reference.redactor, close: () => reference.close() };
    };
  if (name === OLDER_RELEASES) return OLDER.map((minor) => open(dumped, { kubernetesVersion: `v1.${minor}.0` }));
  const { [name]: seen } = PLACES;
  if (seen === undefined) throw new Error(`There is no place "${name}".`);
  return [open(seen)];
}

const digestOf = (lines: readonly string[]): string =>
  createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 8);
const counted = (lines: readonly string[] = []): string => `${lines.length} ${digestOf(lines)}`;

/** A line for each rule: how it fares. Of a report that holds all that was seen and sent. */
export function faresIn(report: Report): Lines {
  const [asked, given] = [askedIn(report), givenIn(report)];
  return Object.fromEntries(
    report.rules.map(({ id, verdict, reason }) => {
      const why = reason === null ? '' : ` (${reason.kind} ${digestOf([stable(reason.text)])})`;
      return [id, [`${verdict}${why}, asks ${counted(asked[id])}, is given ${counted(given[id])}`]];
    }),
  );
}

/** A line for each rule and place; of several that are one place what their lines come to. `more`: what is played there beside. */
export function elsewhereIn(place: string, all: readonly Lines[], more: readonly Lines[] = []): Lines {
  const [first = {}] = all;
  return Object.fromEntries(
    Object.keys(first).map((id) => {
      const lines = all.flatMap((one) => one[id] ?? []);
      const passed = lines.filter((line) => line.startsWith('passed')).length;
      const several = `${passed} of ${lines.length} passed, ${digestOf(lines)}`;
      const beside = more.flatMap((one) => one[id] ?? []);
      return [id, [lines.length === 1 ? (lines[0] ?? '') : several, ...beside].map((line) => `${place}: ${line}`)];
    }),
  );
}
