import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { saidBy } from '../common/judged.testing.js';
import { startedBy } from './kubelet-started.js';
import { flagsKnown, flagsRead, kubeletFlagsKnown, kubeletFlagsRead } from './node-known-flags.js';
import { pod } from './node-seen.testing.js';

type Flags = Readonly<Record<string, string>>;
const kubelet = (flags: Flags, gates: readonly string[] = []) => ({ ...startedBy({}), flags, gates });

describe('flags of a manifest', () => {
  const known = (component: string, flags: Flags, minor: number | null = 36): string =>
    saidBy(flagsKnown, [pod(component, flags)], { minor }).join();
  it('are known to its program', () => {
    assert.equal(known('kube-apiserver', { 'secure-port': '1', secure_port: '1' }), 'met: it does');
    for (const component of ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'etcd'])
      assert.equal(known(component, { 'no-such': '1' }), 'unmet: --no-such', component);
    assert.equal(
      known('kube-apiserver', { b1: '', b2: '', b3: '', b4: '', b5: '', b6: '' }),
      'unmet: --b1, --b2, --b3, --b4, --b5',
    );
    for (const component of ['my-etcd', 'etcd-own', 'Etcd', 'kube-vip'])
      assert.equal(known(component, { 'no-such': '1' }), '', component);
    assert.equal(known('kube-apiserver', { 'no-such': '1' }, 20), '');
    assert.equal(known('etcd', { 'experimental-own': '1' }), 'met: it does');
    assert.equal(known('Etcd', { 'experimental-own': '1' }), '');
    assert.equal(known('etcd', { 'own-experimental-a': '1' }), 'unmet: --own-experimental-a');
    assert.equal(known('kube-apiserver', { 'experimental-own': '1' }), 'unmet: --experimental-own');
  });
  it('name feature gates that there are', () => {
    const gates = (told: string, component = 'kube-apiserver'): string => known(component, { 'feature-gates': told });
    assert.equal(gates('AllAlpha=true, AllBeta=false,kube:AllAlpha=true'), 'met: it does');
    assert.equal(gates('NoSuch=true'), 'unmet: the feature gate NoSuch');
    assert.equal(gates('AllAlpha=true,NoSuch=true'), 'unmet: the feature gate NoSuch');
    assert.equal(gates(''), 'met: it does');
    assert.equal(gates('InitialCorruptCheck=true', 'etcd'), 'met: it does');
    const nodes = 'AuthorizeNodeWithSelectors';
    assert.equal(gates(`${nodes}=false`), `unmet: the feature gate ${nodes}, which is on for good`);
    assert.equal(gates(`${nodes}=true`), 'met: it does');
    const of33 = { 'feature-gates': `${nodes}=false` };
    assert.equal(known('kube-apiserver', of33, 33), 'met: it does');
    assert.equal(
      gates('GitRepoVolumeDriver=true'),
      'unmet: the feature gate GitRepoVolumeDriver, which is off for good',
    );
    assert.equal(gates('kube:KMSv2=true'), 'unmet: the feature gate KMSv2, which 1.36 has no more');
    assert.equal(known('kube-apiserver', { 'feature-gates': 'KMSv2=true' }, 31), 'met: it does');
  });
  it('are those of the etcd that its image says', () => {
    const of = (tag: string, flags: Flags): string =>
      saidBy(flagsKnown, [pod('etcd', flags, { containers: [{ image: `registry.k8s.io/etcd:${tag}` }] })], {
        minor: 36,
      }).join();
    const tried = { 'experimental-initial-corrupt-check': 'true' };
    assert.equal(of('3.5.24-0', tried), 'met: it does');
    assert.equal(of('3.6.8-0', tried), 'met: it does');
    assert.equal(of('v3.7.1', tried), 'unmet: --experimental-initial-corrupt-check');
    assert.equal(of('3.6.8-0', { 'initial-corrupt-check': 'true' }), 'unmet: --initial-corrupt-check');
    assert.equal(of('3.6.8-0', { 'experimental-own': '1' }), 'unmet: --experimental-own');
    assert.equal(of('3.5.24-0', { 'experimental-own': '1', proxy: 'off', 'enable-v2': 'false' }), 'met: it does');
    assert.equal(of('3.6.8-0', { 'enable-v2': 'false' }), 'unmet: --enable-v2');
    assert.equal(of('3.5.24-0', { 'feature-gates': 'InitialCorruptCheck=true' }), 'unmet: --feature-gates');
    assert.equal(of('3.6.8-0', { 'feature-gates': 'NoSuch=true' }), 'unmet: the feature gate NoSuch');
    assert.equal(of('3.8.0', { 'no-such': '1' }), '');
    assert.equal(of('3.4.13-0', { 'no-such': '1' }), '');
    assert.equal(of('latest', { 'enable-v2': 'false', ...tried }), 'met: it does');
  });
  it('can be read', () => {
    assert.deepEqual(
      saidBy(flagsRead, [pod('kube-apiserver', {}), pod('kube-apiserver', { 'secure-port': 'x' })], undefined),
      ['met: it can', 'unmet: --secure-port=x'],
    );
  });
});

describe('flags of a kubelet', () => {
  const read = (flags: Flags): string => saidBy(kubeletFlagsRead, kubelet(flags), undefined).join();
  it('name labels that it may give its node', () => {
    for (const label of [
      ...['a=b', 'example.com/a=b', 'kubernetes.io/hostname=a', 'kubernetes.io/os=linux', 'beta.kubernetes.io/arch=a'],
      ...['node.kubernetes.io/instance-type=a', 'topology.kubernetes.io/zone=a', 'topology.kubernetes.io/region=a'],
      ...[
        'failure-domain.beta.kubernetes.io/region=a',
        'failure-domain.kubernetes.io/zone=a',
        'kubelet.kubernetes.io/a=b',
      ],
      ...[
        'a.node.kubernetes.io/b=c',
        'mykubernetes.io/a=b',
        'kubernetes.io.example/a=b',
        'kubernetes.io=a',
        '',
        'a=b, c=d',
      ],
    ])
      assert.equal(read({ 'node-labels': label }), 'met: it can', label);
    for (const name of [
      'kubernetes.io/role',
      'node-role.kubernetes.io/master',
      'k8s.io/a',
      'a.k8s.io/b',
      'nodes.kubernetes.io/a',
      'node.kubernetes.io.k8s.io/a',
    ])
      assert.equal(read({ 'node-labels': `a=b, ${name}=c` }), `unmet: the label ${name}`, name);
    assert.equal(
      read({ 'node-labels': `kubernetes.io/${'a'.repeat(90)}=` }),
      `unmet: the label kubernetes.io/${'a'.repeat(46)}`,
    );
  });
  it('name taints that there are', () => {
    for (const taint of ['a=b:NoSchedule', 'a:NoExecute', 'a=:PreferNoSchedule', '', 'a=b:NoSchedule,c:NoExecute'])
      assert.equal(read({ 'register-with-taints': taint }), 'met: it can', taint);
    for (const taint of ['a', 'a=b', 'a=b:No', 'a=b:NoScheduled', ':NoSchedule', 'a=b=c:NoSchedule', 'xa b:NoSchedule'])
      assert.equal(read({ 'register-with-taints': `a:NoExecute,${taint}` }), `unmet: the taint ${taint}`, taint);
    assert.equal(read({ 'register-with-taints': 'a'.repeat(90) }), `unmet: the taint ${'a'.repeat(60)}`);
  });
  it('are values of settings, too', () => {
    assert.equal(read({ 'max-pods': '110' }), 'met: it can');
    assert.equal(read({ 'image-gc-high-threshold': '101' }), 'unmet: imageGCHighThresholdPercent');
    assert.equal(read({ 'max-pods': '-1' }), 'unmet: --max-pods=-1');
    assert.match(read({ 'max-pods': 'x' }), /^unmet: --max-pods=x$/);
    assert.match(read({ 'max-pods': 'x', 'kube-api-qps': '-1' }), /^unmet: --max-pods=x, .*kubeAPIQPS/);
  });
  it('are known to it, or to that of the minor before', () => {
    const known = (flags: Flags, gates: readonly string[] = [], minor: number | null = 36): string =>
      saidBy(kubeletFlagsKnown, kubelet(flags, gates), { minor }).join();
    assert.equal(known({ config: '/a' }), 'met: it does');
    assert.equal(known({ 'no-such': '' }), 'unmet: --no-such');
    assert.equal(known({ 'feature-gates': 'NoSuch=true' }), 'unmet: the feature gate NoSuch');
    assert.equal(known({}, ['AllAlpha']), 'met: it does');
    assert.equal(known({}, ['AllAlpha', 'NoSuch']), 'unmet: the feature gate NoSuch');
    assert.equal(known({ 'no-such': '' }, [], null), '');
    const recent = (flags: Flags, ...gates: readonly string[]): string =>
      saidBy(kubeletFlagsKnown, kubelet(flags, gates), { minor: null, isRecent: true }).join();
    assert.equal(recent({ config: '/a' }, 'AllAlpha=true', 'KubeletPSI=false'), 'met: it does');
    assert.equal(recent({ 'network-plugin': 'cni' }), 'unmet: --network-plugin');
    assert.equal(recent({}, 'NoSuch=true'), 'unmet: the feature gate NoSuch');
    // while a control plane is upgraded its kubelet is of the minor before
    assert.equal(known({}, ['KubeletTracing=false']), 'unmet: the feature gate KubeletTracing, which is on for good');
    assert.equal(known({}, ['KubeletPSI=false']), 'met: it does');
  });
});
