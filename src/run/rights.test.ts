import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Exchange } from '../targets/types.js';
import { merged, removalOf, rightsOf, rolesOf, type Single } from './rights.js';

const asked = (method: string, path: string, body?: object, status = 200): Exchange => ({
  at: '2026-01-31T00:00:00Z',
  as: 'admin',
  method,
  path,
  status,
  milliseconds: 1,
  ...(body === undefined ? {} : { requestBody: JSON.stringify(body) }),
});
/** "get secrets kube-system/a", the group before a "|". */
const told = ({ verb, group, resource, namespace, name }: Single): string =>
  `${verb} ${group === '' ? '' : `${group}|`}${resource}${namespace === undefined ? '' : ` ${namespace}/`}${name === undefined ? '' : ` ${name}`}`;
const taken = (...given: Parameters<typeof asked>): readonly string[] => rightsOf(asked(...given)).map(told);

describe('the rights that a request takes', () => {
  it('are to read one, all, or all from now on', () => {
    const api = '/api/v1/namespaces/kube-system/configmaps';
    assert.deepEqual(taken('GET', `${api}/kubeadm-config`), ['get configmaps kube-system/ kubeadm-config']);
    assert.deepEqual(taken('HEAD', `${api}/kubeadm-config`).slice(0, 1), [
      'get configmaps kube-system/ kubeadm-config',
    ]);
    assert.deepEqual(taken('GET', api), ['list configmaps kube-system/']);
    assert.deepEqual(taken('GET', `${api}?limit=5`), ['list configmaps kube-system/']);
    for (const query of ['watch=true', 'watch=1', 'limit=5&watch=true'])
      assert.deepEqual(taken('GET', `${api}?${query}`), ['watch configmaps kube-system/'], query);
    for (const query of ['watch=false', 'rewatch=true'])
      assert.deepEqual(taken('GET', `${api}?${query}`), ['list configmaps kube-system/'], query);
    assert.deepEqual(taken('GET', '/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode'), [
      'get rbac.authorization.k8s.io|clusterroles system:node',
    ]);
  });

  it('are to change what is there, a part of it named as such', () => {
    const api = '/apis/apps/v1/namespaces/a/deployments';
    assert.deepEqual(taken('PUT', `${api}/b`), ['update apps|deployments a/ b']);
    assert.deepEqual(taken('PATCH', `${api}/b/status`), ['patch apps|deployments/status a/ b']);
    assert.deepEqual(taken('DELETE', `${api}/b`), ['delete apps|deployments a/ b']);
    assert.deepEqual(taken('DELETE', api), ['deletecollection apps|deployments a/']);
  });

  it('name nothing that passes: what is made up for a run, and machines', () => {
    for (const [path, resource] of [
      ['/api/v1/nodes/worker', 'nodes'],
      [
        '/apis/certificates.k8s.io/v1/certificatesigningrequests/mine',
        'certificates.k8s.io|certificatesigningrequests',
      ],
      ['/api/v1/persistentvolumes/jp-a', 'persistentvolumes'],
      ['/api/v1/persistentvolumes/joinproof-a', 'persistentvolumes'],
      ['/api/v1/persistentvolumes/bootstrap-token-a', 'persistentvolumes'],
      ['/api/v1/persistentvolumes/csr-a', 'persistentvolumes'],
      ['/api/v1/persistentvolumes/node-csr-a', 'persistentvolumes'],
      ['/api/v1/persistentvolumes/a-jp-a', 'persistentvolumes a-jp-a'],
    ] as const)
      assert.deepEqual(taken('GET', path), [`get ${resource}`], path);
    assert.deepEqual(taken('GET', '/api/v1/namespaces/a/pods/b'), ['get pods a/']);
    assert.deepEqual(taken('GET', '/api/v1/namespaces/a/events/b'), ['get events a/']);
  });

  it('are, where something is made, to remove it as well; a question makes nothing', () => {
    const removing = ['get', 'list', 'patch', 'delete', 'deletecollection'];
    assert.deepEqual(taken('POST', '/api/v1/namespaces/a/secrets', {}), [
      'create secrets a/',
      ...removing.map((verb) => `${verb} secrets a/`),
    ]);
    assert.deepEqual(taken('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', {}), [
      'create authorization.k8s.io|subjectaccessreviews',
    ]);
    assert.deepEqual(taken('POST', '/apis/authentication.k8s.io/v1/tokenreviews', {}), [
      'create authentication.k8s.io|tokenreviews',
    ]);
    // of a part nothing is made
    assert.deepEqual(taken('POST', '/api/v1/namespaces/a/serviceaccounts/b/token', {}), [
      'create serviceaccounts/token a/',
    ]);
  });

  it('are none where everybody may ask, and where it is no kind', () => {
    for (const kind of ['selfsubjectaccessreviews', 'selfsubjectrulesreviews', 'selfsubjectreviews'])
      assert.deepEqual(taken('POST', `/apis/authorization.k8s.io/v1/${kind}`, {}), [], kind);
    for (const path of ['/version', '/healthz', '/api', '/apis/apps']) assert.deepEqual(taken('GET', path), [], path);
  });

  it('are also to decide for a signer, and to bind the role that a binding names', () => {
    const request = '/apis/certificates.k8s.io/v1/certificatesigningrequests/a';
    const decided = (part: string): string | undefined => taken('PUT', `${request}/${part}`).at(-1);
    assert.equal(decided('approval'), 'approve certificates.k8s.io|signers');
    assert.equal(decided('status'), 'sign certificates.k8s.io|signers');
    assert.equal(taken('PUT', request).length, 1);
    const group = 'rbac.authorization.k8s.io';
    const bound = (path: string, roleRef: object): string | undefined =>
      taken('POST', `/apis/${group}/v1/${path}`, { roleRef }).at(-1);
    assert.equal(
      bound('clusterrolebindings', { kind: 'ClusterRole', name: 'view' }),
      `bind ${group}|clusterroles view`,
    );
    assert.equal(bound('namespaces/a/rolebindings', { kind: 'Role', name: 'own' }), `bind ${group}|roles own`);
    assert.ok(!taken('POST', `/apis/${group}/v1/clusterroles`, {}).some((one) => one.startsWith('bind')));
    const broken = { ...asked('POST', `/apis/${group}/v1/clusterrolebindings`), requestBody: '{' };
    assert.equal(rightsOf(broken).at(-1)?.verb, 'bind');
  });
});

describe('the rights to remove what others make', () => {
  const secrets = '/api/v1/namespaces/a/secrets';
  const removed = (...given: Parameters<typeof asked>): readonly string[] =>
    removalOf(asked(...given)).map(({ verb }) => verb);

  it('are those beside the one to make it', () => {
    assert.deepEqual(removed('POST', secrets, {}, 201), ['get', 'list', 'patch', 'delete', 'deletecollection']);
  });

  it('are none where nothing was made', () => {
    assert.deepEqual(removed('POST', secrets, {}, 403), []);
    assert.deepEqual(removed('PUT', `${secrets}/b`, {}, 201), []);
    assert.deepEqual(removed('POST', `${secrets}?dryRun=All`, {}, 201), []);
    assert.deepEqual(removed('POST', `${secrets}?pretty=1&dryRun=All`, {}, 201), []);
  });
});

describe('many rights', () => {
  const right = (verb: string, resource: string, more: Partial<Single> = {}): Single => ({
    ...{ verb, group: '', resource },
    ...more,
  });

  it('are one for each kind, namespace and set of names, in order', () => {
    assert.deepEqual(
      merged([
        right('list', 'secrets', { namespace: 'b' }),
        right('get', 'secrets', { namespace: 'b' }),
        right('get', 'secrets', { namespace: 'b' }),
        right('get', 'configmaps', { namespace: 'a', name: 'y' }),
        right('get', 'configmaps', { namespace: 'a', name: 'x' }),
        right('get', 'configmaps', { namespace: 'a', name: 'y' }),
        right('list', 'nodes'),
        right('list', 'deployments', { group: 'apps' }),
      ]),
      [
        { verbs: ['list'], group: '', resource: 'nodes' },
        { verbs: ['list'], group: 'apps', resource: 'deployments' },
        { verbs: ['get'], group: '', resource: 'configmaps', namespace: 'a', names: ['x', 'y'] },
        { verbs: ['get', 'list'], group: '', resource: 'secrets', namespace: 'b' },
      ],
    );
  });

  it('say nothing again that is allowed everywhere, or for all of a namespace', () => {
    const all = right('get', 'secrets');
    const here = right('get', 'secrets', { namespace: 'a' });
    const one = right('get', 'secrets', { namespace: 'a', name: 'x' });
    const said = { verbs: ['get'], group: '', resource: 'secrets' };
    assert.deepEqual(merged([one, here, all]), [said]);
    assert.deepEqual(merged([here, all]), [said]);
    assert.deepEqual(merged([one, all]), [said]);
    assert.deepEqual(merged([right('get', 'secrets', { name: 'x' }), all]), [said]);
    assert.deepEqual(merged([one, here]), [{ ...said, namespace: 'a' }]);
  });

  it('stay beside each other where verb, group, kind or namespace is another one', () => {
    const narrow = right('get', 'secrets', { namespace: 'a', name: 'x' });
    const kept = { verbs: ['get'], group: '', resource: 'secrets', namespace: 'a', names: ['x'] };
    for (const other of [
      right('list', 'secrets'),
      right('get', 'secrets', { group: 'apps' }),
      right('get', 'configmaps'),
      right('get', 'secrets', { namespace: 'b' }),
      right('get', 'secrets', { name: 'x' }),
    ]) {
      const all = merged([narrow, other]);
      assert.equal(all.length, 2, told(other));
      assert.ok(
        all.some((one) => JSON.stringify(one) === JSON.stringify({ ...kept })),
        JSON.stringify(all),
      );
    }
  });
});

describe('rights', () => {
  it('become a ClusterRole, a Role for each namespace, and their bindings', () => {
    const account = { namespace: 'audit', name: 'robot' };
    const objects = rolesOf(
      [
        { verbs: ['list'], group: '', resource: 'nodes' },
        { verbs: ['list'], group: '', resource: 'pods' },
        { verbs: ['get'], group: '', resource: 'secrets', namespace: 'a', names: ['b'] },
      ],
      { name: 'joinproof', account },
    );
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', name: 'joinproof' };
    const subjects = [{ kind: 'ServiceAccount', ...account }];
    const apiVersion = 'rbac.authorization.k8s.io/v1';
    const metadata = { name: 'joinproof', namespace: 'a' };
    const rules = [{ apiGroups: [''], resources: ['nodes', 'pods'], verbs: ['list'] }];
    const named = [{ apiGroups: [''], resources: ['secrets'], resourceNames: ['b'], verbs: ['get'] }];
    assert.deepEqual(objects, [
      { apiVersion, kind: 'ClusterRole', metadata: { name: 'joinproof' }, rules },
      {
        apiVersion,
        kind: 'ClusterRoleBinding',
        metadata: { name: 'joinproof' },
        subjects,
        roleRef: { ...roleRef, kind: 'ClusterRole' },
      },
      { apiVersion, kind: 'Role', metadata, rules: named },
      { apiVersion, kind: 'RoleBinding', metadata, subjects, roleRef: { ...roleRef, kind: 'Role' } },
    ]);
  });
});
