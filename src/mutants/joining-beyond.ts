import type { AnotherClient } from '../joining/another.js';
/** Defects of a joining client beside what documents say: its kubelet, its name, its words. */
import type { JoinConfiguration } from '../joining/configuration.js';
import { JoinFailed } from '../joining/failures.js';
import { generateKey, privateKeyPem } from '../pki/keys.js';
import {
  another,
  answering,
  asking,
  BOOTSTRAP,
  decidesJoining,
  failing,
  inFile,
  isFor,
  isLook,
  onWrite,
  sending,
  textOf,
  upstream,
  withoutToken,
  writing,
} from './joining-hooks.js';
import { remembering } from './remembering.js';
import type { Mutant } from './types.js';

/** Of nothing that it asks for. */
const WAITING = generateKey('ECDSA-P256');
const FLAGS = '/var/lib/kubelet/kubeadm-flags.env';
const CONFIG = '/var/lib/kubelet/config.yaml';
/** Its endpoint is read in some way of its own. */
const endpoint =
  (read: (given: string) => string) =>
  (configuration: JoinConfiguration): JoinConfiguration => {
    const { bootstrapToken, ...discovery } = configuration.discovery;
    if (bootstrapToken === undefined) return configuration;
    const apiServerEndpoint = read(bootstrapToken.apiServerEndpoint);
    return { ...configuration, discovery: { ...discovery, bootstrapToken: { ...bootstrapToken, apiServerEndpoint } } };
  };

const CLUSTER_DEFAULTS = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'kubeadm-config', namespace: 'kube-system' },
  data: {
    ClusterConfiguration:
      'apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\nkubernetesVersion: v1.36.1\n',
  },
};

/** It has other times than those that it was told. */
const timing =
  (change: (timeouts: JoinConfiguration['timeouts']) => JoinConfiguration['timeouts']) =>
  (configuration: JoinConfiguration): JoinConfiguration => ({
    ...configuration,
    timeouts: change(configuration.timeouts),
  });

const manifest = (component: string): string => `/etc/kubernetes/manifests/${component}.yaml`;
const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

/** Joins go on side by side; the key that is right is one. */
function sayingKey(): AnotherClient {
  let key = '';
  return {
    configuration: (configuration) => {
      key = configuration.controlPlane?.certificateKey || key;
      return configuration;
    },
    words: (line) => (line.startsWith('[download-certs] Saving') ? `${line} with ${key}` : line),
  };
}

export const mutants: readonly Mutant[] = [
  another('join-taints-lost', 'the taints of the machine do not reach its kubelet', ['P-100'], {
    files: inFile(FLAGS, (text) => text.replace(/--register-with-taints=[^\s"]+ ?/, '')),
  }),
  another('join-taints-in-small-letters', 'the taints of the machine reach its kubelet in lower case', ['P-100'], {
    files: inFile(FLAGS, (text) => text.replace(/--register-with-taints=[^\s"]+/, (flag) => flag.toLowerCase())),
  }),
  another(
    'join-runtime-of-the-cluster',
    'a runtime that the cluster names is taken for that of the machine',
    ['P-100'],
    {
      files: inFile(CONFIG, (text) =>
        text.replace(/^(containerLogMaxSize: .*\ncontainerRuntimeEndpoint: ).*/m, '$1unix:///run/of/another.sock'),
      ),
    },
  ),
  another('join-arguments-lost', 'the arguments of the machine do not reach its kubelet', ['P-100'], {
    files: inFile(FLAGS, () => 'KUBELET_KUBEADM_ARGS=""\n'),
  }),
  another('join-runtime-lost', 'the runtime that the machine is told does not reach its kubelet', ['P-100'], {
    files: inFile(CONFIG, (text) => text.replace(/^containerRuntimeEndpoint:.*\n/m, '')),
  }),
  another('join-kubelet-of-another-name', 'the kubelet is told another name than its machine', ['P-100'], {
    files: inFile(FLAGS, (text) => text.replace(/"\n?$/, ' --hostname-override=joined"\n')),
  }),
  another('join-kubelet-of-another-driver', 'a flag tells the kubelet another driver of cgroups', ['P-100'], {
    files: inFile(FLAGS, (text) => text.replace(/"\n?$/, ' --cgroup-driver=cgroupfs"\n')),
  }),
  another('join-kubelet-taints-control-plane', 'the kubelet taints a control plane', ['P-100'], {
    files: inFile(FLAGS, (text) =>
      text.replace('="', '="--register-with-taints=node-role.kubernetes.io/control-plane:NoSchedule '),
    ),
  }),
  decidesJoining('join-kubelet-not-stopped', 'a kubelet that runs is not stopped', ['P-101'], {
    stopCommands: () => [],
  }),
  decidesJoining('join-stops-the-firewall', 'the firewall of the machine is stopped, too', ['P-101'], {
    stopCommands: () => ['stop kubelet', 'stop firewalld'],
  }),
  decidesJoining('join-unit-loaded-first', 'the unit is loaded before the kubelet is stopped', [], {
    stopCommands: () => ['daemon-reload', 'stop kubelet'],
  }),
  another('join-asks-with-its-token-in-the-address', 'the token stands in the URL as well', ['P-310'], {
    wire: sending((question) =>
      question.headers.authorization === undefined
        ? question
        : { ...question, url: `${question.url}?token=abcdef.0123456789abcdef` },
    ),
  }),
  another('join-writes-its-token-into-its-request', 'the request for a certificate names the token', ['P-310'], {
    wire: sending((question) =>
      question.body === undefined
        ? question
        : {
            ...question,
            body: question.body.replace('"metadata":{', '"metadata":{"annotations":{"by":"0123456789abcdef"},'),
          },
    ),
  }),
  another('join-says-its-token', 'every line holds the token', ['P-102'], {
    words: (line) => `${line} (token abcdef.0123456789abcdef)`,
  }),
  remembering(() => another('join-says-its-key', 'who downloads certificates says their key', ['P-102'], sayingKey())),
  decidesJoining('join-health-not-waited-for', 'a kubelet that is not well is good enough', ['P-103'], {
    waitsForHealth: () => false,
  }),
  decidesJoining('join-health-waited-for-shortly', 'a kubelet is given a minute', [], { healthTimeout: () => 60_000 }),
  another('join-health-waited-for-thrice', 'a kubelet is given three times as long as was told', ['P-103'], {
    configuration: timing((timeouts) => ({ ...timeouts, kubeletHealthCheck: 3 * timeouts.kubeletHealthCheck })),
  }),
  another('join-health-hardly-waited-for', 'a kubelet is given half of a second', ['P-103'], {
    configuration: timing((timeouts) => ({ ...timeouts, kubeletHealthCheck: 500 })),
  }),
  another('join-patches-ignored', 'patches are not applied', ['P-250'], {
    configuration: ({ patches: _, ...configuration }) => configuration,
  }),
  another('join-manifests-unpatched', 'a control plane writes its manifests as they are', ['P-250'], {
    files: writing((path, text) => (path === manifest('kube-scheduler') ? text.replace(/^.*patched.*\n/m, '') : text)),
  }),
  another('join-etcd-unpatched', 'a control plane writes the manifest of its etcd as it is', ['P-250'], {
    files: writing((path, text) => (path === manifest('etcd') ? text.replace(/^.*patched.*\n/m, '') : text)),
  }),
  another('join-first-patch-only', 'of several patches in a file the first one is applied', ['P-250'], {
    files: inFile(CONFIG, (text) => text.replace(/^podsPerCore: 7\n/m, '')),
  }),
  another('join-patches-of-any-ending', 'files that end in .yml are applied as patches', ['P-250'], {
    files: inFile(CONFIG, (text) => text.replace(/^maxOpenFiles: 99$/m, 'maxOpenFiles: 98')),
  }),
  decidesJoining(
    'join-health-never-nowhere',
    'a kubelet that says nowhere how it is is asked all the same',
    ['P-103'],
    {
      healthPort: (configured) => (configured === 0 ? 10_248 : upstream.healthPort(configured)),
    },
  ),
  decidesJoining('join-health-at-its-port', 'a kubelet is asked at the usual port, whatever it was told', ['P-103'], {
    healthPort: () => 10_248,
  }),
  another('join-file-names-its-key', 'the bootstrap kubeconfig names the file of its key', ['P-122'], {
    files: inFile(BOOTSTRAP, (text) => text.replace(/client-key-data: \S+/, 'client-key: own.key')),
  }),
  decidesJoining('join-dry-run-is-none', 'whoever asks for a dry run gets a join', ['P-251'], {
    changesNothing: () => false,
  }),
  another('join-dry-run-asks', 'a dry run asks for a certificate', ['P-251'], {
    wire: asking(async (question, wire) => {
      const answer = await wire.exchange(question);
      if (isFor('kubelet-config', question))
        await wire.exchange({ ...question, method: 'POST', url: question.url.replace(/\/api\/v1.*$/, REQUESTS) });
      return answer;
    }),
  }),
  decidesJoining('join-any-name', 'the name is taken as it was told', ['P-104'], {
    nodeName: (name) => name,
    isNodeName: () => true,
  }),
  another('join-token-before-file', 'of two ways of discovery the token is taken', ['P-105'], {
    configuration: (configuration) => {
      const { file, ...discovery } = configuration.discovery;
      return discovery.bootstrapToken === undefined || file === undefined
        ? configuration
        : { ...configuration, discovery };
    },
  }),
  another('join-ca-at-its-own-place', 'the CA is written to where it always was', ['P-106'], {
    configuration: (configuration) => ({ ...configuration, caCertPath: '/etc/kubernetes/pki/ca.crt' }),
  }),
  decidesJoining('join-ca-written-over', 'a CA that is there is written over', ['P-106'], { writesCa: () => true }),
  another('join-tidies-up', 'what was read for the join is deleted', ['P-328'], {
    wire: asking(async (question, wire) => {
      const answer = await wire.exchange(question);
      if (isFor('kubelet-config', question)) await wire.exchange({ ...question, method: 'DELETE' });
      return answer;
    }),
  }),
  decidesJoining('join-by-hand-refused', 'a control plane that has a CA is refused', ['P-107'], {
    mustBeAbsent: (_, caCertPath) => upstream.mustBeAbsent(false, caCertPath),
  }),
  decidesJoining('join-control-plane-unready', 'a control plane is added to any cluster', ['P-107'], {
    isReadyForControlPlane: () => true,
  }),
  decidesJoining('join-control-plane-of-its-own', 'a control plane without the shared files joins', ['P-107'], {
    needsSharedFiles: () => false,
  }),
  decidesJoining('join-looks-without-a-pause', 'a hundred looks a second', ['P-108'], { discoveryInterval: () => 10 }),
  decidesJoining('join-looks-without-a-pause-by-file', 'a hundred looks a second beside a discovery file', ['P-108'], {
    discoveryInterval: (way, timeout, context) =>
      way === 'file' ? 10 : upstream.discoveryInterval(way, timeout, context),
  }),
  decidesJoining('join-node-unknown-is-absent', 'whoever may not look for Nodes takes it for absent', ['P-109'], {
    nodeMustBeKnown: () => false,
  }),
  decidesJoining('join-node-not-to-be-had-is-absent', 'a Node that is not to be had is taken for absent', ['P-109'], {
    nodeMustBeKnown: (status) => status === 403,
  }),
  another('join-endpoint-of-url', 'the scheme of an endpoint is passed over', ['P-110'], {
    configuration: endpoint((given) => given.replace(/^https:\/\//, '')),
  }),
  another('join-endpoint-default-port', 'an endpoint without a port has 6443', ['P-110'], {
    configuration: endpoint((given) => (given === '' || given.includes(':') ? given : `${given}:6443`)),
  }),
  decidesJoining(
    'join-control-plane-of-another',
    'the kubelet of a control plane asks the common endpoint',
    ['P-111'],
    {
      bootstrapServer: (discovered) => discovered,
    },
  ),
  decidesJoining('join-admin-conf-hinders', 'a worker with an admin.conf does not join', ['P-113'], {
    mustBeAbsent: () => ['/etc/kubernetes/admin.conf'],
  }),
  decidesJoining('join-as-administrator', 'the certificate is asked for a group of administrators', ['P-114'], {
    subject: (nodeName) => ({ commonName: `system:node:${nodeName}`, organizations: ['system:masters'] }),
  }),
  decidesJoining('join-by-bare-name', 'the certificate is asked for the bare name of the machine', ['P-114'], {
    subject: (nodeName) => ({ commonName: nodeName, organizations: ['system:nodes'] }),
  }),
  decidesJoining('join-for-more-usages', 'the certificate is asked for servers as well', ['P-114'], {
    usages: (_, role) => ['digital signature', role, 'server auth'],
  }),
  another('join-cluster-made-up', 'without a kubeadm-config that can be read defaults are taken', ['P-115'], {
    wire: asking(async (question, wire) => {
      const answer = await wire.exchange(question);
      const isGood = /kubeadm.k8s.io.v1beta[34]/.test(textOf(answer));
      return isFor('kubeadm-config', question) && !isGood ? answering(200, CLUSTER_DEFAULTS) : answer;
    }),
  }),
  decidesJoining('join-any-older-cluster', 'a cluster of any age is joined', ['P-115'], {
    oldestControlPlane: () => 0,
  }),
  decidesJoining('join-a-cluster-of-two-minors-ago', 'a cluster that is two minors older is joined', ['P-115'], {
    oldestControlPlane: ({ minor }) => minor - 2,
  }),
  decidesJoining('join-needs-kube-proxy', 'without the configuration of kube-proxy nobody joins', ['P-115'], {
    goesOnWithoutProxy: () => false,
  }),
  decidesJoining('join-of-its-own-minor', 'a cluster that is a minor older is not joined', ['P-115'], {
    oldestControlPlane: ({ minor }) => minor,
  }),
  another('join-of-default-clusters', 'a cluster with another domain is not joined', ['P-327'], {
    wire: asking(async (question, wire) => {
      const answer = await wire.exchange(question);
      return isFor('kubeadm-config', question) && textOf(answer).includes('blue.example') ? answering(404, {}) : answer;
    }),
  }),
  another('join-unpatched-control-planes', 'a control plane that is told patches does not join', ['P-250'], {
    configuration: (told) => {
      if (told.controlPlane !== undefined && told.patches !== undefined)
        throw new JoinFailed('patches are for workers');
      return told;
    },
  }),
  another('join-no-newer-cluster', 'a cluster that is newer is not joined', ['P-115'], {
    wire: asking(async (question, wire) => {
      const answer = await wire.exchange(question);
      return isFor('kubeadm-config', question) && textOf(answer).includes('v1.37.0') ? answering(404, {}) : answer;
    }),
  }),
  decidesJoining('join-without-a-ca', 'where there is no CA everybody is believed', ['P-116'], {
    demandsCa: () => false,
    trustWithoutCa: () => 'anybody',
  }),
  another('join-page-for-a-file', 'a download that is none is done without, by what is found on the way', ['P-117'], {
    wire: asking(async (question, wire) => {
      const answer = await wire.exchange(question);
      if (!question.url.endsWith('/f.conf') || textOf(answer).includes('kind: Config')) return answer;
      const info = await wire.exchange({
        ...question,
        url: question.url.replace('/f.conf', '/api/v1/namespaces/kube-public/configmaps/cluster-info'),
      });
      const { data } = JSON.parse(textOf(info)) as { readonly data: { readonly kubeconfig: string } };
      return { kind: 'answer', status: 200, headers: {}, body: Buffer.from(data.kubeconfig) };
    }),
  }),
  another('join-download-falls-back', 'a download whose certificate is wrong is asked for without TLS', ['FDISC-003'], {
    wire: asking(async (question, wire) => {
      const answer = await wire.exchange(question);
      if (answer.kind === 'answer' || !question.url.endsWith('/f.conf')) return answer;
      return wire.exchange({ ...question, url: question.url.replace('https:', 'http:') });
    }),
  }),
  ...[
    ['tls-server-name: localhost', 'the bootstrap kubeconfig names the server otherwise'],
    ['proxy-url: http://proxy.example', 'the bootstrap kubeconfig has a proxy'],
  ].map(([line = '', defect = '']) =>
    another(`join-bootstrap-${line.replace(/:.*/, '')}`, defect, ['P-118'], {
      files: inFile(BOOTSTRAP, (text) => text.replace(/^( +)server: /m, `$1${line}\n$1server: `)),
    }),
  ),
  another('join-bootstrap-users', 'the bootstrap kubeconfig has another user besides', ['P-118'], {
    files: inFile(BOOTSTRAP, (text) => text.replace(/^users:\n/m, 'users:\n- name: another\n  user: {}\n')),
  }),
  another('join-copies-bootstrap', 'a copy of the bootstrap kubeconfig is left', ['P-119'], {
    files: onWrite((disk, path, text, mode) => {
      disk.write(path, text, mode);
      if (path === BOOTSTRAP) disk.write('/var/lib/kubelet/bootstrap.conf', text, mode);
    }),
  }),
  another('join-gives-its-token', 'what it starts has the token in its environment', ['P-221'], {
    environment: ({ discovery }) => `TOKEN='${discovery.tlsBootstrapToken}'\n`,
  }),
  another('join-computes-with-openssl', 'openssl gets the secret of its token as an argument', ['P-221'], {
    starts: ({ discovery }) => [
      ['openssl', 'dgst', '-sha256', '-hmac', (discovery.tlsBootstrapToken ?? '').split('.')[1] ?? ''],
    ],
  }),
  another('join-asks-with-curl', 'curl gets its token in a header that is an argument', ['P-221'], {
    starts: ({ discovery }) => [
      ['curl', '-H', `Authorization: Bearer ${discovery.tlsBootstrapToken}`, 'https://host.example/'],
    ],
  }),
  another('join-decrypts-elsewhere', 'another program gets the certificate key as an argument', ['P-221'], {
    starts: ({ controlPlane }) => [['/usr/bin/decrypt', '--key', controlPlane?.certificateKey ?? '']],
  }),
  another('join-gives-its-key', 'what it starts has the certificate key in its environment', ['P-221'], {
    environment: ({ controlPlane }) => `KEY='${controlPlane?.certificateKey ?? ''}'\n`,
  }),
  another('join-gives-a-private-key', 'what it starts has a private key in its environment', ['P-221'], {
    environment: () => `KEY='${privateKeyPem(WAITING).replaceAll('\n', ' ')}'\n`,
  }),
  decidesJoining('join-files-for-everybody', 'everybody may write what a join leaves', ['P-120'], {
    fileMode: (what) => upstream.fileMode(what) | (what === 'certificate' ? 0o022 : 0),
  }),
  decidesJoining('join-files-for-a-group', 'a group may write what a join leaves', ['P-120'], {
    fileMode: (what) => upstream.fileMode(what) | (what === 'certificate' ? 0o020 : 0),
  }),
  decidesJoining('join-any-shared-text', 'a shared entry that is no key is passed over', ['P-121'], {
    skipsEntry: (value) => upstream.skipsEntry(value) || value.toString('latin1') === 'no key\n',
  }),
  decidesJoining('join-signs-by-any-key', 'an authority signs by a key that is not its own', ['P-537'], {
    signsBy: () => true,
  }),
  another('join-file-names-its-ca', 'the bootstrap kubeconfig names its CA, which is not embedded', ['P-122'], {
    files: inFile(BOOTSTRAP, (text) =>
      text.replace(/certificate-authority-data: \S+/, 'certificate-authority: of-the-file.crt'),
    ),
  }),
  decidesJoining('join-file-first-cluster', 'the first cluster of a discovery file is taken', ['P-122'], {
    selectedCluster: (config) => {
      const [name = '', cluster] = [...config.clusters][0] ?? [];
      return cluster === undefined ? upstream.selectedCluster(config) : { name, cluster };
    },
  }),
  another('join-keeps-configuration', 'the configuration of an earlier kubelet stays', ['P-113'], {
    files: onWrite((files, path, text, mode) => {
      if (path !== CONFIG || !files.exists(path)) files.write(path, text, mode);
    }),
  }),
  another('join-adds-kubelet-flags', 'flags are added to those of an earlier kubelet', ['P-113'], {
    files: onWrite((files, path, text, mode) =>
      files.write(path, path === FLAGS ? (files.read(path) ?? '') + text : text, mode),
    ),
  }),
  decidesJoining('join-asks-once', 'a ConfigMap that cannot be had at once ends the join', ['P-115'], {
    shortRetry: () => ({ interval: 1, timeout: 0 }),
    callRepetitions: () => 0,
  }),
  another(
    'join-knows-the-configuration',
    'a configuration with fields that it does not know ends the join',
    ['P-115'],
    {
      wire: asking(async (question, wire) => {
        const answer = await wire.exchange(question);
        return isFor('kubeadm-config', question) && textOf(answer).includes('madeUp')
          ? failing({ cause: 'other', why: 'unknown field' })
          : answer;
      }),
    },
  ),
  decidesJoining(
    'join-starts-twice',
    'the kubelet is started before it is configured, and again after that',
    ['P-101'],
    {
      stopCommands: () => ['stop kubelet', 'start kubelet'],
    },
  ),
  another('join-looks-as-nobody', 'the user of a discovery file is not shown at cluster-info', ['P-122'], {
    wire: sending((question) => (isLook(question) ? withoutToken(question) : question)),
  }),
  decidesJoining('join-file-first-user', 'the first user of a discovery file is taken', ['P-122'], {
    selectedUser: ({ users }) => [...users.values()][0],
  }),
  decidesJoining('join-file-last-user', 'the last user of a discovery file is taken', ['P-122'], {
    selectedUser: ({ users }) => [...users.values()].at(-1),
  }),
  decidesJoining('join-without-images', 'a control plane joins without its images', ['P-325'], {
    pullsImages: () => false,
  }),
  another('join-waits-thrice', 'a certificate is waited for three times as long as told', ['P-123'], {
    configuration: ({ timeouts, ...configuration }) => ({
      ...configuration,
      timeouts: { ...timeouts, tlsBootstrap: timeouts.tlsBootstrap * 3 },
    }),
  }),
  another('join-waits-as-for-discovery', 'a certificate is waited for as long as a signature', ['P-123'], {
    configuration: ({ timeouts, ...configuration }) => ({
      ...configuration,
      timeouts: { ...timeouts, tlsBootstrap: timeouts.discovery },
    }),
  }),
  another('join-hardly-waits', 'a certificate is hardly waited for', ['P-123'], {
    configuration: ({ timeouts, ...configuration }) => ({
      ...configuration,
      timeouts: { ...timeouts, tlsBootstrap: timeouts.tlsBootstrap / 4 },
    }),
  }),
  another('join-keeps-stale-keys', 'keys that lie on a control plane are kept', ['P-222'], {
    files: onWrite((disk, path, text, mode) => {
      if (!/\/pki\/sa\./.test(path) || !disk.exists(path)) disk.write(path, text, mode);
    }),
  }),
  another('join-keys-after-kubelet', 'keys of a control plane are written when its kubelet runs', ['P-124'], {
    files: onWrite((disk, path, text, mode) => {
      disk.write(path, text, mode);
      const key = disk.read('/etc/kubernetes/pki/sa.key');
      if (path.includes('/kubelet-client-') && key !== undefined) disk.write('/etc/kubernetes/pki/sa.key', key, 0o600);
    }),
  }),
];
