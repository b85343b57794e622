import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Fields } from '../kubernetes/json.js';
import type { KubeObject } from '../kubernetes/objects.js';
import { noJoiningSecrets, noMachineKeys, readMounts } from './pod-mounts.js';

const object = (spec: unknown, more: object = {}): KubeObject =>
  ({ metadata: { name: 'p', namespace: 'a', ...more }, spec }) as KubeObject;
const mounting = (volume: Fields, readOnly = false): Fields => ({
  containers: [{ name: 'c', volumeMounts: [{ name: 'v', mountPath: '/v', readOnly }] }],
  volumes: [{ name: 'v', ...volume }],
});
const path = (hostPath: string, readOnly = false): Fields => mounting({ hostPath: { path: hostPath } }, readOnly);
const template = (spec: Fields): Fields => ({ template: { spec } });

describe('what a Pod is given of joining', () => {
  const secretsOf = (spec: unknown, kind = 'Pod') => readMounts(object(spec), kind)?.secrets;
  it('is told of volumes and of variables, whatever makes the Pod', () => {
    const token = 'bootstrap-token-a1b2c3';
    const pods: readonly Fields[] = [
      mounting({ secret: { secretName: token } }),
      mounting({ projected: { sources: [{ configMap: { name: 'x' } }, { secret: { name: token } }] } }),
      { containers: [{ env: [{ name: 'T', valueFrom: { secretKeyRef: { name: token, key: 'token-secret' } } }] }] },
      { initContainers: [{ envFrom: [{ secretRef: { name: token } }] }] },
    ];
    for (const pod of pods) {
      assert.deepEqual(secretsOf(pod), [token]);
      assert.deepEqual(secretsOf(template(pod), 'Deployment'), [token]);
      assert.deepEqual(secretsOf({ jobTemplate: { spec: template(pod) } }, 'CronJob'), [token]);
    }
    assert.deepEqual(secretsOf(mounting({ secret: { secretName: 'kubeadm-certs' } })), ['kubeadm-certs']);
    assert.equal(secretsOf(mounting({ secret: { secretName: 'kubeadm-certs-old' } })), undefined);
    assert.equal(secretsOf(undefined), undefined);
  });
});

describe('what a Pod is given of its machine', () => {
  const pathsOf = (spec: unknown, kind = 'Pod', more: object = {}) => readMounts(object(spec, more), kind)?.paths;
  it('is told of keys and of the runtime', () => {
    for (const one of [
      '/etc/kubernetes',
      '/etc/kubernetes/',
      '/etc/kubernetes/pki',
      '/etc/kubernetes/pki/ca.key',
      '/etc/kubernetes/admin.conf',
      '/var/lib/kubelet/pki',
      '/var/lib/kubelet/pki/kubelet-client-current.pem',
      '/run/containerd/containerd.sock',
      '/var/run/docker.sock',
      '/run/crio/crio.sock',
    ])
      for (const readOnly of [true, false]) assert.equal(pathsOf(path(one, readOnly))?.length, 1, one);
    for (const one of ['/etc/kubernetes/cloud', '/etc/kubernetes/pki/ca.crt', '/var/lib/kubelet/plugins', '/', '/run'])
      assert.equal(pathsOf(path(one)), undefined, one);
  });

  it('is left to monitors, and to what runs the cluster', () => {
    const keys = '/etc/kubernetes/pki';
    assert.equal(pathsOf(path(keys), 'Pod', { namespace: 'kube-system' }), undefined);
    assert.deepEqual(pathsOf(template(path(keys, true)), 'Deployment'), [keys]);
    for (const kind of ['DaemonSet', 'Job']) {
      assert.equal(pathsOf(template(path(keys, true)), kind), undefined);
      assert.deepEqual(pathsOf(template(path(keys)), kind), [keys]);
      assert.equal(pathsOf(template(path('/run/containerd/containerd.sock')), kind), undefined);
      const ownerReferences = [{ apiVersion: 'v1', kind, name: 'x', uid: 'y', controller: true }];
      assert.equal(pathsOf(path(keys, true), 'Pod', { ownerReferences }), undefined);
      const others = [{ apiVersion: 'v1', kind, name: 'x', uid: 'y' }];
      assert.deepEqual(pathsOf(path(keys, true), 'Pod', { ownerReferences: others }), [keys]);
    }
  });
});

it('each that is given something is told of', () => {
  const mounts = [
    { subject: 'Pod a/a', secrets: ['kubeadm-certs'], paths: [] },
    { subject: 'Pod a/b', secrets: [], paths: ['/etc/kubernetes'] },
  ];
  const told = (check: typeof noJoiningSecrets, seen: typeof mounts) =>
    check
      .judge({ mounts: seen, seen: 3 }, undefined)
      .map(({ result, subject, seen: found }) => [result, subject, found]);
  assert.deepEqual(told(noJoiningSecrets, mounts), [['unmet', 'Pod a/a', 'kubeadm-certs']]);
  assert.deepEqual(told(noMachineKeys, mounts), [['unmet', 'Pod a/b', '/etc/kubernetes']]);
  for (const check of [noJoiningSecrets, noMachineKeys])
    assert.deepEqual(told(check, []), [['met', 'Pods', 'none of 3 is']]);
});
