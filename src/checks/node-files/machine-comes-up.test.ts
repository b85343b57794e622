import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sentenceOf } from '../../model/finding.js';
import { judged, resultsOf, saidBy } from '../common/judged.testing.js';
import { type MachineSeen, machineComesUp, namesLead, networkThere, sysctlsOn } from './machine-comes-up.js';
import { machineFileIn } from './machine-files.js';
import type { Disk } from './node-seen.js';
import { at } from './node-seen.testing.js';

/** Path → content. */
const disk = (files: Readonly<Record<string, string>>): Disk =>
  Object.fromEntries(
    Object.entries(files).map(([path, content]) => {
      const told = machineFileIn(path, content);
      const { file } = at(path, told === undefined ? { kind: 'other' } : { kind: 'machine', told });
      if (file === null) throw new Error('no file');
      return [path, file];
    }),
  );
const machine = (files: Readonly<Record<string, string>>, more: Partial<MachineSeen> = {}): MachineSeen => ({
  disk: disk(files),
  settings: {},
  flags: {},
  hasIpv6: false,
  ...more,
});
const comes = (files: Readonly<Record<string, string>>, more: Partial<MachineSeen> = {}): string =>
  resultsOf(machineComesUp, machine(files, more), undefined).join();

describe('what a machine mounts', () => {
  const fstab = (line: string, more: Partial<MachineSeen> = {}): string => comes({ '/etc/fstab': `${line}\n` }, more);
  it('is no swap, but where the kubelet takes it', () => {
    assert.equal(fstab('/dev/sda1 / ext4 defaults 0 1'), 'met');
    assert.equal(fstab('/dev/sda2 none swap sw 0 0'), 'unmet');
    assert.equal(fstab('/swapfile\tswap\tswap\tdefaults'), 'unmet');
    assert.equal(fstab(' # /dev/sda2 none swap sw 0 0'), 'met');
    assert.equal(fstab('/dev/sda2 none swap noauto 0 0'), 'met');
    assert.equal(fstab('/dev/sda2 none swap sw 0 0', { settings: { failSwapOn: false } }), 'met');
    for (const off of ['false', 'False', 'F', '0'])
      assert.equal(fstab('/dev/sda2 none swap sw 0 0', { flags: { 'fail-swap-on': off } }), 'met', off);
    const flagged = { settings: { failSwapOn: false }, flags: { 'fail-swap-on': 'true' } };
    assert.equal(fstab('/dev/sda2 none swap sw 0 0', flagged), 'unmet');
    assert.equal(fstab('/dev/sda2 none swap sw 0 0', { settings: { failSwapOn: true } }), 'unmet');
  });
  it('keeps what a node keeps', () => {
    assert.equal(fstab('tmpfs /etc/kubernetes tmpfs size=1G'), 'unmet');
    assert.equal(fstab('tmpfs /var/lib/kubelet/ tmpfs size=1G'), 'unmet');
    assert.equal(fstab('tmpfs /var/lib/etcd tmpfs size=1G'), 'met');
    assert.equal(fstab('tmpfs /var/lib/etcd tmpfs size=1G', { data: '/var/lib/etcd' }), 'unmet');
    assert.equal(fstab('tmpfs /tmp tmpfs nosuid'), 'met');
    for (const kept of ['/etc/kubernetes/pki', '/var/lib/kubelet', '/var/lib', '/var'])
      for (const [type, options] of [
        ['tmpfs', 'rw'],
        ['ramfs', 'rw'],
        ['ext4', 'ro'],
      ] as const)
        assert.equal(fstab(`a ${kept} ${type} ${options}`), 'unmet', `${kept} ${type} ${options}`);
    for (const line of [
      'a /etc/kubernetes-old tmpfs rw',
      'a /var/lib/kubelets tmpfs rw',
      'a / tmpfs rw',
      'a /srv/etc/kubernetes/a tmpfs rw',
    ])
      assert.equal(fstab(line), 'met', line);
    for (const line of [
      'a /var/lib tmpfs noauto',
      'a /var/lib xtmpfs rw',
      'a /var/lib tmpfsx rw',
      'a /var/lib ext4 errors=remount-ro',
    ])
      assert.equal(fstab(line), 'met', line);
    // what lies there once may stay as it is
    assert.equal(fstab('a /etc/kubernetes ext4 ro'), 'met');
    assert.equal(fstab('/dev/sdb1 /var/lib/kubelet ext4 noatime,ro 0 2'), 'unmet');
    assert.equal(fstab('/dev/sdb1 /var/lib/kubelet ext4 noatime,rw 0 2'), 'met');
  });
});

describe('settings of the kernel', () => {
  const told = (files: Readonly<Record<string, string>>, more: Partial<MachineSeen> = {}): string => comes(files, more);
  it('count as the last file says', () => {
    assert.equal(told({ '/etc/sysctl.d/k8s.conf': 'net.ipv4.ip_forward = 1\n' }), 'met');
    assert.equal(told({ '/etc/sysctl.d/k8s.conf': 'net/ipv4/ip_forward=0\n' }), 'unmet');
    const both = {
      '/etc/sysctl.d/50-a.conf': 'net.ipv4.ip_forward=0',
      '/etc/sysctl.d/99-k8s.conf': '-net.ipv4.ip_forward=1',
    };
    assert.equal(told(both), 'met');
    assert.equal(told({ ...both, '/etc/sysctl.conf': 'net.ipv4.ip_forward=0' }), 'unmet');
    assert.equal(told({ ...both, '/etc/sysctl.conf': '#net.ipv4.ip_forward=0' }), 'met');
    assert.equal(told({ '/usr/lib/sysctl.d/50-a.conf': 'net.ipv4.conf.all.forwarding=0' }), 'unmet');
    const hidden = { '/usr/lib/sysctl.d/50-a.conf': 'net.ipv4.ip_forward=0', '/etc/sysctl.d/50-a.conf': 'a=1' };
    assert.equal(told(hidden), 'met');
    assert.deepEqual(sysctlsOn(disk(hidden)), { a: { value: '1', path: '/etc/sysctl.d/50-a.conf' } });
    // by names, whatever folder they lie in; of one name the first folder
    const folders = ['/etc/sysctl.d', '/run/sysctl.d', '/usr/local/lib/sysctl.d', '/usr/lib/sysctl.d'];
    for (const [at, folder] of folders.entries()) {
      const later = folders.slice(at).toReversed();
      const one = disk(Object.fromEntries(later.map((other) => [`${other}/a.conf`, `a=${other}`])));
      assert.deepEqual(sysctlsOn(one), { a: { value: folder, path: `${folder}/a.conf` } });
      const named = disk({ [`${folder}/b.conf`]: 'a=2', '/etc/sysctl.d/a.conf': 'a=1', '/etc/sysctl.d/b': 'a=3' });
      assert.deepEqual(sysctlsOn(named), { a: { value: '2', path: `${folder}/b.conf` } });
    }
  });
  it('are those of bridges where a network has one, and of IPv6 where Pods have it', () => {
    const bridge = { '/etc/sysctl.d/a.conf': 'net.bridge.bridge-nf-call-iptables=0' };
    assert.equal(told(bridge), 'unmet');
    assert.equal(told({ ...bridge, '/etc/cni/net.d/a.conf': '{"name":"a","type":"calico"}' }), 'met');
    const six = { '/etc/sysctl.d/a.conf': 'net.ipv6.conf.all.forwarding=0' };
    assert.equal(told(six), 'met');
    assert.equal(told(six, { hasIpv6: true }), 'unmet');
    assert.equal(told({ '/etc/sysctl.d/a.conf': 'net.ipv6.conf.all.disable_ipv6=1' }, { hasIpv6: true }), 'unmet');
    for (const right of ['net.ipv6.conf.all.forwarding=1', 'net.ipv6.conf.all.disable_ipv6=0'])
      assert.equal(told({ '/etc/sysctl.d/a.conf': right }, { hasIpv6: true }), 'met', right);
    assert.equal(told({ '/etc/sysctl.d/a.conf': 'net.bridge.bridge-nf-call-iptables=1' }), 'met');
    for (const plugin of ['bridge', 'my-calico', 'calico-ipam', 'flannel'])
      assert.equal(told({ ...bridge, '/etc/cni/net.d/a.conf': `{"name":"a","type":"${plugin}"}` }), 'unmet', plugin);
    const several = '{"name":"a","plugins":[{"type":"portmap"},{"type":"ptp"}]}';
    assert.equal(told({ ...bridge, '/etc/cni/net.d/a.conflist': several }), 'met');
  });
  it('are those of a kubelet that keeps them', () => {
    const files = { '/etc/sysctl.d/a.conf': 'vm.overcommit_memory=2' };
    assert.equal(told(files), 'met');
    assert.equal(told(files, { settings: { protectKernelDefaults: true } }), 'unmet');
    for (const on of ['true', 'True', '1'])
      assert.equal(told(files, { flags: { 'protect-kernel-defaults': on } }), 'unmet', on);
    const flagged = { settings: { protectKernelDefaults: true }, flags: { 'protect-kernel-defaults': 'false' } };
    assert.equal(told(files, flagged), 'met');
    for (const [key, value] of [
      ['vm.overcommit_memory', '1'],
      ['vm.panic_on_oom', '0'],
      ['kernel.panic', '10'],
      ['kernel.panic_on_oops', '1'],
      ['kernel.keys.root_maxkeys', '1000000'],
      ['kernel.keys.root_maxbytes', '25000000'],
    ])
      for (const said of [value, '7'])
        assert.equal(
          told({ '/etc/sysctl.d/a.conf': `${key}=${said}` }, { settings: { protectKernelDefaults: true } }),
          said === value ? 'met' : 'unmet',
          `${key}=${said}`,
        );
    assert.equal(
      told({ '/etc/sysctl.d/a.conf': 'kernel.panic=10' }, { settings: { protectKernelDefaults: true } }),
      'met',
    );
  });
});

describe('modules', () => {
  const told = (line: string, more: Readonly<Record<string, string>> = {}): string =>
    comes({ '/etc/modprobe.d/a.conf': line, ...more });
  it('are not kept from the kernel', () => {
    for (const line of [
      'install overlay /bin/false',
      'install br-netfilter /usr/bin/true',
      'blacklist nf_conntrack',
      'blacklist veth',
    ])
      assert.equal(told(line), 'unmet', line);
    for (const line of ['install cramfs /bin/false', '#blacklist overlay', 'install overlay /sbin/modprobe -i overlay'])
      assert.equal(told(line), 'met', line);
    assert.equal(
      told('blacklist br_netfilter', { '/etc/cni/net.d/a.conf': '{"name":"a","type":"cilium-cni"}' }),
      'met',
    );
  });
});

describe('names', () => {
  const told = (files: Readonly<Record<string, string>>, more: Partial<MachineSeen> = {}): string =>
    resultsOf(namesLead, machine(files, more), undefined).join();
  it('lead where they should', () => {
    assert.equal(told({ '/etc/hosts': '127.0.0.1 a localhost\n::1 localhost\n' }), 'met');
    assert.equal(told({ '/etc/hosts': '192.0.2.5\tlocalhost' }), 'unmet');
    assert.equal(told({ '/etc/hosts': '# 192.0.2.5 localhost' }), 'met');
    for (const odd of ['1127.0.0.1', '::11', 'a::1', '1270.0.0.1'])
      assert.equal(told({ '/etc/hosts': `${odd} localhost` }), 'unmet', odd);
    assert.equal(told({ '/etc/hosts': '127.0.0.1 a' }), 'met');
    assert.equal(told({}), '');
  });
  it('are asked of whom a Pod reaches', () => {
    const resolv = (content: string, more: Partial<MachineSeen> = {}): string =>
      told({ '/etc/resolv.conf': content }, more);
    assert.equal(resolv('nameserver 192.0.2.1\n'), 'met');
    assert.equal(resolv('nameserver 127.0.0.53\noptions edns0\n'), 'unmet');
    assert.equal(resolv('nameserver 127.0.0.1\nnameserver 192.0.2.1\n'), 'met');
    assert.equal(
      resolv('nameserver 127.0.0.53', { settings: { resolvConf: '/run/systemd/resolve/resolv.conf' } }),
      'met',
    );
    assert.equal(resolv('nameserver 10.96.0.10', { settings: { clusterDNS: ['10.96.0.10'] } }), 'unmet');
    assert.equal(resolv('; none'), 'met');
    assert.equal(resolv('nameserver 127.0.0.53', { flags: { 'resolv-conf': '/run/a' } }), 'met');
    const flagged = { settings: { resolvConf: '/run/a' }, flags: { 'resolv-conf': '/etc/resolv.conf' } };
    assert.equal(resolv('nameserver 127.0.0.53', flagged), 'unmet');
    assert.equal(resolv('nameserver 192.0.2.1', { settings: { clusterDNS: '192.0.2.1' } }), 'met');
    assert.equal(
      resolv('nameserver 192.0.2.1\nnameserver 10.96.0.10', { settings: { clusterDNS: ['10.96.0.10'] } }),
      'unmet',
    );
  });
});

describe('the network of Pods', () => {
  const told = (files: Readonly<Record<string, string>>, looksElsewhere = false): string =>
    saidBy(networkThere, machine(files), { looksElsewhere }).join();
  const A = '/etc/cni/net.d/10-a.conflist';
  const sound = '{"name":"a","cniVersion":"1.0.0","plugins":[{"type":"bridge","ipam":{"type":"host-local"}}]}';
  it('is the first by name, whole, and its plugins are there', () => {
    const there = { '/opt/cni/bin/bridge': '', '/opt/cni/bin/host-local': '' };
    assert.equal(told({}), '');
    assert.match(told({ [A]: sound }), /it can$/);
    assert.match(told({ [A]: sound, ...there }), /it can$/);
    assert.match(told({ [A]: sound, '/opt/cni/bin/bridge': '' }), /host-local is not in/);
    assert.match(told({ [A]: sound, '/opt/cni/bin/bridge': '' }, true), /it can$/);
    assert.match(told({ [A]: '{"name":' }), /no JSON/);
    assert.match(told({ [A]: '[]' }), /no network/);
    assert.match(told({ [A]: '{"name":"a","plugins":[]}' }), /names no plugin/);
    assert.match(told({ [A]: '{"type":"a"}' }), /has no name/);
    assert.match(told({ [A]: '{"name":"a","type":"b","cniVersion":"9.9"}' }), /version 9.9/);
    assert.match(told({ [A]: '{', '/etc/cni/net.d/00-b.conf': '{"name":"b","type":"b"}' }), /it can$/);
    assert.match(told({ '/etc/cni/net.d/a.conf.bak': '{', [A]: sound }), /it can$/);
    assert.match(told({ [A]: sound, '/opt/cni/bin.old/bridge': '', '/srv/opt/cni/bin/a': '' }), /it can$/);
    for (const version of ['', '0.1.0', '0.2.0', '0.3.1', '0.4.0', '1.0.0', '1.1.0'])
      assert.match(told({ [A]: `{"name":"a","type":"b","cniVersion":"${version}"}` }), /it can$/, version);
    for (const version of ['0.5.0', '1.2.0', '2.0.0', '1.0', '1.0.0-rc', 'v1.0.0', '10.0.0'])
      assert.match(told({ [A]: `{"name":"a","type":"b","cniVersion":"${version}"}` }), /version /, version);
  });
});

describe('what is told of a machine', () => {
  const comesUp = (files: Readonly<Record<string, string>>, more: Partial<MachineSeen> = {}): readonly string[] =>
    judged(machineComesUp, machine(files, more), undefined).map(sentenceOf);
  const names = (files: Readonly<Record<string, string>>, more: Partial<MachineSeen> = {}): readonly string[] =>
    judged(namesLead, machine(files, more), undefined).map(sentenceOf);

  it('is a sentence for each of what lies there', () => {
    assert.deepEqual(comesUp({}), []);
    assert.deepEqual(comesUp({ '/etc/fstab': '', '/etc/sysctl.d/a.conf': '', '/etc/modprobe.d/a.conf': '' }), [
      '/etc/fstab: a kubelet can work with what it mounts; seen: it can',
      'the kernel: it is told what the network of Pods needs; seen: nothing else is said',
      'the kernel: no module that Pods need is kept from it; seen: none is',
    ]);
    assert.deepEqual(names({ '/etc/hosts': '', '/etc/resolv.conf': '' }), [
      '/etc/hosts: localhost is the machine itself; seen: it is',
      '/etc/resolv.conf: Pods can ask whom it names; seen: they can',
    ]);
    assert.deepEqual(
      judged(networkThere, machine({ '/etc/cni/net.d/a.conf': '{"name":"a","type":"b"}' }), {
        looksElsewhere: false,
      }).map(sentenceOf),
      ['/etc/cni/net.d/a.conf: the runtime can give Pods addresses by it; seen: it can'],
    );
  });

  it('names what is wrong, as far as a line goes', () => {
    const seen = (found: readonly string[]): readonly string[] => found.map((one) => one.replace(/.*?; seen: /, ''));
    const table = 'a none swap sw\na /var tmpfs rw\na /var/lib ext4 ro';
    const files = {
      '/etc/fstab': table,
      '/etc/sysctl.d/a.conf': `net.ipv4.ip_forward=${'0'.repeat(30)}`,
      '/etc/modprobe.d/a.conf': 'blacklist overlay\ninstall veth /bin/true',
    };
    assert.deepEqual(seen(comesUp(files)), [
      'swap, where failSwapOn is not false; /var: what lies there is gone after a start; /var/lib: it is read-only',
      `net.ipv4.ip_forward = ${'0'.repeat(20)} by /etc/sysctl.d/a.conf`,
      'overlay: blacklist; veth: install /bin/true',
    ]);
    assert.deepEqual(
      seen(
        names(
          {
            '/etc/hosts': '192.0.2.1 localhost\n192.0.2.2 localhost',
            '/etc/resolv.conf': 'nameserver 127.0.0.1\nnameserver ::1',
          },
          { settings: { clusterDNS: ['::1'] } },
        ),
      ),
      [
        '192.0.2.1; 192.0.2.2',
        '127.0.0.1, ::1: in a Pod that is the Pod itself; ::1: the DNS of the cluster asks itself',
      ],
    );
    const swaps = Array(6).fill('a none swap sw').join('\n');
    assert.deepEqual(seen(comesUp({ '/etc/fstab': swaps })), [
      Array(4).fill('swap, where failSwapOn is not false').join('; '),
    ]);
    const plugins = ['a'.repeat(50), 'b'.repeat(50), 'c'.repeat(50), 'd'.repeat(50)].map((type) => ({ type }));
    const network = { name: 'n', cniVersion: '9'.repeat(30), plugins };
    const [told = ''] = seen(
      judged(networkThere, machine({ '/etc/cni/net.d/a.conflist': JSON.stringify(network), '/opt/cni/bin/x': '' }), {
        looksElsewhere: false,
      }).map(sentenceOf),
    );
    const whole = [
      `version ${'9'.repeat(20)}`,
      ...['a', 'b', 'c'].map((one) => `${one.repeat(40)} is not in /opt/cni/bin/`),
    ].join('; ');
    assert.equal(told, whole.slice(0, 200));
  });
});

it('a network whose Pods are routed wants no bridge of the kernel', () => {
  const off = { '/etc/sysctl.d/a.conf': 'net.bridge.bridge-nf-call-iptables=0' };
  const routed = 'calico cilium-cni aws-cni azure-vnet gke ovn-k8s-cni-overlay antrea kube-ovn ptp';
  for (const plugin of routed.split(' '))
    assert.equal(comes({ ...off, '/etc/cni/net.d/a.conf': `{"name":"a","type":"${plugin}"}` }), 'met', plugin);
});
