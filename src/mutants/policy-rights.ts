/** What the rules of the policy say of rights. */
import { record, records } from '../kubernetes/json.js';
import { GROUP_UNAUTHENTICATED } from '../kubernetes/names.js';
import type { PolicyRule } from '../kubernetes/objects.js';
import { resources } from '../kubernetes/resources.js';
import {
  allow,
  bindCluster,
  editClusterRole,
  editSubjects,
  finds,
  group,
  rule,
  serviceAccount,
  user,
} from './arrange.js';
import { addFlags } from './certificate-requests.js';
import type { Mutant } from './types.js';

const CERTIFICATES = 'certificates.k8s.io';

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
/** Defaults of the API server that somebody has unbound: the user or controller gets nothing by them. */
const UNBOUND: readonly (readonly [name: string, binding: string])[] = [
  ['scheduler-bound-no-more', 'system:kube-scheduler'],
  ['daemons-get-no-pods', 'system:controller:daemon-set-controller'],
  ['nobody-minds-nodes', 'system:controller:node-controller'],
  ['nobody-slices-endpoints', 'system:controller:endpointslice-controller'],
  ['nobody-may-publish-roots', 'system:controller:root-ca-cert-publisher'],
  ['nobody-may-make-accounts', 'system:controller:service-account-controller'],
];
/** What is left of a ClusterRole without what is meant. */
const without =
  (isMeant: (rule: PolicyRule) => boolean) =>
  (rules: readonly PolicyRule[]): readonly PolicyRule[] =>
    rules.filter((one) => !isMeant(one));
const isOf =
  (resource: string) =>
  ({ resources: of = [] }: PolicyRule): boolean =>
    of.includes(resource);

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
    finds(name, `the controller ${controller} is bound no more`, ['P-173', 'P-370'], (reference) =>
      reference.api.delete(
        namespace === undefined ? resources.clusterRoleBindings : resources.roleBindings,
        namespace,
        `system:controller:${controller}`,
      ),
    ),
  ),
  ...UNBOUND.map(([name, binding]) =>
    finds(name, `the binding ${binding} is gone`, ['P-370'], (reference) =>
      reference.api.delete(resources.clusterRoleBindings, undefined, binding),
    ),
  ),
  finds(
    'manager-asks-for-no-tokens',
    'the controller manager may ask for no tokens of accounts',
    ['P-370'],
    (reference) => editClusterRole(reference, 'system:kube-controller-manager', without(isOf('serviceaccounts/token'))),
  ),
  finds('strangers-ask-for-nothing', 'a probe without a credential is refused', ['P-370'], (reference) =>
    editSubjects(reference, 'system:public-info-viewer', (subjects) =>
      subjects.filter(({ name }) => name !== GROUP_UNAUTHENTICATED),
    ),
  ),
  finds('manager-looks-at-nothing', 'the controller manager lists nothing', ['P-370'], (reference) =>
    editClusterRole(reference, 'system:kube-controller-manager', without(isOf('*'))),
  ),
  ...(['kube-controller-manager', 'kube-scheduler'] as const).map((name) =>
    finds(`${name}-leads-no-more`, `${name} may not hold its Lease`, ['P-370'], (reference) => {
      editClusterRole(reference, `system:${name}`, without(isOf('leases')));
      reference.api.delete(resources.roleBindings, 'kube-system', `system::leader-locking-${name}`);
    }),
  ),
  {
    name: 'administrators-bound-no-more',
    defect: 'nobody is bound through admin.conf',
    killedBy: ['P-370'],
    gateway: {
      after: ({ method, path }, { status, body }) => {
        if (method !== 'GET' || status !== 200 || !path.endsWith('/clusterrolebindings')) return undefined;
        const items = records(record(body).items).filter(
          ({ metadata }) => record(metadata).name !== 'kubeadm:cluster-admins',
        );
        return { status, body: { ...record(body), items } };
      },
    },
  },
  {
    name: 'collected-roles-empty',
    defect: 'nobody fills in the roles that collect others',
    killedBy: ['P-284'],
    gateway: {
      after: ({ method, path }, { status, body }) => {
        if (method !== 'GET' || status !== 200 || !path.endsWith('/clusterroles')) return undefined;
        const items = records(record(body).items).map((one) =>
          one.aggregationRule === undefined ? one : { ...one, rules: null },
        );
        return { status, body: { ...record(body), items } };
      },
    },
  },
];
