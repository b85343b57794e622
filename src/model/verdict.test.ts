import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { control, demand, type Finding, NO_MORE, refusal } from './finding.js';
import { error, type NotPassed, skipped, VERDICTS, type VerdictKind, verdictOf, worse } from './verdict.js';

const look = (ok: boolean | undefined, subject = 'it') => ({ subject, demanded: 'is sound', seen: 'so', ok });
const told = (findings: readonly Finding[], ended?: NotPassed, more = NO_MORE): string => {
  const verdict = verdictOf(findings, ended, more);
  return verdict.kind === 'passed' ? 'passed' : `${verdict.kind}, ${verdict.reason.kind}: ${verdict.reason.text}`;
};
const nothing = skipped('nothing', 'there is nothing');
const lost = error('target', 'the connection was lost');

describe('the verdict of a scenario', () => {
  it('is passed where a demand is met that is no refusal, or a control beside', () => {
    assert.equal(told([demand(look(true))]), 'passed');
    assert.equal(told([demand(look(true)), refusal(look(true))]), 'passed');
    assert.equal(told([control(look(true)), refusal(look(true))]), 'passed');
  });

  it('is an error where nothing, no demand, or nothing but refusals was seen', () => {
    assert.match(told([]), /^error, joinproof: the scenario recorded no observation/);
    assert.match(told([control(look(true))]), /^error, joinproof: the scenario demanded nothing/);
    assert.match(told([refusal(look(true))]), /^error, control: nothing that is allowed was seen beside/);
    assert.equal(
      told([refusal(look(true, 'a')), refusal(look(true, 'b')), refusal(look(true, 'c'))]),
      'error, control: nothing that is allowed was seen beside the refusals: a: is sound; seen: so (and 2 more)',
    );
  });

  it('is failed by any unmet demand, however many are met, and whatever was skipped then', () => {
    assert.equal(
      told([demand(look(true)), demand(look(false, 'a')), refusal(look(false, 'b'))]),
      'failed, unmet: a: is sound; seen: so (and 1 more)',
    );
    assert.equal(told([demand(look(false))]), 'failed, unmet: it: is sound; seen: so');
    assert.equal(told([demand(look(false))], nothing), 'failed, unmet: it: is sound; seen: so');
    assert.equal(
      told([demand(look(false))], undefined, { met: 5, unmet: 3, unclear: 1 }),
      'failed, unmet: it: is sound; seen: so (and 3 more)',
    );
  });

  it('is an error where a control is not met or anything unclear, before what is unmet is told', () => {
    for (const ok of [false, undefined])
      assert.equal(
        told([control(look(ok, 'c')), control(look(true)), demand(look(false)), demand(look(undefined))]),
        'error, control: positive control: c: is sound; seen: so',
      );
    assert.equal(
      told([control(look(true)), demand(look(false)), demand(look(undefined, 'u'))], undefined, {
        met: 5,
        unmet: 3,
        unclear: 1,
      }),
      'error, unclear: u: is sound; seen: so (and 1 more)',
    );
  });

  it('is what ended it: an error before all findings, else where all is met', () => {
    assert.equal(told([demand(look(false))], lost), 'error, target: the connection was lost');
    assert.equal(told([control(look(false))], lost), 'error, target: the connection was lost');
    assert.equal(told([demand(look(true))], nothing), 'skipped, nothing: there is nothing');
    assert.equal(told([], nothing), 'skipped, nothing: there is nothing');
  });
});

describe('the worse of two verdicts', () => {
  it('is the one that stands later', () => {
    assert.deepEqual(VERDICTS, ['passed', 'waived', 'skipped', 'advised', 'failed', 'error']);
    const all = (kinds: readonly VerdictKind[]): VerdictKind => kinds.reduce(worse);
    assert.equal(all(['passed', 'failed', 'skipped']), 'failed');
    assert.equal(all(['error', 'failed']), 'error');
    assert.equal(all(['advised', 'skipped']), 'advised');
    assert.equal(all(['passed', 'passed']), 'passed');
  });
});
