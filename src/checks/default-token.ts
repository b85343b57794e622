/** The tokens that `kubeadm init` makes by itself. Pure. Source: 000, Secret example and notes; 002, create a bootstrap token. */
import { GROUP_DEFAULT_NODE_TOKEN, TOKEN_KEYS, USAGE_AUTHENTICATION, USAGE_SIGNING } from '../kubernetes/names.js';
import type { Secret } from '../kubernetes/objects.js';
import { type Evidence, judgeEach, type Verdict } from '../model/evidence.js';
import { readRfc3339 } from './rfc3339.js';
import { DEFAULT_TOKEN_DESCRIPTION, decoded, secretName } from './token-secrets.js';

const NOTHING = `no bootstrap token of the cluster says of itself: ${DEFAULT_TOKEN_DESCRIPTION}`;

/**
 * `fresh`: kubeadm has just set the cluster up for us, so that a token which says nothing of itself is its own. Elsewhere only kubeadm's
 * description tells: people make tokens with other groups and lives, and may.
 */
export const defaultTokens = (secrets: readonly Secret[], fresh: boolean): Secret[] =>
  secrets.filter((secret) => {
    const description = decoded(secret, TOKEN_KEYS.description);
    return (fresh && description === '') || description.startsWith(DEFAULT_TOKEN_DESCRIPTION.slice(0, 36));
  });

const lastPart = (group: string): string => group.slice(group.lastIndexOf(':') + 1);

export function judgeDefaultGroups(tokens: readonly Secret[]): Verdict {
  return judgeEach(
    tokens.map((secret) => {
      const groups = decoded(secret, TOKEN_KEYS.groups).split(',').filter(Boolean);
      const ok = groups.includes(GROUP_DEFAULT_NODE_TOKEN);
      const near = groups.find((group) => lastPart(group) === lastPart(GROUP_DEFAULT_NODE_TOKEN));
      const others = groups.filter((group) => group !== GROUP_DEFAULT_NODE_TOKEN);
      return {
        object: secretName(secret),
        demanded: `auth-extra-groups is ${GROUP_DEFAULT_NODE_TOKEN}`,
        seen:
          groups.length === 0
            ? 'it has no extra group'
            : `${groups.join(', ')}${!ok && near !== undefined ? ' (which differs by one segment, and nothing is bound to it)' : ''}`,
        ok,
        ...(ok && others.length > 0 ? { note: 'somebody has added groups' } : {}),
      };
    }),
    NOTHING,
  );
}

export function judgeDefaultUsages(tokens: readonly Secret[]): Verdict {
  return judgeEach(
    tokens.map((secret) => {
      const off = [USAGE_SIGNING, USAGE_AUTHENTICATION].filter((usage) => decoded(secret, usage) !== 'true');
      return {
        object: secretName(secret),
        demanded: 'both usages are "true"',
        seen: off.length === 0 ? 'they are' : `not on: ${off.join(', ')}`,
        ok: off.length === 0,
      };
    }),
    NOTHING,
  );
}

/** `seconds` after its creation, a minute more or less. */
export function judgeLife(tokens: readonly Secret[], seconds: number): Verdict {
  return judgeEach(
    tokens.map((secret): Evidence => {
      const [end, created] = [
        readRfc3339(decoded(secret, TOKEN_KEYS.expiration)),
        readRfc3339(secret.metadata.creationTimestamp ?? ''),
      ];
      const demanded = `expires ${seconds / 3600} hours after its creation`;
      const object = secretName(secret);
      if (!end.readable || !created.readable) return { object, demanded, seen: 'it has no expiration', ok: false };
      const life = (end.at - created.at) / 1000;
      return { object, demanded, seen: `after ${Math.round(life)} seconds`, ok: Math.abs(life - seconds) <= 60 };
    }),
    NOTHING,
  );
}

/** After init at least one token lets machines join. */
export function judgeSomeDefaultToken(tokens: readonly Secret[]): Verdict {
  const good = tokens.filter((secret) =>
    decoded(secret, TOKEN_KEYS.groups).split(',').includes(GROUP_DEFAULT_NODE_TOKEN),
  );
  return judgeEach(
    [
      {
        object: 'kube-system',
        demanded: `holds a bootstrap token of the group ${GROUP_DEFAULT_NODE_TOKEN}`,
        seen: good.length === 0 ? `none among ${tokens.length} tokens` : good.map(secretName).join(', '),
        ok: good.length > 0,
      },
    ],
    NOTHING,
  );
}
