/** Who the API server takes somebody for: what is asked, and what is made of the answers of older ones. */

import { heardIn, whoAmI } from '../../src/checks/authenticators/login.js';
import type { Heard } from '../../src/checks/common/answers.js';
import { KUBE_SYSTEM, USER_ANONYMOUS } from '../../src/kubernetes/names.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import type { World } from '../../src/run/world.js';
import type { Identity, Question } from '../../src/targets/types.js';
import { SOON } from './waiting.js';

const isAnonymous = (body: unknown): boolean => JSON.stringify(body ?? '').includes(`\\"${USER_ANONYMOUS}\\"`);

/** Who am I? A SelfSubjectReview. */
export const whoAmIQuestion = {
  method: 'POST',
  path: pathOf(resources.selfSubjectReviews),
  body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
} as const;

/** Who comes with a token; `status`: what is the API server's to write. */
export const tokenReview = (
  spec: { readonly token: string; readonly audiences?: readonly string[] },
  status?: object,
): Question => ({
  method: 'POST',
  path: pathOf(resources.tokenReviews),
  body: {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenReview',
    spec,
    ...(status === undefined ? {} : { status }),
  },
});

/** Whether somebody may do something: by whoever is named, or in one's own name. */
export const accessReview = (spec: object): Question => accessQuestion('subjectAccessReviews', spec);
export const ownAccessReview = (resourceAttributes: object): Question =>
  accessQuestion('selfSubjectAccessReviews', { resourceAttributes });

function accessQuestion(resource: 'subjectAccessReviews' | 'selfSubjectAccessReviews', spec: object): Question {
  const { [resource]: definition } = resources;
  const body = { apiVersion: 'authorization.k8s.io/v1', kind: definition.kind, spec };
  return { method: 'POST', path: pathOf(definition), body };
}

/** What a request carries beside its credentials. */
export type Door = Pick<Question, 'query' | 'headers' | 'body'>;

/** Nobody who joins may do this, and whoever is forbidden something is told his name. */
const FORBIDDEN = { path: pathOf(resources.namespaces, { name: KUBE_SYSTEM }) } as const;
/** Nobody is told who he is where the review is not served. */
const isMissing = ({ status }: Pick<Heard, 'status'>): boolean => status === 404;

/**
 * Who the API server takes somebody for. Where a bearer may not ask that of himself (SelfSubjectReview: everybody since
 * 1.28), the administrator asks by a TokenReview; where that says nothing either, the bearer's own answer stands.
 */
export async function login(world: World, identity: Identity, door: Door = {}): Promise<Heard> {
  const asker = world.as(identity);
  const { status, body } = await asker.ask({ ...whoAmIQuestion, ...door, expects: isMissing });
  const own = heardIn({ status, body });
  if (status === 404 && identity.kind !== 'token' && identity.kind !== 'certificate')
    return heardIn(await asker.ask({ ...door, body: undefined, ...FORBIDDEN }));
  if (identity.kind !== 'token' || !(status === 404 || (status === 403 && !isAnonymous(body)))) return own;
  const review = await world.admin.ask(tokenReview({ token: identity.token }));
  const said = (review.body as { status?: { authenticated?: boolean; user?: unknown } } | undefined)?.status;
  if (review.status !== 201) return own;
  if (said?.authenticated === true) return { status: 201, body: { status: { userInfo: said.user } } };
  return status === 404 ? { status: 401, body: { kind: 'Status', reason: 'Unauthorized' } } : own;
}

/** What was made just now is not known at once: asked again until it is, or the time is over. */
export async function knownSoon(world: World, ask: () => Promise<Heard>): Promise<Heard> {
  let heard = await ask();
  await world.eventually(SOON, async () => {
    if (whoAmI(heard) !== undefined) return true;
    heard = await ask();
    return undefined;
  });
  return heard;
}
