import assert from 'node:assert/strict';
import { it } from 'node:test';
import { judged, resultsOf } from './judged.testing.js';
import { readSaying, saysJustThat } from './sayings.js';

const ANSWER = {
  status: 404,
  headers: { warning: ['a', 'b'], etag: '"x"' },
  text: ' {} \n',
  body: { reason: 'NotFound', details: { name: 'jp-a', retryAfterSeconds: 1, causes: [{ field: 'type' }] } },
};
const wanted = (says: Readonly<Record<string, string>>, status = 404) => ({ status, says });
const saying = (says: Readonly<Record<string, string>>, status = 404) =>
  readSaying('a', wanted(says, status), { ...ANSWER, status: ANSWER.status });

it('reads no more than something is wanted of: texts, other values, headers, and all of it', () => {
  const says = {
    reason: '',
    'details.name': '',
    'details.uid': '',
    'details.retryAfterSeconds': '',
    'details.causes.0.field': '',
    text: '',
  };
  assert.deepEqual(saying({ ...says, 'header etag': '', 'header warning': '', 'header vary': '' }).says, {
    reason: 'NotFound',
    'details.name': 'jp-a',
    'details.uid': '',
    'details.retryAfterSeconds': '1',
    'details.causes.0.field': 'type',
    text: '{}',
    'header etag': '"x"',
    'header warning': 'a, b',
    'header vary': '',
  });
});

it('holds an answer to its status and to each of its words', () => {
  const look = (...answers: Parameters<typeof saying>) => resultsOf(saysJustThat, [saying(...answers)], undefined);
  assert.deepEqual(look({}), ['met']);
  assert.deepEqual(look({ reason: 'NotFound', 'details.name': 'jp-a' }), ['met']);
  assert.deepEqual(look({ reason: 'NotFound', 'details.name': 'jp-b' }), ['unmet']);
  assert.deepEqual(look({ 'details.name': '' }), ['unmet']);
  assert.deepEqual(look({ 'details.uid': '' }), ['met']);
  assert.deepEqual(look({ reason: 'NotFound' }, 200), ['unmet']);
});

it('hears nothing in the answer of a server that is busy, unless it is wanted', () => {
  const busy = (status: number) => readSaying('a', wanted({ reason: 'Timeout' }, status), { ...ANSWER, status: 504 });
  assert.deepEqual(resultsOf(saysJustThat, [busy(400)], undefined), ['unclear']);
  assert.deepEqual(resultsOf(saysJustThat, [busy(504)], undefined), ['unmet']);
});

it('says what is demanded and what was heard', () => {
  const [finding] = judged(saysJustThat, [saying({ reason: 'Gone', 'details.uid': '' }, 410)], undefined);
  assert.equal(finding?.demanded, 'is answered with 410, reason: Gone, details.uid: nothing');
  assert.equal(finding?.seen, '404, reason: NotFound, details.uid: nothing');
});
