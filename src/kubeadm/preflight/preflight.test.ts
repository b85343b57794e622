import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type HostData, simulatedHost, soundHost } from '../../targets/preflight/simulated-host.js';
import { configure } from '../configuration.js';
import { knownMinors, parseRelease } from '../release.js';
import { lineText, type Preflight, type PreflightRun, preflight, type Task } from './preflight.js';
import { repairOf } from './repairs.js';
import { WORKER } from './worker.testing.js';

type Configured = Partial<Parameters<typeof configure>[0]>;

const initOf = (version: string, more: Configured = {}): Task => ({
  phase: 'init',
  configuration: configure({
    release: parseRelease(version),
    nodeName: 'cp-1',
    advertiseAddress: '192.0.2.10',
    ...more,
  }),
});

interface Looked {
  readonly version?: string;
  readonly host?: Partial<HostData>;
  readonly task?: Task;
  readonly more?: Partial<PreflightRun>;
}

function look({ version = '1.36', host = {}, task = initOf(version), more = {} }: Looked = {}): Promise<Preflight> {
  const release = parseRelease(version);
  return preflight({
    host: simulatedHost({ ...soundHost(release), ...host }, release),
    release,
    ignored: [],
    task,
    ...more,
  });
}

const texts = ({ lines }: Preflight): readonly string[] => lines.map(lineText);
/** Without what comes after the name. */
const names = async (looked: Looked): Promise<readonly string[]> =>
  texts(await look(looked)).map((text) => text.replace(/\]: .*$/s, ']'));

const files = (...paths: readonly string[]): Pick<HostData, 'files'> => ({
  files: { ...soundHost(parseRelease('1.36')).files, ...Object.fromEntries(paths.map((path) => [path, 'x'])) },
});
const sysctl = (path: string, text: string): Pick<HostData, 'files'> => ({
  files: { ...soundHost(parseRelease('1.36')).files, [path]: text },
});

const CONTROL_PLANE: Task = {
  phase: 'join',
  told: { ...WORKER.told, controlPlane: { advertiseAddress: '192.0.2.11', bindPort: 6444 } },
};

describe('a sound machine', () => {
  for (const minor of knownMinors())
    for (const [phase, task] of [
      ['init', initOf(`1.${minor}`, { podSubnet: '10.244.0.0/16,fd00::/48' })],
      ['join', WORKER],
    ] as const)
      it(`passes ${phase} of 1.${minor}`, async () =>
        assert.deepEqual(await look({ version: `1.${minor}`, task }), { lines: [], passed: true }));
});

describe('what is wrong, by its name', () => {
  const runtime = { failure: 'rpc error' };
  const cases: readonly (readonly [string, Looked, readonly string[]])[] = [
    [
      'who is not root is told nothing else',
      { host: { privileged: false, processors: 1 } },
      ['[ERROR IsPrivilegedUser]'],
    ],
    ['a small machine', { host: { processors: 1, memory: 1699 } }, ['[ERROR NumCPU]', '[ERROR Mem]']],
    ['a port of the scheduler', { host: { portsInUse: [10_259] } }, ['[ERROR Port-10259]']],
    [
      'a manifest',
      { host: files('/etc/kubernetes/manifests/etcd.yaml') },
      ['[ERROR FileAvailable--etc-kubernetes-manifests-etcd.yaml]'],
    ],
    ['another file of manifests', { host: files('/etc/kubernetes/manifests/x.yaml') }, []],
    ['data of etcd', { host: files('/var/lib/etcd/member/x') }, ['[ERROR DirAvailable--var-lib-etcd]']],
    ['a file in the place of a folder', { host: files('/var/lib/etcd') }, ['[ERROR DirAvailable--var-lib-etcd]']],
    [
      'no forwarding',
      { host: sysctl('/proc/sys/net/ipv4/ip_forward', '0\n') },
      ['[ERROR FileContent--proc-sys-net-ipv4-ip_forward]'],
    ],
    [
      'forwarding that is neither on nor off',
      { host: sysctl('/proc/sys/net/ipv4/ip_forward', '01\n') },
      ['[ERROR FileContent--proc-sys-net-ipv4-ip_forward]'],
    ],
    [
      'no forwarding of IPv6 that nobody uses',
      { host: sysctl('/proc/sys/net/ipv6/conf/default/forwarding', '0\n') },
      [],
    ],
    [
      'no forwarding of IPv6, for a Pod subnet',
      {
        host: sysctl('/proc/sys/net/ipv6/conf/default/forwarding', '0\n'),
        task: initOf('1.36', { podSubnet: 'fd00::/48' }),
      },
      ['[ERROR FileContent--proc-sys-net-ipv6-conf-default-forwarding]'],
    ],
    [
      'bridges in 1.29',
      { version: '1.29', host: sysctl('/proc/sys/net/bridge/bridge-nf-call-iptables', '0') },
      ['[ERROR FileContent--proc-sys-net-bridge-bridge-nf-call-iptables]'],
    ],
    ['bridges in 1.30', { version: '1.30', host: sysctl('/proc/sys/net/bridge/bridge-nf-call-iptables', '0') }, []],
    ['swap', { host: sysctl('/proc/swaps', 'Filename\n/swap file 1 0 -2\n') }, ['[WARNING Swap]']],
    [
      'swap in 1.22',
      { version: '1.22', host: sysctl('/proc/swaps', 'Filename\n/swap file 1 0 -2\n') },
      ['[ERROR Swap]'],
    ],
    ['an old kernel', { host: { kernel: '4.19.0' } }, ['[WARNING SystemVerification]']],
    ['an old kernel in 1.33', { version: '1.33', host: { kernel: '4.18.0' } }, ['[ERROR SystemVerification]']],
    ['control groups of version 1', { host: { cgroups: 1 } }, ['[ERROR SystemVerification]']],
    [
      'control groups of version 1, an older kubelet',
      { host: { cgroups: 1, kubelet: { output: 'Kubernetes v1.34.0' } } },
      ['[WARNING SystemVerification]'],
    ],
    ['control groups of version 1 in 1.31', { version: '1.31', host: { cgroups: 1 } }, []],
    ['no kubelet', { host: { kubelet: { failure: 'x' } } }, ['[ERROR SystemVerification]', '[ERROR KubeletVersion]']],
    ['no kubelet in 1.34', { version: '1.34', host: { kubelet: { failure: 'x' } } }, ['[ERROR KubeletVersion]']],
    [
      'an early kubelet of the oldest minor',
      { host: { kubelet: { output: 'Kubernetes v1.33.0-rc.1' } } },
      ['[ERROR KubeletVersion]'],
    ],
    ['an early patch of the oldest minor', { host: { kubelet: { output: 'Kubernetes v1.33.1-rc.1' } } }, []],
    ['the oldest kubelet', { host: { kubelet: { output: 'Kubernetes v1.33.0' } } }, []],
    ['a runtime that is not there, in 1.36', { host: { runtime } }, ['[ERROR CRI]', '[ERROR ContainerRuntimeVersion]']],
    ['a runtime that is not there, in 1.34', { version: '1.34', host: { runtime } }, ['[ERROR ImagePull]']],
    ['the same at a join', { version: '1.34', host: { runtime }, task: WORKER }, []],
    ['a runtime that is not there, in 1.30', { version: '1.30', host: { runtime } }, ['[ERROR CRI]']],
    [
      'a runtime that is not ready',
      { host: { runtime: { notReady: { reason: 'a', message: 'b' }, configures: true } } },
      ['[ERROR CRI]'],
    ],
    ['an old runtime', { host: { runtime: { configures: false } } }, ['[WARNING ContainerRuntimeVersion]']],
    ['a kubelet without a service', { host: { services: {} } }, ['[WARNING Service-kubelet]']],
    ['the same in 1.34', { version: '1.34', host: { services: {} } }, ['[WARNING Service-Kubelet]']],
    [
      'nobody who starts services',
      { host: { initSystem: undefined } },
      ['[WARNING Firewalld]', '[WARNING Service-kubelet]'],
    ],
    [
      'a newer cluster',
      {
        task: {
          phase: 'init',
          configuration: configure({
            release: { text: 'v1.37.0', minor: 37, patch: 0 },
            nodeName: 'a',
            advertiseAddress: '192.0.2.10',
          }),
        },
      },
      ['[WARNING KubernetesVersion]'],
    ],
    ['ebtables in 1.31.1', { version: '1.31.1', host: { lacks: ['ebtables'] } }, ['[WARNING FileExisting-ebtables]']],
    ['ebtables in 1.31.2', { version: '1.31.2', host: { lacks: ['ebtables'] } }, []],
    [
      'conntrack for a cluster of 1.31',
      { host: { lacks: ['conntrack'], kubelet: { output: 'Kubernetes v1.33.0' } }, task: initOf('1.33') },
      [],
    ],
    ['conntrack at a join', { host: { lacks: ['conntrack'] }, task: WORKER }, []],
    [
      'Docker',
      {
        version: '1.23',
        host: { docker: { failure: 'x' }, services: { kubelet: { enabled: true } } },
        task: initOf('1.23', { criSocket: 'unix:///var/run/dockershim.sock' }),
      },
      ['[WARNING Service-Docker]', '[ERROR CRI]', '[ERROR SystemVerification]'],
    ],
    [
      'a later Docker',
      {
        version: '1.23',
        host: { docker: { version: '27.1.0' } },
        task: initOf('1.23', { criSocket: 'unix:///var/run/dockershim.sock' }),
      },
      ['[WARNING SystemVerification]'],
    ],
    [
      'what a join has left',
      { host: files('/etc/kubernetes/kubelet.conf', '/etc/kubernetes/pki/ca.crt'), task: WORKER },
      ['[ERROR FileAvailable--etc-kubernetes-kubelet.conf]', '[ERROR FileAvailable--etc-kubernetes-pki-ca.crt]'],
    ],
    [
      'a worker with a file among the manifests',
      { host: files('/etc/kubernetes/manifests/kube-apiserver.yaml'), task: WORKER },
      [],
    ],
    [
      'the port of a control plane that joins',
      { host: { portsInUse: [6444] }, task: CONTROL_PLANE },
      [
        '[ERROR Port-6444]',
        '[UNKNOWN KubernetesVersion]',
        '[UNKNOWN HTTPProxyCIDR]',
        '[UNKNOWN ExternalEtcdClientCertificates]',
      ],
    ],
    ['Windows', { host: { os: 'windows', files: {}, kernel: 'x' }, task: WORKER }, []],
  ];
  for (const [what, looked, expected] of cases) it(what, async () => assert.deepEqual(await names(looked), expected));

  it('conntrack is looked for where the cluster is older than 1.32', async () => {
    const task = initOf('1.31');
    assert.deepEqual(
      await names({ version: '1.32', host: { lacks: ['conntrack'], kubelet: { output: 'Kubernetes v1.31.0' } }, task }),
      ['[ERROR FileExisting-conntrack]'],
    );
  });
});

describe('an etcd that kubeadm does not run', () => {
  const externalEtcd = { endpoints: ['https://etcd.example:2379'], caFile: '/pki/ca.crt', certFile: '', keyFile: '' };
  const task = initOf('1.36', { externalEtcd });
  it('has its files', async () =>
    assert.deepEqual(await names({ task }), ['[ERROR ExternalEtcdVersion]', '[ERROR ExternalEtcdClientCertificates]']));
  it('and no port or folder here', async () =>
    assert.deepEqual(
      await names({ task, host: { ...files('/pki/ca.crt', '/var/lib/etcd/x'), portsInUse: [2379] } }),
      [],
    ));
  for (const [version, isFine] of [
    ['3.5.23', false],
    ['3.5.24', true],
    ['3.10.0', true],
    ['nonsense', false],
  ] as const)
    it(`${version} is ${isFine ? 'new' : 'no'} enough`, async () =>
      assert.equal((await names({ task, host: { ...files('/pki/ca.crt'), etcd: { version } } })).length === 0, isFine));
});

describe('names that are ignored', () => {
  const host = { ...sysctl('/proc/sys/net/ipv4/ip_forward', '0'), processors: 1 };
  it('make warnings of errors, in any case', async () => {
    const { lines, passed } = await look({
      host,
      more: { ignored: ['numcpu', 'FILECONTENT--proc-sys-net-ipv4-ip_forward'] },
    });
    assert.equal(passed, true);
    assert.deepEqual(
      lines.map(({ level }) => level),
      ['warning', 'warning'],
    );
  });
  it('are those that are given', async () =>
    assert.deepEqual((await look({ host, more: { ignored: ['NumCPU', 'nonsense'] } })).passed, false));
  it('may be all, and none beside', async () => {
    assert.equal((await look({ host, more: { ignored: ['all'] } })).passed, true);
    const { refused } = await look({ host, more: { ignored: ['all', 'Swap'] } });
    assert.match(refused ?? '', /"all,swap": don't specify individual checks if 'all' is used$/);
  });
});

describe('what could not be found out', () => {
  it('is no error', async () => {
    const release = parseRelease('1.36');
    const sound = simulatedHost(soundHost(release), release);
    const host = { ...sound, isPortFree: async () => ({ unknown: 'nobody knows' }) };
    const { lines, passed } = await look({ more: { host } });
    assert.equal(passed, true);
    assert.deepEqual(lines[0], { check: 'Port-6443', level: 'unknown', message: 'nobody knows' });
  });
});

describe('a repair', () => {
  it('is known for each finding', async () => {
    const host: Partial<HostData> = {
      ...files('/etc/kubernetes/manifests/etcd.yaml', '/var/lib/etcd/x'),
      ...{
        lacks: ['mount'],
        processors: 1,
        memory: 1,
        cgroups: 1,
        portsInUse: [6443, 2379],
        nameless: 'x',
        services: {},
      },
      environment: { HTTPS_PROXY: 'proxy:1' },
      runtime: { failure: 'x' },
    };
    const { lines } = await look({ host });
    assert.ok(lines.length > 12);
    for (const line of lines) assert.match(repairOf(line) ?? '', /^[A-Z].*\.$/, lineText(line));
    assert.equal(repairOf({ check: 'Mem', level: 'unknown', message: '' }), undefined);
  });
});
