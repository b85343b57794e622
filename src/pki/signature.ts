/**
 * Signature algorithms: chosen for a key, and checked as Go checks them.
 * Source: Go crypto/x509 checkSignature, signatureAlgorithmDetails.
 */
import { constants, type KeyObject, sign, verify } from 'node:crypto';
import { type DerTree, nothing, oid, sequence } from './der-write.js';
import { describeKey } from './keys.js';
import { GO_KEY_TYPES, type GoPublicKey } from './public-key.js';

export interface AlgorithmIdentifier {
  readonly algorithm: string;
  /** The parameters element with tag and length; empty where absent. */
  readonly parameters: Buffer;
}

interface Algorithm {
  /** Go's name. */
  readonly name: string;
  readonly oid: string;
  readonly key: 'RSA' | 'ECDSA' | 'Ed25519' | 'DSA';
  readonly hash?: 'md5' | 'sha1' | 'sha256' | 'sha384' | 'sha512';
  readonly pss?: true;
}

const RSA_PSS = '1.2.840.113549.1.1.10';
const ED25519 = '1.3.101.112';

const SIGNATURE_ALGORITHMS = [
  { name: 'MD5-RSA', oid: '1.2.840.113549.1.1.4', key: 'RSA', hash: 'md5' },
  { name: 'SHA1-RSA', oid: '1.2.840.113549.1.1.5', key: 'RSA', hash: 'sha1' },
  { name: 'SHA1-RSA', oid: '1.3.14.3.2.29', key: 'RSA', hash: 'sha1' },
  { name: 'SHA256-RSA', oid: '1.2.840.113549.1.1.11', key: 'RSA', hash: 'sha256' },
  { name: 'SHA384-RSA', oid: '1.2.840.113549.1.1.12', key: 'RSA', hash: 'sha384' },
  { name: 'SHA512-RSA', oid: '1.2.840.113549.1.1.13', key: 'RSA', hash: 'sha512' },
  { name: 'DSA-SHA1', oid: '1.2.840.10040.4.3', key: 'DSA', hash: 'sha1' },
  { name: 'DSA-SHA256', oid: '2.16.840.1.101.3.4.3.2', key: 'DSA', hash: 'sha256' },
  { name: 'ECDSA-SHA1', oid: '1.2.840.10045.4.1', key: 'ECDSA', hash: 'sha1' },
  { name: 'ECDSA-SHA256', oid: '1.2.840.10045.4.3.2', key: 'ECDSA', hash: 'sha256' },
  { name: 'ECDSA-SHA384', oid: '1.2.840.10045.4.3.3', key: 'ECDSA', hash: 'sha384' },
  { name: 'ECDSA-SHA512', oid: '1.2.840.10045.4.3.4', key: 'ECDSA', hash: 'sha512' },
  { name: 'Ed25519', oid: ED25519, key: 'Ed25519' },
] as const satisfies readonly Algorithm[];
export type SignatureName = (typeof SIGNATURE_ALGORITHMS)[number]['name'];

/**
 * The only parameters of RSA-PSS that Go knows: MGF1 with the same hash, a salt as long as the hash.
 * Source: pssParametersSHA256 …
 */
const pssParameters = (hashArc: number, length: number): Buffer => {
  const hash = `300d06096086480165030402${hashArc.toString(16).padStart(2, '0')}0500`;
  return Buffer.from(`3034a00f${hash}a11c301a06092a864886f70d010108${hash}a2030201${length.toString(16)}`, 'hex');
};
const PSS: readonly (Algorithm & { readonly parameters: Buffer })[] = [
  { name: 'SHA256-RSAPSS', oid: RSA_PSS, key: 'RSA', hash: 'sha256', pss: true, parameters: pssParameters(1, 32) },
  { name: 'SHA384-RSAPSS', oid: RSA_PSS, key: 'RSA', hash: 'sha384', pss: true, parameters: pssParameters(2, 48) },
  { name: 'SHA512-RSAPSS', oid: RSA_PSS, key: 'RSA', hash: 'sha512', pss: true, parameters: pssParameters(3, 64) },
];

/**
 * undefined: unknown to Go.
 * Source: getSignatureAlgorithmFromAI, which does not look at the parameters of most algorithms.
 */
function algorithmOf(id: AlgorithmIdentifier): Algorithm | undefined {
  if (id.algorithm === RSA_PSS) return PSS.find((known) => known.parameters.equals(id.parameters));
  if (id.algorithm === ED25519 && id.parameters.length > 0) return undefined;
  return SIGNATURE_ALGORITHMS.find((known) => known.oid === id.algorithm);
}

/** Go's name of a signature algorithm, "SHA256-RSA" for instance; the dotted identifier of one it does not know. */
export const signatureName = (id: AlgorithmIdentifier): string => algorithmOf(id)?.name ?? id.algorithm;

/**
 * Whether the parameters are those that the standards give the algorithm: NULL for RSA, none for ECDSA and Ed25519 (RFC
 * 4055, 5758, 8410).
 */
export function hasProperParameters(id: AlgorithmIdentifier): boolean {
  const known = algorithmOf(id);
  if (known === undefined) return false;
  return (
    known.pss === true || (known.key === 'RSA' ? id.parameters.equals(Buffer.from([5, 0])) : id.parameters.length === 0)
  );
}

const UNIMPLEMENTED = 'x509: cannot verify signature: algorithm unimplemented';

/** What is signed, how, and the key that is to have signed it. */
export interface Signed {
  readonly algorithm: AlgorithmIdentifier;
  readonly signed: Buffer;
  readonly signature: Buffer;
  readonly key: GoPublicKey;
}

/**
 * Go's text for why a signature does not hold; undefined: it holds. `allowSha1`: requests and revocation lists may use
 * SHA-1, certificates not.
 * `smallRsa`: as Go did before 1.24, with keys under 1024 bits as well. Source: crypto/x509 checkSignature, crypto/rsa
 * checkKeySize.
 */
export function signatureProblem(
  { algorithm: id, signed, signature, key }: Signed,
  { allowSha1 = false, smallRsa = false }: { readonly allowSha1?: boolean; readonly smallRsa?: boolean } = {},
): string | undefined {
  const algorithm = algorithmOf(id);
  if (algorithm === undefined) return UNIMPLEMENTED;
  if (algorithm.hash === 'md5' || (algorithm.hash === 'sha1' && !allowSha1))
    return `x509: cannot verify signature: insecure algorithm ${algorithm.name}`;
  if (key.kind === 'DSA' || key.kind === 'opaque') return UNIMPLEMENTED;
  if (algorithm.key !== key.kind)
    return (
      `x509: signature algorithm specifies an ${algorithm.key} public key, ` +
      `but have public key of type ${GO_KEY_TYPES[key.kind]}`
    );
  if (key.kind === 'RSA') {
    if (key.small !== undefined && !smallRsa) return key.small;
    if (key.problem !== undefined) return key.problem;
    const padding = algorithm.pss
      ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
      : { padding: constants.RSA_PKCS1_PADDING };
    return key.key !== undefined && holds(algorithm.hash, signed, { key: key.key, ...padding }, signature)
      ? undefined
      : 'crypto/rsa: verification error';
  }
  const held = key.key !== undefined && holds(algorithm.hash, signed, { key: key.key }, signature);
  return held ? undefined : `x509: ${key.kind} verification failure`;
}

function holds(
  hash: string | undefined,
  signed: Buffer,
  key: { key: KeyObject; padding?: number; saltLength?: number },
  signature: Buffer,
): boolean {
  try {
    return verify(hash, signed, key, signature);
  } catch {
    return false;
  }
}

/**
 * How a key signs by default, as Go chooses: RSA and curves up to 256 bits with SHA-256, P-384 with SHA-384, P-521 with
 * SHA-512.
 * Source: signingParamsForKey.
 */
export function defaultSignature(key: KeyObject): SignatureName {
  const facts = describeKey(key);
  if (facts.type === 'Ed25519') return 'Ed25519';
  if (facts.type === 'ECDSA')
    return facts.bits === 384 ? 'ECDSA-SHA384' : facts.bits === 521 ? 'ECDSA-SHA512' : 'ECDSA-SHA256';
  return 'SHA256-RSA';
}

/** The AlgorithmIdentifier of a signature. */
export function encodeAlgorithm(name: SignatureName): DerTree {
  const algorithm = find(name);
  return algorithm.key === 'RSA' ? sequence(oid(algorithm.oid), nothing()) : sequence(oid(algorithm.oid));
}

export function signWith(name: SignatureName, data: Buffer, key: KeyObject): Buffer {
  const { hash } = find(name);
  return sign(hash, data, key);
}

function find(name: SignatureName): Algorithm {
  const found = SIGNATURE_ALGORITHMS.find((known) => known.name === name);
  if (found === undefined) throw new RangeError(`unknown signature algorithm ${name}`);
  return found;
}
