import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judged } from '../common/judged.testing.js';
import { listHolds, readList } from './lists.js';

const page = (...names: readonly string[]) => ({
  status: 200,
  body: { items: names.map((name) => ({ metadata: { name } })) },
});
const result = (wanted: readonly string[], ...pages: readonly { status: number; body: unknown }[]): string => {
  const seen = readList({ subject: 'a list', wanted }, pages, ['a', 'b', 'c']);
  return judged(listHolds, [seen], undefined)
    .map((finding) => `${finding.result}: ${finding.seen}`)
    .join();
};

describe('a list', () => {
  it('holds what was asked for, over its pages, whatever others have made', () => {
    assert.equal(result(['b', 'a'], page('a', 'x'), page('b')), 'met: 2, of which 2 were asked for');
    assert.equal(result([], page('x')), 'met: 0, of which 0 were asked for');
  });
  it('lacks something, or holds another, or one twice', () => {
    assert.equal(result(['a', 'b'], page('a')), 'unmet: 1, of which 1 were asked for');
    assert.equal(result(['a'], page('a', 'b')), 'unmet: 2, of which 1 were asked for');
    assert.equal(result(['a'], page('a'), page('a')), 'unmet: 2, of which 1 were asked for');
    assert.equal(result([], page('c')), 'unmet: 1, of which 0 were asked for');
  });
  it('has pages of no more than was asked for', () => {
    const longest = (...pages: readonly { status: number; body: unknown }[]): string =>
      judged(listHolds, [readList({ subject: 'a list', wanted: ['a', 'b'], limit: 1 }, pages, ['a', 'b'])], undefined)
        .map((finding) => `${finding.subject} ${finding.demanded}: ${finding.result}, ${finding.seen}`)
        .join('; ');
    assert.match(longest(page('a'), page('b')), /; the longest page of a list has at most 1: met, 1$/);
    assert.match(longest(page('x'), page('a', 'b')), /; the longest page of a list has at most 1: unmet, 2$/);
    assert.doesNotMatch(longest({ status: 410, body: {} }), /longest/);
  });
  it('is not judged where it is none', () => {
    assert.match(result(['a'], { status: 200, body: 'text' }), /^(?!met|unmet)/);
    assert.match(result(['a'], page('a'), { status: 410, body: {} }), /^(?!met|unmet).*410/);
  });
});
