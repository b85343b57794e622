import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Fields } from '../../kubernetes/json.js';
import {
  containersOf,
  hostPathsIn,
  keyFoldersIn,
  mountsSuperAdmin,
  powerfulPathsIn,
  signingKeysIn,
} from './host-paths.js';

interface Mounted {
  readonly mount?: object;
  readonly container?: object;
  readonly spec?: object;
}
/** A Pod that mounts a path of its machine. */
const mounting = (path: string, { mount = {}, container = {}, spec = {} }: Mounted = {}): Fields => ({
  spec: {
    containers: [{ name: 'a', volumeMounts: [{ name: 'v', mountPath: '/m', ...mount }], ...container }],
    volumes: [{ name: 'v', hostPath: { path } }],
    ...spec,
  },
});
const reading = (path: string): Fields => mounting(path, { mount: { readOnly: true } });

describe('paths of the machine that a Pod sees', () => {
  it('are those of its volumes, with what each mount takes of them', () => {
    const told = (path: string, subPath?: string): string | undefined =>
      hostPathsIn(mounting(path, { mount: subPath === undefined ? {} : { subPath } }))[0]?.path;
    assert.equal(told('/a/b'), '/a/b');
    assert.equal(told('/a/b/'), '/a/b');
    assert.equal(told('/a/../b//c'), '/b/c');
    assert.equal(told('a'), '/a');
    assert.equal(told('/'), '/');
    assert.equal(told('/a', 'b/c'), '/a/b/c');
    assert.equal(told('/a', '../b'), '/a/b');
    assert.equal(told('/a', '/b/'), '/a/b');
    assert.equal(told('/', 'etc'), '/etc');
    assert.equal(told(''), undefined);
  });

  it('are written where a mount is not read-only, and nobody’s where its container is not root', () => {
    const seen = (given: Mounted) => {
      const [one] = hostPathsIn(mounting('/a', given));
      return [one?.isWritten, one?.isNobodys];
    };
    assert.deepEqual(seen({}), [true, false]);
    assert.deepEqual(seen({ mount: { readOnly: true } }), [false, false]);
    assert.deepEqual(seen({ mount: { readOnly: false } }), [true, false]);
    assert.deepEqual(seen({ mount: { readOnly: 'true' } }), [true, false]);
    for (const [own, all, isNobodys] of [
      [{ runAsUser: 1000 }, {}, true],
      [{ runAsUser: 0 }, {}, false],
      [{}, { runAsUser: 1000 }, true],
      [{ runAsUser: 0 }, { runAsUser: 1000 }, false],
      [{ runAsUser: 1000 }, { runAsUser: 0 }, true],
      [{ runAsNonRoot: true }, {}, true],
      [{ runAsNonRoot: false }, { runAsNonRoot: true }, false],
      [{}, { runAsNonRoot: true }, true],
      [{ runAsNonRoot: 'true' }, {}, false],
      [{ runAsUser: 0, runAsNonRoot: true }, {}, false],
    ] as const)
      assert.deepEqual(
        seen({ container: { securityContext: own }, spec: { securityContext: all } }),
        [true, isNobodys],
        JSON.stringify([own, all]),
      );
  });

  it('are told of each mount, and of a volume that nobody mounts', () => {
    const volumes = [
      { name: 'v', hostPath: { path: '/a' } },
      { name: 'w', hostPath: { path: '/b' } },
      { name: 'x', emptyDir: {} },
    ];
    const init = { volumeMounts: [{ name: 'v', readOnly: true }, { name: 'x' }] };
    const pod = mounting('/a', { spec: { volumes, initContainers: [init] } });
    assert.deepEqual(hostPathsIn(pod), [
      { path: '/a', isWritten: false, isNobodys: false },
      { path: '/a', isWritten: true, isNobodys: false },
      { path: '/b', isWritten: false, isNobodys: false },
    ]);
    assert.equal(containersOf(pod).length, 2);
    assert.deepEqual(hostPathsIn({}), []);
  });
});

describe('paths that make root of who has them', () => {
  const isPowerful = (pod: Fields): boolean => powerfulPathsIn(pod).length > 0;
  it('are those that root obeys, where they are written', () => {
    for (const path of [
      ...['/etc', '/etc/crontab', '/etc/passwd', '/etc/group', '/etc/profile', '/etc/ld.so.preload', '/etc/ld.so.conf'],
      ...['/etc/systemd', '/etc/systemd/system/a.service', '/etc/cron.d', '/etc/cron.daily/a', '/etc/sudoers'],
      ...['/etc/sudoers.d/a', '/etc/pam.d', '/etc/default/kubelet', '/etc/sysconfig', '/etc/profile.d', '/etc/init.d'],
      ...['/etc/ld.so.conf.d', '/etc/udev/rules.d', '/etc/modprobe.d', '/etc/apt', '/etc/yum.repos.d/a'],
      ...['/etc/containerd', '/etc/crio', '/etc/docker/daemon.json', '/etc/kubernetes/manifests', '/etc/logrotate.d'],
      ...[
        '/usr',
        '/usr/local',
        '/home',
        '/opt',
        '/lib',
        '/lib64',
        '/boot',
        '/dev',
        '/var',
        '/var/lib',
        '/bin',
        '/sbin',
      ],
      ...[
        '/usr/bin',
        '/usr/local/sbin/a',
        '/usr/lib',
        '/lib/systemd/system',
        '/usr/lib/systemd',
        '/var/lib/containerd',
      ],
      ...['/var/lib/docker', '/var/lib/kubelet', '/var/lib/kubelet/pods', '/var/lib/kubelet/config.yaml'],
      ...['/var/lib/kubelet/kubeadm-flags.env', '/var/lib/cloud/instance', '/var/spool', '/var/spool/cron/root'],
      ...['/run/containerd/io.containerd.runtime.v2.task', '/proc', '/proc/sys', '/proc/sys/kernel', '/proc/sys/fs'],
      ...['/proc/sys/kernel/core_pattern', '/proc/sys/kernel/modprobe', '/proc/sys/fs/binfmt_misc/register'],
      ...['/proc/sysrq-trigger', '/sys', '/sys/kernel', '/sys/kernel/debug/a', '/sys/kernel/uevent_helper'],
    ]) {
      assert.equal(isPowerful(mounting(path)), true, path);
      assert.equal(isPowerful(reading(path)), false, path);
    }
    assert.equal(isPowerful(mounting('/var/run/containerd/io.containerd.runtime.v1.linux')), true);
  });

  it('are those that root keeps to himself, and sockets, whoever mounts them and how', () => {
    for (const path of [
      ...[
        '/root',
        '/root/.ssh',
        '/root/.kube/config',
        '/home/a/.ssh/id',
        '/home/a/.kube',
        '/etc/shadow',
        '/etc/shadow-',
      ],
      ...['/etc/gshadow', '/etc/ssh', '/etc/ssh/ssh_host_ed25519_key', '/etc/ssl/private', '/etc/ssl/private/a.key'],
      ...['/var/lib/kubelet/pki', '/var/lib/kubelet/pki/a.pem', '/var/lib/kubelet/pki/a.key', '/dev/mem', '/dev/kmem'],
      ...[
        '/dev/port',
        '/dev/sda',
        '/dev/sda1',
        '/dev/nvme0n1',
        '/dev/dm-0',
        '/dev/mapper/a',
        '/dev/disk',
        '/proc/kcore',
      ],
      ...['/proc/1/root', '/proc/1/mem', '/proc/1', '/run', '/var/run', '/run/containerd', '/run/crio', '/run/docker'],
      ...['/var/run/docker', '/run/systemd', '/run/systemd/private', '/run/cri-dockerd.sock'],
    ])
      for (const securityContext of [{}, { runAsUser: 1000 }])
        assert.equal(
          isPowerful(mounting(path, { mount: { readOnly: true }, container: { securityContext } })),
          true,
          path,
        );
    assert.deepEqual(powerfulPathsIn(reading('/var/run/docker')), ['/var/run/docker']);
    assert.equal(isPowerful(reading('/run/dbus')), true);
    assert.equal(isPowerful(reading('/run/dbus/system_bus_socket')), true);
    const nobody = { container: { securityContext: { runAsUser: 1000 } } };
    assert.equal(isPowerful(mounting('/run/dbus/system_bus_socket', nobody)), false);
  });

  it('are not those that a component or an agent needs', () => {
    for (const path of [
      ...['/etc/ssl/certs', '/etc/ca-certificates', '/etc/pki', '/usr/share/ca-certificates', '/etc/localtime'],
      ...['/etc/kubernetes/pki', '/etc/kubernetes/scheduler.conf', '/var/lib/etcd', '/var/log', '/var/log/pods'],
      ...['/etc/passwd.old', '/x/etc', '/etc/hostname', '/usr/share', '/home/a', '/opt/cni', '/lib/modules', '/varx'],
      ...['/var/lib/kubelet/device-plugins', '/var/lib/kubelet/a/config.yaml', '/var/lib/calico', '/run/xtables.lock'],
      ...['/run/a/containerd', '/proc/sys/net', '/sys/fs/cgroup', '/dev/null', '/dev/snd', '/var/running', '/tmp'],
      ...['/proc/meminfo', '/proc/1/status', '/x/var/run/docker', '/etc/ssh/sshd_config.d/x_key'],
    ]) {
      if (path === '/etc/ssh/sshd_config.d/x_key') assert.equal(isPowerful(reading(path)), false, path);
      else assert.equal(isPowerful(mounting(path)), false, path);
    }
  });
});

describe('keys that a Pod sees', () => {
  const PKI = '/etc/kubernetes/pki';
  it('sign for the cluster by their names', () => {
    for (const name of [
      'ca.key',
      'etcd/ca.key',
      'front-proxy-ca.key',
      'front-proxy-client.key',
      'sa.key',
      'apiserver-kubelet-client.key',
    ])
      assert.deepEqual(signingKeysIn(reading(`${PKI}/${name}`), PKI), [`${PKI}/${name}`]);
    for (const path of [`${PKI}/ca.crt`, `${PKI}/sa.pub`, '/x/ca.key', `${PKI}/ca.key.old`, `${PKI}/etcd/server.key`])
      assert.deepEqual(signingKeysIn(reading(path), PKI), [], path);
    assert.deepEqual(signingKeysIn(reading('/k/ca.key'), '/k'), ['/k/ca.key']);
  });

  it('are those of others by their folders, and the folders above', () => {
    const told = (path: string): boolean => keyFoldersIn(reading(path), '/k/pki', '/data').length > 0;
    for (const path of ['/', '/etc', '/etc/kubernetes', '/k', '/k/pki', '/k/pki/etcd', '/var', '/var/lib/kubelet'])
      assert.equal(told(path), true, path);
    for (const path of ['/var/lib/kubelet/pki', '/data', '/data/member', '/k/pki/ca.key', '/var/lib/kubelet/pods/a/b'])
      assert.equal(told(path), true, path);
    for (const path of [
      '/etc/kubernetes/a.conf',
      '/k/pki/a.crt',
      '/database',
      '/etc/kubernetesx',
      '/var/lib/kubelet/a',
    ])
      assert.equal(told(path), false, path);
    assert.deepEqual(keyFoldersIn(reading('/data'), '/k/pki', '/data'), ['/data']);
    for (const path of ['/DATA', '/K/pki', '/etc/Kubernetes', '/data ']) assert.equal(told(path), false, path);
  });

  it('are those of the administrator whom RBAC does not hold', () => {
    assert.equal(mountsSuperAdmin(reading('/etc/kubernetes/super-admin.conf')), true);
    assert.equal(mountsSuperAdmin(reading('/etc/kubernetes/admin.conf')), false);
    assert.equal(mountsSuperAdmin({}), false);
    const volumes = ['/a', '/etc/kubernetes/super-admin.conf'].map((path, at) => ({
      name: `${at}`,
      hostPath: { path },
    }));
    assert.equal(mountsSuperAdmin({ spec: { volumes } }), true);
  });
});
