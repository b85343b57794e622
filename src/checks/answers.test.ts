import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isForbiddenElsewhere, isForeign, isInternal, isLetThrough, saysNothing, seenIn } from './answers.js';

const SECRETS = '/api/v1/secrets';
const page = '<!DOCTYPE html><p>Log in</p>';
const answer = (status: number, text: string) => ({
  status,
  text,
  body: text.startsWith('{') ? (JSON.parse(text) as unknown) : undefined,
});

describe('answers of something before the API server', () => {
  it('are pages, detours, and words where a Status should be', () => {
    for (const [status, text] of [
      [200, page],
      [200, `\n ${page}`],
      [300, ''],
      [302, ''],
      [399, '{"kind":"Status"}'],
      [400, '{"kind":"SecretList"}'],
      [401, page],
      [401, 'Unauthorized'],
      [403, `\n ${page}`],
      [404, 'default backend - 404'],
      [404, ''],
      [403, '{"error":"access denied"}'],
      [401, '{"kind":"Error"}'],
      [200, '{}'],
      [200, '{"items":[]}'],
    ] as const)
      assert.equal(isForeign(SECRETS, answer(status, text)), true, `${status} ${text}`);
    assert.equal(isForeign('/version', answer(404, '404 page not found')), true);
    assert.equal(isForeign('/apis/certificates.k8s.io/v1', answer(404, '404 page not found\n')), false);
    assert.equal(isForeign('/apis/certificates.k8s.io/v1', answer(404, '<html>')), true);
  });

  it('are no Status, no object and no list', () => {
    for (const [status, text] of [
      [200, '{"kind":"SecretList"}'],
      [200, ''],
      [403, '{"kind":"Status"}'],
      [404, '{"kind":"Status"}'],
      [200, '{"type":"ADDED","object":{}}'],
    ] as const)
      assert.equal(isForeign(SECRETS, answer(status, text)), false, `${status} ${text}`);
    assert.equal(isForeign(SECRETS, answer(400, '{"kind":"Status"}')), false);
    assert.equal(isForeign('/livez', answer(200, 'ok')), false);
    for (const path of ['/versions', '/livez/ping', '/x/version', '/x/api/v1/pods', '/apis2'])
      assert.equal(isForeign(path, answer(302, '')), false, path);
    assert.equal(isForeign('/version', answer(200, 'x')), false);
    assert.equal(isForeign('/version', answer(200, '{"gitVersion":"v1.36.0"}')), false);
    assert.equal(isForeign('/api', answer(200, '{"versions":["v1"]}')), true);
  });

  it('are not told from those of kubelets and Pods, which come through the API server', () => {
    for (const path of [
      '/api/v1/nodes/a/proxy/logs/',
      '/api/v1/namespaces/a/pods/b/log',
      '/api/v1/namespaces/a/pods/b/exec',
      '/api/v1/namespaces/a/services/b:80/proxy',
      '/debug/pprof/',
      '/logs/',
    ])
      assert.equal(isForeign(path, answer(403, 'Forbidden (user=a)')), false, path);
  });
});

describe('what authorization has let through', () => {
  const through = (status: number, message = '') =>
    isLetThrough({ status, body: { kind: 'Status', reason: 'x', message } });

  it('is done, or found wanting for what it is', () => {
    for (const status of [200, 201, 202, 400, 409, 415, 422]) assert.equal(through(status), true, `${status}`);
    assert.equal(through(404, 'pods "a" not found'), true);
    assert.equal(through(503, 'error trying to reach service: dial tcp: refused'), true);
    assert.equal(through(400, 'admission webhook "a.b" does not support dry run'), true);
  });
  it('is not what is forbidden', () => assert.equal(through(403), false));
  it('is not known of answers that hide it, know no dry runs, come from elsewhere or from nobody', () => {
    assert.equal(through(404, 'the server could not find the requested resource'), undefined);
    assert.equal(through(404), undefined);
    assert.equal(through(400, 'dry run is not supported here'), undefined);
    assert.equal(through(400, 'the dryRun query is unknown'), undefined);
    assert.equal(through(422, 'dry-run is not supported'), undefined);
    for (const status of [0, 302, 401, 405, 406, 408, 410, 429, 451, 500, 503])
      assert.equal(through(status), undefined);
  });
});

describe('what is forbidden', () => {
  const forbidden = (message: string): boolean => isForbiddenElsewhere({ status: 403, body: { message } });
  it('is so in the words of an API server, its authorizers and its admission', () => {
    for (const message of [
      '',
      'secrets is forbidden: User "system:anonymous" cannot list resource "secrets" in API group "" at the cluster scope',
      'forbidden: User "system:anonymous" cannot get path "/x"',
      'nodes "b" is forbidden: node "a" is not allowed to modify node "b"',
      'admission webhook "w.example.com" denied the request: no',
    ])
      assert.equal(forbidden(message), false, message);
  });

  it('says nothing in other words', () => {
    for (const message of ['no', 'Access to this page is blocked', 'forbidden']) assert.ok(forbidden(message), message);
  });
});

describe('an answer, as a report shows it', () => {
  it('is its status, its message and the opinion of a review', () => {
    const review = { kind: 'SubjectAccessReview', status: { allowed: true } };
    for (const [body, shown] of [
      [null, null],
      ['words', null],
      [{ kind: 'Secret', data: { a: 'b' }, status: { c: 'd' } }, {}],
      [{ kind: 'SubjectAccessReview' }, {}],
      [
        { ...review, message: 'm' },
        { message: 'm', status: { allowed: true } },
      ],
    ] as const)
      assert.deepEqual(seenIn({ status: 201, body }), { status: 201, body: shown });
  });

  it('says nothing from a server that is busy or broken', () => {
    for (const [status, nothing] of [
      [0, true],
      [200, false],
      [204, true],
      [205, false],
      [429, true],
      [499, false],
      [500, true],
      [599, true],
    ] as const)
      assert.equal(saysNothing(status), nothing, `${status}`);
    assert.deepEqual([isInternal({ status: 500, body: 0 }), isInternal({ status: 501, body: 0 })], [true, false]);
    assert.equal(isLetThrough({ status: 300, body: {} }), undefined);
  });
});
