import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createAuthority, issueCredential } from '../pki/authority.js';
import { base64 } from './json.js';
import type { KubeObject } from './objects.js';
import {
  DECOY_KUBECONFIG,
  EXPIRES_ANNOTATION,
  expiryOf,
  LIFETIME_MS,
  NO_IMAGE,
  ownership,
  RUN_LABEL,
} from './own-objects.js';
import { type Resource, resources } from './resources.js';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const time = (at: number): string => new Date(at).toISOString().replace('.000', '');
/** As joinproof marks it, half an hour ago. */
const marked = (name: string, more: Partial<KubeObject['metadata']> = {}): KubeObject['metadata'] => ({
  name,
  namespace: 'kube-system',
  labels: { [RUN_LABEL]: 'abcdefghij' },
  annotations: { [EXPIRES_ANNOTATION]: time(NOW + LIFETIME_MS / 2) },
  creationTimestamp: time(NOW - LIFETIME_MS / 2),
  ...more,
});
const token = (data: Record<string, string>, metadata = marked('bootstrap-token-abcdef')): KubeObject => ({
  metadata,
  type: 'bootstrap.kubernetes.io/token',
  data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, base64(value)])),
});
const sound = token({ description: 'made by joinproof' });
const whose = (object: KubeObject, resource: Resource = resources.secrets, run?: string): string =>
  ownership(resource, object, { now: NOW, run });

describe('what is of joinproof’s making', () => {
  it('is its own while it has not expired, and longer for its own run', () => {
    assert.equal(whose(sound), 'own');
    const metadata = marked('bootstrap-token-abcdef', { creationTimestamp: time(NOW - 2 * LIFETIME_MS) });
    assert.equal(whose({ ...sound, metadata }), 'expired');
    assert.equal(whose({ ...sound, metadata }, resources.secrets, 'abcdefghij'), 'own');
    assert.equal(whose({ ...sound, metadata }, resources.secrets, 'anotherrun'), 'expired');
  });

  it('never expires later than an hour after the API server has created it', () => {
    const annotations = { [EXPIRES_ANNOTATION]: '2099-01-01T00:00:00Z' };
    assert.equal(expiryOf({ metadata: marked('x', { annotations }) }), NOW + LIFETIME_MS / 2);
  });

  it('is a token that says so, or one that lives for an hour at most', () => {
    assert.equal(whose(token({ expiration: time(NOW) })), 'own');
    assert.equal(whose(token({ expiration: time(NOW + LIFETIME_MS) })), 'foreign');
    assert.equal(whose(token({ expiration: 'never' })), 'foreign');
    assert.equal(whose(token({})), 'foreign');
  });

  it('is a binding of a role for joining to a group of its own', () => {
    const binding = (group: string, role = 'system:node-bootstrapper'): KubeObject => ({
      metadata: marked('jp-abcdefghij'),
      subjects: [{ kind: 'Group', name: group }],
      roleRef: { kind: 'ClusterRole', name: role },
    });
    const kind = resources.clusterRoleBindings;
    assert.equal(whose(binding('system:bootstrappers:jp-abcde'), kind), 'own');
    assert.equal(whose(binding('system:bootstrappers'), kind), 'foreign');
    assert.equal(whose(binding('system:bootstrappers:jp-abcde', 'cluster-admin'), kind), 'foreign');
  });

  it('is a certificate request, of a name that is no DNS name as well', () => {
    const kind = resources.certificateSigningRequests;
    for (const name of ['jp-abcdefghij', 'jp-abcdefghij-aB_C-9Z', 'jp-abcdefghij:csr'])
      assert.equal(whose({ metadata: marked(name) }, kind), 'own', name);
    for (const name of ['csr-abcde', 'jp-abcdefghij:other', 'node-csr-aB_C-9Z', ':csr'])
      assert.equal(whose({ metadata: marked(name) }, kind), 'foreign', name);
  });

  it('is a Pod that runs nothing, in the namespace default', () => {
    const none = { image: 'registry.invalid/joinproof/nothing' };
    const pod = (namespace: string, ...containers: readonly object[]): KubeObject => ({
      metadata: marked('jp-abcdefghij', { namespace }),
      spec: { containers },
    });
    const kind = resources.pods;
    const image = { image: NO_IMAGE };
    assert.equal(whose(pod('default', image), kind), 'own');
    assert.equal(whose(pod('default', image, image), kind), 'own');
    for (const other of [none, { image: 'nginx' }, {}]) {
      assert.equal(whose(pod('default', other), kind), 'foreign');
      assert.equal(whose(pod('default', image, other), kind), 'foreign');
    }
    assert.equal(whose(pod('kube-system', image), kind), 'foreign');
    for (const list of ['initContainers', 'ephemeralContainers']) {
      const beside = (other: object): KubeObject => {
        const { spec, ...more } = pod('default', image);
        return { ...more, spec: { ...(spec as object), [list]: [image, other] } };
      };
      assert.equal(whose(beside(image), kind), 'own', list);
      assert.equal(whose(beside(none), kind), 'foreign', list);
    }
  });

  it('is a Node without a kubelet', () => {
    const node = (status: object): KubeObject => ({ metadata: marked('jp-abcdefghij'), status }) as KubeObject;
    assert.equal(whose(node({}), resources.nodes), 'own');
    assert.equal(whose(node({ nodeInfo: { kubeletVersion: '' } }), resources.nodes), 'own');
    assert.equal(whose(node({ nodeInfo: { kubeletVersion: 'v1.36.0' } }), resources.nodes), 'foreign');
  });

  it('is a ConfigMap with a kubeconfig that leads nowhere, signed or not, or one without data', () => {
    const map = (name: string, namespace: string, data?: object): KubeObject =>
      ({ metadata: marked(name, { namespace }), ...(data === undefined ? {} : { data }) }) as KubeObject;
    const kind = resources.configMaps;
    const kubeconfig = DECOY_KUBECONFIG;
    assert.equal(whose(map('jp-abcdefghij', 'default'), kind), 'own');
    assert.equal(whose(map('jp-abcdefghij', 'kube-public', { kubeconfig }), kind), 'own');
    assert.equal(whose(map('cluster-info', 'default', { kubeconfig, 'jws-kubeconfig-abcdef': 'x' }), kind), 'own');
    assert.equal(whose(map('cluster-info', 'kube-public', { kubeconfig }), kind), 'foreign');
    assert.equal(whose(map('cluster-info', 'default'), kind), 'foreign');
    assert.equal(whose(map('jp-abcdefghij', 'default', { kubeconfig, more: 'x' }), kind), 'foreign');
    assert.equal(whose(map('jp-abcdefghij', 'default', { kubeconfig: `${kubeconfig} ` }), kind), 'foreign');
    assert.equal(whose(map('jp-abcdefghij', 'production', { kubeconfig }), kind), 'foreign');
  });
});

describe('what is foreign whatever its labels say', () => {
  const cases: Readonly<Record<string, KubeObject>> = {
    'without a label': { ...sound, metadata: marked('bootstrap-token-abcdef', { labels: {} }) },
    'a label that is no run': {
      ...sound,
      metadata: marked('bootstrap-token-abcdef', { labels: { [RUN_LABEL]: 'x' } }),
    },
    'without the annotation': { ...sound, metadata: marked('bootstrap-token-abcdef', { annotations: {} }) },
    'an annotation that is no time': {
      ...sound,
      metadata: marked('bootstrap-token-abcdef', { annotations: { [EXPIRES_ANNOTATION]: 'soon' } }),
    },
    'another name': { ...sound, metadata: marked('etcd') },
    'another namespace': { ...sound, metadata: marked('bootstrap-token-abcdef', { namespace: 'production' }) },
    'an owner': {
      ...sound,
      metadata: marked('jp-abcde', { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' }] }),
    },
  };
  for (const [what, object] of Object.entries(cases)) it(what, () => assert.equal(whose(object), 'foreign'));

  it('a kind that joinproof does not make', () => {
    for (const kind of [resources.clusterRoles, resources.roleBindings, resources.services, resources.namespaces])
      assert.equal(whose({ metadata: marked('jp-abcde') }, kind), 'foreign');
  });

  it('what is called nearly as joinproof calls it', () => {
    const named: readonly (readonly [Resource, string, Partial<KubeObject>?])[] = [
      [resources.secrets, 'bootstrap-token-abcdef', sound],
      [resources.secrets, 'jp-abcdefghij'],
      [resources.certificateSigningRequests, 'jp-abcdefghij'],
      [resources.certificateSigningRequests, 'jp-abcdefghij:csr'],
      [resources.nodes, 'jp-abcdefghij'],
    ];
    for (const [kind, name, more] of named) {
      const of = (other: string): string => whose({ ...more, metadata: marked(other) }, kind);
      assert.equal(of(name), 'own', name);
      for (const like of [`x${name}`, `x-${name}`, `${name}.x`, `${name}-x`, name.toUpperCase(), name.slice(0, 3), ''])
        assert.equal(of(like), 'foreign', `${kind.kind} ${like}`);
    }
  });

  it('a request that got somebody a certificate whom joinproof asks for none', () => {
    const kind = resources.certificateSigningRequests;
    const authority = createAuthority({ commonName: 'kubernetes', key: 'ECDSA-P256', now: NOW });
    const issued = (commonName?: string, organizations: readonly string[] = []): string => {
      const subject = { ...(commonName === undefined ? {} : { commonName }), organizations };
      const { certificatePem } = issueCredential(authority, { subject, key: authority.key, now: NOW });
      return whose({ metadata: marked('jp-abcdefghij'), status: { certificate: base64(certificatePem) } }, kind);
    };
    assert.equal(issued('system:node:jp-abcde', ['system:nodes']), 'own');
    assert.equal(issued('jp-abcde', ['jp-fghij', 'jp-klmno']), 'own');
    assert.equal(issued('jp-abcde', ['jp-fghij', 'cluster-admins']), 'foreign');
    assert.equal(issued('jp-abcde', ['system:masters']), 'foreign');
    assert.equal(issued('admin', ['jp-fghij']), 'foreign');
    assert.equal(issued('system:node:worker-1', ['system:nodes']), 'foreign');
    assert.equal(issued(undefined, ['system:masters']), 'foreign');
    for (const like of [
      'x-jp-abcde',
      'team:jp-abcde',
      'system:node:x-jp-abcde',
      'system:nodes-jp-abcde',
      'jp-',
      'jp--a',
      'JP-abcde',
      'jp_abcde',
    ]) {
      assert.equal(issued(like, ['system:nodes']), 'foreign', like);
      assert.equal(issued('jp-abcde', [like]), 'foreign', like);
    }
    assert.equal(whose({ metadata: marked('jp-abcdefghij'), status: { certificate: base64('x') } }, kind), 'foreign');
  });

  it('a ConfigMap whose content is not in its data', () => {
    const object: KubeObject = {
      metadata: marked('jp-abcdefghij', { namespace: 'default' }),
      binaryData: { key: base64('x') },
    };
    assert.equal(whose(object, resources.configMaps), 'foreign');
  });

  it('what is no object at all', () => {
    for (const metadata of [undefined, null, 'x', [], { labels: 'x', annotations: 3, ownerReferences: 'y' }])
      assert.equal(whose({ metadata } as unknown as KubeObject), 'foreign');
  });
});
