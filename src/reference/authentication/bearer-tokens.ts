/**
 * Where a request may carry a token: the Authorization header, or a subprotocol of a websocket.
 * Source: apiserver, pkg/authentication/request/{bearertoken/bearertoken,websocket/protocol}.go.
 */
import { utf8 } from '../decisions/header-text.js';
import type { Decisions } from '../decisions.js';
import { type AskRequest, type AskToken, NO_OPINION, type Opinion, type Presented } from './opinion.js';

function judge(token: string, tokens: AskToken, { audiences, now }: Presented, decisions: Decisions): Opinion {
  const { user, audiences: shared = [], error } = tokens(token, audiences, now);
  if (user !== undefined) return { user, via: 'token', audiences: shared };
  return decisions.refusedTokenIsError() ? { errors: decisions.refusedTokenErrors(error) } : NO_OPINION;
}

export const byBearer =
  (tokens: AskToken, decisions: Decisions): AskRequest =>
  (presented) => {
    const { authorization } = presented.credentials;
    if (authorization.length === 0) return NO_OPINION;
    const header = decisions.bearerToken(authorization.map(utf8));
    if (header.kind === 'token') return judge(header.token, tokens, presented, decisions);
    if (header.warning !== undefined) presented.warnings.push(header.warning);
    return NO_OPINION;
  };

export const byWebSocket =
  (tokens: AskToken, decisions: Decisions): AskRequest =>
  (presented) => {
    const { webSocketProtocols } = presented.credentials;
    const found = webSocketProtocols === undefined ? undefined : decisions.webSocketToken(webSocketProtocols);
    if (found === undefined) return NO_OPINION;
    return 'error' in found ? { errors: [found.error] } : judge(found.token, tokens, presented, decisions);
  };
