import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isNetwork, MACHINE_FILES, machineFileIn } from './machine-files.js';

const read = (path: string, ...lines: readonly string[]): unknown => machineFileIn(path, lines.join('\n'));

describe('files of a machine', () => {
  it('are read where they lie, and nowhere else', () => {
    assert.deepEqual(MACHINE_FILES, [
      ...['/etc/fstab', '/etc/sysctl.conf', '/etc/sysctl.d/*.conf', '/run/sysctl.d/*.conf'],
      ...['/usr/local/lib/sysctl.d/*.conf', '/usr/lib/sysctl.d/*.conf', '/etc/modprobe.d/*.conf', '/etc/hosts'],
      '/etc/hostname',
      ...['/etc/resolv.conf', '/etc/environment', '/etc/systemd/system.conf', '/etc/systemd/system.conf.d/*.conf'],
    ]);
    for (const pattern of MACHINE_FILES) assert.notEqual(read(pattern.replace('*', 'a-1')), undefined, pattern);
    for (const path of ['/etc/profile.d/a.sh', '/etc/cni/net.d/10-a.conflist']) assert.notEqual(read(path), undefined);
    for (const path of [
      ...[
        '/srv/etc/fstab',
        '/etc/fstab.d/a',
        '/etc/sysctl.d/a.conf.bak',
        '/etc/sysctl.d/a/b.conf',
        '/etc/sysctl.conf~',
      ],
      ...[
        '/srv/etc/modprobe.d/a.conf',
        '/etc/modprobe.d/a.conf.bak',
        '/etc/modprobe.d/a/b.conf',
        '/etc/hosts.allow',
        '/etc/hostname.old',
      ],
      ...[
        '/srv/etc/environment',
        '/etc/environment.d/a',
        '/srv/etc/profile.d/a.sh',
        '/etc/profile.d/a.sh~',
        '/etc/profile.d/a',
      ],
      ...['/etc/profile.d/a/b.sh', '/srv/etc/systemd/system.conf', '/etc/systemd/system.conf.bak'],
      ...['/etc/systemd/system.conf.d/a.conf~', '/etc/systemd/system.conf.d/a/b.conf', '/etc/systemd/user.conf'],
    ])
      assert.equal(read(path, 'a=b'), undefined, path);
    for (const name of ['a.conf', '10-b.conflist', 'c.json'])
      assert.equal(isNetwork(`/etc/cni/net.d/${name}`), true, name);
    for (const name of ['a.conf.bak', 'a/b.conf', 'conf', '.conf~', 'a.yaml'])
      assert.equal(isNetwork(`/etc/cni/net.d/${name}`), false, name);
    assert.equal(isNetwork('/srv/etc/cni/net.d/a.conf'), false);
  });

  it('name mounts', () => {
    const table = [
      '# <device>  <at>',
      '   # UUID=1 /a ext4',
      '',
      'LABEL=#1\t /var/lib/  xfs   ro,noatime 0 2',
      '/dev/a / ext4',
      '/dev/b /b',
      '   tmpfs /tmp tmpfs defaults',
    ];
    assert.deepEqual(read('/etc/fstab', ...table), {
      mounts: [
        { at: '/var/lib', type: 'xfs', options: ['ro', 'noatime'] },
        { at: '/', type: 'ext4', options: [''] },
        { at: '/tmp', type: 'tmpfs', options: ['defaults'] },
      ],
    });
  });

  it('set what the kernel is told, with dots or slashes, the last one counts', () => {
    const lines = [
      '# a.b = 1',
      '  ; c.d = 1',
      ' net.ipv4.ip_forward =  1 ',
      'net/ipv4/conf/eth0.1/forwarding=0',
      '-kernel.panic=10',
      'x=1',
      'x = a=b;c#d',
      '= 1',
      'no value',
      'net.ipv4/a=2',
    ];
    assert.deepEqual(read('/etc/sysctl.conf', ...lines), {
      sysctls: {
        'net.ipv4.ip_forward': '1',
        'net.ipv4.conf.eth0/1.forwarding': '0',
        'kernel.panic': '10',
        x: 'a=b;c#d',
        'net.ipv4/a': '2',
      },
    });
  });

  it('keep modules from the kernel', () => {
    const lines = [
      'blacklist  br-netfilter # why',
      'install overlay   /bin/false',
      'install veth /usr/bin/true',
      'install a /sbin/modprobe --ignore-install a',
      'install b /srv/bin/true',
      'install c /bin/true-ish',
      'options d /bin/true',
      'alias e /bin/false',
      '#blacklist f',
    ];
    assert.deepEqual(read('/etc/modprobe.d/a.conf', ...lines), {
      blocked: { br_netfilter: 'blacklist', overlay: 'install /bin/false', veth: 'install /usr/bin/true' },
    });
  });

  it('say where names lead', () => {
    const lines = ['# 192.0.2.9 a', '127.0.0.1\t localhost  A.example # b', '', '::1 localhost', '192.0.2.1'];
    for (const name of ['cp-1', 'CP-1', '# of a tool\n\ncp-1 '])
      assert.deepEqual(read('/etc/hostname', name), { hostname: 'cp-1' }, name);
    assert.deepEqual(read('/etc/hostname', 'a.example'), { hostname: 'a.example' });
    for (const none of ['localhost', 'localhost.localdomain', '(none)', '-a', 'a b', '#a'])
      assert.deepEqual(read('/etc/hostname', none), {}, none);
    assert.deepEqual(read('/etc/hosts', ...lines), {
      hosts: { localhost: ['127.0.0.1', '::1'], 'a.example': ['127.0.0.1'] },
    });
    const resolv = [
      '; nameserver 192.0.2.8',
      '# nameserver 192.0.2.9',
      'nameserver   192.0.2.1 # a',
      ' nameserver\t2001:db8::1',
      'options nameserver 192.0.2.7',
      'nameserver',
      'search a.example;nameserver 192.0.2.6',
      'nameserver 192.0.2.2;first',
    ];
    assert.deepEqual(read('/etc/resolv.conf', ...resolv), { nameservers: ['192.0.2.1', '2001:db8::1', '192.0.2.2'] });
  });

  it('name proxies of who logs in and of every unit', () => {
    const proxies = { https_proxy: 'a proxy', NO_PROXY: '.example' };
    const exported = [
      'export https_proxy="http://u:p@a:1"',
      '   export NO_PROXY=.example',
      'export   PATH=/bin',
      'xexport no_proxy=b',
      'echo export no_proxy=c',
    ];
    assert.deepEqual(read('/etc/profile.d/a.sh', ...exported), { proxies });
    assert.deepEqual(read('/etc/environment', 'https_proxy=http://a', "NO_PROXY='.example'"), { proxies });
    const manager = [
      '[Manager]',
      '#DefaultEnvironment=no_proxy=a',
      '  ;DefaultEnvironment=no_proxy=b',
      'XDefaultEnvironment=no_proxy=c',
      'DefaultEnvironment="https_proxy=http://a"   \'NO_PROXY=.example\'',
      'DefaultEnvironment=A=b',
      'DefaultLimitNOFILE=1',
    ];
    assert.deepEqual(read('/etc/systemd/system.conf', ...manager), { proxies });
    assert.deepEqual(read('/etc/systemd/system.conf.d/a.conf', '[Manager]'), { proxies: {} });
  });

  it('say which network Pods have, or why there is none', () => {
    const network = (told: unknown): unknown => read('/etc/cni/net.d/a.conf', JSON.stringify(told));
    assert.deepEqual(network({ name: 'a', cniVersion: '1.0.0', type: 'bridge', ipam: { type: 'host-local' } }), {
      network: { name: 'a', version: '1.0.0', plugins: ['bridge', 'host-local'] },
    });
    assert.deepEqual(
      network({
        name: 'b',
        plugins: [
          { type: 'calico', ipam: { type: '' } },
          { type: 'portmap', ipam: 'x' },
        ],
      }),
      {
        network: { name: 'b', version: '', plugins: ['calico', 'portmap'] },
      },
    );
    for (const [told, problem] of [
      [[], 'it is no network'],
      ['a', 'it is no network'],
      [{ name: 'a' }, 'it names no plugin'],
      [{ name: 'a', plugins: [] }, 'it names no plugin'],
      [{ name: 'a', plugins: [{ type: 'b' }, {}] }, 'it names no plugin'],
      [{ type: 'a' }, 'it has no name'],
      [{ name: '', type: 'a' }, 'it has no name'],
    ] as const)
      assert.deepEqual(network(told), { problem }, JSON.stringify(told));
    assert.deepEqual(read('/etc/cni/net.d/a.conf', '{'), { problem: 'it is no JSON' });
  });
});
