import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { releasesOf, whyNotApplicable } from './versions.js';

const version = (minor: number, patch?: number) => ({
  major: 1,
  minor,
  gitVersion: `v1.${minor}${patch === undefined ? '' : `.${patch}`}`,
  ...(patch === undefined ? {} : { patch }),
});
/** Of "1.34", "1.35.5", … those to which the range applies. */
const among = (range: { readonly since?: string; readonly until?: string }, versions: readonly string[]) => {
  const [since, until] = [range.since, range.until].map((text) => (text === undefined ? undefined : releasesOf(text)));
  return versions.filter((text) => {
    const [, minor, patch] = text.split('.').map(Number);
    const read = { ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }) };
    return whyNotApplicable(read, version(minor ?? 0, patch)) === undefined;
  });
};

describe('what a rule applies to', () => {
  const ALL = ['1.0.0', '1.33.9', '1.34.0', '1.35.0', '1.35.4', '1.35.5', '1.35.6', '1.36.0', '1.36.1', '1.37.0'];
  it('begins with a minor, or with a patch of each that has the change', () => {
    assert.deepEqual(among({ since: '1.35' }, ALL), ALL.slice(3));
    assert.deepEqual(among({ since: '1.0' }, ['1.0.0', '1.1.0']), ['1.0.0', '1.1.0']);
    // a minor below that has no patch of it never has the change, whatever its own patch is
    assert.deepEqual(among({ since: '1.36.1,1.35.5' }, ALL), ['1.35.5', '1.35.6', '1.36.1', '1.37.0']);
    assert.deepEqual(among({ since: '1.36,1.34' }, ['1.34.0', '1.35.9', '1.36.0']), ['1.34.0', '1.36.0']);
  });

  it('ends with a minor, or with a patch of each', () => {
    assert.deepEqual(among({ until: '1.34' }, ALL), ALL.slice(0, 3));
    assert.deepEqual(among({ until: '1.35.4,1.36.0' }, ALL), [...ALL.slice(0, 5), '1.36.0']);
    assert.deepEqual(among({ until: '1.0' }, ['1.0.0', '1.0.7', '1.1.0']), ['1.0.0', '1.0.7']);
    assert.deepEqual(among({ until: '1.33,1.35' }, ['1.32.1', '1.33.0', '1.34.0', '1.35.9', '1.36.0']), [
      '1.32.1',
      '1.33.0',
      '1.35.9',
    ]);
  });

  it('lies within both ends, and the end says which was not met', () => {
    assert.deepEqual(among({ since: '1.34', until: '1.35' }, ALL), ALL.slice(2, 7));
    const why = (minor: number) =>
      whyNotApplicable({ since: [{ minor: 34 }], until: [{ minor: 35 }] }, version(minor, 2));
    assert.equal(why(33), 'applies since Kubernetes 1.34; the target is v1.33.2');
    assert.equal(why(36), 'applied until Kubernetes 1.35; the target is v1.36.2');
    assert.equal(whyNotApplicable({}, version(1)), undefined);
  });

  it('cannot be told of a version without a patch where the patch decides, and of others it can', () => {
    const since = releasesOf('1.35.5,1.36') ?? [];
    const no = 'depends on the patch release (1.35.5), and the target\'s version "v1.35" shows none';
    assert.equal(whyNotApplicable({ since }, version(35)), no);
    assert.equal(whyNotApplicable({ until: since }, version(35)), no);
    for (const minor of [36, 37]) assert.equal(whyNotApplicable({ since }, version(minor)), undefined);
    for (const minor of [34, 36]) assert.equal(whyNotApplicable({ until: since }, version(minor)), undefined);
    assert.match(whyNotApplicable({ since }, version(34)) ?? '', /^applies since/);
    // patch 0 is where a minor begins
    assert.equal(whyNotApplicable({ since: [{ minor: 35 }] }, version(35)), undefined);
  });

  it('is no release where one cannot be read, or a minor is named twice', () => {
    for (const text of ['', '1', '2.35', '1.35.', '1.35,1.35.2', '1.35, 1.36', 'v1.35', '1.1234', '1.35.1234'])
      assert.equal(releasesOf(text), undefined, text);
    assert.deepEqual(releasesOf('1.36,1.9.10'), [{ minor: 9, patch: 10 }, { minor: 36 }]);
  });
});
