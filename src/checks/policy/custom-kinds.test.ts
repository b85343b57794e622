import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { KubeObject } from '../../kubernetes/objects.js';
import { readCustomKind } from './custom-kinds.js';

const definition = (spec: object): KubeObject => ({ metadata: { name: 'a' }, spec }) as KubeObject;
const names = { plural: 'widgets', kind: 'Widget' };

it('a kind is listed by the version that is stored, or one that is served', () => {
  const of = (...versions: readonly object[]) =>
    readCustomKind(definition({ group: 'example.com', names, scope: 'Namespaced', versions }));
  const widget = { group: 'example.com', version: 'v1', resource: 'widgets', kind: 'Widget', namespaced: true };
  assert.deepEqual(of({ name: 'v1', served: true, storage: true }), widget);
  assert.deepEqual(of({ name: 'v2', served: true }, { name: 'v1', served: true, storage: true }), widget);
  assert.deepEqual(of({ name: 'v2', served: false, storage: true }, { name: 'v1', served: true }), widget);
  assert.equal(of({ name: 'v1', served: false, storage: true }), undefined);
  assert.equal(of(), undefined);
});

it('a kind stands in namespaces, or in the cluster', () => {
  const versions = [{ name: 'v1', served: true, storage: true }];
  assert.equal(
    readCustomKind(definition({ group: 'example.com', names, scope: 'Cluster', versions }))?.namespaced,
    false,
  );
  assert.equal(readCustomKind(definition({ group: 'example.com', names: {}, scope: 'Cluster', versions })), undefined);
});

it('objects that hold the tokens of machines by design are left alone', () => {
  const versions = [{ name: 'v1', served: true, storage: true }];
  for (const group of ['bootstrap.cluster.x-k8s.io', 'cluster.x-k8s.io'])
    assert.equal(readCustomKind(definition({ group, names, versions })), undefined);
  for (const group of ['mycluster.x-k8s.io', 'cluster.x-k8s.io.example.com'])
    assert.notEqual(readCustomKind(definition({ group, names, versions })), undefined);
});
