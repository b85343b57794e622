/**
 * Calls to an API server as client-go makes them: a limit of ten seconds, repetitions within it, redirects, errors in
 * its words. Source: client-go, rest/{request,with_retry}.go; apimachinery, pkg/api/errors.
 */

import { isRecord } from '../kubernetes/json.js';
import { withoutSlashes } from '../kubernetes/slashes.js';
import type { Trust, WireAnswer } from '../kubernetes/wire.js';
import type { JoiningDecisions } from './decisions/index.js';
import { failureText } from './failures.js';
import type { Machine } from './ports.js';

/** Where to ask, whom to believe, as whom. */
export interface Access {
  /** URL, without a slash at its end; may have a path of its own. */
  readonly server: string;
  readonly trust: Trust;
  readonly token?: string;
  readonly certificate?: { readonly certificate: string; readonly key: string };
}

/** What is asked. */
export interface Call {
  /** Default GET. */
  readonly method?: string;
  /** With its query, if it has one. */
  readonly path: string;
  readonly body?: string;
  readonly contentType?: string;
}

/** The status and body of an answer, or why there is none in words. */
export type CallResult = Answered | { readonly kind: 'failure'; readonly why: string };

type Answered = Extract<WireAnswer, { kind: 'answer' }>;

const LIMIT = 'client rate limiter Wait returned an error: context deadline exceeded';
const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);

export class Calls {
  readonly #machine: Pick<Machine, 'wire' | 'clock'>;
  readonly #decisions: JoiningDecisions;

  constructor(machine: Pick<Machine, 'wire' | 'clock'>, decisions: JoiningDecisions) {
    this.#machine = machine;
    this.#decisions = decisions;
  }

  /** One call with everything that is repeated within its time. */
  async make(access: Access, call: Call): Promise<CallResult> {
    const { clock } = this.#machine;
    const within = this.#decisions.callTimeout();
    const end = clock.now() + within;
    const url = `${withoutSlashes(access.server)}${call.path}${call.path.includes('?') ? '&' : '?'}timeout=${within / 1000}s`;
    let before = '';
    for (let repeated = 0; ; repeated += 1) {
      const left = end - clock.now();
      if (left <= 0)
        return { kind: 'failure', why: before === '' ? LIMIT : `${LIMIT} - error from a previous attempt: ${before}` };
      const tried = await this.#follow(access, { ...call, path: url }, end);
      if (tried.kind === 'stopped') return { kind: 'failure', why: tried.why };
      const { answer } = tried;
      const pause = repeated < this.#decisions.callRepetitions() ? this.#pauseAfter(answer, call.method) : undefined;
      if (pause === undefined) return this.#result(answer, tried.url);
      before = answer.kind === 'failure' ? failureText(answer.failure, '', clock.now()).replace(/^Get "": /, '') : '';
      await clock.sleep(Math.min(pause, Math.max(0, end - clock.now())));
    }
  }

  /** One request, and those that redirects lead to. */
  async #follow(
    access: Access,
    call: Call,
    end: number,
  ): Promise<
    | { readonly kind: 'ended'; readonly answer: WireAnswer; readonly url: string }
    | { readonly kind: 'stopped'; readonly why: string }
  > {
    const { wire, clock } = this.#machine;
    let url = call.path;
    for (let requests = 1; ; requests += 1) {
      const own = url === call.path || this.#decisions.redirectsCredentials(call.path, url);
      const answer = await wire.exchange({
        method: call.method ?? 'GET',
        url,
        headers: {
          accept: 'application/json',
          ...(call.body === undefined ? {} : { 'content-type': call.contentType ?? 'application/json' }),
          ...(own && access.token !== undefined ? { authorization: `Bearer ${access.token}` } : {}),
        },
        ...(call.body === undefined ? {} : { body: call.body }),
        trust: access.trust,
        ...(own && access.certificate !== undefined ? { certificate: access.certificate } : {}),
        within: Math.max(0, end - clock.now()),
        largest: this.#decisions.largestAnswer(),
      });
      const to = answer.kind === 'answer' && isRedirect(answer.status) ? answer.headers.location : undefined;
      if (to === undefined || (call.method ?? 'GET') !== 'GET') return { kind: 'ended', answer, url };
      if (requests >= this.#decisions.redirects(to))
        return { kind: 'stopped', why: `Get "${to}": stopped after ${requests} redirects` };
      const next = absolute(to, url);
      if (next === undefined)
        return { kind: 'stopped', why: `Get "${url}": failed to parse Location header ${JSON.stringify(to)}` };
      url = next;
    }
  }

  /** Milliseconds after which the call is made again; undefined: not at all. */
  #pauseAfter(answer: WireAnswer, method = 'GET'): number | undefined {
    if (answer.kind === 'answer') return this.#decisions.repeatsAfter(answer.status, answer.headers['retry-after']);
    if (method !== 'GET') return undefined;
    const { cause } = answer.failure;
    return this.#decisions.repeatsFailed(cause === 'reset' || cause === 'ended' ? cause : 'other');
  }

  #result(answer: WireAnswer, url: string): CallResult {
    if (answer.kind === 'answer') return answer;
    return { kind: 'failure', why: failureText(answer.failure, url, this.#machine.clock.now()) };
  }
}

/** A Location, relative or not; undefined where it cannot be read. */
export function absolute(location: string, base: string): string | undefined {
  try {
    return new URL(location, base).href;
  } catch {
    return undefined;
  }
}

/** What was asked for, for the words of errors: "get configmaps cluster-info". */
export interface Subject {
  readonly resource: string;
  readonly name: string;
}

/** Source: apimachinery, pkg/api/errors NewGenericServerResponse. */
const GENERIC: Readonly<Record<number, string>> = {
  401: 'the server has asked for the client to provide credentials',
  403: 'forbidden',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  406: 'the server was unable to respond with a content type that the client supports',
  409: 'the server reported a conflict',
  410: 'the server no longer has the requested resource',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
};

/** The words of a refusal: the server's own where it sends a Status, else those for the status code. */
function refusal({ status, body }: Pick<Answered, 'status' | 'body'>, { resource, name }: Subject): string {
  const said = parsed(body);
  if (isRecord(said) && said.kind === 'Status' && typeof said.message === 'string' && said.message !== '')
    return said.message;
  const what = `(get ${resource} ${name})`;
  const known = GENERIC[status];
  if (known !== undefined && status !== 403) return `${known} ${what}`;
  const text = body.toString('utf8').slice(0, 2048);
  if (status === 403) return text === '' ? `unknown ${what}` : text;
  if (status < 500) return `the server rejected our request for an unknown reason ${what}`;
  const shown = text === '' ? 'unknown' : text.trim();
  return `an error on the server (${JSON.stringify(shown)}) has prevented the request from succeeding ${what}`;
}

/** The value of a JSON text; undefined where it is none. */
export function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** An object that was asked for, or why it did not come. `status` is undefined where no answer came. */
export type Got<T> =
  | { readonly kind: 'got'; readonly object: T }
  | { readonly kind: 'not'; readonly status: number | undefined; readonly why: string };

/**
 * Reads an answer as an object of a kind, as client-go does: an object that says nothing of its kind is taken for it, a
 * Status of success for one that is empty. Source: apimachinery, pkg/runtime/serializer/json.
 */
export function readObject(result: CallResult, kind: string, subject: Subject): Got<Readonly<Record<string, unknown>>> {
  if (result.kind === 'failure') return { kind: 'not', status: undefined, why: result.why };
  const { status, headers, body } = result;
  const not = (why: string): Got<never> => ({ kind: 'not', status, why });
  if (status >= 300) return not(refusal(result, subject));
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (body.length === 0) return not(`0-length response with status code: ${status} and content type: ${type}`);
  if (type !== '' && type !== 'application/json') return not(`serializer for ${type} doesn't exist`);
  const value = parsed(body);
  if (value === null) return { kind: 'got', object: {} };
  if (!isRecord(value)) return not(`couldn't get version/kind; json parse error: ${describe(value, body)}`);
  const said = value.kind;
  if (said === 'Status')
    return value.status === 'Success' ? { kind: 'got', object: {} } : not(refusal(result, subject));
  if (said !== undefined && said !== '' && said !== kind) return not(`unable to decode ${String(said)} as ${kind}`);
  return { kind: 'got', object: value };
}

/** Why a JSON value is no object. */
function describe(value: unknown, body: Buffer): string {
  if (value !== undefined)
    return `json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value} into an object`;
  const first = body.toString('utf8').trimStart()[0] ?? '';
  return `invalid character '${first}' looking for beginning of value`;
}
