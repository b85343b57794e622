/** Admission policies that stand between joining machines and the cluster. */
import { resources } from '../kubernetes/resources.js';
import type { Reference } from '../reference/options.js';
import { addNode, finds } from './arrange.js';
import type { Mutant } from './types.js';

const CERTIFICATES = 'certificates.k8s.io';
const ADMISSION = 'admissionregistration.k8s.io';
const CONTROL_PLANE = 'Object{metadata: Object.metadata{labels: {"node-role.kubernetes.io/control-plane": ""}}}';

/** What a policy is for, and what it says. */
interface Given {
  readonly group: string;
  readonly asked: string;
  readonly operations?: readonly string[];
  readonly expression: string;
  readonly fields?: object;
}

/** A policy of one rule, and its binding. */
function addPolicy({ api }: Reference, name: string, given: Given, bound = {}): void {
  const { group, asked, operations = ['CREATE'], expression, fields = {} } = given;
  api.create(resources.validatingAdmissionPolicies, {
    apiVersion: `${ADMISSION}/v1`,
    kind: resources.validatingAdmissionPolicies.kind,
    metadata: { name },
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: {
        resourceRules: [{ apiGroups: [group], apiVersions: ['v1'], operations, resources: [asked] }],
      },
      validations: [{ expression }],
      ...fields,
    },
  });
  api.create(resources.validatingAdmissionPolicyBindings, {
    apiVersion: `${ADMISSION}/v1`,
    kind: resources.validatingAdmissionPolicyBindings.kind,
    metadata: { name },
    spec: { policyName: name, validationActions: ['Deny'], ...bound },
  });
}
const refuses = (name: string, defect: string, given: Given): Mutant =>
  finds(name, defect, ['P-175'], (reference) => addPolicy(reference, name, given));

/** A policy that changes what is asked for, and its binding. */
function addChange({ api }: Reference, name: string, given: Given): void {
  const { group, asked, operations = ['CREATE'], expression, fields = {} } = given;
  const { mutatingAdmissionPolicies: policies, mutatingAdmissionPolicyBindings: bindings } = resources;
  api.create(policies, {
    apiVersion: `${ADMISSION}/v1`,
    kind: policies.kind,
    metadata: { name },
    spec: {
      failurePolicy: 'Fail',
      reinvocationPolicy: 'Never',
      matchConstraints: {
        resourceRules: [{ apiGroups: [group], apiVersions: ['v1'], operations, resources: [asked] }],
      },
      mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }],
      ...fields,
    },
  });
  api.create(bindings, {
    apiVersion: `${ADMISSION}/v1`,
    kind: bindings.kind,
    metadata: { name },
    spec: { policyName: name },
  });
}
const changes = (name: string, defect: string, given: Given): Mutant =>
  finds(name, defect, ['P-175'], (reference) => addChange(reference, name, given));

/** A policy of parameters, and where its binding looks for them. */
const parametrized = (
  name: string,
  defect: string,
  paramKind: object,
  paramRef: Readonly<Record<string, string>>,
): Mutant =>
  finds(name, defect, ['P-175'], (reference) =>
    addPolicy(
      reference,
      name,
      {
        group: CERTIFICATES,
        asked: 'certificatesigningrequests',
        expression: 'true',
        fields: { paramKind },
      },
      { paramRef },
    ),
  );
const OF_MAPS = { apiVersion: 'v1', kind: 'ConfigMap' };

export const mutants: readonly Mutant[] = [
  parametrized('policy-without-its-parameters', 'the parameters of a policy are gone', OF_MAPS, {
    name: 'gone',
    namespace: 'default',
    parameterNotFoundAction: 'Deny',
  }),
  parametrized('policy-of-parameters-nowhere', 'a policy looks for parameters where requests are not', OF_MAPS, {
    name: 'limits',
    parameterNotFoundAction: 'Allow',
  }),
  parametrized(
    'policy-of-an-unserved-kind',
    'nobody serves the kind of the parameters of a policy',
    { apiVersion: 'gone.example.com/v1', kind: 'Limit' },
    { name: 'limits', parameterNotFoundAction: 'Allow' },
  ),
  refuses('policy-against-bootstrappers', 'a policy refuses the requests of bootstrappers', {
    group: CERTIFICATES,
    asked: 'certificatesigningrequests',
    expression: "!('system:bootstrappers' in request.userInfo.groups)",
  }),
  refuses('policy-of-labels', 'a policy wants a label on everything', {
    group: '*',
    asked: '*',
    operations: ['*'],
    expression: "has(object.metadata.labels) && 'owner' in object.metadata.labels",
  }),
  refuses('policy-of-short-lives', 'a policy wants a request to say for how long', {
    group: CERTIFICATES,
    asked: 'certificatesigningrequests',
    expression: 'has(object.spec.expirationSeconds)',
  }),
  refuses('policy-of-short-tokens', 'a policy lets nobody have a token of an account for longer than half an hour', {
    group: '',
    asked: 'serviceaccounts/token',
    expression: 'object.spec.expirationSeconds <= 1800',
  }),
  changes('policy-that-moves-pods', 'a policy sends every Pod to machines of one pool', {
    group: '',
    asked: 'pods',
    expression: 'Object{spec: Object.spec{nodeSelector: {"pool": "own"}}}',
  }),
  refuses('policy-against-scheduling', 'a policy lets no Pod come to a node', {
    group: '',
    asked: 'pods/binding',
    expression: 'false',
  }),
  finds('policy-of-owned-nodes-later', 'a policy wants a label of Nodes that are changed', ['P-175'], (reference) => {
    addNode(reference, 'worker');
    const expression = "'owner' in object.metadata.labels";
    addPolicy(reference, 'owners', { group: '', asked: 'nodes', operations: ['UPDATE'], expression });
  }),
  refuses('policy-against-leases', 'a policy refuses all Leases', {
    group: 'coordination.k8s.io',
    asked: 'leases',
    operations: ['UPDATE'],
    expression: 'false',
  }),
  finds('policy-of-owned-nodes', 'a policy wants a label of Nodes that no worker has', ['P-175'], (reference) => {
    addNode(reference, 'worker');
    addPolicy(reference, 'owners', { group: '', asked: 'nodes', expression: "'owner' in object.metadata.labels" });
  }),
  refuses('policy-against-a-namespace', 'a policy refuses whatever stands in kube-node-lease', {
    group: '*',
    asked: '*',
    expression: 'object.metadata.namespace != "kube-node-lease"',
  }),
  refuses('policy-that-keeps-tokens', 'a policy lets nobody take bootstrap tokens away', {
    group: '',
    asked: 'secrets',
    operations: ['DELETE'],
    expression: "oldObject.type != 'bootstrap.kubernetes.io/token'",
  }),
  refuses('policy-against-pods', 'a policy refuses what DaemonSets make in kube-system', {
    group: '',
    asked: 'pods',
    expression: "request.namespace != 'kube-system'",
  }),
  refuses('policy-against-privileges', 'a policy refuses privileged Pods wherever they are', {
    group: '',
    asked: 'pods',
    expression:
      'object.spec.containers.all(c, !has(c.securityContext) || !has(c.securityContext.privileged) || c.securityContext.privileged == false)',
  }),
  refuses('policy-against-host-paths', 'a policy refuses paths of the host wherever they are', {
    group: '',
    asked: 'pods',
    expression: '!has(object.spec.volumes) || object.spec.volumes.all(v, !has(v.hostPath))',
  }),
  changes('policy-of-control-planes', 'a policy makes each Node a control plane', {
    group: '',
    asked: 'nodes',
    expression: CONTROL_PLANE,
  }),
  changes('policy-of-approvals', 'a policy changes what is decided of requests', {
    group: CERTIFICATES,
    asked: 'certificatesigningrequests/approval',
    operations: ['UPDATE'],
    expression: 'Object{status: Object.status{conditions: []}}',
  }),
  {
    name: 'harmless-policies',
    defect: 'admission policies as operators install them',
    killedBy: [],
    strict: true,
    arrange: (reference) => {
      const requests = { group: CERTIFICATES, asked: 'certificatesigningrequests' };
      const conditions = [{ name: 'a', expression: "!('system:bootstrappers' in request.userInfo.groups)" }];
      addPolicy(reference, 'own-signers', {
        ...requests,
        expression: "object.spec.signerName.startsWith('kubernetes.io/') || object.spec.expirationSeconds < 86400",
      });
      addPolicy(reference, 'people', { ...requests, expression: 'false', fields: { matchConditions: conditions } });
      const { kind } = resources.configMaps;
      reference.api.create(resources.configMaps, {
        apiVersion: 'v1',
        kind,
        metadata: { name: 'limits', namespace: 'default' },
        data: { on: 'true' },
      });
      addPolicy(
        reference,
        'parameters',
        { ...requests, expression: 'params.data.on == "true"', fields: { paramKind: OF_MAPS } },
        { paramRef: { name: 'limits', namespace: 'default', parameterNotFoundAction: 'Deny' } },
      );
      addPolicy(
        reference,
        'no-parameters',
        { ...requests, expression: 'params.data.on == "true"', fields: { paramKind: OF_MAPS } },
        { paramRef: { name: 'gone', namespace: 'default', parameterNotFoundAction: 'Allow' } },
      );
      addPolicy(reference, 'pods', {
        group: '',
        asked: 'pods',
        expression: "request.namespace in ['kube-system', 'kube-public'] || !has(object.spec.hostNetwork)",
      });
      addPolicy(reference, 'privileged', {
        group: '',
        asked: 'pods',
        expression: '!object.spec.hostNetwork || object.metadata.labels.exempt == "yes"',
      });
      addNode(reference, 'older');
      addNode(reference, 'labelled', { labels: { owner: 'ops', 'tenant/a': 'b' } });
      addPolicy(reference, 'owners', { group: '', asked: 'nodes', expression: "'owner' in object.metadata.labels" });
      addPolicy(reference, 'tenants', {
        group: '',
        asked: 'nodes',
        expression: "!object.metadata.labels.exists(key, key.startsWith('tenant/'))",
      });
      addPolicy(reference, 'kept-secrets', {
        group: '',
        asked: 'secrets',
        operations: ['DELETE'],
        expression: "oldObject.type == 'bootstrap.kubernetes.io/token' || request.userInfo.username == 'ops'",
      });
      addChange(reference, 'zones', {
        group: '',
        asked: 'nodes',
        expression: 'Object{metadata: Object.metadata{labels: {"zone": "a"}}}',
      });
      addChange(reference, 'roles', {
        group: '',
        asked: 'nodes',
        expression: `object.metadata.name == "cp2" ? ${CONTROL_PLANE} : Object{}`,
      });
    },
  },
];
