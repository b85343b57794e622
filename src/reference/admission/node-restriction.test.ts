import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AdmissionAttributes } from '../../apiserver/access.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import { generateKey } from '../../pki/keys.js';
import { createRequest } from '../../pki/request.js';
import { nodeUser, put, type TestWorld, testWorld } from '../world.test.js';
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
