import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AdmissionAttributes } from '../access.js';
import { createStore } from '../storage/store.js';
import { ApiError } from '../types.js';
import { namespaceLifecycle, taintNodesByCondition } from './default-admission.js';

const asked = (more: Partial<AdmissionAttributes>): AdmissionAttributes => ({
  ...{ operation: 'CREATE', group: '', version: 'v1', resource: 'pods', subresource: '', namespace: '', name: 'x' },
  ...{ user: { username: 'u', groups: [] }, object: { metadata: { name: 'x' } }, dryRun: false },
  ...more,
});

describe('objects of namespaces', () => {
  // Source: apiserver, pkg/admission/plugin/namespace/lifecycle/admission.go.
  const store = createStore();
  const NAMESPACES = { group: '', resource: 'namespaces' };
  store.create(NAMESPACES, { metadata: { name: 'there' } });
  store.create(NAMESPACES, { metadata: { name: 'going', deletionTimestamp: '2026-11-20T10:30:00Z' } });
  const { mutate } = namespaceLifecycle(store);
  const refusal = (more: Partial<AdmissionAttributes>): ApiError | undefined => {
    const attributes = asked(more);
    try {
      assert.equal(mutate?.(attributes), attributes.object);
      return undefined;
    } catch (error) {
      if (error instanceof ApiError) return error;
      throw error;
    }
  };
  const operations = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] as const;
  const codes = (more: Partial<AdmissionAttributes>): readonly (number | undefined)[] =>
    operations.map((operation) => refusal({ operation, ...more })?.code);

  it('are written where the namespace is there and not going', () => {
    assert.deepEqual(codes({ namespace: 'there' }), [undefined, undefined, undefined, undefined]);
    assert.deepEqual(codes({ namespace: 'going' }), [403, undefined, undefined, undefined]);
    assert.deepEqual(codes({ namespace: 'nowhere' }), [404, 404, undefined, 404]);
    assert.equal(refusal({ namespace: 'nowhere' })?.message, 'namespaces "nowhere" not found');
    const going = refusal({
      namespace: 'going',
      resource: 'secrets',
      name: '',
      object: { metadata: { generateName: 'y' } },
    });
    assert.equal(
      going?.message,
      'secrets "y" is forbidden: unable to create new content in namespace going because it is being terminated',
    );
    assert.deepEqual(going?.details?.causes, [
      {
        reason: 'NamespaceTerminating',
        message: 'namespace going is being terminated',
        field: 'metadata.namespace',
      },
    ]);
    assert.deepEqual([going?.reason, going?.details?.kind], ['Forbidden', 'secrets']);
  });
  it('may be reviewed anywhere, and what has no namespace needs none', () => {
    const reviews = { group: 'authorization.k8s.io', resource: 'localsubjectaccessreviews', namespace: 'nowhere' };
    assert.equal(refusal(reviews), undefined);
    assert.deepEqual(codes({ resource: 'nodes' }), [undefined, undefined, undefined, undefined]);
  });
  it('keep three namespaces from being deleted', () => {
    const namespaces = { group: '', resource: 'namespaces' };
    for (const name of ['default', 'kube-system', 'kube-public']) {
      assert.deepEqual(codes({ ...namespaces, name, namespace: name }), [undefined, undefined, 403, undefined]);
      assert.deepEqual(codes({ resource: 'nodes', name }), [undefined, undefined, undefined, undefined]);
    }
    assert.equal(
      refusal({ ...namespaces, operation: 'DELETE', name: 'default' })?.message,
      'namespaces "default" is forbidden: this namespace may not be deleted',
    );
    assert.deepEqual(codes({ ...namespaces, name: 'nowhere', namespace: 'nowhere' }), [
      ...[undefined, undefined, undefined, undefined],
    ]);
    assert.deepEqual(codes({ group: 'x', resource: 'namespaces', namespace: 'nowhere' }), [404, 404, undefined, 404]);
  });
});

describe('a new Node', () => {
  // Source: plugin/pkg/admission/nodetaint/admission.go.
  const taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };
  const after = (spec: object | undefined, more: Partial<AdmissionAttributes> = {}): unknown =>
    taintNodesByCondition.mutate?.(
      asked({ resource: 'nodes', object: { metadata: {}, ...(spec === undefined ? {} : { spec }) }, ...more }),
    )?.spec;
  it('is not ready yet', () => {
    assert.deepEqual(after(undefined), { taints: [taint] });
    const others = [
      { key: taint.key, effect: 'NoExecute' },
      { key: 'a', effect: taint.effect },
    ];
    assert.deepEqual(after({ podCIDR: 'x', taints: others }), { podCIDR: 'x', taints: [...others, taint] });
    for (const has of [[taint], [{ ...taint, value: 'v' }, ...others]])
      assert.deepEqual(after({ taints: has }), { taints: has });
  });
  it('is the only thing that is tainted', () => {
    for (const more of [
      ...(['UPDATE', 'DELETE', 'CONNECT'] as const).map((operation) => ({ operation })),
      ...[{ group: 'x' }, { resource: 'pods' }, { subresource: 'status' }],
    ])
      assert.deepEqual(after({ a: 1 }, more), { a: 1 });
    const { object: _none, ...bare } = asked({ resource: 'nodes' });
    assert.equal(taintNodesByCondition.mutate?.(bare), undefined);
  });
});
