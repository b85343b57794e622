import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Issued } from './issued.js';
import { issuedAsBuiltIn } from './issued-as-built-in.js';
import { resultsOf } from './judged.testing.js';

const MINUTE = 60_000;
const created = '2026-01-01T00:00:00Z';
const at = Date.parse(created);
const facts = {
  commonName: 'a',
  organizations: [],
  altNames: { dns: [], email: [], ip: [], uri: [], other: 0 },
  ca: false,
};
const issued = (certificate: object = {}, others?: readonly string[]): Issued =>
  ({
    subject: 'a certificate',
    created,
    asked: { ...facts, ids: [], pin: '', ...(others === undefined ? {} : { others }) },
    certificate: {
      ...facts,
      serial: 'f'.repeat(32),
      notBefore: at - 5 * MINUTE,
      ids: ['2.5.29.15', '2.5.29.19'],
      ...certificate,
    },
  }) as unknown as Issued;
const results = (...all: readonly Issued[]): string => resultsOf(issuedAsBuiltIn, all, undefined).join(' ');

it('a certificate is as the built-in signer makes it', () => {
  assert.equal(results(issued()), 'met met met met');
});

it('its number is long, and the longest of all is', () => {
  assert.equal(results(issued({ serial: 'ffff' })), 'unmet met met met');
  assert.equal(results(issued({ serial: 'f'.repeat(8) })), 'unmet met met met');
  assert.equal(results(issued({ serial: 'f'.repeat(15) })), 'unmet met met met');
  assert.match(results(issued({ serial: 'f'.repeat(9) }), issued()), /^met met met met met/);
  assert.match(results(issued({ serial: 'f'.repeat(8) }), issued()), /^unmet met met met met/);
});

it('it begins before it was asked for', () => {
  assert.equal(results(issued({ notBefore: at - MINUTE })), 'met met met met');
  assert.equal(results(issued({ notBefore: at - MINUTE + 1 })), 'met unmet met met');
});

it('it keeps the subject, and no extension of the request', () => {
  const unit = '2.5.4.11';
  assert.equal(results(issued({ others: [unit] }, [unit])), 'met met met met');
  assert.equal(results(issued({}, [unit])), 'met met unmet met');
  assert.equal(results(issued({ others: [unit] })), 'met met unmet met');
  assert.equal(results(issued({}, ['1.3.6.1.4.1.57683.2'])), 'met met met met');
  assert.equal(results(issued({ ids: ['2.5.29.15', '2.5.29.31'] })), 'met met met unmet');
});

it('what cannot be read is told elsewhere', () => {
  assert.equal(results({ ...issued(), certificate: { unreadable: 'it is none' } }), '');
});
