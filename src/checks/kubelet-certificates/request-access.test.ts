import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CertificateSigningRequest } from '../../kubernetes/objects.js';
import { judged, resultsOf } from '../common/judged.testing.js';
import { apiOffers, keptAsItWas, readKept, readOffered, readWatched, watchTells } from './request-access.js';

describe('what requesters see', () => {
  const event = (type: string, name: string) => ({ type, object: { metadata: { name } } });
  const look = (status: number, body: unknown, late = false) =>
    judged(watchTells, [readWatched('a watch', { status, body }, late)], { name: 'jp-1' })[0];

  it('is a watch that tells of their request, as soon as it can', () => {
    assert.equal(look(200, event('ADDED', 'jp-1'))?.result, 'met');
    for (const [body, late] of [
      [event('ADDED', 'jp-1'), true],
      [event('ADDED', 'jp-2'), false],
      [event('ERROR', 'jp-1'), false],
      [undefined, false],
    ] as const)
      assert.equal(look(200, body, late)?.result, 'unmet');
    assert.equal(look(403, { message: 'no' })?.result, 'unmet');
    assert.equal(look(403, { message: 'no' })?.seen, '403 no');
    assert.equal(look(401, {})?.result, 'unmet');
    for (const status of [0, 404, 405, 429, 500, 503]) assert.equal(look(status, {})?.result, 'unclear');
    assert.equal(look(200, undefined)?.seen, 'no event');
    assert.equal(look(200, event('ADDED', 'jp-1'), true)?.seen, 'ADDED jp-1, held back until the watch ended');
  });

  it('is an API with its resources, unless nobody may look', () => {
    const resources = ['a', 'a/approval'];
    const offered = (status: number, body: unknown) =>
      resultsOf(apiOffers, readOffered('/apis/x/v1', { status, body }), { resources });
    const listed = { resources: [{ name: 'a' }, { name: 'a/approval' }, null, {}] };
    assert.deepEqual(offered(200, listed), ['met', 'met']);
    assert.deepEqual(offered(200, { resources: [{ name: 'a' }] }), ['met', 'unmet']);
    assert.deepEqual(offered(404, undefined), ['unmet', 'unmet']);
    for (const status of [401, 403, 404, 429, 500]) assert.deepEqual(offered(status, {}), ['unclear', 'unclear']);
  });
});

describe('what is kept of a request', () => {
  const request = (changes: {
    spec?: Partial<CertificateSigningRequest['spec']>;
    status?: CertificateSigningRequest['status'];
  }): CertificateSigningRequest => ({
    metadata: { name: 'jp-1' },
    spec: { request: 'YQ==', signerName: 'a.b/c', usages: ['client auth'], ...changes.spec },
    ...(changes.status === undefined ? {} : { status: changes.status }),
  });
  const plain = request({});
  const look = (before: CertificateSigningRequest | undefined, after: CertificateSigningRequest | undefined) =>
    judged(keptAsItWas, [readKept('a', before, after)], {})[0];

  it('is all that it was', () => {
    assert.equal(look(plain, request({ status: {} }))?.result, 'met');
    assert.equal(look(plain, plain)?.refusal, true);
    for (const [part, after] of [
      ['spec.request', request({ spec: { request: 'Yg==' } })],
      ['spec.username', request({ spec: { username: 'x' } })],
      ['spec.usages', request({ spec: { usages: [] } })],
      ['status.certificate', request({ status: { certificate: 'YQ==' } })],
      ['status.conditions', request({ status: { conditions: [{ type: 'Approved', status: 'True' }] } })],
    ] as const) {
      assert.equal(look(plain, after)?.result, 'unmet', part);
      assert.equal(look(plain, after)?.seen, `other: ${part}`);
      assert.equal(look(after, plain)?.result, 'unmet', part);
    }
    const decided = (reason: string, lastUpdateTime: string) =>
      request({ status: { conditions: [{ type: 'Approved', status: 'True', reason, lastUpdateTime }] } });
    assert.equal(look(decided('a', '1'), decided('a', '2'))?.result, 'met');
    assert.equal(look(decided('a', '1'), decided('b', '1'))?.result, 'unmet');
    assert.equal(look(plain, undefined)?.result, 'unclear');
    assert.equal(look(undefined, plain)?.result, 'unclear');
  });

  it('or some parts of it, where only they count', () => {
    const other = readKept('a', plain, request({ spec: { request: 'Yg==', username: 'x' } }));
    assert.deepEqual(resultsOf(keptAsItWas, [other], { parts: ['spec.signerName', 'spec.usages'] }), ['met']);
    assert.deepEqual(resultsOf(keptAsItWas, [other], { parts: ['spec.request'] }), ['unmet']);
    assert.equal(judged(keptAsItWas, [other], { parts: ['spec.request'] })[0]?.seen, 'other: spec.request');
  });
});
