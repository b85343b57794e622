import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '../../kubernetes/objects.js';
import { labelsOfWorkers, policiesLetJoin, readPolicies } from './admission-policies.js';
import type { ParametersSeen } from './policy-parameters.js';

const LABELS = { 'kube-system': {}, 'kube-node-lease': {}, 'kube-public': {} };
const AROUND = { labels: LABELS };
const rule = (group: string, resource: string, operations: readonly string[] = ['CREATE']): object => ({
  apiGroups: [group],
  apiVersions: ['v1'],
  operations,
  resources: [resource],
});
const REQUESTS = rule('certificates.k8s.io', 'certificatesigningrequests');
const policy = (spec: object, kind = 'ValidatingAdmissionPolicy'): KubeObject => ({
  kind,
  metadata: { name: 'a' },
  spec: { matchConstraints: { resourceRules: [REQUESTS] }, validations: [{ expression: 'false' }], ...spec },
});
const binding = (spec: object = {}): KubeObject => ({
  metadata: { name: 'a' },
  spec: { policyName: 'a', validationActions: ['Deny'], ...spec },
});
const NONE = { policies: [], bindings: [] };
const refused = (spec: object = {}, bound: object = {}): readonly string[] =>
  readPolicies({ policies: [policy(spec)], bindings: [binding(bound)] }, NONE, AROUND)[0]?.refuses ?? [];
const constraints = (...resourceRules: readonly object[]): object => ({ matchConstraints: { resourceRules } });

describe('what an admission policy refuses of joining', () => {
  it('is what its rules name and a binding denies', () => {
    assert.deepEqual(refused(), ['create certificatesigningrequests (validation 1 is false)']);
    assert.deepEqual(refused({}, { policyName: 'b' }), []);
    // of controllers and of kubelets, said once
    assert.deepEqual(refused(constraints(rule('', 'serviceaccounts/token'))), [
      'create serviceaccounts/token (validation 1 is false)',
    ]);
    assert.deepEqual(refused({}, { validationActions: ['Warn', 'Audit'] }), []);
    assert.deepEqual(refused({}, { validationActions: [] }), []);
    // of a server that does not say what is done, it is denied
    assert.equal(refused({}, { validationActions: undefined }).length, 1);
    assert.deepEqual(refused({}, { matchResources: { resourceRules: [rule('', 'pods')] } }), []);
    assert.deepEqual(refused({}, { matchResources: { namespaceSelector: { matchLabels: { a: 'b' } } } }).length, 1);
    assert.deepEqual(refused({}, { matchResources: { objectSelector: { matchLabels: { a: 'b' } } } }), []);
    assert.deepEqual(refused(constraints({ ...REQUESTS, resourceNames: ['x'] })), []);
    assert.deepEqual(
      refused({ matchConstraints: { resourceRules: [REQUESTS], excludeResourceRules: [REQUESTS] } }),
      [],
    );
    assert.deepEqual(
      refused(constraints(rule('*', '*', ['*']))).map((one) => one.split(' (')[0]),
      [
        'create certificatesigningrequests',
        'create nodes',
        'update nodes',
        'create leases',
        'update leases',
        'create csinodes',
        'update configmaps',
        'create pods',
        'delete secrets',
      ],
    );
    // reviews are left out of policies
    assert.deepEqual(refused(constraints(rule('authorization.k8s.io', 'subjectaccessreviews'))), []);
  });

  it('is what its expressions say for sure', () => {
    const by = (expression: string, other: object = {}): number =>
      refused({ validations: [{ expression: 'true' }, { expression }], ...other }).length;
    assert.equal(by("!('system:bootstrappers' in request.userInfo.groups)"), 1);
    assert.equal(by("request.userInfo.username.startsWith('system:serviceaccount:')"), 1);
    assert.equal(by("has(object.metadata.labels) && 'owner' in object.metadata.labels"), 1);
    assert.equal(by("object.metadata.labels.owner == 'ops'"), 1);
    assert.equal(by("object.metadata.labels.owner == 'ops'", { failurePolicy: 'Ignore' }), 0);
    assert.equal(by("object.spec.signerName.startsWith('kubernetes.io/')"), 0);
    // kubelets ask for no time
    assert.equal(by('object.spec.expirationSeconds < 86400'), 1);
    assert.equal(by('!has(object.spec.expirationSeconds) || object.spec.expirationSeconds < 86400'), 0);
    assert.equal(by('params.allowed'), 1);
    assert.equal(by('variables.no', { variables: [{ name: 'no', expression: '1 == 2' }] }), 1);
  });

  it('is what a label wants that no worker has, nor what kubelets give their Nodes', () => {
    const nodes = constraints(rule('', 'nodes'));
    const by = (expression: string, ...workers: readonly Readonly<Record<string, string>>[]) =>
      readPolicies({ policies: [policy({ ...nodes, validations: [{ expression }] })], bindings: [binding()] }, NONE, {
        labels: LABELS,
        workers,
      })[0]?.refuses.length;
    const owned = "has(object.metadata.labels) && 'owner' in object.metadata.labels";
    assert.equal(by(owned), 0);
    assert.equal(by(owned, { a: 'b' }), 1);
    assert.equal(by(owned, { a: 'b' }, { owner: 'ops' }), 0);
    assert.equal(by("object.metadata.labels['owner'] == 'ops'", { owner: 'dev' }), 1);
    assert.equal(by("object.metadata.labels['kubernetes.io/os'] == 'linux'", { a: 'b' }), 0);
    // what others label later is not what a kubelet says
    assert.equal(by("!object.metadata.labels.exists(key, key.startsWith('tenant/'))", { 'tenant/a': 'b' }), 0);
    assert.equal(by("object.metadata.labels.exists(key, key.startsWith('tenant/'))", { 'tenants/a': 'b' }), 1);
    assert.equal(by('object.spec.providerID != ""', { a: 'b' }), 0);
  });

  it('is let through by its conditions', () => {
    const by = (expression: string, other: object = {}): readonly string[] =>
      refused({ matchConditions: [{ name: 'a', expression }], ...other });
    assert.equal(by('true').length, 1);
    assert.equal(by("!('system:bootstrappers' in request.userInfo.groups)").length, 0);
    assert.equal(by('object.spec.request == "a"').length, 0);
    assert.deepEqual(by('object.metadata.labels.a == "b"'), [
      'create certificatesigningrequests (its conditions end in an error)',
    ]);
    assert.deepEqual(by('object.metadata.labels.a == "b"', { failurePolicy: 'Ignore' }), []);
  });
});

describe('parameters of an admission policy', () => {
  const OWN: ParametersSeen = { served: true, namespaced: true, objects: [] };
  const map = (namespace: string, on: string): KubeObject => ({
    metadata: { name: 'p', namespace, labels: { own: 'yes' } },
    data: { on, numbers: [1, true, null] },
  });
  const KIND = { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, validations: [{ expression: 'true' }] };
  const REF = { name: 'p', namespace: 'd', parameterNotFoundAction: 'Deny' };
  const how = (seen: ParametersSeen | undefined, bound: object, spec: object = KIND): readonly string[] =>
    readPolicies(
      {
        policies: [policy(spec)],
        bindings: [binding(bound)],
        ...(seen === undefined ? {} : { parameters: { a: seen } }),
      },
      NONE,
      AROUND,
    )[0]?.refuses.map((one) => one.replace('create certificatesigningrequests ', '')) ?? [];

  it('are there where their binding wants them', () => {
    assert.deepEqual(how(OWN, { paramRef: REF }), ['(there is no ConfigMap d/p)']);
    assert.deepEqual(how(OWN, { paramRef: REF, validationActions: ['Warn'] }), ['(there is no ConfigMap d/p)']);
    assert.deepEqual(how(OWN, { paramRef: { ...REF, parameterNotFoundAction: 'Allow' } }), []);
    assert.deepEqual(how(OWN, { paramRef: REF }, { ...KIND, failurePolicy: 'Ignore' }), []);
    assert.deepEqual(how({ ...OWN, objects: [map('e', '')] }, { paramRef: REF }), ['(there is no ConfigMap d/p)']);
    assert.deepEqual(how({ ...OWN, objects: [map('d', '')] }, { paramRef: REF }), []);
    // nobody knows of what may not be read
    assert.deepEqual(how({ served: true, namespaced: true }, { paramRef: REF }), []);
    assert.deepEqual(how(undefined, { paramRef: REF }), []);
    const { name: _name, ...picking } = REF;
    const selected = (label: string): readonly string[] =>
      how({ ...OWN, objects: [map('d', '')] }, { paramRef: { ...picking, selector: { matchLabels: { own: label } } } });
    assert.deepEqual(selected('yes'), []);
    assert.deepEqual(selected('no'), ['(there is no ConfigMap d/*)']);
  });

  it('are of a kind and a namespace that there is', () => {
    const none = { served: false, namespaced: false };
    assert.deepEqual(how(none, {}), ['(the API server serves no v1 ConfigMap)']);
    assert.deepEqual(how(none, { matchResources: { resourceRules: [rule('', 'pods')] } }), [
      '(the API server serves no v1 ConfigMap)',
    ]);
    assert.deepEqual(how(OWN, { paramRef: { name: 'p' } }), [
      '(its parameters are looked for in the namespace of what has none)',
    ]);
    assert.deepEqual(how({ ...OWN, namespaced: false, objects: [{ metadata: { name: 'p' } }] }, { paramRef: REF }), []);
  });

  it('are what expressions see', () => {
    const on = { ...KIND, validations: [{ expression: 'params.data.on == "a"' }] };
    assert.deepEqual(how({ ...OWN, objects: [map('d', 'a')] }, { paramRef: REF }, on), []);
    assert.deepEqual(how({ ...OWN, objects: [map('d', 'b')] }, { paramRef: REF }, on), ['(validation 1 is false)']);
    assert.deepEqual(how(undefined, {}, on), ['(validation 1 ends in an error)']);
    assert.deepEqual(
      how({ ...OWN, objects: [map('d', 'b')] }, { paramRef: REF, validationActions: ['Audit'] }, on),
      [],
    );
  });

  it('are wanted by policies that change, too', () => {
    const mutating = {
      policies: [policy(KIND, 'MutatingAdmissionPolicy')],
      bindings: [binding({ paramRef: REF })],
      parameters: { a: OWN },
    };
    assert.deepEqual(readPolicies(NONE, mutating, AROUND), [
      {
        subject: 'MutatingAdmissionPolicy a',
        refuses: ['create certificatesigningrequests (there is no ConfigMap d/p)'],
        changes: [],
      },
    ]);
  });
});

describe('an admission policy', () => {
  const judged = (...mutations: readonly object[]): string => {
    const mutating = {
      policies: [policy({ mutations }, 'MutatingAdmissionPolicy')],
      bindings: [binding({ validationActions: undefined })],
    };
    return policiesLetJoin.judge(readPolicies(NONE, mutating, AROUND), undefined)[0]?.result ?? '';
  };

  it('neither refuses nor changes what machines ask for', () => {
    assert.equal(
      judged({ applyConfiguration: { expression: 'Object{spec: Object.spec{expirationSeconds: 60}}' } }),
      'unmet',
    );
    assert.equal(
      judged({ jsonPatch: { expression: '[JSONPatch{op: "add", path: "/spec/usages/-", value: "any"}]' } }),
      'unmet',
    );
    assert.equal(
      judged({
        applyConfiguration: { expression: 'Object{metadata: Object.metadata{labels: {"a": object.spec.signerName}}}' },
      }),
      'met',
    );
    const denying = readPolicies({ policies: [policy({})], bindings: [binding()] }, NONE, AROUND);
    assert.deepEqual(
      policiesLetJoin.judge(denying, undefined).map(({ result, seen }) => `${result}: ${seen}`),
      ['unmet: it refuses create certificatesigningrequests (validation 1 is false)'],
    );
    assert.deepEqual(policiesLetJoin.judge([], undefined), []);
  });

  it('changes what a binding has it change, and its conditions let through', () => {
    const mutation = { applyConfiguration: { expression: 'Object{spec: Object.spec{expirationSeconds: 60}}' } };
    const changes = (spec: object, bindings: readonly KubeObject[]): number =>
      readPolicies(
        NONE,
        { policies: [policy({ mutations: [mutation], ...spec }, 'MutatingAdmissionPolicy')], bindings },
        AROUND,
      )[0]?.changes.length ?? -1;
    assert.equal(changes({}, [binding()]), 1);
    assert.equal(changes({}, []), 0);
    assert.equal(changes({}, [binding({ policyName: 'b' })]), 0);
    assert.equal(changes({ mutations: [] }, [binding()]), 0);
    const when = (expression: string): object => ({ matchConditions: [{ name: 'a', expression }] });
    assert.equal(changes(when('true'), [binding()]), 1);
    assert.equal(changes(when('false'), [binding()]), 0);
    // nobody knows what parameters say
    assert.equal(changes(when('params.on'), [binding()]), 0);
  });

  it('is told with all that it does', () => {
    const mutation = { applyConfiguration: { expression: 'Object{spec: Object.spec{expirationSeconds: 60}}' } };
    const { kind: _, ...nameless } = policy({ mutations: [mutation] });
    const seen = policiesLetJoin
      .judge(
        [
          ...readPolicies({ policies: [nameless], bindings: [binding()] }, NONE, AROUND),
          { subject: 'a', refuses: ['b', 'c'], changes: ['d', 'e'] },
        ],
        undefined,
      )
      .map((one) => `${one.subject}: ${one.demanded}: ${one.seen}`);
    const demanded = 'neither refuses nor changes what machines ask for that join';
    assert.deepEqual(seen, [
      `AdmissionPolicy a: ${demanded}: it refuses create certificatesigningrequests (validation 1 is false)`,
      `a: ${demanded}: it refuses b, c; it changes d, e`,
    ]);
  });
});

it('workers are Nodes without a role of a control plane, by its newer name or its older one', () => {
  const [worker, other] = [{ a: 'b' }, {}];
  const labels = [
    worker,
    { 'node-role.kubernetes.io/control-plane': '' },
    { 'node-role.kubernetes.io/master': '' },
    { 'node-role.kubernetes.io/control-plane': '', 'node-role.kubernetes.io/master': '' },
    other,
  ];
  assert.deepEqual(labelsOfWorkers(labels.map((one) => ({ labels: one }))), [worker, other]);
});
