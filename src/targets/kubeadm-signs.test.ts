import assert from 'node:assert/strict';
import { it } from 'node:test';
import { kubeadmSigns } from './kubeadm-signs.js';

const V136 = { gitVersion: 'v1.36.0', minor: 36 };
const signs = (names: readonly string[], version: Parameters<typeof kubeadmSigns>[0] = V136) =>
  kubeadmSigns(version, async ({ name }) => names.includes(name));

it('kubeadm shows itself by its configuration, or by two of its other objects', async () => {
  assert.deepEqual(await signs(['kubeadm-config', 'kubelet-config']), ['ConfigMap kube-system/kubeadm-config']);
  assert.deepEqual(await signs(['kubelet-config', 'kubeadm:get-nodes']), [
    'ConfigMap kube-system/kubelet-config',
    'ClusterRole kubeadm:get-nodes',
  ]);
  assert.deepEqual(await signs(['kubeadm:get-nodes']), []);
  assert.deepEqual(await signs([]), []);
  // the name carried the version up to 1.23
  const old = { gitVersion: 'v1.22.0', minor: 22 };
  assert.equal((await signs(['kubelet-config-1.22', 'kubeadm:get-nodes'], old)).length, 2);
  assert.equal((await signs(['kubelet-config', 'kubeadm:get-nodes'], { unreadable: 'it is not said' })).length, 2);
});
