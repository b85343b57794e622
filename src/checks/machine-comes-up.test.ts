import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultsOf, saidBy } from './judged.testing.js';
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
    assert.equal(fstab('/dev/sda2 none swap sw 0 0', { flags: { 'fail-swap-on': 'false' } }), 'met');
  });
  it('keeps what a node keeps', () => {
    assert.equal(fstab('tmpfs /etc/kubernetes tmpfs size=1G'), 'unmet');
    assert.equal(fstab('tmpfs /var/lib/kubelet/ tmpfs size=1G'), 'unmet');
    assert.equal(fstab('tmpfs /var/lib/etcd tmpfs size=1G'), 'met');
    assert.equal(fstab('tmpfs /var/lib/etcd tmpfs size=1G', { data: '/var/lib/etcd' }), 'unmet');
    assert.equal(fstab('tmpfs /tmp tmpfs nosuid'), 'met');
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
  });
  it('are those of bridges where a network has one, and of IPv6 where Pods have it', () => {
    const bridge = { '/etc/sysctl.d/a.conf': 'net.bridge.bridge-nf-call-iptables=0' };
    assert.equal(told(bridge), 'unmet');
    assert.equal(told({ ...bridge, '/etc/cni/net.d/a.conf': '{"name":"a","type":"calico"}' }), 'met');
    const six = { '/etc/sysctl.d/a.conf': 'net.ipv6.conf.all.forwarding=0' };
    assert.equal(told(six), 'met');
    assert.equal(told(six, { hasIpv6: true }), 'unmet');
  });
  it('are those of a kubelet that keeps them', () => {
    const files = { '/etc/sysctl.d/a.conf': 'vm.overcommit_memory=2' };
    assert.equal(told(files), 'met');
    assert.equal(told(files, { settings: { protectKernelDefaults: true } }), 'unmet');
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
    for (const line of ['install overlay /bin/false', 'install br-netfilter /usr/bin/true', 'blacklist nf_conntrack'])
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
  });
});
