import { AUTHORIZERS } from './node-configurations.js';
import { added, all, edited, flag, manifest, onDisk, PKI } from './node-disk.js';
import type { Mutant } from './types.js';

const API = 'kube-apiserver';
const KCM = 'kube-controller-manager';
const SCHEDULER = 'kube-scheduler';
const ALL = [API, KCM, SCHEDULER, 'etcd'] as const;

/** One thing in a manifest, which breaks some rules. */
const inOne = (
  component: string,
  [name, defect]: readonly [string, string],
  killedBy: readonly string[],
  change: (text: string) => string,
): Mutant =>
  onDisk(
    `${component}-${name}`,
    `the manifest of ${component} ${defect}`,
    killedBy,
    edited(manifest(component), change),
  );
const inEach = (
  told: readonly [string, string],
  rule: string,
  change: (text: string, component: string) => string,
): readonly Mutant[] => ALL.map((component) => inOne(component, told, [rule], (text) => change(text, component)));

/** A flag of each component, with what it breaks. */
const flags = (wrong: readonly (readonly [string, string, string, string | undefined])[]): readonly Mutant[] =>
  wrong.map(([component, rule, name, value]) =>
    onDisk(
      `${component.replace('kube-', '')}-${name}-${value?.replaceAll(/[^a-zA-Z]+/g, '-') ?? 'missing'}`,
      `--${name} of ${component} is ${value ?? 'missing'}`,
      [rule],
      flag(component, name, value),
    ),
  );

/** Where the volume of a file that the component needs leads. */
const volume = (component: string, change: (text: string) => string) => (text: string) =>
  text.replace(
    component === API || component === KCM
      ? /- hostPath:\n {6}path: \/etc\/kubernetes\/pki\n {6}type: \w+\n/
      : component === SCHEDULER
        ? /- hostPath:\n {6}path: \/etc\/kubernetes\/scheduler\.conf\n {6}type: \w+\n/
        : /- hostPath:\n {6}path: \/etc\/kubernetes\/pki\/etcd\n {6}type: \w+\n/,
    change,
  );

/** Variables of a container, as YAML has them. */
const withEnv =
  (env: string) =>
  (text: string): string =>
    text.replace('    image: ', `    env:\n${env}    image: `);
const variable = (name: string, value: string): string => `    - name: ${name}\n      value: "${value}"\n`;

const byEnvironment: readonly Mutant[] = [
  onDisk(
    'etcd-auto-tls-by-environment',
    'etcd believes whoever comes, by its environment',
    ['ETCD-003'],
    edited(manifest('etcd'), withEnv(variable('ETCD_AUTO_TLS', 'true'))),
  ),
  onDisk(
    'authorization-by-a-variable',
    'the API server lets everybody do everything, by a variable',
    ['KAPI-017'],
    all(
      flag(API, 'authorization-mode', '$(MODES)'),
      edited(manifest(API), withEnv(variable('ALL', 'AlwaysAllow') + variable('MODES', 'Node,RBAC,$(ALL)'))),
    ),
  ),
  {
    ...onDisk(
      'by-environment',
      'manifests tell by the environment what kubeadm tells by flags',
      [],
      all(
        flag(API, 'advertise-address', '$(HOST_IP)'),
        edited(
          manifest(API),
          withEnv('    - name: HOST_IP\n      valueFrom:\n        fieldRef:\n          fieldPath: status.hostIP\n'),
        ),
        flag('etcd', 'client-cert-auth', undefined),
        edited(manifest('etcd'), withEnv(variable('ETCD_CLIENT_CERT_AUTH', 'true'))),
      ),
    ),
    name: 'harmless-node-by-environment',
  },
];

export const mutants: readonly Mutant[] = [
  ...byEnvironment,
  ...inEach(['probe-misspelt', 'says livenesProbe'], 'MANI-001', (text) =>
    text.replace('livenessProbe:', 'livenesProbe:'),
  ),
  ...inEach(['probed-elsewhere', 'has a probe of another port'], 'MANI-001', (text) =>
    text.replace('port: probe-port', 'port: 10255'),
  ),
  ...inEach(['sees-all-processes', 'says hostPID: true'], 'MANI-001', (text) =>
    text.replace('  hostNetwork: true\n', '  hostNetwork: true\n  hostPID: true\n'),
  ),
  inOne(API, ['of-another-name', 'has the name api'], ['MANI-001'], (text) =>
    text.replace('  name: kube-apiserver\n  namespace', '  name: api\n  namespace'),
  ),
  inOne(KCM, ['never-again', 'says restartPolicy: Never'], ['MANI-001'], (text) =>
    text.replace('  hostNetwork: true\n', '  hostNetwork: true\n  restartPolicy: Never\n'),
  ),
  inOne(SCHEDULER, ['of-no-version', 'says apiVersion: v2'], ['MANI-001'], (text) =>
    text.replace('apiVersion: v1', 'apiVersion: v2'),
  ),
  inOne('etcd', ['command-is-a-text', 'has a number among its words'], ['MANI-001', 'MANI-010'], (text) =>
    text.replace('    - --snapshot-count=10000\n', '    - 10000\n'),
  ),
  inOne(API, ['not-probed-at-start', 'has no probe for its start'], ['MANI-001'], (text) =>
    text.replace(/ {4}startupProbe:\n(?: {6}.*\n)+/, ''),
  ),
  inOne(API, ['probed-without-tls', 'has a probe by HTTP'], ['MANI-001'], (text) =>
    text.replace('scheme: HTTPS', 'scheme: HTTP'),
  ),
  inOne(KCM, ['probed-for-nothing', 'has a probe of another path'], ['MANI-001'], (text) =>
    text.replace('path: /healthz', 'path: /health'),
  ),
  inOne(SCHEDULER, ['probed-on-another-machine', 'has a probe of another host'], ['MANI-001'], (text) =>
    text.replace('host: 127.0.0.1', 'host: 198.51.100.1'),
  ),
  inOne(API, ['privileged', 'is privileged'], ['MANI-001'], (text) =>
    text.replace('    imagePullPolicy:', '    securityContext:\n      privileged: true\n    imagePullPolicy:'),
  ),
  inOne(SCHEDULER, ['unconfined', 'has the seccomp profile Unconfined'], ['MANI-001'], (text) =>
    text.replace('type: RuntimeDefault', 'type: Unconfined'),
  ),
  inOne('etcd', ['mounts-the-disk', 'mounts the whole disk'], ['MANI-001', 'MANI-011'], (text) =>
    text.replace('\n  volumes:\n', '\n  volumes:\n  - hostPath:\n      path: /\n    name: disk\n'),
  ),
  ...inEach(['of-no-priority', 'has another number for its priority'], 'MANI-005', (text) =>
    text.replace('priority: 2000001000', 'priority: 0'),
  ),
  ...inEach(['flags-joined', 'has two flags in one word'], 'MANI-010', (text) =>
    text.replace(/^( {4}- --[a-z-]+=\S+)\n {4}- (--(?:kubeconfig|allow-privileged|name|cluster-name)=)/m, '$1 $2'),
  ),
  inOne(API, ['flag-without-dashes', 'has a word without dashes'], ['MANI-010', 'KAPI-008'], (text) =>
    text.replace('- --allow-privileged', '- allow-privileged'),
  ),
  inOne(SCHEDULER, ['another-program', 'runs another program'], ['MANI-010'], (text) =>
    text.replace('    - kube-scheduler\n', '    - sh\n'),
  ),
  inOne(KCM, ['flag-with-a-blank', 'has a blank before a value'], ['MANI-010', 'MANI-009'], (text) =>
    text.replace('- --leader-elect=true', '- --leader-elect= true'),
  ),
  ...inEach(['volume-elsewhere', 'has its files from another folder'], 'MANI-011', (text, component) =>
    volume(component, (found) => found.replace('path: /etc/', 'path: /srv/'))(text),
  ),
  inOne(API, ['volume-in-memory', 'has its files in memory'], ['MANI-011'], (text) =>
    volume(API, () => '- emptyDir: {}\n')(text),
  ),
  inOne(SCHEDULER, ['volume-is-a-folder', 'mounts a folder for its kubeconfig'], ['MANI-011'], (text) =>
    volume(SCHEDULER, (found) => found.replace('FileOrCreate', 'Directory'))(text),
  ),
  inOne(KCM, ['volume-twice', 'has two volumes of one name'], ['MANI-011'], (text) =>
    text.replace('\n  volumes:\n', '\n  volumes:\n  - emptyDir: {}\n    name: k8s-certs\n'),
  ),
  ...inEach(['of-the-latest-image', 'has an image without a version'], 'MANI-012', (text) =>
    text.replace(/(image: \S+):\S+/, '$1:latest'),
  ),
  inOne(API, ['image-of-another', 'has the image of the scheduler'], ['MANI-012'], (text) =>
    text.replace('/kube-apiserver:', '/kube-scheduler:'),
  ),
  inOne(KCM, ['newer-than-the-api-server', 'is of a later minor'], ['MANI-012'], (text) =>
    text.replace(/(image: \S+):v1\.\d+/, '$1:v1.99'),
  ),
  inOne(SCHEDULER, ['much-older', 'is five minors older'], ['MANI-012'], (text) =>
    text.replace(/(image: \S+):v1\.\d+/, '$1:v1.20'),
  ),
  inOne('etcd', ['much-older', 'is of 3.4'], ['MANI-012'], (text) => text.replace(/(image: \S+):\S+/, '$1:3.4.3-0')),
  inOne(API, ['annotated-otherwise', 'is annotated with another address'], ['KAPI-001'], (text) =>
    text.replace(/(advertise-address.endpoint: ).*/, '$1198.51.100.1:6443'),
  ),
  inOne('etcd', ['annotated-otherwise', 'is annotated with another address'], ['ETCD-002'], (text) =>
    text.replace(/(etcd.advertise-client-urls: ).*/, '$1https://198.51.100.1:2379'),
  ),
  ...flags([
    [API, 'KAPI-010', 'disable-admission-plugins', 'NamespaceLifecycle'],
    [API, 'KAPI-011', 'disable-admission-plugins', 'LimitRanger'],
    [API, 'KAPI-012', 'disable-admission-plugins', 'ResourceQuota'],
    [API, 'KAPI-013', 'disable-admission-plugins', 'ServiceAccount'],
    [API, 'KAPI-014', 'enable-admission-plugins', 'NodeRestriction,PersistentVolumeLabel'],
    [API, 'KAPI-015', 'disable-admission-plugins', 'DefaultStorageClass'],
    [API, 'KAPI-016', 'disable-admission-plugins', 'DefaultTolerationSeconds'],
    [API, 'KAPI-017', 'enable-admission-plugins', 'NodeRestriction,AlwaysAdmit'],
    [API, 'KAPI-017', 'authorization-mode', 'Node,RBAC,AlwaysAllow'],
    [API, 'KAPI-017', 'authorization-mode', 'RBAC'],
    [API, 'KAPI-017', 'authorization-mode', undefined],
    [API, 'KAPI-025', 'service-account-signing-key-file', `${PKI}/ca.key`],
    [API, 'KAPI-025', 'service-account-issuer', undefined],
    [KCM, 'KCFG-016', 'authentication-kubeconfig', '/etc/kubernetes/admin.conf'],
    [KCM, 'KCFG-016', 'authorization-kubeconfig', undefined],
    [SCHEDULER, 'KCFG-016', 'authentication-kubeconfig', undefined],
    [SCHEDULER, 'KCFG-016', 'authorization-kubeconfig', '/etc/kubernetes/admin.conf'],
    [KCM, 'PKI-015', 'client-ca-file', `${PKI}/front-proxy-ca.crt`],
    [KCM, 'PKI-015', 'requestheader-client-ca-file', `${PKI}/ca.crt`],
    [KCM, 'KCMF-003', 'cloud-provider', 'aws'],
    [KCM, 'KCMF-004', 'controllers', '*,bootstrapsigner,tokencleaner,-csrapproving'],
    [KCM, 'KCMF-004', 'controllers', '*,bootstrapsigner,tokencleaner,-node-lifecycle-controller'],
    [KCM, 'KCMF-001', 'allocate-node-cidrs', undefined],
    [KCM, 'KCMF-001', 'cluster-cidr', 'ten'],
    ['etcd', 'ETCD-003', 'advertise-client-urls', 'http://192.0.2.10:2379'],
    ['etcd', 'ETCD-003', 'listen-peer-urls', 'http://192.0.2.10:2380'],
    ['etcd', 'ETCD-003', 'initial-advertise-peer-urls', 'http://192.0.2.10:2380'],
    ['etcd', 'ETCD-003', 'initial-cluster', 'other=https://192.0.2.10:2380'],
    ['etcd', 'ETCD-003', 'auto-tls', 'true'],
    ['etcd', 'ETCD-003', 'peer-auto-tls', 'true'],
    ['etcd', 'ETCD-003', 'force-new-cluster', 'true'],
  ]),
  onDisk(
    'service-subnet-without-length',
    'API server and controller manager are told an address for the subnet of services',
    ['KAPI-003'],
    all(flag(API, 'service-cluster-ip-range', '10.96.0.0'), flag(KCM, 'service-cluster-ip-range', '10.96.0.0')),
  ),
  {
    ...onDisk(
      'pods-patched',
      'an operator has patched manifests: metrics for everybody, a volume, a probe, and an image by its digest',
      [],
      all(
        flag(SCHEDULER, 'bind-address', '0.0.0.0'),
        edited(manifest(SCHEDULER), (text) => text.replaceAll('host: 127.0.0.1', 'host: 0.0.0.0')),
        flag('etcd', 'listen-metrics-urls', 'http://0.0.0.0:2381'),
        edited(manifest(KCM), (text) => text.replace(/(image: \S+:\S+)/, `$1@sha256:${'0'.repeat(64)}`)),
        edited(manifest(API), (text) =>
          text
            .replace(/failureThreshold: 8/, 'failureThreshold: 12')
            .replace('    - kube-apiserver\n', '    - /usr/local/bin/kube-apiserver\n')
            .replace('\n  volumes:\n', '\n  volumes:\n  - hostPath:\n      path: /var/log/audit\n    name: audit\n')
            .replace('    volumeMounts:\n', '    volumeMounts:\n    - mountPath: /audit\n      name: audit\n'),
        ),
        flag('etcd', 'listen-client-urls', 'https://0.0.0.0:2379'),
        flag(API, 'authorization-mode', undefined),
        flag(API, 'authorization-config', '/etc/kubernetes/pki/authorization.yaml'),
        added(`${PKI}/authorization.yaml`, AUTHORIZERS),
      ),
    ),
    name: 'harmless-node-pods-patched',
  },
];
