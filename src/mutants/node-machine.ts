/** Machines that do not come up as their kubelet needs them. */
import { createPrivateKey } from 'node:crypto';
import type { DiskEdit } from '../kubeadm/init/memory-disk.js';
import { unit } from './node-beyond.js';
import { added, all, edited, manifest, onDisk, PKI } from './node-disk.js';
import type { Mutant } from './types.js';

const KUBELET = '/var/lib/kubelet';
const CONFIGURATION = `${KUBELET}/config.yaml`;
const file = (path: string, text: string): DiskEdit => added(path, `${text}\n`, 0o644);
const sysctl = (text: string, name = '99-own'): DiskEdit => file(`/etc/sysctl.d/${name}.conf`, text);
const modprobe = (text: string): DiskEdit => file('/etc/modprobe.d/own.conf', text);
const network = (text: string, name = '10-own.conflist'): DiskEdit => file(`/etc/cni/net.d/${name}`, text);
const setting = (line: string): DiskEdit => edited(CONFIGURATION, (text) => `${text}${line}\n`);
const plugins = (...names: readonly string[]): DiskEdit =>
  all(...names.map((name) => added(`/opt/cni/bin/${name}`, 'x', 0o755)));

const BRIDGE = '{"name":"a","cniVersion":"1.0.0","plugins":[{"type":"bridge","ipam":{"type":"host-local"}}]}';
const FSTAB = 'UUID=1 / ext4 defaults 0 1';

const harmless = (name: string, defect: string, disk: DiskEdit): Mutant => ({
  ...onDisk(name, defect, [], disk),
  name: `harmless-node-${name}`,
});

/** Of kubeadm, before it upgrades. */
const BACKUP = '/etc/kubernetes/tmp/kubeadm-backup-etcd-2026';

export const mutants: readonly Mutant[] = [
  onDisk(
    'etcd-that-may-not-write',
    'the data of etcd are mounted to be read alone',
    ['ETCD-004'],
    edited(manifest('etcd'), (text) => text.replace(/^( +)- mountPath: \/var\/lib\/etcd\n/m, '$&$1  readOnly: true\n')),
  ),
  onDisk(
    'api-server-at-two-ports',
    'a port of the host leads to another one, in the network of the host',
    ['MANI-001'],
    edited(manifest('kube-apiserver'), (text) =>
      text.replace(/^( +)- containerPort: 6443\n/m, '$&$1  hostPort: 8443\n'),
    ),
  ),
  onDisk(
    'kubelet-of-one-day',
    'kubelet.conf names the certificate of one day, and not the one that is renewed',
    ['BOOT-010'],
    edited('/etc/kubernetes/kubelet.conf', (text) =>
      text.replace(
        /client-(certificate|key)-data: \S+/g,
        `client-$1: ${KUBELET}/pki/kubelet-client-2026-01-01-00-00-00.pem`,
      ),
    ),
  ),
  onDisk(
    'scheduler-with-tabs',
    'the manifest of the scheduler has a tab where YAML has none',
    ['P-286'],
    edited(manifest('kube-scheduler'), (text) => text.replace(/^ {2}hostNetwork/m, '\thostNetwork')),
  ),
  onDisk('key-with-a-password', 'the key of the API server has a password', ['P-286'], (disk) => {
    const key = createPrivateKey(disk.read(`${PKI}/apiserver.key`) ?? '');
    const made = key.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-128-cbc', passphrase: 'a' });
    disk.write(`${PKI}/apiserver.key`, made.toString(), 0o600);
  }),
  onDisk(
    'controllers-with-one-cluster-twice',
    'controller-manager.conf has two clusters of one name',
    ['P-286'],
    edited('/etc/kubernetes/controller-manager.conf', (text) =>
      text.replace(/^clusters:\n((?:- | {2}).*\n)+/m, (whole) => `${whole}${whole.slice('clusters:\n'.length)}`),
    ),
  ),
  onDisk(
    'instance-that-is-a-list',
    'what the kubelet is told of its machine is a list',
    ['P-286'],
    file(`${KUBELET}/instance-config.yaml`, '- containerRuntimeEndpoint'),
  ),
  harmless(
    'files-of-several-hands',
    'files with other ends of lines, and documents behind the one that is read',
    all(
      edited('/etc/kubernetes/scheduler.conf', (text) => text.replaceAll('\n', '\r\n')),
      edited(manifest('kube-scheduler'), (text) => `# of the operator\n---\n${text}---\n# the end\n`),
      file('/etc/kubernetes/pki/notes.crt', 'of whom they are'),
    ),
  ),
  onDisk(
    'swap-at-the-next-start',
    'the machine has swap after its next start',
    ['P-287'],
    file('/etc/fstab', '/dev/sda2 none swap sw 0 0'),
  ),
  onDisk(
    'keys-in-memory',
    'what kubeadm has written is gone after a start',
    ['P-287'],
    file('/etc/fstab', 'tmpfs /etc/kubernetes tmpfs size=1G 0 0'),
  ),
  onDisk(
    'kubelet-that-may-not-write',
    'the folder of the kubelet is mounted to be read alone',
    ['P-287'],
    file('/etc/fstab', '/dev/sdb1 /var/lib/kubelet ext4 ro 0 2'),
  ),
  onDisk(
    'kernel-that-forwards-nothing',
    'the kernel is told to forward nothing',
    ['P-287'],
    all(sysctl('net.ipv4.ip_forward = 1', '50-k8s'), sysctl('net.ipv4.ip_forward = 0')),
  ),
  onDisk(
    'kernel-that-hides-bridges',
    'what crosses a bridge is no traffic of a Service',
    ['P-287'],
    sysctl('net.bridge.bridge-nf-call-iptables = 0'),
  ),
  onDisk(
    'kernel-of-another-kind',
    'the kernel is told otherwise than the kubelet keeps it',
    ['P-287'],
    all(sysctl('vm.overcommit_memory = 2'), setting('protectKernelDefaults: true')),
  ),
  onDisk('machine-without-overlay', 'no image can be mounted', ['P-287'], modprobe('install overlay /bin/false')),
  onDisk('machine-that-tracks-nothing', 'no connection is tracked', ['P-287'], modprobe('blacklist nf_conntrack')),
  harmless(
    'machine-of-an-operator',
    'swap that the kubelet takes, settings and modules as an operator has them',
    all(
      file(
        '/etc/fstab',
        `${FSTAB}\n# /swapfile none swap sw 0 0\n/dev/sda2 none swap sw 0 0\ntmpfs /tmp tmpfs nosuid 0 0`,
      ),
      setting('failSwapOn: false'),
      sysctl('net.ipv4.ip_forward = 0', '10-before'),
      sysctl('net.ipv4.ip_forward = 1\nkernel.panic=10\nvm.swappiness=0'),
      modprobe('install cramfs /bin/false\nblacklist dccp'),
    ),
  ),
  onDisk(
    'machine-of-another-name',
    'the machine has got another name since its kubelet has joined',
    ['KCFG-003'],
    all(unit, file('/etc/hostname', 'cp-2')),
  ),
  onDisk('localhost-elsewhere', 'localhost is another machine', ['P-288'], file('/etc/hosts', '192.0.2.5 localhost')),
  onDisk(
    'pods-that-ask-themselves',
    'Pods look names up at their own loopback',
    ['P-288'],
    file('/etc/resolv.conf', 'nameserver 127.0.0.53'),
  ),
  onDisk(
    'names-in-a-circle',
    'the DNS of the cluster asks itself',
    ['P-288'],
    file('/etc/resolv.conf', 'nameserver 10.96.0.10'),
  ),
  harmless(
    'names-of-an-operator',
    'names as a machine with a resolver of its own has them',
    all(
      file(
        '/etc/hosts',
        '127.0.0.1 localhost\n::1 localhost ip6-localhost\n127.0.1.1 cp-1\n192.0.2.10 cp-1 api.example',
      ),
      unit,
      file('/etc/hostname', 'cp-1.example'),
      file('/etc/resolv.conf', 'nameserver 127.0.0.53\noptions edns0 trust-ad\nsearch example'),
      setting('resolvConf: /run/systemd/resolve/resolv.conf'),
    ),
  ),
  onDisk('network-that-is-cut-off', 'the network of Pods is cut off', ['P-289'], network(BRIDGE.slice(0, 40))),
  onDisk(
    'network-without-its-plugin',
    'a plugin of the network of Pods is not there',
    ['P-289'],
    all(network(BRIDGE), plugins('bridge', 'loopback')),
  ),
  onDisk(
    'network-of-no-version',
    'the network of Pods is of a version that nobody knows',
    ['P-289'],
    network(BRIDGE.replace('1.0.0', '9.0.0')),
  ),
  harmless(
    'network-of-an-operator',
    'a network with its plugins, and an older one put aside',
    all(network(BRIDGE), network('{', '00-old.conflist.bak'), plugins('bridge', 'host-local', 'loopback')),
  ),
  ...['bin_dir = "/usr/lib/cni"', 'bin_dirs = ["/usr/lib/cni"]'].map((line, index) =>
    harmless(
      `plugins-elsewhere-${index}`,
      'plugins of the network of Pods lie where the runtime is told',
      all(
        network(BRIDGE),
        plugins('bridge', 'loopback'),
        added(
          '/etc/containerd/config.toml',
          `version = 3\n[plugins."io.containerd.cri.v1.runtime".cni]\nconf_dir = "/etc/cni/net.d"\n${line}\n`,
          0o644,
        ),
      ),
    ),
  ),
  harmless(
    'data-behind-a-closed-folder',
    'a copy of the data of etcd that everybody might read lies where nobody comes to',
    all(added(`${BACKUP}/etcd/member/snap/db`, 'x', 0o644), (disk) => void disk.folders.set(BACKUP, 0o700)),
  ),
];
