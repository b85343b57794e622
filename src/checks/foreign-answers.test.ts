import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isForeign } from './foreign-answers.js';

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
      assert.equal(isForeign({ path: SECRETS }, answer(status, text)), true, `${status} ${text}`);
    assert.equal(isForeign({ path: '/version' }, answer(404, '404 page not found')), true);
    assert.equal(isForeign({ path: '/apis/certificates.k8s.io/v1' }, answer(404, '404 page not found\n')), false);
    assert.equal(isForeign({ path: '/apis/certificates.k8s.io/v1' }, answer(404, '<html>')), true);
  });

  it('are no Status, no object and no list', () => {
    for (const [status, text] of [
      [200, '{"kind":"SecretList"}'],
      [403, '{"kind":"Status"}'],
      [404, '{"kind":"Status"}'],
    ] as const)
      assert.equal(isForeign({ path: SECRETS }, answer(status, text)), false, `${status} ${text}`);
    assert.equal(isForeign({ path: SECRETS }, answer(400, '{"kind":"Status"}')), false);
    assert.equal(isForeign({ path: '/livez' }, answer(200, 'ok')), false);
    for (const path of ['/versions', '/livez/ping', '/x/version', '/x/api/v1/pods', '/apis2'])
      assert.equal(isForeign({ path }, answer(302, '')), false, path);
    assert.equal(isForeign({ path: '/version' }, answer(200, 'x')), false);
    assert.equal(isForeign({ path: '/version' }, answer(200, '{"gitVersion":"v1.36.0"}')), false);
    assert.equal(isForeign({ path: '/api' }, answer(200, '{"versions":["v1"]}')), true);
  });

  it('are not what was asked for', () => {
    const foreign = (method: string, path: string, kind: string): boolean =>
      isForeign({ method, path }, answer(200, JSON.stringify({ kind })));
    const [all, one] = [`/api/v1/namespaces/a/configmaps`, `/api/v1/namespaces/a/configmaps/b`];
    const [requests, binding] = ['/apis/certificates.k8s.io/v1/certificatesigningrequests', `${one}/binding`];
    for (const [method, path, kind] of [
      ['GET', all, 'ConfigMap'],
      ['GET', all, 'Table'],
      ['GET', all, 'SecretList'],
      ['GET', all, 'Status'],
      ['GET', one, 'Status'],
      ['GET', one, 'ConfigMapList'],
      ['GET', binding, 'Status'],
      ['POST', all, 'Status'],
      ['POST', all, 'ConfigMapList'],
      ['PATCH', one, 'Secret'],
      ['POST', requests, 'Other'],
      ['GET', '/api/v1/namespaces', 'Namespace'],
      ['GET', '/api/v1/namespaces/a', 'NamespaceList'],
    ] as const)
      assert.equal(foreign(method, path, kind), true, `${method} ${path} ${kind}`);
    for (const [method, path, kind] of [
      ['GET', all, 'ConfigMapList'],
      ['GET', one, 'ConfigMap'],
      ['POST', all, 'ConfigMap'],
      ['DELETE', one, 'Status'],
      ['DELETE', all, 'ConfigMapList'],
      ['POST', binding, 'Status'],
      ['POST', '/api/v1/namespaces/a/bindings', 'Status'],
      ['PUT', '/api/v1/namespaces/a/finalize', 'Namespace'],
      ['POST', requests, 'CertificateSigningRequest'],
      ['GET', '/api/v1/namespaces', 'NamespaceList'],
      ['GET', '/api/v1/namespaces/a', 'Namespace'],
      ['GET', '/apis/networking.k8s.io/v1/networkpolicies', 'NetworkPolicyList'],
      ['GET', '/apis/storage.k8s.io/v1/storageclasses', 'StorageClassList'],
      ['GET', '/api/v1/endpoints', 'EndpointsList'],
      ['GET', '/apis/metrics.k8s.io/v1beta1/nodes', 'NodeMetricsList'],
      ['GET', '/apis/example.com/v1/things', 'Whatever'],
      ['GET', '/apis', 'APIGroupList'],
      ['GET', '/api/v1', 'APIResourceList'],
    ] as const)
      assert.equal(foreign(method, path, kind), false, `${method} ${path} ${kind}`);
    const watch = { path: all, query: { watch: '1' } };
    assert.equal(isForeign(watch, answer(200, '{"type":"ADDED","object":{}}')), false);
    assert.equal(isForeign(watch, answer(200, '')), false);
    assert.equal(isForeign(watch, answer(200, '{"kind":"ConfigMapList"}')), true);
    assert.equal(isForeign({ path: all }, answer(200, '')), true);
    assert.equal(isForeign({ path: all, method: 'HEAD' }, answer(200, '')), false);
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
      assert.equal(isForeign({ path }, answer(403, 'Forbidden (user=a)')), false, path);
  });
});
