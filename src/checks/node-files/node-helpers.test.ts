import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { saidBy } from '../common/judged.testing.js';
import { keepsToItself, namedFiles, userReads } from './node-helpers.js';
import { at, key, pod } from './node-seen.testing.js';

const PKI = '/etc/kubernetes/pki';
const CONF = '/etc/kubernetes/scheduler.conf';

describe('a static Pod beside the control plane', () => {
  const told = (...paths: readonly string[]): string => {
    const volumes = paths.map((path, at) => ({ name: `v${at}`, hostPath: { path } }));
    return saidBy(keepsToItself, [pod('lb', {}, { volumes })], { pki: PKI, data: '/var/lib/etcd' }).join();
  };

  it('mounts files, and no folder of keys', () => {
    assert.equal(told('/etc/haproxy', '/etc/kubernetes/admin.conf', `${PKI}/ca.crt`), 'met: it does not');
    for (const path of [PKI, '/etc/kubernetes', `${PKI}/etcd`, `${PKI}/ca.key`, '/var/lib/etcd/member', '/etc'])
      assert.equal(told('/etc/haproxy', path), `unmet: ${path}`);
  });
  it('is told by the first of many', () => {
    const pods = ['a', 'b', 'c', 'd', 'e'].map((name) => `/var/lib/kubelet/pods/${name}`);
    assert.equal(told(...pods), `unmet: ${pods.slice(0, 4).join(', ')}`);
    assert.equal(told(`/var/lib/kubelet/pods/${'a'.repeat(300)}`).length, 'unmet: '.length + 240);
  });
});

describe('the user of a component', () => {
  const file = { path: CONF, mode: 0o600, owner: 0 };
  const told = (contexts: readonly object[], whole: object, files: readonly object[] = [file]): string => {
    const spec = { containers: contexts.map((securityContext) => ({ securityContext })), securityContext: whole };
    const all = [pod('kube-scheduler', { kubeconfig: CONF, v: '2' }, spec)];
    return saidBy(userReads, all, { files: files.map((more) => ({ ...file, ...more })) }).join();
  };

  it('is root where nobody says another', () => {
    assert.equal(told([{}], {}), 'met: it runs as root');
    assert.equal(told([{ runAsUser: 0 }], { runAsUser: 1000 }), 'met: it runs as root');
    assert.equal(told([{ runAsUser: '1000' }], {}), 'met: it runs as root');
    assert.equal(told([{}, { runAsUser: 1000 }], {}), 'met: it runs as root');
    assert.equal(told([{}], { runAsNonRoot: true }), 'met: it runs as root');
    assert.equal(told([{ runAsUser: 0, runAsNonRoot: false }], { runAsNonRoot: true }), 'met: it runs as root');
  });
  it('is not root where the kubelet may not start it so', () => {
    const never = 'unmet: it may not be root, and is';
    assert.equal(told([{ runAsUser: 0 }], { runAsNonRoot: true }), never);
    assert.equal(told([{ runAsNonRoot: true }], { runAsUser: 0 }), never);
    assert.equal(told([{ runAsNonRoot: true, runAsUser: 0 }], { runAsNonRoot: false }), never);
    assert.equal(told([{ runAsUser: 0 }, { runAsNonRoot: true }], {}), 'met: it runs as root');
  });
  it('may read what its flags name', () => {
    const not = `unmet: user 1000 may not read ${CONF}`;
    assert.equal(told([{ runAsUser: 1000 }], {}), not);
    assert.equal(told([{}], { runAsUser: 1000, runAsNonRoot: true }), not);
    assert.equal(told([{ runAsUser: 1000 }], {}, [{ mode: 0o700 }]), not);
    for (const more of [{ owner: 1000 }, { mode: 0o640 }, { mode: 0o604 }, { path: '/etc/kubernetes/a.conf' }])
      assert.equal(told([{ runAsUser: 1000 }], {}, [more]), 'met: it may', JSON.stringify(more));
    for (const more of [{ mode: null }, { owner: null }])
      assert.equal(told([{ runAsUser: 1000 }], {}, [more]), 'met: it may', JSON.stringify(more));
    assert.equal(told([{ runAsUser: 1000 }], {}, [file, file, file, file]), `${not}, ${CONF}, ${CONF}`);
  });
});

describe('files that components may name', () => {
  it('lie below the folder of Kubernetes', () => {
    const all = [
      key(),
      at('/etc/kubernetes/pki', { kind: 'folder' }, 0o755),
      at('/root/etc/kubernetes/', { kind: 'unreadable', why: 'x' }),
      at('/var/lib/kubelet/config.yaml', { kind: 'unreadable', why: 'x' }),
    ];
    const disk = Object.fromEntries(all.flatMap(({ path, file }) => (file === null ? [] : [[path, file]])));
    assert.deepEqual(namedFiles(disk), [{ path: '/etc/kubernetes/pki/a.key', mode: 0o600, owner: 0 }]);
  });
});
