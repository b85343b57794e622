/**
 * What the API server remembers of tokens: an accepted one is accepted again for some seconds without anything being looked up.
 * Use does not prolong it. Source: apiserver, pkg/authentication/token/cache/cached_token_authenticator.go.
 */

import type { Clock } from '../../apiserver/types.js';
import type { UserInfo } from '../../kubernetes/objects.js';
import type { Decisions } from '../decisions.js';

/** What the token authenticators say of one token. No user and no error: nobody knows it. */
export interface TokenAnswer {
  readonly user?: UserInfo;
  readonly audiences?: readonly string[];
  readonly error?: string;
  /** Texts for Warning headers; remembered with the answer. */
  readonly warnings?: readonly string[];
}

const LIMIT = 4096;

export function cacheTokens(
  ask: (token: string, audiences: readonly string[]) => TokenAnswer,
  clock: Clock,
  decisions: Decisions,
): (token: string, audiences: readonly string[]) => TokenAnswer {
  const remembered = new Map<string, { readonly until: number; readonly answer: TokenAnswer }>();
  return (token, audiences) => {
    const key = JSON.stringify([token, audiences]);
    const now = clock.now();
    const known = remembered.get(key);
    if (known !== undefined && now < known.until) return known.answer;
    const answer = ask(token, audiences);
    const seconds = answer.error === undefined ? decisions.tokenCacheSeconds(answer.user !== undefined) : 0;
    remembered.delete(key);
    if (seconds <= 0) return answer;
    if (remembered.size >= LIMIT) for (const [old, { until }] of remembered) if (until <= now) remembered.delete(old);
    if (remembered.size >= LIMIT) remembered.clear();
    remembered.set(key, { until: now + seconds * 1000, answer });
    return answer;
  };
}
