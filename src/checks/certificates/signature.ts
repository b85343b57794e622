/**
 * Signatures under certificates and requests, verified with node:crypto.
 * Source: RFC 4055, 5758, 8410; Go crypto/x509 checkSignature.
 */
import { constants, createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { type Node, oidOf, sequenceOf } from './der.js';

/** Hash and key of the algorithms that an API server takes; weak hashes are not among them. */
const ALGORITHMS: Readonly<Record<string, readonly ['rsa' | 'ec' | 'ed25519', string | null]>> = {
  '1.2.840.113549.1.1.11': ['rsa', 'sha256'],
  '1.2.840.113549.1.1.12': ['rsa', 'sha384'],
  '1.2.840.113549.1.1.13': ['rsa', 'sha512'],
  '1.2.840.10045.4.3.2': ['ec', 'sha256'],
  '1.2.840.10045.4.3.3': ['ec', 'sha384'],
  '1.2.840.10045.4.3.4': ['ec', 'sha512'],
  '1.3.101.112': ['ed25519', null],
};
/** Requests may still be signed with SHA-1. */
const OLD: typeof ALGORITHMS = {
  '1.2.840.113549.1.1.5': ['rsa', 'sha1'],
  '1.3.14.3.2.29': ['rsa', 'sha1'],
  '1.2.840.10045.4.1': ['ec', 'sha1'],
};
/** Of an algorithm, by its object identifier. */
export const isSha1 = (id: string): boolean => Object.hasOwn(OLD, id);
const PSS = '1.2.840.113549.1.1.10';
const HASHES: Readonly<Record<string, string>> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};
/** Bits of an RSA key below which nobody verifies anything with it. */
const SMALL = 1024;

/** The keys read last, newest first: thousands of requests in a row have each its own key, and all one issuer's. */
let recent: readonly { readonly spki: Buffer; readonly key: KeyObject | undefined }[] = [];
const RECENT = 4;

/** The key of a SubjectPublicKeyInfo; undefined where OpenSSL does not take it. */
export function keyOf(spki: Buffer): KeyObject | undefined {
  const found = recent.find((one) => one.spki.equals(spki)) ?? { spki: Buffer.from(spki), key: readKey(spki) };
  recent = [found, ...recent.filter((one) => one !== found)].slice(0, RECENT);
  return found.key;
}

function readKey(spki: Buffer): KeyObject | undefined {
  try {
    return createPublicKey({ key: spki, format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}

/**
 * "sha256:<hex>" of a SubjectPublicKeyInfo: two keys are one where their pins are.
 * Source: kubeadm, pubkeypin.go Hash.
 */
export const pinOf = (spki: Buffer): string => `sha256:${createHash('sha256').update(spki).digest('hex')}`;

/** The hash of RSA-PSS, from its parameters. */
function pssHash(parameters: Node | undefined): string | undefined {
  const hash = parameters?.parts.find((part) => part.class === 2 && part.tag === 0)?.parts[0];
  return hash === undefined ? undefined : HASHES[oidOf(sequenceOf(hash, 'a hash')[0])];
}

/** What a signature stands under. */
export interface Signed {
  /** An AlgorithmIdentifier. */
  readonly algorithm: Node | undefined;
  readonly signed: Buffer;
  readonly signature: Buffer;
  /** Of the key that should have made it. */
  readonly spki: Buffer;
  /** SHA-1 counts. */
  readonly old?: boolean;
}

/** Why the signature does not hold, in one clause; undefined: it holds. */
export function signatureProblem({ algorithm, signed, signature, spki, old = false }: Signed): string | undefined {
  const [id, parameters] = sequenceOf(algorithm, 'the signature algorithm');
  const name = oidOf(id);
  const pss = name === PSS ? pssHash(parameters) : undefined;
  const known = pss === undefined ? (ALGORITHMS[name] ?? (old ? OLD[name] : undefined)) : (['rsa', pss] as const);
  if (known === undefined) return `it is signed by an algorithm that does not count (${name})`;
  const [type, hash] = known;
  const key = keyOf(spki);
  if (key === undefined) return 'its key cannot be used';
  if (key.asymmetricKeyType !== type)
    return `its algorithm is for ${type}, its key ${key.asymmetricKeyType ?? 'unknown'}`;
  const bits = key.asymmetricKeyDetails?.modulusLength;
  if (bits !== undefined && bits < SMALL) return `its RSA key has ${bits} bits`;
  const padding =
    type !== 'rsa'
      ? {}
      : pss === undefined
        ? { padding: constants.RSA_PKCS1_PADDING }
        : { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  try {
    return verify(hash, signed, { key, ...padding }, signature) ? undefined : 'the signature is not by that key';
  } catch {
    return 'the signature cannot be verified';
  }
}
