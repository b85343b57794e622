import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject, OwnerReference } from '../../kubernetes/objects.js';
import { CONFIG_MAPS, NAMESPACES, SECRETS, SERVICE_ACCOUNTS } from './controller.js';
import { garbageCollector } from './garbage-collector.js';
import { namespaceDeletion, rootCaPublisher, serviceAccounts } from './namespaces.js';
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

describe('namespaces', () => {
  const namespace = (name: string, more: Partial<KubeObject['metadata']> = {}): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, uid: `uid-${name}`, ...more },
    spec: { finalizers: ['kubernetes'] },
  });
  it('get a default ServiceAccount and the CA, and get them back', async () => {
    const h = harness();
    await h.run(serviceAccounts(h.context));
    await h.run(rootCaPublisher(h.context, 'PEM'));
    h.store.create(NAMESPACES, namespace('a'));
    await h.settle();
    assert.deepEqual(h.store.get(CONFIG_MAPS, 'a', 'kube-root-ca.crt')?.data, { 'ca.crt': 'PEM' });
    h.store.delete(SERVICE_ACCOUNTS, 'a', 'default');
    const published = h.store.get(CONFIG_MAPS, 'a', 'kube-root-ca.crt') as KubeObject;
    h.store.update(CONFIG_MAPS, { ...published, data: { 'ca.crt': 'forged', more: 'x' } });
    await h.settle();
    assert.ok(h.store.get(SERVICE_ACCOUNTS, 'a', 'default'));
    assert.deepEqual(h.store.get(CONFIG_MAPS, 'a', 'kube-root-ca.crt')?.data, { 'ca.crt': 'PEM' });
  });
  it('are emptied before they end', async () => {
    const h = harness();
    const made = h.store.create(NAMESPACES, namespace('a'));
    h.store.create(SECRETS, { ...secret('s'), metadata: { name: 's', namespace: 'a', uid: 's' } });
    await h.run(namespaceDeletion(h.context));
    assert.deepEqual(h.writes, []);
    h.store.update(NAMESPACES, { ...made, metadata: { ...made.metadata, deletionTimestamp: inSeconds(0) } });
    await h.settle();
    assert.deepEqual(h.writes, [], 'before all who serve it can have seen it');
    h.clock.advance(5000);
    await h.settle();
    assert.deepEqual(names(h), []);
    assert.deepEqual(h.writes, [
      'namespace-controller: delete secrets a/s',
      'namespace-controller: update/finalize namespaces a',
    ]);
  });
});
