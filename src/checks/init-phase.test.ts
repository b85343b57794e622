import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { kubeconfigUnchanged, secondRunSucceeds, tokensThereOnce } from './init-phase.js';
import { judged, resultsOf } from './judged.testing.js';

describe('a phase of init that runs a second time', () => {
  it('succeeds', () => {
    assert.deepEqual(resultsOf(secondRunSucceeds, { failure: null }, undefined), ['met']);
    const [failed] = judged(secondRunSucceeds, { failure: 'secrets "x" already exists' }, undefined);
    assert.deepEqual([failed?.result, failed?.seen], ['unmet', 'secrets "x" already exists']);
  });

  it('leaves every token once; without a first token nothing is proved', () => {
    const of = (before: readonly string[], after: readonly string[]) =>
      resultsOf(tokensThereOnce, { before, after }, undefined);
    assert.deepEqual(of(['aaaaaa', 'bbbbbb'], ['aaaaaa', 'bbbbbb', 'cccccc']), ['met', 'met', 'met']);
    assert.deepEqual(of(['aaaaaa', 'bbbbbb'], ['bbbbbb', 'bbbbbb']), ['met', 'unmet', 'unmet']);
    assert.deepEqual(
      judged(tokensThereOnce, { before: [], after: [] }, undefined).map(({ role, result }) => `${role} ${result}`),
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
