import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Attempts } from './joining-client.js';
import { type Attempt, ITS_TOKEN_SAID, type Seen } from './joining-client-reader.js';
import * as checks from './joining-manners.js';

const look = (times: number): Seen => ({
  first: 0,
  last: 7000,
  times,
  connection: 1,
  certificate: 'good',
  what: 'GET /api/v1/namespaces/kube-public/configmaps/cluster-info',
  as: 'nobody',
  answered: 404,
});
const attempt = (more: Partial<Attempt>): Attempt => ({
  subject: 'x (y)',
  exit: 1,
  words: '',
  said: [],
  speaksKubeadm: true,
  milliseconds: 7000,
  timeout: 7000,
  seen: [],
  left: [],
  ...more,
});

type Judge = (attempts: Attempts) => readonly { readonly result: string }[];
const silent: Judge = (attempts) => checks.clientKeepsItsToken.judge(attempts, undefined);
const fails: Judge = (attempts) => checks.clientEndsInError.judge(attempts, undefined);
const atOnce: Judge = (attempts) => checks.clientEndsAtOnce.judge(attempts, undefined);
const pauses: Judge = (attempts) => checks.clientPauses.judge(attempts, undefined);

const CASES: readonly (readonly [name: string, judge: Judge, more: Partial<Attempt>, result: string])[] = [
  ['lines without the token', silent, { said: ['a', 'b'] }, 'met'],
  ['a line with it', silent, { said: ['a', `b ${ITS_TOKEN_SAID}`] }, 'unmet'],
  ['last words with it', silent, { words: ITS_TOKEN_SAID }, 'unmet'],
  ['an error', fails, {}, 'met'],
  ['success', fails, { exit: 0 }, 'unmet'],
  ['no end', fails, { exit: null }, 'unmet'],
  ['an error at once', atOnce, { milliseconds: 300 }, 'met'],
  ['an error when the time is over', atOnce, {}, 'unmet'],
  ['an error after a look', atOnce, { milliseconds: 300, seen: [look(1)] }, 'unmet'],
  ['a look each second', pauses, { seen: [look(8)] }, 'met'],
  ['one look', pauses, { seen: [look(1)] }, 'unmet'],
  ['a hundred looks a second', pauses, { seen: [look(700)] }, 'unmet'],
];

describe('the manners of a joining client', () => {
  for (const [name, judge, more, result] of CASES)
    it(`are judged: ${name}`, () => {
      assert.deepEqual(
        judge([attempt(more)]).map((finding) => finding.result),
        [result],
      );
    });
});
