import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../kubernetes/objects.js';
import { definitions, inDiscoveryOrder } from './index.js';
import { podAdmission } from './pod-admission.js';
import { changed, context, definitionOf, made } from './testing.js';

const RBAC = 'rbac.authorization.k8s.io';
const object = (
  kind: string,
  more: Readonly<Record<string, unknown>> = {},
  metadata: KubeObject['metadata'] = {},
): KubeObject => ({
  apiVersion: 'v1',
  kind,
  ...more,
  metadata: { name: 'x', namespace: 'default', ...metadata },
});
const stored = (given: KubeObject): KubeObject => ({
  ...given,
  metadata: { ...given.metadata, uid: 'u', resourceVersion: '5' },
});

test('every kind has names, verbs, a schema and as many cells as columns', () => {
  const seen = new Set<string>();
  for (const definition of definitions()) {
    const key = `${definition.resource}.${definition.group}/${definition.version}`;
    assert.ok(!seen.has(key), key);
    seen.add(key);
    assert.equal(definition.schema.type, 'object', key);
    assert.ok(definition.verbs.length > 0, key);
    assert.equal(definition.row(object(definition.kind), 0).length, definition.columns.length, key);
  }
});

test('discovery lists the core group first and resources by name', () => {
  const order = inDiscoveryOrder([...definitions()].reverse()).map(({ group, resource }) => `${group}/${resource}`);
  assert.deepEqual(order.slice(0, 3), ['/bindings', '/componentstatuses', '/configmaps']);
  assert.ok(order.indexOf('apps/deployments') < order.indexOf('rbac.authorization.k8s.io/roles'));
});

test('a minor serves the kinds that it had', () => {
  const served = (minor: number): readonly string[] =>
    inDiscoveryOrder(definitions({}, minor), minor).map(
      ({ group, version, resource }) => `${group}/${version} ${resource}`,
    );
  const added = (from: number, to: number): readonly string[] =>
    served(to).filter((kind) => !served(from).includes(kind));
  assert.deepEqual(added(25, 29), [
    'flowcontrol.apiserver.k8s.io/v1 flowschemas',
    'flowcontrol.apiserver.k8s.io/v1 prioritylevelconfigurations',
  ]);
  assert.deepEqual(added(32, 33), ['networking.k8s.io/v1 ipaddresses', 'networking.k8s.io/v1 servicecidrs']);
  assert.ok(added(33, 34).includes('resource.k8s.io/v1 resourceslices'));
  assert.deepEqual(added(36, 99), []);
  const ofPods = (minor: number): readonly string[] =>
    (definitions({}, minor).find(({ kind }) => kind === 'Pod')?.subresources ?? []).map(({ name }) => name);
  assert.deepEqual(
    ofPods(33).filter((name) => !ofPods(32).includes(name)),
    ['resize'],
  );
  assert.ok(ofPods(32).includes('ephemeralcontainers'));
  const columns = (minor: number): readonly string[] =>
    (definitions({}, minor).find(({ resource }) => resource === 'serviceaccounts')?.columns ?? []).map(
      ({ name }) => name,
    );
  assert.deepEqual(
    [columns(33), columns(35)],
    [
      ['Name', 'Secrets', 'Age'],
      ['Name', 'Age'],
    ],
  );
});

test('a Secret takes its stringData into its data', () => {
  const { object: secret, errors } = made(
    definitionOf('secrets'),
    object('Secret', { data: { a: 'YQ==', b: 'Yg==' }, stringData: { a: 'new' } }),
  );
  assert.deepEqual(errors, []);
  assert.deepEqual(secret.data, { a: 'bmV3', b: 'Yg==' });
  assert.equal(secret.type, 'Opaque');
  assert.equal(secret.stringData, undefined);
});

test('typed Secrets need their keys', () => {
  const faults = (type: string, more: Readonly<Record<string, unknown>> = {}): readonly string[] =>
    made(definitionOf('secrets'), object('Secret', { type, ...more })).errors;
  assert.deepEqual(faults('kubernetes.io/tls'), ['data[tls.crt]: Required value', 'data[tls.key]: Required value']);
  assert.deepEqual(faults('kubernetes.io/service-account-token'), [
    'metadata.annotations[kubernetes.io/service-account.name]: Required value',
  ]);
  assert.deepEqual(faults('kubernetes.io/dockerconfigjson', { stringData: { '.dockerconfigjson': '[]' } }), [
    'data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": json: cannot unmarshal array ' +
      'into Go value of type map[string]interface {}',
  ]);
  assert.deepEqual(faults('bootstrap.kubernetes.io/token'), []);
});

test('type and immutable data of a Secret stay', () => {
  const definition = definitionOf('secrets');
  const old = stored(object('Secret', { type: 'a/b', immutable: true, data: { a: 'YQ==' } }));
  assert.deepEqual(changed(definition, { ...old, type: 'c/d', immutable: false, data: {} }, old).errors, [
    'type: Invalid value: "c/d": field is immutable',
    'immutable: Forbidden: field is immutable when `immutable` is set',
    'data: Forbidden: field is immutable when `immutable` is set',
  ]);
});

test('a ConfigMap of more than a mebibyte is too long as a whole', () => {
  const config = definitionOf('configmaps');
  assert.deepEqual(made(config, object('ConfigMap', { data: { a: 'x'.repeat(1048576) } })).errors, []);
  assert.deepEqual(made(config, object('ConfigMap', { data: { a: 'x'.repeat(1048577) } })).errors, [
    '[]: Too long: may not be more than 1048576 bytes',
  ]);
});

test('metadata: a bad label is listed once on creation, at each of four looks on a change', () => {
  const config = definitionOf('configmaps');
  const bad = object('ConfigMap', {}, { labels: { 'a b': 'c' } });
  assert.equal(made(config, bad).errors.length, 1);
  const old = stored(object('ConfigMap'));
  const errors = changed(config, { ...old, metadata: { ...old.metadata, labels: { 'a b': 'c' } } }, old).errors;
  assert.equal(new Set(errors).size, 1);
  assert.equal(errors.length, 4);
  assert.match(errors[0] ?? '', /^metadata\.labels: Invalid value: "a b": name part must consist of/);
});

test('metadata: finalizers, owners and immutable fields', () => {
  const config = definitionOf('configmaps');
  assert.deepEqual(made(config, object('ConfigMap', {}, { finalizers: ['x'] })).errors, [
    'metadata.finalizers[0]: Invalid value: "x": name is neither a standard finalizer name nor is it fully qualified',
  ]);
  const old = {
    ...stored(object('ConfigMap')),
    metadata: { ...stored(object('ConfigMap')).metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
  };
  const errors = changed(
    config,
    { ...old, metadata: { ...old.metadata, uid: 'v', finalizers: ['a.b/c'] } },
    old,
  ).errors;
  assert.ok(errors.includes('metadata.uid: Invalid value: "v": field is immutable'));
  assert.ok(errors.some((error) => error.endsWith('found new finalizers []string{"a.b/c"}')));
});

test('a Namespace is held by its finalizer and named by its label', () => {
  const namespaces = definitionOf('namespaces');
  const { object: namespace, errors } = made(namespaces, { ...object('Namespace'), metadata: { name: 'x' } });
  assert.deepEqual(errors, []);
  assert.deepEqual(namespace.spec, { finalizers: ['kubernetes'] });
  assert.deepEqual(namespace.status, { phase: 'Active' });
  assert.deepEqual(namespace.metadata.labels, { 'kubernetes.io/metadata.name': 'x' });
  assert.equal(namespaces.strategy.beforeDelete?.(namespace, context()), false);
  assert.equal(namespaces.strategy.beforeDelete?.({ ...namespace, spec: {} }, context()), true);
  assert.equal(namespaces.refuseFieldLabel?.('metadata.namespace'), 'field label not supported: metadata.namespace');
});

test('RBAC: rules, references and subjects', () => {
  assert.deepEqual(
    made(definitionOf('roles', RBAC), object('Role', { rules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }, {}] }))
      .errors,
    [
      'rules[0].nonResourceURLs: Invalid value: ["/x"]: namespaced rules cannot apply to non-resource URLs',
      'rules[1].verbs: Required value: verbs must contain at least one value',
      'rules[1].apiGroups: Required value: resource rules must supply at least one api group',
      'rules[1].resources: Required value: resource rules must supply at least one resource',
    ],
  );
  const bindings = definitionOf('rolebindings', RBAC);
  const { object: binding, errors } = made(
    bindings,
    object('RoleBinding', {
      roleRef: { kind: 'Role', name: 'r' },
      subjects: [
        { kind: 'Group', name: 'g' },
        { kind: 'ServiceAccount', name: 's' },
      ],
    }),
  );
  assert.deepEqual(errors, []);
  assert.deepEqual(binding.roleRef, { apiGroup: RBAC, kind: 'Role', name: 'r' });
  assert.deepEqual(binding.subjects, [
    { kind: 'Group', apiGroup: RBAC, name: 'g' },
    { kind: 'ServiceAccount', name: 's' },
  ]);
  const old = stored(binding);
  assert.deepEqual(
    changed(bindings, { ...old, roleRef: { apiGroup: RBAC, kind: 'Role', name: 'other' } }, old).errors,
    [
      'roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"other"}: ' +
        'cannot change roleRef',
    ],
  );
});

test('CSINodes: drivers have names, nodes and keys, and keep them', () => {
  const nodes = definitionOf('csinodes', 'storage.k8s.io');
  const node = (...drivers: readonly object[]): KubeObject => ({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    metadata: { name: 'n' },
    spec: { drivers },
  });
  const good = { name: 'a.example.com', nodeID: 'n', topologyKeys: ['k'], allocatable: { count: 3 } };
  assert.deepEqual(made(nodes, node(good)).errors, []);
  assert.deepEqual(made(nodes, node({ name: '', nodeID: '' }, good, { ...good, allocatable: { count: -1 } })).errors, [
    'spec.drivers[0].name: Required value',
    'spec.drivers[0].nodeID: Required value',
    'spec.drivers[2].allocatable.count: Invalid value: -1: must be greater than or equal to 0',
    'spec.drivers[2].name: Duplicate value: "a.example.com"',
  ]);
  assert.match(
    String(made(nodes, node({ ...good, topologyKeys: ['a:b'] })).errors),
    /^spec\.drivers\[0\]: .*name part/,
  );
  const old = stored(node(good));
  const errors = (driver: object): unknown => changed(nodes, { ...old, spec: { drivers: [driver] } }, old).errors;
  assert.deepEqual(errors({ ...good, allocatable: { count: 4 } }), []);
  assert.deepEqual(errors({ ...good, nodeID: 'm' }), [
    'spec.drivers: Invalid value: {"Name":"a.example.com","NodeID":"m","TopologyKeys":["k"],"Allocatable":null}: ' +
      'field is immutable',
  ]);
});

test('RBAC: groups of subjects are a matter of decision', () => {
  const given = {
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'view' },
    subjects: [{ kind: 'Group', apiGroup: `${RBAC}/v1`, name: 'g' }],
  };
  const binding = { ...object('ClusterRoleBinding', given), metadata: { name: 'x' }, apiVersion: `${RBAC}/v1` };
  assert.equal(made(definitionOf('clusterrolebindings', RBAC), binding).errors.length, 1);
  assert.deepEqual(
    made(definitionOf('clusterrolebindings', RBAC, { subjectGroups: () => [RBAC, `${RBAC}/v1`] }), binding).errors,
    [],
  );
});

test('RBAC: writes are put to the hooks first', () => {
  const asked: string[] = [];
  const roles = definitionOf('roles', RBAC, {
    confirmRoleWrite: (role, old) => void asked.push(`${role.metadata.name} ${old === undefined}`),
  });
  roles.strategy.prepareForCreate?.(object('Role'), context());
  roles.strategy.prepareForUpdate?.(object('Role'), object('Role'), context());
  assert.deepEqual(asked, ['x true', 'x false']);
});

test('a Service gets a free address, keeps it, and may not take another', () => {
  const services = definitionOf('services');
  const about = context();
  const { object: service, errors } = made(services, object('Service', { spec: { ports: [{ port: 80 }] } }), about);
  assert.deepEqual(errors, []);
  const { clusterIP, clusterIPs, type, ports } = service.spec as Readonly<Record<string, unknown>>;
  assert.match(String(clusterIP), /^10\.(9[6-9]|10\d|11[01])\./);
  assert.deepEqual(clusterIPs, [clusterIP]);
  assert.equal(type, 'ClusterIP');
  assert.deepEqual(ports, [{ protocol: 'TCP', port: 80, targetPort: 80 }]);
  const old = stored(service);
  const { clusterIP: _one, clusterIPs: _all, ...rest } = old.spec as Readonly<Record<string, unknown>>;
  assert.equal(
    ((changed(services, { ...old, spec: rest }, old).object.spec ?? {}) as { clusterIP?: string }).clusterIP,
    clusterIP,
  );
  about.store.create(
    { group: '', resource: 'services' },
    { ...service, metadata: { ...service.metadata, name: 'taken' } },
  );
  assert.throws(
    () => made(services, object('Service', { spec: { clusterIP, ports: [{ port: 80 }] } }), about),
    /provided IP is already allocated/,
  );
  assert.throws(
    () => made(services, object('Service', { spec: { clusterIP: '1.2.3.4', ports: [{ port: 80 }] } })),
    /is not in the valid range/,
  );
});

test('a Pod is given defaults, a class and, by admission, a priority and tolerations', () => {
  const pods = definitionOf('pods');
  const pod = object('Pod', {
    spec: { containers: [{ name: 'c', image: 'i:1', resources: { limits: { cpu: '1000m', memory: '1Gi' } } }] },
  });
  const { object: prepared, errors } = made(pods, pod);
  assert.deepEqual(errors, []);
  assert.deepEqual(prepared.status, { phase: 'Pending', qosClass: 'Guaranteed' });
  const { containers, restartPolicy } = prepared.spec as {
    containers: readonly Readonly<Record<string, unknown>>[];
    restartPolicy: string;
  };
  assert.equal(restartPolicy, 'Always');
  assert.equal(containers[0]?.imagePullPolicy, 'IfNotPresent');
  assert.deepEqual(containers[0]?.resources, {
    limits: { cpu: '1', memory: '1Gi' },
    requests: { cpu: '1', memory: '1Gi' },
  });

  const about = context([]);
  const asked = {
    operation: 'CREATE',
    user: about.user,
    group: '',
    version: 'v1',
    resource: 'pods',
    subresource: '',
    namespace: 'default',
    name: 'x',
    dryRun: false,
  } as const;
  const admitted = podAdmission(about.store).reduce<KubeObject>(
    (current, plugin) => plugin.mutate?.({ ...asked, object: current }) ?? current,
    pod,
  );
  const spec = admitted.spec as Readonly<Record<string, unknown>>;
  assert.equal(spec.priority, 0);
  assert.equal((spec.tolerations as readonly unknown[]).length, 2);
  const lost = { ...pod, spec: { ...(pod.spec as object), priorityClassName: 'nope' } };
  assert.throws(
    () => podAdmission(about.store)[0]?.mutate?.({ ...asked, object: lost }),
    /no PriorityClass with name nope was found/,
  );
});

test('containers, volumes and mounts of pods, grace periods and ranges of nodes are judged', () => {
  const pod = (spec: object): readonly string[] => made(definitionOf('pods'), object('Pod', { spec })).errors;
  assert.deepEqual(pod({ containers: [{ name: 'c', image: 'i', volumeMounts: [{ name: 'v', mountPath: '/v' }] }] }), [
    'spec.containers[0].volumeMounts[0].name: Not found: "v"',
  ]);
  assert.deepEqual(
    pod({ containers: [{ name: 'c' }, { name: 'c', image: 'i' }], volumes: [{ name: 'v', nfs: {}, csi: {} }] }),
    [
      'spec.volumes[0].csi: Forbidden: may not specify more than 1 volume type',
      'spec.containers[0].image: Required value',
      'spec.containers[1].name: Duplicate value: "c"',
    ],
  );
  assert.deepEqual(pod({ restartPolicy: 'Never?' }), [
    'spec.containers: Required value',
    'spec.restartPolicy: Unsupported value: "Never?": supported values: "Always", "OnFailure", "Never"',
  ]);
  const hurried = made(
    definitionOf('pods'),
    object('Pod', { spec: { containers: [{ name: 'c', image: 'i' }], terminationGracePeriodSeconds: -5 } }),
  ).object;
  assert.equal((hurried.spec as { terminationGracePeriodSeconds: number }).terminationGracePeriodSeconds, 1);
  assert.deepEqual(
    made(definitionOf('nodes'), { ...object('Node', { spec: { podCIDR: 'x' } }), metadata: { name: 'x' } }).errors,
    ['spec.podCIDRs[0]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'],
  );
});

test('a Deployment counts changes of its spec and holds its selector', () => {
  const deployments = definitionOf('deployments', 'apps');
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const given = {
    ...object('Deployment', { spec: { selector: { matchLabels: { a: 'b' } }, template }, status: { replicas: 5 } }),
    apiVersion: 'apps/v1',
  };
  const { object: deployment, errors } = made(deployments, given);
  assert.deepEqual(errors, []);
  assert.equal(deployment.metadata.generation, 1);
  assert.deepEqual(deployment.status, {});
  const old = stored(deployment);
  const scaled = changed(deployments, { ...old, spec: { ...(old.spec as object), replicas: 3 } }, old);
  assert.deepEqual(scaled.errors, []);
  assert.equal(scaled.object.metadata.generation, 2);
  assert.equal(changed(deployments, old, old).object.metadata.generation, 1);
  const other = changed(
    deployments,
    { ...old, spec: { ...(old.spec as object), selector: { matchLabels: { a: 'c' } } } },
    old,
  ).errors;
  assert.deepEqual(other, ['spec.selector: Invalid value: {"matchLabels":{"a":"c"}}: field is immutable']);
});

test('a Node keeps the status it came with, and its address range', () => {
  const nodes = definitionOf('nodes');
  const { object: node, errors } = made(nodes, {
    ...object('Node', { spec: { podCIDR: '10.1.0.0/24' }, status: { capacity: { cpu: '2000m' } } }),
    metadata: { name: 'n' },
  });
  assert.deepEqual(errors, []);
  assert.deepEqual((node.spec as { podCIDRs?: unknown }).podCIDRs, ['10.1.0.0/24']);
  assert.deepEqual((node.status as { allocatable?: unknown }).allocatable, { cpu: '2' });
  const old = stored(node);
  assert.deepEqual(
    changed(nodes, { ...old, spec: { podCIDR: '10.2.0.0/24', podCIDRs: ['10.2.0.0/24'] } }, old).errors,
    ['spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid'],
  );
});
