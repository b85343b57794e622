import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultsOf } from '../common/judged.testing.js';
import { type Fresh, goodAtOnce, renewalApproved, sameIdentity } from './renewals.js';
import { type Progress, requestApproved } from './request-progress.js';

const SELF = 'Auto approving self kubelet client certificate after SubjectAccessReview.';
const progress = (conditions: Progress['conditions'] = [], certificate = false): Progress => ({
  subject: 'a request',
  there: true,
  username: 'system:node:a',
  groups: [],
  uid: '',
  extra: [],
  created: '',
  conditions,
  certificate,
});
const approved = (message: string, reason = 'AutoApproved') => progress([{ type: 'Approved', reason, message }]);

describe('a renewal', () => {
  it('is approved as a node’s own', () => {
    const look = (seen: Progress, kubeadm = true) => resultsOf(renewalApproved, seen, { kubeadm }).join(' ');
    assert.equal(look(approved(SELF)), 'met met');
    assert.equal(look(approved(SELF.replace('self ', ''))), 'met unmet');
    assert.equal(look(approved('')), 'met unmet');
    assert.equal(look(approved(SELF, 'Cron')), 'unmet met');
    assert.equal(look(progress()), 'unmet');
    assert.equal(look(progress(), false), '');
    assert.equal(look(approved(SELF), false), 'met met');
    assert.equal(renewalApproved.nothing, requestApproved.nothing);
  });

  it('leads to the same user in the same groups', () => {
    const heard = (username: string, ...groups: readonly string[]) => ({
      status: 201,
      body: { status: { userInfo: { username, groups } } },
    });
    const before = heard('a', 'x', 'y');
    const look = (now: ReturnType<typeof heard> | { status: number; body: null }, then = before) =>
      resultsOf(sameIdentity, { subject: 'a', heard: now, before: then }, undefined).join();
    assert.equal(look(heard('a', 'y', 'x')), 'met');
    for (const other of [heard('b', 'x', 'y'), heard('a', 'x'), heard('a', 'x', 'y', 'z')])
      assert.equal(look(other), 'unmet');
    assert.equal(look({ status: 401, body: null }), 'unmet');
    for (const status of [404, 405, 503]) assert.equal(look({ status, body: null }), 'unclear', String(status));
    assert.equal(
      look(before, { status: 403, body: { status: { userInfo: { username: 'a', groups: [] } } } }),
      'unclear',
    );
  });

  it('is good when it comes', () => {
    const certificate = (notBefore: number, notAfter: number) => ({ notBefore, notAfter }) as Fresh['certificate'];
    const look = (seen: Fresh['certificate']) =>
      resultsOf(goodAtOnce, [{ subject: 'a', certificate: seen }], { now: 100 }).join();
    assert.equal(look(certificate(50, 200)), 'met');
    assert.equal(look(certificate(100, 101)), 'met');
    assert.equal(look(certificate(101, 200)), 'unmet');
    assert.equal(look(certificate(50, 100)), 'unmet');
    assert.equal(look(null), 'unmet');
  });
});
