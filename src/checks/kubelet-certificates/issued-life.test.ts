import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sentenceOf } from '../../model/finding.js';
import { NO_NAMES } from '../certificates/extensions.js';
import { judged, resultsOf } from '../common/judged.testing.js';
import { type Life, lifeAsAsked, lifeBeforeAuthority, lifeBeginsNow, lifeWithinAuthority } from './issued-life.js';

const MINUTE = 60_000;
const created = '2026-01-01T00:00:00Z';
const at = Date.parse(created);
const life = (from: number, to: number, seconds: number | null = 3_600): Life => ({
  subject: 'csr-1',
  seconds,
  created,
  certificate: {
    commonName: 'a',
    organizations: [],
    altNames: NO_NAMES,
    ca: false,
    ids: [],
    serial: '1',
    issuer: { commonName: 'kubernetes', organizations: [] },
    notBefore: at + from * MINUTE,
    notAfter: at + to * MINUTE,
    pin: 'sha256:aa',
  },
});
const unreadable: Life = { ...life(0, 1), certificate: { unreadable: 'x' } };

it('a certificate lives as long as was asked for', () => {
  const look = (one: Life, longest?: number) =>
    resultsOf(lifeAsAsked, [one], longest === undefined ? {} : { longest: longest * MINUTE }).join();
  assert.equal(look(life(-5, 60)), 'met');
  assert.equal(look(life(0, 70)), 'met');
  assert.equal(look(life(0, 71)), 'unmet');
  assert.equal(look(life(0, 1)), 'met', 'no longest is known');
  assert.equal(look(life(0, 50), 1_000), 'met');
  assert.equal(look(life(0, 49), 1_000), 'unmet');
  assert.equal(look(life(0, 20), 30), 'met', 'the signer gives less than was asked for');
  assert.equal(look(life(0, 19), 30), 'unmet');
  assert.deepEqual(judged(lifeAsAsked, [life(0, 9_999, null), unreadable], {}), []);
  const [told] = judged(lifeAsAsked, [life(-5, 60)], { longest: 1_000 * MINUTE });
  assert.equal(told?.demanded, 'lives for 60 minutes at most, for 50 minutes at least');
  assert.equal(judged(lifeAsAsked, [life(-5, 60)], {})[0]?.demanded, 'lives for 60 minutes at most');
  assert.equal(told?.seen, '65 minutes');
  // as short as what signers begin earlier: there is no least that could be told, or missed
  const [short] = judged(lifeAsAsked, [life(0, 0, 600)], { longest: 1_000 * MINUTE });
  assert.deepEqual([short?.demanded, short?.result], ['lives for 10 minutes at most', 'met']);
  const [longer] = judged(lifeAsAsked, [life(0, 0, 660)], { longest: 1_000 * MINUTE });
  assert.equal(
    longer && sentenceOf(longer),
    'csr-1: lives for 11 minutes at most, for 1 minutes at least; seen: 0 minutes',
  );
  assert.equal(longer?.result, 'unmet');
});

it('a certificate begins when it was asked for', () => {
  const look = (one: Life) => resultsOf(lifeBeginsNow, [one], undefined).join();
  assert.equal(look(life(-5, 60)), 'met');
  assert.equal(look(life(-10, 60)), 'met');
  assert.equal(look(life(-11, 60)), 'unmet');
  assert.equal(look(life(99, 999)), 'met');
  assert.equal(look({ ...life(0, 1), created: '' }), 'unclear');
  assert.deepEqual(judged(lifeBeginsNow, [unreadable], undefined), []);
  const said = (from: number) =>
    judged(lifeBeginsNow, [life(from, 60)], undefined)
      .map(sentenceOf)
      .join();
  const demanded = 'csr-1: begins no more than ten minutes before it was asked for; seen: ';
  assert.equal(said(-5), `${demanded}5 minutes before`);
  assert.equal(said(0), `${demanded}later`);
  assert.equal(said(1), `${demanded}later`);
});

it('a certificate does not outlive its authority', () => {
  const authorityEnds = 9 * MINUTE;
  const look = (ends: number) =>
    resultsOf(lifeWithinAuthority, [{ subject: 'a', ends, authorityEnds }], undefined).join();
  assert.deepEqual(
    [-1, 0, 1].map((more) => look(authorityEnds + more)),
    ['met', 'met', 'unmet'],
  );
  const said = (ends: number) =>
    judged(lifeWithinAuthority, [{ subject: 'a', ends, authorityEnds }], undefined)
      .map(sentenceOf)
      .join();
  assert.equal(said(authorityEnds), 'a: ends with its authority at the latest; seen: it does');
  assert.equal(said(authorityEnds + 2 * MINUTE), 'a: ends with its authority at the latest; seen: 2 minutes later');
});

it('they end before their authority, not with it', () => {
  const within = (ends: number) => [{ subject: 'csr-1', ends, authorityEnds: at }];
  assert.deepEqual(
    [at - 1, at, at + 1].flatMap((ends) => resultsOf(lifeBeforeAuthority, within(ends), undefined)),
    ['met', 'unmet', 'unmet'],
  );
});
