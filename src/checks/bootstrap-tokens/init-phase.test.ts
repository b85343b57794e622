import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Secret } from '../../kubernetes/objects.js';
import { judged, resultsOf } from '../common/judged.testing.js';
import { twinsOf } from '../common/twins.testing.js';
import { kubeconfigUnchanged, readKept, secondRunSucceeds, tokensThereOnce } from './init-phase.js';
import { tokenSecret } from './token-secret.testing.js';

describe('a phase of init that runs a second time', () => {
  it('succeeds', () => {
    assert.deepEqual(resultsOf(secondRunSucceeds, { failure: null }, undefined), ['met']);
    const [failed] = judged(secondRunSucceeds, { failure: 'secrets "x" already exists' }, undefined);
    assert.deepEqual([failed?.result, failed?.seen], ['unmet', 'secrets "x" already exists']);
  });

  it('leaves every token once; without a first token nothing is proved', () => {
    const named = (id: string, more: Readonly<Record<string, string | undefined>> = {}) =>
      tokenSecret({ 'token-id': id, ...more }, { name: `bootstrap-token-${id}` });
    const of = (before: readonly Secret[], after: readonly Secret[]) =>
      resultsOf(tokensThereOnce, readKept(before, after), undefined);
    const [a, b, c] = ['aaaaaa', 'bbbbbb', 'cccccc'].map((id) => named(id)) as [Secret, Secret, Secret];
    assert.deepEqual(of([a, b], [a, b, c]), ['met', 'met', 'met']);
    assert.deepEqual(of([a, b], [b, b]), ['met', 'unmet', 'unmet']);
    for (const more of [
      { 'token-secret': 'k3v8w1m5x9z2q7r4' },
      { 'auth-extra-groups': undefined },
      { 'usage-bootstrap-signing': undefined },
      { 'usage-bootstrap-authentication': 'false' },
    ])
      assert.deepEqual(of([a], [named('aaaaaa', more)]), ['met', 'unmet'], JSON.stringify(more));
    assert.deepEqual(of([a], [named('aaaaaa', { expiration: '2028-03-10T03:22:11Z' })]), ['met', 'met']);
    assert.deepEqual(
      judged(tokensThereOnce, readKept([], [a]), undefined).map(({ role, result }) => `${role} ${result}`),
      ['control unmet'],
    );
  });

  it('publishes the same text', () => {
    const of = (before: string | null, after: string | null) =>
      resultsOf(kubeconfigUnchanged, { before, after }, undefined);
    assert.deepEqual(of('a', 'a'), ['met', 'met']);
    assert.deepEqual(of('a', 'b'), ['met', 'unmet']);
    assert.deepEqual(of('a', null), ['met', 'unmet']);
    assert.deepEqual(of(null, null), ['unmet', 'met']);
  });
});

describe('what a second run has to leave', () => {
  it('is each token by its id and values, and nothing that looks alike', () => {
    const HALF = 'k3v8w1m5x9z2q7r4';
    const before = [tokenSecret({ 'token-id': 'abcdef', 'token-secret': HALF })];
    const kept = (...after: readonly Readonly<Record<string, string>>[]) =>
      readKept(
        before,
        after.map((more) => tokenSecret({ 'token-id': 'abcdef', 'token-secret': HALF, ...more })),
      ).map(({ times, same }) => `${times} ${same}`)[0];
    assert.equal(kept({}), '1 true');
    for (const twin of twinsOf('abcdef')) assert.equal(kept({ 'token-id': twin }), '0 true', twin);
    for (const twin of twinsOf(HALF)) assert.equal(kept({ 'token-secret': twin }), '1 false', twin);
    assert.equal(kept({}, { 'token-secret': 'another' }), '2 false');
    for (const twin of twinsOf('a: b'))
      assert.deepEqual(
        resultsOf(kubeconfigUnchanged, { before: 'a: b', after: twin }, undefined),
        ['met', 'unmet'],
        twin,
      );
  });
});
