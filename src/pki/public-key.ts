/**
 * What Go makes of a SubjectPublicKeyInfo, with its texts.
 * Source: Go crypto/x509 parsePublicKey, crypto/ecdsa ParseUncompressedPublicKey.
 */
import { createPublicKey, ECDH, type KeyObject } from 'node:crypto';
import { PkiError } from './asn1-go.js';
import { DerReader, decodeOid, TAG } from './der-read.js';
import { bits, der, oid, sequence } from './der-write.js';
import type { KeyFacts } from './keys.js';
import { GO_CURVES, KEY_TYPE } from './oids.js';

export interface SubjectPublicKeyInfo {
  readonly algorithm: string;
  /** The parameters element with tag and length; empty where absent. */
  readonly parameters: Buffer;
  /** The key bits, unused ones shifted to the front. */
  readonly bits: Buffer;
}

/**
 * A key as Go sees it. `key` is made on first use, because that costs more than all the rest of a certificate;
 * undefined where OpenSSL does not take it. `small`: why Go since 1.24 verifies nothing with it; `problem`: why no Go
 * verifies nothing with it. `opaque`: a type that Go does not know; it parses, and no signature by it can be checked.
 */
export type GoPublicKey =
  | {
      readonly kind: 'RSA';
      readonly bits: number;
      readonly key: KeyObject | undefined;
      readonly small: string | undefined;
      readonly problem: string | undefined;
    }
  | { readonly kind: 'ECDSA'; readonly curve: string; readonly bits: number; readonly key: KeyObject | undefined }
  | { readonly kind: 'Ed25519'; readonly key: KeyObject | undefined }
  | { readonly kind: 'DSA' }
  | { readonly kind: 'opaque' };

/** The name of the Go type, as the text about mismatching keys prints it. */
export const GO_KEY_TYPES = { RSA: '*rsa.PublicKey', ECDSA: '*ecdsa.PublicKey', Ed25519: 'ed25519.PublicKey' } as const;

/** What a reader wants to know; undefined for a key that Go cannot use. */
export function factsOf(key: GoPublicKey): KeyFacts | undefined {
  switch (key.kind) {
    case 'RSA':
      return { type: 'RSA', bits: key.bits };
    case 'ECDSA':
      return { type: 'ECDSA', bits: key.bits, curve: key.curve };
    case 'Ed25519':
      return { type: 'Ed25519', bits: 256 };
    default:
      return undefined;
  }
}

const NULL_PARAMETERS = Buffer.from([5, 0]);
const isNegative = (integer: Buffer): boolean => (integer[0] ?? 0) >= 0x80;
const isZero = (integer: Buffer): boolean => integer.every((byte) => byte === 0);
const unsigned = (integer: Buffer): bigint => BigInt(`0x${integer.toString('hex')}`);
const base64url = (bytes: Buffer): string => bytes.toString('base64url');

/** Makes a key once, when it is asked for. */
function onDemand(make: () => KeyObject): () => KeyObject | undefined {
  let made: { readonly key: KeyObject | undefined } | undefined;
  return () => {
    if (made === undefined) {
      try {
        made = { key: make() };
      } catch {
        made = { key: undefined };
      }
    }
    return made.key;
  };
}

/** Throws PkiError where Go refuses the key. */
export function readPublicKey(info: SubjectPublicKeyInfo): GoPublicKey {
  switch (info.algorithm) {
    case KEY_TYPE.rsa:
      return readRsa(info);
    case KEY_TYPE.ec:
      return readEcdsa(info);
    case KEY_TYPE.ed25519:
      return readEd25519(info);
    case KEY_TYPE.dsa:
      return readDsa(info);
    default:
      return { kind: 'opaque' };
  }
}

function readEd25519(info: SubjectPublicKeyInfo): GoPublicKey {
  if (info.parameters.length > 0) throw new PkiError('x509: Ed25519 key encoded with illegal parameters');
  if (info.bits.length !== 32) throw new PkiError('x509: wrong Ed25519 public key size');
  const key = onDemand(() =>
    createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: base64url(info.bits) }, format: 'jwk' }),
  );
  return {
    kind: 'Ed25519',
    get key() {
      return key();
    },
  };
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
  if (isNegative(exponent) || isZero(exponent))
    throw new PkiError('x509: RSA public exponent is not a positive number');
  const size = unsigned(modulus).toString(2).length;
  const key = onDemand(() =>
    createPublicKey({ key: { kty: 'RSA', n: base64url(modulus), e: base64url(exponent) }, format: 'jwk' }),
  );
  return {
    kind: 'RSA',
    bits: size,
    get key() {
      return key();
    },
    small:
      size < 1024
        ? `crypto/rsa: ${size}-bit keys are insecure (see https://go.dev/pkg/crypto/rsa#hdr-Minimum_key_size)`
        : undefined,
    problem: rsaProblem(modulus, unsigned(exponent)),
  };
}

/** Why Go would verify nothing with this key, whatever its size. Source: crypto/internal/fips140/rsa checkPublicKey. */
function rsaProblem(modulus: Buffer, exponent: bigint): string | undefined {
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
  const point = info.bits;
  if (point[0] !== 4) throw new PkiError('ecdsa: invalid uncompressed public key');
  const goName = curve.name.replace('-', '');
  if (point.length !== 1 + 2 * curve.bytes) throw new PkiError(`invalid ${goName} point encoding`);
  const coordinates = point.subarray(1).toString('hex');
  // Hex of equal length compares as the numbers do.
  if ([coordinates.slice(0, 2 * curve.bytes), coordinates.slice(2 * curve.bytes)].some((one) => one >= curve.prime))
    throw new PkiError(`invalid ${goName}Element encoding`);
  if (!isOnCurve(point, curve.openssl)) throw new PkiError(`${goName} point not on curve`);
  const key = onDemand(() =>
    curve.name === 'P-224'
      ? // JWK has no name for this curve.
        createPublicKey({
          key: der(sequence(sequence(oid(KEY_TYPE.ec), oid(curveId)), bits(point))),
          format: 'der',
          type: 'spki',
        })
      : createPublicKey({
          key: {
            kty: 'EC',
            crv: curve.name,
            x: base64url(point.subarray(1, 1 + curve.bytes)),
            y: base64url(point.subarray(1 + curve.bytes)),
          },
          format: 'jwk',
        }),
  );
  return {
    kind: 'ECDSA',
    curve: curve.name,
    bits: curve.bits,
    get key() {
      return key();
    },
  };
}

function isOnCurve(point: Buffer, curve: string): boolean {
  try {
    ECDH.convertKey(point, curve, undefined, 'hex', 'compressed');
    return true;
  } catch {
    return false;
  }
}

function readDsa(info: SubjectPublicKeyInfo): GoPublicKey {
  const y = new DerReader(info.bits).integer();
  if (y === undefined) throw new PkiError('x509: invalid DSA public key');
  const parameters = new DerReader(info.parameters).inside(TAG.sequence);
  const [p, q, g] = [parameters?.integer(), parameters?.integer(), parameters?.integer()];
  if (p === undefined || q === undefined || g === undefined) throw new PkiError('x509: invalid DSA parameters');
  if ([y, p, q, g].some((part) => isNegative(part) || isZero(part)))
    throw new PkiError('x509: zero or negative DSA parameter');
  return { kind: 'DSA' };
}
