import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ofAnyRelease, versionedName } from './versioned-names.js';

test('the ConfigMap of the kubelets is named by the release up to 1.23, and no other is', () => {
  assert.equal(versionedName('kubelet-config', 23), 'kubelet-config-1.23');
  assert.equal(versionedName('kubeadm:kubelet-config', 9), 'kubeadm:kubelet-config-1.9');
  assert.equal(versionedName('kubelet-config', 24), 'kubelet-config');
  assert.equal(versionedName('kubelet-config', undefined), 'kubelet-config');
  assert.equal(versionedName('kubeadm-config', 20), 'kubeadm-config');
});

test('a permission for the ConfigMap of another release is one for that of today, and no other is', () => {
  const of = (name: string, more: object = {}): string => {
    const grant = { kind: 'resource', verb: 'get', group: '', resource: 'configmaps', namespace: 'kube-system', name };
    const read = ofAnyRelease({ ...grant, ...more } as Parameters<typeof ofAnyRelease>[0]);
    return 'name' in read ? read.name : '';
  };
  assert.equal(of('kubelet-config-1.23'), 'kubelet-config');
  assert.equal(of('kubelet-config-1.9'), 'kubelet-config');
  for (const other of ['kubelet-config-1.23x', 'xkubelet-config-1.23', 'kubelet-config-1.', 'kubelet-config-2.23', 'a'])
    assert.equal(of(other), other);
  for (const more of [{ resource: 'secrets' }, { namespace: 'default' }, { namespace: '*' }])
    assert.equal(of('kubelet-config-1.23', more), 'kubelet-config-1.23', JSON.stringify(more));
});
