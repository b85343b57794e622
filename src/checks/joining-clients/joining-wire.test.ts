import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Attempt, Seen } from './joining-client-reader.js';
import { seenAs } from './joining-seen.testing.js';
import { clientAsksNobodyElse, clientAsksNothingUnprotected, clientNamesItsServer } from './joining-wire.js';

const attempt = (...seen: readonly Seen[]): Attempt => ({
  subject: 'a',
  exit: 1,
  words: '',
  said: [],
  speaksKubeadm: true,
  milliseconds: 10_000,
  timeout: null,
  seen,
  left: [],
});
const asked = (more: Partial<Seen> = {}): Seen => seenAs('GET /version', 'nobody', { answered: 200, ...more });
const broken = seenAs('no common cipher', 'nobody', { answered: null });

describe('the connections of a client', () => {
  it('name their server', () => {
    const judged = (one: Attempt) => clientNamesItsServer.judge([one], undefined).map(({ result }) => result);
    assert.deepEqual(judged(attempt(broken, asked())), ['met']);
    assert.deepEqual(judged(attempt(asked(), asked({ unnamed: true }))), ['unmet']);
    assert.deepEqual(judged(attempt(broken)), ['unmet']);
    assert.deepEqual(judged({ ...attempt(broken), isStarved: true }), ['unclear']);
    assert.deepEqual(judged({ ...attempt(asked({ unnamed: true })), isStarved: true }), ['unmet']);
  });
  it('are none where they protect nothing', () => {
    const judged = (...seen: readonly Seen[]) =>
      clientAsksNothingUnprotected.judge([attempt(...seen)], undefined).map(({ result, seen: told }) => [result, told]);
    assert.deepEqual(judged(broken), [['met', 'so it is']]);
    assert.deepEqual(judged(broken, asked()), [['met', 'so it is']]);
    assert.deepEqual(judged(broken, asked({ isUnprotected: true })), [['unmet', 'GET /version']]);
  });
  it('are with nobody else', () => {
    const judged = (astray?: readonly string[]) =>
      clientAsksNobodyElse
        .judge([{ ...attempt(asked()), ...(astray === undefined ? {} : { astray }) }], undefined)
        .map(({ result, seen: told }) => [result, told]);
    assert.deepEqual(judged(), []);
    assert.deepEqual(judged([]), [['met', 'so it is']]);
    assert.deepEqual(judged(['https://192.0.2.9:443']), [['unmet', 'https://192.0.2.9:443']]);
  });
});
