import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ruleIn } from '../checks/authorization/default-roles.js';
import { defaultRoles } from './default-roles.js';

test('the default roles of the package are rules that can be read, and bindings to roles that are there', () => {
  const { roles, bindings } = defaultRoles();
  for (const [name, rules] of Object.entries(roles)) {
    assert.match(name, /^ClusterRole \S+$|^Role kube-(?:system|public)\/\S+$/);
    for (const { verbs, apiGroups, resources, nonResourceURLs } of rules.map(ruleIn)) {
      assert.ok(verbs.every((verb) => /^(?:\*|[a-z]+)$/.test(verb)));
      assert.equal(nonResourceURLs === undefined, apiGroups !== undefined && resources !== undefined);
    }
  }
  for (const [name, [role = '']] of Object.entries(bindings)) {
    const namespace = /^RoleBinding ([^/]+)\//.exec(name)?.[1];
    assert.ok((namespace === undefined ? role : role.replace('Role ', `Role ${namespace}/`)) in roles, name);
  }
});
