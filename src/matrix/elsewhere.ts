/**
 * The unchanged reference where less of it is seen: as a cluster of somebody else, one that kubeadm has not set up, one
 * that is only read, also where half of it cannot be, a dump of its objects, dumps of its older releases. How each rule
 * fares there, what it asks and what its checks are given is listed: a step that goes another way where something is
 * lacking is played nowhere else.
 */
import { createHash } from 'node:crypto';
import { CLUSTER_INFO } from '../kubernetes/names.js';
import { apiVersionOf, type Resource, resources } from '../kubernetes/resources.js';
import type { Report } from '../model/report.js';
import { addToken } from '../mutants/tokens-at-rest.js';
import type { ReferenceOptions } from '../reference/options.js';
import { asCluster } from '../run/needed-rights.js';
import { seededBytes } from '../run/seeded.js';
import { dumpOf } from '../targets/dump.js';
import { UnexpectedAnswer } from '../targets/errors.js';
import { openReference, type Reference } from '../targets/reference.js';
import type { Fact, ObjectReader, Target } from '../targets/types.js';
import { givenIn } from './given.js';
import { NEEDS } from './needs.js';
import { askedIn } from './requests.js';
import { stable } from './rows.js';
import { type Lines, RuleLines } from './rule-lines.js';

export const elsewhereLists = new RuleLines(
  'src/matrix/elsewhere',
  '# How each rule fares where less of the unchanged reference is seen, and digests of what it asks and is given there. Written by: npm run matrix -- --update',
);

/**
 * What the reference has one of, or none: a second group of machines that join, and copies of cluster-info that somebody
 * has made, one of them with its signatures.
 */
function peopled(reference: Reference): void {
  const { api } = reference;
  const groups = 'system:bootstrappers:kubeadm:default-node-token,system:bootstrappers:worker';
  addToken(reference, { 'token-id': 'worker', 'auth-extra-groups': groups }, { name: 'bootstrap-token-worker' });
  for (const [namespace, more] of [
    ['kube-system', {}],
    ['default', { 'jws-kubeconfig-a1b2c3': 'x..y' }],
  ] as const)
    api.create(resources.configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: CLUSTER_INFO, namespace },
      data: { kubeconfig: 'apiVersion: v1\nkind: Config\n', ...more },
    });
}

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

/** Kinds of which objects, or lists, cannot be read there: every other one. */
function unreadable(what: 'get' | 'list', half: 0 | 1, target: Target): Target {
  const { objects } = target.abilities;
  if (objects === undefined) return target;
  const known = Object.values(resources).map(({ resource }) => resource);
  const read =
    (how: 'get' | 'list') =>
    async (resource: Resource, ...asked: readonly unknown[]) => {
      if (how === what && known.indexOf(resource.resource) % 2 === half)
        throw new UnexpectedAnswer('GET', resource.resource, 500, 'InternalError', 'nobody knows why');
      return (objects[how] as (...asked: readonly unknown[]) => unknown).call(objects, resource, ...asked);
    };
  const reader = { get: read('get'), list: read('list') } as ObjectReader;
  return {
    ...target,
    abilities: { ...target.abilities, objects: reader },
    why: (need) => target.why(need),
    observed: (listener) => unreadable(what, half, target.observed?.(listener) ?? target),
  };
}

/** As kubectl writes it, kind by kind; what is not served is not there. */
async function dumped({ abilities: { objects } }: Target): Promise<Target> {
  const texts = await Promise.all(
    Object.entries(resources).map(async ([name, resource]) => {
      const items = (await objects?.list(resource).catch(() => undefined)) ?? [];
      const list = { apiVersion: apiVersionOf(resource), kind: `${resource.kind}List`, items };
      return { name: `${name}.json`, text: JSON.stringify(list) };
    }),
  );
  return dumpOf(texts, 'the reference');
}

const PLACES: Readonly<Record<string, (reference: Target) => Target | Promise<Target>>> = {
  'of somebody else': (reference) => asCluster(reference, true, HEARD),
  'not by kubeadm': (reference) => without('kubeadm', asCluster(reference, true, HEARD)),
  'only read': (reference) => asCluster(reference, false, HEARD),
  'half of all lists fail': (reference) => unreadable('list', 0, asCluster(reference, false, HEARD)),
  'the other lists fail': (reference) => unreadable('list', 1, asCluster(reference, false, HEARD)),
  'half of all objects fail': (reference) => unreadable('get', 0, asCluster(reference, false, HEARD)),
  'the other objects fail': (reference) => unreadable('get', 1, asCluster(reference, false, HEARD)),
  'a dump': dumped,
};

/** Whose dumps are judged beside that of the newest. */
const OLDER: readonly number[] = [22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35];
const OLDER_RELEASES = 'dumps of older releases';

export const ELSEWHERE: readonly string[] = [NEEDS, ...Object.keys(PLACES), OLDER_RELEASES];

/** As it is opened to be judged. */
export interface Opened {
  readonly target: Target;
  readonly redactor: { redact(text: string): string };
  close(): Promise<void>;
}

/** Each is opened when the one before it was judged. Throws where there is no such place. */
export function openElsewhere(name: string, signal: AbortSignal): readonly (() => Promise<Opened>)[] {
  const open =
    (see: (reference: Target) => Target | Promise<Target>, more: Partial<ReferenceOptions> = {}) =>
    async () => {
      const options = { ...more, random: seededBytes('reference') };
      const reference = await openReference({ signal, reference: options, arrange: peopled });
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

/** A line for each rule and place; of several that are one place what their lines come to. */
export function elsewhereIn(place: string, all: readonly Lines[]): Lines {
  const [first = {}] = all;
  return Object.fromEntries(
    Object.keys(first).map((id) => {
      const lines = all.flatMap((one) => one[id] ?? []);
      const passed = lines.filter((line) => line.startsWith('passed')).length;
      const several = `${passed} of ${lines.length} passed, ${digestOf(lines)}`;
      return [id, [`${place}: ${lines.length === 1 ? lines[0] : several}`]];
    }),
  );
}
