/** Who may do what, by reviews and by real requests. Pure. Source: authorization.k8s.io/v1 SubjectAccessReview. */
import { record, text } from '../../kubernetes/json.js';
import type { Check } from '../../model/check.js';
import { demand, refusal } from '../../model/finding.js';
import {
  type Answered,
  type Heard,
  isBesides,
  isForbiddenElsewhere,
  isLetThrough,
  saysNothing,
  shownAnswer,
} from '../common/answers.js';

/** Does the review's answer say allowed? Throws nothing: an answer that is no review is unclear. */
export function reviewed(
  answer: Heard,
): { readonly allowed: boolean; readonly reason: string } | { readonly unclear: string } {
  const { status } = record(answer.body);
  if (answer.status !== 201 || status === undefined)
    return { unclear: `the SubjectAccessReview was answered with ${shownAnswer(answer)}` };
  const { allowed, reason, evaluationError } = record(status);
  // an authorizer that could not be asked might have allowed it
  if (allowed === false && text(evaluationError) !== '')
    return { unclear: `the API server could not tell (${text(evaluationError)})` };
  if (typeof allowed !== 'boolean') return { unclear: 'the SubjectAccessReview came back without an answer' };
  return { allowed, reason: text(reason) };
}

/** The review says so; no other answer does. */
export const isAllowed = ({ answer }: Answered): boolean => {
  const opinion = reviewed(answer);
  return 'allowed' in opinion && opinion.allowed;
};

const REQUESTS = '004, RBAC for bootstrapping; apiserver, pkg/endpoints/filters/authorization.go WithAuthorization';
const REVIEWS = '004, RBAC for bootstrapping; k8s.io/api, authorization/v1 SubjectAccessReview';
const said = ({ allowed, reason }: { readonly allowed: boolean; readonly reason: string }): string =>
  `the API server says ${allowed ? 'allowed' : 'not allowed'}${reason === '' ? '' : ` (${reason})`}`;

/** The answers to SubjectAccessReviews say allowed. */
export const accessAllowed: Check<readonly Answered[]> = {
  id: 'access/allowed',
  source: REVIEWS,
  judge: (answers) =>
    answers.map(({ subject, answer }) => {
      const opinion = reviewed(answer);
      if ('unclear' in opinion)
        return demand({ subject, demanded: 'is allowed', seen: opinion.unclear, ok: undefined });
      return demand({ subject, demanded: 'is allowed', seen: said(opinion), ok: opinion.allowed });
    }),
};

/** The answers to SubjectAccessReviews say not allowed. */
export const accessDenied: Check<readonly Answered[]> = {
  id: 'access/denied',
  source: REVIEWS,
  judge: (answers) =>
    answers.map(({ subject, answer }) => {
      const demanded = 'is not allowed';
      const opinion = reviewed(answer);
      if ('unclear' in opinion) return refusal({ subject, demanded, seen: opinion.unclear, ok: undefined });
      return refusal({ subject, demanded, seen: said(opinion), ok: !opinion.allowed });
    }),
};

/** Answers that say nothing of authorization: whoever is not logged in is not asked what he may do. */
const isUnclear = ({ status }: Heard): boolean => status === 401 || saysNothing(status);
/** A real request, made by somebody who must not. */
export interface Attempt extends Answered {
  /** What it was about is there no more, so "not found" says nothing. */
  readonly gone?: true;
  /** It is authorized, and nothing is served there: what is let through is not found, and has no name. */
  readonly unserved?: true;
}

/** Real requests were forbidden: 403. */
export const requestForbidden: Check<readonly Attempt[]> = {
  id: 'access/forbidden',
  source: REQUESTS,
  judge: (attempts) => {
    // who is told something of one request is told of others, too: nothing is hidden from him
    const told = attempts.some(({ answer }) => isLetThrough(answer) !== undefined);
    return attempts.map(({ subject, answer, gone, unserved }) => {
      const lost = answer.status === 404 && unserved === true && told ? true : undefined;
      const passed = gone === true && answer.status === 404 ? undefined : (isLetThrough(answer) ?? lost);
      const ok = passed === undefined ? undefined : !passed;
      const seen = ok === false ? `${shownAnswer(answer)}: the API server let it through` : shownAnswer(answer);
      return refusal({ subject, demanded: 'is forbidden (403)', seen, ok });
    });
  },
};

/**
 * Real requests were refused by one of these statuses: of a stranger also 401, of an impersonation that names no user
 * 400.
 */
export const requestRefused: Check<readonly Answered[], { readonly statuses: readonly number[] }> = {
  id: 'access/refused',
  source: REQUESTS,
  judge: (answers, { statuses }) =>
    answers.map(({ subject, answer }) => {
      const ok = statuses.includes(answer.status) || (isLetThrough(answer) === undefined ? undefined : false);
      return refusal({ subject, demanded: `is refused (${statuses.join(' or ')})`, seen: shownAnswer(answer), ok });
    }),
};

/** Real requests came through: 200 or 201, or one of `statuses`. */
export const requestAllowed: Check<readonly Answered[], { readonly statuses?: readonly number[] }> = {
  id: 'access/came-through',
  source: REQUESTS,
  judge: (answers, { statuses = [200, 201] }) =>
    answers.map(({ subject, answer }) =>
      demand({
        subject,
        demanded: `is allowed (${statuses.join(' or ')})`,
        seen: shownAnswer(answer),
        // a login that is refused is no passage, whatever the cause
        ok: statuses.includes(answer.status) || (isBesides(answer) || isForbiddenElsewhere(answer) ? undefined : false),
      }),
    ),
};

/** Somebody, and what the API server answered to several requests or reviews of theirs that are harmless. */
export interface Tried {
  /** "a bootstrap token in system:bootstrappers:worker" */
  readonly subject: string;
  readonly answers: readonly Answered[];
}

const opinionOn = ({ answer }: Answered): boolean | undefined => {
  if (isUnclear(answer)) return undefined;
  const opinion = reviewed(answer);
  return 'unclear' in opinion ? undefined : opinion.allowed;
};
const passage = ({ answer }: Answered): boolean | undefined =>
  isUnclear(answer) ? undefined : answer.status === 200 || answer.status === 201;

/** The control of refusals: whoever is refused something is allowed something else, so the refusal is no paralysis. */
const anything =
  (read: (answered: Answered) => boolean | undefined): Check<readonly Tried[]>['judge'] =>
  (tried) =>
    tried.map(({ subject, answers }) => {
      const allowed = answers.find((answered) => read(answered) === true);
      const unclear = answers.some((answered) => read(answered) === undefined);
      const asked = answers.map((answered) => answered.subject).join('; ');
      return demand({
        subject,
        demanded: 'is allowed something, so that a refusal means something',
        seen: allowed === undefined ? `nothing of: ${asked}` : allowed.subject,
        ok: allowed !== undefined ? true : unclear ? undefined : false,
      });
    });

/** Each holder is allowed one of several things, by reviews. */
export const holdsSomething: Check<readonly Tried[]> = {
  id: 'access/holds-something',
  source: '002, system:basic-user and system:discovery are bound to all who have logged in',
  judge: anything(opinionOn),
};

/** One of several real requests of each came through. */
export const doesSomething: Check<readonly Tried[]> = {
  id: 'access/does-something',
  source: '002, system:basic-user and system:discovery are bound to all who have logged in',
  judge: anything(passage),
};
