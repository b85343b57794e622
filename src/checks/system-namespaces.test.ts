import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isOfSystem } from './system-namespaces.js';

it('namespaces of the system are told by what they are called', () => {
  for (const name of ['kube-system', 'istio-system', 'gpu-operator', 'cert-manager', 'kyverno', 'openshift-etcd'])
    assert.equal(isOfSystem(name), true, name);
  for (const name of ['default', 'tenant', 'team-a', 'payments', 'systems', 'my-app', ''])
    assert.equal(isOfSystem(name), false, name);
});
