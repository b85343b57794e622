/**
 * Login by bootstrap token: the decisions in upstream's order. Source:
 * plugin/pkg/auth/authenticator/token/bootstrap/bootstrap.go.
 */

import type { Store } from '../../apiserver/types.js';
import { TOKEN_KEYS, USAGE_AUTHENTICATION } from '../../kubernetes/names.js';
import type { Secret, UserInfo } from '../../kubernetes/objects.js';
import type { Decisions } from '../decisions.js';
import type { AskToken } from './opinion.js';

const SECRETS = { group: '', resource: 'secrets' };

export interface BootstrapTokenOptions {
  readonly store: Store;
  readonly decisions: Decisions;
  /** --enable-bootstrap-token-auth */
  readonly bootstrapTokenAuth: boolean;
}

/** Bootstrap tokens know no audience. A token that is none and one that is refused are alike. */
export function byBootstrapToken(options: BootstrapTokenOptions, ownAudiences: readonly string[]): AskToken {
  const { decisions } = options;
  if (!decisions.takesBootstrapTokens(options.bootstrapTokenAuth)) return () => ({});
  return (token, wanted, now) => {
    const audiences = decisions.audiencesOfPlainTokens(wanted, ownAudiences);
    const user = audiences.length === 0 ? undefined : userOf(token, options, now);
    return user === undefined ? {} : { user, audiences };
  };
}

/** `now` in milliseconds. */
function userOf(token: string, { store, decisions }: BootstrapTokenOptions, now: number): UserInfo | undefined {
  const parts = decisions.parseToken(token);
  if (parts === undefined) return undefined;
  const place = decisions.tokenSecretPlace(parts.id);
  const secret = store.get(SECRETS, place.namespace, place.name) as Secret | undefined;
  if (secret === undefined || decisions.refusesDeletedToken(secret.metadata.deletionTimestamp)) return undefined;
  const { data } = secret;
  if (!decisions.isTokenSecret(secret.type, data !== undefined && Object.keys(data).length > 0)) return undefined;
  const value = (key: string): string => Buffer.from(data?.[key] ?? '', 'base64').toString('latin1');
  const id = value(TOKEN_KEYS.id);
  if (!decisions.tokenSecretMatches(value(TOKEN_KEYS.secret), parts.secret)) return undefined;
  if (!decisions.tokenIdMatches(id, parts.id)) return undefined;
  if (decisions.isExpired(decisions.readExpiration(value(TOKEN_KEYS.expiration)), now)) return undefined;
  if (!decisions.mayAuthenticate(value(USAGE_AUTHENTICATION))) return undefined;
  const groups = decisions.tokenGroups(value(TOKEN_KEYS.groups), decisions.isBootstrapGroup);
  return groups === undefined ? undefined : { username: decisions.tokenUserName(id), groups };
}
