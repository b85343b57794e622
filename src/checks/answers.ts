/** Answers of the API server, as several checks read them. Pure. */
import { isRecord, record, text } from '../kubernetes/json.js';

/** The part of an answer that is judged; the status is 0 where none came. */
export interface Heard {
  readonly status: number;
  readonly body: unknown;
}

/** An answer of the API server, to a review or to a request. */
export interface Answered {
  /** "list secrets in kube-system, as a joining token" */
  readonly subject: string;
  readonly answer: Heard;
}

/** The message of a Status; '' where there is none. */
export const messageOf = (body: unknown): string => text(record(body).message);

/** 500: also said to what cannot be understood, which is an answer where that is asked. */
export const isInternal = ({ status }: Heard): boolean => status === 500;

/**
 * The API server let a request through and handed it on, and nobody was there to take it. What else is answered with
 * 503 comes from a server that is busy, or from something before it. Source: apimachinery, pkg/util/proxy/transport.go.
 */
export const isFromBehind = ({ status, body }: Heard): boolean =>
  status === 503 && messageOf(body).startsWith('error trying to reach service');

/** "403 secrets is forbidden: …" */
export const shownAnswer = ({ status, body }: Heard): string => `${status} ${messageOf(body)}`.trimEnd();

/** The statuses of a server that is busy or broken, or gave no answer: they say nothing of what was demanded. */
export const saysNothing = (status: number): boolean => status === 0 || status === 429 || status >= 500;

/** What an API server answers by itself: not what kubelets, Pods and others answer through it. */
const OWN = /^\/(?:version$|(?:livez|readyz|healthz)$|apis?(?:$|\/(?!.*\/(?:proxy|log|exec|attach|portforward)\b)))/;

/** What an API server says of a group that is switched off: words, and no Status. Source: Go net/http NotFound. */
const NOT_SERVED = '404 page not found';

/**
 * What no API server answers to a request for its objects: a page, the way to another address, words instead of a
 * Status. It comes from something before it (a gateway, a login page) and says nothing of what the API server would
 * say. Source: apiserver, pkg/endpoints/handlers/responsewriters/writers.go.
 */
export const isForeign = (
  path: string,
  { status, text: whole, body }: { readonly status: number; readonly text: string; readonly body: unknown },
): boolean =>
  OWN.test(path) &&
  ((status >= 300 && status < 400) ||
    (status >= 400 && !isRecord(body) && !(path.startsWith('/apis/') && whole.trim() === NOT_SERVED)) ||
    whole.trimStart().startsWith('<'));

/** Reader: status, message and the opinion of a review. What else an answer holds may be long, or secret. */
export function seenIn({ status, body }: Heard): Heard {
  if (typeof body !== 'object' || body === null) return { status, body: null };
  const message = messageOf(body);
  const { kind, status: opinion } = record(body);
  const reviewed = kind === 'SubjectAccessReview' && opinion !== undefined;
  return {
    status,
    body: { ...(message === '' ? {} : { message }), ...(reviewed ? { status: opinion } : {}) },
  };
}
