import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readWatched, watchBegins, watchTellsVersion } from './watches.js';

const line = (type: string): string => JSON.stringify({ type, object: {} });
const judged = (text: string, wanted: string, status = 200) => {
  const [found] = watchBegins.judge([readWatched({ subject: 'a watch', wanted }, { status, text })], undefined);
  return [found?.result, found?.seen];
};

it('a watch begins with what is wanted', () => {
  assert.deepEqual(judged(line('ADDED'), 'ADDED'), ['met', 'ADDED']);
  assert.deepEqual(judged(line('DELETED'), 'ADDED'), ['unmet', 'DELETED']);
  assert.deepEqual(judged('', 'ADDED'), ['unmet', 'nothing']);
  assert.deepEqual(judged('', 'nothing'), ['met', 'nothing']);
  assert.deepEqual(judged(line('ADDED'), 'nothing'), ['unmet', 'ADDED']);
});

it('what is no watch is not judged', () => {
  assert.deepEqual(judged(line('ERROR'), 'ADDED'), ['unclear', '200']);
  assert.deepEqual(judged('<html>', 'ADDED'), ['unclear', '200']);
  assert.deepEqual(judged('', 'nothing', 410), ['unclear', '410']);
});

describe('the first event of a watch', () => {
  const told = (resourceVersion: string | undefined, wantedVersion?: string): readonly string[] => {
    const object = { metadata: resourceVersion === undefined ? {} : { resourceVersion } };
    const text = JSON.stringify({ type: 'DELETED', object });
    const seen = readWatched({ subject: 'a watch', wanted: 'DELETED', wantedVersion }, { status: 200, text });
    return watchTellsVersion.judge([seen], undefined).map(({ result, seen: what }) => `${result}: ${what}`);
  };
  it('is of the version of the change', () => {
    assert.deepEqual(told('7', '7'), ['met: it tells the version']);
    assert.deepEqual(told('6', '7'), ['unmet: it tells another']);
    assert.deepEqual(told(undefined, '7'), ['unmet: it tells none']);
    assert.deepEqual(told('6'), []);
  });
  it('is of another version than before, where the version of the change is not known', () => {
    const later = (version: string | undefined) => {
      const text = JSON.stringify({ type: 'DELETED', object: { metadata: { resourceVersion: version } } });
      const what = { subject: 'a watch', wanted: 'DELETED', formerVersion: '6' };
      return watchTellsVersion.judge([readWatched(what, { status: 200, text })], undefined).map(({ result }) => result);
    };
    assert.deepEqual([later('7'), later('6'), later(undefined)], [['met'], ['unmet'], ['unmet']]);
  });
  it('is not judged where nothing is told, or no event', () => {
    for (const text of ['', 'no event'])
      assert.deepEqual(
        watchTellsVersion.judge(
          [readWatched({ subject: 'a watch', wanted: 'DELETED', wantedVersion: '7' }, { status: 200, text })],
          undefined,
        ),
        [],
      );
  });
});
