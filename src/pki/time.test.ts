import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PkiError } from './asn1-go.js';
import { DerReader, TAG } from './der-read.js';
import { readTime } from './time.js';

const read = (tag: number, text: string): string =>
  new Date(readTime(new DerReader(Buffer.concat([Buffer.from([tag, text.length]), Buffer.from(text)])))).toISOString();
const utc = (text: string): string => read(TAG.utcTime, text);
const general = (text: string): string => read(TAG.generalizedTime, text);
const MALFORMED = new PkiError('x509: malformed UTCTime');
const MALFORMED_GENERAL = new PkiError('x509: malformed GeneralizedTime');

describe('times of certificates, as Go reads them', () => {
  it('are of the century around 2000 where the year has two digits', () => {
    assert.equal(utc('490101000000Z'), '2049-01-01T00:00:00.000Z');
    assert.equal(utc('500101000000Z'), '1950-01-01T00:00:00.000Z');
    assert.equal(utc('260102030405Z'), '2026-01-02T03:04:05.000Z');
    assert.equal(general('20500102030405Z'), '2050-01-02T03:04:05.000Z');
    assert.equal(general('00010102030405Z'), '0001-01-02T03:04:05.000Z');
  });

  it('may leave out their seconds where the year has two digits, and there alone', () => {
    assert.equal(utc('2601020304Z'), '2026-01-02T03:04:00.000Z');
    assert.throws(() => general('202601020304Z'), MALFORMED_GENERAL);
  });

  it('may lie in another zone than that of Greenwich, which is written Z', () => {
    assert.equal(utc('260102030405+0130'), '2026-01-02T01:34:05.000Z');
    assert.equal(utc('260102030405-0130'), '2026-01-02T04:34:05.000Z');
    for (const zone of ['+0000', '-0000', '', '+01', 'z'])
      assert.throws(() => utc(`260102030405${zone}`), MALFORMED, zone);
  });

  it('are days and hours that there are', () => {
    for (const text of [
      '260230000000Z',
      '261301000000Z',
      '260001000000Z',
      '260100000000Z',
      '260101240000Z',
      '260101006000Z',
      '260101000060Z',
      '250229000000Z',
      '26010100000Z',
      '260101000000.5Z',
      ' 260101000000Z',
    ])
      assert.throws(() => utc(text), MALFORMED, text);
    assert.equal(utc('240229000000Z'), '2024-02-29T00:00:00.000Z');
  });

  it('are of no other type', () => {
    assert.throws(() => read(TAG.printable, '260102030405Z'), new PkiError('x509: unsupported time format'));
    assert.throws(() => general('260102030405Z'), MALFORMED_GENERAL);
    assert.throws(() => utc('20260102030405Z'), MALFORMED);
  });
});
