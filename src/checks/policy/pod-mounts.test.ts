import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Fields } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import { noControllers, noJoiningSecrets, noMachineKeys, readMounts } from './pod-mounts.js';

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
      mounting({ csi: { driver: 'x', nodePublishSecretRef: { name: token } } }),
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

it('a Pod of kube-system may run as no controller', () => {
  const accountOf = (spec: Fields, namespace = 'kube-system') =>
    readMounts(object(spec, { namespace }), 'Pod')?.account;
  assert.equal(accountOf({ serviceAccountName: 'token-cleaner' }), 'token-cleaner');
  assert.equal(accountOf({ serviceAccount: 'generic-garbage-collector' }), 'generic-garbage-collector');
  assert.equal(accountOf({ serviceAccountName: 'metrics-server' }), undefined);
  assert.equal(accountOf({ serviceAccountName: 'token-cleaner' }, 'a'), undefined);
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
      '/run/docker/docker.sock',
      ...['containerd', 'crio', 'docker', 'cri-dockerd'].flatMap((name) => [
        `/run/${name}.sock`,
        `/var/run/${name}.sock`,
      ]),
      '/etc/kubernetes/pki/etcd',
      '/etc/kubernetes/pki/etcd/ca.key',
      '/var/lib/kubelet/pki/kubelet.key',
    ])
      for (const readOnly of [true, false]) assert.equal(pathsOf(path(one, readOnly))?.length, 1, one);
    for (const one of [
      '/backup/etc/kubernetes/pki',
      '/srv/var/lib/kubelet/pki',
      '/srv/run/docker.sock',
      '/run/docker.sock.d',
      '/run/containerd/containerd.sock.ttrpc',
      '/etc/kubernetes/cloud',
      '/etc/kubernetes/pki/ca.crt',
      '/var/lib/kubelet/plugins',
      '/var/log',
      '/dev',
    ])
      assert.equal(pathsOf(path(one)), undefined, one);
  });

  it("is told of folders that hold them, unless they are the system's", () => {
    for (const one of [
      '/',
      '/etc',
      '/etc/kubernetes/manifests',
      '/var/lib/etcd',
      '/var/lib/kubelet/pods',
      '/root/.kube',
      '/run',
    ]) {
      assert.deepEqual(pathsOf(path(one, true)), [one]);
      assert.deepEqual(pathsOf(template(path(one, true)), 'Deployment'), [one]);
      assert.equal(pathsOf(template(path(one)), 'DaemonSet'), undefined);
      assert.equal(pathsOf(path(one), 'Pod', { namespace: 'longhorn-system' }), undefined);
      assert.equal(
        pathsOf(path(one), 'Pod', { labels: { 'app.kubernetes.io/managed-by': 'kubectl-debug' } }),
        undefined,
      );
      const ownedBy = (kind: string) => ({
        ownerReferences: [{ apiVersion: 'a/v1', kind, name: 'x', uid: 'y', controller: true }],
      });
      assert.equal(pathsOf(path(one), 'Pod', ownedBy('StorageCluster')), undefined);
      for (const kind of ['ReplicaSet', 'Deployment', 'StatefulSet', 'ReplicationController'])
        assert.deepEqual(pathsOf(path(one), 'Pod', ownedBy(kind)), [one], kind);
    }
    for (const one of ['/var', '/var/lib', '/home/alice/.kube', '/home/b/.kube/config', '/root', '/run/containerd'])
      assert.deepEqual(pathsOf(path(one)), [one]);
    for (const one of ['/srv/etc', '/home/alice', '/home/a/b/.kube', '/home//.kube/x', '/var/log', '/srv/var/lib/etcd'])
      assert.equal(pathsOf(path(one)), undefined, one);
  });

  it('is told of processes', () => {
    const spec = { hostPID: true, containers: [{ securityContext: { privileged: true } }] };
    assert.deepEqual(pathsOf(spec), ['the processes of its machine, as root']);
    assert.deepEqual(pathsOf({ ...spec, containers: [{}, ...spec.containers] }), [
      'the processes of its machine, as root',
    ]);
    assert.equal(pathsOf(template(spec), 'DaemonSet'), undefined);
    for (const other of [
      { ...spec, hostPID: false },
      { ...spec, containers: [] },
      { ...spec, containers: [{}] },
    ])
      assert.equal(pathsOf(other), undefined);
  });

  it('is told of volumes that anybody claims', () => {
    const volume = (spec: Fields) => readMounts({ metadata: { name: 'v' }, spec } as KubeObject, 'PersistentVolume');
    for (const one of ['/', '/etc/kubernetes/pki', '/etc/kubernetes/pki/', '/var/lib/etcd', '/var/lib/kubelet/pki'])
      for (const spec of [{ hostPath: { path: one } }, { local: { path: one } }])
        assert.equal(volume(spec)?.subject, 'PersistentVolume v', one);
    assert.deepEqual(volume({ local: { path: 'etc/kubernetes/pki' } })?.paths, ['/etc/kubernetes/pki']);
    for (const spec of [
      { hostPath: { path: '' } },
      { hostPath: { path: '/srv/data' } },
      { local: { path: '/mnt/disks/a' } },
      { csi: {} },
      {},
    ])
      assert.equal(volume(spec), undefined);
  });

  it('is told beside Secrets, and by its name', () => {
    const both = {
      containers: [{ volumeMounts: [{ name: 'v', mountPath: '/v' }] }],
      volumes: [
        { name: 'v', hostPath: { path: '/etc/kubernetes' } },
        { name: 's', secret: { secretName: 'kubeadm-certs' } },
      ],
    };
    assert.deepEqual(readMounts(object(both), 'Pod'), {
      subject: 'Pod a/p',
      secrets: ['kubeadm-certs'],
      paths: ['/etc/kubernetes'],
      account: '',
    });
    const volume = { metadata: { name: 'v' }, spec: { hostPath: { path: '/' } } } as KubeObject;
    assert.deepEqual(readMounts(volume, 'PersistentVolume'), {
      subject: 'PersistentVolume v',
      secrets: [],
      paths: ['/'],
      account: '',
    });
  });

  it('is left to monitors, and to what runs the cluster', () => {
    const keys = '/etc/kubernetes/pki';
    const deployed = [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'x', uid: 'y', controller: true }];
    assert.deepEqual(pathsOf(template(path(keys)), 'ReplicaSet'), [keys]);
    assert.equal(pathsOf(template(path(keys)), 'ReplicaSet', { ownerReferences: deployed }), undefined);
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
    { subject: 'Pod a/a', secrets: ['kubeadm-certs'], paths: [], account: '' },
    { subject: 'Pod a/b', secrets: [], paths: ['/etc/kubernetes'], account: '' },
    { subject: 'Pod a/c', secrets: [], paths: [], account: 'token-cleaner' },
  ];
  const told = (check: typeof noJoiningSecrets, seen: typeof mounts) =>
    check
      .judge({ mounts: seen, seen: 3 }, undefined)
      .map(({ result, subject, seen: found }) => [result, subject, found]);
  assert.deepEqual(told(noJoiningSecrets, mounts), [['unmet', 'Pod a/a', 'kubeadm-certs']]);
  assert.deepEqual(told(noMachineKeys, mounts), [['unmet', 'Pod a/b', '/etc/kubernetes']]);
  const many = ['a', 'b', 'c', 'd', 'e', 'f'];
  for (const [check, demanded] of [
    [noJoiningSecrets, 'is given no Secret that lets machines join'],
    [noMachineKeys, 'is given neither keys nor the container runtime of its machine'],
  ] as const) {
    const given = { mounts: [{ subject: 'Pod a/a', secrets: many, paths: many, account: '' }], seen: 1 };
    const [judged] = check.judge(given, undefined);
    assert.deepEqual([judged?.demanded, judged?.seen], [demanded, 'a, b, c, d, e']);
  }
  for (const check of [noJoiningSecrets, noMachineKeys])
    assert.deepEqual(told(check, []), [['met', 'Pods', 'none of 3 is']]);
  assert.deepEqual(told(noControllers, mounts), [['unmet', 'Pod a/c', 'it runs as token-cleaner']]);
  const [runs] = noControllers.judge({ mounts, seen: 3 }, undefined);
  assert.equal(runs?.demanded, 'runs as no controller of kube-controller-manager');
  assert.deepEqual(told(noControllers, []), [['met', 'Pods', 'none of 3 does']]);
});
