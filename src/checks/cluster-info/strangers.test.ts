import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  administratorLetThrough,
  nobodyMay,
  type StrangerAnswer,
  type StrangerReading,
  strangerGivenKubeconfig,
  strangersAreOff,
  strangersLetIn,
  strangersRefused,
} from './strangers.js';

const TRIED = ['read cluster-info', 'GET /version', 'GET /livez'];
const answers = (...statuses: readonly number[]): StrangerAnswer[] =>
  statuses.map((status, at) => ({
    tried: TRIED[at] ?? '',
    status,
    message: status === 404 ? 'nodes "a" not found' : '',
  }));
const letIn = (...statuses: readonly number[]) =>
  strangersLetIn.judge(answers(...statuses), undefined).map(({ result }) => result);

describe('strangers', () => {
  it('are let in where one thing of theirs is given', () => {
    assert.deepEqual(letIn(200, 403, 403), ['met']);
    assert.deepEqual(letIn(403, 200, 200), ['met']);
    assert.deepEqual(letIn(403, 503, 200), ['met']);
  });
  it('are not where nothing is, and nobody knows where the server stumbles', () => {
    assert.deepEqual(letIn(403, 403, 403), ['unmet']);
    assert.deepEqual(letIn(404, 404, 404), ['unmet']);
    assert.deepEqual(letIn(403, 429, 403), ['unclear']);
  });
  it('are off where cluster-info is refused as to nobody, whatever the open paths say', () => {
    assert.match(strangersAreOff(answers(401, 401, 200)) ?? '', /without credentials: read cluster-info/);
    assert.equal(strangersAreOff(answers(403, 401, 401)), undefined);
    assert.equal(strangersAreOff(answers(200, 403, 403)), undefined);
  });
  it('are refused with 401 or 403; every attempt that is not is told', () => {
    const seen = strangersRefused.judge(answers(401, 403, 200, 404, 409, 500, 429), undefined);
    assert.deepEqual(
      seen.map(({ result }) => result),
      ['met', 'met', 'unmet', 'unmet', 'unclear', 'unclear', 'unclear'],
    );
    assert.ok(seen.every(({ refusal }) => refusal === true));
    const hidden = {
      tried: 'list all Secrets',
      status: 404,
      message: 'the server could not find the requested resource',
    };
    assert.equal(strangersRefused.judge([hidden], undefined)[0]?.result, 'unclear');
  });
  it('are told from administrators, who are let through whatever becomes of it', () => {
    const seen = administratorLetThrough.judge(answers(200, 422, 403), undefined);
    assert.deepEqual(
      seen.map(({ result }) => result),
      ['met', 'met', 'unmet'],
    );
    assert.equal(administratorLetThrough.judge(answers(503), undefined)[0]?.result, 'unclear');
    assert.equal(nobodyMay(answers(200, 403)), undefined);
    assert.match(nobodyMay(answers(403, 403)) ?? '', /may not read cluster-info or GET .version, either/);
  });
  it('get cluster-info with its kubeconfig and signatures, as others do', () => {
    const given = (status: number, reading: Partial<StrangerReading> = {}) =>
      strangerGivenKubeconfig
        .judge({ status, kubeconfig: 'the same', signed: true, ...reading }, undefined)
        .map(({ result, seen }) => `${result}: ${seen}`)[0];
    const none = { kubeconfig: 'none', signed: false } as const;
    assert.deepEqual(
      [given(200), given(200, none), given(200, { kubeconfig: 'another' }), given(200, { signed: false })],
      [
        'met: 200',
        'unmet: 200, without a kubeconfig',
        'unmet: 200, with another kubeconfig than others read',
        'unmet: 200, without the signatures that others read',
      ],
    );
    assert.deepEqual(
      [given(401, none), given(403, none), given(404, none), given(503, none)],
      ['unmet: 401: anonymous requests are off', 'unmet: 403', 'unclear: 404', 'unclear: 503'],
    );
  });
});
