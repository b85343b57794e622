import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { CertificateSigningRequest, Condition } from '../../kubernetes/objects.js';
import { resultsOf } from '../common/judged.testing.js';
import { decisionAsSent, failedWithReason, hasFailed, isCause, readWritten } from './written-conditions.js';

const NOW = Date.parse('2026-11-20T10:30:00Z');
const AT = '2026-11-20T10:20:00Z';
const EARLY = '2026-11-20T10:00:00Z';

const request = (...conditions: readonly Condition[]): CertificateSigningRequest => ({
  metadata: { name: 'csr-1', creationTimestamp: '2026-11-20T10:15:00Z' },
  spec: { request: 'YWJj', signerName: 'a.b/c', usages: ['client auth'] },
  status: { conditions },
});
const DENIED = {
  ...{ type: 'Denied', status: 'True', reason: 'Because', message: 'No.' },
  ...{ lastUpdateTime: AT, lastTransitionTime: AT },
} as const;
const OPEN = { ...DENIED, lastUpdateTime: '', lastTransitionTime: '' };

const asSent = (held: CertificateSigningRequest | undefined, sent: typeof OPEN | typeof DENIED = OPEN) =>
  resultsOf(decisionAsSent, [{ written: readWritten('a', held), sent }], { now: NOW });

it('a decision has the words that were sent', () => {
  assert.deepEqual(asSent(request(DENIED)), ['met', 'met', 'met']);
  for (const other of [{ status: 'False' }, { reason: 'Another' }, { message: '' }])
    assert.deepEqual(asSent(request({ ...DENIED, ...other })), ['unmet', 'met', 'met']);
  assert.deepEqual(asSent(request({ ...DENIED, type: 'Approved' })), ['unmet', 'unmet', 'unmet']);
  assert.deepEqual(asSent(request({ ...DENIED, type: 'Approved' }, DENIED)), ['met', 'met', 'met']);
});

it('times that were left open are filled in, neither long before the request nor in the future', () => {
  const { lastUpdateTime: _updated, ...untold } = DENIED;
  assert.deepEqual(asSent(request(untold)), ['met', 'unmet', 'met']);
  assert.deepEqual(asSent(request({ ...DENIED, lastUpdateTime: EARLY })), ['met', 'unmet', 'met']);
  assert.deepEqual(asSent(request({ ...DENIED, lastTransitionTime: '2026-11-20T10:36:00Z' })), ['met', 'met', 'unmet']);
  assert.deepEqual(asSent(request({ ...DENIED, lastUpdateTime: '2026-11-20T10:10:00Z' })), ['met', 'met', 'met']);
  assert.deepEqual(asSent(request({ ...DENIED, lastUpdateTime: '2026-11-20T10:35:00Z' })), ['met', 'met', 'met']);
});

it('times that were sent are kept, to the second, however they are written', () => {
  const sent = { ...DENIED, lastUpdateTime: EARLY, lastTransitionTime: EARLY };
  const held = (lastUpdateTime: string) => request({ ...DENIED, lastUpdateTime, lastTransitionTime: EARLY });
  const judge = (time: string) =>
    resultsOf(decisionAsSent, [{ written: readWritten('a', held(time)), sent }], { now: NOW });
  assert.deepEqual(judge(EARLY), ['met', 'met', 'met']);
  assert.deepEqual(judge('2026-11-20T11:00:00+01:00'), ['met', 'met', 'met']);
  assert.deepEqual(judge('2026-11-20T10:00:01Z'), ['met', 'unmet', 'met']);
});

it('what is gone says nothing', () => {
  assert.deepEqual(asSent(undefined), ['unclear', 'unclear', 'unclear']);
  const gone = { written: readWritten('a', undefined), because: 'a URI' };
  assert.deepEqual(resultsOf(failedWithReason, [gone], { now: NOW }), ['unclear', 'unclear', 'unclear']);
});

const FAILED = {
  ...{ type: 'Failed', status: 'True', reason: 'SignerValidationFailure' },
  ...{ lastUpdateTime: AT, lastTransitionTime: AT },
} as const;
const failed = (message: string, because: string, other: Partial<Condition> = {}) => {
  const written = readWritten('a', request({ ...FAILED, message, ...other }));
  return resultsOf(failedWithReason, [{ written, because }], { now: NOW });
};

it('what a signer refuses is failed for its reason', () => {
  for (const [message, because] of [
    ['subject organization is not system:nodes', 'its organization'],
    ['subject common name does not begin with system:node:', 'its common name'],
    ['DNS subjectAltNames are not allowed', 'a DNS name'],
    ['IP subjectAltNames are not allowed', 'an IP address'],
    ['Email subjectAltNames are not allowed', 'an e-mail address'],
    ['URI subjectAltNames are not allowed', 'a URI'],
    ['DNS or IP subjectAltName is required', 'no name'],
    ['usages did not match [client auth digital signature key encipherment]', 'its usages'],
    ['invalid usage for client certificate: server auth', 'a usage'],
    ['invalid usage for client certificate: signing', 'the usage signing'],
    ['invalid usage for client certificate: key agreement', 'the usage key agreement'],
    ['missing required usage for client certificate: client auth', 'no usage for clients'],
  ] as const) {
    assert.ok(isCause(because));
    assert.deepEqual(failed(message, because), ['met', 'met', 'met'], because);
    assert.deepEqual(failed(`as ${message}`, because), ['unmet', 'met', 'met'], because);
  }
});

it('another word, reason or status is none', () => {
  const message = 'URI subjectAltNames are not allowed';
  assert.deepEqual(failed('no', 'a URI'), ['unmet', 'met', 'met']);
  assert.deepEqual(failed(message, 'a URI', { reason: '' }), ['unmet', 'met', 'met']);
  assert.deepEqual(failed(message, 'a URI', { status: 'False' }), ['unmet', 'met', 'met']);
  assert.deepEqual(failed(message, 'a URI', { lastUpdateTime: EARLY }), ['met', 'unmet', 'met']);
  assert.deepEqual(failed(message, 'a thing of no name'), ['unmet', 'met', 'met']);
  assert.equal(isCause('a thing of no name'), false);
  const waits = readWritten('a', request());
  assert.equal(hasFailed(waits), false);
  assert.deepEqual(resultsOf(failedWithReason, [{ written: waits, because: 'a URI' }], { now: NOW }), [
    'unmet',
    'unmet',
    'unmet',
  ]);
});
