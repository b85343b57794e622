/**
 * Writes whose answer was lost: the connection closed, or the server broke down, after the request may have been
 * carried out. Sent again, a write shows by its second answer whether the first one was: what joinproof alone makes is
 * there already, or gone already.
 */
import { isRecord, record } from '../kubernetes/json.js';
import type { KubeObject } from '../kubernetes/objects.js';
import { RUN_LABEL } from '../kubernetes/own-objects.js';
import { jsonOf } from './answer-body.js';
import { TargetUnreachable } from './errors.js';
import { pause } from './pause.js';
import { isBroken } from './retries.js';
import type { Answer, Question } from './types.js';

export interface Write {
  readonly question: Question;
  /** The run's own credential writes: nobody else removes or changes what it made. */
  readonly asAdmin: boolean;
  readonly signal: AbortSignal;
  send(): Promise<Answer>;
  /** A GET of the run's own credential. */
  look(question: Question): Promise<Answer>;
}

const ATTEMPTS = 6;
/** One that was not answered in time was waited for already. */
const ATTEMPTS_IN_TIME = 2;
/** Milliseconds; doubled each time. */
const AGAIN_MS = 50;
/** Answers to a write that is repeated which may only say that it was carried out the first time. */
const AMBIGUOUS = [404, 409, 410, 422];
/** What the server writes itself, or writes otherwise. */
const NOT_STORED = ['stringData', 'resourceVersion', 'creationTimestamp', 'managedFields', 'generation', 'uid'];

export class LostAnswers {
  /** Uids of creations whose answer came: that they are there already shows nothing. */
  readonly #known = new Set<string>();

  /** The answer to the write. Throws what sending throws where it stays unknown whether it was carried out. */
  async send(write: Write): Promise<Answer> {
    let lost: unknown;
    for (let attempt = 1; ; attempt += 1) {
      const sent = await sending(write);
      if ('answer' in sent && !isBroken(sent.answer)) return this.#told(write, sent.answer, lost);
      lost = 'answer' in sent ? sent.answer : sent.failure;
      const late = 'failure' in sent && sent.failure.why === 'timeout';
      if (attempt >= (late ? ATTEMPTS_IN_TIME : ATTEMPTS) || !isOurs(write)) return endWith(lost);
      // The server chose its name, so a second one would be another object.
      const made = isNamed(write) ? undefined : this.#made(write, await found(write));
      if (made !== undefined) return made;
      await pause(AGAIN_MS * 2 ** attempt, write.signal);
    }
  }

  async #told(write: Write, answer: Answer, lost: unknown): Promise<Answer> {
    if (lost === undefined || !AMBIGUOUS.includes(answer.status)) return this.#noted(write, answer);
    const { method } = write.question;
    if (method === 'DELETE' && answer.status === 404 && write.asAdmin)
      return answered(200, { kind: 'Status' }, answer.headers);
    if (method !== 'POST') return (await changed(write)) ?? endWith(lost);
    const there = await found(write);
    // It was there before, so that the first try was refused like this one.
    if (there.some((object) => this.#isKnown(object))) return answer;
    return this.#made(write, there, answer) ?? endWith(lost);
  }

  #noted({ question }: Write, answer: Answer): Answer {
    const uid = question.method === 'POST' && answer.status < 300 ? uidOf(answer.body) : undefined;
    if (uid !== undefined) this.#known.add(uid);
    return answer;
  }

  #isKnown(object: unknown): boolean {
    return this.#known.has(uidOf(object) ?? '');
  }

  /** The creation of the one object that nobody else has made; undefined where that is not clear. */
  #made(write: Write, there: readonly object[], { headers = {} }: Partial<Answer> = {}): Answer | undefined {
    const [object, ...more] = there.filter((one) => !this.#isKnown(one) && shows(one, write.question.body));
    const uid = uidOf(object);
    if (object === undefined || more.length > 0 || uid === undefined) return undefined;
    this.#known.add(uid);
    return answered(201, object, headers);
  }
}

/** What is there of this run: under the name that was sent, or where the server chose that, under any. */
async function found({ question: { body, path }, look }: Write): Promise<readonly object[]> {
  const sent = record(body);
  const { name, labels } = record(sent.metadata);
  const run = record(labels)[RUN_LABEL];
  if (run === undefined) return [];
  const labelSelector = `${RUN_LABEL}=${run}`;
  const seen = await look(typeof name === 'string' ? { path: `${path}/${name}` } : { path, query: { labelSelector } });
  if (seen.status !== 200) return [];
  const { items } = record(seen.body);
  return (Array.isArray(items) ? items : [seen.body])
    .filter((item: unknown) => labelOf(item) === run)
    .map((item: unknown) => withKind(item, sent));
}

type Sent = { readonly answer: Answer } | { readonly failure: TargetUnreachable };

async function sending(write: Write): Promise<Sent> {
  try {
    return { answer: await write.send() };
  } catch (error) {
    if (error instanceof TargetUnreachable && (error.why === 'closed' || error.why === 'timeout'))
      return { failure: error };
    throw error;
  }
}

function endWith(lost: unknown): Answer {
  if (lost instanceof Error) throw lost;
  return lost as Answer;
}

/** The state that a change asks for is there. */
async function changed({ question, look }: Write): Promise<Answer | undefined> {
  const wanted: unknown = typeof question.body === 'string' ? jsonOf(question.body) : question.body;
  // The status is read with the object, whatever subresource was written.
  const path = question.path.replace(/\/(status|approval)$/, '');
  if (!isRecord(wanted)) return undefined;
  const seen = await look({ path });
  return seen.status === 200 && shows(seen.body, wanted) ? answered(200, seen.body, seen.headers) : undefined;
}

/** Sent twice it makes no second object, or one that is known to be of this run. */
const isOurs = (write: Write): boolean => isNamed(write) || labelOf(write.question.body) !== undefined;

/** The server does not choose the name. */
const isNamed = ({ question: { method, body } }: Write): boolean =>
  method !== 'POST' || record(record(body).metadata).generateName === undefined;

const labelOf = (object: unknown): unknown => record(record(record(object).metadata).labels)[RUN_LABEL];

const uidOf = (object: unknown): string | undefined => {
  const { uid } = record(record(object).metadata);
  return typeof uid === 'string' ? uid : undefined;
};

/** Items of a list carry neither kind nor apiVersion. */
const withKind = (object: unknown, { apiVersion, kind }: Partial<KubeObject>): object => ({
  apiVersion,
  kind,
  ...record(object),
});

const answered = (status: number, body: unknown, headers: Answer['headers']): Answer => ({
  status,
  headers,
  text: JSON.stringify(body),
  body,
});

/** Does what is stored hold all that was sent? The server adds, and null of a merge patch takes away. */
export function shows(stored: unknown, sent: unknown): boolean {
  if (sent === null) return stored === undefined || stored === null;
  if (Array.isArray(sent))
    return Array.isArray(stored) && stored.length === sent.length && sent.every((one, at) => shows(stored[at], one));
  if (!isRecord(sent)) return stored === sent;
  return (
    isRecord(stored) &&
    Object.entries(sent).every(([key, value]) => NOT_STORED.includes(key) || shows(stored[key], value))
  );
}
