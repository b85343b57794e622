/**
 * What a cluster of somebody else holds beside its own, and the reference has one of, or none: nothing in it is wrong.
 * Who looks at too much, or keeps what he should leave out, is given it.
 */
import { CLUSTER_INFO, KUBE_SYSTEM } from '../kubernetes/names.js';
import { apiVersionOf, type Resource, resources } from '../kubernetes/resources.js';
import { addToken } from '../mutants/tokens-at-rest.js';
import type { Reference } from '../reference/options.js';

const TEAM = 'team-a';
type Fields = Readonly<Record<string, unknown>>;

export function peopled(reference: Reference): void {
  const add = (resource: Resource, name: string, fields: Fields = {}, more: Fields = {}): void => {
    const metadata = { name, ...more };
    try {
      reference.api.create(resource, { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata, ...fields });
    } catch (error) {
      // older releases have fewer kinds
      if (!(error instanceof Error && 'code' in error && error.code === 404)) throw error;
    }
  };
  const ofTeam = (resource: Resource, name: string, fields: Fields = {}): void =>
    add(resource, name, fields, { namespace: TEAM });
  addTokens(reference);
  add(resources.namespaces, TEAM, { spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } });
  for (const [namespace, more] of [
    [KUBE_SYSTEM, {}],
    ['default', { 'jws-kubeconfig-a1b2c3': 'x..y' }],
  ] as const)
    add(
      resources.configMaps,
      CLUSTER_INFO,
      { data: { kubeconfig: 'apiVersion: v1\nkind: Config\n', ...more } },
      { namespace },
    );
  for (const name of [
    'kubeadm-config',
    'kubelet-config',
    'kube-proxy',
    'coredns',
    'extension-apiserver-authentication',
  ])
    ofTeam(resources.configMaps, name, { data: { of: 'a team' } });
  addPods(ofTeam);
  addRights(add, ofTeam);
  addAdmission(add, ofTeam);
}

function addTokens(reference: Reference): void {
  const groups = 'system:bootstrappers:kubeadm:default-node-token,system:bootstrappers:worker';
  addToken(reference, { 'token-id': 'worker', 'auth-extra-groups': groups }, { name: 'bootstrap-token-worker' });
  addToken(
    reference,
    { 'token-id': 'nother' },
    { name: 'bootstrap-token-nother', namespace: 'default', type: 'Opaque' },
  );
  addToken(reference, { 'token-id': 'opaque' }, { name: 'of-a-team', namespace: 'default', type: 'Opaque' });
}

type Add = (resource: Resource, name: string, fields?: Fields, more?: Fields) => void;

/** Pods, what makes them, and how others reach them. */
function addPods(add: Add): void {
  const spec = {
    serviceAccountName: 'worker',
    containers: [{ name: 'worker', image: 'registry.example.com/worker:1', args: ['--anonymous-auth=true'] }],
  };
  const template = { metadata: { labels: { app: 'worker' } }, spec };
  const selector = { matchLabels: { app: 'worker' } };
  add(resources.serviceAccounts, 'worker');
  add(resources.pods, 'kube-apiserver-of-a-team', {
    spec: { ...spec, nodeName: 'nowhere' },
    status: { phase: 'Running' },
  });
  for (const resource of [resources.deployments, resources.daemonSets, resources.statefulSets, resources.replicaSets])
    add(resource, 'coredns', { spec: { selector, template } });
  add(resources.services, 'kube-dns', {
    spec: {
      type: 'NodePort',
      clusterIP: '10.96.7.7',
      selector: { app: 'worker' },
      ports: [{ port: 53, nodePort: 30053 }],
    },
  });
  add(resources.networkPolicies, 'nothing', { spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'] } });
  add(resources.leases, 'kube-controller-manager', { spec: { holderIdentity: 'nobody' } });
}

const RBAC = 'rbac.authorization.k8s.io';

/** Roles and bindings of people, some of names that kubeadm gives. */
function addRights(add: Add, ofTeam: Add): void {
  const rules = [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['configmaps', 'pods'] }];
  const people = [{ kind: 'Group', apiGroup: RBAC, name: 'people' }];
  const account = [{ kind: 'ServiceAccount', namespace: TEAM, name: 'worker' }];
  const role = (kind: string, name: string) => ({ apiGroup: RBAC, kind, name });
  ofTeam(resources.roles, 'kubeadm:nodes-kubeadm-config', { rules });
  ofTeam(resources.roleBindings, 'kubeadm:nodes-kubeadm-config', {
    subjects: account,
    roleRef: role('Role', 'kubeadm:nodes-kubeadm-config'),
  });
  add(resources.clusterRoles, 'people', { rules });
  add(resources.clusterRoleBindings, 'people', {
    subjects: [...people, ...account],
    roleRef: role('ClusterRole', 'people'),
  });
}

/** Those who are asked before something is stored: of a team, and of its own things. */
function addAdmission(add: Add, ofTeam: Add): void {
  ofTeam(resources.services, 'hooks', { spec: { clusterIP: '10.96.7.8', ports: [{ port: 443 }] } });
  const rules = [{ apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deployments'] }];
  const webhooks = [
    {
      name: 'hooks.example.com',
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      failurePolicy: 'Ignore',
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': TEAM } },
      clientConfig: { service: { namespace: TEAM, name: 'hooks' } },
      rules,
    },
  ];
  add(resources.validatingWebhookConfigurations, 'hooks', { webhooks });
  add(resources.mutatingWebhookConfigurations, 'hooks', { webhooks });
  add(resources.validatingAdmissionPolicies, 'small', {
    spec: {
      failurePolicy: 'Ignore',
      matchConstraints: { resourceRules: rules },
      validations: [{ expression: 'object.spec.replicas <= 5' }],
    },
  });
  add(resources.validatingAdmissionPolicyBindings, 'small', {
    spec: { policyName: 'small', validationActions: ['Warn'] },
  });
  add(resources.priorityLevelConfigurations, 'people', {
    spec: { type: 'Limited', limited: { nominalConcurrencyShares: 5, limitResponse: { type: 'Reject' } } },
  });
  add(resources.flowSchemas, 'people', {
    spec: {
      priorityLevelConfiguration: { name: 'people' },
      matchingPrecedence: 9_000,
      rules: [
        {
          subjects: [{ kind: 'Group', group: { name: 'people' } }],
          resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: ['configmaps'], namespaces: [TEAM] }],
        },
      ],
    },
  });
}
