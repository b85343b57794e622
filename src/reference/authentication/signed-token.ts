/**
 * A signed JWT in its three parts, read as strictly as upstream reads it.
 * Source: go-jose v2, jws.go ParseSigned, shared.go rawHeader.sanitized, signing.go DetachedVerify, asymmetric.go.
 */
import { constants, createPublicKey, type JsonWebKey, type KeyObject, verify, X509Certificate } from 'node:crypto';
import { parseJson } from '../../apiserver/go/json.js';
import { type Fields, isRecord } from '../../kubernetes/json.js';
import { goWord } from './token-claims.js';

export interface SignedToken {
  /** '' where the header names none. */
  readonly alg: string;
  /** '' where the header names none. */
  readonly kid: string;
  /** Header fields that whoever reads the token must understand; or Go's words where that field is no list of names. */
  readonly critical: readonly string[] | { readonly error: string };
  /** What was signed. */
  readonly input: Buffer;
  readonly signature: Buffer;
  /** JSON of the claims. */
  readonly payload: string;
}

/** White space to Go's unicode.IsSpace. */
const SPACE = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/g;

/** Unpadded base64url; line ends are passed over. Source: Go, encoding/base64 RawURLEncoding. */
function bytesOf(part: string): Buffer | undefined {
  const bare = part.replaceAll(/[\r\n]/g, '');
  return /^[A-Za-z0-9_-]*$/.test(bare) && bare.length % 4 !== 1 ? Buffer.from(bare, 'base64url') : undefined;
}

/** An object that holds no key twice; undefined: no such. */
export function objectIn(text: string): Fields | undefined {
  try {
    const { value, duplicates } = parseJson(text);
    return isRecord(value) && duplicates.length === 0 ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The issuer that a token says it is of, before anything of it is believed; undefined: it is no token. */
export function claimedIssuer(token: string): string | undefined {
  if (token.trim().startsWith('{')) return undefined;
  const payload = bytesOf(token.split('.')[1] ?? '');
  if (payload === undefined) return undefined;
  let claims: unknown;
  try {
    claims = parseJson(payload.toString('utf8')).value;
  } catch {
    return undefined;
  }
  if (!isRecord(claims)) return undefined;
  // Here, and nowhere else, the case of a name does not count.
  const said = Object.entries(claims).filter(([name, value]) => name.toLowerCase() === 'iss' && value !== null);
  if (said.some(([, value]) => typeof value !== 'string')) return undefined;
  return String(said.at(-1)?.[1] ?? '');
}

const isPublicKey = (value: unknown): boolean => {
  if (!isRecord(value) || 'd' in value) return false;
  try {
    return createPublicKey({ key: value as JsonWebKey, format: 'jwk' }).type === 'public';
  } catch {
    return false;
  }
};

const isCertificate = (value: unknown): boolean => {
  try {
    return typeof value === 'string' && new X509Certificate(Buffer.from(value, 'base64')).raw.length > 0;
  } catch {
    return false;
  }
};

/** What of a header must be of its kind; null is as if it were not there. */
const FIELDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  alg: (value) => typeof value === 'string',
  kid: (value) => typeof value === 'string',
  nonce: (value) => typeof value === 'string',
  jwk: isPublicKey,
  x5c: (value) => Array.isArray(value) && value.every(isCertificate),
};

function criticalIn(crit: unknown): SignedToken['critical'] {
  const cannot = (value: unknown, type: string) => ({
    error: `json: cannot unmarshal ${goWord(value)} into Go value of type ${type}`,
  });
  if (!Array.isArray(crit)) return cannot(crit, '[]string');
  const other: unknown = crit.find((name) => typeof name !== 'string');
  return other === undefined ? crit : cannot(other, 'string');
}

/** A missing part counts as an empty one; undefined: it is none. */
export function parseSigned(token: string, counts: (fits: boolean) => boolean): SignedToken | undefined {
  const parts = token.replaceAll(SPACE, '').split('.').map(bytesOf);
  const [head, payload, signature = Buffer.alloc(0)] = parts;
  if (parts.includes(undefined) || head === undefined || payload === undefined) return undefined;
  const text = head.toString('utf8');
  const header = head.length === 0 || text.trim() === 'null' ? {} : objectIn(text);
  if (header === undefined) return undefined;
  const said = (name: string): unknown => header[name] ?? undefined;
  const fits = Object.entries(FIELDS).every(([name, does]) => said(name) === undefined || does(said(name)));
  if (!counts(fits)) return undefined;
  const { b64 } = header;
  const body = b64 === false ? payload : Buffer.from(payload.toString('base64url'));
  return {
    alg: String(said('alg') ?? ''),
    kid: String(said('kid') ?? ''),
    critical: criticalIn(header.crit ?? []),
    input: Buffer.concat([Buffer.from(`${head.toString('base64url')}.`), body]),
    signature,
    payload: payload.toString('utf8'),
  };
}

/** Bytes of one half of a signature, by algorithm, whatever the curve. */
const HALVES: Readonly<Record<string, number>> = { ES256: 32, ES384: 48, ES512: 66 };
const CURVES: Readonly<Record<string, number>> = { prime256v1: 32, secp384r1: 48, secp521r1: 66 };

/** Both halves in the width of the curve; undefined: they are none of its numbers. */
function inWidthOf(signature: Buffer, half: number, width: number): Buffer | undefined {
  if (signature.length !== 2 * half) return undefined;
  const halves = [signature.subarray(0, half), signature.subarray(half)].map((number) => {
    const more = number.subarray(0, Math.max(0, half - width));
    if (more.some((byte) => byte !== 0)) return undefined;
    return Buffer.concat([Buffer.alloc(Math.max(0, width - half)), number.subarray(more.length)]);
  });
  return halves.some((number) => number === undefined)
    ? undefined
    : Buffer.concat(halves.map((one) => one ?? signature));
}

/** Whether the signature of a token is that of a key, RSA or ECDSA, by the algorithm that the token names. */
export function signatureHolds({ alg, input, signature }: SignedToken, key: KeyObject): boolean {
  const digest = `sha${/^[RPE]S(256|384|512)$/.exec(alg)?.[1]}`;
  if (digest === 'shaundefined') return false;
  if (key.asymmetricKeyType === 'rsa') {
    const padding = alg.startsWith('PS') ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING;
    if (alg.startsWith('ES')) return false;
    return verify(digest, input, { key, padding, saltLength: constants.RSA_PSS_SALTLEN_AUTO }, signature);
  }
  const half = HALVES[alg];
  const width = CURVES[key.asymmetricKeyDetails?.namedCurve ?? ''];
  const numbers = half === undefined || width === undefined ? undefined : inWidthOf(signature, half, width);
  return numbers !== undefined && verify(digest, input, { key, dsaEncoding: 'ieee-p1363' }, numbers);
}
