import assert from 'node:assert/strict';
import { test } from 'node:test';
import { versionedName } from './versioned-names.js';

test('the ConfigMap of the kubelets is named by the release up to 1.23, and no other is', () => {
  assert.equal(versionedName('kubelet-config', 23), 'kubelet-config-1.23');
  assert.equal(versionedName('kubeadm:kubelet-config', 9), 'kubeadm:kubelet-config-1.9');
  assert.equal(versionedName('kubelet-config', 24), 'kubelet-config');
  assert.equal(versionedName('kubelet-config', undefined), 'kubelet-config');
  assert.equal(versionedName('kubeadm-config', 20), 'kubeadm-config');
});
