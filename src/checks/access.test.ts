import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { access, accessText, judgeForbidden, questionOf, reviewed, reviewOf } from './access.js';

const parts = (what: string) => {
  const { group, resource, subresource } = access('get', what, '', '');
  return [group, resource, subresource];
};

describe('access in the notation of kubectl', () => {
  it('takes resource, group and subresource apart', () => {
    assert.deepEqual(parts('pods'), ['', 'pods', '']);
    assert.deepEqual(parts('pods/exec'), ['', 'pods', 'exec']);
    assert.deepEqual(parts('deployments.apps'), ['apps', 'deployments', '']);
    assert.deepEqual(parts('certificatesigningrequests.certificates.k8s.io/approval'), [
      'certificates.k8s.io',
      'certificatesigningrequests',
      'approval',
    ]);
  });

  it('asks as a review of the holder', () => {
    const review = reviewOf(access('create', 'pods/exec', 'a', 'b'), { user: 'u', groups: ['g'] });
    assert.deepEqual(review.spec, {
      user: 'u',
      groups: ['g'],
      resourceAttributes: {
        verb: 'create',
        group: '',
        version: '*',
        resource: 'pods',
        subresource: 'exec',
        namespace: 'a',
        name: 'b',
      },
    });
  });

  for (const [verb, what, method, path, query] of [
    ['list', 'secrets', 'GET', '/api/v1/secrets', { limit: '1' }],
    ['create', 'deployments.apps', 'POST', '/apis/apps/v1/deployments', { dryRun: 'All' }],
    ['patch', 'nodes/status', 'PATCH', '/api/v1/nodes/joinproof-asks/status', { dryRun: 'All' }],
    ['delete', 'pods', 'DELETE', '/api/v1/pods/joinproof-asks', { dryRun: 'All' }],
    ['get', 'nodes/proxy', 'GET', '/api/v1/nodes/joinproof-asks/proxy', {}],
  ] as const) {
    it(`tries "${verb} ${what}" without leaving a trace`, () => {
      const question = questionOf(access(verb, what, '', ''));
      assert.deepEqual([question.method, question.path, question.query], [method, path, query]);
    });
  }

  it('takes every answer but 401, 403, 429 and 5xx for let through', () => {
    const wanted = access('create', 'pods', 'a', '');
    const judged = (status: number) => judgeForbidden(wanted, 'x', { status, body: undefined });
    for (const status of [200, 201, 400, 404, 409, 415, 422])
      assert.equal((judged(status) as { ok?: boolean }).ok, false, String(status));
    assert.equal((judged(403) as { ok: boolean }).ok, true);
    for (const status of [401, 429, 500, 503]) assert.ok('unclear' in judged(status), String(status));
    const proxied = judgeForbidden(access('get', 'nodes/proxy', '', 'n'), 'x', { status: 503, body: undefined });
    assert.equal((proxied as { ok?: boolean }).ok, false);
  });

  it('reads the answer of a review, and nothing else for one', () => {
    assert.deepEqual(reviewed({ status: 201, body: { status: { allowed: true, reason: 'r' } } }), {
      allowed: true,
      reason: 'r',
    });
    assert.ok('unclear' in reviewed({ status: 403, body: { message: 'no' } }));
    assert.ok('unclear' in reviewed({ status: 201, body: { status: {} } }));
    assert.equal(accessText(access('get', 'jobs.batch', 'a', 'b')), 'get jobs.batch b in a');
  });
});
