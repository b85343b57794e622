/**
 * What each check says of a machine that differs in one thing, release by release, and what is to be done about it:
 * src/kubeadm/recorded/hosts.txt. `node dist/src/kubeadm/preflight/odd-hosts.test.js --write` writes it anew.
 */
import { testRecorded } from '../../report/recorded.testing.js';
import { packageFile } from '../../run/package-root.js';
import { type HostData, simulatedHost, soundHost } from '../../targets/preflight/simulated-host.js';
import { configure } from '../configuration.js';
import { knownMinors, parseRelease } from '../release.js';
import { lineText, preflight, type Task } from './preflight.js';
import { repairOf } from './repairs.js';
import { WORKER } from './worker.testing.js';

const OPTIONS =
  'NAMESPACES NET_NS PID_NS IPC_NS UTS_NS CGROUPS CGROUP_BPF CGROUP_CPUACCT CGROUP_DEVICE CGROUP_FREEZER CGROUP_PIDS ' +
  'CGROUP_SCHED CGROUP_HUGETLB CPUSETS MEMCG INET EXT4_FS PROC_FS NETFILTER_XT_TARGET_REDIRECT ' +
  'NETFILTER_XT_MATCH_COMMENT FAIR_GROUP_SCHED OVERLAY_FS AUFS_FS BLK_DEV_DM CFS_BANDWIDTH SECCOMP SECCOMP_FILTER';
const GROUPS = 'cpu cpuacct cpuset devices freezer memory pids hugetlb blkio io';
const noWords = { unknown: 'it cannot be seen' } as const;

/** What is not as in a sound one, by a name. */
const DIFFERENT: Readonly<Record<string, (sound: HostData) => Partial<HostData>>> = {
  ...Object.fromEntries(
    ([1, 2] as const).flatMap((cgroups) => [
      ...OPTIONS.split(' ').map((option) => [
        `without ${option}, ${cgroups}`,
        () => ({ cgroups, kernelLacks: [option] }),
      ]),
      ...GROUPS.split(' ').map((group) => [`without ${group}, ${cgroups}`, () => ({ cgroups, cgroupsLack: [group] })]),
      [`without a configuration, ${cgroups}`, () => ({ cgroups, kernelLacks: undefined })],
      [`without all groups, ${cgroups}`, () => ({ cgroups, cgroupsLack: GROUPS.split(' ') })],
    ]),
  ),
  'no init system': () => ({ initSystem: undefined }),
  openrc: () => ({ initSystem: 'openrc' }),
  'openrc, no kubelet': () => ({ initSystem: 'openrc', services: {} }),
  'no kubelet': () => ({ kubelet: { failure: 'exec: "kubelet": executable file not found in $PATH' } }),
  ...Object.fromEntries(
    [
      'Kubernetes v1.36',
      'Kubernetes',
      '',
      'v1.36.1',
      'Kubernetes v1.36.1-rc.0',
      'Kubernetes v1.20.0',
      'Kubernetes v2.0.0',
    ].map((output) => [`a kubelet that says ${output}`, () => ({ kubelet: { output } })]),
  ),
  ...Object.fromEntries(
    ['2.6.32', '3.9.1', '3.10.0', '4.18.0-553', '4.19.1', '5.3.0', '6.12.0+', '7.1.0', '10.1', ''].map((kernel) => [
      `kernel ${kernel}`,
      () => ({ kernel }),
    ]),
  ),
  ...Object.fromEntries(
    ['1.13.1', '17.03.2', '18.09.9', '19.03.5', '20.10.7', '20.11.0', '24.0.1', '2.1.0', ''].map((version) => [
      `Docker ${version}`,
      () => ({ docker: { version } }),
    ]),
  ),
  'a runtime that does not answer': () => ({ runtime: { failure: 'rpc error' } }),
  'a runtime that is not ready': () => ({ runtime: { notReady: { reason: 'A', message: 'b' }, configures: true } }),
  'a runtime that does not configure': () => ({ runtime: { configures: false } }),
  ...Object.fromEntries(
    [6443, 10_250, 10_259, 10_257, 2379, 2380, 10_251].map((port) => [`port ${port}`, () => ({ portsInUse: [port] })]),
  ),
  ...Object.fromEntries(
    [
      'conntrack',
      'crictl',
      'ip',
      'iptables',
      'mount',
      'nsenter',
      'ebtables',
      'ethtool',
      'socat',
      'tc',
      'touch',
      'cp',
    ].map((name) => [`no ${name}`, () => ({ lacks: [name] })]),
  ),
  'a name without an address': () => ({ nameless: 'lookup on 127.0.0.53:53: no such host' }),
  'not root': () => ({ privileged: false }),
  ...Object.fromEntries(
    [
      '/var/lib/etcd/a',
      '/etc/kubernetes/manifests/etcd.yaml',
      '/etc/kubernetes/kubelet.conf',
      '/etc/kubernetes/pki/ca.crt',
    ].map((path) => [`${path} is there`, ({ files }: HostData) => ({ files: { ...files, [path]: 'x' } })]),
  ),
  'no docker': () => ({ docker: { failure: 'no such file' } }),
  ...Object.fromEntries(
    [0, 1, 2, 3].map((processors) => [`${processors} processors`, () => ({ processors })] as const),
  ),
  ...Object.fromEntries([0, 1699, 1700, 1701].map((memory) => [`${memory} MiB`, () => ({ memory })] as const)),
  'no mounts': ({ files }) => ({ files: { ...files, '/proc/mounts': '' } }),
  'mounts of both': ({ files }) => ({
    files: {
      ...files,
      '/proc/mounts': 'a /sys/fs/cgroup/unified cgroup2 rw 0 0\nb /sys/fs/cgroup/cpu cgroup rw,cpu 0 0\n',
    },
  }),
  'no swaps': ({ files }) => ({
    files: Object.fromEntries(Object.entries(files).filter(([path]) => path !== '/proc/swaps')),
  }),
  ...Object.fromEntries(
    ['', '1', ' 1 ', '1\n\n', '0', '2', '11', '\n1'].map((text) => [
      `forwards ${JSON.stringify(text)}`,
      ({ files }: HostData) => ({ files: { ...files, '/proc/sys/net/ipv4/ip_forward': text } }),
    ]),
  ),
  ...Object.fromEntries(
    [
      'http://u:p@192.0.2.3:3128',
      'socks5://192.0.2.3',
      '192.0.2.3:3128',
      'u@192.0.2.3',
      'http://192.0.2.3/a@b',
      'HTTP://U@192.0.2.3',
    ].flatMap((proxy) =>
      ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'ALL_PROXY'].map((name) => [
        `${name}=${proxy}`,
        () => ({ environment: { [name]: proxy } }),
      ]),
    ),
  ),
  ...Object.fromEntries(
    [
      '*',
      '192.0.2.10',
      '192.0.2.0/24,10.96.0.0/12',
      '10.96.0.0/12',
      '10.0.0.0/8',
      '10.96.0.0/16',
      '10.96.0.1',
      'cp-1',
      '.svc',
      ' 192.0.2.10 , 10.96.0.0/12 ',
    ].flatMap((but) => [
      [`NO_PROXY=${but}`, () => ({ environment: { HTTPS_PROXY: 'http://192.0.2.3', NO_PROXY: but } })],
      [`no_proxy=${but}`, () => ({ environment: { https_proxy: 'http://192.0.2.3', no_proxy: but } })],
    ]),
  ),
};

const init = (release: string, more: Partial<Parameters<typeof configure>[0]> = {}): Task => ({
  phase: 'init',
  configuration: configure({
    release: parseRelease(release),
    nodeName: 'cp-1',
    advertiseAddress: '192.0.2.10',
    ...more,
  }),
});
const elsewhere = (release: string): Task =>
  init(release, {
    externalEtcd: { endpoints: ['https://192.0.2.7:2379'], caFile: '', certFile: '', keyFile: '' },
  });
const tasksOf = (release: string): readonly (readonly [string, Task])[] => [
  ['init', init(release)],
  ['init with Docker', init(release, { criSocket: 'unix:///var/run/dockershim.sock' })],
  ['join', WORKER],
];
const withEtcd = (release: string): readonly (readonly [string, Task])[] => [['init', elsewhere(release)]];

/** By what is said, who says it. */
async function saidOf(different: (sound: HostData) => Partial<HostData>, tasks = tasksOf): Promise<readonly string[]> {
  const said = new Map<string, string[]>();
  for (const minor of knownMinors().filter((one) => one < 26 || one > 28)) {
    const release = parseRelease(`1.${minor}`);
    const sound = soundHost(release);
    for (const [name, task] of tasks(`1.${minor}`)) {
      const host = simulatedHost({ ...sound, ...different(sound) }, release);
      const { lines, passed } = await preflight({ host, release, ignored: [], task });
      const words = [`passed ${passed}`, ...lines.flatMap((line) => [lineText(line), `→ ${repairOf(line)}`])].join(
        '\n   ',
      );
      said.set(words, [...(said.get(words) ?? []), `${name} ${minor}`]);
    }
  }
  return [...said].flatMap(([words, who]) =>
    said.size === 1 && words === 'passed true' ? [] : [`  ${who.join(', ')}:`, `   ${words}`],
  );
}
const lines: string[] = [];
for (const [name, different] of Object.entries(DIFFERENT)) lines.push(name, ...(await saidOf(different)));

/** An etcd elsewhere, on both sides of what each release supports, and versions that are written in other ways. */
for (const version of [
  ...['3.2.17', '3.2.18', '3.4.13-3', '3.4.13-4', '3.4.13', '3.5.11-0', '3.5.10', '3.5.24-0', '3.5.23', '3.5.24'],
  ...['3.10.0', '4.0.0', '2.9.99', 'v3.6.0', '3.6', '3.6.0.1', 'x3.6.0', ''],
])
  lines.push(`etcd ${version} elsewhere`, ...(await saidOf(() => ({ etcd: { version } }), withEtcd)));
lines.push('no etcd elsewhere', ...(await saidOf(() => ({ etcd: { failure: 'nobody answers' } }), withEtcd)));

/** What nobody can see: each thing that a machine is asked. */
const release = parseRelease('1.36');
for (const asked of Object.keys(simulatedHost(soundHost(release), release))) {
  if (asked === 'os') continue;
  const host = {
    ...simulatedHost(soundHost(release), release),
    [asked]: asked === 'environment' ? () => noWords : async () => noWords,
  };
  for (const [name, task] of [
    ...tasksOf('1.36'),
    [
      'init with etcd elsewhere',
      init('1.36', {
        externalEtcd: { endpoints: ['https://192.0.2.7:2379'], caFile: '/a', certFile: '/b', keyFile: '/c' },
      }),
    ],
  ] as const) {
    const { lines: told, passed } = await preflight({ host, release, ignored: [], task });
    lines.push(`${asked} cannot be seen, ${name}: ${passed}`, ...told.map((line) => `   ${lineText(line)}`));
  }
}
testRecorded(
  'what kubeadm says of hosts',
  packageFile('src/kubeadm/recorded'),
  new Map([['hosts.txt', `${lines.join('\n')}\n`]]),
);
