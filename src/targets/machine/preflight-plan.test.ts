import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NEWEST_RELEASE, parseRelease } from '../../kubeadm/release.js';
import { planOf } from './preflight-plan.js';

const beside = { hostName: 'machine', warn: () => {} };
const newest = parseRelease(NEWEST_RELEASE);
const earlier = `1.${newest.minor - 1}`;
const cluster = (version: string): string =>
  `apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\nkubernetesVersion: v${version}.0\n`;

describe('kubeadm that looks at a machine', () => {
  const minorOf = (content: string | undefined, kubernetesVersion?: string): number =>
    planOf('init', content, kubernetesVersion === undefined ? beside : { ...beside, kubernetesVersion }).release.minor;

  it('is of the version that it is said to be, else of that of the cluster, else the newest', () => {
    assert.equal(minorOf(undefined), newest.minor);
    assert.equal(minorOf(cluster(earlier)), newest.minor - 1);
    assert.equal(minorOf(cluster(earlier), NEWEST_RELEASE), newest.minor);
    assert.equal(minorOf(undefined, earlier), newest.minor - 1);
  });

  it('sets no cluster up that is more than a minor older', () => {
    assert.throws(
      () => planOf('init', cluster(`1.${newest.minor - 2}`), { ...beside, kubernetesVersion: NEWEST_RELEASE }),
      {
        message: /only supports deploying clusters with the control plane version >= 1\./,
      },
    );
  });
});

describe('kubeadm that looks at a machine before it joins', () => {
  const token = {
    token: 'abcdef.0123456789abcdef',
    apiServerEndpoint: '192.0.2.1:6443',
    unsafeSkipCAVerification: true,
  };
  const taskOf = (fields: object, more: object = {}): unknown => {
    const document = {
      apiVersion: 'kubeadm.k8s.io/v1beta4',
      kind: 'JoinConfiguration',
      discovery: { bootstrapToken: token },
    };
    const { task, ignored } = planOf('join', JSON.stringify({ ...document, ...fields }), { ...beside, ...more });
    assert.equal(task.phase, 'join');
    return { ...task.told, ...(ignored.length === 0 ? {} : { ignored }) };
  };
  const plain = {
    nodeName: 'machine',
    criSocket: 'unix:///var/run/containerd/containerd.sock',
    caCertPath: '/etc/kubernetes/pki/ca.crt',
    endpoint: '192.0.2.1:6443',
  };
  const controlPlane = { advertiseAddress: '192.0.2.7', bindPort: 6444, certificateKey: '' };
  const { advertiseAddress, bindPort } = controlPlane;
  const { endpoint: _endpoint, ...byFile } = plain;
  const file = { file: { kubeConfigPath: 'https://a.example/f' } };
  for (const [what, fields, expected] of [
    ['by a token', {}, plain],
    ['by a file', { discovery: file }, byFile],
    ['as it is named', { nodeRegistration: { name: ' Node-7 ' } }, { ...plain, nodeName: 'node-7' }],
    [
      'with a socket',
      { nodeRegistration: { criSocket: '/run/a.sock' } },
      { ...plain, criSocket: 'unix:///run/a.sock' },
    ],
    ['with a URL', { nodeRegistration: { criSocket: 'tcp://a' } }, { ...plain, criSocket: 'tcp://a' }],
    ['with its CA elsewhere', { caCertPath: '/a.crt' }, { ...plain, caCertPath: '/a.crt' }],
    ['ignoring', { nodeRegistration: { ignorePreflightErrors: ['Swap'] } }, { ...plain, ignored: ['Swap'] }],
    [
      'as a control plane',
      { controlPlane: { localAPIEndpoint: { advertiseAddress, bindPort } } },
      { ...plain, controlPlane },
    ],
  ] as const)
    it(`knows what it is told: ${what}`, () => assert.deepEqual(taskOf(fields), expected));

  it('is refused what is wrong, and knows the server alone where it is told nothing else', () => {
    assert.throws(() => taskOf({ discovery: {} }), /bootstrapToken or file must be set/);
    const { task } = planOf('join', undefined, { ...beside, endpoint: '192.0.2.1:6443' });
    assert.deepEqual(task, { phase: 'join', told: plain });
    assert.deepEqual(planOf('join', undefined, beside).task, { phase: 'join', told: byFile });
  });
});
