import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { CertificateSigningRequest } from '../../kubernetes/objects.js';
import { judged, resultsOf } from '../common/judged.testing.js';
import { readLeftAlone, requestsNotApproved, requestsNotIssued } from './left-alone.js';
import { readSent } from './request-progress.js';

const held = (status: CertificateSigningRequest['status']): CertificateSigningRequest => ({
  metadata: { name: 'csr-1' },
  spec: { request: 'YWJj', signerName: 'a.b/c', usages: ['client auth'] },
  ...(status === undefined ? {} : { status }),
});
const seen = (status: CertificateSigningRequest['status']) => readLeftAlone('a', undefined, held(status));
const refused = (status: number) => readLeftAlone('a', readSent('a', { status, body: {} }), undefined);
const approved = { conditions: [{ type: 'Approved', status: 'True' }] };

it('a request is left alone where nobody has approved it, and that is a refusal', () => {
  const all = [
    seen({}),
    seen(approved),
    seen({ certificate: 'YWJj' }),
    seen({ conditions: [{ type: 'Denied', status: 'True' }] }),
  ];
  assert.deepEqual(resultsOf(requestsNotApproved, all, undefined), ['met', 'unmet', 'unmet', 'met']);
  const findings = judged(requestsNotApproved, all, undefined);
  assert.ok(findings.every(({ refusal, role }) => refusal === true && role === 'demand'));
  assert.deepEqual(
    findings.map((finding) => finding.seen),
    ['nobody has', 'approved:', 'somebody has signed it', 'nobody has'],
  );
});

it('a request is left alone where nobody has signed it, approved or not', () => {
  const all = [seen({}), seen(approved), seen({ certificate: 'YWJj' })];
  assert.deepEqual(resultsOf(requestsNotIssued, all, undefined), ['met', 'met', 'unmet']);
  assert.ok(judged(requestsNotIssued, all, undefined).every(({ refusal }) => refusal === true));
});

it('what was refused is left alone, and what is gone or was not heard says nothing', () => {
  for (const check of [requestsNotApproved, requestsNotIssued]) {
    assert.deepEqual(resultsOf(check, [400, 403, 422].map(refused), undefined), ['met', 'met', 'met']);
    const unheard = [0, 201, 401, 404, 409, 429, 500, 503].map(refused);
    assert.ok(resultsOf(check, unheard, undefined).every((result) => result === 'unclear'));
    assert.deepEqual(resultsOf(check, [readLeftAlone('a', undefined, undefined)], undefined), ['unclear']);
    assert.match(judged(check, [refused(403)], undefined)[0]?.seen ?? '', /^not taken: 403/);
    assert.equal(judged(check, [readLeftAlone('a', undefined, undefined)], undefined)[0]?.seen, 'it is gone');
  }
});
