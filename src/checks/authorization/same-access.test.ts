import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultsOf } from '../common/judged.testing.js';
import { opinionIn, sameAccess } from './same-access.js';

const opinion = (allowed: boolean) =>
  opinionIn({ status: 201, body: { kind: 'SelfSubjectAccessReview', spec: { a: 1 }, status: { allowed } } });
const forbidden = opinionIn({ status: 403, body: { kind: 'Status', status: 'Failure' } });

describe('what two users of the same groups are told', () => {
  it('is the same, row by row, or unclear', () => {
    const rows = [
      [opinion(true), opinion(true)],
      [opinion(false), opinion(false)],
      [opinion(true), opinion(false)],
      [opinion(false), opinion(true)],
      [forbidden, opinion(true)],
      [opinion(true), forbidden],
    ].map(([answer = forbidden, other = forbidden], index) => ({ subject: `row ${index}`, answer, other }));
    const results = ['met', 'met', 'unmet', 'unmet', 'unclear', 'unclear'];
    assert.deepEqual(resultsOf(sameAccess, rows, undefined), results);
  });

  it('is kept without what was asked', () => {
    assert.deepEqual(opinion(true), { status: 201, body: { status: { allowed: true } } });
  });
});
