import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readWatched, watchBegins } from './watches.js';

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
