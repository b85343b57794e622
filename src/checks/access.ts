/**
 * Access as kubectl writes it ("create deployments.apps", "get nodes/proxy"): the review that asks for it, the real
 * request that tries it
 * as a dry run, and what the answer means. Pure.
 * Source: authorization.k8s.io/v1 SubjectAccessReview; apiserver, pkg/endpoints/request/requestinfo.go (verbs of
 * methods).
 */
import type { KubeObject } from '../kubernetes/objects.js';
import type { Check } from '../model/check.js';
import { demand, refusal } from '../model/finding.js';

export interface Access {
  readonly verb: string;
  readonly group: string;
  /** without its subresource */
  readonly resource: string;
  readonly subresource: string;
  /** '' at the cluster scope, or for all namespaces */
  readonly namespace: string;
  /** '' for any */
  readonly name: string;
}

/**
 * Parses "pods/exec", "deployments.apps", "nodes", "/api" with a verb, a namespace ('' for none) and a name ('' for
 * any).
 */
export function access(verb: string, what: string, where = '', name = ''): Access {
  if (what.startsWith('/')) return { verb, group: '', resource: what, subresource: '', namespace: '', name: '' };
  const [path = '', subresource = ''] = what.split('/', 2);
  const dot = path.indexOf('.');
  // kubectl puts the group after the resource and the subresource last: signers.certificates.k8s.io, pods/exec
  const [last = '', ...group] = subresource.split('.');
  const resource = dot < 0 ? path : path.slice(0, dot);
  return {
    verb,
    group: dot < 0 ? group.join('.') : path.slice(dot + 1),
    resource,
    subresource: last,
    namespace: where,
    name,
  };
}

export function accessText(wanted: Access): string {
  const resource = wanted.subresource === '' ? wanted.resource : `${wanted.resource}/${wanted.subresource}`;
  const group = wanted.group === '' ? '' : `.${wanted.group}`;
  const name = wanted.name === '' ? '' : ` ${wanted.name}`;
  const where = wanted.namespace === '' ? '' : ` in ${wanted.namespace}`;
  return `${wanted.verb} ${resource}${group}${name}${where}`;
}

/** Whom a review asks about. */
export interface Asked {
  readonly user: string;
  readonly groups: readonly string[];
}

const attributesOf = (wanted: Access): Readonly<Record<string, unknown>> =>
  wanted.resource.startsWith('/')
    ? { nonResourceAttributes: { verb: wanted.verb, path: wanted.resource } }
    : {
        resourceAttributes: {
          verb: wanted.verb,
          group: wanted.group,
          version: '*',
          resource: wanted.resource,
          ...(wanted.subresource === '' ? {} : { subresource: wanted.subresource }),
          ...(wanted.namespace === '' ? {} : { namespace: wanted.namespace }),
          ...(wanted.name === '' ? {} : { name: wanted.name }),
        },
      };

/** The review; the answer's status.allowed is the API server's opinion. */
export const reviewOf = (wanted: Access, { user, groups }: Asked): KubeObject => ({
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SubjectAccessReview',
  metadata: {},
  spec: { user, groups, ...attributesOf(wanted) },
});

export interface AccessQuestion {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly contentType?: string;
}

/** The real request. What writes is a dry run; authorization comes before the body is read, so an empty one will do. */
export function questionOf(wanted: Access): AccessQuestion {
  if (wanted.resource.startsWith('/')) return { method: 'GET', path: wanted.resource, query: {} };
  const root = wanted.group === '' ? '/api/v1' : `/apis/${wanted.group}/v1`;
  const scope = wanted.namespace === '' ? '' : `/namespaces/${wanted.namespace}`;
  const collection = `${root}${scope}/${wanted.resource}`;
  const one = `${collection}/${encodeURIComponent(wanted.name === '' ? 'joinproof-asks' : wanted.name)}`;
  const object = wanted.subresource === '' ? one : `${one}/${wanted.subresource}`;
  const dry = { dryRun: 'All' };
  switch (wanted.verb) {
    case 'list':
      return { method: 'GET', path: collection, query: { limit: '1' } };
    case 'watch':
      return { method: 'GET', path: collection, query: { watch: 'true', timeoutSeconds: '1' } };
    case 'create':
      return {
        method: 'POST',
        path: wanted.subresource === '' ? collection : object,
        query: dry,
        body: bodyOf(wanted),
      };
    case 'update':
      return { method: 'PUT', path: object, query: dry, body: {} };
    case 'patch':
      return { method: 'PATCH', path: object, query: dry, body: {}, contentType: 'application/merge-patch+json' };
    case 'delete':
      return { method: 'DELETE', path: object, query: dry };
    default:
      return { method: 'GET', path: object, query: {} };
  }
}

/** A binding without a role makes the server stumble before it answers; any other body may be empty. */
const bodyOf = (wanted: Access): unknown =>
  wanted.resource.endsWith('rolebindings')
    ? {
        metadata: { name: wanted.name === '' ? 'jp-absent' : wanted.name },
        roleRef: {
          apiGroup: wanted.group,
          kind: wanted.resource === 'rolebindings' ? 'Role' : 'ClusterRole',
          name: 'jp-absent',
        },
      }
    : {};

/** The part of an answer that is judged. */
export interface Seen {
  readonly status: number;
  readonly body: unknown;
}

/** Reader: status, message and the opinion of a review. What else an answer holds may be long, or secret. */
export function seenIn({ status, body }: Seen): Seen {
  const message = messageOf(body);
  if (typeof body !== 'object' || body === null) return { status, body: null };
  const opinion = 'kind' in body && body.kind === 'SubjectAccessReview' && 'status' in body ? body.status : undefined;
  return {
    status,
    body: { ...(message === '' ? {} : { message }), ...(opinion === undefined ? {} : { status: opinion }) },
  };
}

/** The message of a Status; '' where there is none. */
export const messageOf = (body: unknown): string =>
  typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string'
    ? body.message
    : '';

/** Does the review's answer say allowed? Throws nothing: an answer that is no review is unclear. */
export function reviewed(
  answer: Seen,
): { readonly allowed: boolean; readonly reason: string } | { readonly unclear: string } {
  const body = answer.body;
  if (answer.status !== 201 || typeof body !== 'object' || body === null || !('status' in body)) {
    return { unclear: `the SubjectAccessReview was answered with ${answer.status} ${messageOf(body)}`.trimEnd() };
  }
  const status = body.status as { allowed?: unknown; reason?: unknown } | null;
  if (status === null || typeof status.allowed !== 'boolean')
    return { unclear: 'the SubjectAccessReview came back without an answer' };
  return { allowed: status.allowed, reason: typeof status.reason === 'string' ? status.reason : '' };
}

/** An answer of the API server, to a review or to a request. */
export interface Answered {
  /** "list secrets in kube-system, as a joining token" */
  readonly subject: string;
  readonly answer: Seen;
}

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

const shown = ({ status, body }: Seen): string => `${status} ${messageOf(body)}`.trimEnd();
/** Answers that say nothing of authorization. */
const saysNothing = ({ status }: Seen): boolean => status === 0 || status === 401 || status === 429 || status >= 500;

/** A real request, made by somebody who must not. */
export interface Attempt extends Answered {
  /** A server error comes from behind the API server, which has let it through. */
  readonly proxied?: true;
  /** What it was about is there no more, so "not found" says nothing. */
  readonly gone?: true;
}

/** Real requests were forbidden: 403. */
export const requestForbidden: Check<readonly Attempt[]> = {
  id: 'access/forbidden',
  source: REQUESTS,
  judge: (attempts) =>
    attempts.map(({ subject, answer, proxied, gone }) => {
      const unclear =
        (saysNothing(answer) && !(proxied === true && answer.status >= 502)) ||
        (gone === true && answer.status === 404);
      const ok = unclear ? undefined : answer.status === 403;
      const seen = ok === false ? `${shown(answer)}: the API server let it through` : shown(answer);
      return refusal({ subject, demanded: 'is forbidden (403)', seen, ok });
    }),
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
      const ok = statuses.includes(answer.status) || (saysNothing(answer) ? undefined : false);
      return refusal({ subject, demanded: `is refused (${statuses.join(' or ')})`, seen: shown(answer), ok });
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
        seen: shown(answer),
        // a login that is refused is no passage, whatever the cause
        ok: statuses.includes(answer.status) || (saysNothing(answer) && answer.status !== 401 ? undefined : false),
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
  if (saysNothing(answer)) return undefined;
  const opinion = reviewed(answer);
  return 'unclear' in opinion ? undefined : opinion.allowed;
};
const passage = ({ answer }: Answered): boolean | undefined =>
  saysNothing(answer) ? undefined : answer.status === 200 || answer.status === 201;

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
