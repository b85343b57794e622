import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Check } from '../../model/check.js';
import { judged as judgedBy } from '../common/judged.testing.js';
import type { Machine } from './joined-files-reader.js';
import { componentsAsKubeadm, componentsHeldApart, componentsKept, nothingRunsBeside } from './joined-flags.js';
import { untouchedMachine } from './joined-machine.testing.js';

const FLAGS = [
  '--authentication-kubeconfig=/etc/kubernetes/scheduler.conf',
  '--authorization-kubeconfig=/etc/kubernetes/scheduler.conf',
  '--kubeconfig=/etc/kubernetes/scheduler.conf',
  '--leader-elect=true',
];
type Pod = Readonly<Record<string, unknown>>;
const machine = (pod: Pod, component = 'kube-scheduler', more: Partial<Machine> = {}): Machine => ({
  ...untouchedMachine,
  isWorker: false,
  left: [
    {
      path: `/etc/kubernetes/manifests/${component}.yaml`,
      mode: 0o600,
      digest: 'd',
      held: { kind: 'settings', settings: { spec: pod } },
    },
  ],
  ...more,
});
const told = (check: Check<readonly Machine[]>, one: Machine): string =>
  judgedBy(check, [one], undefined)
    .map(({ result, seen }) => `${result}: ${seen}`)
    .join();

describe('what a control plane that joins is told', () => {
  const flags = (...command: readonly string[]): string =>
    told(componentsAsKubeadm, machine({ containers: [{ command: ['kube-scheduler', ...command] }] }));
  it('is what kubeadm tells it', () => {
    assert.equal(flags(...FLAGS), 'met: 4 flags, as kubeadm has them');
    assert.equal(flags(...FLAGS, '--bind-address=::1'), 'met: 5 flags, as kubeadm has them');
  });
  it('is nothing else, nothing less, and nothing twice', () => {
    assert.equal(flags(...FLAGS, '--profiling=true'), 'unmet: --profiling=true');
    assert.equal(flags(...FLAGS, '--v'), 'unmet: --v=');
    assert.equal(flags(...FLAGS.slice(1)), 'unmet: no --authentication-kubeconfig');
    assert.equal(flags(...FLAGS.slice(0, 3), '--leader-elect=false'), 'unmet: --leader-elect=false');
    assert.equal(flags(...FLAGS, '--leader-elect=true'), 'unmet: 1 flags twice');
    const pod = { containers: [{ command: ['kube-scheduler', ...FLAGS], args: ['--master=http://a'] }] };
    assert.equal(told(componentsAsKubeadm, machine(pod)), 'unmet: --master=http://a');
  });
  it('is for an etcd what its release has', () => {
    const etcd = (flag: string): string =>
      told(componentsAsKubeadm, machine({ containers: [{ command: ['etcd', flag] }] }, 'etcd'));
    assert.doesNotMatch(etcd('--experimental-initial-corrupt-check=true'), /corrupt/);
    assert.match(etcd('--auto-tls=true'), /--auto-tls=true/);
    assert.match(etcd('--client-cert-auth=false'), /--client-cert-auth=false/);
  });
  it('is the address of its machine, as flags and URLs have it', () => {
    const etcd = (ownServer: string, ...urls: readonly string[]): string =>
      told(componentsAsKubeadm, machine({ containers: [{ command: ['etcd', ...urls] }] }, 'etcd', { ownServer }));
    const four = 'https://192.0.2.20:2380';
    const six = 'https://[fd00:20::20]:2380';
    assert.doesNotMatch(etcd('https://192.0.2.20:6443', `--listen-peer-urls=${four}`), /listen-peer-urls/);
    assert.match(etcd('https://192.0.2.20:6443', `--listen-peer-urls=${six}`), /--listen-peer-urls=https:..\[/);
    assert.doesNotMatch(etcd('https://[fd00:20::20]:6443', `--listen-peer-urls=${six}`), /listen-peer-urls/);
    assert.match(etcd('https://[fd00:20::20]:6443', `--listen-peer-urls=${four}`), /--listen-peer-urls=https:..192/);
    const api = (flag: string): string =>
      told(
        componentsAsKubeadm,
        machine({ containers: [{ command: ['kube-apiserver', flag] }] }, 'kube-apiserver', {
          ownServer: 'https://[fd00:20::20]:6443',
        }),
      );
    for (const flag of ['advertise-address=fd00:20::20', 'etcd-servers=https://[::1]:2379'])
      assert.doesNotMatch(api(`--${flag}`), new RegExp(flag.slice(0, 12)), flag);
    assert.match(api('--advertise-address=[fd00:20::20]'), /--advertise-address=/);
    assert.match(api('--etcd-servers=https://127.0.0.1:2379'), /--etcd-servers=/);
  });
  it('is nothing that others are judged by', () => {
    assert.equal(told(componentsAsKubeadm, machine({}, 'kube-scheduler', { ownWays: true })), '');
    assert.equal(told(componentsAsKubeadm, machine({}, 'another')), '');
  });
});

describe('what a control plane that joins has of its machine', () => {
  const has = (pod: Pod, component?: string): string => told(componentsHeldApart, machine(pod, component));
  const volume = (path: string): Pod => ({ hostPath: { path } });
  const containers = [{}];
  it('are the folders that kubeadm gives it', () => {
    assert.equal(
      has({ containers, volumes: [volume('/etc/kubernetes/scheduler.conf')] }),
      'met: 1 folders, as kubeadm has them',
    );
    assert.equal(has({ containers, volumes: [volume('/'), {}] }), 'unmet: /, no folder');
    for (const [component, path, result] of [
      ['kube-apiserver', '/etc/kubernetes/pki', 'met'],
      ['kube-apiserver', '/usr/local/share/ca-certificates', 'met'],
      ['kube-apiserver', '/etc/pki/ca-trust', 'met'],
      ['kube-apiserver', '/etc/kubernetes', 'unmet'],
      ['kube-controller-manager', '/usr/libexec/kubernetes/kubelet-plugins/volume/exec', 'met'],
      ['kube-controller-manager', '/etc/kubernetes/admin.conf', 'unmet'],
      ['kube-scheduler', '/etc/kubernetes/pki', 'unmet'],
      ['etcd', '/var/lib/etcd', 'met'],
      ['etcd', '/etc/kubernetes/pki', 'unmet'],
    ] as const)
      assert.match(has({ containers, volumes: [volume(path)] }, component), new RegExp(`^${result}:`), path);
  });
  it('is written to where kubeadm lets it', () => {
    const mounted = (mountPath: string, readOnly?: true) => ({
      containers: [{ volumeMounts: [{ mountPath, readOnly }] }],
    });
    assert.equal(has(mounted('/etc/kubernetes/pki', true), 'kube-apiserver'), 'met: 0 folders, as kubeadm has them');
    assert.equal(has(mounted('/etc/kubernetes/pki'), 'kube-apiserver'), 'unmet: may write to /etc/kubernetes/pki');
    assert.match(has(mounted('/var/lib/etcd'), 'etcd'), /^met/);
    assert.match(has(mounted('/usr/libexec/kubernetes/kubelet-plugins'), 'kube-controller-manager'), /^met/);
  });
  it('runs nothing beside it', () => {
    const one = machine({ containers });
    const beside = (path: string): Machine => ({
      ...one,
      left: [...one.left, { path, mode: 0o600, digest: 'e', held: { kind: 'other' } }],
    });
    assert.equal(told(nothingRunsBeside, one), 'met: so it does');
    assert.equal(told(nothingRunsBeside, beside('/etc/kubernetes/manifests/etcd.yaml')), 'met: so it does');
    assert.equal(told(nothingRunsBeside, beside('/etc/kubernetes/manifests/a.yaml')), 'unmet: a.yaml');
    assert.equal(told(nothingRunsBeside, { ...one, left: [] }), '');
  });
  it('is one container without rights of its own', () => {
    assert.equal(has({ containers: [{}, {}] }), 'unmet: 2 containers');
    assert.equal(has({ containers, initContainers: [{}] }), 'unmet: 2 containers');
    assert.equal(has({ containers: [{ securityContext: { privileged: true } }] }), 'unmet: a privileged one');
    for (const field of ['hostPID', 'hostIPC'])
      assert.equal(has({ containers, [field]: true }), 'unmet: processes of its machine');
  });
});

describe('how what a control plane runs is kept', () => {
  const container = (image: string): Pod => ({
    image,
    livenessProbe: { a: 1 },
    startupProbe: { a: 1 },
    resources: { requests: { cpu: '1m' } },
  });
  const POD = {
    containers: [container('registry.k8s.io/kube-scheduler:v1.36.1')],
    hostNetwork: true,
    priorityClassName: 'system-node-critical',
    securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
  };
  const kept = (pod: Pod, component?: string, release: Partial<Machine> = { release: '1.36.1' }): string =>
    told(componentsKept, machine({ ...POD, ...pod }, component, release));
  it('is by the release of the cluster', () => {
    assert.equal(kept({}), 'met: it is');
    assert.equal(kept({ containers: [container('a:latest')] }), 'unmet: a:latest');
    assert.equal(kept({ containers: [container('a:v1.36.10')] }), 'unmet: a:v1.36.10');
    assert.equal(kept({ containers: [container('')] }), 'unmet: no image');
    assert.equal(kept({ containers: [container('a:latest')] }, 'kube-scheduler', {}), 'met: it is');
    assert.equal(kept({ containers: [container('a/etcd:3.6.6-0')] }, 'etcd'), 'met: it is');
    assert.equal(kept({ containers: [container('a/etcd:latest')] }, 'etcd'), 'unmet: a/etcd:latest');
  });
  it('is on the network of its machine, looked after, and before others', () => {
    assert.equal(kept({ hostNetwork: false }), 'unmet: no hostNetwork');
    assert.equal(kept({ priorityClassName: 'a' }), 'unmet: another priority');
    assert.equal(kept({ securityContext: {} }), 'unmet: no seccomp profile');
    for (const probe of ['livenessProbe', 'startupProbe'])
      assert.equal(kept({ containers: [{ ...container('a:v1.36.1'), [probe]: {} }] }), `unmet: no ${probe}`);
    for (const resources of [{}, { requests: { memory: '1Mi' } }, { limits: { cpu: '1' } }])
      assert.equal(kept({ containers: [{ ...container('a:v1.36.1'), resources }] }), 'unmet: no part of a processor');
  });
});
