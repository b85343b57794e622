import assert from 'node:assert/strict';
import { it } from 'node:test';
import { NO_NAMES } from '../certificates/extensions.js';
import { resultsOf } from '../common/judged.testing.js';
import { twinsOf } from '../common/twins.testing.js';
import {
  decidedBeforeIssued,
  decidedByController,
  decidedForJoining,
  decidedInTime,
  decidedOnce,
  issuedByController,
} from './decided-requests.js';
import { requestAtRest, type SeenRequest } from './seen-requests.js';

const CREATED = '2026-01-01T00:00:00Z';
const plain = requestAtRest({ metadata: { name: 'csr-1', creationTimestamp: CREATED } }).seen;
const request = (types: readonly string[], more: Partial<SeenRequest> = {}): SeenRequest => ({
  ...plain,
  created: CREATED,
  signer: 'kubernetes.io/kube-apiserver-client-kubelet',
  username: 'system:bootstrap:abcdef',
  conditions: types.map((type) => ({ type, reason: 'AutoApproved', message: '', updated: CREATED })),
  ...more,
});
const certificate = { unreadable: 'of no interest' };

it('what carries a certificate was approved, and neither denied nor failed', () => {
  const look = (...types: readonly string[]) =>
    resultsOf(decidedBeforeIssued, [request(types, { certificate })], undefined).join();
  assert.equal(look('Approved'), 'met');
  for (const types of [[], ['Denied'], ['Approved', 'Denied'], ['Approved', 'Failed'], ['Failed']])
    assert.equal(look(...types), 'unmet', types.join());
  assert.deepEqual(resultsOf(decidedBeforeIssued, [request([])], undefined), []);
});

it('a request is decided once', () => {
  const look = (...types: readonly string[]) => resultsOf(decidedOnce, [request(types)], undefined).join();
  assert.equal(look('Approved'), 'met');
  assert.equal(look('Approved', 'Failed'), 'met');
  assert.equal(look('Approved', 'Denied'), 'unmet');
  assert.equal(look('Denied', 'Failed'), 'met');
  assert.equal(look('Approved', 'Approved'), 'unmet');
  assert.equal(look(), '');
});

it('a decision is made between the request and now', () => {
  const now = Date.parse('2026-01-01T01:00:00Z');
  const look = (updated: string, created = CREATED) => {
    const conditions = [{ type: 'Approved', reason: '', message: '', updated }];
    return resultsOf(decidedInTime, [request([], { conditions, created })], { now }).join();
  };
  assert.equal(look(CREATED), 'met');
  assert.equal(look('2025-12-31T23:56:00Z'), 'met');
  assert.equal(look('2025-12-31T23:54:00Z'), 'unmet');
  assert.equal(look('2026-01-01T01:04:00Z'), 'met');
  assert.equal(look('2026-01-01T01:06:00Z'), 'unmet');
  assert.equal(look(''), 'met');
  assert.equal(look(CREATED, ''), 'unclear');
});

it('what is approved automatically was asked for by who joins, or by the node itself', () => {
  const commonName = 'system:node:a';
  const asked = { commonName, organizations: [], altNames: NO_NAMES, ca: false, ids: [], pin: '' };
  const look = (more: Partial<SeenRequest>) =>
    resultsOf(decidedForJoining, [request(['Approved'], { asked, ...more })], undefined).join();
  assert.equal(look({}), 'met');
  assert.equal(look({ username: 'kubelet', groups: ['system:bootstrappers'] }), 'met');
  assert.equal(look({ username: commonName }), 'met');
  assert.equal(look({ username: 'system:node:b' }), 'unmet', 'another node');
  assert.equal(look({ username: 'jane' }), 'unmet');
  for (const group of twinsOf('system:bootstrappers'))
    assert.equal(look({ username: 'jane', groups: [group] }), 'unmet', group);
  assert.equal(look({ username: 'jane', groups: ['system:bootstrappers:worker'] }), 'unmet');
  assert.equal(look({ username: '', asked: { unreadable: 'x' } }), 'unmet');
  assert.equal(look({ username: 'jane', signer: 'kubernetes.io/kubelet-serving' }), '');
  const byHand = [{ type: 'Approved', reason: 'KubectlApprove', message: '', updated: '' }];
  const denied = [{ type: 'Denied', reason: 'AutoApproved', message: '', updated: '' }];
  assert.equal(look({ username: 'jane', conditions: byHand }), '');
  assert.equal(look({ username: 'jane', conditions: denied }), '');
});

it('what is approved and issued is of the controller manager, where the API server has noted whose it is', () => {
  const managed = (manager: string, status: object) => ({ manager, fieldsV1: { 'f:status': status } });
  const approved = { 'f:conditions': { 'k:{"type":"Approved"}': {} } };
  const look = (...managedFields: readonly object[]) => {
    const object: unknown = {
      metadata: { name: 'csr-1', creationTimestamp: CREATED, managedFields },
      spec: { request: 'YQ==', signerName: 'kubernetes.io/kube-apiserver-client-kubelet', usages: ['client auth'] },
      status: { certificate: 'YQ==', conditions: [{ type: 'Approved', status: 'True', reason: 'AutoApproved' }] },
    };
    const { seen } = requestAtRest(object as Parameters<typeof requestAtRest>[0]);
    return [decidedByController, issuedByController].map((check) => resultsOf(check, [seen], undefined).join());
  };
  const own = 'kube-controller-manager';
  assert.deepEqual(look(managed(own, approved), managed(own, { 'f:certificate': {} })), ['met', 'met']);
  assert.deepEqual(look(managed('cron', approved), managed(own, { 'f:certificate': {} })), ['unmet', 'met']);
  assert.deepEqual(look(managed(own, approved), managed('cron', { 'f:certificate': {} })), ['met', 'unmet']);
  assert.deepEqual(look(managed(own, approved), managed('cron', approved)), ['unmet', '']);
  assert.deepEqual(look(managed('cron', { 'f:conditions': { 'k:{"type":"Remark"}': {} } })), ['', '']);
  assert.deepEqual(look(), ['', '']);
  const both = look(managed(own, { 'f:certificate': {} }), managed('run', { 'f:certificate': {} }));
  assert.deepEqual(both, ['', 'unmet'], 'somebody beside it');
  const clients = request([], { certificate, issuers: ['cron'], signer: 'kubernetes.io/kube-apiserver-client' });
  assert.deepEqual(resultsOf(issuedByController, [clients], undefined), ['unmet']);
  const foreign = request([], { certificate, issuers: ['cron'], signer: 'a.b/c' });
  assert.deepEqual(resultsOf(issuedByController, [foreign], undefined), []);
  assert.deepEqual(resultsOf(issuedByController, [request([], { issuers: ['cron'] })], undefined), []);
});
