/** Real requests of somebody, and what came of them. */
import type { Attempt } from '../../src/checks/authorization/access.js';
import { isUnserved } from '../../src/checks/authorization/access-questions.js';
import { isFromBehind, seenIn } from '../../src/checks/common/answers.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import type { World } from '../../src/run/world.js';
import type { Asker, Question } from '../../src/targets/types.js';
import { forEach } from '../common/each.js';

/** What the API server lists of the rights of who asks. */
export const rulesReview = (namespace: string): Question => ({
  method: 'POST',
  path: pathOf(resources.selfSubjectRulesReviews),
  body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec: { namespace } },
});

interface Request {
  /** "list secrets in kube-system, as a joining token" */
  readonly subject: string;
  readonly question: Question;
}

export const attempts = (world: World, client: Pick<Asker, 'ask'>, requests: readonly Request[]): Promise<Attempt[]> =>
  forEach(world, requests, async ({ question, ...request }) => ({
    ...request,
    ...(isUnserved(question) ? { unserved: true } : {}),
    answer: seenIn(await client.ask({ expects: isFromBehind, ...question })),
  }));
