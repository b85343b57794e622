import { record, records } from '../kubernetes/json.js';
import { upstream } from '../reference/decisions.js';
import { allow, bindCluster, decides, editSubjects, finds, group, JOINING, rule, user } from './arrange.js';
import { addLoginToken } from './tokens-at-rest.js';
import type { Mutant } from './types.js';

const CERTIFICATES = 'certificates.k8s.io';

const allowAll: Mutant = {
  name: 'always-allow',
  defect: 'the authorizer allows everything, as --authorization-mode=AlwaysAllow does',
  killedBy: ['RBAC-025', 'RBAC-027', 'LIM-001', 'LIM-004', 'LIM-010', 'NODE-008', 'CSR-012'],
  options: {
    decisions: {
      verbMatches: () => true,
      groupMatches: () => true,
      resourceMatches: () => true,
      resourceNameMatches: () => true,
    },
  },
};

const NODES: readonly Mutant[] = [
  {
    name: 'no-node-authorizer',
    defect: 'RBAC only, with system:node bound to system:nodes',
    killedBy: ['RBAC-026', 'NODE-008', 'NODE-007'],
    options: { decisions: { nodeOf: () => undefined } },
    arrange: (reference) => editSubjects(reference, 'system:node', () => [group('system:nodes')]),
  },
  {
    name: 'nodes-unknown',
    defect: 'the Node authorizer is missing and no role is bound: Pods stay pending, Nodes turn NotReady',
    killedBy: ['NODE-001', 'NODE-002', 'NODE-003', 'RBAC-026', 'BOOT-012'],
    options: { decisions: { nodeOf: () => undefined } },
  },
  {
    name: 'nodes-report-no-status',
    defect: 'a node may not write the status of its Node',
    killedBy: ['NODE-002', 'LIM-021'],
    options: {
      decisions: {
        nodeOnNode: ({ attributes }) => (attributes.subresource === 'status' ? 'can only read nodes' : true),
      },
    },
  },
  {
    name: 'nodes-tell-no-events',
    defect: 'a node may not create Events',
    killedBy: ['NODE-003'],
    options: {
      decisions: {
        nodeStaticRules: (rules) => rules.filter(({ resources: names }) => !(names ?? []).includes('events')),
      },
    },
  },
  decides(
    'nodes-ask-nothing',
    'a node may ask neither for reviews nor for Services, drivers and requests',
    ['NODE-003'],
    {
      nodeStaticRules: (rules) =>
        rules.filter(({ resources: names = [] }) =>
          names.every((name) => !/review|^services|^csidr|^runtime|^certificate|^events/.test(name)),
        ),
    },
  ),
  decides('nodes-do-more-by-rule', 'a node reads logs, lists what is others’ and deletes Events', ['NODE-007'], {
    nodeStaticRules: (rules) => [
      ...rules,
      rule(['get', 'update', 'patch'], '', 'pods/log', 'pods/ephemeralcontainers', 'pods/resize'),
      rule(['list', 'watch'], '', 'namespaces', 'serviceaccounts', 'persistentvolumes', 'persistentvolumeclaims'),
      rule(['list', 'watch', 'delete', 'deletecollection'], '', 'events'),
      rule(['deletecollection'], '', 'pods', 'nodes'),
      rule(['deletecollection'], 'certificates.k8s.io', 'certificatesigningrequests'),
    ],
    nodeOnVolume: () => true,
    nodeOnServiceAccount: (question) =>
      question.attributes.verb === 'create' ? upstream.nodeOnServiceAccount(question) : true,
    nodeOnNode: (question) => (question.attributes.verb === 'deletecollection' ? true : upstream.nodeOnNode(question)),
    nodeOnPod: (question) =>
      question.attributes.verb === 'deletecollection' ||
      /^(log|ephemeralcontainers|resize)$/.test(question.attributes.subresource)
        ? true
        : upstream.nodeOnPod(question),
  }),
  decides('nodes-part-with-no-pod', 'a node may neither delete nor evict its Pods', ['NODE-001'], {
    nodeOnPod: (question) =>
      question.attributes.verb === 'delete' || question.attributes.subresource === 'eviction'
        ? 'not a node’s to end'
        : upstream.nodeOnPod(question),
  }),
  decides('nodes-see-no-drivers', 'a node may not read its CSINode, nor label itself as kubelets do', ['NODE-002'], {
    nodeOnCsiNode: (question) => (question.attributes.verb === 'get' ? 'no' : upstream.nodeOnCsiNode(question)),
    nodeMayUseLabel: (key) => !key.startsWith('kubelet.kubernetes.io/') && upstream.nodeMayUseLabel(key),
  }),
  decides(
    'nodes-only-get',
    'a node may get what its Pods use, and neither list nor watch it, nor have tokens',
    ['NODE-008'],
    {
      nodeOnSecret: (question) => (question.attributes.verb === 'get' ? upstream.nodeOnSecret(question) : 'get it'),
      nodeOnConfigMap: (question) =>
        question.attributes.verb === 'get' ? upstream.nodeOnConfigMap(question) : 'get it',
      nodeOnServiceAccount: () => 'no tokens',
    },
  ),
  decides('nodes-list-attachments', 'a node lists where volumes are attached', ['NODE-008'], {
    nodeOnVolume: (question) => question.attributes.resource === 'volumeattachments' || upstream.nodeOnVolume(question),
  }),
  decides('mirrors-mount-tokens', 'a mirror Pod may mount a token, and name Secrets for variables', ['P-73'], {
    podReferences: (pod) => ({
      ...upstream.podReferences({ ...pod, spec: { ...record(pod.spec), containers: [] } }),
      serviceAccountTokens: false,
    }),
    apiReference: (pod, references, minor) =>
      records(record(pod.spec).volumes).some(({ projected }) => projected !== undefined)
        ? undefined
        : upstream.apiReference(pod, references, minor),
  }),
  decides('nodes-get-tokens-for-nodes', 'a node gets tokens that are bound to its Node', ['P-72'], {
    nodeTokenProblem: (reference) =>
      record(reference).kind === 'Node' ? undefined : upstream.nodeTokenProblem(reference),
    nodeTokenPodProblem: () => undefined,
  }),
  decides('nodes-get-tokens-of-any-version', 'a node gets tokens for Pods of whatever version', ['P-72'], {
    nodeTokenProblem: (reference) => upstream.nodeTokenProblem({ ...record(reference), apiVersion: 'v1' }),
  }),
  decides('nodes-read-volumes-alone', 'what a Pod uses otherwise than as a volume of its own is closed', ['NODE-008'], {
    podReferences: (pod) => {
      const spec = record(pod.spec);
      const volumes = records(spec.volumes).filter(({ projected }) => projected === undefined);
      return upstream.podReferences({
        ...pod,
        spec: { ...spec, imagePullSecrets: [], initContainers: [], containers: [], volumes },
      });
    },
  }),
  {
    name: 'no-node-restriction',
    defect: 'one compromised node marks all others NotReady',
    killedBy: ['NODE-006'],
    options: { decisions: { nodeMayWriteNode: () => true, nodeMayTouchPod: () => true, nodeMayUseLabel: () => true } },
  },
  {
    name: 'nodes-label-themselves',
    defect: 'a node gives itself a label of node-restriction.kubernetes.io',
    killedBy: ['NODE-006'],
    options: { decisions: { nodeMayUseLabel: () => true } },
  },
  finds('nodes-are-administrators', 'system:nodes is bound to cluster-admin', ['NODE-007'], (reference) =>
    bindCluster(reference, 'nodes-admin', 'cluster-admin', group('system:nodes')),
  ),
  {
    name: 'nodes-read-all-secrets',
    defect: 'a node reads Secrets that none of its Pods uses',
    killedBy: ['NODE-008'],
    options: { decisions: { nodeOnSecret: () => true } },
  },
  {
    name: 'nodes-list-all-pods',
    defect: 'a node lists the Pods of all nodes',
    killedBy: ['NODE-001'],
    options: { decisions: { nodeReadsOnlyItsOwn: () => false } },
  },
];

const SINGLE: readonly Mutant[] = [
  finds('one-node-is-administrator', 'one node by its name is bound to cluster-admin', ['NODE-007'], (reference) =>
    bindCluster(reference, 'worker-1-admin', 'cluster-admin', user('system:node:worker-1')),
  ),
  finds(
    'tokens-of-another-group-read-secrets',
    'a second group of tokens, which the cluster has one of, reads Secrets',
    ['LIM-004', 'RBAC-030'],
    (reference) => {
      addLoginToken(reference, '0ther1', 'system:bootstrappers:other');
      allow(reference, 'other-tokens', [rule(['get', 'list'], '', 'secrets')], group('system:bootstrappers:other'));
    },
  ),
  finds(
    'second-group-of-a-token-reads-secrets',
    'a token is of two groups, of which the second reads Secrets',
    ['LIM-004', 'RBAC-030'],
    (reference) => {
      addLoginToken(reference, 'twogrp', 'system:bootstrappers:kubeadm:default-node-token,system:bootstrappers:too');
      allow(reference, 'second-groups', [rule(['get', 'list'], '', 'secrets')], group('system:bootstrappers:too'));
    },
  ),
  finds('one-token-reads-secrets', 'one token by its name may read Secrets', ['RBAC-030', 'RBAC-020'], (reference) =>
    allow(reference, 'helpful-token', [rule(['get'], '', 'secrets')], user('system:bootstrap:abcdef')),
  ),
  finds(
    'token-of-half-the-rights',
    'the group of a token is bound to kubeadm:get-nodes only: a join with it ends with 403',
    ['RBAC-018'],
    (reference) => {
      addLoginToken(reference, 'halfhf', 'system:bootstrappers:half');
      bindCluster(reference, 'half', 'kubeadm:get-nodes', group('system:bootstrappers:half'));
    },
  ),
  finds('another-bootstrap-group', 'another bootstrap group is bound to edit', ['RBAC-030', 'RBAC-020'], (reference) =>
    bindCluster(reference, 'workers', 'edit', group('system:bootstrappers:worker')),
  ),
];

const HARMLESS: readonly Mutant[] = [
  {
    name: 'harmless-other-names',
    defect: 'none: the bindings of a cluster that kubeadm did not make, beside kubeadm’s own',
    killedBy: [],
    arrange: (reference) =>
      bindCluster(reference, 'create-csrs-for-bootstrapping', 'system:node-bootstrapper', group(JOINING)),
  },
  {
    name: 'harmless-all-tokens-approved',
    defect: 'none: the requests of every bootstrap token are approved, as guides tell',
    killedBy: [],
    apart: true,
    arrange: (reference) =>
      bindCluster(
        reference,
        'auto-approve-csrs-for-group',
        'system:certificates.k8s.io:certificatesigningrequests:nodeclient',
        group('system:bootstrappers'),
      ),
  },
  {
    name: 'harmless-distribution',
    defect: 'none: a public binding that a distribution is known to add',
    killedBy: [],
    arrange: (reference) =>
      allow(
        reference,
        'system:openshift:public-info-viewer',
        [{ verbs: ['get'], nonResourceURLs: ['/.well-known', '/.well-known/*'] }],
        group('system:authenticated'),
        group('system:unauthenticated'),
      ),
  },
  {
    name: 'harmless-distributions',
    defect: 'none: what EKS, GKE, OpenShift, Talos and k3s add for nodes, machines and strangers',
    killedBy: [],
    arrange: (reference) => {
      const certificates = (...parts: readonly string[]) =>
        rule(['create'], CERTIFICATES, ...parts.map((part) => `certificatesigningrequests/${part}`));
      const [strangers, everybody] = [group('system:unauthenticated'), group('system:authenticated')];
      const nodes = group('system:nodes');
      allow(reference, 'eks:node-bootstrapper', [certificates('selfnodeserver')], group('system:bootstrappers'), nodes);
      allow(
        reference,
        'gce:beta:kubelet-certificate-bootstrap',
        [certificates('nodeclient')],
        user('kubelet'),
        user('kubelet-bootstrap'),
      );
      allow(reference, 'gce:beta:kubelet-certificate-rotation', [certificates('selfnodeserver')], nodes);
      bindCluster(reference, 'system-bootstrap-node-bootstrapper', 'system:node-bootstrapper', nodes, {
        kind: 'ServiceAccount',
        namespace: 'openshift-machine-config-operator',
        name: 'node-bootstrapper',
      });
      allow(reference, 'clustercidrs-node', [rule(['list', 'watch'], 'networking.k8s.io', 'clustercidrs')], nodes);
      allow(
        reference,
        'system:oauth-token-deleters',
        [rule(['delete'], 'oauth.openshift.io', 'oauthaccesstokens', 'oauthauthorizetokens')],
        everybody,
        strangers,
      );
      allow(
        reference,
        'system:scope-impersonation',
        [rule(['impersonate'], 'authentication.k8s.io', 'userextras/scopes.authorization.openshift.io')],
        everybody,
        strangers,
      );
      allow(reference, 'basic-users', [rule(['get', 'list'], 'storage.k8s.io', 'storageclasses')], everybody);
    },
  },
  {
    name: 'harmless-bound-people',
    defect: 'none: people and service accounts with roles of their own',
    killedBy: [],
    arrange: (reference) => {
      bindCluster(reference, 'jane', 'cluster-admin', user('jane'));
      bindCluster(reference, 'developers', 'edit', group('developers'));
      allow(
        reference,
        'approvers',
        [rule(['update'], CERTIFICATES, 'certificatesigningrequests/approval')],
        group('approvers'),
      );
    },
  },
];

export const mutants: readonly Mutant[] = [allowAll, ...NODES, ...SINGLE, ...HARMLESS];
