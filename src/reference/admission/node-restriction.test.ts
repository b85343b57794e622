import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AdmissionAttributes } from '../../apiserver/access.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import { generateKey } from '../../pki/keys.js';
import { createRequest } from '../../pki/request.js';
import { grant, nodeUser, put, type TestWorld, testWorld } from '../world.test.js';
import { nodeRestriction } from './node-restriction.js';

const attributes = (given: Partial<AdmissionAttributes>): AdmissionAttributes => ({
  operation: 'CREATE',
  user: nodeUser('n1'),
  group: '',
  version: 'v1',
  resource: 'nodes',
  subresource: '',
  namespace: '',
  name: '',
  dryRun: false,
  ...given,
});

/** Why a write is refused, without the words before it; 'allowed' where it is not. */
function refusal(world: TestWorld, given: Partial<AdmissionAttributes>): string {
  try {
    nodeRestriction(world).mutate?.(attributes(given));
    return 'allowed';
  } catch (error) {
    assert.ok(error instanceof Error);
    return error.message.replace(/^[^:]*is forbidden: /, '');
  }
}

const node = (labels: Record<string, string> = {}, spec: object = {}, name = 'n1'): KubeObject => ({
  kind: 'Node',
  metadata: { name, labels },
  spec,
});

test('a node registers itself, with the labels that are its own to give', () => {
  const world = testWorld();
  const create = (object: KubeObject): string => refusal(world, { object, name: object.metadata.name ?? '' });
  assert.equal(
    create(
      node({
        'kubernetes.io/os': 'linux',
        'example.com/x': 'y',
        'node.kubernetes.io/z': '',
        'a.kubelet.kubernetes.io/b': '',
      }),
    ),
    'allowed',
  );
  assert.equal(create(node({}, {}, 'n2')), 'node "n1" is not allowed to modify node "n2"');
  for (const label of [
    'node-restriction.kubernetes.io/x',
    'a.node-restriction.kubernetes.io/x',
    'node-role.kubernetes.io/control-plane',
    'k8s.io/x',
    'kubernetes.io/foo',
  ]) {
    assert.equal(create(node({ [label]: '' })), `node "n1" is not allowed to set the following labels: ${label}`);
  }
  assert.equal(
    create(node({}, { configSource: {} })),
    'node "n1" is not allowed to create pods with a non-nil configSource',
  );
});

test('a node changes neither its taints nor its owners nor foreign labels', () => {
  const old: KubeObject = { ...node({ 'kubernetes.io/foo': 'a' }, { taints: [{ key: 't', effect: 'NoSchedule' }] }) };
  const update = (change: (object: KubeObject) => KubeObject, minor = 36): string =>
    refusal(testWorld(minor), { operation: 'UPDATE', name: 'n1', object: change(old), old });
  const meta = (more: object) => (object: KubeObject) => ({ ...object, metadata: { ...object.metadata, ...more } });
  assert.equal(update(meta({ annotations: { a: 'b' } })), 'allowed');
  assert.equal(
    update((object) => ({ ...object, spec: {} })),
    'node "n1" is not allowed to modify taints',
  );
  assert.equal(update(meta({ labels: {} })), 'is not allowed to modify labels: kubernetes.io/foo');
  const owned = meta({ ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'x', uid: 'u' }] });
  assert.equal(update(owned), 'node "n1" is not allowed to modify ownerReferences');
  assert.equal(update(owned, 30), 'allowed');
});

test('a node makes mirror pods of its own only', () => {
  const world = testWorld();
  const { metadata } = put(world, '', 'nodes', { metadata: { name: 'n1' } });
  const owner = { apiVersion: 'v1', kind: 'Node', name: 'n1', uid: metadata.uid ?? '', controller: true };
  const create = (spec: object = {}, meta: object = {}, minor = 36): string =>
    refusal(
      { ...world, minor },
      {
        resource: 'pods',
        namespace: 'ns',
        object: {
          metadata: {
            name: 'p',
            annotations: { 'kubernetes.io/config.mirror': 'x' },
            ownerReferences: [owner],
            ...meta,
          },
          spec: { nodeName: 'n1', containers: [], ...spec },
        },
      },
    );
  assert.equal(create(), 'allowed');
  assert.equal(
    create({}, { annotations: {} }),
    'pod does not have "kubernetes.io/config.mirror" annotation, node "n1" can only create mirror pods',
  );
  assert.equal(create({ nodeName: 'n2' }), 'node "n1" can only create pods with spec.nodeName set to itself');
  assert.equal(
    create({}, { ownerReferences: [] }),
    'node "n1" can only create pods with an owner reference set to itself',
  );
  assert.equal(
    create({}, { ownerReferences: [owner, owner] }),
    'node "n1" can only create pods with a single owner reference set to itself',
  );
  assert.equal(
    create({}, { ownerReferences: [{ ...owner, controller: false }] }),
    'node "n1" can only create pods with a controller owner reference set to itself',
  );
  assert.equal(
    create({}, { ownerReferences: [{ ...owner, blockOwnerDeletion: true }] }),
    'node "n1" must not set blockOwnerDeletion on an owner reference',
  );
  assert.equal(
    create({}, { ownerReferences: [{ ...owner, uid: 'x' }] }),
    `node n1 UID mismatch: expected x got ${metadata.uid}`,
  );
  const reference = (what: string): string => `node "n1" can not create pods that reference ${what}`;
  assert.equal(create({ serviceAccountName: 'sa' }), reference('serviceaccounts'));
  assert.equal(create({ serviceAccountName: 'sa' }, {}, 33), reference('a service account'));
  assert.equal(create({ volumes: [{ name: 'v', secret: { secretName: 's' } }] }), reference('secrets'));
  assert.equal(create({ volumes: [{ name: 'v', csi: { driver: 'd' } }] }), reference('csidrivers (via CSI volumes)'));
  assert.equal(create({ volumes: [{ name: 'v', csi: { driver: 'd' } }] }, {}, 33), 'allowed');
  assert.equal(create({ volumes: [{ name: 'v', hostPath: { path: '/' } }] }), 'allowed');
});

test('a node deletes and evicts what runs on it', () => {
  const world = testWorld();
  put(world, '', 'pods', { metadata: { namespace: 'ns', name: 'mine' }, spec: { nodeName: 'n1' } });
  put(world, '', 'pods', { metadata: { namespace: 'ns', name: 'other' }, spec: { nodeName: 'n2' } });
  const remove = (name: string) => refusal(world, { operation: 'DELETE', resource: 'pods', namespace: 'ns', name });
  const evict = (name: string) =>
    refusal(world, {
      resource: 'pods',
      subresource: 'eviction',
      namespace: 'ns',
      name,
      object: { metadata: { name } },
    });
  assert.equal(remove('mine'), 'allowed');
  assert.equal(remove('other'), 'node "n1" can only delete pods with spec.nodeName set to itself');
  assert.equal(remove('none'), 'pod "none" not found');
  assert.equal(evict('mine'), 'allowed');
  assert.equal(evict('other'), 'node n1 can only evict pods with spec.nodeName set to itself');
});

test('a node asks for tokens of its pods and of the audiences that they mount', () => {
  const world = testWorld();
  const volumes = [{ name: 't', projected: { sources: [{ serviceAccountToken: { audience: 'aud', path: 't' } }] } }];
  const pod = put(world, '', 'pods', { metadata: { namespace: 'ns', name: 'p' }, spec: { nodeName: 'n1', volumes } });
  const bound = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: pod.metadata.uid };
  const token = (spec: object, minor = 36): string =>
    refusal(
      { ...world, minor },
      {
        resource: 'serviceaccounts',
        subresource: 'token',
        namespace: 'ns',
        name: 'sa',
        object: { metadata: {}, spec },
      },
    );
  assert.equal(token({ audiences: ['aud'], boundObjectRef: bound }), 'allowed');
  assert.equal(token({}), 'node requested token not bound to a pod');
  assert.equal(
    token({ boundObjectRef: { ...bound, uid: '' } }),
    'node requested token with a pod binding without a uid',
  );
  assert.equal(token({ audiences: ['a', 'b'], boundObjectRef: bound }), 'node may only request 0 or 1 audiences');
  const other =
    'audience "x" not found in pod spec volume, system:node:n1 is not authorized to request tokens for this audience';
  assert.equal(token({ audiences: ['x'], boundObjectRef: bound }), other);
  assert.equal(token({ audiences: ['x'], boundObjectRef: bound }, 32), 'allowed');
});

test('a node asks the kubelet signers for its own name only, from 1.31 on', () => {
  const key = generateKey('ECDSA-P256');
  const request = (commonName: string): string =>
    Buffer.from(createRequest({ subject: { commonName, organizations: ['system:nodes'] }, key }).pem).toString(
      'base64',
    );
  const csr = (signerName: string, text: string, minor = 36): string =>
    refusal(testWorld(minor), {
      group: 'certificates.k8s.io',
      resource: 'certificatesigningrequests',
      object: { metadata: { name: 'c' }, spec: { signerName, request: text } },
    });
  const signer = 'kubernetes.io/kube-apiserver-client-kubelet';
  assert.equal(csr(signer, request('system:node:n1')), 'allowed');
  assert.equal(csr(signer, request('system:node:n2')), 'can only create a node CSR with CN=system:node:n1');
  assert.equal(csr(signer, request('system:node:n2'), 30), 'allowed');
  assert.equal(csr(signer, 'eA=='), 'unable to parse csr: PEM block type must be CERTIFICATE REQUEST');
  assert.equal(csr('example.com/x', 'eA=='), 'allowed');
});

test('who is no node is not looked at; who is one without a name is refused', () => {
  const world = testWorld();
  const object = node({ 'kubernetes.io/foo': '' }, {}, 'n9');
  assert.equal(refusal(world, { object, user: { username: 'system:node:n1', groups: [] } }), 'allowed');
  assert.equal(refusal(world, { object, user: nodeUser('') }), 'could not determine node from user "system:node:"');
});

// Source: plugin/pkg/admission/noderestriction/admission.go.
test('a node writes of its Pods only what it sees of them', () => {
  const pod = (status: object = {}, metadata: object = {}, nodeName = 'n1'): KubeObject => ({
    metadata: { name: 'p', namespace: 'ns', ...metadata },
    spec: { nodeName },
    status,
  });
  const update = (object: KubeObject, old = pod(), minor = 36): string =>
    refusal(testWorld(minor), { operation: 'UPDATE', resource: 'pods', subresource: 'status', name: 'p', object, old });
  const own = 'node "n1" can only update pod status for pods with spec.nodeName set to itself';
  assert.equal(update(pod({ phase: 'Running' })), 'allowed');
  assert.equal(update(pod(), pod({}, {}, 'n2')), own);
  assert.equal(update(pod(), pod({}, {}, '')), own);
  const labels = 'node "n1" cannot update labels through pod status';
  assert.equal(update(pod({}, { labels: { a: 'b' } })), labels);
  assert.equal(update(pod(), pod({}, { labels: { a: 'b' } })), labels);
  assert.equal(update(pod({}, { labels: {} })), 'allowed');
  assert.equal(update(pod({}, { labels: { a: 'b' } }), pod({}, { labels: { a: 'b' } })), 'allowed');
  const claims = (name: string): object => ({ resourceClaimStatuses: [{ name: 'c', resourceClaimName: name }] });
  const refused = 'node "n1" cannot update resource claim statues';
  assert.equal(update(pod(claims('x'))), refused);
  assert.equal(update(pod(claims('x')), pod(claims('y'))), refused);
  assert.equal(update(pod(claims('x')), pod(claims('x'))), 'allowed');
  const extended = pod({ extendedResourceClaimStatus: { resourceClaimName: 'x' } });
  assert.equal(update(extended), 'node "n1" cannot update extended resource claim status');
  assert.equal(update(extended, extended), 'allowed');
  assert.equal(update(extended, pod(), 34), 'node "n1" cannot update extended resource claim status');
  assert.equal(update(extended, pod(), 33), 'allowed');
});

test('a node does nothing else with Pods', () => {
  const world = testWorld();
  const of = (operation: AdmissionAttributes['operation'], subresource = ''): string =>
    refusal(world, { operation, resource: 'pods', subresource, namespace: 'ns', name: 'p', object: { metadata: {} } });
  assert.equal(of('UPDATE'), 'unexpected operation "UPDATE", node "n1" can only create and delete mirror pods');
  assert.equal(of('CREATE', 'status'), 'unexpected operation "CREATE"');
  assert.equal(of('UPDATE', 'eviction'), 'unexpected operation UPDATE');
  assert.equal(
    of('CREATE', 'binding'),
    `unexpected pod subresource "binding", only 'status' and 'eviction' are allowed`,
  );
  assert.equal(refusal(world, { resource: 'pods', namespace: 'ns', name: 'p' }), 'unexpected type <nil>');
  const evicted = (name: string, inBody: string): string =>
    refusal(world, {
      resource: 'pods',
      subresource: 'eviction',
      namespace: 'ns',
      name,
      object: { metadata: { name: inBody } },
    });
  put(world, '', 'pods', { metadata: { namespace: 'ns', name: 'mine' }, spec: { nodeName: 'n1' } });
  assert.equal(evicted('', ''), 'could not determine pod from request data');
  assert.equal(evicted('', 'mine'), 'allowed');
  assert.equal(evicted('mine', 'none'), 'allowed');
  assert.equal(evicted('none', 'mine'), 'pod "none" not found');
});

test('a node says of a claim what it did to the volume', () => {
  const claim = (more: object = {}, status: object = {}, metadata: object = {}): KubeObject => ({
    metadata: { name: 'c', ...metadata },
    spec: { volumeName: 'v' },
    status: { phase: 'Bound', ...status },
    ...more,
  });
  const write = (object: KubeObject, given: Partial<AdmissionAttributes> = {}): string =>
    refusal(testWorld(), {
      ...{ operation: 'UPDATE', resource: 'persistentvolumeclaims', subresource: 'status', object, old: claim() },
      ...given,
    });
  const differs =
    'node "n1" is not allowed to update fields other than status.quantity and status.conditions: the objects differ';
  for (const key of ['capacity', 'conditions', 'allocatedResourceStatuses', 'allocatedResources'])
    assert.equal(write(claim({}, { [key]: ['x'] })), 'allowed', key);
  assert.equal(write(claim({}, {}, { resourceVersion: '7', managedFields: [] })), 'allowed');
  assert.equal(write(claim({}, { phase: 'Lost' })), differs);
  assert.equal(write(claim({ spec: {} })), differs);
  assert.equal(write(claim({}, {}, { labels: { a: 'b' } })), differs);
  assert.equal(write(claim(), { subresource: '' }), 'may only update PVC status');
  assert.equal(write(claim(), { operation: 'CREATE' }), 'unexpected operation "CREATE"');
});

test('a node has one lease, one list of drivers, and slices of its own', () => {
  const world = testWorld();
  const named = (name: string, spec: object = {}): KubeObject => ({ metadata: { name }, spec });
  const lease = (operation: AdmissionAttributes['operation'], name: string, namespace = 'kube-node-lease'): string =>
    refusal(world, {
      ...{ operation, group: 'coordination.k8s.io', resource: 'leases', namespace },
      ...(operation === 'CREATE' ? { object: named(name) } : { name, object: named('n1') }),
    });
  const drivers = (operation: AdmissionAttributes['operation'], name: string): string =>
    refusal(world, {
      ...{ operation, group: 'storage.k8s.io', resource: 'csinodes' },
      ...(operation === 'CREATE' ? { object: named(name) } : { name, object: named('n1') }),
    });
  for (const operation of ['CREATE', 'UPDATE', 'DELETE'] as const) {
    assert.equal(lease(operation, 'n1'), 'allowed');
    assert.equal(lease(operation, 'n2'), 'can only access node lease with the same name as the requesting node');
    assert.equal(lease(operation, 'n1', 'ns'), 'can only access leases in the "kube-node-lease" system namespace');
    assert.equal(drivers(operation, 'n1'), 'allowed');
    assert.equal(drivers(operation, 'n2'), 'can only access CSINode with the same name as the requesting node');
  }
  const slice = (operation: AdmissionAttributes['operation'], now?: string, before?: string): string =>
    refusal(world, {
      ...{ operation, group: 'resource.k8s.io', resource: 'resourceslices', name: 's' },
      ...(now === undefined ? {} : { object: named('s', { nodeName: now }) }),
      ...(before === undefined ? {} : { old: named('s', { nodeName: before }) }),
    });
  const other = (verb: string): string =>
    `can only ${verb} ResourceSlice with the same NodeName as the requesting node`;
  assert.deepEqual([slice('CREATE', 'n1'), slice('DELETE', undefined, 'n1')], ['allowed', 'allowed']);
  assert.equal(slice('CREATE', 'n2'), other('create'));
  assert.equal(slice('CREATE', 'n2', 'n1'), other('create'));
  assert.equal(slice('DELETE', 'n1', 'n2'), other('delete'));
  assert.equal(slice('UPDATE', 'n2', 'n2'), 'allowed');
  assert.equal(
    refusal(world, { group: 'certificates.k8s.io', resource: 'podcertificaterequests' }),
    'PodCertificateRequest feature gate is disabled',
  );
});

test('a node asks for tokens of audiences that the drivers of its volumes want', () => {
  const world = testWorld();
  put(world, 'storage.k8s.io', 'csidrivers', {
    metadata: { name: 'd' },
    spec: { tokenRequests: [{ audience: 'aud' }] },
  });
  put(world, '', 'persistentvolumes', { metadata: { name: 'v' }, spec: { csi: { driver: 'd' } } });
  for (const name of ['c', 'p-eph'])
    put(world, '', 'persistentvolumeclaims', { metadata: { namespace: 'ns', name }, spec: { volumeName: 'v' } });
  const token = (volumes: readonly object[], audience = 'aud'): string => {
    const name = 'p';
    world.store.delete({ group: '', resource: 'pods' }, 'ns', name);
    const pod = put(world, '', 'pods', { metadata: { namespace: 'ns', name }, spec: { nodeName: 'n1', volumes } });
    const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name, uid: pod.metadata.uid };
    const object = { metadata: {}, spec: { audiences: [audience], boundObjectRef } };
    return refusal(world, { resource: 'serviceaccounts', subresource: 'token', namespace: 'ns', name: 'sa', object });
  };
  put(world, '', 'pods', { metadata: { namespace: 'ns', name: 'p' } });
  const none = (audience: string): string =>
    `audience "${audience}" not found in pod spec volume, system:node:n1 is not authorized to request tokens for this audience`;
  for (const volume of [
    { csi: { driver: 'd' } },
    { persistentVolumeClaim: { claimName: 'c' } },
    { ephemeral: { volumeClaimTemplate: {} } },
  ]) {
    assert.equal(
      token([
        { name: 'x', emptyDir: {} },
        { name: 'eph', ...volume },
      ]),
      'allowed',
    );
    assert.equal(token([{ name: 'eph', ...volume }], 'x'), none('x'));
  }
  assert.equal(token([]), none('aud'));
  const failed = (what: string): string => `error validating audience "aud": ${what} not found`;
  assert.equal(token([{ name: 'x', csi: { driver: 'e' } }]), failed('csidriver.storage.k8s.io "e"'));
  assert.equal(
    token([{ name: 'x', persistentVolumeClaim: { claimName: 'none' } }]),
    failed('persistentvolumeclaim "none"'),
  );
  put(world, '', 'persistentvolumeclaims', { metadata: { namespace: 'ns', name: 'f' }, spec: { volumeName: 'w' } });
  assert.equal(token([{ name: 'x', persistentVolumeClaim: { claimName: 'f' } }]), failed('persistentvolume "w"'));
  const right = { verbs: ['request-serviceaccounts-token-audience'], apiGroups: [''], resources: ['aud'] };
  grant(world, 'auds', [right], [{ kind: 'Group', name: 'system:nodes' }]);
  assert.equal(token([]), 'allowed');
});
