/** Clients before servers, as checks look at them: what counts as a look, a credential, a failure. */
import { CLUSTER_INFO_PATH } from '../../kubernetes/names.js';
import { lostIn } from '../../kubernetes/starved.js';
import type { Check } from '../../model/check.js';
import type { Finding } from '../../model/finding.js';
import { type Attempt, NOBODY, REQUESTS, type Seen } from './joining-client-reader.js';

export const DISCOVERY = '002, shared token discovery; cmd/kubeadm/app/discovery';

export type Attempts = readonly Attempt[];

/** Any prefix that the endpoint may have stands before the path. */
export const isLook = ({ what }: Seen): boolean => what.startsWith('GET /') && what.endsWith(CLUSTER_INFO_PATH);
export const shows = ({ as }: Seen): boolean => as !== NOBODY;

/** A request for a certificate that was taken, whoever asks. */
export const isRequestTaken = ({ what, answered }: Seen): boolean => what === REQUESTS && answered === 201;

/** How often it asked what is meant. */
export const timesOf = ({ seen }: Pick<Attempt, 'seen'>, isMeant: (one: Seen) => boolean): number =>
  seen.filter(isMeant).reduce((sum, { times }) => sum + times, 0);

export const endOf = ({ exit, milliseconds }: Attempt): string =>
  exit === null ? 'it had to be ended' : `it ends with ${exit} after ${Math.round(milliseconds / 100) / 10} s`;
/** So many lives of a certificate it stays at least who is told to stay for two. */
const LIVES = 1.9;
export const staysFor = ({ milliseconds }: Attempt, life: number): boolean => milliseconds >= life * LIVES;
export const listed = (all: readonly string[]): string => [...new Set(all)].slice(0, 5).join(', ');

/** What somebody who had no time has left undone says nothing of him. */
export const unlessStarved = (finding: Finding, { isStarved }: Pick<Attempt, 'isStarved'>): Finding =>
  isStarved === true && finding.result === 'unmet' && finding.refusal !== true
    ? { ...finding, result: 'unclear', seen: `${finding.seen}; the machine was too busy for it` }
    : finding;

/** One finding for each, where what somebody has done is blamed: no lack of time excuses that. */
export const eachDeed =
  <A, P = undefined>(look: (attempt: A, parameters: P) => Finding) =>
  (attempts: readonly A[], parameters: P): readonly Finding[] =>
    attempts.map((attempt) => look(attempt, parameters));

/** One finding for each client before a server, of what it should have done. */
export const each = <P = undefined>(look: (attempt: Attempt, parameters: P) => Finding): Check<Attempts, P>['judge'] =>
  eachDeed((attempt: Attempt, parameters: P) => unlessStarved(look(attempt, parameters), attempt));

/** Of clients that do as kubeadm does, and speak like it. */
export const ofKubeadm =
  <P>(judge: Check<Attempts, P>['judge']): Check<Attempts, P>['judge'] =>
  (attempts, parameters) =>
    judge(
      attempts.filter(({ speaksKubeadm }) => speaksKubeadm),
      parameters,
    );
export const OWN_WAYS = 'the client has ways of its own: it does not speak as kubeadm does';

/**
 * Whether something that is late by so many milliseconds is in time; undefined where the machine was so busy that this
 * need not be the client's doing.
 */
export const inTime = (late: number, { lag }: Attempt): boolean | undefined =>
  late <= 0 ? true : late <= lostIn(lag) ? undefined : false;

export const failed = ({ exit }: Attempt): boolean => exit !== null && exit !== 0;

/** Whether it ends with an error; undefined where it had to be ended, on a machine that may have left it no time. */
export const endsWithError = (attempt: Attempt): boolean | undefined =>
  attempt.exit === null && attempt.isStarved === true ? undefined : failed(attempt);
