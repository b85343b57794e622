/** Whether the numbers of a private key belong together: who only reads one does not see that one of them is damaged. */
import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject, sign, verify } from 'node:crypto';
import { rememberedText } from '../../kubernetes/remembered.js';
import { pinOf } from './signature.js';

const numberOf = (encoded: string | undefined): bigint =>
  BigInt(`0x${Buffer.from(encoded ?? '', 'base64url').toString('hex') || '0'}`);

/** Source: RFC 8017, 3.2; Go crypto/rsa PrivateKey.Validate. */
function isWholeRsa(key: JsonWebKey): boolean {
  const [n, e, d, p, q] = [key.n, key.e, key.d, key.p, key.q].map(numberOf) as [bigint, bigint, bigint, bigint, bigint];
  const [dp, dq, qi] = [key.dp, key.dq, key.qi].map(numberOf) as [bigint, bigint, bigint];
  if (p < 2n || q < 2n || p * q !== n) return false;
  const isInverse = (one: bigint, other: bigint, modulus: bigint): boolean => (one * other) % modulus === 1n;
  const fits = isInverse(d, e, p - 1n) && isInverse(d, e, q - 1n);
  return fits && dp === d % (p - 1n) && dq === d % (q - 1n) && isInverse(qi, q, p);
}

const SAMPLE = Buffer.from('joinproof');

/** What it signs verifies with its own public half. Keys on curves other than Edwards' are signed with by SHA-256. */
function signsAndVerifies(key: KeyObject): boolean {
  const digest = key.asymmetricKeyType === 'ec' ? 'sha256' : null;
  try {
    return verify(digest, SAMPLE, createPublicKey(key), sign(digest, SAMPLE, key));
  } catch {
    return false;
  }
}

export const isWhole = (key: KeyObject): boolean =>
  key.asymmetricKeyType === 'rsa' ? isWholeRsa(key.export({ format: 'jwk' })) : signsAndVerifies(key);

const TYPES: Readonly<Record<string, 'pkcs1' | 'sec1' | 'pkcs8'>> = {
  'PRIVATE KEY': 'pkcs8',
  'RSA PRIVATE KEY': 'pkcs1',
  'EC PRIVATE KEY': 'sec1',
};

/** The pin of the public half of a PEM block; undefined: it is no private key, or an encrypted one. */
export function pinOfPrivateKey(label: string, der: Buffer): string | undefined {
  const type = TYPES[label];
  return type === undefined ? undefined : pinOfType(type)(der.toString('latin1'));
}

const pinOfType = rememberedText((type) =>
  rememberedText((bytes) => {
    try {
      const key = createPrivateKey({ key: Buffer.from(bytes, 'latin1'), format: 'der', type: type as 'pkcs8' });
      return pinOf(createPublicKey(key).export({ type: 'spki', format: 'der' }));
    } catch {
      return undefined;
    }
  }),
);

/** The pin of a private key as JSON has it; undefined: it is none, or one that was written over. Source: RFC 7517; RFC 7518, 6. */
export function pinOfPrivateJwk(jwk: Readonly<Record<string, unknown>>): string | undefined {
  try {
    const key = createPrivateKey({ key: jwk, format: 'jwk' });
    return isWhole(key) ? pinOf(createPublicKey(key).export({ type: 'spki', format: 'der' })) : undefined;
  } catch {
    return undefined;
  }
}
