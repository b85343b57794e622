import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judgeGroups } from './truth.js';

describe('the comparison with recorded answers', () => {
  it('demands all of some groups, most of others, nothing of the rest', () => {
    const asked = ['tok/a', 'tok/b', ...Array.from({ length: 10 }, (_, index) => `api/${index}`), 'new/x'];
    assert.equal(judgeGroups(asked, []).ok, true);
    assert.equal(judgeGroups(asked, ['api/1', 'api/2', 'new/x']).ok, true);
    assert.equal(judgeGroups(asked, ['api/1', 'api/2', 'api/3']).ok, false);
    assert.equal(judgeGroups(asked, ['tok/a']).ok, false);
  });
  it('counts each group and all of them', () => {
    assert.deepEqual(judgeGroups(['tok/a', 'tok/b'], ['tok/b']).lines, [
      'tok             1 of    2 equal, 100 % demanded',
      'all             1 of    2 equal',
    ]);
  });
});
