/**
 * Asking as somebody else: what it takes, and whether it was refused.
 * Source: apiserver, pkg/endpoints/filters/impersonation.go buildImpersonationRequests.
 */
import { messageOf } from '../checks/common/answers.js';
import type { Answer, Question } from '../targets/types.js';

/** What one has to be allowed to impersonate. */
export interface Impersonated {
  readonly group: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly name: string;
}

const AUTHENTICATION = 'authentication.k8s.io';
const EXTRA = 'impersonate-extra-';

/** Of each header that asks for it. */
export const impersonatedBy = ({ headers = {} }: Pick<Question, 'headers'>): readonly Impersonated[] =>
  Object.entries(headers).flatMap(([header, names]) => [names].flat().flatMap((name) => askedFor(header, name)));

function askedFor(header: string, name: string): Impersonated[] {
  const key = header.toLowerCase();
  if (key === 'impersonate-user') {
    const [, namespace, account] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(name) ?? [];
    if (namespace === undefined || account === undefined) return [{ group: '', resource: 'users', name }];
    return [{ group: '', resource: 'serviceaccounts', namespace, name: account }];
  }
  if (key === 'impersonate-group') return [{ group: '', resource: 'groups', name }];
  if (key === 'impersonate-uid') return [{ group: AUTHENTICATION, resource: 'uids', name }];
  if (!key.startsWith(EXTRA)) return [];
  return [{ group: AUTHENTICATION, resource: `userextras/${decodeURIComponent(key.slice(EXTRA.length))}`, name }];
}

/** Which right was missing; undefined: none. Since 1.36 there are verbs for it that begin alike. */
export function lacksImpersonation(question: Question, { status, body }: Answer): string | undefined {
  const wanted = impersonatedBy(question);
  if (wanted.length === 0 || status !== 403 || !/ cannot impersonate/.test(messageOf(body))) return undefined;
  const kinds = [...new Set(wanted.map(({ resource }) => resource))].join(' and ');
  return `the credential of the run lacks the right to impersonate ${kinds}`;
}
