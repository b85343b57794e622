/** Do the groups of a bootstrap token open anything? */
import {
  BOOTSTRAP_USER_PREFIX,
  GROUP_BOOTSTRAPPERS,
  KUBE_SYSTEM,
  TOKEN_KEYS,
  USAGE_AUTHENTICATION,
} from '../../kubernetes/names.js';
import type { Secret } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import {
  bindingsOf,
  grantsOf,
  includes,
  type Permission,
  type Policy,
  permissionText,
} from '../authorization/rbac-policy.js';
import { decoded, isTokenGroup, secretName } from './token-secrets.js';

export interface TokenWithGroups {
  /** "Secret kube-system/bootstrap-token-07401b" */
  readonly secret: string;
  /** of auth-extra-groups, as they stand */
  readonly groups: readonly string[];
}

/** Reader: the cluster's tokens that log in. */
export const tokensThatLogIn = (secrets: readonly Secret[]): TokenWithGroups[] =>
  secrets
    .filter((secret) => decoded(secret, USAGE_AUTHENTICATION) === 'true')
    .map((secret) => {
      const groups = decoded(secret, TOKEN_KEYS.groups);
      return { secret: secretName(secret), groups: groups === '' ? [] : groups.split(',') };
    })
    .filter(({ groups }) => groups.every(isTokenGroup));

/** Reader: those of them that list extra groups. */
export const tokensWithGroups = (secrets: readonly Secret[]): TokenWithGroups[] =>
  tokensThatLogIn(secrets).filter(({ groups }) => groups.length > 0);

/** At most two letters changed, added or missing. */
function almost(one: string, other: string): boolean {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (let column = 1; column <= other.length; column += 1)
      next.push(
        Math.min(
          (row[column] ?? 0) + 1,
          (next[column - 1] ?? 0) + 1,
          (row[column - 1] ?? 0) + (other[column - 1] === letter ? 0 : 1),
        ),
      );
    row = next;
  }
  return (row[other.length] ?? 0) <= 2;
}

/**
 * Two group names that differ in one segment only, so that one looks like the other; a group of another purpose
 * differs in its last one.
 */
export function looksLike(one: string, other: string): boolean {
  if (one === other) return false;
  const [mine, theirs] = [one.split(':'), other.split(':')];
  if (mine.length === theirs.length) {
    const odd = mine.flatMap((segment, at) => (segment === theirs[at] ? [] : [at]));
    const [at = 0] = odd;
    return odd.length === 1 && (at < mine.length - 1 || almost(mine[at] ?? '', theirs[at] ?? ''));
  }
  const [short, long] = mine.length < theirs.length ? [mine, theirs] : [theirs, mine];
  return (
    long.length === short.length + 1 &&
    long.at(-1) === short.at(-1) &&
    long.some((_, at) => long.filter((__, other) => other !== at).join(':') === short.join(':'))
  );
}

const ANYWHERE = { kind: 'resource', namespace: '*', name: '*' } as const;
const CERTIFICATES = { ...ANYWHERE, group: 'certificates.k8s.io' } as const;
const ASKS: Permission = { ...CERTIFICATES, verb: 'create', resource: 'certificatesigningrequests' };
/** Whoever holds one of these is meant to join. */
const PARTS: readonly Permission[] = [
  { ...CERTIFICATES, verb: 'create', resource: 'certificatesigningrequests/nodeclient' },
  { ...ANYWHERE, group: '', verb: 'get', resource: 'nodes' },
  { ...ANYWHERE, group: '', verb: 'get', resource: 'configmaps', namespace: KUBE_SYSTEM, name: 'kubeadm-config' },
  { ...ANYWHERE, group: '', verb: 'get', resource: 'configmaps', namespace: KUBE_SYSTEM, name: 'kubelet-config' },
];

interface Opened {
  readonly seen: string;
  readonly ok: boolean;
  readonly note?: string;
}

function opened(policy: Policy, groups: readonly string[]): Opened {
  const carried = `it carries ${groups.join(', ')}`;
  // what everybody gets who logs in says nothing of these groups
  const grants = grantsOf(policy, { user: BOOTSTRAP_USER_PREFIX, groups: [GROUP_BOOTSTRAPPERS, ...groups] });
  if (grants.some(({ permission }) => includes(permission, ASKS))) return { seen: carried, ok: true };
  const part = PARTS.find((wanted) => grants.some(({ permission }) => includes(permission, wanted)));
  if (part !== undefined)
    return {
      seen: `${carried}; they may ${permissionText(part)} but not ${permissionText(ASKS)}, so a join ends with 403`,
      ok: false,
    };
  const named = bindingsOf(policy).flatMap(({ subjects }) => (subjects ?? []).map(({ name }) => name));
  if (groups.some((group) => named.includes(group))) return { seen: carried, ok: true };
  const near = named.find(
    (name) => name.startsWith(`${GROUP_BOOTSTRAPPERS}:`) && groups.some((group) => looksLike(group, name)),
  );
  if (near !== undefined)
    return {
      seen: `nothing is bound to ${groups.join(', ')}, so a join with it ends with 403; did its writer mean ${near}?`,
      ok: false,
    };
  return { seen: carried, ok: true, note: 'no binding names its groups: it serves another purpose than joining' };
}

/** A token whose group looks like one that lets join carries that one; a token of another purpose is not blamed. */
export const tokenGroups: Check<Policy, { readonly tokens: readonly TokenWithGroups[] }> = {
  id: 'token-groups/open-something',
  source: '000, both token examples: the group of the token is the subject of the binding',
  nothing: 'no bootstrap token of the cluster logs in with groups of its own',
  judge: (policy, { tokens }) => {
    // thousands of tokens carry a handful of lists
    const known = new Map<string, Opened>();
    return tokens.map(({ secret, groups }) => {
      const key = groups.join();
      const seen = known.get(key) ?? opened(policy, groups);
      known.set(key, seen);
      return demand({
        subject: secret,
        demanded: 'carries a group that lets join, or none that looks like it',
        ...seen,
      });
    });
  },
};

/** Whoever logs in with it is named by some binding, as one of its groups or as one of all tokens. */
export const tokenBound: Check<Policy, { readonly tokens: readonly TokenWithGroups[] }> = {
  id: 'token-groups/bound',
  source: '000, both token examples; kubeadm token create, --groups',
  nothing: 'no bootstrap token of the cluster logs in',
  judge: (policy, { tokens }) => {
    const named = new Set(
      bindingsOf(policy).flatMap(({ subjects = [] }) => subjects.map(({ kind, name }) => `${kind} ${name}`)),
    );
    return tokens.map(({ secret, groups }) => {
      const user = `User ${BOOTSTRAP_USER_PREFIX}${secret.slice(secret.lastIndexOf('-') + 1)}`;
      const ok = [user, ...[GROUP_BOOTSTRAPPERS, ...groups].map((group) => `Group ${group}`)].some((who) =>
        named.has(who),
      );
      return demand({
        subject: secret,
        demanded: 'lets its bearer do something: some binding names its group',
        seen: groups.length === 0 ? 'it carries no group of its own' : `it carries ${groups.join(', ')}`,
        ok,
      });
    });
  },
};
