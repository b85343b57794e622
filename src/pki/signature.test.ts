/** Signature algorithms by their identifiers: the names that Go gives them, and what it makes of their parameters. */
import assert from 'node:assert/strict';
import { constants, sign } from 'node:crypto';
import { describe, it } from 'node:test';
import { generateKey, type KeyAlgorithm } from './keys.js';
import { createRequest, parseRequest } from './request.js';
import { hasProperParameters, signatureName, signatureProblem } from './signature.js';

const NONE = Buffer.alloc(0);
const NULL = Buffer.from([5, 0]);
/** Source: RFC 4055, 3.1: hash and mask of the same function, a salt as long as its value. */
const pss = (arc: number, salt: number): Buffer => {
  const hash = `300d060960864801650304020${arc}0500`;
  return Buffer.from(`3034a00f${hash}a11c301a06092a864886f70d010108${hash}a2030201${salt.toString(16)}`, 'hex');
};
const PSS = '1.2.840.113549.1.1.10';

/** Source: crypto/x509, x509.go signatureAlgorithmDetails. */
const NAMES: readonly (readonly [name: string, oid: string, parameters: Buffer])[] = [
  ['MD5-RSA', '1.2.840.113549.1.1.4', NULL],
  ['SHA1-RSA', '1.2.840.113549.1.1.5', NULL],
  ['SHA1-RSA', '1.3.14.3.2.29', NULL],
  ['SHA256-RSA', '1.2.840.113549.1.1.11', NULL],
  ['SHA384-RSA', '1.2.840.113549.1.1.12', NULL],
  ['SHA512-RSA', '1.2.840.113549.1.1.13', NULL],
  ['SHA256-RSAPSS', PSS, pss(1, 32)],
  ['SHA384-RSAPSS', PSS, pss(2, 48)],
  ['SHA512-RSAPSS', PSS, pss(3, 64)],
  ['DSA-SHA1', '1.2.840.10040.4.3', NONE],
  ['DSA-SHA256', '2.16.840.1.101.3.4.3.2', NONE],
  ['ECDSA-SHA1', '1.2.840.10045.4.1', NONE],
  ['ECDSA-SHA256', '1.2.840.10045.4.3.2', NONE],
  ['ECDSA-SHA384', '1.2.840.10045.4.3.3', NONE],
  ['ECDSA-SHA512', '1.2.840.10045.4.3.4', NONE],
  ['Ed25519', '1.3.101.112', NONE],
];

describe('a signature algorithm', () => {
  it('has the name that Go gives it, and proper parameters', () => {
    for (const [name, algorithm, parameters] of NAMES) {
      assert.equal(signatureName({ algorithm, parameters }), name);
      assert.ok(hasProperParameters({ algorithm, parameters }), name);
    }
  });

  it('is told by its identifier where Go does not know it', () => {
    for (const [algorithm, parameters] of [
      ['1.2.3.4', NONE],
      ['1.3.101.112', NULL],
      [PSS, NONE],
      [PSS, pss(1, 48)],
    ] as const) {
      assert.equal(signatureName({ algorithm, parameters }), algorithm);
      assert.ok(!hasProperParameters({ algorithm, parameters }));
    }
  });

  it('has parameters that are not proper, which Go does not look at', () => {
    for (const [name, algorithm, parameters] of [
      ['SHA256-RSA', '1.2.840.113549.1.1.11', NONE],
      ['ECDSA-SHA256', '1.2.840.10045.4.3.2', NULL],
    ] as const) {
      assert.equal(signatureName({ algorithm, parameters }), name);
      assert.ok(!hasProperParameters({ algorithm, parameters }), name);
    }
  });
});

describe('a signature', () => {
  const signed = Buffer.from('what is signed');
  const pairOf = (algorithm: KeyAlgorithm) => {
    const key = generateKey(algorithm);
    return { key, open: parseRequest(createRequest({ key, subject: {} }).der).publicKey };
  };
  const rsa = pairOf('RSA-1024');
  const small = pairOf('RSA-512');
  const ec = pairOf('ECDSA-P256');
  const RSA = { algorithm: '1.2.840.113549.1.1.11', parameters: NULL };

  it('of RSA-PSS has a salt as long as its hash', () => {
    const problem = (saltLength: number): string | undefined => {
      const { RSA_PKCS1_PSS_PADDING: padding } = constants;
      const signature = sign('sha256', signed, { key: rsa.key, padding, saltLength });
      return signatureProblem({
        algorithm: { algorithm: PSS, parameters: pss(1, 32) },
        signed,
        signature,
        key: rsa.open,
      });
    };
    assert.equal(problem(32), undefined);
    assert.equal(problem(20), 'crypto/rsa: verification error');
  });

  it('is of the key that its algorithm is for, and of what was signed', () => {
    const signature = sign('sha256', signed, rsa.key);
    const EC = { algorithm: '1.2.840.10045.4.3.2', parameters: NONE };
    assert.equal(signatureProblem({ algorithm: RSA, signed, signature, key: rsa.open }), undefined);
    assert.equal(
      signatureProblem({ algorithm: RSA, signed: Buffer.from('another'), signature, key: rsa.open }),
      'crypto/rsa: verification error',
    );
    assert.equal(
      signatureProblem({ algorithm: EC, signed, signature, key: rsa.open }),
      'x509: signature algorithm specifies an ECDSA public key, but have public key of type *rsa.PublicKey',
    );
    assert.equal(
      signatureProblem({ algorithm: RSA, signed, signature, key: ec.open }),
      'x509: signature algorithm specifies an RSA public key, but have public key of type *ecdsa.PublicKey',
    );
    assert.equal(
      signatureProblem({ algorithm: EC, signed, signature, key: ec.open }),
      'x509: ECDSA verification failure',
    );
  });

  it('with SHA-1, or of a small key, counts where it is asked to', () => {
    const SHA1 = { algorithm: '1.2.840.113549.1.1.5', parameters: NULL };
    const old = { algorithm: SHA1, signed, signature: sign('sha1', signed, rsa.key), key: rsa.open };
    assert.equal(signatureProblem(old), 'x509: cannot verify signature: insecure algorithm SHA1-RSA');
    assert.equal(signatureProblem(old, { allowSha1: true }), undefined);
    const short = { algorithm: RSA, signed, signature: sign('sha256', signed, small.key), key: small.open };
    assert.match(signatureProblem(short) ?? '', /^crypto\/rsa: 512-bit keys are insecure/);
    assert.equal(signatureProblem(short, { smallRsa: true }), undefined);
  });
});
