/** What the operations share: admission, names, versions. Source: apiserver, pkg/admission; pkg/registry/generic. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AdmissionAttributes, AdmissionPlugin } from '../access.js';
import { createStore } from '../storage/store.js';
import { admit, apiVersion, mutate, mutateDeletion, type Scope, storedObject, uuid } from './machinery.js';

const USER = { username: 'jane', groups: ['dev'] };
const definition = { group: 'x.example', version: 'v1', resource: 'things', namespaced: true };
const object = (name = 'a') => ({ apiVersion: 'x.example/v1', kind: 'Thing', metadata: { name, namespace: 'ns' } });

function scope(plugins: readonly AdmissionPlugin[], target: object = {}, caller: object = {}): Scope {
  return {
    machinery: { admission: plugins, store: createStore() },
    target: { definition, namespace: 'ns', name: 'a', subresource: undefined, ...target },
    caller: { user: USER, warnings: [], dryRun: false, manager: 'm', ...caller },
  } as unknown as Scope;
}

describe('admission', () => {
  const seen = (act: (one: Scope) => void, ...more: [object?, object?]): readonly AdmissionAttributes[] => {
    const all: AdmissionAttributes[] = [];
    const note = (attributes: AdmissionAttributes): undefined => void all.push(attributes);
    act(scope([{ name: 'p', mutate: note, validate: note } as AdmissionPlugin], ...more));
    return all;
  };
  const common = {
    user: USER,
    group: 'x.example',
    version: 'v1',
    resource: 'things',
    subresource: '',
    namespace: 'ns',
    name: 'a',
    dryRun: false,
  };

  it('is shown of a write what is written, of whom, where, and what was there', () => {
    const [old, now] = [object(), { ...object(), spec: 1 }];
    assert.deepEqual(
      seen((one) => void mutate(one, 'CREATE', now)),
      [{ ...common, operation: 'CREATE', object: now }],
    );
    assert.deepEqual(
      seen((one) => void mutate(one, 'UPDATE', now, old)),
      [{ ...common, operation: 'UPDATE', object: now, old }],
    );
    assert.deepEqual(
      seen((one) => admit(one, 'UPDATE', { object: now, old })),
      [{ ...common, operation: 'UPDATE', object: now, old }],
    );
  });

  it('is shown of a deletion what goes and how, and no object', () => {
    const [old, options] = [object(), { propagationPolicy: 'Orphan' }];
    const expected = [{ ...common, operation: 'DELETE', old, options }];
    assert.deepEqual(
      seen((one) => mutateDeletion(one, { old, options })),
      expected,
    );
    assert.deepEqual(
      seen((one) => admit(one, 'DELETE', { old, options })),
      expected,
    );
    const [bare] = seen((one) => mutateDeletion(one, { old }));
    assert.ok(bare !== undefined && !('options' in bare));
  });

  it('is told of subresources, of what is only tried, and of the name that an object has got', () => {
    const [attributes] = seen((one) => void mutate(one, 'CREATE', object('made')), {
      name: '',
      subresource: { name: 'status' },
    });
    assert.deepEqual([attributes?.name, attributes?.subresource], ['made', 'status']);
    const [tried] = seen((one) => void mutate(one, 'CREATE', object()), {}, { dryRun: true });
    assert.equal(tried?.dryRun, true);
    const [named] = seen((one) => void mutate(one, 'CREATE', object('other')));
    assert.equal(named?.name, 'a', 'the name of the request counts first');
  });

  it('asks one after the other, each about what the one before made', () => {
    const adds = (mark: string): AdmissionPlugin =>
      ({
        name: mark,
        mutate: ({ object: given }: AdmissionAttributes) => ({ ...given, marks: `${given?.marks ?? ''}${mark}` }),
      }) as unknown as AdmissionPlugin;
    const silent = { name: 's', mutate: () => undefined } as unknown as AdmissionPlugin;
    const validates = { name: 'v', validate: () => assert.fail('it is not asked yet') } as unknown as AdmissionPlugin;
    const made = mutate(scope([adds('1'), silent, validates, adds('2')]), 'CREATE', object());
    assert.deepEqual(made, { ...object(), marks: '12' });
    assert.throws(() => admit(scope([adds('1'), validates]), 'CREATE', { object: object() }));
  });
});

describe('a target', () => {
  it('is looked up by its namespace and name', () => {
    const one = scope([]);
    assert.equal(storedObject(one), undefined);
    const resource = { group: 'x.example', resource: 'things' };
    one.machinery.store.create(resource, object());
    assert.equal(storedObject(one)?.metadata.name, 'a');
    const elsewhere = { ...one, target: { ...one.target, namespace: 'other' } };
    assert.equal(storedObject(elsewhere), undefined);
    const whole = { ...definition, namespaced: false } as unknown as Scope['target']['definition'];
    one.machinery.store.create(resource, { ...object('b'), metadata: { name: 'b' } });
    assert.equal(storedObject({ ...one, target: { ...one.target, definition: whole, name: 'b' } })?.metadata.name, 'b');
  });

  it('is none without a namespace, or with a name that no path can hold', () => {
    assert.throws(() => storedObject(scope([], { namespace: '' })), {
      code: 400,
      message: 'Namespace parameter required.',
    });
    for (const name of ['.', '..', 'a/b', 'a%b'])
      assert.throws(() => storedObject(scope([], { name })), { code: 400, message: /^Name parameter invalid: "/ });
  });
});

it('a version is named with its group, but for the core', () => {
  assert.deepEqual(
    [apiVersion({ group: '', version: 'v1' }), apiVersion({ group: 'apps', version: 'v1beta1' })],
    ['v1', 'apps/v1beta1'],
  );
});

it('a UUID says of which version it is', () => {
  assert.equal(
    uuid((length) => Buffer.alloc(length, 0)),
    '00000000-0000-4000-8000-000000000000',
  );
  assert.equal(
    uuid((length) => Buffer.alloc(length, 0xff)),
    'ffffffff-ffff-4fff-bfff-ffffffffffff',
  );
  assert.equal(
    uuid(() => Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex')),
    '00010203-0405-4607-8809-0a0b0c0d0e0f',
  );
});
