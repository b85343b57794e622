/** Do the groups of a bootstrap token open anything? Pure. Source: 000, both token examples: the group of the token is the subject of the binding. */
import { GROUP_BOOTSTRAPPERS, TOKEN_KEYS, USAGE_AUTHENTICATION } from '../kubernetes/names.js';
import type { Secret } from '../kubernetes/objects.js';
import { judgeEach, type Verdict } from '../model/evidence.js';
import type { Policy } from './rbac-policy.js';
import { decoded } from './token-secrets.js';

export interface TokenWithGroups {
  readonly secret: string;
  /** of auth-extra-groups, as they stand */
  readonly groups: readonly string[];
}

/** One group of another form, and every login with the token is refused. Source: cluster-bootstrap, util/tokens ValidateBootstrapGroupName. */
const GROUP = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;
const logsIn = (groups: readonly string[]): boolean => groups.every((group) => GROUP.test(group));

/** Tokens that log in and list extra groups. */
export function tokensWithGroups(secrets: readonly Secret[]): TokenWithGroups[] {
  return secrets
    .filter((secret) => decoded(secret, USAGE_AUTHENTICATION) === 'true' && decoded(secret, TOKEN_KEYS.groups) !== '')
    .map((secret) => ({
      secret: `Secret ${secret.metadata.namespace ?? ''}/${secret.metadata.name ?? ''}`,
      groups: decoded(secret, TOKEN_KEYS.groups).split(','),
    }))
    .filter(({ groups }) => logsIn(groups));
}

const lastPart = (group: string): string => group.slice(group.lastIndexOf(':') + 1);

/** Every such token has a group that some binding names; a group that differs by a segment only is pointed out. */
export function judgeTokenGroups(tokens: readonly TokenWithGroups[], policy: Policy): Verdict {
  const bound = new Set(
    [...policy.clusterRoleBindings, ...policy.roleBindings].flatMap((binding) =>
      (binding.subjects ?? []).filter((subject) => subject.kind === 'Group').map((subject) => subject.name),
    ),
  );
  const bootstrap = [...bound].filter((group) => group.startsWith(`${GROUP_BOOTSTRAPPERS}:`)).sort();
  return judgeEach(
    tokens.map(({ secret, groups }) => {
      const ok = groups.some((group) => bound.has(group)) || bound.has(GROUP_BOOTSTRAPPERS);
      const near = bootstrap.find((candidate) => groups.some((group) => lastPart(group) === lastPart(candidate)));
      const hint = near === undefined ? '' : `; did its writer mean ${near}?`;
      return {
        object: secret,
        demanded: 'one of its groups is the subject of a binding',
        seen: ok
          ? `it carries ${groups.join(', ')}`
          : `nothing is bound to ${groups.join(', ')}, so a join with it ends with 403${hint}`,
        ok,
      };
    }),
    'no bootstrap token of the cluster logs in with groups of its own',
  );
}
