import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isForeign } from './answers.js';

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
      [302, ''],
      [401, page],
      [401, 'Unauthorized'],
      [403, `\n ${page}`],
      [404, 'default backend - 404'],
      [404, ''],
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
    ] as const)
      assert.equal(isForeign(SECRETS, answer(status, text)), false, `${status} ${text}`);
    assert.equal(isForeign('/livez', answer(200, 'ok')), false);
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
