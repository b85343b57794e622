/** Honest servers, and machines on which something is otherwise than usual; servers that take their time. */

import { privateKeyPem, publicKeyPem } from '../../pki/keys.js';
import type { Lie, Patch, Right, Told } from '../lie.js';
import { sharedFiles } from '../shared-certificates.js';
import { ready } from './clusters.js';

const on = (name: string, server: string, right: Right, told: Told): Lie => ({
  name,
  server: `honest; ${server}`,
  right,
  told,
  ...(told.services === undefined ? {} : { ofKubeadm: true }),
});

const KUBERNETES = '/etc/kubernetes';
const PKI = `${KUBERNETES}/pki`;
const THERE = 'left by somebody else\n';

/** What a machine bootstraps with that was told to join another cluster before. */
const OF_ANOTHER = `apiVersion: v1
kind: Config
clusters: [{name: kubernetes, cluster: {server: "https://192.0.2.99:6443"}}]
contexts: [{name: a, context: {cluster: kubernetes, user: a}}]
current-context: a
users: [{name: a, user: {token: zyxwvu.9876543210zyxwvu}}]
`;

const ofKubeadm = (lie: Lie): Lie => ({ ...lie, ofKubeadm: true });

const PATCH_OF_KUBELET: Patch = {
  name: 'kubeletconfiguration+merge.yaml',
  text: 'maxPods: 42\n---\npodsPerCore: 7\n',
  path: '/var/lib/kubelet/config.yaml',
};
const OPERATIONS: Patch = {
  name: 'kubeletconfiguration0+json.yaml',
  text: '- {op: add, path: /maxPods, value: 42}\n- {op: replace, path: /clusterDomain, value: blue.example}\n',
  makes: 'maxPods: 42\nclusterDomain: blue.example\n',
  path: '/var/lib/kubelet/config.yaml',
};
/** Of two for one file the later one counts; a file that ends in neither .yaml nor .json is no patch. */
const LATER: readonly Patch[] = [
  {
    ...OPERATIONS,
    name: 'kubeletconfiguration1.yaml',
    text: 'maxPods: 7\nmaxOpenFiles: 99\n',
    makes: 'maxOpenFiles: 99\n',
  },
  { ...OPERATIONS, name: 'kubeletconfiguration2+strategic.json', text: '{"maxPods": 42}', makes: 'maxPods: 42\n' },
  { ...OPERATIONS, name: 'kubeletconfiguration3.yml', text: 'maxPods: 7\nmaxOpenFiles: 98\n', makes: '' },
];
const COMPONENTS = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as const;
const manifestOf = (component: string): string => `${KUBERNETES}/manifests/${component}.yaml`;
/** What runs it in another cluster. */
const podOf = (component: string): string => `apiVersion: v1
kind: Pod
metadata: {name: ${component}, namespace: kube-system}
spec: {containers: [{name: ${component}, image: "registry.example/${component}:v1.20.0"}]}
`;
const patchOf = (component: string): Patch => ({
  name: `${component}1+strategic.yaml`,
  text: 'metadata:\n  annotations:\n    example.com/patched: "yes"\n',
  path: manifestOf(component),
});
const operationsOn = (component: string): Patch => ({
  ...patchOf(component),
  name: `${component}+json.json`,
  text: '[{"op": "add", "path": "/metadata/labels/blue", "value": "yes"}, {"op": "replace", "path": "/spec/priority", "value": 7}]',
  makes: 'metadata: {labels: {blue: "yes"}}\nspec: {priority: 7}\n',
});
/** On a control plane that was given them by hand. */
const sharedOnDisk: Told['present'] = ({ cast }) =>
  Object.fromEntries(Object.entries(sharedFiles(cast)).map(([file, text]) => [`${PKI}/${file}`, text]));

export const machineLies: readonly Lie[] = [
  ...['kubelet.conf', 'bootstrap-kubelet.conf', 'pki/ca.crt'].map(
    (file): Lie => ({
      ...on(`node-has-${file.replace('/', '-')}`, `${file} is there already`, 'asks nothing', {
        present: () => ({ [`${KUBERNETES}/${file}`]: THERE }),
      }),
      byPreflight: true,
    }),
  ),
  on(
    'node-has-two-files',
    'kubelet.conf and bootstrap-kubelet.conf are there already, and the first of them is to be passed over',
    'asks nothing',
    {
      present: () => ({
        [`${KUBERNETES}/kubelet.conf`]: THERE,
        [`${KUBERNETES}/bootstrap-kubelet.conf`]: THERE,
      }),
      registration: { ignorePreflightErrors: ['FileAvailable--etc-kubernetes-kubelet.conf'] },
    },
  ),
  {
    ...on(
      'node-has-part',
      'kubelet.conf is there already, and a check whose name begins like that of it is passed over',
      'asks nothing',
      {
        present: () => ({ [`${KUBERNETES}/kubelet.conf`]: THERE }),
        registration: { ignorePreflightErrors: ['FileAvailable', 'FileAvailable--etc-kubernetes'] },
      },
    ),
    byPreflight: true,
  },
  ofKubeadm(
    on(
      'node-bootstrap-before',
      'bootstrap-kubelet.conf of another cluster is there, and is to be passed over',
      'joins',
      {
        present: () => ({ [`${KUBERNETES}/bootstrap-kubelet.conf`]: OF_ANOTHER }),
        registration: { ignorePreflightErrors: ['FileAvailable--etc-kubernetes-bootstrap-kubelet.conf'] },
      },
    ),
  ),
  ofKubeadm(
    on('cp-manifests-before', 'manifests of another control plane are there, and are to be passed over', 'joins', {
      certificateKey: 'right',
      present: () => Object.fromEntries(COMPONENTS.map((name) => [manifestOf(name), podOf(name)])),
      registration: {
        ignorePreflightErrors: [
          'ImagePull',
          ...COMPONENTS.map((name) => `FileAvailable--etc-kubernetes-manifests-${name}.yaml`),
        ],
      },
    }),
  ),
  ofKubeadm(
    on('node-has-admin.conf', 'a worker on which an admin.conf is left', 'joins', {
      present: () => ({ [`${KUBERNETES}/admin.conf`]: THERE }),
    }),
  ),
  ofKubeadm(
    on('node-was-another', 'a worker on which configuration and flags of an earlier kubelet are left', 'joins', {
      present: () => ({
        '/var/lib/kubelet/config.yaml': 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n',
        '/var/lib/kubelet/kubeadm-flags.env': 'KUBELET_KUBEADM_ARGS="--node-labels=example.com/of=another"\n',
      }),
    }),
  ),
  ofKubeadm(
    on('node-told', 'the machine is told its runtime, a taint and arguments', 'joins', {
      registration: {
        criSocket: 'unix:///run/other/runtime.sock',
        taints: [
          { key: 'example.com/kept', value: 'For-Others', effect: 'NoSchedule' },
          { key: 'example.com/slow', value: '', effect: 'PreferNoSchedule' },
        ],
        kubeletExtraArgs: [
          { name: 'v', value: '1' },
          { name: 'node-labels', value: 'example.com/rack=r7' },
          { name: 'node-labels', value: 'example.com/row=b' },
          { name: 'eviction-hard', value: 'memory.available<5%,nodefs.available<7%' },
        ],
      },
    }),
  ),
  ofKubeadm(
    on('node-patched', 'the machine is told a patch for its kubelet', 'joins', { patches: [PATCH_OF_KUBELET] }),
  ),
  ofKubeadm(
    on('node-patched-by-operations', 'the machine is told operations on the configuration of its kubelet', 'joins', {
      patches: [OPERATIONS],
    }),
  ),
  ofKubeadm(on('node-patched-twice', 'the machine is told two patches for its kubelet', 'joins', { patches: LATER })),
  ofKubeadm(on('dry-run', 'the machine is told to change nothing', 'joins', { dryRun: true })),
  {
    ...ofKubeadm(
      on('cp-dry-run', 'a control plane is told to change nothing', 'joins', {
        dryRun: true,
        certificateKey: 'right',
        images: 'none',
      }),
    ),
    hasNode: true,
  },
  {
    ...ofKubeadm(
      on('cp-dry-run-etcd', 'a control plane that would join the etcd is told to change nothing', 'joins', {
        dryRun: true,
        certificateKey: 'right',
        images: 'none',
      }),
    ),
    etcd: {},
    since: 33,
  },
  ofKubeadm(
    on('cp-patched', 'a control plane is told patches for what it writes', 'joins', {
      certificateKey: 'right',
      patches: [PATCH_OF_KUBELET, ...COMPONENTS.map(patchOf)],
    }),
  ),
  ofKubeadm(
    on('cp-patched-by-operations', 'a control plane is told operations on what it writes', 'joins', {
      certificateKey: 'right',
      patches: COMPONENTS.map(operationsOn),
    }),
  ),
  {
    ...ofKubeadm(
      on('cp-etcd-patched', 'a control plane is told a patch for its etcd', 'joins', {
        certificateKey: 'right',
        patches: [patchOf('etcd')],
      }),
    ),
    etcd: {},
    since: 33,
  },
  ofKubeadm(
    on('node-upper-case', 'the machine is told a name in capitals', 'joins', { registration: { name: 'WORKER-9' } }),
  ),
  on('node-dotted', 'the machine is told a name with dots', 'joins', {
    registration: { name: 'worker-9.rack.example' },
  }),
  ofKubeadm(
    on('node-no-name', 'the machine is told a name that none may have', 'asks nothing', {
      registration: { name: 'worker_9' },
    }),
  ),
  ofKubeadm(on('ca-elsewhere', 'the CA is to lie elsewhere', 'joins', { caCertPath: `${PKI}/of-the-cluster.crt` })),
  ofKubeadm(
    on('kubelet-elsewhere', 'the kubelet is told another port to say how it is', 'joins', { kubelet: 'elsewhere' }),
  ),
  {
    ...ofKubeadm(on('kubelet-silent', 'the kubelet is told to say nowhere how it is', 'joins', { kubelet: 'silent' })),
    since: 31,
  },
  ofKubeadm(on('kubelet-unhealthy', 'the kubelet is never well', 'fails later', { kubelet: 'unhealthy' })),
  {
    ...ofKubeadm(
      on('kubelet-no-pair', 'a kubelet.conf whose certificate never comes', 'fails later', { kubelet: 'no pair' }),
    ),
    signing: 'never',
  },
  ofKubeadm(on('ca-closed', 'ca.crt cannot be written', 'fails later', { closed: `${PKI}/ca.crt` })),
  ...[
    ['configuration-closed', 'config.yaml', '/var/lib/kubelet/config.yaml'] as const,
    ['flags-closed', 'kubeadm-flags.env', '/var/lib/kubelet/kubeadm-flags.env'] as const,
  ].map(([name, file, path]) => ofKubeadm(on(name, `${file} cannot be written`, 'fails later', { closed: path }))),
  ofKubeadm(
    on('pair-closed', 'certificate and key of the kubelet cannot be written', 'fails later', {
      closedFolder: '/var/lib/kubelet/pki',
    }),
  ),
  on('kubelet-conf-closed', 'kubelet.conf cannot be written', 'fails later', { closed: `${KUBERNETES}/kubelet.conf` }),
  on('disk-closed', 'bootstrap-kubelet.conf cannot be written', 'fails later', {
    closed: `${KUBERNETES}/bootstrap-kubelet.conf`,
  }),
  ofKubeadm(on('disk-full', 'no file can be larger than 512 bytes', 'fails later', { largestFile: 512 })),
  on('services-none', 'no service manager', 'joins', { services: 'none' }),
  on('services-no-kubelet', 'a service manager without a kubelet', 'joins', { services: 'no kubelet' }),
  on('services-failing', 'the kubelet cannot be restarted', 'joins', { services: 'failing' }),
  on('cp-by-hand', 'a control plane with the shared files, and no certificate key', 'joins', {
    certificateKey: 'none',
    present: sharedOnDisk,
  }),
  {
    ...on(
      'cp-by-hand-taken',
      'a control plane with the shared files, whose name is that of a ready Node',
      'fails later',
      {
        certificateKey: 'none',
        present: sharedOnDisk,
      },
    ),
    taken: ready,
  },
  on('cp-stale-keys', 'a control plane with the certificate key, on which keys of another cluster lie', 'joins', {
    certificateKey: 'right',
    present: ({ cast }) => {
      const { key } = cast.authorities['p384 ca'];
      return { [`${PKI}/sa.key`]: privateKeyPem(key), [`${PKI}/sa.pub`]: publicKeyPem(key) };
    },
  }),
  {
    ...on('cp-other-ca', 'a control plane whose ca.crt is another certificate for the same key', 'joins', {
      certificateKey: 'none',
      present: (scene) => ({
        ...sharedOnDisk(scene),
        [`${PKI}/ca.crt`]: scene.cast.authorities['ca again'].certificate.pem,
      }),
    }),
  },
  {
    ...on('cp-has-kubelet.conf', 'a control plane on which a kubelet.conf lies', 'asks nothing', {
      certificateKey: 'right',
      present: () => ({ [`${KUBERNETES}/kubelet.conf`]: THERE }),
    }),
    byPreflight: true,
  },
  ...['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'etcd'].map(
    (component): Lie => ({
      ...on(`cp-has-${component}`, `a control plane on which a manifest of ${component} lies`, 'fails later', {
        certificateKey: 'right',
        present: () => ({ [`${KUBERNETES}/manifests/${component}.yaml`]: THERE }),
      }),
      byPreflight: true,
      ofKubeadm: true,
    }),
  ),
  {
    ...on(
      'cp-no-images',
      'a control plane whose machine has no container runtime that could have images',
      'fails later',
      {
        certificateKey: 'right',
        images: 'none',
      },
    ),
    byPreflight: true,
    ofKubeadm: true,
  },
  {
    ...on('cp-no-key', 'a control plane without the shared files, and no certificate key', 'fails later', {
      certificateKey: 'none',
    }),
    byPreflight: true,
    ofKubeadm: true,
  },
  { name: 'signed-late', server: 'honest; takes its time to approve', right: 'joins', signing: 'late' },
  {
    name: 'approved-first',
    server: 'honest; approves at once, takes its time to sign',
    right: 'joins',
    signing: 'approved first',
  },
];
