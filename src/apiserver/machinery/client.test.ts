/** The API for inner parts: without HTTP, with the same rights, admission and validation. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { record, records } from '../../kubernetes/json.js';
import type { KubeObject, UserInfo } from '../../kubernetes/objects.js';
import type { AdmissionAttributes } from '../access.js';
import { definitions } from '../resources/index.js';
import { fixture } from '../serving/fixture.js';
import { ApiError } from '../types.js';

const INNER: UserInfo = { username: 'inner', groups: [] };
const MAPS = { group: '', resource: 'configmaps' };
const PODS = { group: '', resource: 'pods' };
const NODES = { group: '', resource: 'nodes' };
const named = (name: string, more: object = {}): KubeObject => ({
  metadata: { name, namespace: 'default' },
  ...more,
});

function inner(isAllowed: (verb: string) => boolean = () => true) {
  const asked: string[] = [];
  const admitted: string[] = [];
  const { api, store } = fixture({
    definitions: definitions(),
    authorizer: {
      authorize({ user, verb, resource, subresource, namespace, name }) {
        if (user.username !== INNER.username) return { decision: 'allow', reason: '' };
        asked.push([verb, resource, subresource, namespace, name].join('|'));
        return { decision: isAllowed(verb) ? 'allow' : 'no-opinion', reason: '' };
      },
    },
    admission: [
      {
        name: 'Seen',
        validate({ operation, resource, subresource, user }: AdmissionAttributes) {
          if (user.username === INNER.username) admitted.push([operation, resource, subresource].join('|'));
        },
      },
    ],
  });
  return { client: api.clientFor(INNER, 'inner-part'), store, asked, admitted };
}

const codeOf = (act: () => unknown): string => {
  try {
    act();
    return 'done';
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return `${error.code} ${error.message}`;
  }
};

describe('an inner part', () => {
  it('makes, reads, changes and deletes as its user, and is asked for its rights each time', () => {
    const { client, asked, admitted } = inner();
    const made = client.create(MAPS, named('m', { data: { a: 'b' } }));
    assert.deepEqual([made.metadata.name, made.data, typeof made.metadata.uid], ['m', { a: 'b' }, 'string']);
    assert.deepEqual(client.get(MAPS, 'default', 'm'), made);
    assert.equal(client.get(MAPS, 'default', 'none'), undefined);
    assert.deepEqual(client.update(MAPS, { ...made, data: { a: 'c' } }).data, { a: 'c' });
    assert.deepEqual(
      client.list(MAPS, 'default').map(({ metadata }) => metadata.name),
      ['m'],
    );
    assert.deepEqual([client.list(MAPS, 'other').length, client.list(MAPS).length], [0, 1]);
    client.delete(MAPS, 'default', 'm');
    assert.equal(client.get(MAPS, 'default', 'm'), undefined);
    const all = 'get list create update delete'.split(' ');
    assert.deepEqual([...new Set(asked.map((line) => line.split('|')[0]))].sort(), all.sort());
    assert.ok(
      asked.includes('create|configmaps||default|') || asked.includes('create|configmaps||default|m'),
      asked[0],
    );
    assert.ok(asked.includes('delete|configmaps||default|m'));
    assert.deepEqual(admitted, ['CREATE|configmaps|', 'UPDATE|configmaps|', 'DELETE|configmaps|']);
  });

  it('is refused what it may not do, and nothing is changed', () => {
    const { client, store } = inner((verb) => verb === 'none');
    store.create(MAPS, named('m'));
    for (const act of [
      () => client.get(MAPS, 'default', 'm'),
      () => client.list(MAPS, 'default'),
      () => client.create(MAPS, named('n')),
      () => client.update(MAPS, named('m', { data: { a: 'b' } })),
      () => client.apply(NODES, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } }, 'by'),
      () => client.delete(MAPS, 'default', 'm'),
    ])
      assert.match(codeOf(act), /^403 .* is forbidden: User "inner" cannot /);
    assert.deepEqual(
      store.list(MAPS).map(({ metadata, data }) => [metadata.name, data]),
      [['m', undefined]],
    );
  });

  it('finds neither resources nor subresources that are not there', () => {
    const { client } = inner();
    const missing = '404 the server could not find the requested resource';
    assert.equal(
      codeOf(() => client.get({ group: 'x', resource: 'y' }, '', 'n')),
      missing,
    );
    assert.equal(
      codeOf(() => client.create(PODS, named('p'), { subresource: 'none', parent: 'p' })),
      missing,
    );
    assert.equal(
      codeOf(() => client.update(NODES, { metadata: { name: 'n' } }, { subresource: 'none' })),
      missing,
    );
  });

  it('writes a part of an object alone', () => {
    const { client, store, asked } = inner();
    client.create(NODES, { metadata: { name: 'n' }, spec: { podCIDR: '10.0.0.0/24' } });
    const node = client.get(NODES, undefined, 'n') ?? assert.fail();
    const status = { phase: 'Running' };
    client.update(NODES, { ...node, spec: { podCIDR: '10.1.0.0/24' }, status }, { subresource: 'status' });
    const stored = store.get(NODES, undefined, 'n');
    assert.deepEqual([record(stored?.status).phase, record(stored?.spec).podCIDR], [status.phase, '10.0.0.0/24']);
    assert.ok(asked.includes('update|nodes|status||n'));
    const why = 'only a subresource that acts can be created';
    assert.equal(
      codeOf(() => client.create(NODES, node, { subresource: 'status', parent: 'n' })),
      `400 ${why}`,
    );
  });

  it('acts by a subresource, which admission sees', () => {
    const { client, store, admitted } = inner();
    client.create(PODS, named('p', { spec: { containers: [{ name: 'c', image: 'i' }] } }));
    admitted.length = 0;
    const bound = client.create(PODS, named('p', { target: { name: 'n' } }), { subresource: 'binding', parent: 'p' });
    assert.equal(bound.status, 'Success');
    assert.equal(record(store.get(PODS, 'default', 'p')?.spec).nodeName, 'n');
    assert.deepEqual(admitted, ['CREATE|pods|binding']);
    assert.match(
      codeOf(() => client.create(PODS, named('p', { target: { name: 'n' } }), { subresource: 'binding', parent: 'p' })),
      /^409 .*already assigned/,
    );
    assert.match(
      codeOf(() => client.create(PODS, named('q', { target: { name: 'n' } }), { subresource: 'binding', parent: 'q' })),
      /^404 pods "q" not found/,
    );
  });

  it('applies fields as whoever it says, taking them from others', () => {
    const { client } = inner();
    client.create(NODES, { metadata: { name: 'n', labels: { a: 'theirs' } } });
    const applied = client.apply(
      NODES,
      { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', labels: { a: 'ours' } } },
      'applier',
    );
    assert.deepEqual(applied.metadata.labels?.a, 'ours');
    const managers = records(applied.metadata.managedFields).map(({ manager, operation }) => `${manager} ${operation}`);
    assert.ok(managers.includes('applier Apply'), managers.join());
    assert.ok(managers.includes('inner-part Update'), managers.join());
    const odd = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' }, odd: 1 };
    assert.match(
      codeOf(() => client.apply(NODES, odd, 'applier')),
      /^(?:400|500) .*odd/,
    );
  });

  it('deletes what it means, by the uid', () => {
    const { client } = inner();
    const { metadata } = client.create(MAPS, named('m'));
    const wrong = codeOf(() => client.delete(MAPS, 'default', 'm', { uid: 'other' }));
    assert.match(wrong, /^409 .*UID/);
    assert.notEqual(client.get(MAPS, 'default', 'm'), undefined);
    client.delete(MAPS, 'default', 'm', { uid: metadata.uid ?? '' });
    assert.equal(client.get(MAPS, 'default', 'm'), undefined);
  });
});
