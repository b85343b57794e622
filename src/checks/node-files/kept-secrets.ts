/**
 * Secrets that a file keeps under a name that says nothing of them: private keys as PEM, or the base64 of it, and tokens
 * of service accounts. Of a key its pin, of a token that it is there.
 * Source: RFC 7468; RFC 7519; kubernetes.io, Secrets of the type kubernetes.io/service-account-token.
 */
import { isRecord, text } from '../../kubernetes/json.js';
import { SERVICE_ACCOUNT_USER_PREFIX } from '../../kubernetes/names.js';
import { pinOfPrivateKey } from '../certificates/key-pair.js';
import { blocksOf } from '../certificates/pem.js';
import { decodedWhole } from '../common/archives.js';

/** The base64 of "-----BEGIN" and what stands behind it. */
const ENCODED = /LS0tLS1CRUdJTi[A-Za-z\d+/]{40,}={0,2}/g;
/** Keys and tokens of one text that are looked at. */
const MOST = 64;

const pinsIn = (pem: string): readonly string[] =>
  blocksOf(pem).flatMap(({ label, bytes }) =>
    label.endsWith('PRIVATE KEY') ? (pinOfPrivateKey(label, bytes) ?? []) : [],
  );

/** Pins of private keys. `isKubeconfig`: what it embeds is told as the credential of its user. */
export function keysIn(content: string, isKubeconfig: boolean): readonly string[] {
  const runs = isKubeconfig ? [] : [...content.matchAll(ENCODED)].slice(0, MOST);
  const encoded = runs.map(([run]) => Buffer.from(run, 'base64').toString('latin1'));
  const whole = isKubeconfig ? '' : decodedWhole(content);
  return [...new Set([content, ...encoded, whole].flatMap(pinsIn))];
}

const JWT = /(?<![\w-])eyJ[\w-]{10,2000}\.(eyJ[\w-]{10,6000})\.[\w-]{20,2000}/g;

function isEndless(claims: string): boolean {
  try {
    const said: unknown = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'));
    return isRecord(said) && text(said.sub).startsWith(SERVICE_ACCOUNT_USER_PREFIX) && said.exp === undefined;
  } catch {
    return false;
  }
}

/** Whether it holds a token of a service account that never ends. */
export const bearsEndlessly = (content: string): boolean =>
  content.includes('eyJ') && [...content.matchAll(JWT)].slice(0, MOST).some(([, claims = '']) => isEndless(claims));
