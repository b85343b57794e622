import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '../../apiserver/types.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import { CONFIG_MAPS, NAMESPACES, SECRETS, SERVICE_ACCOUNTS } from './controller.js';
import { namespaceDeletion, rootCaPublisher, serviceAccounts } from './namespaces.js';
import { type Harness, harness, inSeconds } from './testing/harness.js';

const namespace = (name: string, more: Partial<KubeObject['metadata']> = {}, spec?: object): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, uid: `uid-${name}`, ...more },
  spec: spec ?? { finalizers: ['kubernetes'] },
});
const ENDING = { deletionTimestamp: inSeconds(0) };
const secret = (name: string, more: Partial<KubeObject['metadata']> = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: 'a', uid: name, ...more },
});

describe('every namespace', () => {
  const NOTE =
    'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the ' +
    'internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';
  const published = (h: Harness): KubeObject => h.store.get(CONFIG_MAPS, 'a', 'kube-root-ca.crt') as KubeObject;
  const both = async (...objects: readonly KubeObject[]): Promise<Harness> => {
    const h = harness();
    for (const object of objects) h.store.create(NAMESPACES, object);
    await h.run(serviceAccounts(h.context));
    await h.run(rootCaPublisher(h.context, 'PEM'));
    return h;
  };
  const MADE = [
    'service-account-controller: create serviceaccounts a/default',
    'root-ca-cert-publisher: create configmaps a/kube-root-ca.crt',
  ];

  it('gets a ServiceAccount and the CA, one that is there and one that comes', async () => {
    const there = await both(namespace('a'));
    const comes = await both();
    comes.store.create(NAMESPACES, namespace('a'));
    await comes.settle();
    for (const { store, writes } of [there, comes]) {
      assert.deepEqual(writes, MADE);
      const account = store.get(SERVICE_ACCOUNTS, 'a', 'default');
      assert.deepEqual([account?.apiVersion, account?.kind], ['v1', 'ServiceAccount']);
      const { apiVersion, kind, metadata, data } = store.get(CONFIG_MAPS, 'a', 'kube-root-ca.crt') as KubeObject;
      assert.deepEqual([apiVersion, kind, data], ['v1', 'ConfigMap', { 'ca.crt': 'PEM' }]);
      assert.deepEqual(metadata.annotations, { 'kubernetes.io/description': NOTE });
    }
  });

  it('gets them back when they go', async () => {
    const h = await both(namespace('a'));
    h.store.delete(SERVICE_ACCOUNTS, 'a', 'default');
    h.store.delete(CONFIG_MAPS, 'a', 'kube-root-ca.crt');
    await h.settle();
    assert.deepEqual(h.writes.slice(2).sort(), [...MADE].sort());
  });

  it('has its CA put right, and what others noted there left', async () => {
    const h = await both(namespace('a'));
    const made = published(h);
    const labels = { mine: 'b' };
    for (const [data, annotations] of [
      [{ 'ca.crt': 'forged' }, made.metadata.annotations],
      [{ 'ca.crt': 'PEM', more: 'x' }, made.metadata.annotations],
      [undefined, made.metadata.annotations],
      [{ 'ca.crt': 'PEM' }, undefined],
      [{ 'ca.crt': 'PEM' }, { 'kubernetes.io/description': 'another', mine: 'a' }],
    ] as const) {
      const { data: _data, ...bare } = made;
      h.writes.length = 0;
      const { annotations: _annotations, ...metadata } = published(h).metadata;
      h.store.update(CONFIG_MAPS, {
        ...bare,
        metadata: { ...metadata, labels, ...(annotations === undefined ? {} : { annotations }) },
        ...(data === undefined ? {} : { data }),
      });
      await h.settle();
      assert.deepEqual(h.writes, ['root-ca-cert-publisher: update configmaps a/kube-root-ca.crt']);
      assert.deepEqual(published(h).data, { 'ca.crt': 'PEM' });
      assert.deepEqual(published(h).metadata.labels, labels);
      assert.deepEqual(published(h).metadata.annotations, { ...annotations, 'kubernetes.io/description': NOTE });
    }
  });

  it('is left alone in all else, and altogether when it ends', async () => {
    const h = await both(namespace('a'), namespace('b', ENDING));
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'mine', namespace: 'a' } };
    h.store.create(CONFIG_MAPS, map);
    h.store.create(SERVICE_ACCOUNTS, { ...map, kind: 'ServiceAccount' });
    h.store.update(CONFIG_MAPS, { ...published(h), metadata: { ...published(h).metadata, labels: { a: 'b' } } });
    await h.settle();
    assert.deepEqual(h.writes, MADE);
    h.store.update(NAMESPACES, namespace('a', ENDING));
    h.store.delete(SERVICE_ACCOUNTS, 'a', 'default');
    h.store.delete(CONFIG_MAPS, 'a', 'kube-root-ca.crt');
    await h.settle();
    assert.deepEqual(h.writes, MADE);
  });
});

describe('a namespace that ends', () => {
  const FINAL = 'namespace-controller: update/finalize namespaces a';

  it('is emptied before, five seconds later', async () => {
    const h = harness();
    const made = h.store.create(NAMESPACES, namespace('a'));
    h.store.create(SECRETS, secret('s'));
    h.store.create(SECRETS, secret('s', { namespace: 'b' }));
    await h.run(namespaceDeletion(h.context));
    assert.deepEqual(h.writes, []);
    h.store.update(NAMESPACES, { ...made, metadata: { ...made.metadata, ...ENDING } });
    await h.advance(4999);
    assert.deepEqual(h.writes, [], 'before all who serve it can have seen it');
    await h.advance(1);
    assert.deepEqual(h.writes, ['namespace-controller: delete secrets a/s', FINAL]);
    assert.deepEqual(
      h.store.list(SECRETS).map(({ metadata }) => metadata.namespace),
      ['b'],
    );
  });

  it('goes on where it was before a restart', async () => {
    const h = harness();
    h.store.create(NAMESPACES, namespace('a', ENDING));
    h.store.create(NAMESPACES, namespace('b'));
    h.clock.advance(5000);
    await h.run(namespaceDeletion(h.context));
    assert.deepEqual(h.writes, [FINAL]);
    assert.deepEqual(
      h.store.list(NAMESPACES).map(({ metadata }) => metadata.name),
      ['b'],
    );
  });

  it('waits for what has finalizers of its own, and keeps those of others', async () => {
    const h = harness();
    const spec = { finalizers: ['mine', 'kubernetes', 'others'] };
    h.store.create(NAMESPACES, namespace('a', { ...ENDING, finalizers: ['stay'] }, spec));
    h.store.create(SECRETS, secret('held', { ...ENDING, finalizers: ['a/b'] }));
    await h.run(namespaceDeletion(h.context));
    await h.advance(5000);
    assert.deepEqual(h.writes, []);
    h.store.delete(SECRETS, 'a', 'held');
    await h.settle();
    assert.deepEqual(h.writes, [FINAL]);
    assert.deepEqual(h.store.get(NAMESPACES, undefined, 'a')?.spec, { finalizers: ['mine', 'others'] });
    await h.advance(5000);
    assert.deepEqual(h.writes, [FINAL], 'its own part is done');
  });

  it('is passed over where its finalizer is not there', async () => {
    for (const spec of [{}, { finalizers: [] }, { finalizers: ['mine'] }]) {
      const h = harness();
      h.store.create(NAMESPACES, namespace('a', ENDING, spec));
      await h.run(namespaceDeletion(h.context));
      await h.advance(5000);
      assert.deepEqual(h.writes, []);
    }
  });

  for (const [code, goesOn] of [
    [404, true],
    [405, true],
    [403, false],
  ] as const)
    it(`${goesOn ? 'goes on with' : 'stops at'} the next object where one is refused with ${code}`, async () => {
      const h = harness();
      h.store.create(NAMESPACES, namespace('a', ENDING));
      for (const name of ['s', 't']) h.store.create(SECRETS, secret(name));
      const tried: string[] = [];
      const as: Harness['context']['as'] = (name) => ({
        ...h.context.as(name),
        delete: (_resource, _namespace, object) => {
          tried.push(object);
          throw new ApiError(code, 'Refused', 'refused');
        },
      });
      await h.run(namespaceDeletion({ ...h.context, as }));
      await h.advance(5000);
      assert.deepEqual([tried, h.writes], [goesOn ? ['s', 't'] : ['s'], []]);
    });
});
