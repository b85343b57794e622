import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject, ObjectMeta } from '../../kubernetes/objects.js';
import { testConversation } from '../recorded/testing.js';
import {
  kubeFinalizer,
  validateCommonMetadata,
  validateFieldManager,
  validateMetadata,
} from './metadata-validation.js';

testConversation('metadata');

type Definition = Parameters<typeof validateMetadata>[0];
const IN_NAMESPACES: Definition = { namespaced: true, strategy: {} };
const OF_THE_CLUSTER: Definition = { namespaced: false, strategy: {} };
const GOOD: ObjectMeta = { name: 'x', namespace: 'y' };
const object = (metadata: ObjectMeta): KubeObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
const told = (errors: readonly { readonly field: string; readonly body: string }[]): readonly string[] =>
  errors.map(({ field, body }) => `${field.replace(/^metadata\./, '')}: ${body}`);
const made = (metadata: ObjectMeta, definition = IN_NAMESPACES): readonly string[] =>
  told(validateMetadata(definition, object({ ...GOOD, ...metadata })));

test('an object that is made has a name, and a namespace where its kind has', () => {
  assert.deepEqual(made({}), []);
  assert.deepEqual(made({ name: '', generateName: 'a-' }), ['name: Required value: name or generateName is required']);
  assert.deepEqual(made({ generateName: 'a-' }), []);
  assert.match(
    made({ generateName: 'AB-' }).join(),
    /^generateName: Invalid value: "AB-": a lowercase RFC 1123 subdomain/,
  );
  assert.match(made({ name: 'A' }).join(), /^name: Invalid value: "A": a lowercase RFC 1123 subdomain/);
  assert.deepEqual(made({ namespace: '' }), ['namespace: Required value']);
  assert.deepEqual(made({ namespace: 'a.b' }), ['namespace: Invalid value: "a.b": must not contain dots']);
  assert.deepEqual(made({}, OF_THE_CLUSTER), ['namespace: Forbidden: not allowed on this type']);
  assert.deepEqual(made({ namespace: '' }, OF_THE_CLUSTER), []);
  assert.deepEqual(made({ generation: -1 }), ['generation: Invalid value: -1: must be greater than or equal to 0']);
  assert.deepEqual(made({ generation: 0 }), []);
});

test('labels and annotations have keys that are names, and annotations are no larger than 256 KiB', () => {
  assert.match(made({ labels: { 'a b': 'c' } }).join(), /^labels: Invalid value: "a b": name part must consist/);
  assert.match(made({ labels: { a: 'b c' } }).join(), /^labels: Invalid value: "b c": a valid label must be/);
  assert.match(made({ annotations: { 'a b': 'c' } }).join(), /^annotations: Invalid value: "a b": name part/);
  assert.deepEqual(made({ annotations: { 'EXAMPLE.com/A': 'b c' } }), []);
  const size = 256 * 1024;
  assert.deepEqual(made({ annotations: { ab: 'x'.repeat(size - 4), c: 'y' } }), []);
  assert.deepEqual(made({ annotations: { ab: 'x'.repeat(size - 4), c: 'yz' } }), [
    `annotations: Too long: may not be more than ${size} bytes`,
  ]);
});

test('who owns an object is named, and one alone controls it', () => {
  const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' };
  const of = (...owners: readonly object[]) => made({ ownerReferences: owners as never });
  assert.deepEqual(of(owner, { ...owner, apiVersion: 'apps/v1', controller: true }), []);
  assert.deepEqual(of({}), [
    'ownerReferences.apiVersion: Invalid value: "": version must not be empty',
    'ownerReferences.kind: Invalid value: "": must not be empty',
    'ownerReferences.name: Invalid value: "": must not be empty',
    'ownerReferences.uid: Invalid value: "": must not be empty',
  ]);
  assert.deepEqual(of({ ...owner, apiVersion: 'apps/' }), [
    'ownerReferences.apiVersion: Invalid value: "apps/": version must not be empty',
  ]);
  assert.deepEqual(of({ ...owner, apiVersion: 'a/b/c', kind: '' }), [
    'ownerReferences.apiVersion: Invalid value: "a/b/c": version must not be empty',
  ]);
  assert.match(of({ ...owner, kind: 'Event' }).join(), /^ownerReferences: Invalid value: .*Kind=Event is disallowed/);
  assert.deepEqual(of({ ...owner, apiVersion: 'events.k8s.io/v1', kind: 'Event' }), []);
  const controls = { ...owner, controller: true };
  const [why, ...others] = of(controls, { ...owner, controller: false }, { ...controls, name: 'q' });
  assert.match(why ?? '', /Only one reference can have Controller set to true\. Found "true" in .* Pod\/p and Pod\/q$/);
  assert.deepEqual(others, []);
});

test('finalizers are names with a domain, or of the few old ones', () => {
  assert.deepEqual(made({ finalizers: ['kubernetes', 'orphan', 'example.com/a'] }), []);
  assert.deepEqual(made({ finalizers: ['foregroundDeletion'] }), []);
  assert.deepEqual(made({ finalizers: ['orphan', 'foregroundDeletion'] }), [
    'finalizers: Invalid value: ["orphan","foregroundDeletion"]: ' +
      'finalizer orphan and foregroundDeletion cannot be both set',
  ]);
  assert.match(made({ finalizers: ['a/b', 'own'] }).join(), /^finalizers\[1\]: Invalid value: "own": name is neither/);
  assert.match(made({ finalizers: ['a b/c'] }).join(), /^finalizers: Invalid value: "a b\/c": prefix part/);
  const any: Definition = { namespaced: true, strategy: { anyFinalizer: true } };
  assert.deepEqual(made({ finalizers: ['own'] }, any), []);
  assert.equal(kubeFinalizer('orphan', 'f').length + kubeFinalizer('a/b', 'f').length, 0);
});

test('who manages fields is named in characters that show, and says how', () => {
  const manager = (name: string): readonly string[] => told(validateFieldManager(name, 'fieldManager'));
  assert.deepEqual(manager('a manager'), []);
  assert.deepEqual(manager('é'.repeat(64)), []);
  assert.deepEqual(manager('a'.repeat(129)), ['fieldManager: Too long: may not be more than 128 bytes']);
  assert.deepEqual(manager('é\nb\u00a0'), [
    'fieldManager: Invalid value: "é\\nb\\u00a0": invalid character U+000A (at position 2)',
    'fieldManager: Invalid value: "é\\nb\\u00a0": invalid character U+00A0 (at position 4)',
  ]);
  const of = (...entries: readonly object[]) => made({ managedFields: entries as never });
  const entry = { operation: 'Apply', manager: 'm', fieldsType: 'FieldsV1', subresource: 's'.repeat(256) };
  assert.deepEqual(of(entry, { operation: 'Update' }), []);
  assert.deepEqual(of(entry, { ...entry, operation: 'apply' }), [
    'managedFields[1].operation: Invalid value: "apply": must be `Apply` or `Update`',
  ]);
  assert.deepEqual(of({ ...entry, fieldsType: 'V2' }), [
    'managedFields[0].fieldsType: Invalid value: "V2": must be `FieldsV1`',
  ]);
  assert.deepEqual(of({ ...entry, subresource: 's'.repeat(257) }), [
    'managedFields[0].subresource: Too long: may not be more than 256 bytes',
  ]);
});

test('an update changes nothing that makes an object the one that it is', () => {
  const old: ObjectMeta = {
    ...GOOD,
    uid: 'u',
    resourceVersion: '5',
    generation: 3,
    creationTimestamp: '2026-01-01T00:00:00Z',
  };
  const update: Definition = { namespaced: true, strategy: { metadataOnUpdate: 'common' } };
  const changed = (metadata: object, before: ObjectMeta = old): readonly string[] =>
    told(validateMetadata(update, object({ ...before, ...metadata }), object(before)));
  const immutable = 'field is immutable';
  assert.deepEqual(changed({ generation: 4, labels: { a: 'b' } }), []);
  assert.deepEqual(changed({ resourceVersion: '' }), [
    'resourceVersion: Invalid value: "": must be specified for an update',
  ]);
  assert.deepEqual(changed({ generation: 2 }), ['generation: Invalid value: 2: must not be decremented']);
  assert.deepEqual(changed({ name: 'z' }), [`name: Invalid value: "z": ${immutable}`]);
  assert.deepEqual(changed({ namespace: 'z' }), [`namespace: Invalid value: "z": ${immutable}`]);
  assert.deepEqual(changed({ uid: 'v' }), [`uid: Invalid value: "v": ${immutable}`]);
  assert.deepEqual(changed({ uid: undefined }), [`uid: Invalid value: "": ${immutable}`]);
  assert.deepEqual(changed({ creationTimestamp: '2026-01-02T00:00:00Z' }), [
    `creationTimestamp: Invalid value: "2026-01-02T00:00:00Z": ${immutable}`,
  ]);
  assert.deepEqual(changed({ creationTimestamp: undefined }), [`creationTimestamp: Invalid value: null: ${immutable}`]);
  assert.deepEqual(changed({ deletionGracePeriodSeconds: 5 }), [
    `deletionGracePeriodSeconds: Invalid value: 5: ${immutable}`,
  ]);
  const deleted: ObjectMeta = { ...old, deletionTimestamp: '2026-01-03T00:00:00Z', finalizers: ['a/b', 'c/d'] };
  assert.deepEqual(changed({ finalizers: ['a/b'] }, deleted), []);
  assert.deepEqual(changed({ finalizers: ['a/b', 'x/z', 'x/y', 'x/z'] }, deleted), [
    'finalizers: Forbidden: no new finalizers can be added if the object is being deleted, ' +
      'found new finalizers []string{"x/y", "x/z"}',
  ]);
  assert.deepEqual(changed({ finalizers: ['a/b', 'x/y'] }), []);
});

test('each kind has its order of what it says of an update', () => {
  const own = { type: 'Invalid', field: 'own', body: 'own' } as const;
  const changes = { ...own, field: 'changes' };
  const old = { ...GOOD, resourceVersion: '5' };
  const order = (metadataOnUpdate: Definition['strategy']['metadataOnUpdate'], twice = false): string => {
    const definition = { namespaced: true, strategy: metadataOnUpdate === undefined ? {} : { metadataOnUpdate } };
    const bad = object({ ...old, resourceVersion: '', finalizers: ['f'], generation: -1 });
    const errors = validateMetadata(definition, bad, object(old), { own: [own], changes: [changes], twice });
    const letters: Readonly<Record<string, string>> = {
      resourceVersion: 'U',
      'finalizers[0]': 'f',
      own: 'O',
      changes: 'C',
    };
    return told(errors)
      .flatMap((error) => letters[error.split(':')[0] ?? ''] ?? (error.includes('equal to 0') ? 'N' : []))
      .join('');
  };
  assert.deepEqual(
    [undefined, 'common', 'create', 'update', 'create-update', 'update-create'].map((one) => order(one as never)),
    ['NUUfCNfO', 'NUCO', 'NUNfOC', 'NUUfCO', 'NUNfOUfC', 'NUUfCNfO'],
  );
  assert.equal(order('create', true), 'NUNfONfOC');
});

test('a kind that does not look at metadata leaves that to what all kinds share', () => {
  const common: Definition = { namespaced: true, strategy: { metadataOnUpdate: 'common' } };
  assert.deepEqual(made({ name: 'a/b', generation: -1 }, common), []);
  assert.deepEqual(told(validateCommonMetadata(object({ ...GOOD, name: 'A:b' }), true)), []);
  assert.match(
    told(validateCommonMetadata(object({ ...GOOD, name: 'a/b' }), true)).join(),
    /^name: .*may not contain '\/'/,
  );
  const own: Definition = { namespaced: true, strategy: { validateName: (name) => (name === 'no' ? ['never'] : []) } };
  assert.deepEqual(made({ name: 'no' }, own), ['name: Invalid value: "no": never']);
  assert.deepEqual(made({ name: 'A B' }, own), []);
});
