/**
 * Claims of a signed token by their types: what is of another type makes the token worthless.
 * Source: go-jose v2, jwt/claims.go; pkg/serviceaccount/{claims,legacy}.go privateClaims, legacyPrivateClaims.
 */
import { parseJson } from '../../apiserver/go/json.js';
import { type Fields, isRecord } from '../../kubernetes/json.js';

/** What a claim must be: words of Go for its types, a struct with its fields. */
type Kind = 'string' | 'audience' | 'date' | Struct;
interface Struct {
  readonly type: string;
  readonly fields: Readonly<Record<string, Kind>>;
}

const REFERENCE: Struct = { type: 'serviceaccount.ref', fields: { name: 'string', uid: 'string' } };
const PUBLIC: Readonly<Record<string, Kind>> = {
  iss: 'string',
  sub: 'string',
  aud: 'audience',
  exp: 'date',
  nbf: 'date',
  iat: 'date',
  jti: 'string',
};
const BOUND: Readonly<Record<string, Kind>> = {
  'kubernetes.io': {
    type: 'serviceaccount.kubernetes',
    fields: {
      namespace: 'string',
      serviceaccount: REFERENCE,
      pod: REFERENCE,
      secret: REFERENCE,
      node: REFERENCE,
      warnafter: 'date',
    },
  },
};
const LEGACY: Readonly<Record<string, Kind>> = Object.fromEntries(
  ['namespace', 'secret.name', 'service-account.name', 'service-account.uid'].map(
    (name) => [`kubernetes.io/serviceaccount/${name}`, 'string'] as const,
  ),
);

export const goWord = (value: unknown): string =>
  Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;

/** Go's decoder goes on after a value of a wrong type, and breaks off where a type decodes itself. */
interface Problems {
  readonly fatal: string[];
  readonly saved: string[];
}

function judge(value: unknown, kind: Kind, problems: Problems): void {
  const unmarshal = (type: string): unknown =>
    problems.saved.push(`json: cannot unmarshal ${goWord(value)} into Go value of type ${type}`);
  if (kind === 'audience') {
    const isAudience =
      typeof value === 'string' || (Array.isArray(value) && value.every((one) => typeof one === 'string'));
    if (!isAudience) problems.fatal.push('jwt: expected string or array value to unmarshal to Audience');
  } else if (value === null) {
    // as if it were not there
  } else if (kind === 'date') {
    if (!Number.isFinite(value)) problems.fatal.push('jwt: expected number value to unmarshal NumericDate');
  } else if (kind === 'string') {
    if (typeof value !== 'string') unmarshal('string');
  } else if (isRecord(value)) judgeAll(value, kind.fields, problems);
  else unmarshal(kind.type);
}

function judgeAll(object: Fields, kinds: Readonly<Record<string, Kind>>, problems: Problems): void {
  for (const [name, value] of Object.entries(object)) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind !== undefined) judge(value, kind, problems);
  }
}

/** The last key of a path whose keys may hold dots: "kubernetes.io.namespace". */
function keyAt(path: string, value: unknown): string {
  const at = isRecord(value) ? Object.entries(value).find(([name]) => path.startsWith(`${name}.`)) : undefined;
  return at === undefined ? path : keyAt(path.slice(at[0].length + 1), at[1]);
}

/**
 * The claims in a token's JSON, with numbers of seconds made whole; an error, in the name of the library that reads it,
 * where they are of other types.
 */
export function readTokenClaims(
  payload: string,
  { isLegacy, library }: { readonly isLegacy: boolean; readonly library: string },
): { readonly claims: Fields } | { readonly error: string } {
  const { value, duplicates } = parseJson(payload);
  if (!isRecord(value)) return { error: `json: cannot unmarshal ${goWord(value)} into Go value of type jwt.Claims` };
  const [doubled] = duplicates;
  if (doubled !== undefined) return { error: `json: duplicate key '${keyAt(doubled, value)}' in object` };
  for (const kinds of [PUBLIC, isLegacy ? LEGACY : BOUND]) {
    const problems: Problems = { fatal: [], saved: [] };
    judgeAll(value, kinds, problems);
    const [error] = [...problems.fatal.map((problem) => `${library}/${problem}`), ...problems.saved];
    if (error !== undefined) return { error };
  }
  const dates = ['exp', 'nbf', 'iat'].flatMap((name) => {
    const date = value[name];
    return typeof date === 'number' ? [[name, wholeSeconds(date)] as const] : [];
  });
  return { claims: { ...value, ...Object.fromEntries(dates) } };
}

const LARGEST = 2 ** 63;

/** A number as a 64-bit integer: what does not fit becomes the least of them. Source: Go, conversion on amd64. */
const wholeSeconds = (date: number): number => (date >= LARGEST || date < -LARGEST ? -LARGEST : Math.trunc(date));
