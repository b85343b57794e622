import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '../../kubernetes/objects.js';
import { createCertificate } from '../../pki/certificate.js';
import { generateKey } from '../../pki/keys.js';
import { twinsOf } from '../common/twins.testing.js';
import { proxyOfCluster, readProxy, type ServerKnown } from './kube-proxy-told.js';

const CLUSTER = 'certificate-authority: /var/run/secrets/kubernetes.io/serviceaccount/ca.crt';
const USER = 'tokenFile: /var/run/secrets/kubernetes.io/serviceaccount/token';
const kubeconfig = (cluster = CLUSTER, user = USER, server = 'https://192.0.2.1:6443'): string =>
  `kind: Config\nclusters:\n- name: a\n  cluster: {server: '${server}', ${cluster}}\n` +
  `contexts:\n- name: c\n  context: {cluster: a, user: u}\ncurrent-context: c\nusers:\n- name: u\n  user: {${user}}\n`;
const config = (more = ''): string =>
  `apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\n${more}`;
const authority = (): string => {
  const key = generateKey('ECDSA-P256');
  return createCertificate({
    subject: { commonName: 'ca' },
    publicKey: key,
    signingKey: key,
    notBefore: 0,
    notAfter: 1e12,
  }).pem;
};
const OWN = authority();
const KNOWN: ServerKnown = {
  hosts: ['192.0.2.1', 'cp.example.com'],
  authorities: OWN,
  services: ['10.96.0.1', 'fd00:1::1'],
};

const told = (conf: string, own = config(), minor = 36): readonly string[] =>
  readProxy(
    {
      map: { metadata: { name: 'kube-proxy' }, data: { 'kubeconfig.conf': conf, 'config.conf': own } },
      daemon: undefined,
    },
    KNOWN,
    minor,
  )[0]?.odd.map((odd) => odd.replace('kubeconfig.conf: ', '')) ?? [];

describe('what kube-proxy is told', () => {
  it('leads to the API server of its cluster', () => {
    assert.deepEqual(told(kubeconfig()), []);
    for (const server of ['https://cp.example.com:6443', 'https://127.0.0.1:6443', 'https://kubernetes.default'])
      assert.deepEqual(told(kubeconfig(CLUSTER, USER, server)), [], server);
    assert.deepEqual(told(kubeconfig(CLUSTER, USER, 'https://192.0.2.9:6443')), [
      'server 192.0.2.9, by which nobody knows the API server',
    ]);
    for (const host of [
      'cp.example.com.example',
      'xcp.example.com',
      'example.com',
      'cp.example',
      '127',
      'localhost.example',
    ])
      assert.deepEqual(told(kubeconfig(CLUSTER, USER, `https://${host}:6443`)), [
        `server ${host}, by which nobody knows the API server`,
      ]);
    assert.deepEqual(told(kubeconfig(CLUSTER, USER, 'http://192.0.2.1:6443')), ['server http://192.0.2.1:6443']);
    assert.deepEqual(told(kubeconfig('insecure-skip-tls-verify: true')), ['insecure-skip-tls-verify']);
    assert.deepEqual(told(kubeconfig('proxy-url: http://192.0.2.9')), ['proxy-url']);
    const data = (pem: string): string => `certificate-authority-data: ${Buffer.from(pem).toString('base64')}`;
    assert.deepEqual(told(kubeconfig(data(OWN))), []);
    assert.deepEqual(told(kubeconfig(data(authority()))), ['certificate-authority-data of another cluster']);
    assert.deepEqual(told('clusters: []\n'), ['kubeconfig.conf has no cluster in its current context']);
    assert.deepEqual(told('- 1\n'), ['kubeconfig.conf is no mapping in YAML']);
    const without = { metadata: { name: 'kube-proxy' }, data: { 'config.conf': config() } };
    assert.deepEqual(readProxy({ map: without, daemon: undefined }, KNOWN, 36)[0]?.odd, [
      'there is no kubeconfig.conf in it',
    ]);
  });

  it('leads there by a host that is known, whole and in these letters', () => {
    const at = (host: string, known = KNOWN): readonly string[] => {
      const conf = kubeconfig(CLUSTER, USER, `https://${host}:6443`);
      const map = { metadata: { name: 'x' }, data: { 'kubeconfig.conf': conf, 'config.conf': config() } };
      return readProxy({ map, daemon: undefined }, known, 36)[0]?.odd ?? [];
    };
    for (const host of ['localhost', '[::1]', '127.9.9.9', 'kubernetes', 'kubernetes.default.svc'])
      assert.deepEqual(at(host), [], host);
    for (const host of [
      'localhosts',
      '[::12]',
      '10.127.0.1',
      'kubernetess',
      'a.kubernetes',
      'cp.example.co',
      '192.0.2.11',
    ])
      assert.equal(at(host).length, 1, host);
    assert.deepEqual(at('other.example.com', { hosts: [], authorities: OWN }), [], 'nobody says which are known');
    assert.deepEqual(told(kubeconfig(CLUSTER, USER, '')), ['server is not set']);
  });

  it('leads there by a port at which it is known', () => {
    const places = [
      { address: '192.0.2.1', port: 6443 },
      { address: '192.0.2.1', port: 8443 },
      { address: 'fd00::1', port: 443 },
    ];
    const at = (server: string): readonly string[] => {
      const conf = kubeconfig(CLUSTER, USER, server);
      const map = { metadata: { name: 'x' }, data: { 'kubeconfig.conf': conf, 'config.conf': config() } };
      const known = { hosts: ['192.0.2.1', 'fd00::1', 'cp.example.com'], authorities: OWN, places };
      return readProxy({ map, daemon: undefined }, known, 36)[0]?.odd ?? [];
    };
    for (const server of ['192.0.2.1:6443', '192.0.2.1:8443', '[fd00::1]', '[fd00::1]:443', 'cp.example.com:1'])
      assert.deepEqual(at(`https://${server}`), [], server);
    assert.deepEqual(at('https://127.0.0.1:7000'), []);
    assert.deepEqual(at('https://192.0.2.1:16443'), [
      'kubeconfig.conf: port 16443 of 192.0.2.1, where the API server is known at 6443 and 8443',
    ]);
    assert.deepEqual(at('https://192.0.2.1'), [
      'kubeconfig.conf: port 443 of 192.0.2.1, where the API server is known at 6443 and 8443',
    ]);
    assert.equal(at('https://[fd00::1]:6443').length, 1);
  });

  it('trusts an authority of the cluster, and another one beside it', () => {
    const data = (pem: string): string => `certificate-authority-data: ${Buffer.from(pem).toString('base64')}`;
    assert.deepEqual(told(kubeconfig(data(authority() + OWN))), []);
    const map = {
      metadata: { name: 'x' },
      data: { 'kubeconfig.conf': kubeconfig(data(authority())), 'config.conf': config() },
    };
    assert.deepEqual(readProxy({ map, daemon: undefined }, { ...KNOWN, authorities: '' }, 36)[0]?.odd, []);
    assert.deepEqual(readProxy({ map: { metadata: { name: 'x' } }, daemon: undefined }, KNOWN, 36)[0]?.odd, [
      'there is no kubeconfig.conf in it',
      'config.conf is no mapping in YAML',
    ]);
  });

  it('has no credential of any kind, and no file elsewhere', () => {
    for (const name of ['token', 'password', 'client-key-data', 'client-key', 'exec', 'auth-provider'])
      assert.deepEqual(told(kubeconfig(CLUSTER, `${name}: a`)), [`a credential of its own: ${name}`]);
    assert.deepEqual(told(kubeconfig(CLUSTER, 'client-certificate: /a')), []);
    const file = 'run/secrets/kubernetes.io/serviceaccount/token';
    assert.deepEqual(told(kubeconfig(CLUSTER, `tokenFile: /${file}`)), []);
    for (const path of [`/tmp/var/${file}`, `/tmp/${file}`, file, '/run/secrets/kubernetes.io/serviceaccounts/token'])
      assert.deepEqual(told(kubeconfig(CLUSTER, `tokenFile: ${path}`)), [`tokenFile ${path}`]);
  });

  it('is told by values that it knows', () => {
    const odd = (more: string): readonly string[] => told(kubeconfig(), config(more));
    for (const mode of ['iptables', 'ipvs', 'nftables', 'kernelspace', '""'])
      assert.deepEqual(odd(`mode: ${mode}\n`), [], mode);
    for (const mode of twinsOf('ipvs').filter((one) => one !== ''))
      assert.deepEqual(odd(`mode: "${mode}"\n`), [`config.conf: mode ${mode}`]);
    assert.deepEqual(odd('bindAddress: ""\nclusterCIDR: ""\nnodePortAddresses: []\n'), []);
    for (const one of twinsOf('primary'))
      assert.deepEqual(odd(`nodePortAddresses: ["${one}"]\n`), [`config.conf: nodePortAddresses ${one}`]);
    for (const [key, value] of [
      ['apiVersion', 'kubeproxy.config.k8s.io/v1alpha1'],
      ['kind', 'KubeProxyConfiguration'],
    ] as const)
      for (const twin of key === 'kind' ? twinsOf(value) : ['', 'x', ` ${value}`, `my${value}`, value.toUpperCase()])
        assert.equal(told(kubeconfig(), config().replace(value, `"${twin}"`)).length, 1, `${key} "${twin}"`);
  });

  it('makes it nobody but the account of its Pod', () => {
    assert.deepEqual(told(kubeconfig(CLUSTER, 'token: abc')), ['a credential of its own: token']);
    assert.deepEqual(told(kubeconfig(CLUSTER, 'tokenFile: /etc/kubernetes/token')), [
      'tokenFile /etc/kubernetes/token',
    ]);
    assert.deepEqual(told(kubeconfig(CLUSTER, '')), ['no credential']);
  });

  it('starts it', () => {
    const sound = config(
      'mode: ipvs\nbindAddress: "::"\nclusterCIDR: 10.244.0.0/16,fd00::/64\nnodePortAddresses: [primary, 10.0.0.0/8]\n' +
        'clientConnection: {kubeconfig: /var/lib/kube-proxy/kubeconfig.conf}\n',
    );
    assert.deepEqual(told(kubeconfig(), sound), []);
    for (const [more, odd] of [
      ['mode: iptable\n', 'mode iptable'],
      ['bindAddress: a\n', 'bindAddress a'],
      ['clusterCIDR: 10.244.0.0\n', 'clusterCIDR 10.244.0.0'],
      ['clusterCIDR: 10.244.0.0/33\n', 'clusterCIDR 10.244.0.0/33'],
      ['clusterCIDR: 10.96.0.0/16\n', 'clusterCIDR 10.96.0.0/16, among whose Pods is the Service 10.96.0.1'],
      ['clusterCIDR: fd00:1::/64\n', 'clusterCIDR fd00:1::/64, among whose Pods is the Service fd00:1::1'],
      ['nodePortAddresses: [all]\n', 'nodePortAddresses all'],
      ['clientConnection: {kubeconfig: /etc/x.conf}\n', 'clientConnection.kubeconfig /etc/x.conf'],
    ] as const)
      assert.deepEqual(told(kubeconfig(), config(more)), [`config.conf: ${odd}`]);
    const old = (minor: number) => told(kubeconfig(), config('mode: userspace\n'), minor);
    assert.deepEqual([old(25), old(26)], [[], ['config.conf: mode userspace']]);
    assert.deepEqual(told(kubeconfig(), 'kind: Other\n'), ['config.conf:  Other']);
    assert.deepEqual(told(kubeconfig(), '- 1\n'), ['config.conf is no mapping in YAML']);
  });
});

describe('the DaemonSet of kube-proxy', () => {
  const CONTAINER = {
    name: 'kube-proxy',
    image: 'registry.k8s.io/kube-proxy:v1.36.0',
    command: ['/usr/local/bin/kube-proxy', '--config=/var/lib/kube-proxy/config.conf'],
  };
  const run = (pod: object = {}, container: object = {}): readonly string[] => {
    const spec = {
      hostNetwork: true,
      serviceAccountName: 'kube-proxy',
      containers: [{ ...CONTAINER, ...container }],
      volumes: [{ hostPath: { path: '/lib/modules' } }, { configMap: { name: 'kube-proxy' } }],
      ...pod,
    };
    const daemon: KubeObject = { metadata: { name: 'kube-proxy' }, spec: { template: { spec } } };
    return readProxy({ map: undefined, daemon }, KNOWN, 36)[0]?.odd ?? [];
  };
  it('runs kube-proxy', () => {
    assert.deepEqual(run(), []);
    for (const image of [
      '192.0.2.5:5000/k8s/kube-proxy-amd64:v1.34.1@sha256:00',
      'own/kube-proxy',
      'a/kube-proxy:v1.36.9',
    ])
      assert.deepEqual(run({}, { image }), [], image);
    for (const image of ['kube-proxy/tool:v1.0', '192.0.2.5:5000/tool:kube-proxy', 'a/tool@sha256:kube-proxy'])
      assert.deepEqual(run({}, { image }), [`image ${image}`]);
    assert.deepEqual(run({}, { image: 'a/kube-proxy:v1.37.0' }), [
      'image a/kube-proxy:v1.37.0, newer than the API server',
    ]);
    assert.deepEqual(run({}, { command: ['/bin/sh', '-c', 'x'] }), ['it runs /bin/sh']);
    assert.deepEqual(run({}, { command: undefined, args: ['kube-proxy'] }), []);
  });
  it('has what it needs of a machine', () => {
    for (const path of [
      ...['/', '/etc', '/var', '/var/lib', '/run', '/var/run', '/proc', '/dev', '/root', '/home', '/usr', '/a.sock'],
      ...['/etc/kubernetes', '/var/lib/kubelet', '/var/lib/etcd', '/root', '/home', '/proc'].map((one) => `${one}/a`),
      ...['/etc/kubernetes', '/var/lib/kubelet', '/var/lib/etcd'],
    ])
      assert.deepEqual(run({ volumes: [{ hostPath: { path } }] }), [`${path} of the machine`]);
    for (const path of ['/etc/localtime', '/run/xtables.lock', '/usr/share/zoneinfo'])
      assert.deepEqual(run({ volumes: [{ hostPath: { path } }] }), [], path);
    assert.deepEqual(run({ hostPID: true }), ['hostPID']);
    assert.deepEqual(run({ hostNetwork: false }), ['no network of the machine']);
    assert.deepEqual(run({ serviceAccountName: '' }), ['account default']);
    const mighty = ['a container x beside it, which is root on the machine'];
    assert.deepEqual(run({ initContainers: [{ name: 'x', securityContext: { privileged: true } }] }), mighty);
    assert.deepEqual(
      run({ initContainers: [{ name: 'x', securityContext: { capabilities: { add: ['a'] } } }] }),
      mighty,
    );
    assert.deepEqual(run({ initContainers: [{ name: 'x', volumeMounts: [{ mountPath: '/lib/modules' }] }] }), mighty);
    const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
    assert.deepEqual(run({ initContainers: [{ name: 'x', volumeMounts: [{ mountPath }] }] }), []);
  });
  it('is told of by its image, its program and its paths', () => {
    const image = (name: string): readonly string[] => run({}, { image: name });
    for (const name of ['kube-proxy:v1.36.0', 'a:5000/kube-proxy', 'kube-proxy', 'a/kube-proxy@sha256:00'])
      assert.deepEqual(image(name), [], name);
    for (const name of ['', 'kube-proxy:1/tool', 'a/tool:kube-proxy', 'a/Kube-Proxy:v1.36.0', 'a/tool@kube-proxy'])
      assert.deepEqual(image(name), [`image ${name}`]);
    for (const program of ['kube-proxy', '/usr/local/bin/kube-proxy'])
      assert.deepEqual(run({}, { command: [program] }), [], program);
    for (const program of ['kube-proxy-own', 'my-kube-proxy', '/kube-proxy/sh', 'Kube-proxy'])
      assert.deepEqual(run({}, { command: [program] }), [`it runs ${program}`]);
    assert.deepEqual(run({}, { command: [] }), []);
    const led = (...more: readonly string[]) => run({}, { command: ['kube-proxy', ...more] });
    const master = ['--master: server 203.0.113.9, by which nobody knows the API server'];
    assert.deepEqual(led('--master=https://203.0.113.9:6443'), master);
    assert.deepEqual(led('--v=2', '--master', 'https://203.0.113.9:6443'), master);
    assert.deepEqual(run({}, { command: ['kube-proxy'], args: ['-master=http://192.0.2.1'] }), [
      '--master: server http://192.0.2.1',
    ]);
    for (const sound of ['--master=https://cp.example.com', '--master=', '--master', '--masters=http://203.0.113.9'])
      assert.deepEqual(led(sound), [], sound);
    for (const path of [
      '/etc',
      '/var/lib',
      '/run',
      '/dev',
      '/root/a',
      '/home/a',
      '/proc/1',
      '/var/lib/etcd/x',
      '/a.sock',
    ])
      assert.deepEqual(run({ volumes: [{ hostPath: { path } }] }), [`${path} of the machine`]);
    for (const path of ['/srv/etc', '/srv/etc/kubernetes', '/srv/root', '/etc/kubernetes-own', '/a.socket', '/etcs'])
      assert.deepEqual(run({ volumes: [{ hostPath: { path } }] }), [], path);
    assert.deepEqual(run({ volumes: [{ hostPath: { path: '/etc/' } }] }), ['/etc of the machine']);
    assert.deepEqual(run({ hostIPC: true, hostPID: 'true' }), ['hostIPC']);
    for (const twin of twinsOf('kube-proxy'))
      assert.deepEqual(run({ serviceAccountName: twin }), [`account ${twin || 'default'}`]);
    const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
    const mounts = [{ mountPath }, { mountPath: '/lib/modules' }];
    assert.equal(run({ initContainers: [{ name: 'x', volumeMounts: mounts }] }).length, 1);
    assert.deepEqual(
      run({ initContainers: [{ name: 'x' }, { name: 'y', securityContext: { privileged: 'true' } }] }),
      [],
    );
  });
  it('is told with the first of what is odd', () => {
    const odd = ['a', 'b', 'c', 'd', 'e', 'f'];
    const seen = (all: readonly string[]) =>
      proxyOfCluster.judge([{ subject: 's', demanded: 'd', odd: all }], undefined)[0]?.seen;
    assert.deepEqual([seen(odd), seen(['x'.repeat(300)]), seen([])], ['a; b; c; d; e', 'x'.repeat(240), 'it does']);
    const [map, daemon] = readProxy(
      { map: { metadata: { name: 'x' } }, daemon: { metadata: { name: 'kube-proxy' }, spec: {} } },
      KNOWN,
      36,
    );
    assert.deepEqual(
      [map?.subject, map?.demanded, daemon?.subject, daemon?.demanded],
      [
        'ConfigMap kube-system/kube-proxy',
        'leads to the API server of this cluster, and starts kube-proxy',
        'DaemonSet kube-system/kube-proxy',
        'runs kube-proxy and nothing else, with what it needs of a machine',
      ],
    );
  });
  it('is judged beside the ConfigMap, and may be away', () => {
    const judged = (daemon: KubeObject | undefined) =>
      proxyOfCluster.judge(readProxy({ map: undefined, daemon }, KNOWN, 36), undefined).map(({ result }) => result);
    assert.deepEqual(judged(undefined), []);
    assert.deepEqual(judged({ metadata: { name: 'kube-proxy' }, spec: {} }), ['unmet']);
  });
});

describe('files that kube-proxy is told', () => {
  const odd = (words: readonly string[], mountPaths: readonly string[], more: object = {}): readonly string[] => {
    const first = {
      image: 'a/kube-proxy:v1.36.0',
      volumeMounts: mountPaths.map((mountPath) => ({ mountPath })),
      ...more,
    };
    const spec = {
      hostNetwork: true,
      serviceAccountName: 'kube-proxy',
      containers: [{ command: ['/usr/local/bin/kube-proxy', ...words], ...first }],
    };
    const daemon: KubeObject = { metadata: { name: 'kube-proxy' }, spec: { template: { spec } } };
    return readProxy({ map: undefined, daemon }, KNOWN, 36)[0]?.odd ?? [];
  };
  it('are brought by its volumes', () => {
    for (const mounts of [
      ['/var/lib/kube-proxy'],
      ['/var/lib/kube-proxy/'],
      ['/x', '/var/lib'],
      ['/'],
      ['/var/lib/kube-proxy/config.conf'],
      [],
    ])
      assert.deepEqual(odd(['--config=/var/lib/kube-proxy/config.conf'], mounts), [], mounts.join());
    for (const mounts of [['/var/lib/kube'], ['/config.conf', '/lib'], ['/var/lib/kube-proxy/config']])
      assert.deepEqual(odd(['--config=/var/lib/kube-proxy/config.conf'], mounts), [
        '--config=/var/lib/kube-proxy/config.conf, which no volume brings',
      ]);
    assert.deepEqual(odd(['--v=2', '--kubeconfig=/a', '--config=/b/c'], ['/b']), [
      '--kubeconfig=/a, which no volume brings',
    ]);
    assert.deepEqual(odd([], ['/b'], { args: ['--kubeconfig=/a'] }), ['--kubeconfig=/a, which no volume brings']);
    for (const word of ['--write-config-to=/a', '--x=--config=/a', '--configs=/a', '--config'])
      assert.deepEqual(odd([word], ['/b']), [], word);
  });
  it('are of one server, whatever its flag for another says', () => {
    for (const words of [
      ['--master=https://192.0.2.9'],
      ['-master=https://192.0.2.9'],
      ['--master', 'https://192.0.2.9'],
    ])
      assert.deepEqual(
        odd(words, []),
        ['--master: server 192.0.2.9, by which nobody knows the API server'],
        words.join(' '),
      );
    for (const words of [
      ['--master=https://192.0.2.1'],
      ['--master='],
      ['--masters=https://192.0.2.9'],
      ['x--master=https://192.0.2.9'],
      ['--master'],
    ])
      assert.deepEqual(odd(words, []), [], words.join(' '));
  });
});
