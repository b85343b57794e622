/** What tags say, which releases they name, and what is meant by one that nobody knows. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ServerVersion } from '../targets/types.js';
import { didYouMean, nearest } from './nearest.js';
import { describedAs, readRuleTags, readScenarioTags } from './tags.js';
import { releasesOf, whyNotApplicable } from './versions.js';

describe('the tags of a rule', () => {
  const read = (own: readonly string[], inherited: readonly string[] = []) =>
    readRuleTags(own, inherited, 'a.feature:3');
  it('are its id and its level', () => {
    for (const level of ['MUST', 'SHOULD', 'MAY'] as const)
      assert.deepEqual(read(['@since:1.30', '@TOK-001', `@${level}`]), { id: 'TOK-001', level, problems: [] });
    for (const id of ['A-10', 'ABCDEFGH-999']) assert.equal(read([`@${id}`, '@MAY']).id, id);
  });
  it('are told of where there are too many or too few of them, or in another place', () => {
    const id = (count: number): string => `must carry exactly one id such as @TOK-001, has ${count}`;
    const level = (count: number): string => `must carry exactly one of @MUST, @SHOULD, @MAY, has ${count}`;
    assert.deepEqual(read([]), { id: 'a.feature:3', level: 'MUST', problems: [id(0), level(0)] });
    for (const wrong of ['@ABCDEFGHI-001', '@TOK-1', '@TOK-1234', '@tok-001', '@x@TOK-001', '@TOK-001x'])
      assert.deepEqual(read([wrong, '@MUST']).problems, [id(0)], wrong);
    assert.deepEqual(read(['@A-01', '@B-02', '@MAY', '@MUST']), {
      id: 'A-01',
      level: 'MAY',
      problems: [id(2), level(2)],
    });
    assert.deepEqual(read(['@A-01', '@MUST'], ['@B-02', '@MAY']).problems, [
      'the id @B-02 stands on the Feature; it belongs on a Rule',
    ]);
  });
});

describe('the tags of a scenario', () => {
  it('are the releases that it is about, the last of each end', () => {
    assert.deepEqual(readScenarioTags(['@TOK-001', '@MUST', '@since:1.29', '@until:1.36.1,1.35.5', '@since:1.31']), {
      range: {
        since: [{ minor: 31 }],
        until: [
          { minor: 35, patch: 5 },
          { minor: 36, patch: 1 },
        ],
      },
      problems: [],
    });
    assert.deepEqual(readScenarioTags([]), { range: {}, problems: [] });
  });
  it('are known, and their releases can be read', () => {
    assert.deepEqual(readScenarioTags(['@sinc:1.2', '@shoud', '@other-thing-altogether', '@since:1.x', '@until:']), {
      range: {},
      problems: [
        'the tag @sinc:1.2 is unknown. Did you mean "@since"?',
        'the tag @shoud is unknown. Did you mean "@SHOULD"?',
        'the tag @other-thing-altogether is unknown.',
        '@since:1.x is no release; write @since:1.29 or @since:1.36.1,1.35.5',
        '@until: is no release; write @until:1.29 or @until:1.36.1,1.35.5',
      ],
    });
  });
});

describe('releases', () => {
  it('are read in the order of their minors, each once', () => {
    assert.deepEqual(releasesOf('1.36.1,1.29,1.35.0'), [
      { minor: 29 },
      { minor: 35, patch: 0 },
      { minor: 36, patch: 1 },
    ]);
    for (const wrong of ['', '1', '2.29', '1.29.', '1.29.1.1', 'v1.29', '1.1234', '1.29.1234', '1.29,', '1.29,1.29.1'])
      assert.equal(releasesOf(wrong), undefined, wrong);
  });
  const applies = (ends: { since?: string; until?: string }, version: string): boolean | string => {
    const [, minor, patch] = /^v1\.(\d+)(?:\.(\d+))?/.exec(version) ?? [];
    const server: ServerVersion = {
      gitVersion: version,
      minor: Number(minor),
      ...(patch === undefined ? {} : { patch: Number(patch) }),
    };
    const [since, until] = [ends.since, ends.until].map((value) =>
      value === undefined ? undefined : releasesOf(value),
    );
    const range = { ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }) };
    return whyNotApplicable(range, server) ?? true;
  };
  it('are those since one, with what was ported back', () => {
    const since = (value: string, version: string): boolean => applies({ since: value }, version) === true;
    assert.deepEqual(
      ['v1.28.9', 'v1.29.0', 'v1.29', 'v1.30.1'].map((version) => since('1.29', version)),
      [...[false, true, true, true]],
    );
    const back = ['v1.34.9', 'v1.35.4', 'v1.35.5', 'v1.36.0', 'v1.36.1', 'v1.37.0', 'v1.37'];
    assert.deepEqual(
      back.map((version) => since('1.36.1,1.35.5', version)),
      [...[false, false, true, false, true, true, true]],
    );
    assert.equal(applies({ since: '1.29' }, 'v1.28.9'), 'applies since Kubernetes 1.29; the target is v1.28.9');
    assert.equal(
      applies({ since: '1.36.1,1.35.5' }, 'v1.34.0'),
      'applies since Kubernetes 1.35.5, 1.36.1; the target is v1.34.0',
    );
  });
  it('are those until one, with it', () => {
    const until = (value: string, version: string): boolean => applies({ until: value }, version) === true;
    assert.deepEqual(
      ['v1.28.9', 'v1.29.0', 'v1.29.9', 'v1.29', 'v1.30.0'].map((version) => until('1.29', version)),
      [...[true, true, true, true, false]],
    );
    const back = ['v1.34.9', 'v1.35.5', 'v1.35.6', 'v1.36.1', 'v1.36.2', 'v1.37.0'];
    assert.deepEqual(
      back.map((version) => until('1.36.1,1.35.5', version)),
      [...[true, true, false, true, false, false]],
    );
    assert.equal(applies({ until: '1.29' }, 'v1.30.0'), 'applied until Kubernetes 1.29; the target is v1.30.0');
  });
  it('cannot be told where the target does not show its patch, and it depends on that', () => {
    const why = 'depends on the patch release (1.35.5), and the target\'s version "v1.35" shows none';
    for (const end of ['since', 'until']) {
      assert.equal(applies({ [end]: '1.36.1,1.35.5' }, 'v1.35'), why);
      assert.equal(applies({ [end]: '1.35' }, 'v1.35'), true);
    }
    assert.equal(applies({ since: '1.29', until: '1.30' }, 'v1.30.9'), true);
    assert.notEqual(applies({ since: '1.29', until: '1.30' }, 'v1.31.0'), true);
    assert.notEqual(applies({ since: '1.29', until: '1.30' }, 'v1.28.0'), true);
  });
});

describe('what is meant by a name', () => {
  it('is the nearest known one, by what was left out, added, taken for another or swapped', () => {
    const known = ['passed', 'failed', 'skipped'];
    for (const given of ['pased', 'passsed', 'pazsed', 'apssed', 'PASSED', 'passed'])
      assert.equal(nearest(given, known), 'passed', given);
    assert.equal(nearest('zzzzzz', known), undefined);
    assert.equal(nearest('', known), undefined);
    assert.equal(nearest('ab', ['ax', 'aa']), 'aa', 'the first of several that are as near');
    assert.equal(nearest('abcd', ['abxy']), 'abxy', 'half of it may be another');
    assert.equal(nearest('abcd', ['axyz']), undefined);
    assert.equal(nearest('ba', ['ab', 'cd']), 'ab');
    assert.equal(didYouMean('faled', known), ' Did you mean "failed"?');
    assert.equal(didYouMean('other', known), '');
  });
});

describe('the description of a rule', () => {
  it('says why, and how it is repaired by whom, each on one line', () => {
    const text = `
      Something before.

      Why: it is
        so  and
      so.

      Not of it.
      Repair: do this
      and that.
    `;
    assert.deepEqual(describedAs(text), {
      why: 'it is so  and so.',
      repair: { for: 'operator', text: 'do this and that.' },
    });
    assert.deepEqual(describedAs('Why: a\nRepair, for makers: mend it'), {
      why: 'a',
      repair: { for: 'maker', text: 'mend it' },
    });
    assert.deepEqual(describedAs('Whyever: a\n Repair it: b'), { why: '', repair: { for: 'operator', text: '' } });
  });
});
