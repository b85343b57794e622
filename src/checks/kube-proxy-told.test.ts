import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '../kubernetes/objects.js';
import { createCertificate } from '../pki/certificate.js';
import { generateKey } from '../pki/keys.js';
import { proxyOfCluster, readProxy } from './kube-proxy-told.js';

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
const KNOWN = { hosts: ['192.0.2.1', 'cp.example.com'], authorities: OWN };

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
    assert.deepEqual(run({}, { image: 'kube-proxy/tool:v1.0' }), ['image kube-proxy/tool:v1.0']);
    assert.deepEqual(run({}, { image: 'a/kube-proxy:v1.37.0' }), [
      'image a/kube-proxy:v1.37.0, newer than the API server',
    ]);
    assert.deepEqual(run({}, { command: ['/bin/sh', '-c', 'x'] }), ['it runs /bin/sh']);
    assert.deepEqual(run({}, { command: undefined, args: ['kube-proxy'] }), []);
  });
  it('has what it needs of a machine', () => {
    for (const path of ['/', '/etc/kubernetes/pki', '/var/lib/kubelet', '/run/containerd/containerd.sock', '/root'])
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
  it('is judged beside the ConfigMap, and may be away', () => {
    const judged = (daemon: KubeObject | undefined) =>
      proxyOfCluster.judge(readProxy({ map: undefined, daemon }, KNOWN, 36), undefined).map(({ result }) => result);
    assert.deepEqual(judged(undefined), []);
    assert.deepEqual(judged({ metadata: { name: 'kube-proxy' }, spec: {} }), ['unmet']);
  });
});
