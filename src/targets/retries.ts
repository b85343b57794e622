/** Whether a request is sent once more, and from when on a target counts as gone. */
import { TargetUnreachable, type Unreachable } from './errors.js';
import type { Answer } from './types.js';

/** What one sending came to. */
export type Sending = { readonly answer: Answer } | { readonly failure: TargetUnreachable };

/** Of one request, over all its sendings. */
export interface Trying {
  /** Sendings so far. */
  readonly attempt: number;
  /** Milliseconds of a steady clock. */
  readonly since: number;
  /** It may be sent twice: it changes nothing, or the same. */
  readonly repeatable: boolean;
  /** Which answers from 500 on are no trouble. */
  readonly expects: ((answer: Answer) => boolean) | undefined;
}

/** Sendings of a request whose connection was closed under it, or that a broken server answered with 5xx. */
const ATTEMPTS = 6;
/** On the way to a target that has not answered yet: it may be another one altogether. */
const FIRST_ATTEMPTS = 4;
/**
 * Sendings that 429 sent away, and milliseconds for all of them. Source of the order: client-go, rest/request.go
 * maxRetries 10.
 */
const ATTEMPTS_WHERE_BUSY = 20;
const BUSY_MS = 30_000;
const LONGEST_RETRY_AFTER_MS = 10_000;
/** After so many requests in a row that stayed busy or broken nothing is waited out any more, until one is answered. */
const STUBBORN = 3;
/** A target that has answered and then does not for this long is gone; one that is started again is back by then. */
const GONE_MS = 8_000;
const GONE_FAILURES = 5;
const AGAIN_MS = 250;

/** Nothing can have reached the server. */
const UNSENT: readonly Unreachable[] = ['refused', 'dns', 'network'];
/** What says nothing of whether the server is there. */
const NO_SIGN: readonly Unreachable[] = ['too-large', 'aborted'];

export class Retries {
  readonly #gone = new AbortController();
  #lastAnswer: number | undefined;
  #failures = 0;
  #stubborn = 0;
  readonly #now: () => number;

  /** `now`: milliseconds of a steady clock; default: this machine's. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Aborted when the target is gone; the reason says what it was. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Milliseconds after which to send again; undefined: that was it. */
  next(sending: Sending, trying: Trying): number | undefined {
    const wait = 'answer' in sending ? this.#afterAnswer(sending.answer, trying) : this.#after(sending.failure, trying);
    if (wait !== undefined) return wait;
    if ('failure' in sending) this.#failed(sending.failure);
    else {
      this.#failures = 0;
      if (!isBusy(sending.answer) && !isBroken(sending.answer)) this.#stubborn = 0;
      // One that was not sent again shows nothing of what waiting is worth.
      else if (trying.attempt > 1) this.#stubborn += 1;
    }
    return undefined;
  }

  #afterAnswer(answer: Answer, { attempt, since, repeatable, expects }: Trying): number | undefined {
    this.#lastAnswer = this.#now();
    if (this.#stubborn >= STUBBORN) return undefined;
    // The API server says 429 before it looks at the request, so this is safe for writes too.
    if (isBusy(answer)) {
      const wait = retryAfter(answer, backOff(attempt));
      return attempt < ATTEMPTS_WHERE_BUSY && this.#now() - since < BUSY_MS ? wait : undefined;
    }
    return repeatable && attempt < ATTEMPTS && isBroken(answer) && expects?.(answer) !== true
      ? backOff(attempt)
      : undefined;
  }

  #after({ why }: TargetUnreachable, { attempt, repeatable }: Trying): number | undefined {
    if (this.#lastAnswer === undefined)
      return repeatable && why === 'closed' && attempt < FIRST_ATTEMPTS ? backOff(attempt) : undefined;
    if (UNSENT.includes(why)) return this.#now() - this.#lastAnswer < GONE_MS ? AGAIN_MS : undefined;
    return repeatable && why === 'closed' && attempt < ATTEMPTS ? backOff(attempt) : undefined;
  }

  #failed(failure: TargetUnreachable): void {
    if (NO_SIGN.includes(failure.why) || this.#lastAnswer === undefined) return;
    this.#failures += 1;
    const silent = this.#now() - this.#lastAnswer;
    if (this.#failures < GONE_FAILURES || silent < GONE_MS) return;
    const text = `${failure.message} There has been no answer for ${GONE_MS / 1000} s, so it is not asked any more.`;
    this.#gone.abort(new TargetUnreachable(text, failure.why));
  }
}

/** Milliseconds. Not all at once: whoever was sent away together does not come back together. */
const backOff = (attempt: number): number => Math.min(1000, 25 * 2 ** attempt) * (0.75 + Math.random() / 2);

const isBusy = ({ status }: Answer): boolean => status === 429;

export const isBroken = ({ status }: Answer): boolean => status >= 500;

/**
 * Milliseconds that Retry-After asks for; `otherwise` where it is missing or unreadable, undefined where it is too
 * long.
 */
function retryAfter(answer: Answer, otherwise: number): number | undefined {
  const value = answer.headers['retry-after'];
  if (typeof value !== 'string') return otherwise;
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  if (!Number.isFinite(milliseconds)) return otherwise;
  return milliseconds <= LONGEST_RETRY_AFTER_MS ? Math.max(0, milliseconds) : undefined;
}
