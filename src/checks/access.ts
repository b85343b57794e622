/**
 * Access as kubectl writes it ("create deployments.apps", "get nodes/proxy"): the review that asks for it, the real request that tries it
 * as a dry run, and what the answer means. Pure.
 * Source: authorization.k8s.io/v1 SubjectAccessReview; apiserver, pkg/endpoints/request/requestinfo.go (verbs of methods).
 */
import type { Check } from '../model/check.js';
import type { Evidence } from '../model/evidence.js';
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

/** API versions by group, for paths. A group that is not here is asked as v1. */
const VERSIONS: Readonly<Record<string, string>> = { '': 'v1' };

/** Parses "pods/exec", "deployments.apps", "nodes" with a verb, a namespace ('' for none) and a name ('' for any). */
export function access(verb: string, what: string, where: string, name: string): Access {
  const [path = '', subresource = ''] = what.split('/', 2);
  const dot = path.indexOf('.');
  // kubectl's notation puts the group after the resource and the subresource last: signers.certificates.k8s.io, pods/exec
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
  return `${wanted.verb} ${resource}${group}${wanted.name === '' ? '' : ` ${wanted.name}`}${wanted.namespace === '' ? '' : ` in ${wanted.namespace}`}`;
}

/** The review's body; the answer's status.allowed is the API server's opinion. */
export function reviewOf(
  wanted: Access,
  holder: { readonly user: string; readonly groups: readonly string[] },
): Record<string, unknown> {
  return {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    spec: {
      user: holder.user,
      groups: holder.groups,
      resourceAttributes: {
        verb: wanted.verb,
        group: wanted.group,
        version: '*',
        resource: wanted.resource,
        ...(wanted.subresource === '' ? {} : { subresource: wanted.subresource }),
        ...(wanted.namespace === '' ? {} : { namespace: wanted.namespace }),
        ...(wanted.name === '' ? {} : { name: wanted.name }),
      },
    },
  };
}

export interface AccessQuestion {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly contentType?: string;
}

/** The real request. What writes is a dry run; authorization comes before the body is read, so an empty one will do. */
export function questionOf(wanted: Access): AccessQuestion {
  const version = VERSIONS[wanted.group] ?? 'v1';
  const root = wanted.group === '' ? `/api/${version}` : `/apis/${wanted.group}/${version}`;
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

interface Seen {
  readonly status: number;
  readonly body: unknown;
}

/** The message of a Status; '' where there is none. */
export const messageOf = (body: unknown): string =>
  typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string'
    ? body.message
    : '';

/** Was a real request forbidden? "unclear" where the answer says nothing about authorization (401, 429, 5xx). */
export function judgeForbidden(wanted: Access, who: string, answer: Seen): Evidence | { readonly unclear: string } {
  const demanded = 'is forbidden (403)';
  const object = `${accessText(wanted)}, as ${who}`;
  const seen = `${answer.status}${messageOf(answer.body) === '' ? '' : ` ${messageOf(answer.body)}`}`;
  if (answer.status === 403) return { object, demanded, seen, ok: true };
  const behindProxy = wanted.subresource === 'proxy' && answer.status >= 502;
  if (answer.status === 401 || answer.status === 429 || (answer.status >= 500 && !behindProxy))
    return { unclear: `${object}: ${seen}` };
  return { object, demanded, seen: `${seen}: the API server let it through`, ok: false };
}

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

export function judgeReview(
  wanted: Access,
  who: string,
  allowed: boolean,
  demand: 'allowed' | 'denied',
  reason: string,
): Evidence {
  return {
    object: `${accessText(wanted)}, as ${who}`,
    demanded: demand === 'allowed' ? 'is allowed' : 'is not allowed',
    seen: `the API server says ${allowed ? 'allowed' : 'not allowed'}${reason === '' ? '' : ` (${reason})`}`,
    ok: allowed === (demand === 'allowed'),
  };
}

/** An answer of the API server, to a review or to a request. */
export interface Answered {
  /** "list secrets in kube-system, as a joining token" */
  readonly subject: string;
  readonly answer: Seen;
}

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

/** Real requests were forbidden: 403. `proxied`: a server error comes from behind the API server, which has let it through. */
export const requestForbidden: Check<readonly (Answered & { readonly proxied?: boolean })[]> = {
  id: 'access/forbidden',
  source: '004, RBAC for bootstrapping; apiserver, pkg/endpoints/filters/authorization.go WithAuthorization',
  judge: (answers) =>
    answers.map(({ subject, answer, proxied = false }) => {
      const demanded = 'is forbidden (403)';
      const unclear = saysNothing(answer) && !(proxied && answer.status >= 502);
      const ok = unclear ? undefined : answer.status === 403;
      const seen = ok === false ? `${shown(answer)}: the API server let it through` : shown(answer);
      return refusal({ subject, demanded, seen, ok });
    }),
};

/** Real requests came through: 200 or 201, or one of `statuses`. */
export const requestAllowed: Check<readonly Answered[], { readonly statuses?: readonly number[] }> = {
  id: 'access/came-through',
  source: '004, RBAC for bootstrapping; apiserver, pkg/endpoints/filters/authorization.go WithAuthorization',
  judge: (answers, { statuses = [200, 201] }) =>
    answers.map(({ subject, answer }) =>
      demand({
        subject,
        demanded: `is allowed (${statuses.join(' or ')})`,
        seen: shown(answer),
        ok: statuses.includes(answer.status),
      }),
    ),
};
