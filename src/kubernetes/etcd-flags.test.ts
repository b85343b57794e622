import assert from 'node:assert/strict';
import { it } from 'node:test';
import { etcdMinorOf, mayBeAdded } from './etcd-flags.js';

it('an image says by its tag of which minor its etcd is', () => {
  for (const [image, minor] of [
    ['registry.k8s.io/etcd:3.6.8-0', 6],
    ['registry.example.com:3500/a/etcd:v3.5.21', 5],
    ['registry.example.com:3/etcd-3.4:3.7', 7],
    ['etcd:3.12+a', 12],
    ['registry.k8s.io/etcd', undefined],
    ['registry.k8s.io/etcd:latest', undefined],
    ['registry.k8s.io/etcd:13.6', undefined],
    ['registry.k8s.io/etcd:3.6x', undefined],
    ['registry.k8s.io/etcd:2.3.6', undefined],
    ['registry.k8s.io/etcd@sha256:3633', undefined],
  ] as const)
    assert.equal(etcdMinorOf(image), minor, image);
});

it('patches up to 3.5 add flags of what is tried out', () => {
  for (const [name, minor, may] of [
    ['experimental-a', 5, true],
    ['experimental-a', 6, false],
    ['experimental-a', undefined, true],
    ['an-experimental-a', 5, false],
  ] as const)
    assert.equal(mayBeAdded(name, minor), may);
});
