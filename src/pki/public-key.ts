/** What Go makes of a SubjectPublicKeyInfo, with its texts. Source: Go crypto/x509 parsePublicKey, crypto/ecdsa ParseUncompressedPublicKey. */
import { PkiError } from './asn1-go.js';
import { DerReader, decodeOid, TAG } from './der-read.js';
import { type KeyObject, publicKeyFromSpki } from './keys.js';
import { GO_CURVES, KEY_TYPE } from './oids.js';

export interface SubjectPublicKeyInfo {
  readonly algorithm: string;
  /** The parameters element with tag and length; empty where absent. */
  readonly parameters: Buffer;
  /** The key bits, unused ones shifted to the front. */
  readonly bits: Buffer;
  /** The whole element. */
  readonly der: Buffer;
}

/** `opaque`: a key type that Go does not know; it parses and no signature by it can be checked. */
export type GoPublicKey =
  | { readonly kind: 'RSA'; readonly modulusBits: number; readonly key: KeyObject | undefined; readonly problem: string | undefined }
  | { readonly kind: 'ECDSA'; readonly key: KeyObject | undefined }
  | { readonly kind: 'Ed25519'; readonly key: KeyObject | undefined }
  | { readonly kind: 'DSA' }
  | { readonly kind: 'opaque' };

/** The name of the Go type, as the text about mismatching keys prints it. */
export const GO_KEY_TYPES = { RSA: '*rsa.PublicKey', ECDSA: '*ecdsa.PublicKey', Ed25519: 'ed25519.PublicKey' } as const;

const NULL_PARAMETERS = Buffer.from([5, 0]);
const isNegative = (integer: Buffer): boolean => (integer[0] ?? 0) >= 0x80;
const isZero = (integer: Buffer): boolean => integer.every((byte) => byte === 0);
const unsigned = (integer: Buffer): bigint => BigInt(`0x${integer.toString('hex')}`);

/** Throws PkiError where Go refuses the key. */
export function readPublicKey(info: SubjectPublicKeyInfo): GoPublicKey {
  switch (info.algorithm) {
    case KEY_TYPE.rsa:
      return readRsa(info);
    case KEY_TYPE.ec:
      return readEcdsa(info);
    case KEY_TYPE.ed25519:
      if (info.parameters.length > 0) throw new PkiError('x509: Ed25519 key encoded with illegal parameters');
      if (info.bits.length !== 32) throw new PkiError('x509: wrong Ed25519 public key size');
      return { kind: 'Ed25519', key: publicKeyFromSpki(info.der) };
    case KEY_TYPE.dsa:
      return readDsa(info);
    default:
      return { kind: 'opaque' };
  }
}

function readRsa(info: SubjectPublicKeyInfo): GoPublicKey {
  if (!info.parameters.equals(NULL_PARAMETERS)) throw new PkiError('x509: RSA key missing NULL parameters');
  const inner = new DerReader(info.bits).inside(TAG.sequence);
  if (inner === undefined) throw new PkiError('x509: invalid RSA public key');
  const modulus = inner.integer();
  if (modulus === undefined) throw new PkiError('x509: invalid RSA modulus');
  const exponent = inner.integer();
  if (exponent === undefined || exponent.length > 8) throw new PkiError('x509: invalid RSA public exponent');
  if (isNegative(modulus) || isZero(modulus)) throw new PkiError('x509: RSA modulus is not a positive number');
  if (isNegative(exponent) || isZero(exponent)) throw new PkiError('x509: RSA public exponent is not a positive number');
  const modulusBits = unsigned(modulus).toString(2).length;
  return { kind: 'RSA', modulusBits, key: publicKeyFromSpki(info.der), problem: rsaProblem(modulus, modulusBits, unsigned(exponent)) };
}

/** Why Go would verify nothing with this key. Source: crypto/rsa checkKeySize, crypto/internal/fips140/rsa checkPublicKey. */
function rsaProblem(modulus: Buffer, bits: number, exponent: bigint): string | undefined {
  if (bits < 1024) return `crypto/rsa: ${bits}-bit keys are insecure (see https://go.dev/pkg/crypto/rsa#hdr-Minimum_key_size)`;
  if (((modulus.at(-1) ?? 0) & 1) === 0) return 'crypto/rsa: public modulus is even';
  if (exponent < 2n) return 'crypto/rsa: public exponent too small or negative';
  if (exponent % 2n === 0n) return 'crypto/rsa: public exponent is even';
  return exponent > 0x7fffffffn ? 'crypto/rsa: public exponent too large' : undefined;
}

function readEcdsa(info: SubjectPublicKeyInfo): GoPublicKey {
  const parameters = new DerReader(info.parameters).element(TAG.oid);
  const curveId = parameters === undefined ? undefined : decodeOid(parameters.content);
  if (curveId === undefined) throw new PkiError('x509: invalid ECDSA parameters');
  const curve = GO_CURVES[curveId];
  if (curve === undefined) throw new PkiError('x509: unsupported elliptic curve');
  if (info.bits[0] !== 4) throw new PkiError('ecdsa: invalid uncompressed public key');
  const name = curve.name.replace('-', '');
  if (info.bits.length !== 1 + 2 * curve.bytes) throw new PkiError(`invalid ${name} point encoding`);
  const key = publicKeyFromSpki(info.der);
  if (key === undefined) throw new PkiError(`${name} point not on curve`);
  return { kind: 'ECDSA', key };
}

function readDsa(info: SubjectPublicKeyInfo): GoPublicKey {
  const y = new DerReader(info.bits).integer();
  if (y === undefined) throw new PkiError('x509: invalid DSA public key');
  const parameters = new DerReader(info.parameters).inside(TAG.sequence);
  const [p, q, g] = [parameters?.integer(), parameters?.integer(), parameters?.integer()];
  if (p === undefined || q === undefined || g === undefined) throw new PkiError('x509: invalid DSA parameters');
  if ([y, p, q, g].some((part) => isNegative(part) || isZero(part))) throw new PkiError('x509: zero or negative DSA parameter');
  return { kind: 'DSA' };
}
