import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '../../kubernetes/objects.js';
import { resources } from '../../kubernetes/resources.js';
import { NotInDump } from '../errors.js';
import { DumpStore } from './store.js';

const secret = (name: string, namespace: string, more: object = {}): KubeObject =>
  ({ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace, ...more }, type: `type-${name}` }) as KubeObject;
const listed = (...objects: readonly KubeObject[]) => objects.map((object) => ({ object, listed: true }));
const names = (found: readonly KubeObject[]): readonly string[] => found.map(({ metadata }) => metadata.name ?? '');

describe('a store of a dump', () => {
  const store = new DumpStore(
    listed(
      secret('a', 'x', { labels: { app: 'one', tier: 'web' } }),
      secret('b', 'x', { labels: { app: 'two', tier: 'web' } }),
      secret('c', 'x'),
      secret('d', 'y', { labels: { app: 'one' } }),
    ),
  );

  it('selects by labels and fields, by what they are and what they are not', async () => {
    const by = async (labelSelector: string, fieldSelector = ''): Promise<readonly string[]> =>
      names(await store.list(resources.secrets, { labelSelector, fieldSelector }));
    assert.deepEqual(await by(''), ['a', 'b', 'c', 'd']);
    assert.deepEqual(await by('app=one'), ['a', 'd']);
    assert.deepEqual(await by('app!=one'), ['b', 'c']);
    assert.deepEqual(await by('tier=web,app!=one'), ['b']);
    assert.deepEqual(await by('', 'type=type-b'), ['b']);
    assert.deepEqual(await by('', 'metadata.namespace!=x'), ['d']);
    assert.deepEqual(await by('', 'metadata.none.at.all=x'), []);
    assert.deepEqual(await by('app=one', 'metadata.name=d'), ['d']);
  });

  it('keeps of a list what is wanted', async () => {
    const keep = ({ metadata: { name } }: KubeObject): string | undefined => (name === 'b' ? undefined : name);
    assert.deepEqual(await store.list(resources.secrets, { namespace: 'x' }, keep), ['a', 'c']);
  });

  it('knows the kinds of one name in several groups apart, and of one object the last that was written', async () => {
    const event = (apiVersion: string, name: string): KubeObject =>
      ({ apiVersion, kind: 'Event', metadata: { name, namespace: 'x' } }) as KubeObject;
    const both = new DumpStore(
      listed(event('v1', 'core'), event('events.k8s.io/v1', 'new'), secret('a', 'x'), secret('a', 'x', { uid: '2' })),
    );
    const core = { group: '', version: 'v1', kind: 'Event', resource: 'events', namespaced: true };
    assert.deepEqual(names(await both.list(core as never)), ['core']);
    assert.deepEqual(names(await both.list({ ...core, group: 'events.k8s.io' } as never)), ['new']);
    assert.equal((await both.get(resources.secrets, 'a', 'x'))?.metadata.uid, '2');
  });

  it('says what it does not show, by kind, group and namespace', async () => {
    const one = new DumpStore(listed(secret('a', 'x')));
    const why = (act: Promise<unknown>): Promise<string> =>
      act.then(
        () => 'it does',
        (error: unknown) => (error instanceof NotInDump ? error.message : String(error)),
      );
    assert.equal(await why(one.get(resources.secrets, 'b', 'x')), 'it does');
    assert.equal(
      await why(one.get(resources.secrets, 'a', 'y')),
      'the dump holds no list of secrets of the namespace y (v1)',
    );
    assert.equal(
      await why(one.list(resources.roles)),
      'the dump holds no list of roles.rbac.authorization.k8s.io (rbac.authorization.k8s.io/v1)',
    );
    assert.equal(await why(one.list(resources.secrets)), 'it does');
    assert.equal(await why(one.list(resources.secrets, { whole: true })), 'the dump holds no list of secrets (v1)');
  });

  it('shows all of what lies in no namespace', async () => {
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } } as KubeObject;
    const nodes = new DumpStore(listed(node));
    assert.deepEqual(names(await nodes.list(resources.nodes, { whole: true })), ['n']);
    assert.equal(await nodes.get(resources.nodes, 'other'), undefined);
    const alone = new DumpStore([{ object: node, listed: false }]);
    assert.deepEqual(names(await alone.list(resources.nodes)), ['n']);
    await assert.rejects(alone.list(resources.nodes, { whole: true }), NotInDump);
    await assert.rejects(alone.get(resources.nodes, 'other'), NotInDump);
  });
});
