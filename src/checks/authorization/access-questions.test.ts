import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { access, accessText, isUnserved, questionOf, resourceIn, reviewOf } from './access-questions.js';

const DRY = { dryRun: 'All' };
const PODS = '/api/v1/namespaces/a/pods';

describe('access as kubectl writes it', () => {
  it('is read and told', () => {
    assert.deepEqual(resourceIn('pods/exec'), { group: '', resource: 'pods', subresource: 'exec' });
    assert.deepEqual(resourceIn('roles.rbac.authorization.k8s.io'), {
      group: 'rbac.authorization.k8s.io',
      resource: 'roles',
      subresource: '',
    });
    assert.deepEqual(access('get', '/api', 'a', 'b'), {
      verb: 'get',
      group: '',
      resource: '/api',
      subresource: '',
      namespace: '',
      name: '',
    });
    assert.equal(accessText(access('get', 'deployments.apps/scale', 'a', 'b')), 'get deployments.apps/scale b in a');
    assert.equal(accessText(access('list', 'nodes')), 'list nodes');
  });
});

describe('the review of an access', () => {
  const asked = { user: 'u', groups: ['g'] };
  const specOf = (wanted: ReturnType<typeof access>): unknown => {
    const { spec, ...rest } = reviewOf(wanted, asked);
    assert.deepEqual(rest, { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', metadata: {} });
    return spec;
  };

  it('asks for what is wanted, and names no more', () => {
    assert.deepEqual(specOf(access('get', '/version')), {
      ...asked,
      nonResourceAttributes: { verb: 'get', path: '/version' },
    });
    const bare = { verb: 'list', group: '', version: '*', resource: 'pods' };
    assert.deepEqual(specOf(access('list', 'pods')), { ...asked, resourceAttributes: bare });
    assert.deepEqual(specOf(access('get', 'deployments.apps/scale', 'a', 'b')), {
      ...asked,
      resourceAttributes: {
        verb: 'get',
        group: 'apps',
        version: '*',
        resource: 'deployments',
        subresource: 'scale',
        namespace: 'a',
        name: 'b',
      },
    });
  });
});

describe('the request of an access', () => {
  const question = (verb: string, what: string, where = 'a', name = 'b') => questionOf(access(verb, what, where, name));

  it('is the one that is authorized as that verb, and does nothing', () => {
    const gone = { apiVersion: 'v1', kind: 'DeleteOptions', dryRun: ['All'] };
    const uid = '00000000-0000-4000-8000-000000000000';
    assert.deepEqual(question('get', 'pods'), { method: 'GET', path: `${PODS}/b`, query: {} });
    assert.deepEqual(question('get', '/version'), { method: 'GET', path: '/version', query: {} });
    assert.deepEqual(question('list', 'pods', 'a', ''), { method: 'GET', path: PODS, query: { limit: '1' } });
    assert.deepEqual(question('list', 'pods').query, { limit: '1', fieldSelector: 'metadata.name=b' });
    assert.deepEqual(question('watch', 'pods', 'a', '').query, { watch: 'true', timeoutSeconds: '1' });
    assert.deepEqual(question('update', 'pods'), { method: 'PUT', path: `${PODS}/b`, query: DRY, body: {} });
    assert.deepEqual(question('patch', 'pods/status'), {
      method: 'PATCH',
      path: `${PODS}/b/status`,
      query: DRY,
      body: {},
      contentType: 'application/merge-patch+json',
    });
    assert.deepEqual(question('delete', 'pods'), {
      method: 'DELETE',
      path: `${PODS}/b`,
      query: DRY,
      body: { ...gone, preconditions: { uid } },
    });
    assert.deepEqual(question('deletecollection', 'pods', 'a', ''), {
      method: 'DELETE',
      path: PODS,
      query: { ...DRY, labelSelector: 'joinproof.io/no-such-object=true' },
      body: gone,
    });
    assert.throws(() => question('bind', 'roles'), /no request is authorized as "bind"/);
  });

  it('goes to the group, the scope and the object that are meant', () => {
    assert.equal(question('get', 'nodes', '', 'x/y').path, '/api/v1/nodes/x%2Fy');
    assert.equal(question('get', 'nodes', '', '').path, '/api/v1/nodes/joinproof-asks');
    assert.equal(question('get', 'deployments.apps/scale').path, '/apis/apps/v1/namespaces/a/deployments/b/scale');
  });

  it('creates with a body that the server does not stumble over', () => {
    const rbac = 'rbac.authorization.k8s.io';
    const made = (what: string, where: string, name = '') => question('create', what, where, name);
    assert.deepEqual(made('pods', 'a'), { method: 'POST', path: PODS, query: DRY, body: {} });
    assert.deepEqual(made('pods/exec', 'a', 'b').path, `${PODS}/b/exec`);
    const roleRef = (kind: string) => ({ apiGroup: rbac, kind, name: 'jp-absent' });
    const metadata = { name: 'jp-absent' };
    assert.deepEqual(made(`rolebindings.${rbac}`, 'a').body, { metadata, roleRef: roleRef('Role') });
    assert.deepEqual(made(`clusterrolebindings.${rbac}`, '', 'b').body, {
      metadata: { name: 'b' },
      roleRef: roleRef('ClusterRole'),
    });
    for (const what of ['pods/bindings', 'pods/Binding', 'binding', 'Bindings', 'rolebinding'])
      assert.deepEqual(made(what, 'a', 'b').body, {}, what);
    for (const what of ['bindings', 'pods/binding']) assert.notDeepEqual(made(what, 'a', 'b').body, {}, what);
  });
});

it('what kubelets serve is not served by an API server', () => {
  for (const name of ['log', 'stats', 'metrics', 'spec', 'pods', 'configz', 'healthz', 'checkpoint'])
    assert.ok(isUnserved({ path: `/api/v1/nodes/a/${name}` }), name);
  for (const name of ['proxy', 'status', 'logs', 'x/pods', 'pods/x'])
    assert.ok(!isUnserved({ path: `/api/v1/nodes/a/${name}` }), name);
});
