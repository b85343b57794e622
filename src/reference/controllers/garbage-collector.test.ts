import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject, OwnerReference } from '../../kubernetes/objects.js';
import { SECRETS } from './controller.js';
import { garbageCollector } from './garbage-collector.js';
import { type Harness, harness, inSeconds } from './testing/harness.js';

const secret = (name: string, more: Partial<KubeObject['metadata']> = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: 'kube-system', uid: `uid-${name}`, ...more },
});
const owner = (name: string, more: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: 'v1',
  kind: 'Secret',
  name,
  uid: `uid-${name}`,
  ...more,
});
const names = (h: Harness): unknown => h.store.list(SECRETS).map((object) => object.metadata.name);

describe('the garbage collector', () => {
  const atOnce = (): Harness => harness({ controllerHearsAfter: () => 0 });

  it('comes a moment after what it looks at', async () => {
    const h = harness();
    await h.run(garbageCollector(h.context));
    h.store.create(SECRETS, secret('top', { deletionTimestamp: inSeconds(0), finalizers: ['orphan'] }));
    await h.settle();
    assert.deepEqual(names(h), ['top']);
    await h.advance(20);
    assert.deepEqual(names(h), []);
  });
  it('deletes what a deleted object owned, and what that owned', async () => {
    const h = atOnce();
    await h.run(garbageCollector(h.context));
    h.store.create(SECRETS, secret('token'));
    h.store.create(SECRETS, secret('certs', { ownerReferences: [owner('token')] }));
    h.store.create(SECRETS, secret('deeper', { ownerReferences: [owner('certs')] }));
    await h.settle();
    assert.deepEqual(h.writes, []);
    h.store.delete(SECRETS, 'kube-system', 'token');
    await h.settle();
    assert.deepEqual(names(h), []);
  });
  it('deletes what names an owner that is not there, or is another object of that name', async () => {
    const h = atOnce();
    h.store.create(SECRETS, secret('token'));
    h.store.create(SECRETS, secret('a', { ownerReferences: [owner('nobody')] }));
    h.store.create(SECRETS, secret('b', { ownerReferences: [owner('token', { uid: 'of-before' })] }));
    await h.run(garbageCollector(h.context));
    assert.deepEqual(names(h), ['token']);
  });
  it('strikes out an owner that has gone where another is left', async () => {
    const h = atOnce();
    h.store.create(SECRETS, secret('x'));
    h.store.create(SECRETS, secret('y'));
    h.store.create(SECRETS, secret('both', { ownerReferences: [owner('x'), owner('y')] }));
    await h.run(garbageCollector(h.context));
    h.store.delete(SECRETS, 'kube-system', 'x');
    await h.settle();
    assert.deepEqual(h.store.get(SECRETS, 'kube-system', 'both')?.metadata.ownerReferences, [owner('y')]);
  });
  it('leaves kinds alone that it does not know', async () => {
    const h = atOnce();
    h.store.create(
      SECRETS,
      secret('odd', { ownerReferences: [owner('x', { apiVersion: 'a.example.com/v1', kind: 'Thing' })] }),
    );
    await h.run(garbageCollector(h.context));
    assert.deepEqual(h.writes, []);
  });
  it('leaves alone what names an owner that cannot be, whatever other owners have gone', async () => {
    const h = atOnce();
    const role = { group: 'rbac.authorization.k8s.io', resource: 'clusterroles' };
    h.store.create(SECRETS, secret('token'));
    h.store.create(role, {
      kind: 'ClusterRole',
      metadata: { name: 'wide', uid: 'uid-wide', ownerReferences: [owner('nobody'), owner('token')] },
    });
    h.store.create(
      SECRETS,
      secret('odd', { ownerReferences: [owner('nobody'), owner('x', { apiVersion: 'a.example.com/v1' })] }),
    );
    await h.run(garbageCollector(h.context));
    assert.deepEqual(h.writes, []);
  });
  it('carries out foreground deletion: dependents first', async () => {
    const h = atOnce();
    const top = h.store.create(SECRETS, secret('top'));
    h.store.create(SECRETS, secret('low', { ownerReferences: [owner('top', { blockOwnerDeletion: true })] }));
    await h.run(garbageCollector(h.context));
    h.store.update(SECRETS, {
      ...top,
      metadata: { ...top.metadata, deletionTimestamp: inSeconds(0), finalizers: ['foregroundDeletion'] },
    });
    await h.settle();
    assert.deepEqual(names(h), []);
    assert.match(h.writes[0] ?? '', /delete .*low/);
  });
  it('lets dependents go where they are to be orphaned', async () => {
    const h = atOnce();
    const top = h.store.create(SECRETS, secret('top'));
    h.store.create(SECRETS, secret('low', { ownerReferences: [owner('top')] }));
    await h.run(garbageCollector(h.context));
    h.store.update(SECRETS, {
      ...top,
      metadata: { ...top.metadata, deletionTimestamp: inSeconds(0), finalizers: ['orphan'] },
    });
    await h.settle();
    assert.deepEqual(names(h), ['low']);
    assert.deepEqual(h.store.get(SECRETS, 'kube-system', 'low')?.metadata.ownerReferences, []);
  });
});
