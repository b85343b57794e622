/** Runtimes that systemd does not start as they have to be, and what their configurations import. */
import type { DiskEdit } from '../kubeadm/init/memory-disk.js';
import { added, all, edited, KUBERNETES, onDisk } from './node-disk.js';
import type { Mutant } from './types.js';

const SYSTEMD = '/etc/systemd/system';
const UNIT = '/usr/lib/systemd/system/containerd.service';
const CONFIG = '/etc/containerd/config.toml';
const WHOLE =
  '[Unit]\nAfter=network.target\n[Service]\nExecStart=/usr/bin/containerd\n[Install]\nWantedBy=multi-user.target\n';
const WANTS = `${SYSTEMD}/multi-user.target.wants`;
const file = (path: string, text: string, bits = 0o644): DiskEdit => added(path, `${text}\n`, bits);
const unit = all(
  file(UNIT, WHOLE),
  file('/usr/bin/containerd', 'x', 0o755),
  file(`${WANTS}/containerd.service`, WHOLE),
);
const part = (lines: string): DiskEdit =>
  all(unit, file(`${SYSTEMD}/containerd.service.d/own.conf`, `[Service]\n${lines}`));
const defect = (name: string, what: string, disk: DiskEdit): Mutant =>
  onDisk(`runtime-${name}`, `containerd ${what}`, ['P-240'], disk);
const again = (command: string): DiskEdit => part(`ExecStart=\nExecStart=${command}`);
const imported = (text: string): DiskEdit =>
  all(
    file(CONFIG, 'version = 2\nimports = ["/etc/containerd/conf.d/*.toml"]'),
    file('/etc/containerd/conf.d/own.toml', `version = 2\n${text}`),
  );
const PROXY = 'HTTPS_PROXY=http://proxy:3128';
const asksHome: DiskEdit = edited(`${KUBERNETES}/kubelet.conf`, (text) =>
  text.replace(/server: \S+/, 'server: https://192.0.2.10:6443'),
);

export const mutants: readonly Mutant[] = [
  defect('of-another-program', 'is another program', again('/opt/own/runtime')),
  defect('with-two-commands', 'has two commands', part('ExecStart=/usr/bin/containerd --log-level debug')),
  defect('of-a-user', 'runs as a user', part('User=anna')),
  defect(
    'at-another-socket',
    'listens elsewhere than the kubelet asks',
    again('/usr/bin/containerd --address /run/a.sock'),
  ),
  defect(
    'without-its-file',
    'reads a file that is not there',
    again('/usr/bin/containerd --config /etc/containerd/a.toml'),
  ),
  defect(
    'that-nothing-starts',
    'is started by nothing',
    all(file(UNIT, WHOLE), file(`${WANTS}/kubelet.service`, WHOLE)),
  ),
  defect(
    'switched-off-beside',
    'imports what switches it off',
    imported('disabled_plugins = ["io.containerd.grpc.v1.cri"]'),
  ),
  defect(
    'of-another-version',
    'has names of another version',
    file(CONFIG, 'version = 3\n[plugins."io.containerd.grpc.v1.cri".cni]\nconf_dir = "/etc/cni/net.d"'),
  ),
  {
    ...onDisk(
      'runtime-of-an-operator',
      'containerd has limits, a proxy and files beside as an operator gives them',
      [],
      all(
        part(`LimitNOFILE=1048576\nEnvironment="${PROXY}"\nEnvironment="NO_PROXY=10.0.0.0/8"`),
        imported('[debug]\n  level = "info"'),
      ),
    ),
    name: 'harmless-node-runtime-of-an-operator',
  },
  onDisk(
    'images-by-a-proxy-alone',
    'containerd asks a proxy, whatever it fetches',
    ['P-302'],
    all(asksHome, part(`Environment=${PROXY}`)),
  ),
  onDisk(
    'logins-by-a-proxy',
    'who logs in asks the cluster by way of a proxy',
    ['P-302'],
    all(asksHome, file('/etc/environment', `PATH="/usr/bin"\n${PROXY}\nNO_PROXY=localhost`)),
  ),
  onDisk(
    'units-by-a-proxy',
    'every unit asks the cluster by way of a proxy',
    ['P-302'],
    all(asksHome, file('/etc/systemd/system.conf.d/own.conf', `[Manager]\nDefaultEnvironment="${PROXY}"`)),
  ),
  {
    ...onDisk(
      'logins-beside-a-proxy',
      'who logs in has a proxy, and asks the cluster without it',
      [],
      all(asksHome, file('/etc/profile.d/proxy.sh', `export ${PROXY}\nexport NO_PROXY=192.0.2.0/24`)),
    ),
    name: 'harmless-node-logins-beside-a-proxy',
  },
];
