/**
 * What the API server remembers of tokens: an accepted one is accepted again for some seconds without anything being
 * looked up.
 * Use does not prolong it. Source: apiserver, pkg/authentication/token/cache/cached_token_authenticator.go.
 */
import type { Decisions } from '../decisions.js';
import type { AskToken, TokenAnswer } from './opinion.js';

const LIMIT = 4096;

export function cacheTokens(ask: AskToken, decisions: Decisions): AskToken {
  const remembered = new Map<string, { readonly until: number; readonly answer: TokenAnswer }>();
  return (token, audiences, now) => {
    const key = JSON.stringify([token, audiences]);
    const known = remembered.get(key);
    if (known !== undefined && now < known.until) {
      if (decisions.useIsRemembered())
        remembered.set(key, { ...known, until: now + decisions.tokenCacheSeconds(true) * 1000 });
      return known.answer;
    }
    const answer = ask(token, audiences, now);
    const seconds = answer.error === undefined ? decisions.tokenCacheSeconds(answer.user !== undefined) : 0;
    remembered.delete(key);
    if (seconds <= 0) return answer;
    if (remembered.size >= LIMIT) for (const [old, { until }] of remembered) if (until <= now) remembered.delete(old);
    if (remembered.size >= LIMIT) remembered.clear();
    remembered.set(key, { until: now + seconds * 1000, answer });
    return answer;
  };
}
