import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultsOf } from './judged.testing.js';
import { at } from './node-seen.testing.js';
import { helpersHeldByRbac, helpersHoldNothing, helpersRun } from './static-pods.js';

const manifest = (pod: object, path = '/etc/kubernetes/manifests/lb.yaml') =>
  at(path, { kind: 'manifest', pod: { ...pod }, flags: {} });
const container = { name: 'lb', image: 'lb:1', volumeMounts: [{ name: 'c', mountPath: '/c' }] };
const helper = (container_: object = {}, spec: object = {}, metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'lb', namespace: 'kube-system', ...metadata },
  spec: {
    containers: [{ ...container, ...container_ }],
    volumes: [{ name: 'c', hostPath: { path: '/etc/lb' } }],
    ...spec,
  },
});
const runs = (pod: object, minor: number | null = null): string =>
  resultsOf(helpersRun, [manifest(pod)], { own: [], minor }).join();

describe('a static Pod beside the components', () => {
  it('is one that the kubelet runs', () => {
    for (const sound of [
      helper(),
      helper({}, { nodeSelector: { 'kubernetes.io/os': 'linux' } }),
      helper({}, { serviceAccountName: 'default' }),
      helper({}, { initContainers: [{ name: 'first', image: 'a' }] }, { namespace: undefined, name: 'a.b-c' }),
      helper({}, { hostNetwrk: true }),
    ])
      assert.equal(runs(sound), 'met', JSON.stringify(sound));
    for (const odd of [
      { ...helper(), apiVersion: 'v2' },
      helper({}, {}, { name: '' }),
      helper({}, {}, { name: 'Lb_1' }),
      helper({}, {}, { name: 'a.-b' }),
      helper({}, {}, { name: `${'a'.repeat(63)}.`.repeat(4) }),
      helper({}, { containers: [] }),
      helper({}, { containers: [container, container] }),
      helper({}, { initContainers: [container] }),
      helper({ name: 'Lb' }),
      helper({ image: '' }),
      helper({ image: 'LB:1' }),
      helper({ imagePullPolicy: 'Sometimes' }),
      helper({ volumeMounts: [{ name: 'd', mountPath: '/c' }] }),
      helper({ volumeMounts: [{ name: 'c', mountPath: '' }] }),
      helper({ volumeMounts: ['/c', '/c'].map((mountPath) => ({ name: 'c', mountPath })) }),
      helper({}, { volumes: ['c', 'c'].map((name) => ({ name, hostPath: { path: '/c' } })) }),
      helper({}, { volumes: [{ name: 'c', configMap: { name: 'a' } }] }),
      helper({}, { hostNetwork: 'yes' }),
    ])
      assert.equal(runs(odd), 'unmet', JSON.stringify(odd));
  });
  it('names no account since 1.34', () => {
    const pod = helper({}, { serviceAccountName: 'a' });
    assert.deepEqual([runs(pod, 33), runs(pod, 34)], ['met', 'unmet']);
    assert.equal(runs(helper({}, { runtimeClassName: 'a' }), 33), 'met');
  });
  it('has a name of its own', () => {
    const of = (own: string, pod: object) =>
      resultsOf(helpersRun, [manifest(helper()), manifest(pod, own)], { own: [own], minor: null }).join();
    assert.equal(of('/other', helper({}, {}, { name: 'other' })), 'met');
    assert.equal(of('/other', helper({}, {}, { namespace: 'default' })), 'met');
    assert.equal(of('/other', helper()), 'unmet');
  });
  it('holds nothing of root', () => {
    const holds = (path: string, mount: object = {}, more: object = {}): string =>
      resultsOf(
        helpersHoldNothing,
        [
          manifest(
            helper(
              { volumeMounts: [{ name: 'c', mountPath: '/c', ...mount }], ...more },
              {
                volumes: [
                  { name: 'c', hostPath: { path } },
                  { name: 'e', emptyDir: {} },
                ],
              },
            ),
          ),
        ],
        { pki: '/etc/kubernetes/pki' },
      ).join();
    for (const sound of [
      '/etc/haproxy/haproxy.cfg',
      '/etc/keepalived',
      '/etc/hosts',
      '/etc/localtime',
      '/etc/ssl/certs',
      '/etc/kubernetes/admin.conf',
      '/etc/kubernetes/super-admin.conf',
      '/etc/kubernetes/pki/etcd/healthcheck-client.key',
      '/lib/modules',
      '/run/xtables.lock',
      '/var/log',
      '/var/lib/registry',
      '/dev/kmsg',
      '/opt/cni/bin',
      '/run/kmsplugin',
      '/var/lib/kubelet/device-plugins',
      '/proc/sys/net',
      '/sys/fs/cgroup',
      '/dev/net/tun',
    ])
      assert.equal(holds(sound), 'met', sound);
    for (const read of [
      '/proc',
      '/etc',
      '/usr',
      '/dev',
      '/proc/sys/kernel',
      '/var/lib/kubelet/config.yaml',
      '/etc/udev/rules.d',
    ]) {
      assert.equal(holds(read), 'unmet', read);
      assert.equal(holds(read, { readOnly: true }), 'met', read);
    }
    for (const held of [
      '/root',
      '/root/.ssh/',
      '/root/.kube/config',
      '/etc/shadow',
      '/run/containerd',
      '/run',
      '/var/run',
      '/run/systemd/private',
      '/var/run/dbus/system_bus_socket',
      '/dev/mapper/root',
      '/dev/nvme0n1',
      '/proc/1/root',
      '/home/anna/.ssh',
      '/etc/ssh/ssh_host_ed25519_key',
      '/var/lib/kubelet/pki',
      '/var/lib/kubelet/pki/kubelet-client-current.pem',
      '/etc/kubernetes/pki/ca.key',
      '/etc/kubernetes/pki/sa.key',
      '/etc/kubernetes/../../root',
    ])
      assert.equal(holds(held, { readOnly: true }), 'unmet', held);
    for (const odd of [
      '/etc/kubernetes/manifests',
      '/etc/systemd/system',
      '/etc/cron.d',
      '/usr/bin',
      '/etc/default/kubelet',
    ])
      assert.equal(holds(odd), 'unmet', odd);
    const adds = (name: string) => ({ securityContext: { capabilities: { add: [name] } } });
    assert.equal(holds('/c', {}, adds('NET_ADMIN')), 'met');
    assert.equal(holds('/c', {}, adds('CAP_SYS_RAWIO')), 'unmet');
    for (const name of ['DAC_READ_SEARCH', 'BPF', 'perfmon', 'CAP_MAC_ADMIN'])
      assert.equal(holds('/c', {}, adds(name)), 'unmet', name);
    for (const name of ['NET_RAW', 'SYS_TIME', 'IPC_LOCK', 'SYS_NICE'])
      assert.equal(holds('/c', {}, adds(name)), 'met', name);
    assert.equal(holds('/c', {}, { securityContext: { procMount: 'Unmasked' } }), 'unmet');
    assert.equal(holds('/c', {}, { securityContext: { procMount: 'Default' } }), 'met');
  });
  it('is seen as its mounts show it', () => {
    const holds = (mount: object, spec: object = {}): string => {
      const volumes = [{ name: 'c', hostPath: { path: '/etc/kubernetes' } }];
      const one = helper(
        { volumeMounts: [{ name: 'c', mountPath: '/c', readOnly: true, ...mount }] },
        { volumes, ...spec },
      );
      return resultsOf(helpersHoldNothing, [manifest(one)], { pki: '/etc/kubernetes/pki' }).join();
    };
    assert.equal(holds({ subPath: 'lb.conf' }), 'met');
    assert.equal(holds({ subPath: 'pki/ca.key' }), 'unmet');
    const bus = { volumes: [{ name: 'c', hostPath: { path: '/run/dbus' } }] };
    assert.equal(holds({}, bus), 'unmet');
    assert.equal(holds({}, { ...bus, securityContext: { runAsUser: 65534 } }), 'met');
    assert.equal(holds({}, { ...bus, securityContext: { runAsNonRoot: true } }), 'met');
    assert.equal(holds({}, { ...bus, securityContext: { runAsUser: 0 } }), 'unmet');
  });
  it('works as somebody whom RBAC holds', () => {
    const of = (path: string) =>
      resultsOf(helpersHeldByRbac, [manifest(helper({}, { volumes: [{ name: 'c', hostPath: { path } }] }))], undefined);
    assert.deepEqual(of('/etc/kubernetes/admin.conf'), ['met']);
    assert.deepEqual(of('/etc/kubernetes/super-admin.conf'), ['unmet']);
  });
});
