/** Defects of what is written down of decisions, of lives that are told, and of the address that is published. */
import type { Condition } from '../kubernetes/objects.js';
import { upstream } from '../reference/decisions.js';
import { decides } from './arrange.js';
import type { Mutant } from './types.js';

/** Times as upstream fills them in, but for what is said. */
const timed =
  (change: (condition: Condition, now: string) => Partial<Condition>) =>
  (conditions: readonly Condition[], old: readonly Condition[], now: string): readonly Condition[] =>
    upstream.csrConditionTimes(conditions, old, now).map((condition) => ({ ...condition, ...change(condition, now) }));

export const mutants: readonly Mutant[] = [
  decides('failed-without-reason', 'a refused request is marked as failed without a reason', ['P-337'], {
    signingFailure: (problem) => ({ ...upstream.signingFailure(problem), reason: '' }),
  }),
  decides('failed-for-all-alike', 'every refused request is told the same', ['P-337'], {
    signingFailure: () => upstream.signingFailure('the request is invalid'),
  }),
  decides('failed-by-another-name', 'a refused request is marked as something that no client knows', ['P-337'], {
    signingFailure: (problem) => ({ ...upstream.signingFailure(problem), type: 'Rejected' }),
  }),
  decides('conditions-without-times', 'times that are left open stay open', ['P-338', 'P-337'], {
    csrConditionTimes: (conditions) => conditions,
  }),
  decides('conditions-without-words', 'reason and message of a condition are dropped', ['P-338'], {
    csrConditionTimes: timed(() => ({ reason: '', message: '' })),
  }),
  decides('condition-times-of-now', 'times that are sent are written over', ['P-338'], {
    csrConditionTimes: timed((_condition, now) => ({ lastUpdateTime: now, lastTransitionTime: now })),
  }),
  decides('transitions-with-every-word', 'each change of the words is a transition', ['P-338'], {
    csrConditionTimes: (conditions, _old, now) => upstream.csrConditionTimes(conditions, [], now),
  }),
  decides('a-ttl-of-none-is-a-day', 'a ttl of 0 is taken for none that was given', ['SEC-022'], {
    tokenExpires: (ttl, now) => upstream.tokenExpires(ttl === 0 ? 86_400 : ttl, now),
  }),
  decides('nothing-is-not-signed', 'a kubeconfig of no text is left unsigned', ['SIGN-017'], {
    contentToSign: (data) => upstream.contentToSign(data) || undefined,
  }),
  decides('server-with-a-slash', 'a slash stands behind the published address', ['P-339'], {
    clusterInfoKubeconfig: ({ server, ...facts }) => upstream.clusterInfoKubeconfig({ ...facts, server: `${server}/` }),
  }),
];
