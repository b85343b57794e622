import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { configurationOfFlags, readConfiguration, readDuration } from './configuration.js';
import { joiningDecisions } from './decisions/index.js';
import { JoinFailed } from './failures.js';

const V4 = 'apiVersion: kubeadm.k8s.io/v1beta4\nkind: JoinConfiguration\n';
const V3 = V4.replace('v1beta4', 'v1beta3');
const read = (text: string, head = V4) => readConfiguration(`${head}${text}`, joiningDecisions);
const USUAL = {
  discovery: joiningDecisions.discoveryTimeout(),
  tlsBootstrap: joiningDecisions.bootstrapTimeout(),
  kubeletHealthCheck: joiningDecisions.healthTimeout(),
  controlPlaneComponentHealthCheck: joiningDecisions.controlPlaneTimeout(),
  kubernetesAPICall: joiningDecisions.apiCallTimeout(),
};
const SOCKET = 'unix:///var/run/containerd/containerd.sock';

describe('a JoinConfiguration', () => {
  it('says nothing but defaults where it says nothing', () => {
    assert.deepEqual(read(''), {
      discovery: { tlsBootstrapToken: '' },
      nodeRegistration: { name: '', criSocket: SOCKET, kubeletExtraArgs: [] },
      caCertPath: '/etc/kubernetes/pki/ca.crt',
      timeouts: USUAL,
    });
  });

  it('is read with all that it says', () => {
    const whole = `
discovery:
  bootstrapToken:
    token: abcdef.0123456789abcdef
    apiServerEndpoint: a.example:6443
    caCertHashes: [sha256:aa, sha256:bb]
    unsafeSkipCAVerification: true
  tlsBootstrapToken: other1.0123456789abcdef
controlPlane:
  localAPIEndpoint: {advertiseAddress: 192.0.2.1, bindPort: 7443}
  certificateKey: cafe
nodeRegistration:
  name: w-1
  criSocket: unix:///run/crio.sock
  taints: [{key: a, value: b, effect: NoSchedule}, {key: c, effect: NoExecute}]
  kubeletExtraArgs: [{name: v, value: "2"}, {name: v, value: "3"}]
  ignorePreflightErrors: [Swap]
caCertPath: /etc/own/ca.crt
timeouts:
  discovery: 1m
  tlsBootstrap: 2m
  kubeletHealthCheck: 3m
  controlPlaneComponentHealthCheck: 4m
  kubernetesAPICall: 5m
patches: {directory: /patches}
dryRun: true
`;
    assert.deepEqual(read(whole), {
      discovery: {
        bootstrapToken: {
          token: 'abcdef.0123456789abcdef',
          apiServerEndpoint: 'a.example:6443',
          caCertHashes: ['sha256:aa', 'sha256:bb'],
          unsafeSkipCAVerification: true,
        },
        tlsBootstrapToken: 'other1.0123456789abcdef',
      },
      controlPlane: { advertiseAddress: '192.0.2.1', bindPort: 7443, certificateKey: 'cafe' },
      nodeRegistration: {
        name: 'w-1',
        criSocket: 'unix:///run/crio.sock',
        taints: [
          { key: 'a', value: 'b', effect: 'NoSchedule' },
          { key: 'c', effect: 'NoExecute' },
        ],
        kubeletExtraArgs: [
          ['v', '2'],
          ['v', '3'],
        ],
        ignorePreflightErrors: ['Swap'],
      },
      caCertPath: '/etc/own/ca.crt',
      timeouts: {
        discovery: 60_000,
        tlsBootstrap: 120_000,
        kubeletHealthCheck: 180_000,
        controlPlaneComponentHealthCheck: 240_000,
        kubernetesAPICall: 300_000,
      },
      patches: '/patches',
      dryRun: true,
    });
  });

  it('gives one token for both, where it has one of them', () => {
    const { discovery } = read('discovery: {bootstrapToken: {token: a.b}}');
    assert.deepEqual([discovery.bootstrapToken?.token, discovery.tlsBootstrapToken], ['a.b', 'a.b']);
    const other = read('discovery: {bootstrapToken: {apiServerEndpoint: a:1}, tlsBootstrapToken: c.d}').discovery;
    assert.deepEqual([other.bootstrapToken?.token, other.tlsBootstrapToken], ['c.d', 'c.d']);
    assert.equal(other.bootstrapToken?.unsafeSkipCAVerification, false);
    const file = read('discovery: {file: {kubeConfigPath: /a.conf}, tlsBootstrapToken: c.d}').discovery;
    assert.deepEqual(file, { file: { kubeConfigPath: '/a.conf' }, tlsBootstrapToken: 'c.d' });
  });

  it('listens at 6443 on a control plane, where it says no port, and dry runs nothing unsaid', () => {
    assert.deepEqual(read('controlPlane: {}\ndryRun: false').controlPlane, {
      advertiseAddress: '',
      bindPort: 6443,
      certificateKey: '',
    });
    for (const text of ['controlPlane: null', 'dryRun: false', 'dryRun: "true"'])
      assert.deepEqual(Object.keys(read(text)), Object.keys(read('')), text);
  });

  it('keeps no taints apart from those that are none, and those that nobody chose', () => {
    assert.deepEqual(read('nodeRegistration: {taints: []}').nodeRegistration.taints, []);
    assert.equal(read('nodeRegistration: {taints: null}').nodeRegistration.taints, undefined);
  });

  it('has its timeout among those of discovery, and arguments as a map, before v1beta4', () => {
    const older = read('discovery: {timeout: 7m}\ntimeouts: {discovery: 9m}', V3);
    assert.equal(older.timeouts.discovery, 420_000);
    assert.equal(read('discovery: {timeout: 7m}\ntimeouts: {discovery: 9m}').timeouts.discovery, 540_000);
    const { kubeletExtraArgs } = read('nodeRegistration: {kubeletExtraArgs: {v: "2", a: b}}', V3).nodeRegistration;
    assert.deepEqual(kubeletExtraArgs, [
      ['v', '2'],
      ['a', 'b'],
    ]);
  });

  it('stands among other documents', () => {
    const cluster = 'apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\ncaCertPath: /no\n---\n';
    assert.equal(read('caCertPath: /yes', `${cluster}${V4}`).caCertPath, '/yes');
  });

  it('is refused where it is none, of another version, no YAML, or has a time that is none', () => {
    const why = (text: string, head = ''): string => {
      try {
        read(text, head);
        return 'read';
      } catch (error) {
        assert.ok(error instanceof JoinFailed, String(error));
        return error.message;
      }
    };
    assert.match(why('kind: ClusterConfiguration'), /^no JoinConfiguration was found/);
    assert.match(why('kind: JoinConfiguration\napiVersion: kubeadm.k8s.io/v1beta2'), /is of "kubeadm.k8s.io\/v1beta2"/);
    assert.match(why('kind: JoinConfiguration'), /is of "", which is not read\. Give one of .*v1beta4 or .*v1beta3\.$/);
    assert.match(why('a: [1'), /^yaml: /);
    assert.match(why('['.repeat(2_000)), /^yaml: it is nested too deeply to be read$/);
    assert.match(why('timeouts: {discovery: 5}', V4), /^time: invalid duration/);
    assert.match(why('timeouts: {kubernetesAPICall: soon}', V4), /^time: invalid duration "soon"\. Give for example/);
    assert.equal(readDuration('1m30s'), 90_000);
    const more = Array.from({ length: 9 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at}, `.repeat(9)}*a${at}]\n`);
    assert.throws(() => read(`a0: &a0 [x]\n${more.join('')}`), /[Aa]lias/);
  });
});

describe('the flags of kubeadm join', () => {
  const of = (flags: object) => configurationOfFlags({ caCertHashes: [], ...flags }, joiningDecisions);

  it('mean defaults where they say nothing', () => {
    assert.deepEqual(of({}), read(''));
  });

  it('mean what they say', () => {
    assert.deepEqual(
      of({
        endpoint: 'a:1',
        token: 'a.b',
        caCertHashes: ['x,y', 'z'],
        unsafeSkipCAVerification: true,
        discoveryFile: '/f',
        nodeName: 'n',
        criSocket: 's',
        controlPlane: true,
        certificateKey: 'k',
        advertiseAddress: '192.0.2.1',
        bindPort: 7,
      }),
      {
        discovery: {
          bootstrapToken: {
            token: 'a.b',
            apiServerEndpoint: 'a:1',
            caCertHashes: ['x', 'y', 'z'],
            unsafeSkipCAVerification: true,
          },
          file: { kubeConfigPath: '/f' },
          tlsBootstrapToken: 'a.b',
        },
        controlPlane: { advertiseAddress: '192.0.2.1', bindPort: 7, certificateKey: 'k' },
        nodeRegistration: { name: 'n', criSocket: 's', kubeletExtraArgs: [] },
        caCertPath: '/etc/kubernetes/pki/ca.crt',
        timeouts: USUAL,
      },
    );
    assert.deepEqual(of({ controlPlane: true }).controlPlane, {
      advertiseAddress: '',
      bindPort: 6443,
      certificateKey: '',
    });
    assert.equal(of({ controlPlane: false, certificateKey: 'k' }).controlPlane, undefined);
  });

  it('give each token its own place, and --token that of what is not given', () => {
    const tokens = (flags: object) => {
      const { bootstrapToken, tlsBootstrapToken } = of(flags).discovery;
      return [bootstrapToken?.token, tlsBootstrapToken, bootstrapToken?.unsafeSkipCAVerification];
    };
    const endpoint = 'a:1';
    assert.deepEqual(tokens({ endpoint, discoveryToken: 'd', tlsBootstrapToken: 't' }), ['d', 't', false]);
    assert.deepEqual(tokens({ endpoint, discoveryToken: 'd', token: 'o' }), ['d', 'o', false]);
    assert.deepEqual(tokens({ endpoint, tlsBootstrapToken: 't', token: 'o' }), ['o', 't', false]);
    assert.deepEqual(tokens({ endpoint, discoveryToken: 'd' }), ['d', 'd', false]);
    assert.deepEqual(tokens({ endpoint, discoveryToken: 'd', tlsBootstrapToken: '' }), ['d', 'd', false]);
    assert.deepEqual(tokens({ discoveryFile: '/f', discoveryToken: 'd' }), [undefined, '', undefined]);
  });
});
