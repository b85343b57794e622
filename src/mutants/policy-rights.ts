/** What the rules of the policy say of rights, and of what others read. */
import { base64 } from '../kubernetes/json.js';
import { resources } from '../kubernetes/resources.js';
import type { Reference } from '../reference/options.js';
import { allow, bindCluster, finds, group, rule, serviceAccount, user } from './arrange.js';
import { addFlags } from './certificate-requests.js';
import { addToken } from './tokens-at-rest.js';
import type { Mutant } from './types.js';

const CERTIFICATES = 'certificates.k8s.io';
const PIN = `sha256:${'a1b2c3d4'.repeat(8)}`;

const configMap = (name: string, data: Readonly<Record<string, string>>, namespace = 'default') => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
  data,
});

/** Bindings of controllers of kube-controller-manager. */
const OF_CONTROLLERS: readonly (readonly [name: string, namespace: string | undefined, controller: string])[] = [
  ['signer-reads-no-tokens', 'kube-system', 'bootstrap-signer'],
  ['signer-writes-nothing', 'kube-public', 'bootstrap-signer'],
  ['cleaner-may-clean-nothing', 'kube-system', 'token-cleaner'],
  ['nobody-may-sign-certificates', undefined, 'certificate-controller'],
];

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

export const mutants: readonly Mutant[] = [
  finds('home-made-serving-approval', 'nodes hold a right "selfnodeserver"', ['T-05'], (reference) =>
    allow(
      reference,
      'selfnodeserver',
      [rule(['create'], CERTIFICATES, 'certificatesigningrequests/selfnodeserver')],
      group('system:nodes'),
    ),
  ),
  finds('approver-of-any-signer', 'an operator may approve for every signer', ['T-12'], (reference) =>
    allow(reference, 'approvers', [rule(['approve'], CERTIFICATES, 'signers')], serviceAccount('cert-operator')),
  ),
  finds('approver-of-kubernetes', 'a person may approve for all signers of Kubernetes', ['T-12'], (reference) =>
    allow(
      reference,
      'approvers',
      [{ ...rule(['approve'], CERTIFICATES, 'signers'), resourceNames: ['kubernetes.io/kubelet-serving'] }],
      user('jane'),
    ),
  ),
  {
    name: 'approver-of-another-signer',
    defect: 'an operator may approve for its own signer',
    killedBy: [],
    strict: true,
    arrange: (reference) =>
      allow(
        reference,
        'own-approver',
        [{ ...rule(['approve'], CERTIFICATES, 'signers'), resourceNames: ['example.com/own'] }],
        serviceAccount('own-approver'),
      ),
  },
  finds('joiners-by-name', 'a group of people gets first certificates without a human', ['T-24'], (reference) =>
    allow(
      reference,
      'ops-join',
      [rule(['create'], CERTIFICATES, 'certificatesigningrequests/nodeclient')],
      group('ops'),
    ),
  ),
  finds('user-of-a-token-file', 'the user of a token file may bootstrap', ['T-16'], (reference) =>
    bindCluster(reference, 'kubelet-bootstrap', 'system:node-bootstrapper', user('kubelet-bootstrap')),
  ),
  finds('flag-of-a-token-file', 'an API server reads a token file', ['T-16'], (reference) =>
    addFlags(reference, 'kube-apiserver', (flags) => [...flags, '--token-auth-file=/etc/kubernetes/tokens.csv']),
  ),
  finds('controllers-without-credentials', 'all controllers are one user', ['P-19'], (reference) =>
    addFlags(reference, 'kube-controller-manager', (flags) =>
      flags.filter((text) => !text.startsWith('--use-service-account-credentials')),
    ),
  ),
  finds(
    'roles-of-a-cloud-with-one-name',
    'aws-auth makes one node of all machines',
    ['T-19'],
    (reference) =>
      void reference.api.create(
        resources.configMaps,
        configMap(
          'aws-auth',
          { mapRoles: '- rolearn: arn:aws:iam::1:role/node\n  username: worker\n  groups: [system:nodes]\n' },
          'kube-system',
        ),
      ),
  ),
  {
    name: 'roles-of-a-cloud',
    defect: 'aws-auth as EKS writes it',
    killedBy: [],
    strict: true,
    arrange: (reference) =>
      void reference.api.create(
        resources.configMaps,
        configMap(
          'aws-auth',
          {
            mapRoles:
              '- rolearn: arn:aws:iam::1:role/node\n  username: system:node:{{EC2PrivateDNSName}}\n' +
              '  groups: [system:bootstrappers, system:nodes]\n- rolearn: arn:aws:iam::1:role/ops\n  username: ops\n',
          },
          'kube-system',
        ),
      ),
  },
  ...OF_CONTROLLERS.map(([name, namespace, controller]) =>
    finds(name, `the controller ${controller} is bound no more`, ['P-173'], (reference) =>
      reference.api.delete(
        namespace === undefined ? resources.clusterRoleBindings : resources.roleBindings,
        namespace,
        `system:controller:${controller}`,
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
];
