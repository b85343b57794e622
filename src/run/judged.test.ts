import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Exchange } from '../targets/types.js';
import { requestsSeen } from './judged.js';

const asked = (path: string, status: number | undefined): Exchange => ({
  at: '2026-11-22T10:00:00Z',
  as: 'admin',
  method: 'GET',
  path,
  status,
  milliseconds: 1,
  requestBody: 'asked',
  responseBody: 'answered',
});
const first = asked('/api/v1/secrets?limit=500', 200);
const second = asked('/api/v1/secrets?limit=500&continue=abc', 200);
const gone = asked('/api/v1/secrets?limit=500&continue=old', 410);
const untold = asked('/api/v1/secrets?limit=500&continue=off', undefined);

describe('the requests that something was seen by', () => {
  it('are told once each, and of a long list by its first page and what went wrong', () => {
    const seen = requestsSeen([first, second, first, gone, untold, second], { full: false, received: false });
    assert.deepEqual(seen, [
      { as: 'admin', request: 'GET /api/v1/secrets?limit=500', status: 200 },
      { as: 'admin', request: 'GET /api/v1/secrets?limit=500&continue=old', status: 410 },
      { as: 'admin', request: 'GET /api/v1/secrets?limit=500&continue=off', status: null },
    ]);
  });

  it('are all told where all evidence is wanted, and equal ones that were sent twice', () => {
    const seen = requestsSeen([first, second, { ...first }], { full: true, received: false });
    assert.deepEqual(
      seen.map(({ request, sent, received }) => [request, sent, received]),
      [
        ['GET /api/v1/secrets?limit=500', 'asked', undefined],
        ['GET /api/v1/secrets?limit=500&continue=abc', 'asked', undefined],
        ['GET /api/v1/secrets?limit=500', 'asked', undefined],
      ],
    );
  });

  it('show their headers where they show what was sent', () => {
    const named = { ...first, requestHeaders: ['impersonate-user: a'] };
    const headersOf = (full: boolean) => requestsSeen([named], { full, received: false }).map(({ headers }) => headers);
    assert.deepEqual([headersOf(true), headersOf(false)], [[['impersonate-user: a']], [undefined]]);
  });

  it('show what was sent and answered where something is not met', () => {
    assert.deepEqual(requestsSeen([first], { full: false, received: true }), [
      { as: 'admin', request: 'GET /api/v1/secrets?limit=500', status: 200, sent: 'asked', received: 'answered' },
    ]);
  });
});
