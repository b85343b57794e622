/** What programs of a node refuse, or obey before their flags, though every field of it is one that they know. */
import { added, all, edited, flag, manifest, onDisk, reissued } from './node-disk.js';
import { LEAVES } from './node-keepers.js';
import type { Mutant } from './types.js';

const API = 'kube-apiserver';
const KCM = 'kube-controller-manager';
const SCHEDULER = 'kube-scheduler';
const CONFIGURATION = '/var/lib/kubelet/config.yaml';
const ENVIRONMENT = '/var/lib/kubelet/kubeadm-flags.env';

/** Lines of the component's container. */
const inContainer = (component: string, lines: string): ReturnType<typeof edited> =>
  edited(manifest(component), (text) => text.replace('    imagePullPolicy:', `${lines}    imagePullPolicy:`));
const pod = ([component, name, defect]: readonly [string, string, string], lines: string): Mutant =>
  onDisk(
    `${component}-${name}`,
    `the manifest of ${component} ${defect}`,
    ['MANI-001'],
    inContainer(component, lines.replace(/^/gm, '    ').replace(/ +$/, '')),
  );
const inSpec = ([component, name, defect]: readonly [string, string, string], line: string): Mutant =>
  onDisk(
    `${component}-${name}`,
    `the manifest of ${component} ${defect}`,
    ['MANI-001'],
    edited(manifest(component), (text) => text.replace('  hostNetwork: true\n', `  hostNetwork: true\n  ${line}\n`)),
  );
const misread = (component: string, name: string, value: string): Mutant =>
  onDisk(
    `${component}-cannot-read-${name}`,
    `${component} is given --${name}=${value}`,
    ['MANI-010'],
    flag(component, name, value),
  );
const weak = (component: string, name: string, value: string): Mutant =>
  onDisk(
    `${component}-weakened-by-${name}`,
    `${component} is started with --${name}=${value}`,
    ['P-150'],
    flag(component, name, value),
  );
const says = ([name, defect, rule]: readonly [string, string, string], line: string): Mutant =>
  onDisk(
    `kubelet-${name}`,
    `the kubelet ${defect}`,
    [rule],
    edited(CONFIGURATION, (text) => text.replace(/$/, `${line}\n`)),
  );
const told = (name: string, rule: string, words: string): Mutant =>
  onDisk(
    `kubelet-told-${name}`,
    `the kubelet is started with ${words}`,
    [rule],
    edited(ENVIRONMENT, (text) => text.replace(/"$/m, ` ${words}"`)),
  );

export const mutants: readonly Mutant[] = [
  pod([API, 'loads-a-library', 'has a library loaded'], 'env:\n- name: LD_PRELOAD\n  value: /srv/a.so\n'),
  pod(
    [KCM, 'calls-when-it-starts', 'runs a command at its start'],
    'lifecycle:\n  postStart:\n    exec:\n      command: [wget, http://198.51.100.1]\n',
  ),
  inSpec([SCHEDULER, 'shares-processes', 'says shareProcessNamespace'], 'shareProcessNamespace: true'),
  pod(['etcd', 'escalates', 'says allowPrivilegeEscalation'], 'securityContext:\n  allowPrivilegeEscalation: true\n'),
  inSpec([API, 'ends-by-itself', 'says activeDeadlineSeconds'], 'activeDeadlineSeconds: 60'),
  inSpec([KCM, 'asks-no-dns', 'has a policy of DNS that is none'], 'dnsPolicy: Bogus'),
  inSpec([API, 'asks-nobody-for-names', 'has no DNS, and names no server'], 'dnsPolicy: None'),
  inSpec([SCHEDULER, 'is-for-windows', 'is for another system'], 'os: { name: windows }'),
  inSpec([KCM, 'waits-at-a-gate', 'waits at a gate of scheduling'], 'schedulingGates: [{ name: a.example/b }]'),
  onDisk(
    'etcd-is-not-to-be-root',
    'the manifest of etcd refuses root, and names nobody else',
    ['MANI-001'],
    edited(manifest('etcd'), (text) =>
      text.replace('  securityContext:\n    seccomp', '  securityContext:\n    runAsNonRoot: true\n    seccomp'),
    ),
  ),
  pod([SCHEDULER, 'works-nowhere', 'has a working directory that begins nowhere'], 'workingDir: srv\n'),
  misread(KCM, 'feature-gates', 'AllBeta=perhaps'),
  told('a-gate-without-a-value', 'PATH-010', '--feature-gates=AllBeta'),
  pod(
    [SCHEDULER, 'reads-a-secret', 'takes its environment from a Secret'],
    'envFrom:\n- secretRef:\n    name: settings\n',
  ),
  onDisk(
    'etcd-asks-for-lots',
    'the manifest of etcd asks for no quantity',
    ['MANI-001'],
    edited(manifest('etcd'), (text) => text.replace('cpu: 100m', 'cpu: lots')),
  ),
  ...LEAVES.filter(([file]) => ['apiserver', 'etcd/server', 'etcd/peer'].includes(file)).map(
    ([file, authority, , leaf]) =>
      onDisk(
        `${file.replace('/', '-')}-is-for-any-host`,
        `${file}.crt is for any host`,
        ['P-14'],
        reissued(file, authority, { ...leaf, dns: ['*'] }),
      ),
  ),
  onDisk(
    'kubelet-environment-of-everybody',
    'everybody may write more flags of the kubelet',
    ['PKI-024'],
    added('/etc/default/kubelet', 'KUBELET_EXTRA_ARGS=\n', 0o666),
  ),
  misread(API, 'anonymous-auth', 'maybe'),
  misread(KCM, 'node-monitor-grace-period', '40'),
  misread(SCHEDULER, 'profiling', 'on'),
  misread('etcd', 'snapshot-count', 'many'),
  weak('etcd', 'strict-reconfig-check', 'false'),
  weak(API, 'encryption-provider-config', '/tmp/encryption.yaml'),
  weak(API, 'runtime-config', 'certificates.k8s.io/v1=false'),
  weak(KCM, 'authorization-always-allow-groups', 'system:unauthenticated'),
  weak(SCHEDULER, 'master', 'http://198.51.100.1:8080'),
  says(['asks-a-runtime-elsewhere', 'asks a runtime of another machine', 'P-150'], 'imageServiceEndpoint: tcp://a:1'),
  says(['serves-without-its-key', 'has a certificate without its key', 'P-150'], 'tlsCertFile: /etc/ssl/kubelet.crt'),
  onDisk(
    'kubelet-remembers-rights',
    'the kubelet lets in for a day whoever has lost the right',
    ['P-150'],
    edited('/var/lib/kubelet/config.yaml', (text) =>
      text.replace(/cacheAuthorizedTTL: \S+/, 'cacheAuthorizedTTL: 24h'),
    ),
  ),
  says(['of-no-hairpin', 'has a mode of hairpins that is none', 'PATH-010'], 'hairpinMode: bogus'),
  told('to-keep-keys-elsewhere', 'P-150', '--cert-dir=/srv'),
  told('no-number', 'PATH-010', '--max-pods=many'),
  told('to-call-itself-a-control-plane', 'PATH-010', '--node-labels=node-role.kubernetes.io/control-plane='),
  {
    ...onDisk(
      'tuned',
      'an operator tunes his node: values by two words, durations, resources, labels of his own',
      [],
      all(
        flag(API, 'profiling', 'False'),
        flag(API, 'request-timeout', '1m30s'),
        flag(API, 'goaway-chance', '.001'),
        // etcd wants an election to take five of them, and waits for one second
        flag('etcd', 'heartbeat-interval', '200'),
        inContainer(
          KCM,
          '    env:\n    - name: HTTPS_PROXY\n      value: http://proxy.example:3128\n    - name: NO_PROXY\n      value: 192.0.2.0/24\n',
        ),
        inContainer('etcd', '    lifecycle:\n      preStop:\n        sleep: { seconds: 5 }\n'),
        edited(ENVIRONMENT, (text) =>
          text.replace(/"$/m, ' --v 2 --node-labels=example.com/rack=a,node.kubernetes.io/pool=b"'),
        ),
        edited(CONFIGURATION, (text) => {
          const lines = [
            'evictionHard: { memory.available: 500Mi, nodefs.available: 10% }',
            'systemReserved: { cpu: 500m, memory: 1Gi }',
            'tlsCertFile: /etc/ssl/kubelet.crt',
            'tlsPrivateKeyFile: /etc/ssl/kubelet.key',
            'imageGCHighThresholdPercent: 80',
            'imageGCLowThresholdPercent: 70',
            'allowedUnsafeSysctls: [net.core.somaxconn, kernel.msg*]',
          ];
          return `${text}${lines.join('\n')}\n`;
        }),
      ),
    ),
    name: 'harmless-node-tuned',
  },
];
