import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { holdsKeys, isCommon, isLeftBehind, isOfKeys, LEFT_AT } from './left-at.js';

/** A part of a pattern: "*" stands for any text, "|" parts names that are meant alike. */
const isPart = (name: string, part: string): boolean =>
  part.split('|').some((one) => {
    const [first = '', ...rest] = one.split('*');
    if (rest.length === 0) return name === one;
    const last = rest.pop() ?? '';
    return name.length >= first.length + last.length && name.startsWith(first) && name.endsWith(last);
  });
/** `isWhole`: its text is read, and not its mode alone. */
const isLooked = (path: string, isWhole: boolean): boolean =>
  LEFT_AT.some((pattern) => {
    const [names, parts] = [path.split('/'), pattern.replace(/\/$/, '').split('/')];
    const isSame = parts.length === names.length && names.every((name, at) => isPart(name, parts[at] ?? ''));
    return isSame && pattern.endsWith('/') !== isWhole;
  });

describe('where credentials are left', () => {
  it('is in homes and folders of work, by what is called as if it held them', () => {
    for (const folder of [
      '/root',
      '/home/a',
      '/tmp',
      '/var/tmp',
      '/srv',
      '/opt',
      '/backup',
      '/var/backups',
      '/var/www',
      '/var/www/html',
      '/srv/a',
      '/usr/share/nginx/html',
    ]) {
      for (const name of ['a.conf', 'a.key', 'a.pem', 'a.yaml', 'a.yml', 'a.sh', 'a.txt', 'a.log', 'a.bak', 'a.old'])
        assert.ok(isLooked(`${folder}/${name}`, true), `${folder}/${name}`);
      for (const name of ['a.b64', 'a.base64', 'ca-key', 'token', 'my-token', 'config'])
        assert.ok(isLooked(`${folder}/${name}`, true), `${folder}/${name}`);
      for (const name of ['kubeconfig', 'kubeconfig.b', 'my-kubeconfig', 'a.kubeconfig', 'join', 'join-command'])
        assert.ok(isLooked(`${folder}/${name}`, true), `${folder}/${name}`);
      for (const sub of ['pki', 'certs', 'keys', 'k8s-a', 'kubernetes', 'backup-1', 'cluster'])
        for (const name of ['a.conf', 'a.key', 'a.pem', 'kubeconfig1', 'pki/a.key', 'pki/a.pem'])
          assert.ok(isLooked(`${folder}/${sub}/${name}`, true), `${folder}/${sub}/${name}`);
      for (const name of ['a.tgz', 'a.tar', 'a.tar.gz', 'a.zip', 'a.p12', 'a.pfx', 'a.db', 'backup/a.tgz', 'pki/a.db'])
        assert.ok(isLooked(`${folder}/${name}`, false), `${folder}/${name}`);
    }
  });

  it('is in folders of what sets machines up, and where one tool is told of them', () => {
    for (const path of [
      '/root/infra/ca-key.pem',
      '/home/a/deploy/a.key',
      '/srv/secrets/a.key',
      '/opt/tls/kubeconfig',
      '/root/deploy-1/a.sh',
      '/home/a/ansible/group_vars/all',
      '/root/ansible-k8s/host_vars/cp1.yml',
      '/etc/ansible/hosts',
      '/etc/ansible/site.yml',
      '/etc/ansible/group_vars/all.yml',
      '/root/certificate-key',
      '/root/anaconda-ks.cfg',
      '/usr/share/oem/config.ign',
      '/var/lib/ignition/user.ign',
      '/boot/ignition/a.ign',
      '/run/ignition.json',
      '/var/log/anaconda/ks-script.log',
      '/var/log/installer/subiquity.log',
    ])
      assert.ok(isLooked(path, true), path);
    for (const path of ['/etc/ansible/ansible.cfg', '/root/music/a.key', '/root/vars/all'])
      assert.ok(!isLooked(path, true), path);
  });

  it('is where people are known by, and what they have typed', () => {
    for (const home of ['/root', '/home/a', '/var/lib/jenkins']) {
      assert.ok(isLooked(`${home}/.kube`, false), home);
      for (const name of ['config', 'a.conf', 'config.old']) assert.ok(isLooked(`${home}/.kube/${name}`, true), home);
    }
    for (const home of ['/root', '/home/a'])
      for (const name of [
        '.bash_history',
        '.zsh_history',
        '.ash_history',
        '.sh_history',
        '.history',
        '.local/share/fish/fish_history',
        ...['.bash_history-1.tmp', '.zhistory', '.histfile', '.viminfo', '.lesshst'],
        ...['.python_history', '.mysql_history', '.node_repl_history'],
      ])
        assert.ok(isLooked(`${home}/${name}`, true), `${home}/${name}`);
  });

  it('is what the script of a set-up has printed', () => {
    for (const name of [
      'join',
      'bootstrap',
      'provision',
      'setup',
      'install',
      'user-data',
      'userdata',
      'startup',
      'k8s',
    ])
      for (const log of [`${name}.log`, `${name}.log.1`, `my-${name}.log`, `${name}-2.out`])
        assert.ok(isLooked(`/var/log/${log}`, true), log);
    for (const log of ['kubeadm-init.log', 'kubernetes.log', 'ansible.log', 'startup-script.log'])
      assert.ok(isLooked(`/var/log/${log}`, true), log);
    for (const log of ['dpkg.log', 'kern.log', 'a/join.log']) assert.ok(!isLooked(`/var/log/${log}`, true), log);
  });

  it('is what runs by itself, and what joined by itself', () => {
    for (const path of [
      ...['/etc/rc.local', '/etc/rc.d/rc.local', '/etc/crontab', '/etc/cron.d/a', '/etc/profile.d/a.sh', '/etc/motd'],
      ...['hourly', 'daily', 'weekly', 'monthly'].map((time) => `/etc/cron.${time}/a`),
      ...[
        '/etc/environment',
        '/etc/default/a',
        '/etc/sysconfig/a',
        '/root/terraform.tfstate',
        '/home/a/x.tfstate.backup',
      ],
      ...['/root/a.tfvars', '/srv/.env', '/opt/a.env', '/root/a.ini', '/tmp/a.json', '/root/a.toml'],
      ...['terraform', 'tofu', 'inventory', 'ansible'].map((name) => `/root/${name}-1/a.ini`),
      ...['/etc/ssl/a.pem', '/etc/ssl/private/a.key', '/etc/pki/tls/private/a.key', '/etc/haproxy/a.pem'],
      ...['haproxy', 'nginx', 'apache2', 'httpd', 'caddy', 'envoy', 'traefik'].map((name) => `/etc/${name}/ssl/a.key`),
      ...['certs', 'cert', 'tls', 'pki', 'private', 'keys'].map((name) => `/etc/nginx/${name}/a.pem`),
      ...['/var/spool/cron/root', '/etc/systemd/system/a.service', '/usr/local/bin/a.sh', '/usr/local/sbin/join-it'],
      ...['/usr/local/bin/kubejoin', '/var/lib/cloud/instance/user-data.txt', '/var/lib/cloud/instance/a.i'],
      ...['/var/lib/cloud/instances/1/a.txt', '/var/lib/cloud/instances/1/a.i', '/var/lib/cloud/instance/scripts/a'],
      ...['/var/lib/cloud/seed/nocloud/user-data', '/boot/user-data', '/boot/firmware/user-data'],
      ...[
        '/var/log/cloud-init.log',
        '/var/log/cloud-init-output.log',
        '/var/log/kubeadm-init.log',
        '/run/kubeadm/a.yaml',
      ],
      ...[
        '/var/lib/waagent/ovf-env.xml',
        '/var/lib/waagent/CustomData',
        '/run/cloud-init/instance-data-sensitive.json',
      ],
      ...['auth.log', 'auth.log.1', 'secure', 'syslog.2.gz', 'messages', 'audit/audit.log'].map(
        (name) => `/var/log/${name}`,
      ),
      ...['/etc/systemd/system/a.service.d/b.conf', '/usr/local/bin/bootstrap-worker', '/usr/local/sbin/k8s-up'],
      ...['/etc/kubeadm.yaml', '/etc/kubeadm-join.yaml', '/etc/kubeadm/a.yaml'],
    ])
      assert.ok(isLooked(path, true), path);
  });

  it('is in no file that says nothing of it by its name', () => {
    for (const path of [
      '/root/a',
      '/root/a.png',
      '/root/pictures/a.key',
      '/etc/passwd',
      '/var/log/dpkg.log',
      '/home/a',
      '',
    ])
      for (const isWhole of [true, false]) assert.equal(isLooked(path, isWhole), false, path);
  });
});

describe('what is left behind', () => {
  const told = (is: boolean, ...paths: readonly string[]): void => {
    for (const path of paths) assert.equal(isLeftBehind(path), is, path);
  };
  it('lies where people and tools work', () => {
    told(
      true,
      '/etc/cni/net.d/a',
      '/root/a',
      '/home/a/b',
      '/tmp/a',
      '/srv/a',
      '/opt/a',
      '/backup/a',
      '/boot/a',
      '/run/kubeadm/a',
    );
    told(
      true,
      '/var/tmp/a',
      '/var/backups/a',
      '/var/www/a',
      '/var/log/a',
      '/var/spool/a',
      '/var/lib/a',
      '/usr/local/a',
    );
    told(
      true,
      '/usr/share/a',
      '/etc/rc.local',
      '/etc/crontab',
      '/etc/profile.d/a',
      '/etc/motd',
      '/etc/kubeadm/a',
      '/etc/ansible/hosts',
    );
    told(true, '/etc/systemd/system/a.service', '/opt/binary', '/usr/local/bin/join', '/root/etc/kubernetes/a');
    told(true, '/opt/opt/bin/a', '/home/usr/local/bin/kubelet', '/var/lib/kubelets', '/root/kubelet.services');
  });
  it('is none of the programs of the node, nor elsewhere', () => {
    told(
      false,
      '/etc/kubernetes',
      '/etc/kubernetes/a',
      '/var/lib/kubelet',
      '/var/lib/kubelet/a',
      '/var/lib/etcd',
      '/var/lib/etcd/a',
    );
    told(false, '/etc/systemd/system/kubelet.service', '/etc/systemd/system/kubelet.service.d/a.conf');
    told(
      false,
      '/opt/bin',
      '/opt/bin/a',
      '/opt/cni',
      '/opt/cni/a',
      '/usr/local/bin/kubelet',
      '/usr/local/bin/containerd-x',
    );
    told(true, '/etc/environment', '/etc/default/kubelets', '/etc/default/kubelet/a');
    told(false, '/etc/environments', '/etc/default', '/etc/default/kubelet', '/etc/sysconfig/kubelet');
    told(false, '/etc/ssh/a', '/usr/bin/a', '/mnt/root/a', '/x/tmp/a', '/var/a', '/run/a');
  });
  it('is none of the keys of the cluster, wherever these are', () => {
    assert.equal(isLeftBehind('/opt/keys/ca.key', '/opt/keys'), false);
    assert.equal(isLeftBehind('/opt/keys-old/ca.key', '/opt/keys'), true);
    assert.equal(isLeftBehind('/opt/keys/ca.key', '/opt/other'), true);
    assert.equal(isLeftBehind('/etc/kubernetes/pki/ca.key', '/opt/keys'), false);
  });
});

describe('names', () => {
  it('tell where everybody looks', () => {
    for (const path of [
      '/tmp',
      '/tmp/a',
      '/var/tmp',
      '/var/tmp/a',
      '/var/www',
      '/var/www/html/a',
      '/usr/share/nginx/a',
    ])
      assert.equal(isCommon(path), true, path);
    for (const path of ['/tmpa', '/root/tmp/a', '/var/wwwx', '/usr/share/a']) assert.equal(isCommon(path), false, path);
  });
  it('tell archives of keys', () => {
    for (const name of [
      'pki.tgz',
      'a-pki.tar',
      'a_pki.tar.gz',
      'pki.zip',
      'x.pki.p12',
      'pki.pfx',
      'etcdbackup.db',
      'etcd-backup.tgz',
    ])
      assert.equal(isOfKeys(`/root/${name}`), true, name);
    for (const name of [
      ...['etcd-snap-1.db', 'etcdsnapshot.tar', 'my-snapshot.db', 'snapshot-2026.db'],
      ...['etcd.db', 'my-etcd-1.db', 'snap-2026.db', 'daily-snap.db'],
    ])
      assert.equal(isOfKeys(`/root/${name}`), true, name);
    for (const name of [
      'pki.tgz.txt',
      'pki',
      'xpki.tgz',
      'snapshot.db.md5',
      'snapshot.txt',
      'a.db',
      'snapper.db',
      'etcd.tgz',
      'pki.gz',
    ])
      assert.equal(isOfKeys(`/root/${name}`), false, name);
    assert.equal(isOfKeys('/pki/a.tgz'), false);
  });
});

describe('an archive', () => {
  it('holds keys where a name within it is one that only a cluster has', () => {
    for (const name of [
      ...['admin.conf', 'super-admin.conf', 'a/admin.conf', 'etc/kubernetes/admin.conf', 'sa.key', 'pki/sa.key'],
      ...[
        'front-proxy-ca.key',
        'front-proxy-client.key',
        'apiserver.key',
        'apiserver-kubelet-client.key',
        'member/snap/db',
        'a/member/snap/db',
      ],
      ...[
        'pki/ca.key',
        'etc/kubernetes/pki/etcd/ca.key',
        'etcd/server.key',
        'kubernetes/ca.key',
        'pki/etcd/peer.key',
        'etcd/healthcheck-client.key',
      ],
    ])
      assert.equal(holdsKeys(['a.txt', name]), true, name);
    for (const name of [
      ...[
        'kube-admin.conf',
        'admin.conf.md',
        'xsa.key',
        'sa.key.pub',
        'front-proxy-ca.crt',
        'apiserver.crt',
        'apiserver_a.key',
      ],
      ...[
        'member/snap/db.md',
        'ca.key',
        'web/ca.key',
        'mypki/ca.key',
        'pki/ca.key.md',
        'pki/a/ca.key',
        'server.key',
        'snap/db',
      ],
    ])
      assert.equal(holdsKeys([name]), false, name);
    assert.equal(holdsKeys([]), false);
  });
  it('is looked at by what it is called', () => {
    for (const name of ['kube.p12', 'k8s-admin.pfx', 'admin.p12', 'cluster-a.pfx'])
      assert.equal(isOfKeys(`/root/${name}`), true, name);
    for (const name of ['my-kube.p12', 'kube.p12.md', 'a.pfx']) assert.equal(isOfKeys(`/root/${name}`), false, name);
  });
});

it('who may run what is looked at, and the folder of certificates is its own', () => {
  for (const path of [
    '/etc/sudoers',
    '/etc/sudoers.d/a',
    '/root/.ssh/authorized_keys',
    '/home/a/.ssh/authorized_keys',
    '/vagrant/a.sh',
  ])
    assert.equal(isLooked(path, true), true, path);
  assert.equal(isLeftBehind('/srv/pki/ca.key', '/srv/pki'), false);
  assert.equal(isLeftBehind('/srv/pki/ca.key'), true);
  assert.equal(isLeftBehind('/srv/pki-old/ca.key', '/srv/pki'), true);
});

it('what is left behind lies in each of these places', () => {
  for (const place of [
    ...['/root', '/home', '/tmp', '/srv', '/opt', '/backup', '/boot', '/vagrant', '/run/kubeadm'],
    ...['/var/tmp', '/var/backups', '/var/www', '/var/log', '/var/spool', '/var/lib', '/usr/local', '/usr/share'],
    ...['/etc/rc', '/etc/cron', '/etc/sudoers', '/etc/profile.d', '/etc/motd', '/etc/kubeadm', '/etc/systemd'],
    ...['/etc/default', '/etc/sysconfig', '/etc/cloud', '/etc/ssl', '/etc/pki/tls/private', '/etc/keepalived'],
    ...['haproxy', 'nginx', 'apache2', 'httpd', 'caddy', 'envoy', 'traefik'].map((name) => `/etc/${name}`),
  ])
    assert.ok(isLeftBehind(`${place}/a`), place);
});
