/** When the account and the object of a token make it worthless, and when its times do. Source: claims.go Validate. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { serviceAccountTokenDecisions as decisions } from './service-account-tokens.js';

const LIMIT = Date.parse('2026-01-01T00:00:00Z');
const object = (uid: string, deletionTimestamp?: string) => ({
  metadata: { uid, ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }) },
});
const [BEFORE, AFTER] = ['2025-12-31T23:59:00Z', '2026-01-01T00:01:00Z'];

it('an account is the one that the token names, and is not gone', () => {
  const claimed = { namespace: 'ns', name: 'sa', uid: 'u' };
  const problem = (account: ReturnType<typeof object>) => decisions.tokenAccountProblem(account, claimed, LIMIT);
  assert.equal(problem(object('u')), undefined);
  assert.equal(problem(object('v')), 'service account UID (v) does not match claim (u)');
  assert.equal(problem(object('u', BEFORE)), 'service account ns/sa has been deleted');
  assert.equal(problem(object('u', AFTER)), undefined);
});

it('a bound object is there, the one that the token names, and is not gone', () => {
  for (const kind of ['secret', 'pod', 'node'] as const) {
    const problem = (bound: ReturnType<typeof object> | undefined) =>
      decisions.boundObjectProblem(kind, bound, { name: 'b', uid: 'u' }, LIMIT);
    const invalidated = 'service account token has been invalidated';
    assert.equal(problem(object('u')), undefined);
    assert.equal(problem(undefined), invalidated);
    assert.equal(problem(object('v')), `${kind} UID (v) does not match service account ${kind} ref claim (u)`);
    assert.equal(problem(object('u', BEFORE)), invalidated);
    assert.equal(problem(object('u', AFTER)), undefined);
  }
});

it('a pod stands for its node', () => {
  const one = { name: 'x', uid: 'u' };
  assert.deepEqual(decisions.boundKindsJudged({ pod: one, node: one }), ['pod']);
  assert.deepEqual(decisions.boundKindsJudged({ node: one }), ['node']);
  assert.deepEqual(decisions.boundKindsJudged({ secret: one }), ['secret']);
  assert.deepEqual(decisions.boundKindsJudged({}), []);
});

it('times hold to the second, give or take the leeway', () => {
  const at = (now: number, times: object) =>
    decisions.tokenTimesProblem({ exp: undefined, nbf: undefined, iat: undefined, ...times }, now, 60);
  for (const [times, good, bad, why] of [
    [{ nbf: 1000 }, 940, 939, 'service account token is not valid yet'],
    [{ exp: 1000 }, 1060, 1061, 'service account token has expired'],
    [{ iat: 1000 }, 940, 939, 'service account token is issued in the future'],
  ] as const) {
    assert.equal(at(good, times), undefined);
    assert.equal(at(bad, times), why);
  }
  assert.equal(at(0, {}), undefined);
});
