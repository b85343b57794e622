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

it('what kubeadm leaves is told with its kind and where it lies', async () => {
  const all = await kubeadmSigns(V136, async ({ name }) => name !== 'kubeadm-config');
  assert.deepEqual(all, [
    'ConfigMap kube-system/kubelet-config',
    'ClusterRole kubeadm:get-nodes',
    'ClusterRoleBinding kubeadm:kubelet-bootstrap',
    'ClusterRoleBinding kubeadm:node-autoapprove-certificate-rotation',
    'Role kube-public/kubeadm:bootstrap-signer-clusterinfo',
  ]);
  const looked = async (minor: number): Promise<readonly string[]> => {
    const seen: string[] = [];
    await kubeadmSigns({ gitVersion: `v1.${minor}.0`, minor }, async ({ name, namespace }) => {
      seen.push(`${namespace ?? ''}/${name}`);
      return false;
    });
    return seen.slice(0, 2);
  };
  assert.deepEqual(await looked(23), ['kube-system/kubeadm-config', 'kube-system/kubelet-config-1.23']);
  assert.deepEqual(await looked(24), ['kube-system/kubeadm-config', 'kube-system/kubelet-config']);
});
