/** What people, machines and tools leave on a disk, programs that others change, and the container runtime. */
import type { DiskEdit } from '../kubeadm/init/memory-disk.js';
import { worker } from './node-beyond.js';
import { added, all, copied, KUBERNETES, mode, onDisk, PKI, reissuedIn, strangersKey } from './node-disk.js';
import type { Mutant } from './types.js';

const SOMEBODY = 1000;
const JOIN = 'kubeadm join 192.0.2.10:6443 --token abcdef.0123456789abcdef --discovery-token-ca-cert-hash sha256:00\n';
const left = (name: string, where: string, path: string, content = JOIN): Mutant =>
  onDisk(`join-left-${name}`, `a join is left ${where}`, ['P-197'], added(path, content, 0o600));

const base64 = (text: string): string => Buffer.from(text).toString('base64');
/** Of an account that Kubernetes 1.23 and older gave a token in a Secret. Nobody has signed it. */
const ENDLESS = [
  ...[
    { alg: 'RS256', kid: 'abcdef' },
    { iss: 'kubernetes/serviceaccount', sub: 'system:serviceaccount:default:a' },
  ].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')),
  'a'.repeat(40),
].join('.');

const copy = (from: string, to: string, bits: number): DiskEdit => all(copied(from, to), mode(to, bits));
const kept = (name: string, defect: string, from: string, to: string, bits = 0o600): Mutant =>
  onDisk(`copy-${name}`, defect, ['P-198'], copy(from, to, bits));
const ADMIN = `${KUBERNETES}/admin.conf`;

const owner =
  (path: string, user: number): DiskEdit =>
  (disk) => {
    disk.owners.set(path, user);
  };

const CONFIG = '/etc/containerd/config.toml';
const runtime = (name: string, defect: string, rule: string, content: string): Mutant =>
  onDisk(`runtime-${name}`, `containerd ${defect}`, [rule], added(CONFIG, content, 0o644));
const cgroups = (section: string, value: string): string => `[${section}.runc.options]\n  SystemdCgroup = ${value}\n`;
const RUNTIMES = 'plugins."io.containerd.grpc.v1.cri".containerd.runtimes';

const given = (name: string, defect: string, path: string, line: string): Mutant =>
  onDisk(`given-away-${name}`, defect, ['P-301'], added(path, `${line}\n`, 0o600));

export const mutants: readonly Mutant[] = [
  left('with-azure', 'in what Azure hands its machine', '/var/lib/waagent/ovf-env.xml', `<a>${base64(JOIN)}</a>\n`),
  left('by-sudo', 'where sudo writes down what it has run', '/var/log/auth.log', `a sudo: COMMAND=/usr/bin/${JOIN}`),
  left('with-an-editor', 'in what an editor remembers', '/root/.viminfo', `:!${JOIN}`),
  onDisk('copy-of-the-ca-in-base64', 'everybody reads ca.key in base64', ['P-198'], (disk) =>
    added('/home/anna/ca.b64', `${base64(disk.files.get(`${PKI}/ca.key`)?.text ?? '')}\n`, 0o644)(disk),
  ),
  onDisk(
    'token-without-an-end',
    'everybody reads a token of a service account that never ends',
    ['P-198'],
    added('/root/token.txt', `${ENDLESS}\n`, 0o644),
  ),
  onDisk(
    'plugin-of-a-worker-is-an-administrator',
    'the network of a worker asks as an administrator',
    ['P-213'],
    all(copy(ADMIN, '/etc/cni/net.d/own-kubeconfig', 0o600), worker),
  ),
  onDisk(
    'worker-keeps-an-administrator',
    'a worker keeps an administrator beside the configuration of its kubelet',
    ['P-213'],
    all(copy(ADMIN, `${KUBERNETES}/cluster.yaml`, 0o600), worker),
  ),
  onDisk('copy-of-the-kubelet', "anybody reads a copy of the kubelet's own key", ['P-198'], (disk) => {
    const [, key = ''] = /client-key-data: (\S+)/.exec(disk.read(`${KUBERNETES}/kubelet.conf`) ?? '') ?? [];
    disk.write('/root/kubelet.pem', Buffer.from(key, 'base64').toString('utf8'), 0o644);
  }),
  left('set-up', 'in a folder of what sets machines up', '/opt/bootstrap/start.sh', 'TOKEN=abcdef.0123456789abcdef\n'),
  given('by-cron', 'a job opens admin.conf to all', '/etc/cron.d/open', `* * * * * root chmod 644 ${ADMIN}`),
  given(
    'by-sudo',
    'somebody may read admin.conf as root',
    '/etc/sudoers.d/dev',
    `dev ALL=(root) NOPASSWD: cat ${ADMIN}`,
  ),
  {
    ...given(
      'to-nobody',
      'a job keeps a copy of all keys where root alone reads',
      '/etc/cron.d/backup',
      '0 3 * * * root umask 077; tar -czf /root/backup/pki.tgz /etc/kubernetes/pki',
    ),
    name: 'harmless-node-given-away-to-nobody',
    killedBy: [],
  },
  onDisk(
    'component-at-home',
    'somebody works at home as the scheduler',
    ['P-213'],
    copied(`${KUBERNETES}/scheduler.conf`, '/root/.kube/config'),
  ),
  onDisk(
    'admin-of-former-days',
    'root works with a certificate of system:masters that kubeadm has not made',
    ['P-213'],
    all(
      reissuedIn('super-admin', 'ca', { commonName: 'mallory', organizations: ['system:masters'] }),
      copied(`${KUBERNETES}/super-admin.conf`, '/root/.kube/config'),
    ),
  ),
  left('in-cron', 'among the jobs of cron', '/etc/cron.d/join', `@reboot root ${JOIN}`),
  left(
    'in-variables',
    'among the variables of programs',
    '/etc/environment',
    'KUBEADM_TOKEN=abcdef.0123456789abcdef\n',
  ),
  left(
    'in-a-state',
    'in what a tool remembers',
    '/root/terraform.tfstate',
    '{"join": {"value": "--token abcdef.0123456789abcdef"}}',
  ),
  left(
    'in-a-drop-in',
    'in a drop-in of the kubelet',
    '/etc/systemd/system/kubelet.service.d/50-join.conf',
    '[Service]\nExecStartPost=/usr/bin/kubectl --token abcdef.0123456789abcdef get nodes\n',
  ),
  left('in-rc-local', 'in what runs at the start', '/etc/rc.local'),
  left('in-a-unit', 'in a unit', '/etc/systemd/system/join.service', `[Service]\nExecStart=${JOIN}`),
  left('in-a-script', 'in a script', '/home/anna/join.sh'),
  left('in-a-log', 'in the log of cloud-init', '/var/log/cloud-init-output.log'),
  left('in-the-output-of-init', 'in the output of kubeadm init', '/root/kubeadm-init.log'),
  left('in-a-history', 'in the history of another shell', '/root/.zsh_history'),
  kept('of-the-ca-for-everybody', 'everybody reads a copy of ca.key', 'ca.key', '/root/pki/ca.key', 0o644),
  kept('of-the-ca-of-a-server', 'a web server has ca.key', 'ca.key', '/etc/ssl/private/server.key', 0o640),
  kept('of-the-ca-in-tmp', 'a copy of ca.key lies where everybody puts files', 'ca.key', '/tmp/ca.key'),
  kept('of-admin-by-another-name', 'everybody reads a copy of admin.conf', ADMIN, '/root/admin.conf', 0o644),
  kept('of-admin-in-tmp', 'a copy of admin.conf lies where everybody puts files', ADMIN, '/var/tmp/kubeconfig'),
  onDisk(
    'copy-of-the-ca-of-somebody',
    'a user has a copy of ca.key',
    ['P-198'],
    all(copy('ca.key', '/home/anna/ca.key', 0o600), owner('/home/anna/ca.key', SOMEBODY)),
  ),
  onDisk(
    'snapshot-of-etcd-for-everybody',
    'everybody reads a snapshot of etcd',
    ['P-198'],
    added('/opt/backup/etcd-snapshot.db', 'x', 0o644),
  ),
  onDisk(
    'super-admin-beside-a-home',
    'somebody works with super-admin.conf under its own name',
    ['P-213'],
    copy(`${KUBERNETES}/super-admin.conf`, '/root/super-admin.conf', 0o600),
  ),
  onDisk(
    'kubelet-of-others',
    'the kubelet itself can be written by others',
    ['P-190'],
    added('/usr/bin/kubelet', 'x', 0o777),
  ),
  onDisk(
    'kubeadm-of-somebody',
    'kubeadm belongs to a user',
    ['P-190'],
    all(added('/usr/local/bin/kubeadm', 'x', 0o755), owner('/usr/local/bin/kubeadm', SOMEBODY)),
  ),
  onDisk(
    'cni-plugin-of-others',
    'a CNI plugin can be written by others',
    ['P-190'],
    added('/opt/cni/bin/bridge', 'x', 0o777),
  ),
  runtime('without-cri', 'does not answer the kubelet', 'P-240', 'disabled_plugins = ["cri"]\n'),
  runtime('on-the-network', 'is asked over the network', 'P-240', '[grpc]\n  tcp_address = "0.0.0.0:2375"\n'),
  runtime('of-somebody', 'gives its socket to a user', 'P-240', '[grpc]\n  uid = 1000\n'),
  onDisk(
    'runtime-socket-of-everybody',
    'everybody may ask containerd',
    ['P-240'],
    added('/run/containerd/containerd.sock', '', 0o666),
  ),
  runtime('of-other-cgroups', 'has another cgroup driver', 'P-241', `version = 2\n${cgroups(RUNTIMES, 'false')}`),
  {
    ...onDisk(
      'left-and-sound',
      'an operator keeps a backup of his own, a script that makes its token itself, and programs as packages have them',
      [],
      all(
        copy('ca.key', '/root/backup/ca.key', 0o600),
        copy(`${KUBERNETES}/super-admin.conf`, '/root/backup/super-admin.conf', 0o600),
        copy(`${PKI}/ca.crt`, '/home/anna/pki/ca.crt', 0o644),
        added('/opt/app/tls.key', strangersKey(), 0o644),
        added('/srv/tls.key', strangersKey(), 0o644),
        // as Debian has it, of a group
        added('/etc/ssl/private/ssl-cert-snakeoil.key', strangersKey(), 0o640),
        added('/etc/nginx/ssl/site.key', strangersKey(), 0o644),
        added('/srv/haproxy.conf', 'frontend a\n  bind :8443 crt: "x\n', 0o644),
        added('/root/join.sh', 'kubeadm token create --print-join-command | ssh "$1"\n', 0o755),
        added('/var/log/cloud-init-output.log', '[certs] Generating "ca" certificate and key\n', 0o640),
        added('/opt/kubernetes-server-linux-amd64.tar.gz', 'x', 0o644),
        added('/usr/bin/kubelet', 'x', 0o755),
        added('/opt/cni/bin/bridge', 'x', 0o755),
        owner('/opt/cni/bin/bridge', 1001),
        added('/run/containerd/containerd.sock', '', 0o660),
        added(
          CONFIG,
          [
            ...[
              'version = 2',
              '#disabled_plugins = ["cri"]',
              'disabled_plugins = [',
              '  "zfs", # none here',
              ']',
              '[grpc]',
            ],
            ...['  address = "/run/containerd/containerd.sock"', "  tcp_address = ''", '  uid = 0'],
            cgroups(RUNTIMES, 'true'),
          ].join('\n'),
          0o644,
        ),
      ),
    ),
    name: 'harmless-node-left-and-sound',
  },
  {
    ...onDisk(
      'another-runtime',
      'the kubelet asks CRI-O, and containerd of Docker lies beside it; or containerd 2 tells it of its cgroups',
      [],
      all(
        added(
          CONFIG,
          `version = 3\ndisabled_plugins = ["cri"]\n${cgroups("plugins.'io.containerd.cri.v1.runtime'", 'false')}`,
          0o644,
        ),
        (disk) => {
          const file = disk.files.get('/var/lib/kubelet/kubeadm-flags.env');
          if (file) file.text = file.text.replace('="', '="--container-runtime-endpoint=unix:///run/crio/crio.sock ');
          for (const name of ['config', 'instance-config']) {
            const told = disk.files.get(`/var/lib/kubelet/${name}.yaml`);
            if (told) told.text = told.text.replace(/unix:\S+containerd\.sock/, 'unix:///run/crio/crio.sock');
          }
        },
      ),
    ),
    name: 'harmless-node-another-runtime',
  },
];
