/**
 * When a bearer token is a bootstrap token, whether it logs in, as whom, and for how long that is remembered.
 * Source: plugin/pkg/auth/authenticator/token/bootstrap/bootstrap.go AuthenticateToken; cluster-bootstrap,
 * token/util/helpers.go and util/secrets/secrets.go; apiserver, pkg/authentication/request/bearertoken/bearertoken.go.
 *
 * Values of a Secret's data arrive as text in which every character is one byte (latin1), so that comparing text is
 * comparing bytes.
 */
import { timingSafeEqual } from 'node:crypto';
import {
  BOOTSTRAP_USER_PREFIX,
  GROUP_BOOTSTRAPPERS,
  KUBE_SYSTEM,
  TOKEN_FORM,
  TOKEN_GROUP_FORM,
  TOKEN_SECRET_PREFIX,
  TOKEN_SECRET_TYPE,
} from '../../kubernetes/names.js';
import { parseGoRfc3339 } from './rfc3339.js';

/** `expiration` as it was read: absent and empty are never. `at` in milliseconds since the epoch. */
export type TokenExpiration =
  | { readonly kind: 'never' }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'at'; readonly at: number };

/**
 * What the Authorization header says: a token to judge, or nothing to say (with the text of a Warning header where
 * upstream sends one).
 */
export type BearerHeader =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'none'; readonly warning?: string };

/**
 * What Go's strings.TrimSpace takes away: Unicode White_Space, which differs from JavaScript's trim by U+0085 and
 * U+FEFF.
 */
const BLANK = String.raw`[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]`;
const BLANK_EDGES = new RegExp(`^${BLANK}+|(?<!${BLANK})${BLANK}+$`, 'gu');

/**
 * The one rule of expiry, of login, signature and clean-up alike: unreadable counts as expired, and so does the very
 * instant. `now` in milliseconds. Source: secrets.go HasExpired, GetExpiration.
 */
export const hasExpired = (expiration: TokenExpiration, now: number): boolean =>
  expiration.kind === 'unreadable' || (expiration.kind === 'at' && expiration.at <= now);

export const tokenDecisions = {
  /**
   * Whether there is an authenticator for these tokens at all: only where --enable-bootstrap-token-auth says so.
   * Source: pkg/kubeapiserver/authenticator/config.go.
   */
  takesBootstrapTokens: (flag: boolean): boolean => flag,

  /**
   * The two halves of a well-formed token; anything else is not looked at by this authenticator. Source: helpers.go
   * ParseToken.
   */
  parseToken: (token: string): { readonly id: string; readonly secret: string } | undefined => {
    const match = TOKEN_FORM.exec(token);
    const [, id, secret] = match ?? [];
    return id === undefined || secret === undefined ? undefined : { id, secret };
  },

  /**
   * Where the Secret of a token id lies; no other place is looked at. Source: bootstrap.go, secretName;
   * pkg/kubeapiserver/authenticator/config.go.
   */
  tokenSecretPlace: (id: string): { readonly namespace: string; readonly name: string } => ({
    namespace: KUBE_SYSTEM,
    name: TOKEN_SECRET_PREFIX + id,
  }),

  /**
   * A Secret that waits for its finalizers logs nobody in. `deletionTimestamp` is undefined where it is not being
   * deleted. Source: bootstrap.go.
   */
  refusesDeletedToken: (deletionTimestamp: string | undefined): boolean => deletionTimestamp !== undefined,

  /** Both the type must fit and data must be there at all. Source: bootstrap.go. */
  isTokenSecret: (type: string | undefined, hasData: boolean): boolean => type === TOKEN_SECRET_TYPE && hasData,

  /** token-secret against the second half of what was presented. Source: bootstrap.go (constant time). */
  tokenSecretMatches: (stored: string, presented: string): boolean => {
    const a = Buffer.from(stored, 'latin1');
    const b = Buffer.from(presented, 'latin1');
    return a.length === b.length && timingSafeEqual(a, b);
  },

  /** token-id against the first half: the Secret's name alone is not believed. Source: bootstrap.go. */
  tokenIdMatches: (stored: string, presented: string): boolean => stored === presented,

  /**
   * Empty text is no expiration; text that Go cannot read as RFC 3339 is unreadable. Source: secrets.go GetExpiration.
   */
  readExpiration: (text: string): TokenExpiration => {
    if (text === '') return { kind: 'never' };
    const at = parseGoRfc3339(text);
    return at === undefined ? { kind: 'unreadable' } : { kind: 'at', at };
  },

  /** Whether a token logs nobody in any more. Source: bootstrap.go, HasExpired. */
  isExpired: hasExpired,

  /** Value of usage-bootstrap-authentication ('' where absent): only the exact text "true". Source: bootstrap.go. */
  mayAuthenticate: (usage: string): boolean => usage === 'true',

  /** One element of auth-extra-groups. Source: helpers.go ValidateBootstrapGroupName. */
  isBootstrapGroup: (group: string): boolean => TOKEN_GROUP_FORM.test(group),

  /**
   * Groups of a token, sorted by bytes without repetition; undefined where one element is bad, which disables the whole
   * token.
   * `extra` is the value of auth-extra-groups ('' where absent); nothing is trimmed. Source: secrets.go GetGroups.
   */
  tokenGroups: (extra: string, isGroup: (group: string) => boolean): readonly string[] | undefined => {
    if (extra === '') return [GROUP_BOOTSTRAPPERS];
    const groups = extra.split(',');
    if (!groups.every(isGroup)) return undefined;
    return [...new Set([GROUP_BOOTSTRAPPERS, ...groups])].sort();
  },

  /** Source: bootstrap.go, the Response's user; it has neither UID nor extra. */
  tokenUserName: (id: string): string => BOOTSTRAP_USER_PREFIX + id,

  /**
   * How long an accepted (or refused) token is answered from memory, in seconds. Source:
   * pkg/kubeapiserver/options/authentication.go, NewBuiltInAuthenticationOptions.
   */
  tokenCacheSeconds: (accepted: boolean): number => (accepted ? 10 : 0),

  /**
   * Whether a use of what is remembered makes it remembered for longer. Source: apiserver,
   * pkg/authentication/token/cache/cached_token_authenticator.go.
   */
  useIsRemembered: (): boolean => false,

  /**
   * Authorization header values in order, decoded from UTF-8 → the token to judge. Only the first value counts. Source:
   * bearertoken.go AuthenticateRequest.
   */
  bearerToken: (values: readonly string[]): BearerHeader => {
    const header = (values[0] ?? '').replace(BLANK_EDGES, '');
    const first = header.indexOf(' ');
    if (first < 0 || header.slice(0, first).toLowerCase() !== 'bearer') return { kind: 'none' };
    const rest = header.slice(first + 1);
    const second = rest.indexOf(' ');
    const token = second < 0 ? rest : rest.slice(0, second);
    if (token !== '') return { kind: 'token', token };
    return second < 0
      ? { kind: 'none' }
      : {
          kind: 'none',
          warning: 'the provided Authorization header contains extra space before the bearer token, and is ignored',
        };
  },
};
