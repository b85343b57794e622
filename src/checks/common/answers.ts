/** Answers of the API server, as several checks read them. Pure. */
import { record, text } from '../../kubernetes/json.js';

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

/**
 * The statuses of a server that is busy or broken, or gave no answer, and of 204, which no API server gives: they say
 * nothing of what was demanded.
 */
export const saysNothing = (status: number): boolean => [0, 204, 429].includes(status) || status >= 500;

/** What is about the dry run that it was asked as, and not about what was asked; an admission webhook is asked later. */
const ABOUT_DRY_RUN = /^(?!admission webhook).*dry.?run/i;
/**
 * What connects to somebody behind the API server says this once authorization has let a request through, and nothing
 * else does in these words. Source: apiserver, pkg/endpoints/handlers/rest.go ConnectResource.
 */
const CONNECTS = 'dryRun is not supported';
/** What is not there has a name: a path that leads nowhere is no answer to who may go there. */
const NAMED = /"[^"]*" not found/;
/** What a 400 is about that comes from where objects are read, and not from something before. */
const UNDERSTOOD = [
  /cannot b(?:e|ind)|unable to (?:parse|convert)|does(?: not|n't) match|can't under|unrecognized|decoding|undetermin/,
  /not a known|valid for|not supported: |not have a|must (?:be|match|specify|not|have)|required|on request|^found/,
  /strconv|json|yaml|without impers|invalid (?:selector|continue|resource|pod|node|service)|admission webhook/,
];
/**
 * What an API server says, with that status, once authorization has let the request through. In other words it says
 * nothing of that. Source: apimachinery, pkg/api/errors/errors.go; apiserver, pkg/endpoints/handlers and negotiation.
 */
const THROUGH: Readonly<Record<number, readonly RegExp[]>> = {
  400: UNDERSTOOD,
  404: [NAMED],
  409: [/already exists|cannot be fulfilled|apply failed/i],
  415: [/unsupported media type|unknown format/i],
  422: [/ is invalid: |is forbidden: |denied|rejected our request/],
};

/**
 * Did authorization let the request through? undefined: the answer says nothing of that, since it comes from something
 * that hides what is forbidden, knows no dry runs, or is busy.
 * Source: apimachinery, pkg/api/errors NewNotFound; apiserver, pkg/endpoints/filters/authorization.go.
 */
export function isLetThrough(answer: Heard): boolean | undefined {
  const { status, body } = answer;
  if (status === 403) return false;
  if ((status >= 200 && status < 300) || isFromBehind(answer)) return true;
  const message = messageOf(body);
  if (status === 400 && message === CONNECTS) return true;
  if (status !== 404 && ABOUT_DRY_RUN.test(message)) return undefined;
  return THROUGH[status]?.some((words) => words.test(message)) === true || undefined;
}

/** Nothing of what was asked: neither forbidden, nor let through, nor refused for want of a login. */
export const isBesides = (answer: Heard): boolean => answer.status !== 401 && isLetThrough(answer) === undefined;

/** What an API server says where its authorizers, or its admission, forbid something. Source: NewForbidden, as above. */
const FORBIDDEN = /\bforbidden: |\bcannot\b|\bdenied\b/;

/** 403 in other words than those of an API server: it says nothing of what its authorizers would. */
export const isForbiddenElsewhere = ({ status, body }: Heard): boolean =>
  status === 403 && messageOf(body) !== '' && !FORBIDDEN.test(messageOf(body));

/** Reader: status, message and the opinion of a review. What else an answer holds may be long, or secret. */
export function seenIn({ status, body }: Heard): Heard {
  if (typeof body !== 'object' || body === null) return { status, body: null };
  const message = messageOf(body);
  const { kind, status: opinion } = record(body);
  const reviewed = text(kind).endsWith('SubjectAccessReview') && opinion !== undefined;
  return {
    status,
    body: { ...(message === '' ? {} : { message }), ...(reviewed ? { status: opinion } : {}) },
  };
}
