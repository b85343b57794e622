/** How the lines of the data file are read. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { FieldSchema } from '../resource-definition.js';
import { findStruct, structName, structNames, structSchema } from './schema.js';

const field = (struct: string, name: string): FieldSchema =>
  structSchema(struct).properties?.[name] ?? assert.fail(`${struct} has no ${name}`);

it('a field has a type, and hints for patches, owners and Go', () => {
  assert.deepEqual(field('core.v1.SecretReference', 'name').type, 'string');
  const ports = field('core.v1.ServiceSpec', 'ports');
  assert.deepEqual(
    [ports.type, ports.patchStrategy, ports.patchMergeKey, ports.listType, ports.mapKeys],
    ['array', 'merge', 'port', 'map', ['port', 'protocol']],
  );
  const { patchStrategy, patchMergeKey } = field('core.v1.PodSpec', 'volumes');
  assert.deepEqual([patchStrategy, patchMergeKey], ['merge,retainKeys', 'name']);
  assert.equal(field('apps.v1.DeploymentSpec', 'strategy').patchStrategy, 'retainKeys');
  assert.equal(field('core.v1.ObjectReference', 'name').goType, undefined);
});

it('a list or map that Go has a name for is that; so are the items of one whose items it has a name for', () => {
  const rules = field('apiextensions.v1.JSONSchemaProps', 'x-kubernetes-validations');
  assert.deepEqual([rules.goType, rules.items?.goType], ['v1.ValidationRules', 'v1.ValidationRule']);
  const families = field('core.v1.ServiceSpec', 'ipFamilies');
  assert.deepEqual([families.goType, families.items?.goType], ['[]v1.IPFamily', 'v1.IPFamily']);
});

it('what a struct needs and how it is owned stand beside its fields', () => {
  assert.deepEqual(structSchema('core.v1.Container').required, ['name']);
  assert.equal(structSchema('core.v1.SecretReference').required, undefined);
  assert.deepEqual(
    [structSchema('core.v1.SecretReference').mapType, structSchema('core.v1.Container').mapType],
    ['atomic', undefined],
  );
});

it('a struct inside itself is anything from the second level on', () => {
  const inner = field('apiextensions.v1.JSONSchemaProps', 'not');
  assert.equal(inner.type, 'any');
});

it('a struct is known by its name, and its fields by it', () => {
  assert.equal(structName(structSchema('core.v1.Pod')), 'core.v1.Pod');
  assert.equal(structName({ ...structSchema('core.v1.Pod'), presence: 'value' }), 'core.v1.Pod');
  assert.equal(structName({ type: 'string' }), undefined);
  assert.equal(findStruct('core.v1.Nothing'), undefined);
  assert.throws(() => structSchema('none.v1.Pod'), /types\.json has no type "none\.v1\.Pod"/);
  assert.ok(structNames().includes('apps.v1.DeploymentSpec'));
});
