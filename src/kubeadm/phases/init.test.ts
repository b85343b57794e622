import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { configure, type InitFacts } from '../configuration.js';
import { kubeadmDecisions } from '../decisions/index.js';
import { argumentsOf, type ExtraArgs } from '../flags.js';
import { parseRelease, releaseOf } from '../release.js';
import { kubeletConfigMap, kubeProxyConfigMap } from './config-maps.js';
import { encryptEntry } from './copy-certs.js';
import { addonCoredns, bootstrapToken, type Phase, tokenSpec, uploadConfig } from './init.js';
import { mirrorPod } from './static-pods.js';

const facts = (version: string, more: Partial<InitFacts> = {}): InitFacts => ({
  ...configure({
    release: parseRelease(version),
    controlPlaneEndpoint: '127.0.0.1:6443',
    nodeName: 'cp-1',
    advertiseAddress: '192.0.2.10',
    ...more,
  }),
  caPem: '-----BEGIN CERTIFICATE-----\n',
});
const hashOf = (object: {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
}): string | undefined => object.metadata.annotations?.['kubeadm.kubernetes.io/component-config.hash'];

describe('what kubeadm stores', () => {
  // The hashes that a real kubeadm computed over its own texts: equal hashes are equal bytes.
  it('is the kubelet configuration of 1.31 to the byte', () => {
    assert.equal(
      hashOf(kubeletConfigMap(facts('1.31.1'))),
      'sha256:899c230cbcdf566dbb9a10f53cb164093ffdf06654cb687a43698e4215a04c4b',
    );
  });
  it('is the kube-proxy configuration of 1.36 to the byte', () => {
    assert.equal(
      hashOf(kubeProxyConfigMap(facts('1.36.0', { controlPlaneEndpoint: '127.0.0.1:26443' }))),
      'sha256:6837c569f686e108e7c2d5ea473972a1b23534c799dab7c3cd515edc3b147bf2',
    );
  });
  it('is cluster-info with preferences up to 1.33 only', () => {
    assert.match(
      kubeadmDecisions.clusterInfoKubeconfig(facts('1.33.0')),
      /\nkind: Config\npreferences: \{\}\nusers: null\n$/,
    );
    assert.match(kubeadmDecisions.clusterInfoKubeconfig(facts('1.34.0')), /\nkind: Config\nusers: null\n$/);
  });
  it('are entries of kubeadm-certs: nonce, ciphertext, tag', () => {
    const key = Buffer.from(Array.from({ length: 32 }, (_, index) => index));
    const nonce = Buffer.from(Array.from({ length: 12 }, (_, index) => 16 + index));
    assert.equal(
      encryptEntry(Buffer.from('joinproof'), key, nonce).toString('hex'),
      '101112131415161718191a1b1791f17839bb55dcac27e051a6e97c6b9c15992d4cd6d575af',
    );
    assert.equal(
      encryptEntry(Buffer.alloc(0), key, nonce).toString('hex'),
      '101112131415161718191a1b018f5e9d66e6fbec03896ee4b1e8d030',
    );
  });
});

describe('static Pods', () => {
  const node = { apiVersion: 'v1', kind: 'Node', name: 'cp-1', uid: 'u' };
  const commandOf = (
    component: Parameters<typeof mirrorPod>[0],
    version: string,
    extraArgs: ExtraArgs = {},
  ): readonly string[] => {
    const spec = mirrorPod(component, { facts: facts(version), extraArgs, owner: node, seen: 'now' }).spec as {
      containers: { command: readonly string[] }[];
    };
    return spec.containers[0]?.command ?? [];
  };
  it('have kubeadm’s flags, sorted', () => {
    const command = commandOf('kube-apiserver', '1.36.1');
    assert.equal(command.length, 28);
    assert.deepEqual(command.slice(1), [...command.slice(1)].sort());
    assert.ok(command.includes('--enable-bootstrap-token-auth=true'));
    assert.equal(commandOf('kube-controller-manager', '1.36.1').length, 15);
    assert.equal(commandOf('kube-scheduler', '1.36.1').length, 6);
    assert.equal(commandOf('etcd', '1.36.1').length, 20);
  });
  it('take what the user adds behind the defaults, in place of them', () => {
    const command = commandOf('kube-controller-manager', '1.36.1', {
      'kube-controller-manager': { controllers: '*,tokencleaner', v: '2' },
    });
    assert.deepEqual(command.slice(-2), ['--controllers=*,tokencleaner', '--v=2']);
    assert.equal(command.filter((flag) => flag.startsWith('--controllers=')).length, 1);
  });
  it('stand by their names before 1.32, and those of one name by their values', () => {
    const own = { 'kube-scheduler': { v: ['3', '2', '4'], a: '1' } };
    assert.deepEqual(commandOf('kube-scheduler', '1.36.1', own).slice(-4), ['--v=3', '--v=2', '--v=4', '--a=1']);
    const sorted = commandOf('kube-scheduler', '1.31.0', own).slice(1);
    assert.deepEqual([sorted[0], ...sorted.slice(-3)], ['--a=1', '--v=2', '--v=3', '--v=4']);
  });
  it('follow their release', () => {
    assert.ok(commandOf('etcd', '1.33.0').includes('--experimental-watch-progress-notify-interval=5s'));
  });
  it('know external authorities and Pod subnets', () => {
    const command = argumentsOf(
      'kube-controller-manager',
      facts('1.36.1', { externalCa: true, podSubnet: '10.1.0.0/16' }),
    );
    for (const flag of [
      '--allocate-node-cidrs=true',
      '--cluster-cidr=10.1.0.0/16',
      '--cluster-signing-cert-file=',
      '--cluster-signing-key-file=',
      '--service-cluster-ip-range=10.96.0.0/12',
    ])
      assert.ok(command.includes(flag), flag);
    assert.deepEqual(command, [...command].sort());
  });
  it('dial loopback of their own family', () => {
    const flags = argumentsOf('etcd', facts('1.36.1', { advertiseAddress: '2001:db8::1' }));
    assert.ok(flags.includes('--listen-client-urls=https://[::1]:2379,https://[2001:db8::1]:2379'));
  });
});

describe('what the phases write', () => {
  const phase: Phase = {
    decisions: kubeadmDecisions,
    facts: facts('1.36.1'),
    now: 0,
    random: (length) => Buffer.alloc(length, 1),
  };
  it('is cluster-info after tokens and bindings, its readers last', () => {
    const written = bootstrapToken(phase, [tokenSpec(phase, {})]);
    assert.deepEqual(
      written.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
      [
        'Secret bootstrap-token-111111',
        'ClusterRole kubeadm:get-nodes',
        'ClusterRoleBinding kubeadm:get-nodes',
        'ClusterRoleBinding kubeadm:kubelet-bootstrap',
        'ClusterRoleBinding kubeadm:node-autoapprove-bootstrap',
        'ClusterRoleBinding kubeadm:node-autoapprove-certificate-rotation',
        'ClusterRoleBinding kubeadm:apiserver-kubelet-client',
        'ConfigMap cluster-info',
        'Role kubeadm:bootstrap-signer-clusterinfo',
        'RoleBinding kubeadm:bootstrap-signer-clusterinfo',
      ],
    );
  });
  it('follows the configuration', () => {
    const other = facts('1.36.1', {
      serviceSubnet: 'fd00:10::/112',
      podSubnet: '10.1.0.0/16',
      dnsDomain: 'example.test',
      certSANs: ['api.example.test'],
    });
    const written = [...uploadConfig({ ...phase, facts: other }), ...addonCoredns({ ...phase, facts: other })];
    const text = JSON.stringify(written);
    for (const part of [
      'apiServer:\\n  certSANs:\\n  - api.example.test\\napiVersion',
      'dnsDomain: example.test\\n  podSubnet: 10.1.0.0/16\\n  serviceSubnet: fd00:10::/112',
      'clusterDNS:\\n- fd00:10::a\\n',
      '"clusterIP":"fd00:10::a"',
      'kubernetes example.test in-addr.arpa',
    ])
      assert.ok(text.includes(part), part);
  });
  it('names the configuration of kubelets by their minor up to 1.23', () => {
    const old = { ...facts('1.25'), release: releaseOf('1.23.4') };
    assert.deepEqual(
      uploadConfig({ ...phase, facts: old }).map(({ metadata }) => metadata.name),
      [
        'kubeadm-config',
        'kubeadm:nodes-kubeadm-config',
        'kubeadm:nodes-kubeadm-config',
        'kubelet-config-1.23',
        'kubeadm:kubelet-config-1.23',
        'kubeadm:kubelet-config-1.23',
      ],
    );
  });
});
