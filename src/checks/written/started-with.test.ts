import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commandLines } from './control-plane-flags.js';
import { startedWith } from './started-with.js';

interface Written {
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly object[];
  readonly metadata?: object;
  readonly status?: object;
  readonly nodeName?: string;
}
const pod = ({ command = ['kube-apiserver'], args, env, metadata = {}, status, nodeName }: Written) => ({
  metadata,
  spec: { nodeName, containers: [{ command, args, env }, { command: ['beside'] }] },
  ...(status === undefined ? {} : { status }),
});
const words = (written: Written): readonly string[] => startedWith(pod(written)).words;
const field = (name: string, fieldPath: string) => ({ name, valueFrom: { fieldRef: { fieldPath } } });
const ADDRESSED = 'kubeadm.kubernetes.io/kube-apiserver.advertise-address.endpoint';

describe('what a container is started with', () => {
  it('has the variables of its environment in it', () => {
    const env = [
      { name: 'MODE', value: 'Node' },
      { name: 'BOTH', value: '$(MODE),RBAC' },
      { name: 'EARLY', value: '$(LATE)' },
      { name: 'LATE', value: 'x' },
      { name: 'NONE' },
    ];
    for (const [word, wanted] of [
      ['--a=$(MODE)', '--a=Node'],
      ['$(BOTH)$(MODE)', 'Node,RBACNode'],
      ['$(EARLY)', '$(LATE)'],
      ['--a=$(NONE).', '--a=.'],
      ['$(mode)', '$(mode)'],
      ['$MODE', '$MODE'],
      ['$$(MODE)', '$(MODE)'],
      ['$$$(MODE)', '$Node'],
      ['$(MODE', '$(MODE'],
      ['$()', '$()'],
      ['$(toString)', '$(toString)'],
    ] as const) {
      assert.deepEqual(words({ command: ['x'], args: [word], env }), ['x', wanted], word);
      assert.deepEqual(words({ command: [word], env }), [wanted], word);
    }
  });

  it('has what its Pod says of itself in it, where that is known', () => {
    const metadata = { name: 'p', namespace: 'n' };
    const status = { hostIP: '10.0.0.1', podIP: '10.0.0.2' };
    const told = (path: string, more: Written = {}): string =>
      words({ command: ['$(A)'], env: [field('A', path)], metadata, ...more }).join();
    assert.equal(told('metadata.name'), 'p');
    assert.equal(told('metadata.namespace'), 'n');
    assert.equal(told('spec.nodeName', { nodeName: 'cp' }), 'cp');
    assert.equal(told('status.hostIP', { status }), '10.0.0.1');
    assert.equal(told('status.podIP', { status }), '10.0.0.2');
    for (const unknown of ['spec.nodeName', 'status.hostIP', 'status.podIP', 'metadata.uid', 'toString', 'constructor'])
      assert.equal(told(unknown), '$(A)', unknown);
    // nobody has reported on it yet
    const noted = (endpoint: string) => ({ metadata: { ...metadata, annotations: { [ADDRESSED]: endpoint } } });
    for (const path of ['status.hostIP', 'status.podIP']) {
      assert.equal(told(path, noted('10.0.0.3:6443')), '10.0.0.3');
      assert.equal(told(path, noted('[fd00::3]:6443')), 'fd00::3');
      assert.equal(
        told(path, { ...noted('10.0.0.3:6443'), status: { hostIP: '10.0.0.9', podIP: '10.0.0.9' } }),
        '10.0.0.9',
      );
      for (const odd of ['', 'cp1:6443', '10.0.0.3']) assert.equal(told(path, noted(odd)), '$(A)', odd);
    }
    const secret = { name: 'A', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } };
    assert.deepEqual(words({ command: ['$(A)'], env: [secret] }), ['$(A)'], 'nobody knows it here');
  });

  it('is of the first container alone', () => {
    assert.deepEqual(words({}), ['kube-apiserver']);
    assert.deepEqual(startedWith({ metadata: {} }), { words: [], told: [] });
  });
});

describe('what etcd reads from its environment', () => {
  const env = [
    { name: 'ETCD_CLIENT_CERT_AUTH', value: 'true' },
    { name: 'ETCD_DATA_DIR', value: '/var/$(NAME)' },
    { name: 'NAME', value: 'x' },
    { name: 'etcd_name', value: 'x' },
    { name: 'ETCD_', value: 'x' },
    { name: 'XETCD_NAME', value: 'x' },
  ];
  const told = (...command: readonly string[]) => startedWith(pod({ command, env })).told;
  const flags = (...command: readonly string[]) =>
    Object.fromEntries(commandLines([pod({ command, env })])[0]?.flags ?? []);

  it('is told of it, and of nobody else', () => {
    const both = [
      ['client-cert-auth', 'true'],
      ['data-dir', '/var/$(NAME)'],
    ];
    for (const program of ['etcd', '/usr/local/bin/etcd']) assert.deepEqual(told(program), both, program);
    for (const program of ['kube-apiserver', 'etcdctl', 'netcd', '/etcd/x'])
      assert.deepEqual(told(program), [], program);
  });

  it('gives way to its flags', () => {
    assert.deepEqual(flags('etcd'), { 'client-cert-auth': 'true', 'data-dir': '/var/$(NAME)' });
    assert.deepEqual(flags('etcd', '--client-cert-auth=false', '--name=a'), {
      'client-cert-auth': 'false',
      'data-dir': '/var/$(NAME)',
      name: 'a',
    });
    assert.deepEqual(commandLines([pod({ command: ['etcd'] })]), []);
  });
});
