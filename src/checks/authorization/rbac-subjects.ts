/**
 * The sorts of subjects that the documents speak of. Source: 000, 001, 002; apiserver, pkg/authentication/user/user.go.
 */
import {
  BOOTSTRAP_USER_PREFIX,
  GROUP_AUTHENTICATED,
  GROUP_BOOTSTRAPPERS,
  GROUP_NODES,
  GROUP_SERVICE_ACCOUNTS,
  GROUP_UNAUTHENTICATED,
  NODE_USER_PREFIX,
  USER_ANONYMOUS,
} from '../../kubernetes/names.js';
import type { Subject } from '../../kubernetes/objects.js';

const isGroup = ({ kind, name }: Subject, ...names: readonly string[]): boolean =>
  kind === 'Group' && names.includes(name);
const isUserBelow = ({ kind, name }: Subject, prefix: string): boolean => kind === 'User' && name.startsWith(prefix);
const isGroupBelow = ({ kind, name }: Subject, parent: string): boolean =>
  kind === 'Group' && name.startsWith(`${parent}:`);
const isAnonymous = ({ kind, name }: Subject): boolean => kind === 'User' && name === USER_ANONYMOUS;

const SORTS = {
  bootstrappers: (subject) =>
    isGroup(subject, GROUP_BOOTSTRAPPERS) ||
    isGroupBelow(subject, GROUP_BOOTSTRAPPERS) ||
    isUserBelow(subject, BOOTSTRAP_USER_PREFIX),
  nodes: (subject) => isGroup(subject, GROUP_NODES) || isUserBelow(subject, NODE_USER_PREFIX),
  strangers: (subject) => isGroup(subject, GROUP_UNAUTHENTICATED) || isAnonymous(subject),
  /** Groups that say nothing but "somebody who is already in": whoever is bound through them, everybody is. */
  everybody: (subject) =>
    isGroup(subject, GROUP_AUTHENTICATED, GROUP_UNAUTHENTICATED, GROUP_SERVICE_ACCOUNTS) ||
    isGroupBelow(subject, GROUP_SERVICE_ACCOUNTS) ||
    isAnonymous(subject),
  /** People and components, each by a name of its own. */
  users: (subject) => subject.kind === 'User' && !isAnonymous(subject),
  'service accounts': ({ kind }) => kind === 'ServiceAccount',
} as const satisfies Record<string, (subject: Subject) => boolean>;

export type Sort = keyof typeof SORTS;

export const isOf = (subject: Subject, sorts: readonly Sort[]): boolean => sorts.some((sort) => SORTS[sort](subject));
