/** Names as Go reads them of requests: values that are no text are none, and are looked at all the same. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PkiError } from './asn1-go.js';
import { commonNameOf, organizationsOf, readCertificateName, readRequestName } from './names.js';

/** An element, in hex. */
const of = (tag: string, ...parts: readonly string[]): string => {
  const content = parts.join('');
  return tag + (content.length / 2).toString(16).padStart(2, '0') + content;
};
const attribute = (value: string, id = '550403'): string => of('31', of('30', of('06', id), value));
const nameOf = (...attributes: readonly string[]): Buffer => Buffer.from(of('30', ...attributes), 'hex');

test('a value of a request is text, or none', () => {
  const value = (hex: string) => readRequestName(nameOf(attribute(hex))).rdns[0]?.[0]?.value;
  for (const [hex, expected] of [
    ['0c0161', 'a'],
    ['130161', 'a'],
    ['1e020061', 'a'],
    ['2c0161', undefined],
    ['8c0161', undefined],
    ['020105', undefined],
    ['0101ff', undefined],
    ['030100', undefined],
    ['0603550403', undefined],
    ['0500', undefined],
  ] as const)
    assert.equal(value(hex), expected, hex);
  for (const [hex, text] of [
    ['0c01ff', 'asn1: invalid UTF-8 string'],
    ['13012a', undefined],
    ['13015f', 'asn1: syntax error: PrintableString contains invalid character'],
    ['1e0161', 'invalid BMPString'],
    ['010101', 'asn1: syntax error: invalid boolean'],
    ['0200', 'asn1: structure error: empty integer'],
    ['0300', 'asn1: syntax error: zero length BIT STRING'],
    ['0600', 'asn1: syntax error: zero length OBJECT IDENTIFIER'],
  ] as const)
    if (text === undefined) assert.equal(value(hex), '*');
    else assert.throws(() => value(hex), new PkiError(text), hex);
});

test('bytes behind a name of a request are refused', () => {
  const { length } = nameOf(attribute('0c0161'));
  const behind = Buffer.concat([nameOf(attribute('0c0161')), Buffer.from([5, 0])]);
  assert.equal(readRequestName(behind.subarray(0, length)).rdns.length, 1);
  assert.throws(() => readRequestName(behind), new PkiError('x509: trailing data after X.509 Subject'));
});

test('of several common names the last counts, of organisations each', () => {
  for (const read of [readCertificateName, readRequestName]) {
    const name = read(
      nameOf(attribute('0c0161'), attribute('0c0162', '55040a'), attribute('0c0163'), attribute('0c0164', '55040a')),
    );
    assert.equal(commonNameOf(name), 'c');
    assert.deepEqual(organizationsOf(name), ['b', 'd']);
    assert.equal(commonNameOf(read(nameOf())), '');
  }
});

test('a value of a certificate is text, or the certificate is refused', () => {
  assert.equal(commonNameOf(readCertificateName(nameOf(attribute('0c0161')))), 'a');
  for (const [hex, text] of [
    ['020105', 'unsupported string type: 2'],
    ['2c0161', 'unsupported string type: 44'],
    ['0c01ff', 'invalid UTF-8 string'],
  ] as const)
    assert.throws(
      () => readCertificateName(nameOf(attribute(hex))),
      new PkiError(`x509: invalid RDNSequence: invalid attribute value: ${text}`),
    );
});
