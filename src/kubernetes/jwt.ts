/** What a signed token says of itself; who checks its signature is another matter. Source: RFC 7519, section 7.2. */
import { type Fields, isRecord } from './json.js';

/** The claims of a JWT in compact form; null where the text is none. */
export function claimsOf(token: string): Fields | null {
  const parts = token.split('.');
  if (parts.length !== 3) return null;
  try {
    const claims: unknown = JSON.parse(Buffer.from(parts[1] ?? '', 'base64url').toString('utf8'));
    return isRecord(claims) ? claims : null;
  } catch {
    return null;
  }
}
