import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CannotJudge, UsageError } from '../run/usage-error.js';
import { failureOf, leftSaid, removed } from './run-action.js';

const redact = (text: string): string => text.replaceAll('secret', 'x');
const thrown = (error: unknown, by?: string): unknown => failureOf(error, { by, redact });

describe('a run that fails', () => {
  it('tells why, without secrets, as the error that it is', () => {
    for (const error of [new UsageError('a secret'), new CannotJudge('a secret'), new TypeError('a secret')]) {
      assert.equal(thrown(error), error);
      assert.equal(error.message, 'a x');
    }
    assert.equal(thrown('no error'), 'no error');
  });

  it('is interrupted where a signal came, whatever failed by it', () => {
    for (const error of [new UsageError('a secret'), new TypeError('a secret'), 'no error', undefined]) {
      const told = thrown(error, 'SIGTERM');
      assert.ok(told instanceof CannotJudge);
      assert.equal(told.message, 'The run was interrupted (SIGTERM).');
    }
  });

  it('says more of that where it can', () => {
    const error = new CannotJudge('it was interrupted, and here is a secret');
    assert.equal(thrown(error, 'SIGTERM'), error);
    assert.equal(error.message, 'it was interrupted, and here is a x');
  });

  it('says that what it made was removed only where nothing is left', () => {
    assert.match(removed([]), /was removed/);
    assert.match(removed(), /was removed/);
    assert.equal(removed([{}]), '');
  });

  it('says what is left, be it a single object, and how that goes', () => {
    assert.equal(leftSaid([]), undefined);
    assert.equal(leftSaid(), undefined);
    const left = { kind: 'Pod', what: 'Pod a/b', why: 'somebody holds it' };
    assert.equal(leftSaid([left]), leftSaid([{ ...left, why: 'somebody holds it.' }]));
    assert.equal(
      leftSaid([left]),
      '1 object of this run is left (1 Pod): Pod a/b. Why: somebody holds it. "joinproof sweep --all" removes what a run has left.',
    );
  });
});
