import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../../model/finding.js';
import { type Answered, type Heard, seenIn } from '../common/answers.js';
import {
  accessAllowed,
  accessDenied,
  doesSomething,
  holdsSomething,
  requestAllowed,
  requestForbidden,
  requestRefused,
  reviewed,
} from './access.js';
import { access, accessText, questionOf, reviewOf } from './access-questions.js';

const parts = (what: string) => {
  const { group, resource, subresource } = access('get', what);
  return [group, resource, subresource];
};
const answers = (...seen: readonly Heard[]) => seen.map((answer, at) => ({ subject: `row ${at}`, answer }));
const status = (code: number, message = 'pods "a" not found'): Heard => ({ status: code, body: { message } });
const opinion = (allowed: boolean): Heard => ({ status: 201, body: { status: { allowed, reason: 'r' } } });
const results = (findings: readonly Finding[]) => findings.map(({ result }) => result);
const again = <T>(observation: T): T => JSON.parse(JSON.stringify(observation)) as T;

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
    assert.equal(accessText(access('get', 'jobs.batch', 'a', 'b')), 'get jobs.batch b in a');
  });

  it('asks as a review of the holder, of an object or of an address', () => {
    const holder = { user: 'u', groups: ['g'] };
    assert.deepEqual(reviewOf(access('create', 'pods/exec', 'a', 'b'), holder).spec, {
      ...holder,
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
    assert.deepEqual(reviewOf(access('get', '/api/v1'), holder).spec, {
      ...holder,
      nonResourceAttributes: { verb: 'get', path: '/api/v1' },
    });
    assert.equal(accessText(access('get', '/api/v1')), 'get /api/v1');
  });

  for (const [verb, what, method, path, query] of [
    ['list', 'secrets', 'GET', '/api/v1/secrets', { limit: '1' }],
    ['create', 'deployments.apps', 'POST', '/apis/apps/v1/deployments', { dryRun: 'All' }],
    ['patch', 'nodes/status', 'PATCH', '/api/v1/nodes/joinproof-asks/status', { dryRun: 'All' }],
    ['delete', 'pods', 'DELETE', '/api/v1/pods/joinproof-asks', { dryRun: 'All' }],
    ['get', 'nodes/proxy', 'GET', '/api/v1/nodes/joinproof-asks/proxy', {}],
    ['get', '/version', 'GET', '/version', {}],
    [
      'deletecollection',
      'pods',
      'DELETE',
      '/api/v1/pods',
      { dryRun: 'All', labelSelector: 'joinproof.io/no-such-object=true' },
    ],
  ] as const) {
    it(`tries "${verb} ${what}" without leaving a trace`, () => {
      const question = questionOf(access(verb, what));
      assert.deepEqual([question.method, question.path, question.query], [method, path, query]);
    });
  }
});

describe('a request that tries', () => {
  it('to list or watch one name is authorized by that name', () => {
    const only = { fieldSelector: 'metadata.name=a' };
    assert.deepEqual(questionOf(access('list', 'secrets', 'x', 'a')).query, { limit: '1', ...only });
    assert.deepEqual(questionOf(access('watch', 'secrets', 'x', 'a')).query, {
      watch: 'true',
      timeoutSeconds: '1',
      ...only,
    });
  });

  it('to delete deletes nothing, even where its query is lost', () => {
    const nothing = { apiVersion: 'v1', kind: 'DeleteOptions', dryRun: ['All'] };
    assert.deepEqual(questionOf(access('deletecollection', 'pods', 'x')).body, nothing);
    assert.deepEqual(questionOf(access('delete', 'pods', 'x', 'a')).body, {
      ...nothing,
      preconditions: { uid: '00000000-0000-4000-8000-000000000000' },
    });
  });

  it('to bind says what and to whom', () => {
    const target = { metadata: { name: 'jp-absent' }, target: { kind: 'Node', name: 'jp-absent' } };
    assert.deepEqual(questionOf(access('create', 'pods/binding', 'x', 'jp-absent')).body, target);
    assert.deepEqual(questionOf(access('create', 'bindings', 'x')).body, target);
  });

  it('is none for verbs that no request is authorized as', () => {
    for (const verb of ['bind', 'escalate', 'impersonate', 'approve', '*'])
      assert.throws(() => questionOf(access(verb, 'x')), /put it to the API server in reviews/);
  });
});

describe('what an answer says of access', () => {
  it('is read without what is not judged', () => {
    const list = { kind: 'SecretList', items: [{ data: { token: 'cXdlcnR5' } }], metadata: {} };
    assert.deepEqual(seenIn({ status: 200, body: list }), { status: 200, body: {} });
    assert.deepEqual(seenIn({ status: 200, body: 'text' }), { status: 200, body: null });
    const review = { kind: 'SubjectAccessReview', spec: {}, status: { allowed: true } };
    assert.deepEqual(seenIn({ status: 201, body: review }), { status: 201, body: { status: { allowed: true } } });
    assert.deepEqual(seenIn({ status: 403, body: { kind: 'Status', status: 'Failure', message: 'no' } }), {
      status: 403,
      body: { message: 'no' },
    });
  });

  it('of a review is an opinion, and of nothing else', () => {
    assert.deepEqual(reviewed(opinion(true)), { allowed: true, reason: 'r' });
    assert.ok('unclear' in reviewed(status(403)));
    assert.ok('unclear' in reviewed({ status: 201, body: { status: {} } }));
    assert.ok('unclear' in reviewed({ status: 201, body: null }));
    const rows = answers(opinion(true), opinion(false), status(403));
    assert.deepEqual(results(accessAllowed.judge(again(rows), undefined)), ['met', 'unmet', 'unclear']);
    assert.deepEqual(results(accessDenied.judge(again(rows), undefined)), ['unmet', 'met', 'unclear']);
  });

  it('of a real request is let through by what is said of the request itself', () => {
    const forbidden = (...seen: readonly Heard[]) =>
      results(requestForbidden.judge(again(answers(...seen)), undefined));
    for (const code of [200, 201, 202]) assert.deepEqual(forbidden(status(code)), ['unmet']);
    for (const code of [400, 404, 409, 415, 422]) assert.deepEqual(forbidden(status(code, 'no')), ['unclear']);
    assert.deepEqual(forbidden(status(403)), ['met']);
    for (const code of [0, 401, 410, 429, 500, 503]) assert.deepEqual(forbidden(status(code)), ['unclear']);
    assert.deepEqual(forbidden(status(404, 'no such path'), status(400, 'no dry runs')), ['unclear', 'unclear']);
    assert.deepEqual(forbidden(status(200), status(403), status(404)), ['unmet', 'met', 'unmet'], 'all rows');
    const behind = { status: 503, body: { message: 'error trying to reach service: dial tcp: no route to host' } };
    assert.deepEqual(forbidden(behind, { ...behind, status: 500 }), ['unmet', 'unclear']);
    const log = { ...answers(status(404, 'no such path'))[0], unserved: true } as Answered;
    assert.deepEqual(results(requestForbidden.judge([log], undefined)), ['unclear']);
    assert.deepEqual(results(requestForbidden.judge([log, ...answers(status(403))], undefined)), ['unmet', 'met']);
    const gone = answers(status(404), status(200)).map((one) => ({ ...one, gone: true as const }));
    assert.deepEqual(results(requestForbidden.judge(gone, undefined)), ['unclear', 'unmet']);
  });

  it('of a real request comes through by its status', () => {
    const denied = status(403, 'pods is forbidden: User "u" cannot list resource "pods"');
    const rows = again(answers(status(200), denied, status(401), status(503), status(403, 'Blocked')));
    assert.deepEqual(results(requestAllowed.judge(rows, {})), ['met', 'unmet', 'unmet', 'unclear', 'unclear']);
    assert.deepEqual(results(requestAllowed.judge(answers(status(404), status(200)), { statuses: [404] })), [
      'met',
      'unmet',
    ]);
  });

  it('of a claim is a refusal by the statuses that are named', () => {
    const rows = again(answers(status(403), status(200), status(500)));
    assert.deepEqual(results(requestRefused.judge(rows, { statuses: [403] })), ['met', 'unmet', 'unclear']);
    assert.deepEqual(results(requestRefused.judge(rows, { statuses: [400, 403, 500] })), ['met', 'unmet', 'met']);
    assert.deepEqual(results(requestRefused.judge(rows, { statuses: [400] })), ['unmet', 'unmet', 'unclear']);
  });

  it('tells refusals from passages', () => {
    const refusals = [accessDenied, requestForbidden].flatMap((check) => check.judge(answers(status(403)), undefined));
    const passages = [
      ...accessAllowed.judge(answers(opinion(true)), undefined),
      ...requestAllowed.judge(answers(status(200)), {}),
    ];
    assert.ok(refusals.every(({ refusal }) => refusal === true));
    assert.ok(passages.every(({ refusal }) => refusal === undefined));
  });
});

describe('whoever is refused something', () => {
  const held = (...seen: readonly Heard[]) =>
    results(holdsSomething.judge([{ subject: 'x', answers: again(answers(...seen)) }], undefined));
  const done = (...seen: readonly Heard[]) =>
    results(doesSomething.judge([{ subject: 'x', answers: again(answers(...seen)) }], undefined));

  it('is allowed something else, by one review of several', () => {
    assert.deepEqual(held(opinion(false), opinion(true)), ['met']);
    assert.deepEqual(held(opinion(false), opinion(false)), ['unmet']);
    assert.deepEqual(held(opinion(false), status(500)), ['unclear']);
    assert.deepEqual(held(status(500), opinion(true)), ['met']);
  });

  it('gets something else through, by one request of several', () => {
    assert.deepEqual(done(status(403), status(201)), ['met']);
    assert.deepEqual(done(status(403), status(404)), ['unmet']);
    assert.deepEqual(done(status(403), status(429)), ['unclear']);
  });

  it('is judged one by one', () => {
    const rows = [
      { subject: 'a', answers: answers(opinion(true)) },
      { subject: 'b', answers: answers(opinion(false)) },
    ];
    assert.deepEqual(results(holdsSomething.judge(rows, undefined)), ['met', 'unmet']);
  });
});
