import assert from 'node:assert/strict';
import { it } from 'node:test';
import { resultsOf } from '../common/judged.testing.js';
import type { Issued } from './issued.js';
import { issuedAsBuiltIn } from './issued-as-built-in.js';

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
    seconds: null,
    asked: { ...facts, ids: [], pin: '', ...(others === undefined ? {} : { others }) },
    certificate: {
      ...facts,
      serial: 'f'.repeat(32),
      notBefore: at - 5 * MINUTE,
      ids: ['2.5.29.15', '2.5.29.19'],
      critical: ['2.5.29.19', '2.5.29.15'],
      ...certificate,
    },
  }) as unknown as Issued;
const results = (...all: readonly Issued[]): string => resultsOf(issuedAsBuiltIn, all, undefined).join(' ');

it('a certificate is as the built-in signer makes it', () => {
  assert.equal(results(issued()), 'met met met met met');
});

it('its number is long, and the longest of all is', () => {
  assert.equal(results(issued({ serial: 'ffff' })), 'unmet met met met met');
  assert.equal(results(issued({ serial: 'f'.repeat(8) })), 'unmet met met met met');
  assert.equal(results(issued({ serial: 'f'.repeat(15) })), 'unmet met met met met');
  assert.match(results(issued({ serial: 'f'.repeat(9) }), issued()), /^met met met met met/);
  assert.match(results(issued({ serial: 'f'.repeat(8) }), issued()), /^unmet met met met met/);
});

it('it begins before it was asked for', () => {
  assert.equal(results(issued({ notBefore: at - MINUTE })), 'met met met met met');
  assert.equal(results(issued({ notBefore: at - MINUTE + 1 })), 'met unmet met met met');
});

/** Of these extensions, and with those critical that are always so. */
const having = (...ids: readonly string[]): object => ({
  ids,
  critical: ids.includes('2.5.29.15') ? ['2.5.29.15', '2.5.29.19'] : ['2.5.29.19'],
});

it('it keeps the subject, and no extension of the request', () => {
  const unit = '2.5.4.11';
  assert.equal(results(issued({ others: [unit] }, [unit])), 'met met met met met');
  assert.equal(results(issued({}, [unit])), 'met met unmet met met');
  assert.equal(results(issued({ others: [unit] })), 'met met unmet met met');
  assert.equal(results(issued({}, ['1.3.6.1.4.1.57683.2'])), 'met met met met met');
  for (const id of ['2.5.29.14', '2.5.29.15', '2.5.29.17', '2.5.29.19', '2.5.29.35', '2.5.29.37'])
    assert.equal(results(issued(having(id))), 'met met met met met', id);
  for (const id of ['2.5.29.31', '2.5.29.1', '2.5.29.36', '2.5.29.370'])
    for (const ids of [[id], ['2.5.29.15', id], [id, '2.5.29.15']])
      assert.equal(results(issued(having(...ids))), 'met met met unmet met', ids.join());
});

it('it has the usages of its key critical, and that it is no authority, and nothing else', () => {
  const found = (critical: readonly string[] | undefined, ids: readonly string[] = ['2.5.29.15']): string =>
    results(issued({ ids, critical })).replace('met met met met ', '');
  assert.deepEqual([found(['2.5.29.15']), found(['2.5.29.19']), found(undefined)], ['unmet', 'unmet', 'unmet']);
  assert.equal(found(['2.5.29.15', '2.5.29.19', '2.5.29.37']), 'unmet');
  assert.equal(found(['2.5.29.19', '2.5.29.37']), 'unmet');
  assert.deepEqual([found(['2.5.29.19'], []), found([], [])], ['met', 'unmet']);
});

const HOUR = 60 * MINUTE;
const living = (asked: number | null, life: number, more: object = {}): Issued => ({
  ...issued({ notAfter: at - 5 * MINUTE + life, ...more }),
  seconds: asked === null ? null : asked / 1000,
});
const year = living(null, 8760 * HOUR);
const lives = (...all: readonly Issued[]): string => results(...all).replaceAll('met met met met met', '-');

it('it lives to the second as long as was asked for', () => {
  assert.equal(lives(year, living(HOUR, HOUR + 5 * MINUTE)), '- - met');
  assert.equal(lives(year, living(HOUR, HOUR + 5 * MINUTE + 1000)), '- - met');
  assert.equal(lives(year, living(HOUR, HOUR + 5 * MINUTE - 1001)), '- - unmet');
  assert.equal(lives(year, living(HOUR, HOUR)), '- - unmet');
  assert.equal(lives(year, living(HOUR, HOUR + 10 * MINUTE)), '- - unmet');
  assert.equal(lives(year, living(8 * HOUR, 8 * HOUR)), '- - met');
  assert.equal(lives(year, living(8 * HOUR, 8 * HOUR + 5 * MINUTE)), '- - unmet');
  assert.equal(lives(year, living(24 * HOUR, 24 * HOUR - 5 * MINUTE)), '- - unmet');
});

it('it lives no longer than one of which no end was asked', () => {
  assert.equal(lives(year, living(87_600 * HOUR, 8760 * HOUR)), '- - met');
  assert.equal(lives(year, living(87_600 * HOUR, 87_600 * HOUR)), '- - unmet');
  const cut = { notBefore: at - 5 * MINUTE + 30_000, notAfter: at - 5 * MINUTE + 8760 * HOUR };
  assert.equal(lives(year, living(87_600 * HOUR, 0, cut)), '- - met');
  assert.equal(lives(year, living(24 * HOUR, 0, cut)), '- - unmet');
  const hour = living(null, HOUR + 5 * MINUTE);
  assert.equal(lives(hour, living(HOUR, HOUR + 5 * MINUTE)), '- - met');
  assert.equal(lives(living(HOUR, 2 * HOUR)), '-');
  assert.equal(lives({ ...year, certificate: { unreadable: 'it is none' } }, living(HOUR, 2 * HOUR)), '-');
});

it('what cannot be read is told elsewhere', () => {
  assert.equal(results({ ...issued(), certificate: { unreadable: 'it is none' } }), '');
});
