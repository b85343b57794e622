import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { kubeadmFlags, PROGRAMS, toldEverywhere } from './kubeadm-flags.js';

describe('what kubeadm tells', () => {
  it('is told everywhere, but for what is of one machine, of its cluster and of its etcd', () => {
    const own = { inUrl: '192.0.2.7', address: '192.0.2.7', lo: '127.0.0.1', services: '10.96.0.0/12' };
    assert.deepEqual(PROGRAMS, ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'etcd']);
    for (const program of PROGRAMS) {
      const { [program]: all = {} } = kubeadmFlags(own);
      const everywhere = toldEverywhere(program);
      for (const [name, value] of Object.entries(everywhere)) assert.equal(all[name], value, name);
      const others = Object.keys(all).filter((name) => everywhere[name] === undefined);
      const wanted =
        program === 'kube-apiserver'
          ? 'advertise-address etcd-cafile etcd-certfile etcd-keyfile etcd-servers service-cluster-ip-range'
          : program === 'etcd'
            ? 'advertise-client-urls initial-advertise-peer-urls listen-client-urls listen-peer-urls'
            : program === 'kube-controller-manager'
              ? 'cluster-name'
              : '';
      assert.equal(others.join(' '), wanted);
    }
    assert.deepEqual(toldEverywhere('kubelet'), {});
  });

  it('has certificates in another folder, and kubeconfigs where they always are', () => {
    const told = toldEverywhere('kube-controller-manager', '/srv/pki');
    assert.equal(told['root-ca-file'], '/srv/pki/ca.crt');
    assert.equal(told.kubeconfig, '/etc/kubernetes/controller-manager.conf');
    assert.equal(told.controllers, '*,bootstrapsigner,tokencleaner');
  });
});
