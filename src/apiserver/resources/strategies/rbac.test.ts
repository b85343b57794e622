/** What is refused of roles and bindings, and what is added to them, as a client sees it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Answer, causesOf, fixture } from '../../serving/fixture.js';
import { definitions } from '../index.js';

const GROUP = 'rbac.authorization.k8s.io';
const RBAC = `/apis/${GROUP}/v1`;
const PATHS = {
  Role: `${RBAC}/namespaces/default/roles`,
  ClusterRole: `${RBAC}/clusterroles`,
  RoleBinding: `${RBAC}/namespaces/default/rolebindings`,
  ClusterRoleBinding: `${RBAC}/clusterrolebindings`,
} as const;
type Kind = keyof typeof PATHS;

const asked = () => fixture({ definitions: definitions() });
const body = (kind: Kind, more: object): object => ({
  ...{ apiVersion: `${GROUP}/v1`, kind, metadata: { name: 'x' } },
  ...more,
});
const post = (kind: Kind, more: object): Answer => asked().ask('POST', PATHS[kind], body(kind, more));

describe('a role', () => {
  const URLS = { verbs: ['get'], nonResourceURLs: ['/healthz'] };
  const PODS = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };
  it('is about resources or about paths, and about paths only for the whole cluster', () => {
    assert.deepEqual(causesOf(post('ClusterRole', { rules: [URLS, PODS] })), ['201']);
    assert.deepEqual(causesOf(post('Role', { rules: [PODS, URLS] })), [
      'rules[1].nonResourceURLs: Invalid value: ["/healthz"]: namespaced rules cannot apply to non-resource URLs',
    ]);
    const BOTH =
      'rules[0].nonResourceURLs: Invalid value: ["/healthz"]: rules cannot apply to both regular resources and non-resource URLs';
    for (const more of [{ apiGroups: [''] }, { resources: ['pods'] }, { resourceNames: ['n'] }])
      assert.deepEqual(causesOf(post('ClusterRole', { rules: [{ ...URLS, ...more }] })), [BOTH], JSON.stringify(more));
    assert.deepEqual(causesOf(post('Role', { rules: [{ verbs: ['get'] }] })), [
      'rules[0].apiGroups: Required value: resource rules must supply at least one api group',
      'rules[0].resources: Required value: resource rules must supply at least one resource',
    ]);
    assert.deepEqual(causesOf(post('ClusterRole', { rules: [{ ...PODS, verbs: [] }] })), [
      'rules[0].verbs: Required value: verbs must contain at least one value',
    ]);
    const { ask } = asked();
    ask('POST', PATHS.Role, body('Role', { rules: [PODS] }));
    assert.equal(causesOf(ask('PUT', `${PATHS.Role}/x`, body('Role', { rules: [{}] }))).length, 3);
  });
  it('that gathers others says by which labels', () => {
    const gathered = (...clusterRoleSelectors: readonly object[]): readonly string[] =>
      causesOf(post('ClusterRole', { aggregationRule: { clusterRoleSelectors } }));
    const field = 'aggregationRule.clusterRoleSelectors';
    assert.deepEqual(gathered({ matchLabels: { a: 'b' } }), ['201']);
    assert.deepEqual(gathered(), [
      `${field}: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil`,
    ]);
    const odd = { matchExpressions: [{ key: 'k', operator: 'Near' }] };
    assert.deepEqual(gathered({ matchLabels: { a: 'b' } }, odd), [
      `${field}[1].matchExpressions[0].operator: Invalid value: "Near": not a valid selector operator`,
      `${field}[1]: Invalid value: null: invalid label selector.`,
    ]);
  });
});

describe('a binding', () => {
  const roleRef = { apiGroup: GROUP, kind: 'ClusterRole', name: 'view' };
  const bound = (kind: 'RoleBinding' | 'ClusterRoleBinding', ...subjects: readonly object[]): readonly string[] =>
    causesOf(post(kind, { roleRef, subjects }));
  it('names a role that it may have', () => {
    const named = (kind: 'RoleBinding' | 'ClusterRoleBinding', more: object): readonly string[] =>
      causesOf(post(kind, { roleRef: { ...roleRef, ...more } }));
    assert.deepEqual(named('RoleBinding', { kind: 'Role' }), ['201']);
    assert.deepEqual(named('RoleBinding', {}), ['201']);
    assert.deepEqual(named('ClusterRoleBinding', {}), ['201']);
    assert.deepEqual(named('RoleBinding', { name: 'system:node' }), ['201']);
    assert.deepEqual(named('ClusterRoleBinding', { kind: 'Role' }), [
      'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
    ]);
    assert.deepEqual(named('RoleBinding', { kind: 'Pod' }), [
      'roleRef.kind: Unsupported value: "Pod": supported values: "Role", "ClusterRole"',
    ]);
    assert.deepEqual(named('RoleBinding', { apiGroup: 'a.b' }), [
      `roleRef.apiGroup: Unsupported value: "a.b": supported values: "${GROUP}"`,
    ]);
    assert.deepEqual(named('RoleBinding', { name: '' }), ['roleRef.name: Required value']);
    assert.deepEqual(named('RoleBinding', { name: 'a/b' }), [
      `roleRef.name: Invalid value: "a/b": may not contain '/'`,
    ]);
  });
  it('names whom it is for, each in the group of their kind', () => {
    const account = { kind: 'ServiceAccount', name: 's', namespace: 'default' };
    const { name, kind } = account;
    assert.deepEqual(
      bound('ClusterRoleBinding', account, { kind: 'User', name: 'A b' }, { kind: 'Group', name: 'g' }),
      ['201'],
    );
    assert.deepEqual(bound('RoleBinding', { kind, name }), ['201']);
    assert.deepEqual(bound('ClusterRoleBinding', { kind, name }), ['subjects[0].namespace: Required value']);
    assert.deepEqual(bound('RoleBinding', account, { ...account, name: '' }), ['subjects[1].name: Required value']);
    assert.deepEqual(bound('RoleBinding', { kind: 'Group', name: '' }), ['subjects[0].name: Required value']);
    assert.match(
      bound('RoleBinding', { ...account, name: 'A b' })[0] ?? '',
      /^subjects\[0\]\.name: Invalid value: "A b"/,
    );
    assert.deepEqual(bound('RoleBinding', { ...account, apiGroup: GROUP }), [
      `subjects[0].apiGroup: Unsupported value: "${GROUP}": supported values: ""`,
    ]);
    for (const one of ['User', 'Group'])
      assert.deepEqual(bound('RoleBinding', { kind: one, name: 'n', apiGroup: 'v1' }), [
        `subjects[0].apiGroup: Unsupported value: "v1": supported values: "${GROUP}"`,
      ]);
    assert.deepEqual(bound('RoleBinding', { kind: 'Pod', name: '' }), [
      'subjects[0].name: Required value',
      'subjects[0].kind: Unsupported value: "Pod": supported values: "ServiceAccount", "User", "Group"',
    ]);
  });
  it('knows the group of roles, users and groups without being told, and none of ServiceAccounts', () => {
    const { json } = post('RoleBinding', {
      roleRef: { kind: 'Role', name: 'r' },
      subjects: ['User', 'Group', 'ServiceAccount'].map((kind) => ({ kind, name: 'n' })),
    });
    assert.deepEqual(json.roleRef, { apiGroup: GROUP, kind: 'Role', name: 'r' });
    assert.deepEqual(json.subjects, [
      { kind: 'User', apiGroup: GROUP, name: 'n' },
      { kind: 'Group', apiGroup: GROUP, name: 'n' },
      { kind: 'ServiceAccount', name: 'n' },
    ]);
    assert.equal(post('RoleBinding', { roleRef }).json.subjects, undefined);
  });
  it('keeps its role, in whatever order that is written, and takes other subjects', () => {
    const { ask } = asked();
    const path = `${PATHS.ClusterRoleBinding}/x`;
    ask('POST', PATHS.ClusterRoleBinding, body('ClusterRoleBinding', { roleRef }));
    const put = (ref: object): readonly string[] => {
      const subjects = [{ kind: 'Group', name: 'g' }];
      return causesOf(ask('PUT', path, body('ClusterRoleBinding', { roleRef: ref, subjects })));
    };
    assert.deepEqual(put({ name: 'view', kind: 'ClusterRole' }), ['200']);
    assert.deepEqual(put({ ...roleRef, name: 'edit' }), [
      `roleRef: Invalid value: {"APIGroup":"${GROUP}","Kind":"ClusterRole","Name":"edit"}: cannot change roleRef`,
    ]);
  });
  it('is put to whoever guards rights, when it is made and when it is changed; roles as well', () => {
    const heard: string[] = [];
    const told =
      (what: string) =>
      (_object: unknown, old: unknown): void =>
        void heard.push(`${what} ${old === undefined ? 'made' : 'changed'}`);
    const hooks = { confirmRoleWrite: told('role'), confirmBindingWrite: told('binding') };
    const { ask } = fixture({ definitions: definitions(hooks) });
    for (const kind of Object.keys(PATHS) as Kind[]) {
      const given = body(kind, kind.endsWith('Binding') ? { roleRef } : {});
      ask('POST', PATHS[kind], given);
      ask('PUT', `${PATHS[kind]}/x`, given);
    }
    const twice = (what: string): readonly string[] => [`${what} made`, `${what} changed`];
    assert.deepEqual([...new Set(heard.slice(0, 4))], twice('role'));
    assert.deepEqual(heard, [...twice('role'), ...twice('role'), ...twice('binding'), ...twice('binding')]);
    const lenient = fixture({ definitions: definitions({ roleRefMayChange: () => true }) });
    lenient.ask('POST', PATHS.RoleBinding, body('RoleBinding', { roleRef }));
    const other = body('RoleBinding', { roleRef: { ...roleRef, name: 'edit' } });
    assert.equal(lenient.ask('PUT', `${PATHS.RoleBinding}/x`, other).code, 200);
  });
});
