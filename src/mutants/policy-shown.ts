/** What others get hold of: ways to join, keys and tokens in ConfigMaps, Secrets of teams and Pods. */
import { gzipSync } from 'node:zlib';
import { base64 } from '../kubernetes/json.js';
import type { KubeObject } from '../kubernetes/objects.js';
import { apiVersionOf, type Resource, resources } from '../kubernetes/resources.js';
import { issueCredential } from '../pki/authority.js';
import { generateKey, privateJwk, privateKeyPem } from '../pki/keys.js';
import type { Reference } from '../reference/options.js';
import { edit, finds } from './arrange.js';
import { addToken } from './tokens-at-rest.js';
import type { Mutant } from './types.js';

const PIN = `sha256:${'a1b2c3d4'.repeat(8)}`;

const configMap = (name: string, data: Readonly<Record<string, string>>, namespace = 'default') => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
  data,
});

/** Ways to join that ConfigMaps tell. */
const WAYS: readonly (readonly [name: string, defect: string, text: string])[] = [
  [
    'join-command-with-a-token',
    'a ConfigMap tells a whole join command',
    `kubeadm join 192.0.2.1:6443 \\\n  --token 0ld0ld.k3j5h2g8f1d9s0a7 --discovery-token-ca-cert-hash ${PIN}\n`,
  ],
  [
    'join-command-without-a-pin',
    'a ConfigMap tells a join command that pins nothing',
    'kubeadm join 192.0.2.1:6443 --token "$TOKEN"',
  ],
  [
    'join-command-that-renounces',
    'a ConfigMap tells a join command that renounces pins',
    'kubeadm join 192.0.2.1:6443 --token "$TOKEN" --discovery-token-unsafe-skip-ca-verification',
  ],
  [
    'join-command-with-a-bad-pin',
    'a ConfigMap tells a join command with a pin of another kind',
    'kubeadm join 192.0.2.1:6443 --token "$TOKEN" --discovery-token-ca-cert-hash md5:d41d8cd98f00b204e9800998ecf8427e',
  ],
  [
    'join-command-with-a-key',
    'a ConfigMap tells a certificate key',
    `kubeadm join 192.0.2.1:6443 --discovery-file /x.conf --control-plane --certificate-key ${'0f'.repeat(32)}`,
  ],
  [
    'join-configuration-that-renounces',
    'a ConfigMap holds a JoinConfiguration that renounces pins',
    'kind: JoinConfiguration\ndiscovery:\n  bootstrapToken:\n    token: <token>\n    unsafeSkipCAVerification: true\n',
  ],
];

const COPIED = 'q9w3mz7tk2xv8r4c';
const addSecret = ({ api }: Reference, name: string, data: Readonly<Record<string, string>>, type = 'Opaque'): void =>
  void api.create(resources.secrets, {
    apiVersion: 'v1',
    kind: resources.secrets.kind,
    metadata: { name, namespace: 'default' },
    type,
    data,
  });

const annotate = (reference: Reference, value: string): void =>
  edit<KubeObject>(reference, { resource: resources.namespaces, name: 'default' }, (found) => ({
    ...found,
    metadata: { ...found.metadata, annotations: { ...found.metadata.annotations, 'example.com/access': value } },
  }));
const annotates = (name: string, defect: string, written: (reference: Reference) => string): Mutant =>
  finds(name, defect, ['P-262'], (reference) => annotate(reference, written(reference)));

/** A JSON Web Token that nobody has signed. */
const jwt = (claims: object): string =>
  ['{"alg":"RS256","typ":"JWT"}', JSON.stringify(claims), 'x'.repeat(256)]
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');

type Fields = Readonly<Record<string, unknown>>;
const CONTAINER = { name: 'c', image: 'registry.example.com/tool:v1' };
const mounting = (volume: Fields, mount: Fields = {}): Fields => ({
  containers: [{ ...CONTAINER, volumeMounts: [{ name: 'v', mountPath: '/v', ...mount }] }],
  volumes: [{ name: 'v', ...volume }],
});
/** A Pod, or what makes Pods like it. */
function run(
  { api }: Reference,
  resource: Resource,
  pod: Fields,
  at: { namespace?: string; more?: Fields } = {},
): void {
  const labels = { app: 'tool' };
  const template = { metadata: { labels }, spec: pod };
  const spec = {
    Pod: pod,
    CronJob: {
      schedule: '@daily',
      jobTemplate: { spec: { template: { ...template, spec: { restartPolicy: 'Never', ...pod } } } },
    },
  }[resource.kind] ?? { selector: { matchLabels: labels }, template };
  api.create(resource, {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    metadata: { name: 'tool', namespace: at.namespace ?? 'default', ...at.more },
    spec,
  });
}
const hostPath = (path: string): Fields => ({ hostPath: { path } });
const runs = (name: string, defect: string, resource: Resource, pod: Fields): Mutant =>
  finds(name, defect, ['P-265'], (reference) => run(reference, resource, pod));

const addVolume = ({ api }: Reference, name: string, source: Fields): void =>
  void api.create(resources.persistentVolumes, {
    apiVersion: 'v1',
    kind: resources.persistentVolumes.kind,
    metadata: { name },
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...source },
  });

/** A kubeconfig of the administrator, as kubeadm writes one. */
const administrator = ({ admin, url }: Reference, groups = admin.certificate): string =>
  `apiVersion: v1\nkind: Config\nclusters:\n- cluster: {server: "${url}"}\nusers:\n- user:\n    ` +
  `client-certificate-data: ${base64(groups)}\n    client-key-data: ${base64(admin.key)}\n`;

/** A certificate of an authority of the cluster with its key, as it stands in a Secret. */
function addIdentity(
  reference: Reference,
  authority: 'ca' | 'frontProxyCa' | 'etcdCa',
  subject: { readonly commonName: string; readonly organizations?: readonly string[] },
  dns: readonly string[] = [],
  secrets: { readonly certificate: string; readonly key: string } = { certificate: 'identity', key: 'identity' },
): void {
  const { keys } = reference;
  const { certificatePem, keyPem } = issueCredential(keys.pki[authority], {
    subject,
    key: generateKey('ECDSA-P256'),
    now: keys.pki.ca.facts.notBefore + 3_600_000,
    extendedKeyUsage: [dns.length === 0 ? 'clientAuth' : 'serverAuth'],
    ...(dns.length === 0 ? {} : { altNames: { dns } }),
  });
  const { certificate, key } = secrets;
  const held = { certificate: base64(certificatePem), key: base64(keyPem) };
  if (certificate === key) addSecret(reference, key, held);
  else {
    addSecret(reference, certificate, { certificate: held.certificate });
    addSecret(reference, key, { key: held.key });
  }
}

const clusterOf = (server: string, more: string): string =>
  `apiVersion: v1\nkind: Config\nclusters:\n- name: a\n  cluster: {server: "${server}", ${more}}\n`;
const believing = (server: string, caPem: string): string =>
  clusterOf(server, `certificate-authority-data: ${base64(caPem)}`);
/** An authority of the cluster that is none of the API server. */
const createOther = ({ keys }: Reference): string => keys.pki.etcdCa.certificate.pem;

type Copy = readonly [
  name: string,
  defect: string,
  namespace: string,
  called: string,
  tell: (reference: Reference, other: string) => string,
];
const ELSEWHERE = 'https://203.0.113.9:6443';
const COPIES: readonly Copy[] = [
  [
    'cluster-info-elsewhere',
    'another namespace has a cluster-info of another authority',
    'default',
    'cluster-info',
    ({ url }, other) => believing(url, other),
  ],
  [
    'cluster-info-of-another-server',
    'another namespace has a cluster-info of another server',
    'kube-system',
    'cluster-info',
    ({ caPem }) => believing(ELSEWHERE, caPem),
  ],
  [
    'cluster-info-and-another',
    'a kubeconfig of another authority lies beside cluster-info',
    'kube-public',
    'cluster-info-new',
    (_, other) => believing(ELSEWHERE, other),
  ],
  [
    'kubeconfig-that-believes-anybody',
    'a kubeconfig of the cluster believes whoever answers',
    'default',
    'access',
    ({ url }) => clusterOf(url, 'insecure-skip-tls-verify: true'),
  ],
];

/** One of this cluster, by a credential that is no certificate. */
const kubeconfigBy = ({ url }: Reference, user: string): string =>
  `apiVersion: v1\nkind: Config\nclusters:\n- cluster: {server: "${url}"}\nusers:\n- user: ${user}\n`;
const writes = (
  name: string,
  defect: string,
  data: (reference: Reference) => Readonly<Record<string, string>>,
): Mutant =>
  finds(
    name,
    defect,
    ['P-262'],
    (reference) => void reference.api.create(resources.configMaps, configMap('written', data(reference))),
  );

export const mutants: readonly Mutant[] = [
  ...COPIES.map(([name, defect, namespace, called, tell]) =>
    finds(
      name,
      defect,
      ['P-274'],
      (reference) =>
        void reference.api.create(
          resources.configMaps,
          configMap(called, { kubeconfig: tell(reference, createOther(reference)) }, namespace),
        ),
    ),
  ),
  finds('node-in-a-secret', 'a Secret of a team holds the certificate of a node with its key', ['P-263'], (reference) =>
    addIdentity(reference, 'ca', { commonName: 'system:node:rack-1', organizations: ['system:nodes'] }),
  ),
  finds('scheduler-in-a-secret', 'a Secret of a team holds the credential of the scheduler', ['P-263'], (reference) =>
    addIdentity(reference, 'ca', { commonName: 'system:kube-scheduler' }),
  ),
  finds('proxy-in-a-secret', 'a Secret of a team holds what speaks for anybody', ['P-263'], (reference) =>
    addIdentity(reference, 'frontProxyCa', { commonName: 'front-proxy-client' }),
  ),
  finds('etcd-client-in-a-secret', 'a Secret of a team holds what reads etcd', ['P-263'], (reference) =>
    addIdentity(reference, 'etcdCa', { commonName: 'kube-apiserver-etcd-client' }),
  ),
  finds('etcd-authority-in-a-secret', 'a Secret of a team holds the authority of etcd', ['P-263'], (reference) => {
    const { certificate, key } = reference.keys.pki.etcdCa;
    addSecret(reference, 'etcd', { 'tls.crt': base64(certificate.pem), 'tls.key': base64(privateKeyPem(key)) });
  }),
  finds('server-in-a-secret', 'a Secret of a team holds the key of the API server', ['P-263'], (reference) =>
    addIdentity(reference, 'ca', { commonName: 'kube-apiserver' }, ['kubernetes', 'kubernetes.default.svc']),
  ),
  finds('account-key-in-a-secret', 'a Secret of a team holds the key that signs tokens', ['P-263'], (reference) =>
    addSecret(reference, 'sa', { key: base64(privateKeyPem(reference.keys.pki.serviceAccountKey)) }),
  ),
  finds(
    'authority-in-an-archive',
    'a Secret of a team holds an archive with the key of the CA',
    ['P-263'],
    (reference) =>
      addSecret(reference, 'backup', { 'pki.gz': base64(gzipSync(privateKeyPem(reference.keys.pki.ca.key))) }),
  ),
  finds('authority-in-der', 'a Secret of a team holds the key of the CA in DER', ['P-263'], (reference) =>
    addSecret(reference, 'der', {
      key: base64(reference.keys.pki.ca.key.export({ type: 'pkcs8', format: 'der' })),
    }),
  ),
  finds(
    'administrator-in-two-secrets',
    'a Secret holds the key of an administrator, another its certificate',
    ['P-263'],
    (reference) =>
      addIdentity(reference, 'ca', { commonName: 'admin', organizations: ['system:masters'] }, [], {
        certificate: 'admin-certificate',
        key: 'admin-key',
      }),
  ),
  finds('account-key-in-json', 'a Secret of a team holds the key that signs tokens, as JSON', ['P-263'], (reference) =>
    addSecret(reference, 'jwk', {
      'keys.json': base64(JSON.stringify({ keys: [privateJwk(reference.keys.pki.serviceAccountKey), { kty: 'oct' }] })),
    }),
  ),
  finds('controller-in-a-secret', 'a Secret of a team holds a token of a controller', ['P-263'], (reference) =>
    addSecret(reference, 'controller', {
      token: base64(jwt({ sub: 'system:serviceaccount:kube-system:clusterrole-aggregation-controller' })),
    }),
  ),
  writes('password-in-a-configmap', 'a ConfigMap holds a kubeconfig with a password', (reference) => ({
    config: kubeconfigBy(reference, '{username: admin, password: hunter2}'),
  })),
  writes('encryption-in-a-configmap', 'a ConfigMap holds the key of encryption at rest', () => ({
    'enc.yaml': `kind: EncryptionConfiguration\nresources:\n- providers: [{aescbc: {keys: [{name: a, secret: ${'q83v'.repeat(10)}q80=}]}}]\n`,
  })),
  writes('token-file-in-a-configmap', 'a ConfigMap holds a token file', () => ({
    'tokens.csv': '0123456789abcdef,kubelet-bootstrap,10001,"system:bootstrappers"\n',
  })),
  writes('certificate-key-in-a-configmap', 'a ConfigMap holds the key of kubeadm-certs', () => ({
    certificateKey: '0f'.repeat(32),
  })),
  ...WAYS.map(([name, defect, text]) =>
    finds(
      name,
      defect,
      ['T-14'],
      (reference) => void reference.api.create(resources.configMaps, configMap('how-to-join', { command: text })),
    ),
  ),
  finds('token-described-by-a-command', 'a token is described by a join without a pin', ['T-14'], (reference) =>
    addToken(reference, {
      description: 'kubeadm join 192.0.2.1:6443 --token <token> --discovery-token-unsafe-skip-ca-verification',
    }),
  ),
  finds('token-copied-beyond-kube-system', 'a Secret of a team holds a token in base64', ['P-271'], (reference) => {
    addToken(reference, { 'token-secret': COPIED });
    addSecret(reference, 'ci', { join: base64(base64(`m1tant.${COPIED}`)) });
  }),
  finds(
    'token-secret-copied-as-it-is',
    'the Secret of a token stands in a namespace of a team, too',
    ['P-271'],
    (reference) => {
      addToken(reference, { 'token-secret': COPIED });
      const data = { 'token-id': base64('m1tant'), 'token-secret': base64(COPIED) };
      addSecret(reference, 'bootstrap-token-m1tant', data, 'bootstrap.kubernetes.io/token');
    },
  ),
  finds('token-in-a-release', 'what a chart has installed holds a token, packed', ['P-271'], (reference) => {
    addToken(reference, { 'token-secret': COPIED });
    const manifest = gzipSync(JSON.stringify({ manifest: `--token m1tant.${COPIED}` })).toString('base64');
    addSecret(reference, 'sh.helm.release.v1.joiner.v1', { release: base64(manifest) }, 'helm.sh/release.v1');
  }),
  {
    name: 'harmless-secrets',
    defect: 'Secrets of teams, and what Cluster API gives its machines',
    killedBy: [],
    strict: true,
    arrange: (reference) => {
      addToken(reference, { 'token-secret': COPIED, description: 'for kubeadm join of rack 5' });
      addSecret(reference, 'registry', { password: base64('not-a-real-one'), token: base64('m1tant.<secret>') });
      addSecret(reference, 'machine', { value: base64(`m1tant.${COPIED}`) }, 'cluster.x-k8s.io/secret');
    },
  },
  {
    name: 'safe-ways-to-join',
    defect: 'ConfigMaps tell ways to join without a secret, with a pin or a file',
    killedBy: [],
    strict: true,
    arrange: (reference) =>
      void reference.api.create(
        resources.configMaps,
        configMap('ways', {
          pinned: `kubeadm join 192.0.2.1:6443 --token <token> --discovery-token-ca-cert-hash ${PIN}`,
          variable: 'kubeadm join 192.0.2.1:6443 --token $TOKEN --discovery-token-ca-cert-hash sha256:$HASH',
          file: 'kubeadm join --discovery-file /etc/cluster.conf',
          prose: 'Ask for a token, then run kubeadm join --config join.yaml on the machine 10.0.0.1.',
        }),
      ),
  },
  finds(
    'join-command-on-a-node',
    'a Node is described by a join with a token',
    ['T-14'],
    ({ api }) =>
      void api.create(resources.nodes, {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: {
          name: 'described',
          annotations: {
            how: `kubeadm join 192.0.2.1:6443 --token 0ld0ld.k3j5h2g8f1d9s0a7 --discovery-token-ca-cert-hash ${PIN}`,
          },
        },
      }),
  ),
  finds('join-command-of-a-cronjob', 'a CronJob joins machines without a pin', ['T-14'], (reference) =>
    run(reference, resources.cronJobs, {
      containers: [{ ...CONTAINER, command: ['kubeadm', 'join', '192.0.2.1:6443', '--token', '$(TOKEN)'] }],
    }),
  ),
  finds(
    'authority-in-a-configmap',
    'a ConfigMap holds the key of the CA',
    ['P-262'],
    ({ api, keys }) =>
      void api.create(resources.configMaps, configMap('pki', { 'ca.key': privateKeyPem(keys.pki.ca.key) })),
  ),
  finds(
    'administrator-in-a-configmap',
    'a ConfigMap holds the kubeconfig of the administrator',
    ['P-262'],
    (reference) =>
      void reference.api.create(resources.configMaps, configMap('kubeconfig', { config: administrator(reference) })),
  ),
  finds(
    'account-in-a-configmap',
    'a ConfigMap holds a token of an account that has no end',
    ['P-262'],
    ({ api }) =>
      void api.create(
        resources.configMaps,
        configMap('config', { token: jwt({ sub: 'system:serviceaccount:kube-system:deployer' }) }),
      ),
  ),
  annotates('authority-in-an-annotation', 'an annotation holds the key of the CA', ({ keys }) =>
    base64(privateKeyPem(keys.pki.ca.key)),
  ),
  finds('authority-in-a-variable', 'a Deployment gives its Pods the key of the CA', ['P-262'], (reference) =>
    run(reference, resources.deployments, {
      containers: [{ ...CONTAINER, env: [{ name: 'CA_KEY', value: privateKeyPem(reference.keys.pki.ca.key) }] }],
    }),
  ),
  finds('administrator-in-a-command', 'a CronJob writes the kubeconfig of the administrator', ['P-262'], (reference) =>
    run(reference, resources.cronJobs, {
      containers: [{ ...CONTAINER, command: ['sh', '-c', `echo '${administrator(reference)}' > /c`] }],
    }),
  ),
  finds('certificate-key-in-a-command', 'a Deployment uploads certificates with a known key', ['P-262'], (reference) =>
    run(reference, resources.deployments, {
      containers: [{ ...CONTAINER, command: ['kubeadm', 'init', '--certificate-key', '0f'.repeat(32)] }],
    }),
  ),
  finds(
    'administrator-in-a-description',
    'a token is described by the kubeconfig of the administrator',
    ['P-262'],
    (reference) =>
      addToken(reference, { description: `${'for the new rack '.repeat(100)}${administrator(reference)}` }),
  ),
  annotates('administrator-in-an-annotation', 'an annotation holds the kubeconfig of the administrator', administrator),
  finds('authority-in-a-secret', 'a Secret of a team holds the key of the CA', ['P-263'], (reference) =>
    addSecret(reference, 'pki', { 'ca.key': base64(privateKeyPem(reference.keys.pki.ca.key)) }),
  ),
  finds(
    'administrator-in-a-secret',
    'a Secret of a team holds the kubeconfig of the administrator',
    ['P-263'],
    (reference) => addSecret(reference, 'kubeconfig', { config: base64(administrator(reference)) }),
  ),
  finds('token-for-a-deployment', 'a Deployment is given the Secret of a token', ['P-264'], (reference) =>
    run(
      reference,
      resources.deployments,
      {
        containers: [
          {
            ...CONTAINER,
            env: [{ name: 'T', valueFrom: { secretKeyRef: { name: 'bootstrap-token-a1b2c3', key: 'token-secret' } } }],
          },
        ],
      },
      { namespace: 'kube-system' },
    ),
  ),
  finds('shared-certificates-in-a-pod', 'a Pod mounts kubeadm-certs', ['P-264'], (reference) =>
    run(reference, resources.pods, mounting({ secret: { secretName: 'kubeadm-certs' } }), { namespace: 'kube-system' }),
  ),
  runs(
    'pod-with-the-control-plane',
    'a Pod of a team mounts /etc/kubernetes',
    resources.pods,
    mounting(hostPath('/etc/kubernetes')),
  ),
  runs(
    'deployment-with-a-node',
    'a Deployment of a team reads the certificates of a kubelet',
    resources.deployments,
    mounting(hostPath('/var/lib/kubelet/pki'), { readOnly: true }),
  ),
  runs(
    'replicaset-with-the-control-plane',
    'a ReplicaSet of nobody mounts /etc/kubernetes',
    resources.replicaSets,
    mounting(hostPath('/etc/kubernetes')),
  ),
  runs(
    'cronjob-writes-keys',
    'a CronJob of a team writes to the folder of keys',
    resources.cronJobs,
    mounting(hostPath('/etc/kubernetes/pki')),
  ),
  runs(
    'pod-with-the-runtime',
    'a Pod of a team has the socket of containerd',
    resources.pods,
    mounting(hostPath('/run/containerd/containerd.sock'), { readOnly: true }),
  ),
  runs('pod-with-etcd', 'a Pod of a team mounts the data of etcd', resources.pods, mounting(hostPath('/var/lib/etcd'))),
  runs(
    'deployment-with-the-root',
    'a Deployment of a team mounts the disk',
    resources.deployments,
    mounting(hostPath('/')),
  ),
  ...(['hostPath', 'local'] as const).map((kind) =>
    finds(
      `volume-of-keys-by-${kind.toLowerCase()}`,
      'a PersistentVolume is of the folder of keys',
      ['P-265'],
      (reference) => addVolume(reference, 'keys', { [kind]: { path: '/etc/kubernetes/pki' } }),
    ),
  ),
  finds('pod-as-a-controller', 'a Pod runs as the controller of tokens', ['P-272'], (reference) =>
    run(
      reference,
      resources.pods,
      { containers: [CONTAINER], serviceAccountName: 'token-cleaner' },
      { namespace: 'kube-system' },
    ),
  ),
  {
    name: 'harmless-keys-and-mounts',
    defect: 'Secrets of TLS, ConfigMaps with certificates, and Pods that look at machines',
    killedBy: [],
    strict: true,
    arrange: (reference) => {
      const { api, caPem, admin, keys } = reference;
      api.create(
        resources.configMaps,
        configMap('trust', {
          'ca.crt': caPem,
          config: 'users:\n- user:\n    tokenFile: /var/run/secrets/token\n    client-key-data: <key>\n',
          how: 'put it between -----BEGIN PRIVATE KEY----- and -----END PRIVATE KEY-----',
          kubeconfig: kubeconfigBy(reference, '{tokenFile: /var/run/secrets/token}'),
          template: kubeconfigBy(reference, '{token: "$TOKEN"}'),
          encryption: 'kind: EncryptionConfiguration\nresources:\n- providers: [{aescbc: {keys: [{secret: <key>}]}}]\n',
          ended: jwt({ sub: 'system:serviceaccount:default:old', exp: 1_600_000_000 }),
          others: jwt({ sub: 'somebody' }),
        }),
      );
      annotate(reference, kubeconfigBy(reference, '{tokenFile: /var/run/secrets/token}'));
      addSecret(reference, 'tls', { 'tls.crt': base64(caPem), 'tls.key': base64(admin.key) }, 'kubernetes.io/tls');
      addSecret(
        reference,
        'cluster-ca',
        { 'tls.key': base64(privateKeyPem(keys.pki.ca.key)) },
        'cluster.x-k8s.io/secret',
      );
      const reading = { readOnly: true };
      run(reference, resources.daemonSets, mounting(hostPath('/etc/kubernetes'), reading));
      run(reference, resources.cronJobs, mounting(hostPath('/etc/kubernetes/pki'), reading));
      const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'former', uid: 'a', controller: true };
      run(reference, resources.replicaSets, mounting(hostPath('/etc/kubernetes')), {
        more: { ownerReferences: [owner] },
      });
      run(reference, resources.pods, mounting(hostPath('/var/lib/kubelet/plugins')));
      run(reference, resources.pods, mounting(hostPath('/etc/kubernetes/pki')), { namespace: 'kube-system' });
      run(reference, resources.deployments, {
        containers: [
          {
            ...CONTAINER,
            args: ['--prints=kubeadm join', `--ca=${base64(caPem)}`],
            env: [{ name: 'CONFIG', value: kubeconfigBy(reference, '{tokenFile: /var/run/secrets/token}') }],
          },
        ],
        serviceAccountName: 'tool-controller',
      });
      api.create(
        resources.configMaps,
        configMap('access', {
          own: believing(reference.url, caPem),
          others: believing(ELSEWHERE, createOther(reference)),
        }),
      );
      addVolume(reference, 'disk', { local: { path: '/mnt/disks/a' } });
      addVolume(reference, 'folder', { hostPath: { path: '/srv/data' } });
    },
  },
];
