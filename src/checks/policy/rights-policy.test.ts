import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Binding, Role } from '../../kubernetes/objects.js';
import type { Permission } from '../authorization/rbac-policy.js';
import { twinsOf } from '../common/twins.testing.js';
import { bind, clusterRole, group, policy, user } from './policy.testing.js';
import { heldByKnown, isClusterInfoOpen, nodeRolesNamed, noStaticToken, readNodeRoles } from './rights-policy.js';

const approve = clusterRole('approve', {
  verbs: ['approve'],
  apiGroups: ['certificates.k8s.io'],
  resources: ['signers'],
});
const all = clusterRole('cluster-admin', { verbs: ['*'], apiGroups: ['*'], resources: ['*'] });
const permission: Permission = {
  kind: 'resource',
  verb: 'approve',
  group: 'certificates.k8s.io',
  resource: 'signers',
  namespace: '*',
  name: 'kubernetes.io/kubelet-serving',
};

describe('rights as a policy wants them', () => {
  const judged = (known: readonly string[], ...bindings: readonly Binding[]): readonly string[] =>
    heldByKnown
      .judge(policy([approve, all], bindings), { permission, known })
      .map(({ result, seen }) => `${result}: ${seen}`);

  it('go to administrators and whom somebody knows', () => {
    assert.deepEqual(judged([], bind('a', 'cluster-admin', group('masters'))), ['met: it goes to nobody else']);
    assert.deepEqual(judged(['User j*'], bind('a', 'approve', user('jane'), user('bob'))), [
      'unmet: it goes to User bob',
    ]);
    const two = [bind('a', 'approve', user('jane'), group('ops')), bind('b', 'approve', user('bob'))];
    assert.deepEqual(judged(['User jane'], ...two), ['unmet: it goes to Group ops', 'unmet: it goes to User bob']);
  });

  it('go to no user of a token file', () => {
    const found = (...bindings: readonly Binding[]) =>
      noStaticToken.judge(policy([approve], bindings), undefined).map(({ result }) => result);
    assert.deepEqual(found(bind('a', 'approve', group('kubelet-bootstrap'))), ['met']);
    assert.deepEqual(found(bind('a', 'approve', user('kubelet-bootstrap'))), ['unmet']);
  });

  it('open cluster-info to strangers, or do not', () => {
    const reads = { verbs: ['get'], apiGroups: [''], resources: ['configmaps'], resourceNames: ['cluster-info'] };
    const role: Role = { metadata: { name: 'r', namespace: 'kube-public' }, rules: [reads] };
    const binding = (name: string): Binding => ({
      metadata: { name: 'b', namespace: 'kube-public' },
      subjects: [user(name)],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
    });
    const open = (name: string): boolean =>
      isClusterInfoOpen(policy([], [], { roles: [role], roleBindings: [binding(name)] }));
    assert.deepEqual([open('system:anonymous'), open('jane')], [true, false]);
  });
});

describe('whom nobody knows', () => {
  it('is told without those who are known', () => {
    const found = heldByKnown.judge(policy([approve, all], [bind('a', 'approve', user('jane'))]), {
      permission,
      known: ['User a', 'User b'],
    });
    assert.match(found[0]?.demanded ?? '', /goes to nobody but administrators and User a, User b$/);
    const none = heldByKnown.judge(policy([approve], []), { permission, known: [] });
    assert.match(none[0]?.demanded ?? '', /goes to nobody but administrators$/);
    for (const name of [...twinsOf('kubelet-bootstrap')])
      assert.deepEqual(
        noStaticToken.judge(policy([approve], [bind('a', 'approve', user(name))]), undefined).map((one) => one.result),
        ['met'],
        name,
      );
    const both = bind('a', 'approve', user('jane'), user('kubelet-bootstrap'));
    assert.equal(noStaticToken.judge(policy([approve], [both]), undefined)[0]?.result, 'unmet');
  });
});

describe('names of nodes in aws-auth', () => {
  const roles = (mapRoles: string) => readNodeRoles({ metadata: { name: 'aws-auth' }, data: { mapRoles } });
  it('are read of entries that make nodes', () => {
    assert.equal(readNodeRoles(undefined), undefined);
    assert.deepEqual(readNodeRoles({ metadata: { name: 'aws-auth' } }), []);
    assert.deepEqual(roles('a: ['), []);
    const entry = (group: string): string => `- {rolearn: r, username: u, groups: [x, "${group}"]}\n`;
    for (const group of ['system:nodes', 'system:bootstrappers'])
      assert.deepEqual(roles(entry(group)), [{ role: 'r', username: 'u' }]);
    for (const twin of twinsOf('system:nodes')) assert.deepEqual(roles(entry(twin)), [], twin);
    assert.equal(roles(entry('system:nodes') + entry('system:nodes'))?.length, 2);
  });
  it('are of one machine each', () => {
    const told = (username: string) => nodeRolesNamed.judge({ roles: [{ role: 'r', username }] }, undefined)[0]?.result;
    assert.equal(told('system:node:{{EC2PrivateDNSName}}'), 'met');
    for (const name of [
      'xsystem:node:{{A}}',
      'system:node:{{A}}x',
      'System:node:{{A}}',
      'system:node:a',
      'system:node:{{}}',
      '',
    ])
      assert.equal(told(name), 'unmet', name);
  });
});

describe('aws-auth', () => {
  const map = (mapRoles: string) => ({ metadata: { name: 'aws-auth' }, data: { mapRoles } });
  const judged = (text: string): readonly string[] =>
    nodeRolesNamed.judge({ roles: readNodeRoles(map(text)) ?? null }, undefined).map(({ result }) => result);

  it('makes each node under a name of its own', () => {
    const entry = (username: string, name = 'system:nodes'): string =>
      `- rolearn: r\n  username: '${username}'\n  groups: ['${name}']\n`;
    assert.deepEqual(judged(entry('system:node:{{EC2PrivateDNSName}}')), ['met']);
    assert.deepEqual(judged(entry('system:node:{{SessionName}}') + entry('worker')), ['met', 'unmet']);
    assert.deepEqual(judged(entry('system:node:a', 'system:bootstrappers')), ['unmet']);
    assert.deepEqual(judged(entry('ops', 'system:masters')), ['met']);
    assert.deepEqual(judged('a: ['), ['met']);
    assert.equal(readNodeRoles(undefined), undefined);
    assert.equal(nodeRolesNamed.judge({ roles: null }, undefined)[0]?.result, 'met');
  });
});
