/** Ways to join that others are told, and tokens that others get hold of. */
import { gzipSync } from 'node:zlib';
import { base64 } from '../kubernetes/json.js';
import { resources } from '../kubernetes/resources.js';
import type { Reference } from '../reference/options.js';
import { finds } from './arrange.js';
import { addSecret, believing, CONTAINER, clusterOf, configMap, createOther, ELSEWHERE, run } from './holding.js';
import { addToken } from './tokens-at-rest.js';
import type { Mutant } from './types.js';

const PIN = `sha256:${'a1b2c3d4'.repeat(8)}`;

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

type Copy = readonly [
  name: string,
  defect: string,
  namespace: string,
  called: string,
  tell: (reference: Reference, other: string) => string,
];
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
];
