/** What evidence says of a credential that is shown, beside whose it is: for what, by whom and how long it was issued. */
import { X509Certificate } from 'node:crypto';
import { type Fields, text } from '../kubernetes/json.js';
import { claimsOf, headerOf } from '../kubernetes/jwt.js';
import { TOKEN_FORM } from '../kubernetes/names.js';
import type { Identity } from './types.js';

/** Names come from whoever has issued it. */
const LONGEST = 300;
const HOUR_MS = 3_600_000;

/** More than any authority is made for: what ends on a set day of a far year is an hour shorter each hour. */
const LONGEST_HOURS = 100_000;

/** Minutes before and after are left to the clocks of two machines. */
function hours(milliseconds: number): string {
  if (!Number.isFinite(milliseconds)) return 'without end';
  const life = Math.round(milliseconds / HOUR_MS);
  if (Math.abs(life) <= LONGEST_HOURS) return `${life} h`;
  return life > 0 ? `more than ${LONGEST_HOURS} h` : `less than -${LONGEST_HOURS} h`;
}

const oneLine = (name: string): string => name.replace(/\n/g, ', ');

function ofCertificate(pem: string): string {
  const [, ...others] = pem.match(/-----BEGIN CERTIFICATE-----/g) ?? [];
  try {
    const { subject, issuer, keyUsage, validFrom, validTo, ca } = new X509Certificate(pem);
    return [
      `certificate: ${oneLine(subject)}`,
      `of ${oneLine(issuer)}`,
      // Node.js calls the extended key usage so; without the extension it is undefined
      `for ${((keyUsage ?? []) as readonly string[]).join(' ') || 'whatever'}`,
      hours(Date.parse(validTo) - Date.parse(validFrom)),
      ...(ca ? ['an authority'] : []),
      ...(others.length === 0 ? [] : [`with ${others.length} more`]),
    ].join('; ');
  } catch {
    return 'certificate: unreadable';
  }
}

const list = (value: unknown): string => (Array.isArray(value) ? value : [value]).map(text).join(' ');

function lifeOf({ iat, exp }: Fields): string {
  if (typeof exp !== 'number') return 'without end';
  return typeof iat === 'number' ? hours((exp - iat) * 1000) : 'with an end';
}

function ofClaims(header: Fields, claims: Fields, signature: string): string {
  return [
    `token: ${text(header.alg)}`,
    `of ${text(claims.iss)}`,
    `for ${list(claims.aud)}`,
    `${text(claims.sub)}`,
    lifeOf(claims),
    `it says ${Object.keys(claims).sort().join(' ')}`,
    `signed with ${Buffer.from(signature, 'base64url').length} bytes`,
  ].join('; ');
}

/** undefined: it is no token that says something of itself. */
function ofToken(token: string): string | undefined {
  const [header, claims] = [headerOf(token), claimsOf(token)];
  return header === null || claims === null ? undefined : ofClaims(header, claims, token.split('.')[2] ?? '');
}

/**
 * A line for each part of it; never what lets anybody in. `formOf`: of a token that says nothing of itself. Of bootstrap
 * tokens it is said elsewhere whose they are.
 */
export function toldCredential(identity: Identity, formOf: (token: string) => string): readonly string[] {
  const token = 'token' in identity ? identity.token : undefined;
  return [
    ...(identity.kind === 'certificate' ? [ofCertificate(identity.certificate)] : []),
    ...(token === undefined || TOKEN_FORM.test(token) ? [] : [ofToken(token) ?? `token: ${formOf(token)}`]),
  ].map((line) => line.slice(0, LONGEST));
}
