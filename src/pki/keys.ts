/** Keys on node:crypto: made, written, read, described. */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';
import { promisify } from 'node:util';
import { rememberedText } from '../kubernetes/remembered.js';
import { GO_CURVES } from './oids.js';

export type { KeyObject } from 'node:crypto';

/** The first five are kubeadm's encryptionAlgorithm (kubeadm v1beta4 types.go); the others are what clients bring. */
export const KEY_ALGORITHMS = [
  'RSA-2048',
  'RSA-3072',
  'RSA-4096',
  'ECDSA-P256',
  'ECDSA-P384',
  'ECDSA-P521',
  'ECDSA-P224',
  'Ed25519',
  'RSA-1024',
  'RSA-512',
  'ECDSA-secp256k1',
  'Ed448',
] as const;
export type KeyAlgorithm = (typeof KEY_ALGORITHMS)[number];

const CURVES: Readonly<Record<string, string>> = {
  'ECDSA-P224': 'secp224r1',
  'ECDSA-P256': 'prime256v1',
  'ECDSA-P384': 'secp384r1',
  'ECDSA-P521': 'secp521r1',
  'ECDSA-secp256k1': 'secp256k1',
};

/** A new private key. EC keys take microseconds, RSA-2048 some 100 ms. */
export function generateKey(algorithm: KeyAlgorithm): KeyObject {
  const curve = CURVES[algorithm];
  if (curve !== undefined) {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: curve });
    described.set(privateKey, factsOfCurve(curve));
    return privateKey;
  }
  if (algorithm === 'Ed25519') return generateKeyPairSync('ed25519').privateKey;
  if (algorithm === 'Ed448') return generateKeyPairSync('ed448').privateKey;
  return generateKeyPairSync('rsa', { modulusLength: Number(algorithm.slice('RSA-'.length)) }).privateKey;
}

const generatePair = promisify(generateKeyPair);

/**
 * The same off the main thread, for RSA keys that are needed side by side.
 * The key comes as text: Node cannot make a KeyObject in a thread that is being ended, and would abort the process
 * where one that was asked for is ready then.
 */
export async function generateKeyAsync(algorithm: KeyAlgorithm): Promise<KeyObject> {
  if (!algorithm.startsWith('RSA-')) return generateKey(algorithm);
  const { privateKey } = await generatePair('rsa', {
    modulusLength: Number(algorithm.slice('RSA-'.length)),
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return createPrivateKey(privateKey);
}

const spares = new Map<KeyAlgorithm, Promise<KeyObject>>();

/**
 * One key of its kind for the whole process, for requests that only have to bring some key: an RSA key takes longer
 * than a hundred of them.
 * It is made off the main thread, from the first call on.
 */
export function spareKey(algorithm: KeyAlgorithm): Promise<KeyObject> {
  let spare = spares.get(algorithm);
  if (spare === undefined) {
    spare = generateKeyAsync(algorithm);
    spares.set(algorithm, spare);
  }
  return spare;
}

/**
 * PEM of a private key: RSA as PKCS#1 and ECDSA as SEC 1, as kubeadm and the kubelet write them (client-go
 * util/keyutil), others as PKCS#8. `pkcs8` asks for PKCS#8 always.
 */
export function privateKeyPem(key: KeyObject, format: 'native' | 'pkcs8' = 'native'): string {
  const type =
    format === 'pkcs8'
      ? 'pkcs8'
      : key.asymmetricKeyType === 'rsa'
        ? 'pkcs1'
        : key.asymmetricKeyType === 'ec'
          ? 'sec1'
          : 'pkcs8';
  return key.export({ type, format: 'pem' }).toString();
}

/** PEM "PUBLIC KEY" of a public or private key. */
export const publicKeyPem = (key: KeyObject): string =>
  publicKeyOf(key).export({ type: 'spki', format: 'pem' }).toString();

/** DER of the SubjectPublicKeyInfo of a public or private key. */
export function spkiOf(key: KeyObject): Buffer {
  let spki = spkis.get(key);
  if (spki === undefined) {
    const curve = key.type === 'private' ? described.get(key)?.curve : undefined;
    spki = curve === undefined ? written(key) : ofCurve(curve, key);
    spkis.set(key, spki);
  }
  return spki;
}

/** OpenSSL takes 0.1 ms to write one, and an authority's own is asked for again and again. */
const spkis = new WeakMap<KeyObject, Buffer>();

const written = (key: KeyObject): Buffer => publicKeyOf(key).export({ type: 'spki', format: 'der' });

/** What stands before the point in every SubjectPublicKeyInfo of a curve, with the length of such a point. */
const beforePoint = new Map<string, { readonly before: Buffer; readonly point: number }>();

/**
 * Of a private key that is known to be of this curve, ten times as fast: its SEC 1 form ends with the point, as the
 * SubjectPublicKeyInfo does. Source: RFC 5915 §3, RFC 5480 §2.
 */
function ofCurve(curve: string, key: KeyObject): Buffer {
  const sec1 = key.export({ type: 'sec1', format: 'der' });
  const known = beforePoint.get(curve);
  if (known !== undefined) return Buffer.concat([known.before, sec1.subarray(-known.point)]);
  const whole = written(key);
  let point = 0;
  while (whole.at(-1 - point) === sec1.at(-1 - point)) point += 1;
  beforePoint.set(curve, { before: whole.subarray(0, -point), point });
  return whole;
}

const publicKeyOf = (key: KeyObject): KeyObject => (key.type === 'private' ? createPublicKey(key) : key);

const readAgain = new WeakMap<KeyObject, KeyObject>();

/**
 * The public half of a key, read from its DER: whoever wants a JWK or the details of a key asks this one. A key that
 * was just made shares a lock with the job that made it, and V8 takes that lock when it collects the job; Node 20 holds
 * it while it writes a JWK or tells details, and both together stand still for ever.
 * Source: Node, src/crypto/crypto_ec.cc ExportJWKEcKey, GetEcKeyDetail.
 */
export function publicAnew(key: KeyObject): KeyObject {
  let anew = readAgain.get(key);
  if (anew === undefined) {
    anew = createPublicKey({ key: spkiOf(key), format: 'der', type: 'spki' });
    readAgain.set(key, anew);
  }
  return anew;
}

/** A private key as JSON has it. Made of one that is read again, as publicAnew is. */
export const privateJwk = (key: KeyObject): JsonWebKey =>
  createPrivateKey(privateKeyPem(key, 'pkcs8')).export({ format: 'jwk' });

/** Reads a private key in PEM (PKCS#1, SEC 1, PKCS#8, unencrypted); undefined where the text holds none. */
export const parsePrivateKey = rememberedText((pem: string): KeyObject | undefined => {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
});

/** What a reader wants to know of a key. bits: the modulus of RSA, the field of a curve. */
export interface KeyFacts {
  readonly type: 'RSA' | 'ECDSA' | 'Ed25519' | 'Ed448' | 'DSA' | 'unknown';
  readonly bits: number;
  /** "P-256" and the like; OpenSSL's name for other curves. */
  readonly curve?: string;
}

export function describeKey(key: KeyObject): KeyFacts {
  let facts = described.get(key);
  if (facts === undefined) {
    facts = readFacts(key);
    described.set(key, facts);
  }
  return facts;
}

/** Reading them takes longer than signing; of a key that was made here they are known. */
const described = new WeakMap<KeyObject, KeyFacts>();

function factsOfCurve(name: string): KeyFacts {
  const known = Object.values(GO_CURVES).find((curve) => curve.openssl === name);
  return { type: 'ECDSA', bits: known?.bits ?? Number(/\d+/.exec(name)?.[0] ?? 0), curve: known?.name ?? name };
}

function readFacts(key: KeyObject): KeyFacts {
  const details = publicAnew(key).asymmetricKeyDetails ?? {};
  switch (key.asymmetricKeyType) {
    case 'rsa':
    case 'rsa-pss':
      return { type: 'RSA', bits: details.modulusLength ?? 0 };
    case 'ec':
      return factsOfCurve(details.namedCurve ?? 'unknown');
    case 'ed25519':
      return { type: 'Ed25519', bits: 256 };
    case 'ed448':
      return { type: 'Ed448', bits: 456 };
    case 'dsa':
      return { type: 'DSA', bits: details.modulusLength ?? 0 };
    default:
      return { type: 'unknown', bits: 0 };
  }
}

/**
 * The public key pin of `kubeadm join --discovery-token-ca-cert-hash`: "sha256:" and the lower-case hex of the SHA-256
 * of the SubjectPublicKeyInfo. Source: cmd/kubeadm/app/util/pubkeypin/pubkeypin.go Hash.
 */
export const spkiPin = (spki: Uint8Array): string => `sha256:${createHash('sha256').update(spki).digest('hex')}`;

/** Whether two keys (public or private) are of one pair. */
export const sameKey = (a: KeyObject, b: KeyObject): boolean => spkiOf(a).equals(spkiOf(b));
