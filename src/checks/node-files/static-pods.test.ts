import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultsOf, saidBy } from '../common/judged.testing.js';
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
const said = (pod: object): string => saidBy(helpersRun, [manifest(pod)], { own: [], minor: null }).join();

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
    const names = (name: string): object => helper({}, {}, { name });
    const label = 'a'.repeat(63);
    for (const name of [label, `${`${label}.`.repeat(3)}${'a'.repeat(61)}`, '1', 'a-1'])
      assert.equal(runs(names(name)), 'met', name);
    const twice = (mountPath: string) => ['c', 'c'].map((name) => ({ name, mountPath }));
    const volume = { name: 'c', hostPath: { path: '/c' } };
    for (const [seen, odd] of [
      ['apiVersion v2', { ...helper(), apiVersion: 'v2' }],
      ['apiVersion undefined', { ...helper(), apiVersion: undefined }],
      [`apiVersion ${'v'.repeat(40)}`, { ...helper(), apiVersion: 'v'.repeat(50) }],
      ['the name of nothing', names('')],
      ...['Lb_1', 'a.-b', 'a-', 'aä1', 'a1Ä'].map((name) => [`the name ${name}`, names(name)] as const),
      [`the name ${'a'.repeat(60)}`, names('a'.repeat(64))],
      [`the name ${'a'.repeat(60)}`, names(`${`${label}.`.repeat(3)}${'a'.repeat(62)}`)],
      ['it has no containers', helper({}, { containers: [] })],
      ['two containers lb', helper({}, { containers: [container, container] })],
      ['two containers lb', helper({}, { initContainers: [container] })],
      [
        `two containers ${'a'.repeat(40)}`,
        helper({}, { containers: ['', ''].map(() => ({ ...container, name: 'a'.repeat(50) })) }),
      ],
      ['the name Lb of a container', helper({ name: 'Lb' })],
      ['the name of nothing of a container', helper({ name: '' })],
      [`the name ${'A'.repeat(40)} of a container`, helper({ name: 'A'.repeat(50) })],
      ['a container without an image', helper({ image: '' })],
      ['no volume d', helper({ volumeMounts: [{ name: 'd', mountPath: '/c' }] })],
      [`no volume ${'d'.repeat(40)}`, helper({ volumeMounts: [{ name: 'd'.repeat(50), mountPath: '/c' }] })],
      ['a mount at no path', helper({ volumeMounts: [{ name: 'c', mountPath: '' }] })],
      ['two mounts at /c', helper({ volumeMounts: twice('/c') })],
      [`two mounts at /${'c'.repeat(59)}`, helper({ volumeMounts: twice(`/${'c'.repeat(80)}`) })],
      ['two volumes c', helper({}, { volumes: [volume, volume] })],
      [
        `no volume c, two volumes ${'e'.repeat(40)}`,
        helper({}, { volumes: ['', ''].map(() => ({ ...volume, name: 'e'.repeat(50) })) }),
      ],
      ['spec.hostNetwork is of another type', helper({}, { hostNetwork: 'yes' })],
    ] as const)
      assert.equal(said(odd), `unmet: ${seen}`);
    for (const odd of [
      helper({ image: 'LB:1' }),
      helper({ imagePullPolicy: 'Sometimes' }),
      helper({}, { volumes: [{ name: 'c', configMap: { name: 'a' } }] }),
    ])
      assert.equal(runs(odd), 'unmet', JSON.stringify(odd));
    assert.equal(said(helper()), 'met: it does');
  });
  it('is told by the first of much that is odd', () => {
    const containers = ['A', 'B', 'C', 'D', 'E'].map((name) => ({ name, image: 'a' }));
    const four = ['A', 'B', 'C', 'D'].map((name) => `the name ${name} of a container`);
    assert.equal(said(helper({}, { containers, volumes: [] })), `unmet: ${four.join(', ')}`);
    const long = containers.map(({ name }) => ({ name: name.repeat(50), image: 'a' }));
    assert.equal(said(helper({}, { containers: long, volumes: [] })).length, 'unmet: '.length + 240);
  });
  it('is judged beside what cannot be read', () => {
    const broken = at('/b', { kind: 'unreadable', why: 'it is cut off' });
    const all = [manifest(helper()), broken, at('/c', { kind: 'folder' }), at('/d', null)];
    assert.deepEqual(saidBy(helpersRun, all, { own: [], minor: 36 }), [
      'met: it does',
      'unclear: it cannot be read: it is cut off',
      'unmet: it holds something else',
      'unmet: there is no such file',
    ]);
  });
  it('names no account since 1.34', () => {
    const pod = helper({}, { serviceAccountName: 'a' });
    assert.deepEqual([runs(pod, 33), runs(pod, 34), runs(pod)], ['met', 'unmet', 'met']);
    assert.equal(runs(helper({}, { runtimeClassName: 'a' }), 33), 'met');
  });
  it('has a name of its own', () => {
    const of = (pod: object, first = helper()) =>
      saidBy(helpersRun, [manifest(first), manifest(pod, '/other')], { own: ['/other'], minor: null }).join();
    const [inDefault, inNone] = ['default', ''].map((namespace) => helper({}, {}, { namespace }));
    for (const other of [helper({}, {}, { name: 'other' }), inDefault ?? {}, inNone ?? {}])
      assert.equal(of(other), 'met: it does');
    assert.equal(of(helper()), 'unmet: another one has its name');
    assert.equal(of(inDefault ?? {}, inNone), 'unmet: another one has its name');
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
    for (const name of ['SYS_BOOT', 'PERFMON', 'MAC_OVERRIDE'])
      assert.equal(holds('/c', {}, adds(name)), 'unmet', name);
    for (const name of ['BPFS', 'NO_BPF']) assert.equal(holds('/c', {}, adds(name)), 'met', name);
    assert.equal(holds('/c', {}, { securityContext: { procMount: 'Unmasked' } }), 'unmet');
    assert.equal(holds('/c', {}, { securityContext: { procMount: 'Default' } }), 'met');
  });
  it('is told by what it holds', () => {
    const told = (container_: object, ...paths: readonly string[]): string => {
      const volumes = paths.map((path, at) => ({ name: `v${at}`, hostPath: { path } }));
      const one = helper({ volumeMounts: [], ...container_ }, { volumes });
      return saidBy(helpersHoldNothing, [manifest(one)], { pki: '/pki' }).join();
    };
    assert.equal(told({}, '/etc/lb'), 'met: it holds none');
    const context = { capabilities: { add: ['BPF', 'CHOWN'] }, procMount: 'Unmasked' };
    assert.equal(
      told({ securityContext: context }, '/root', '/pki/sa.key', '/x/pki/sa.key'),
      'unmet: /root, /pki/sa.key, the capability BPF, procMount Unmasked',
    );
    const homes = ['a', 'b', 'c', 'd', 'e'].map((name) => `/home/${name}/.ssh`);
    assert.equal(told({}, ...homes), `unmet: ${homes.slice(0, 4).join(', ')}`);
    assert.equal(told({}, `/root/.ssh/${'a'.repeat(300)}`).length, 'unmet: '.length + 240);
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
      saidBy(helpersHeldByRbac, [manifest(helper({}, { volumes: [{ name: 'c', hostPath: { path } }] }))], undefined);
    assert.deepEqual(of('/etc/kubernetes/admin.conf'), ['met: it does not']);
    assert.deepEqual(of('/etc/kubernetes/super-admin.conf'), ['unmet: it mounts super-admin.conf']);
  });
});
