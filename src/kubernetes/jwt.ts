/** What a signed token says of itself; who checks its signature is another matter. Source: RFC 7519, section 7.2. */
import { type Fields, isRecord } from './json.js';

function partOf(token: string, at: 0 | 1): Fields | null {
  const parts = token.split('.');
  if (parts.length !== 3) return null;
  try {
    const part: unknown = JSON.parse(Buffer.from(parts[at] ?? '', 'base64url').toString('utf8'));
    return isRecord(part) ? part : null;
  } catch {
    return null;
  }
}

/** The header of a JWT in compact form; null where the text is none. */
export const headerOf = (token: string): Fields | null => partOf(token, 0);

/** The claims of a JWT in compact form; null where the text is none. */
export const claimsOf = (token: string): Fields | null => partOf(token, 1);
