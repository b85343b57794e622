import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { configurationOf, onLoopback } from './configuration.js';

describe('what kubeadm is told of a control plane on loopback', () => {
  const told = configurationOf('/work', 6443, '1.36.1', {});
  it('is where it listens and is dialled, and that all of it lies in one folder', () => {
    const { advertiseAddress, bindPort, controlPlaneEndpoint, certSANs, nodeName, externalCa } = told;
    assert.deepEqual([advertiseAddress, bindPort, controlPlaneEndpoint], ['192.0.2.10', 6443, '127.0.0.1:6443']);
    assert.deepEqual([nodeName, certSANs], ['joinproof-control-plane', ['127.0.0.1', 'localhost']]);
    const { certificatesDir, kubernetesDir, etcdDataDir, release } = told;
    assert.deepEqual([certificatesDir, kubernetesDir, etcdDataDir], ['/work/pki', '/work', '/work/etcd']);
    assert.equal(release.minor, 36);
    assert.equal(externalCa, false);
    assert.equal(configurationOf('/work', 1, '1.31.0', { externalCa: true }).externalCa, true);
  });
  it('is put on loopback in its kubeconfigs, at that port alone', () => {
    const text = 'https://192.0.2.10:6443 192.0.2.10:6443 https://192.0.2.10:7443';
    assert.equal(onLoopback(text, told), 'https://127.0.0.1:6443 127.0.0.1:6443 https://192.0.2.10:7443');
  });
});
