/**
 * Where people, machines and tools leave what they joined with, and copies of keys: by the names of files, so that no
 * home and no log is read as a whole. "|" parts names that are meant alike.
 */

/** Folders that people work in, serve from, or keep copies in. */
const FOLDERS = [
  ...['/root', '/home/*', '/tmp', '/var/tmp', '/srv', '/opt', '/backup', '/var/backups', '/vagrant'],
  ...['/var/www', '/var/www/html', '/usr/share/nginx/html', '/srv/*'],
];
const NAMES =
  'certificate-key*|*.conf|*.key|*.pem|*.yaml|*.yml|*.sh|*.txt|*.log|*.out|*.bak|*.old|*.cfg|*.ign|kubeconfig*|*kubeconfig|config|join*|*.b64|*.base64|*key|token*|*token';
/** What tools that set machines up are told, and what they remember. */
const OF_TOOLS = '*.tfstate|*.tfstate.backup|*.tfvars|*.env|.env|*.ini|*.json|*.toml';
/** Folders of keys, as they are called below those. */
const OF_KEYS = 'pki*|*-pki|certs*|keys|tls|ssl|secrets|k8s*|kube*|backup*|*-backup|cluster*|infra*|deploy*|devops';

/** Folders of what sets machines up. */
const OF_JOINS =
  'bootstrap*|provision*|setup*|install*|scripts|join*|kube*|k8s*|ansible*|terraform*|tofu*|inventory*|infra*|deploy*';
/** Folders of variables, of groups and of machines. */
const VARS = 'group_vars|host_vars';

/** Copies of keys in one file, of which only the mode is asked. */
const ARCHIVES = '*.tgz|*.tar|*.tar.gz|*.zip|*.p12|*.pfx|*.db';

/** Where other servers keep their keys: looked at only for those of the cluster. */
const OF_SERVERS: readonly string[] = [
  ...['/etc/ssl', '/etc/ssl/private', '/etc/pki/tls/private', '/etc/haproxy', '/etc/nginx', '/etc/keepalived'],
  ...['/etc/haproxy|nginx|apache2|httpd|caddy|envoy|traefik/certs|cert|ssl|tls|pki|private|keys'],
].map((folder) => `${folder}/*.key|*.pem`);

/** Of shells, of what is typed into other programs, and of editors. */
const HISTORIES = '.*_history|.bash_history-*|.zhistory|.histfile|.history|.viminfo|.lesshst';

/** Scripts that set machines up, as what they print is called. */
const SET_UP_BY = [
  ...['join', 'bootstrap', 'provision', 'setup', 'install', 'user-data', 'userdata', 'startup', 'startup-script'],
  ...['kubeadm', 'k8s', 'kubernetes', 'ansible'],
];

export const LEFT_AT: readonly string[] = [
  ...FOLDERS.flatMap((folder) => [
    `${folder}/${NAMES}|${OF_TOOLS}`,
    `${folder}/${OF_KEYS}/*.conf|*.key|*.pem|kubeconfig*`,
    `${folder}/${OF_JOINS}/*.sh|*.yaml|*.yml|join*|${OF_TOOLS}`,
    `${folder}/${OF_KEYS}/pki/*.key|*.pem`,
    `${folder}/${OF_JOINS}/${VARS}/*`,
    `${folder}/${ARCHIVES}/`,
    `${folder}/${OF_KEYS}/${ARCHIVES}/`,
  ]),
  ...['/etc/ansible/hosts|*.yml|*.yaml|*.ini', `/etc/ansible/${VARS}/*`],
  ...['/root', '/home/*', '/var/lib/*'].flatMap((home) => [`${home}/.kube/`, `${home}/.kube/config|*.conf|config.*`]),
  ...['/root', '/home/*'].flatMap((home) => [`${home}/${HISTORIES}`, `${home}/.local/share/fish/fish_history`]),
  `/var/lib/${ARCHIVES}/`,
  ...OF_SERVERS,
  // what programs find among their variables
  ...['/etc/environment', '/etc/default/*', '/etc/sysconfig/*'],
  // what plugins of the network ask with
  '/etc/cni/net.d/*kubeconfig*',
  // what runs by itself
  ...['/etc/rc.local', '/etc/rc.d/rc.local', '/etc/crontab', '/etc/cron.d/*', '/etc/profile.d/*.sh', '/etc/motd'],
  ...['/etc/cron.hourly|cron.daily|cron.weekly|cron.monthly/*', '/var/spool/cron/*', '/etc/systemd/system/*.service'],
  '/etc/systemd/system/*.service.d/*.conf',
  ...['/usr/local/bin|sbin/*.sh|join*|*join|bootstrap*|*bootstrap|provision*|setup*|*setup|k8s*|*k8s|*-node|*-cluster'],
  // who may run what
  ...['/etc/sudoers', '/etc/sudoers.d/*', '/root/.ssh/authorized_keys', '/home/*/.ssh/authorized_keys'],
  // what joined by itself
  '/var/lib/cloud/instance/*.txt|*.i',
  '/var/lib/cloud/instances/*/*.txt|*.i',
  '/var/lib/cloud/instance/scripts/*',
  '/var/lib/cloud/seed/*/user-data',
  '/boot/user-data',
  '/boot/firmware/user-data',
  '/etc/cloud/cloud.cfg.d/*.cfg',
  // what sets a machine up at its first start. Source: coreos/ignition, internal/distro; flatcar, OEM
  ...['/usr/share/oem/*.ign|*.json|*.yaml|*.yml', '/var/lib/ignition/*', '/boot/ignition/*', '/run/ignition.json'],
  '/var/log/anaconda|installer/*',
  // a set-up of Azure: cloud-init, sources/azure; WALinuxAgent
  '/var/lib/waagent/ovf-env.xml*|CustomData*|*.xml',
  '/run/cloud-init/*.json|*.yaml|*.txt',
  // where sudo and the system write down who has run what
  '/var/log/auth.log*|secure*|syslog*|messages*|daemon.log*|user.log*|cron*|sudo.log*|commands.log*',
  '/var/log/audit/audit.log*',
  '/var/log/cloud-init*.log',
  // what a script that set the machine up has printed
  `/var/log/${SET_UP_BY.map((name) => `${name}*|*${name}.log`).join('|')}`,
  '/run/kubeadm/*.yaml',
  '/etc/kubeadm*.yaml',
  '/etc/kubeadm/*.yaml',
];

/** Of others than the node's own programs, or nobody's. `pki`: the folder of certificates, wherever it is. */
export const isLeftBehind = (path: string, pki?: string): boolean =>
  (pki === undefined || !path.startsWith(`${pki}/`)) &&
  !/^\/(?:etc\/kubernetes|var\/lib\/(?:kubelet|etcd))(?:\/|$)|\/kubelet\.service(?:\.d\/|$)|^\/etc\/(?:default|sysconfig)\/kubelet$/.test(
    path,
  ) &&
  /^\/(?:root|home|tmp|srv|opt|backup|boot|vagrant|run\/(?:kubeadm|cloud-init|ignition\.json)|var\/(?:tmp|backups|www|log|spool|lib)|usr\/(?:local|share)|etc\/(?:rc|cron|cni|ansible|sudoers|profile\.d|motd|kubeadm|systemd|cloud|environment$|default\/|sysconfig\/|ssl|pki|haproxy|nginx|keepalived|apache2|httpd|caddy|envoy|traefik))/.test(
    path,
  ) &&
  !/^\/opt\/(?:bin|cni)(?:\/|$)|^\/usr\/local\/bin\/(?:kube|containerd)/.test(path);

/** Where it is thrown away, and where everybody may look for it. */
export const isCommon = (path: string): boolean => /^\/(?:tmp|var\/tmp|var\/www|usr\/share\/nginx)(?:\/|$)/.test(path);

/** Archives of keys by their names: of the folder of certificates, and snapshots of etcd. */
export function isOfKeys(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return (
    (/\.(?:tgz|tar|tar\.gz|zip|p12|pfx|db)$/.test(name) &&
      /(?:^|[-_.])(?:pki|etcd-?(?:backup|snapshot|snap))/.test(name)) ||
    (name.endsWith('.db') && /etcd|snap(?:shot)?(?![a-z])/.test(name)) ||
    // one that holds a key by what it is
    /^(?:kube|k8s|admin|cluster).*\.(?:p12|pfx)$/.test(name)
  );
}

/** Names within an archive that only a cluster has, or that lie in its folders. */
const OF_A_CLUSTER =
  /(?:^|\/)(?:(?:super-)?admin\.conf|sa\.key|front-proxy-(?:ca|client)\.key|apiserver[a-z-]{0,20}\.key|member\/snap\/db)$|(?:^|\/)(?:pki|kubernetes|etcd)\/(?:etcd\/)?(?:ca|server|peer|healthcheck-client)\.key$/;
export const holdsKeys = (names: readonly string[]): boolean => names.some((name) => OF_A_CLUSTER.test(name));
