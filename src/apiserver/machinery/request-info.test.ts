import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { requestInfo, splitPath } from './request-info.js';

const at = (method: string, url: string) => {
  const { pathname, searchParams } = new URL(url, 'https://a');
  return requestInfo(method, decodeURIComponent(pathname), searchParams);
};
/** "verb prefix group/version namespace resource/subresource name"; "-" for what is not there. */
const told = (method: string, url: string): string => {
  const { verb, apiPrefix, group, version, namespace, resource, subresource, name, isResourceRequest } = at(
    method,
    url,
  );
  if (!isResourceRequest) return `${verb} ${apiPrefix || '-'}`;
  const what = [resource || '-', subresource].filter(Boolean).join('/');
  return [verb, apiPrefix, `${group || '-'}/${version}`, namespace || '-', what, name || '-'].join(' ');
};

describe('what a request asks for', () => {
  it('is told by its path and its method', () => {
    for (const [method, url, info] of [
      ['GET', '/api/v1/namespaces', 'list api -/v1 - namespaces -'],
      ['GET', '/api/v1/namespaces/', 'list api -/v1 - namespaces -'],
      ['GET', '/api/v1/namespaces/other', 'get api -/v1 other namespaces other'],
      ['GET', '/api/v1/namespaces/other/pods', 'list api -/v1 other pods -'],
      ['GET', '/api/v1/namespaces/other/pods/foo', 'get api -/v1 other pods foo'],
      ['HEAD', '/api/v1/namespaces/other/pods/foo', 'get api -/v1 other pods foo'],
      ['HEAD', '/api/v1/namespaces/other/pods', 'list api -/v1 other pods -'],
      ['GET', '/api/v1/namespaces/other/pods/foo/log', 'get api -/v1 other pods/log foo'],
      ['GET', '/api/v1/namespaces/other/pods/foo/proxy/a/b', 'get api -/v1 other pods/proxy foo'],
      ['PUT', '/api/v1/namespaces/other/status', 'update api -/v1 other namespaces/status other'],
      ['PUT', '/api/v1/namespaces/other/finalize', 'update api -/v1 other namespaces/finalize other'],
      ['POST', '/api/v1/namespaces/other/pods', 'create api -/v1 other pods -'],
      ['PUT', '/api/v1/nodes/foo', 'update api -/v1 - nodes foo'],
      ['PATCH', '/api/v1/nodes/foo/status', 'patch api -/v1 - nodes/status foo'],
      ['DELETE', '/api/v1/namespaces/other/pods/foo', 'delete api -/v1 other pods foo'],
      ['DELETE', '/api/v1/namespaces/other/pods', 'deletecollection api -/v1 other pods -'],
      ['DELETE', '/api/v1/nodes', 'deletecollection api -/v1 - nodes -'],
      [
        'GET',
        '/apis/rbac.authorization.k8s.io/v1/clusterroles/a',
        'get apis rbac.authorization.k8s.io/v1 - clusterroles a',
      ],
      ['GET', '/apis/apps/v1/namespaces/x/deployments', 'list apis apps/v1 x deployments -'],
      ['GET', '/api/v1/watch/pods', 'watch api -/v1 - pods -'],
      ['GET', '/api/v1/watch/namespaces/x/pods/a', 'watch api -/v1 x pods a'],
      ['GET', '/api/v1/watch/namespaces/x/pods/a/log', 'watch api -/v1 x pods/log a'],
      ['DELETE', '/api/v1/proxy/nodes/a/b', 'proxy api -/v1 - nodes a'],
      ['TRACE', '/api/v1/nodes/a', ' api -/v1 - nodes a'],
      // a namespace of no name is none
      ['GET', '/api/v1/namespaces//pods', 'list api -/v1 - pods -'],
    ] as const)
      assert.equal(told(method, url), info, `${method} ${url}`);
  });

  it('is no resource above one, and elsewhere', () => {
    for (const [method, url, info] of [
      ['GET', '/', 'get -'],
      ['GET', '/api', 'get -'],
      ['GET', '/api/v1', 'get -'],
      ['GET', '/apis', 'get -'],
      ['GET', '/apis/apps', 'get -'],
      ['GET', '/apis/apps/v1', 'get apis'],
      ['POST', '/healthz', 'post -'],
      ['GET', '/openapi/v3/apis/apps', 'get -'],
      ['GET', '/apisx/apps/v1/deployments', 'get -'],
    ] as const)
      assert.equal(told(method, url), info, `${method} ${url}`);
    assert.throws(() => at('GET', '/api/v1/watch'), {
      code: 400,
      message: 'unable to determine kind and namespace from url, /api/v1/watch',
    });
    assert.throws(() => at('GET', '/apis/apps/v1/proxy/'), { code: 400 });
  });

  it('is a watch where that is asked for', () => {
    for (const [query, verb] of [
      ['watch=true', 'watch'],
      ['watch=1', 'watch'],
      ['watch=false', 'list'],
      ['watch=0', 'list'],
      ['', 'list'],
    ] as const)
      assert.equal(at('GET', `/api/v1/pods?${query}`).verb, verb, query);
    assert.equal(at('GET', '/api/v1/namespaces/a/pods/b?watch=true').verb, 'get');
    assert.equal(at('DELETE', '/api/v1/pods?watch=true').verb, 'deletecollection');
  });

  it('is of one object where a list chooses it by its name alone', () => {
    for (const [query, name] of [
      ['fieldSelector=metadata.name%3Da', 'a'],
      ['fieldSelector=metadata.name%3D%3Da', 'a'],
      ['fieldSelector=metadata.name%3Da,spec.x%3Db', 'a'],
      ['watch=true&fieldSelector=metadata.name%3Da', 'a'],
      ['fieldSelector=metadata.name!%3Da', ''],
      ['fieldSelector=metadata.namespace%3Da', ''],
      ['fieldSelector=metadata.name%3Da%2Fb', ''],
      ['fieldSelector=metadata.name%3Da%2525b', ''],
      ['fieldSelector=metadata.name%3D.', ''],
      ['fieldSelector=metadata.name%3D..', ''],
      ['fieldSelector=metadata.name%3D...', '...'],
      ['fieldSelector=metadata.name', ''],
      ['fieldSelector=', ''],
      // options that cannot be read
      ['limit=x&fieldSelector=metadata.name%3Da', ''],
      ['timeoutSeconds=x&fieldSelector=metadata.name%3Da', ''],
      ['labelSelector=a%3D%3D%3Db&fieldSelector=metadata.name%3Da', ''],
      ['limit=5&timeoutSeconds=3&labelSelector=a%3Db&fieldSelector=metadata.name%3Da', 'a'],
    ] as const)
      assert.equal(at('GET', `/api/v1/pods?${query}`).name, name, query);
    assert.equal(at('DELETE', '/api/v1/pods?fieldSelector=metadata.name%3Da').name, '');
  });

  it('tells its selectors as they stand', () => {
    const { fieldSelector, labelSelector } = at('GET', '/api/v1/pods?fieldSelector=a%3Db&labelSelector=c');
    assert.deepEqual([fieldSelector, labelSelector], ['a=b', 'c']);
    const none = at('GET', '/api/v1/pods');
    assert.deepEqual(['fieldSelector' in none, 'labelSelector' in none], [false, false]);
  });

  it('has parts between slashes', () => {
    for (const [path, parts] of [
      ['/', []],
      ['', []],
      ['///', []],
      ['/a/b/', ['a', 'b']],
      ['//a//b//', ['a', '', 'b']],
    ] as const)
      assert.deepEqual(splitPath(path), parts, path);
  });
});
