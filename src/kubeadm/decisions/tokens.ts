/** What kubeadm makes of what it is told of a bootstrap token. Source: cmd/kubeadm/app/apis/bootstraptoken/v1. */
import { base64 } from '../../kubernetes/json.js';
import {
  GROUP_DEFAULT_NODE_TOKEN,
  KUBE_SYSTEM,
  TOKEN_KEYS,
  TOKEN_SECRET_PREFIX,
  TOKEN_SECRET_TYPE,
  USAGE_PREFIX,
} from '../../kubernetes/names.js';
import type { Secret } from '../../kubernetes/objects.js';
import type { RandomBytes } from '../configuration.js';

/** A bootstrap token as kubeadm's configuration describes it. */
export interface TokenSpec {
  readonly id: string;
  readonly secret: string;
  readonly description: string;
  /** Milliseconds since the epoch; undefined: never expires. */
  readonly expires: number | undefined;
  readonly usages: readonly string[];
  readonly groups: readonly string[];
}

export const tokenDecisions = {
  /**
   * Seconds that a token lives unless told otherwise.
   * Source: apis/bootstraptoken/v1/defaults.go DefaultTokenDuration.
   */
  defaultTokenTtl: (): number => 24 * 60 * 60,

  /** Usages and groups of a token that names none. Source: SetDefaults_BootstrapToken. */
  defaultTokenUsages: (): readonly string[] => ['signing', 'authentication'],
  defaultTokenGroups: (): readonly string[] => [GROUP_DEFAULT_NODE_TOKEN],

  /**
   * The instant at which a token of that TTL (seconds) ends; zero and less mean never.
   * Source: utils.go encodeTokenSecretData.
   */
  tokenExpires: (ttlSeconds: number, now: number): number | undefined =>
    ttlSeconds > 0 ? now + ttlSeconds * 1000 : undefined,

  /**
   * A new token, id.secret: every character uniform over [a-z0-9], from a source fit for keys.
   * Source: cluster-bootstrap, token/util/helpers.go.
   */
  newToken: (random: RandomBytes): string => {
    const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';
    let text = '';
    // Bytes above the largest multiple of 36 are thrown away: taking them would make some characters likelier.
    while (text.length < 22)
      for (const byte of random(32)) if (byte < 252 && text.length < 22) text += alphabet[byte % 36];
    return `${text.slice(0, 6)}.${text.slice(6)}`;
  },

  /** The Secret of a token. Times in UTC with second precision. Source: utils.go BootstrapTokenToSecret. */
  tokenSecret: (token: TokenSpec): Secret => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: TOKEN_SECRET_PREFIX + token.id, namespace: KUBE_SYSTEM },
    type: TOKEN_SECRET_TYPE,
    data: {
      [TOKEN_KEYS.id]: base64(token.id),
      [TOKEN_KEYS.secret]: base64(token.secret),
      ...(token.description === '' ? {} : { [TOKEN_KEYS.description]: base64(token.description) }),
      ...(token.expires === undefined
        ? {}
        : { [TOKEN_KEYS.expiration]: base64(`${new Date(token.expires).toISOString().slice(0, 19)}Z`) }),
      ...Object.fromEntries(token.usages.map((usage) => [USAGE_PREFIX + usage, base64('true')])),
      ...(token.groups.length === 0 ? {} : { [TOKEN_KEYS.groups]: base64(token.groups.join(',')) }),
    },
  }),

  /**
   * Which tokens get a Secret: every one that init is told of.
   * Source: phases/bootstraptoken/node/token.go UpdateOrCreateTokens.
   */
  writtenTokens: (tokens: readonly TokenSpec[]): readonly TokenSpec[] => tokens,
};
