/**
 * Whom the API server must take the bearer of a token for, by its Secret alone.
 * Source: 001, bootstrap token authentication; plugin/pkg/auth/authenticator/token/bootstrap/bootstrap.go
 * AuthenticateToken.
 */
import { TOKEN_KEYS, TOKEN_SECRET_PREFIX, USAGE_AUTHENTICATION } from '../../kubernetes/names.js';
import type { Secret } from '../../kubernetes/objects.js';
import { decoded, endOf, isTokenGroup, secretName, TOKEN_HALF, TOKEN_ID } from './token-secrets.js';

/**
 * A success is remembered for 10 s, and clocks of two machines differ: nobody can tell what is answered so near to an
 * end. Milliseconds.
 */
const DOUBT = 15_000;

/** A token that logs in by what its Secret says, or must not. */
export interface Bearer {
  /** "Secret kube-system/bootstrap-token-07401b" */
  readonly subject: string;
  /** Of the Secret's name. */
  readonly id: string;
  /** id.secret; a secret. */
  readonly token: string;
  /** Its auth-extra-groups; undefined where the bearer must be refused. */
  readonly groups: readonly string[] | undefined;
}

/**
 * The bearers of the tokens of kube-system that can be presented at all, but for those whose time begins or ends about
 * now. Milliseconds since the epoch.
 */
export const bearersOf = (secrets: readonly Secret[], now: number): Bearer[] =>
  secrets.flatMap((secret) => {
    const name = secret.metadata.name ?? '';
    const id = name.slice(TOKEN_SECRET_PREFIX.length);
    const half = decoded(secret, TOKEN_KEYS.secret);
    if (!name.startsWith(TOKEN_SECRET_PREFIX) || !TOKEN_ID.test(id) || !TOKEN_HALF.test(half)) return [];
    const end = endOf(secret);
    if (end !== undefined && Math.abs(end - now) < DOUBT) return [];
    const groups = decoded(secret, TOKEN_KEYS.groups);
    const list = groups === '' ? [] : groups.split(',');
    const good =
      secret.metadata.deletionTimestamp === undefined &&
      (end === undefined || end > now) &&
      decoded(secret, TOKEN_KEYS.id) === id &&
      decoded(secret, USAGE_AUTHENTICATION) === 'true' &&
      list.every(isTokenGroup);
    return [{ subject: secretName(secret), id, token: `${id}.${half}`, groups: good ? list : undefined }];
  });

/** Bearers that are presented: each takes a request or two, and those whose Secrets say the same are told the same. */
const MOST = 256;

/**
 * Of few all; of many some of each kind, by the groups that their Secrets give them, and of a kind as far apart as they
 * can be. `of`: how many there were.
 */
export function someOf(bearers: readonly Bearer[]): readonly (Bearer & { readonly of?: number })[] {
  if (bearers.length <= MOST) return bearers;
  const kinds = new Map<string, Bearer[]>();
  for (const bearer of bearers) {
    const kind = JSON.stringify(bearer.groups === undefined ? null : [...bearer.groups].sort());
    const alike = kinds.get(kind);
    if (alike === undefined) kinds.set(kind, [bearer]);
    else alike.push(bearer);
  }
  const chosen: Bearer[] = [];
  // the rarest first: what they leave over is for the others
  const rarest = [...kinds.values()].sort((a, b) => a.length - b.length);
  for (const [index, kind] of rarest.entries()) {
    const room = Math.floor((MOST - chosen.length) / (rarest.length - index));
    const count = Math.min(kind.length, room);
    for (let one = 0; one < count; one += 1) chosen.push(kind[Math.floor((one * kind.length) / count)] as Bearer);
  }
  return chosen.map((bearer) => ({ ...bearer, of: bearers.length }));
}
