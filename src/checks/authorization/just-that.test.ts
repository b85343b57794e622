import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judged } from '../common/judged.testing.js';
import { allowsJustThat } from './just-that.js';

const review = (allowed: boolean, reason = '') => ({ status: 201, body: { status: { allowed, reason } } });
const result = (wanted: readonly string[], answers: Readonly<Record<string, { status: number; body: unknown }>>) =>
  judged(
    allowsJustThat,
    [{ subject: 'pods', wanted, answers: Object.entries(answers).map(([verb, answer]) => ({ verb, answer })) }],
    undefined,
  ).map((finding) => `${finding.result}: ${finding.seen}`);

describe('what nodes may do with a kind of objects', () => {
  it('is what is listed, and what RBAC gives besides', () => {
    assert.deepEqual(result(['get'], { get: review(true), list: review(false) }), ['met: so it is']);
    assert.deepEqual(result([], { get: review(true, 'RBAC: allowed by ClusterRoleBinding "x"') }), ['met: so it is']);
    assert.deepEqual(result(['get'], { get: review(true, 'RBAC: allowed by ClusterRoleBinding "x"') }), [
      'met: so it is',
    ]);
  });
  it('is more, or less', () => {
    assert.deepEqual(result(['get'], { get: review(true), list: review(true) }), ['unmet: list as well']);
    assert.deepEqual(result(['get', 'list'], { get: review(false), list: review(true) }), ['unmet: not get']);
    assert.deepEqual(result(['get'], { get: review(false), watch: review(true) }), ['unmet: not get, watch as well']);
  });
  it('is not judged where a review says nothing', () => {
    const [line = ''] = result(['get'], { get: review(true), list: { status: 500, body: {} } });
    assert.match(line, /^(?!met|unmet)/);
  });
});
