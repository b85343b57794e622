/** Keys of --service-account-key-file. Source: client-go, util/keyutil/key.go ParsePublicKeysPEM. */
import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import { pemBlocks } from '../../pki/pem.js';
import { CannotStart } from '../host-addresses.js';

/** OpenSSL reads any form of a private key as any other. */
const READERS: readonly ((der: Buffer) => KeyObject)[] = [
  (key) => createPrivateKey({ key, format: 'der', type: 'pkcs8' }),
  (key) => createPrivateKey({ key, format: 'der', type: 'pkcs1' }),
  (key) => createPrivateKey({ key, format: 'der', type: 'sec1' }),
  (key) => createPublicKey({ key, format: 'der', type: 'spki' }),
  (der) => new X509Certificate(der).publicKey,
];
const KINDS: readonly (string | undefined)[] = ['rsa', 'ec'];

/**
 * SEC 1 says version 1, PKCS#8 says 0: upstream reads an elliptic private key in the first form only. Source: RFC 5915,
 * section 3.
 */
const isSec1 = (der: Buffer): boolean => {
  const length = der[1] ?? 0;
  const header = length < 0x80 ? 2 : 2 + (length & 0x7f);
  return der[header + 2] === 1;
};

function publicKeyIn(der: Buffer): KeyObject | undefined {
  for (const read of READERS) {
    try {
      const key = read(der);
      if (!KINDS.includes(key.asymmetricKeyType)) return undefined;
      if (key.type === 'public') return key;
      return key.asymmetricKeyType === 'ec' && !isSec1(der) ? undefined : createPublicKey(key);
    } catch {
      // another form, or no key at all
    }
  }
  return undefined;
}

/** Every RSA and ECDSA key of a PEM text, by whatever label; what is none is left out. Throws CannotStart for none. */
export function publicKeysOf(text: string): readonly KeyObject[] {
  const keys = pemBlocks(text).flatMap(({ bytes }) => publicKeyIn(Buffer.from(bytes)) ?? []);
  if (keys.length === 0)
    throw new CannotStart(
      '--service-account-key-file holds no RSA or ECDSA key as PEM. Give a file with a public key, a certificate or a ' +
        'private key.',
    );
  return keys;
}
