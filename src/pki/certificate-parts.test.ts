/** Source: Go crypto/x509, parser.go parseCertificate, parseExtension. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { PkiError } from './asn1-go.js';
import { readAlgorithm, readExtensions, readVersion } from './certificate-parts.js';
import { DerReader } from './der-read.js';

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex');
/** What is read, or why it is refused. */
const of = <T>(read: () => T): T | string => {
  try {
    return read();
  } catch (error) {
    if (error instanceof PkiError) return error.message;
    throw error;
  }
};

it('a certificate without a version is of the first, and there are three', () => {
  const malformed = 'x509: malformed version';
  for (const [hex, version] of [
    ['', 1],
    ['020100', 1],
    ['a003 020100', 1],
    ['a003 020101', 2],
    ['a003 020102', 3],
    ['a003 020103', 'x509: invalid version'],
    ['a00a 02087fffffffffffffff', 'x509: invalid version'],
    ['a00b 0209008000000000000000', malformed],
    ['a003 0201ff', malformed],
    ['a004 02020001', malformed],
    ['a003 040100', malformed],
    ['a005 020100 0500', malformed],
    ['a000', malformed],
    ['a003 02', malformed],
  ] as const)
    assert.equal(
      of(() => readVersion(new DerReader(bytes(hex)))),
      version,
      hex,
    );
});

it('an algorithm is an object identifier, with parameters or without', () => {
  const algorithm = '1.2.840.10045.4.3.2';
  const id = '0608 2a8648ce3d040302';
  const read = (hex: string): unknown => of(() => readAlgorithm(bytes(hex)));
  assert.deepEqual(read(id), { algorithm, parameters: Buffer.alloc(0) });
  assert.deepEqual(read(`${id} 0500`), { algorithm, parameters: bytes('0500') });
  assert.equal(read(''), 'x509: malformed OID');
  assert.equal(read('0500'), 'x509: malformed OID');
  assert.equal(read(`${id} 0501`), 'x509: malformed parameters');
});

it('extensions are of the third version alone, behind identifiers of the second', () => {
  const read = (version: number, hex: string): unknown => of(() => readExtensions(new DerReader(bytes(hex)), version));
  const ISSUER = '8102 0000';
  const SUBJECT = '8202 0000';
  const list = (...parts: readonly string[]): string => {
    const all = bytes(parts.join(''));
    const length = (more: number): string => (all.length + more).toString(16).padStart(2, '0');
    return `a3${length(2)} 30${length(0)} ${all.toString('hex')}`;
  };
  const one = (id: string, critical = ''): string => {
    const content = bytes(`0603 ${id} ${critical} 0402 abcd`);
    return `30${content.length.toString(16).padStart(2, '0')}${content.toString('hex')}`;
  };
  const USAGE = '551d0f';
  const found = { oid: '2.5.29.15', critical: false, value: bytes('abcd') };
  for (const [id, what] of [
    ['8105 00', 'issuerUniqueID'],
    [`${ISSUER} 8205 00`, 'subjectUniqueID'],
    ['8205 00', 'subjectUniqueID'],
  ] as const) {
    assert.deepEqual(read(1, id), []);
    for (const version of [2, 3]) assert.equal(read(version, id), `x509: malformed ${what}`);
  }
  for (const before of ['', ISSUER, SUBJECT, ISSUER + SUBJECT]) {
    for (const version of [1, 2, 3]) assert.deepEqual(read(version, before), []);
    for (const version of [1, 2]) assert.deepEqual(read(version, before + list(one(USAGE))), []);
    assert.deepEqual(read(3, before + list(one(USAGE), one('551d13', '0101ff'))), [
      found,
      { ...found, oid: '2.5.29.19', critical: true },
    ]);
  }
  assert.deepEqual(read(3, list(one(USAGE, '010100'))), [found]);
  assert.deepEqual(read(3, list()), []);
  for (const [hex, why] of [
    ['a302 0500', 'malformed extensions'],
    ['a303 3005 00', 'malformed extensions'],
    [list('0500'), 'malformed extension'],
    [list('3002 0500'), 'malformed extension OID field'],
    [list(one(USAGE, '010101')), 'malformed extension critical field'],
    [list('3005 0603 551d0f'), 'malformed extension value field'],
    [list('3007 0603 551d0f 0500'), 'malformed extension value field'],
    [list(one(USAGE), one(USAGE)), 'certificate contains duplicate extension with OID "2.5.29.15"'],
  ] as const)
    assert.equal(read(3, hex), `x509: ${why}`, hex);
});
