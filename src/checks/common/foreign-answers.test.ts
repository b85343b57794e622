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
      ['GET', all, 'ConfigMapLost'],
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

  it('are of the kind of their path, in every plural and group of Kubernetes alone', () => {
    const is = (path: string, kind: string, more: { readonly method?: string } = {}): boolean =>
      isForeign({ path, ...more }, answer(200, JSON.stringify({ kind })));
    for (const [path, kind] of [
      ['/api/v1/secrets', 'SecretList'],
      ['/api/v1/nodes/a', 'Node'],
      ['/apis/apps/v1/deployments', 'DeploymentList'],
      ['/apis/rbac.authorization.k8s.io/v1/namespaces/a/roles/b', 'Role'],
      ['/apis/networking.k8s.io/v1/ingresses/a', 'Ingress'],
      ['/apis/networking.k8s.io/v1/networkpolicies/a', 'NetworkPolicy'],
      ['/api/v1/namespaces/a/endpoints/b', 'Endpoints'],
      ['/apis/certificates.k8s.io/v1/certificatesigningrequests/a/status', 'Other'],
      ['/api/v1/watch/secrets', 'Other'],
      ['/api/v1/status', 'Other'],
      ['/api/v1/bindings', 'Other'],
      ['/api/v1/namespaces/a/status', 'Other'],
      ['/api/v1/namespaces/a/finalize', 'Other'],
      ['/apis/metrics.k8s.io/v1beta1/nodes/a', 'NodeMetrics'],
      ['/apis/example.com/v1/things/a', 'Whatever'],
      ['/apis/k8s.io.example/v1/secrets/a', 'Whatever'],
    ] as const)
      assert.equal(is(path, kind), false, `${path} ${kind}`);
    for (const [path, kind] of [
      ['/api/v1/secrets', 'Secret'],
      ['/api/v1/secrets', 'XList'],
      ['/api/v1/secrets/a', 'Secretss'],
      ['/api/v1/secrets/a', 'List'],
      ['/apis/apps/v1/deployments/a', 'DaemonSet'],
      ['/apis/apps/v1/namespaces/a/deployments', 'DaemonSetList'],
      ['/apis/certificates.k8s.io/v1beta1/certificatesigningrequests/a', 'Certificate'],
    ] as const)
      assert.equal(is(path, kind), true, `${path} ${kind}`);
    assert.equal(is('/api/v1/secrets/a', 'Status', { method: 'DELETE' }), false);
    assert.equal(is('/api/v1/secrets/a', 'Other', { method: 'OPTIONS' }), false);
    assert.equal(is('/api/v1/secrets/a', 'Other', { method: 'PUT' }), true);
  });

  it('are looked at where an API server answers itself', () => {
    for (const path of [
      '/version',
      ...['livez', 'readyz', 'healthz', 'api', 'api/', 'apis', 'apis/', 'api/v1', 'apis/apps/v1'].map(
        (one) => `/${one}`,
      ),
      '/api/v1/namespaces/a/pods/logger',
      '/api/v1/namespaces/a/pods/b/status',
    ])
      assert.equal(isForeign({ path }, answer(302, '')), true, path);
    for (const path of [
      '/api/v1/namespaces/a/pods/b/attach',
      '/api/v1/namespaces/a/pods/b/portforward',
      '/api/v1/nodes/a/proxy',
      '/readyz/etcd',
      '/healthz/ping',
      '/version/',
      'version',
      '/apix',
    ])
      assert.equal(isForeign({ path }, answer(302, '')), false, path);
  });

  it('are no detour outside 300 to 399, and no words that an API server says itself', () => {
    const is = (path: string, status: number, text: string): boolean => isForeign({ path }, answer(status, text));
    assert.deepEqual([is(SECRETS, 299, '{"kind":"SecretList"}'), is('/livez', 299, 'ok')], [false, false]);
    assert.deepEqual([is('/livez', 300, 'ok'), is('/livez', 399, 'ok')], [true, true]);
    assert.deepEqual([is('/livez', 399, '<'), is('/livez', 200, ' <p>')], [true, true]);
    assert.equal(is('/livez', 400, 'x'), true);
    assert.equal(is('/livez', 500, '{"kind":"Status"}'), false);
    assert.equal(is('/apis/apps/v1', 404, ' 404 page not found '), false);
    assert.equal(is('/apis/apps/v1', 404, '404 page not found: nginx'), true);
    assert.equal(is('/api/v1', 404, '404 page not found'), true);
    assert.equal(is('/apis', 404, '404 page not found'), true);
  });

  it('are told of a watch by its events', () => {
    const is = (text: string, watch: unknown): boolean =>
      isForeign({ path: SECRETS, query: { watch } }, answer(200, text));
    assert.deepEqual([is('{"type":"ADDED"}', 'true'), is('', '1')], [false, false]);
    assert.deepEqual([is('{"type":1}', 'true'), is('{"kind":"SecretList"}', '')], [true, true]);
    assert.deepEqual([is('{"kind":"SecretList"}', undefined), is('{"type":"ADDED"}', undefined)], [false, true]);
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
