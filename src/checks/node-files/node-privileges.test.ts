import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultsOf, saidBy } from '../common/judged.testing.js';
import { alone, powerless, powersShown, publishedPodsBound, undisturbed, unprivileged } from './node-privileges.js';
import { pod } from './node-seen.testing.js';

const API = 'kube-apiserver';
const mounted = (...paths: readonly string[]) => ({
  volumes: paths.map((path, at) => ({ name: `v${at}`, hostPath: { path } })),
});
const adds = (...add: readonly unknown[]) => ({ securityContext: { capabilities: { add } } });

describe('what a static Pod may do to its machine', () => {
  const told = (container: object, spec: object = {}): string =>
    saidBy(powerless, [pod('lb', {}, { containers: [{ name: 'lb', ...container }], ...spec })], undefined).join();

  it('is less than root', () => {
    for (const [container, spec] of [
      [{}, { hostNetwork: true, hostPID: false, hostIPC: 'true' }],
      [{ securityContext: { privileged: false } }, {}],
      [adds('NET_ADMIN', 'SYS_ADMINS', 'NO_SYS_ADMIN', 'WALL', 'ALLS'), {}],
      [{}, mounted('/etc', '/run/containerd/containerd.sock.d', '/run/docker', '/srv/mydocker.sock')],
    ] as const)
      assert.equal(told(container, spec), 'met: it is not', JSON.stringify([container, spec]));
  });
  it('is told by what makes it root', () => {
    for (const [seen, container, spec] of [
      ['hostPID', {}, { hostPID: true }],
      ['hostIPC', {}, { hostIPC: true }],
      ['privileged', { securityContext: { privileged: true } }, {}],
      ['privileged', {}, { initContainers: [{ securityContext: { privileged: true } }] }],
      ['ALL, sys_admin, CAP_SYS_MODULE', adds('ALL', 'sys_admin', 'CAP_SYS_MODULE', 'CHOWN'), {}],
      ['SYS_PTRACE', {}, { initContainers: [adds('SYS_PTRACE')] }],
      ['the whole disk', {}, mounted('/')],
      ...['containerd', 'crio', 'cri-dockerd', 'dockershim', 'docker'].map(
        (name) => [`/run/${name}.sock`, {}, mounted(`/run/${name}.sock`)] as const,
      ),
    ] as const)
      assert.equal(told(container, spec), `unmet: ${seen}`);
  });
});

describe('a component of a control plane', () => {
  const PROFILE = { seccompProfile: { type: 'RuntimeDefault' } };

  it('runs under the seccomp profile of the runtime, or one of the machine', () => {
    const told = (container: object, spec: object = {}): string =>
      saidBy(unprivileged, [pod(API, {}, { containers: [{ securityContext: container }], ...spec })], undefined).join();
    assert.equal(told(PROFILE), 'met: it does');
    assert.equal(told({}, { securityContext: PROFILE }), 'met: it does');
    assert.equal(told({ seccompProfile: { type: 'Localhost' } }), 'met: it does');
    assert.equal(told({}), 'unmet: the seccomp profile of nobody');
    for (const type of ['Unconfined', 'RuntimeDefaults', 'NoLocalhost'])
      assert.equal(
        told({ seccompProfile: { type } }, { securityContext: PROFILE }),
        `unmet: the seccomp profile ${type}`,
      );
    assert.equal(told(PROFILE, { hostPID: true }), 'unmet: hostPID');
  });

  it('runs alone', () => {
    const told = (spec: object): string => saidBy(alone, [pod(API, {}, spec)], undefined).join();
    assert.equal(told({}), `met: ${API}`);
    assert.equal(told({ containers: [{ name: 'etcd' }] }), 'unmet: etcd');
    assert.equal(told({ containers: [] }), 'unmet: nothing does');
    assert.equal(told({ initContainers: [{}] }), `unmet: ${API}, without a name`);
    assert.equal(told({ containers: [{ name: API }, { name: 'b' }] }), `unmet: ${API}, b`);
  });
});

describe('nothing but its flags has power over a component', () => {
  const seen = (container: object, spec: object = {}, component = API, flags: Readonly<Record<string, string>> = {}) =>
    saidBy(undisturbed, [pod(component, flags, { containers: [container], ...spec })], undefined).join();
  const env = (...names: readonly string[]) => ({ env: names.map((name) => ({ name, value: 'x' })) });

  it('where it is as kubeadm writes it', () => {
    for (const container of [
      {},
      env('HTTPS_PROXY', 'NO_PROXY', 'MY_PATH', 'PATHS', 'XGODEBUG', 'GODEBUGS', 'ETCD_AUTO_TLS', 'ETCD_LISTEN_X'),
      { lifecycle: { postStart: {}, preStop: { sleep: { seconds: 5 } }, other: { exec: {} } } },
      { livenessProbe: { httpGet: {} }, readinessProbe: { exec: { command: ['/bin/shred', 'sh'] } } },
      { startupProbe: { exec: { command: ['bashful'] } }, otherProbe: { exec: { command: ['sh'] } } },
      { securityContext: { allowPrivilegeEscalation: false, procMount: 'Default' } },
      { securityContext: { procMount: '' } },
      adds('NET_BIND_SERVICE', 'CAP_NET_BIND_SERVICE'),
    ])
      assert.equal(seen(container), 'met: it is so', JSON.stringify(container));
    assert.equal(seen({}, { shareProcessNamespace: false }), 'met: it is so');
    const own = ['/etc/kubernetes/pki', '/etc/ssl/certs', '/usr/share/ca-certificates', '/etc/pki/ca-trust'];
    const near = ['/data/etc', '/x/etc/kubernetes/admin.conf', '/etc/kubernetes/admin.conf.d', '/var/lib/etcd2'];
    for (const path of [...own, ...near, '/etc/kubernetes/an-admin.conf', '/data/var/lib/etcd', '/etcd', '/variety'])
      assert.equal(seen({}, mounted(path)), 'met: it is so', path);
    assert.equal(seen(env('ETCD_NAME', 'MY_ETCD_AUTO_TLS', 'ETCD_CONFIG_FILES'), {}, 'etcd'), 'met: it is so');
    assert.equal(seen({}, mounted('/var/lib/etcd', '/var/lib/etcd/wal'), 'etcd'), 'met: it is so');
  });

  it('is told by what is set in its environment', () => {
    const loader = ['LD_PRELOAD', 'LD_AUDIT', 'LD_LIBRARY_PATH', 'PATH'];
    const go = ['GODEBUG', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'KUBECONFIG'];
    for (const name of [...loader, ...go, 'KUBERNETES_SERVICE_HOST', 'KUBERNETES_SERVICE_PORT'])
      assert.equal(seen(env('A', name)), `unmet: ${name}`);
    assert.equal(seen(env('A', 'ETCD_CONFIG_FILE'), {}, 'etcd'), 'unmet: ETCD_CONFIG_FILE');
    // its flags by another name, which are judged as such
    for (const name of ['ETCD_AUTO_TLS', 'ETCD_LISTEN_CLIENT_URLS', 'ETCD_CONFIG_FILES', 'XETCD_CONFIG_FILE'])
      assert.equal(seen(env(name), {}, 'etcd'), 'met: it is so', name);
  });

  it('is told by what runs beside it, or is let it', () => {
    const hook = (how: string) => ({ [how]: {} });
    const exec = (...command: readonly string[]) => ({ exec: { command } });
    for (const [told, container] of [
      ...['exec', 'httpGet', 'tcpSocket'].flatMap((how) => [
        ['postStart', { lifecycle: { postStart: hook(how) } }] as const,
        ['preStop', { lifecycle: { preStop: hook(how) } }] as const,
      ]),
      ...['sh', '/bin/sh', '/bin/bash', 'dash', '/usr/bin/zsh', '/bin/ash'].map(
        (shell) => ['startupProbe runs a shell', { startupProbe: exec(shell, '-c', 'x') }] as const,
      ),
      ['livenessProbe runs a shell', { livenessProbe: exec('sh') }],
      ['readinessProbe runs a shell', { readinessProbe: exec('sh') }],
      ['allowPrivilegeEscalation', { securityContext: { allowPrivilegeEscalation: true } }],
      ['procMount Unmasked', { securityContext: { procMount: 'Unmasked' } }],
      ...['NET_ADMIN', 'NO_NET_BIND_SERVICE', 'NET_BIND_SERVICES'].map(
        (name) => [`the capability ${name}`, adds('NET_BIND_SERVICE', name)] as const,
      ),
    ] as const)
      assert.equal(seen(container), `unmet: ${told}`);
    assert.equal(seen({}, { shareProcessNamespace: true }), 'unmet: shareProcessNamespace');
    const many = ['PATH', 'GODEBUG', 'KUBECONFIG', 'LD_AUDIT', 'LD_PRELOAD', 'SSL_CERT_DIR'];
    assert.equal(seen(env(...many)), `unmet: ${many.slice(0, 5).join(', ')}`);
  });

  it('is told by what it comes to', () => {
    const top = ['/etc', '/proc', '/sys', '/dev', '/boot', '/root', '/home', '/bin', '/sbin', '/lib', '/usr', '/var'];
    const below = ['/usr/bin', '/usr/sbin', '/usr/lib', '/run', '/var/run', '/var/lib', '/etc/kubernetes/manifests'];
    const kubelet = ['/var/lib/kubelet', '/var/lib/kubelet/pods/a', '/etc/systemd', '/etc/systemd/system/a'];
    const others = ['/etc/kubernetes/admin.conf', '/etc/kubernetes/super-admin.conf', '/etc/shadow'];
    for (const path of [...top, ...below, ...kubelet, ...others, '/var/lib/etcd', '/var/lib/etcd/member'])
      assert.equal(seen({}, mounted(path)), `unmet: ${path}`);
    for (const path of ['/srv/etc', '/etc/ssl', '/root/a', '/usr/share', '/var/lib/kubelets', '/run/a'])
      assert.match(seen({}, mounted(path)), /^met/, path);
    assert.equal(seen({}, mounted('/etc/'), 'etcd'), 'unmet: /etc');
  });

  it('is told by files of its own that it may write', () => {
    const mounts = (mountPath: string, more: object = {}) => ({ volumeMounts: [{ name: 'a', mountPath, ...more }] });
    const tls = ['client-ca-file', 'tls-private-key-file', 'service-account-signing-key-file'];
    for (const flag of [...tls, 'cluster-signing-key-file', 'kubeconfig']) {
      const told = (container: object): string => seen(container, {}, API, { [flag]: '/etc/k/pki/a' });
      for (const path of ['/etc/k/pki', '/etc/k/pki/a']) {
        assert.equal(told(mounts(path)), `unmet: ${path} can be written`);
        assert.equal(told(mounts(path, { readOnly: true })), 'met: it is so');
      }
      for (const path of ['/etc/k/pk', '/etc/k/pki/b', '/pki']) assert.equal(told(mounts(path)), 'met: it is so');
    }
    assert.equal(seen(mounts('/var/log'), {}, API, { 'audit-log-path': '/var/log/a' }), 'met: it is so');
  });

  it('is judged of manifests only', () =>
    assert.deepEqual(resultsOf(undisturbed, [{ path: '/a', file: null }], undefined), ['unmet']));
});

it('what a cluster shows of the Pod of a component is held to the same', () => {
  const told = (spec: object, flags: Readonly<Record<string, string>> = {}, component = 'kube-apiserver') => {
    const own = JSON.parse(JSON.stringify(spec).replace('"X"', JSON.stringify(component)));
    const powers = powersShown({ pod: { spec: own }, flags }, component);
    return publishedPodsBound
      .judge([{ subject: 'Pod a/b', powers }], undefined)
      .map(({ subject, result, seen }) => `${result} ${subject}: ${seen}`);
  };
  assert.deepEqual(told({ containers: [{ name: 'X', command: ['a'] }] }), ['met Pod a/b: it is so']);
  assert.deepEqual(told({ hostPID: true, containers: [{ name: 'X', securityContext: { privileged: true } }] }), [
    'unmet Pod a/b: hostPID, privileged',
  ]);
  assert.deepEqual(told({ containers: [{ name: 'X', env: [{ name: 'ETCD_CONFIG_FILE' }] }] }), [
    'met Pod a/b: it is so',
  ]);
  assert.deepEqual(told({ containers: [{ name: 'X', env: [{ name: 'ETCD_CONFIG_FILE' }] }] }, {}, 'etcd'), [
    'unmet Pod a/b: ETCD_CONFIG_FILE',
  ]);
  assert.deepEqual(told({ containers: [{ name: 'X' }, { name: 'agent' }], initContainers: [{}] }), [
    'unmet Pod a/b: agent runs beside it, a container without a name runs beside it',
  ]);
  const env = ['A', 'B', 'C', 'D', 'E', 'F'].map((name) => ({ name, mountPath: `/${name}` }));
  const own = Object.fromEntries([['client-ca-file', '/A/ca.crt']]);
  assert.deepEqual(told({ containers: [{ name: 'X', volumeMounts: env }] }, own), ['unmet Pod a/b: /A can be written']);
});
