import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judged } from '../common/judged.testing.js';
import { rightsReviewAllows, rightsReviewAnswered, rightsReviewDenies } from './rights-reviews.js';

const resultOf =
  (check: typeof rightsReviewAnswered) =>
  (status: number, body: unknown): string =>
    judged(check, [{ subject: 'a review', answer: { status, body } }], undefined)
      .map((finding) => `${finding.result}: ${finding.seen}`)
      .join();
const result = resultOf(rightsReviewAnswered);

describe('a review of rights', () => {
  it('is answered with a yes or a no', () => {
    assert.equal(result(201, { status: { allowed: false } }), 'met: 201, allowed: false');
    assert.equal(result(201, { status: { allowed: true } }), 'met: 201, allowed: true');
    assert.match(result(201, { status: {} }), /^unmet/);
    assert.equal(result(422, { message: 'no' }), 'unmet: 422 no');
    assert.match(result(200, { status: { allowed: true } }), /^unmet: 200/);
  });
  it('is not judged where somebody else answers, or forbids it', () => {
    for (const status of [0, 401, 403, 404, 429, 503]) assert.match(result(status, {}), /^unclear/);
  });
});

describe('a review that is to give nothing', () => {
  const denied = resultOf(rightsReviewDenies);
  it('says no, whatever else it says', () => {
    assert.equal(denied(201, { status: { allowed: false, evaluationError: 'ignored' } }), 'met: allowed: false');
    assert.equal(denied(201, { status: { allowed: true } }), 'unmet: allowed: true');
  });
  it('is not judged where it is none', () => {
    assert.match(denied(201, {}), /^unclear/);
    assert.match(denied(403, { status: { allowed: false } }), /^unclear/);
  });
});

describe('a review that is to allow', () => {
  const allowed = resultOf(rightsReviewAllows);
  it('says yes', () => {
    assert.equal(allowed(201, { status: { allowed: true } }), 'met: 201, allowed: true');
    assert.equal(allowed(201, { status: { allowed: false } }), 'unmet: 201, allowed: false');
    assert.match(allowed(201, {}), /^unmet/);
    assert.equal(allowed(422, { message: 'no' }), 'unmet: 422 no');
    assert.match(allowed(200, { status: { allowed: true } }), /^unmet: 200/);
  });
  it('is not judged where somebody else answers, or forbids it', () => {
    for (const status of [0, 401, 403, 404, 429, 503]) assert.match(allowed(status, {}), /^unclear/);
  });
});
