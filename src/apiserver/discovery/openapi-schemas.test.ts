import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definitions } from '../resources/index.js';
import { fixture } from '../serving/fixture.js';
import { Components, type Document } from './openapi-schemas.js';

/** Paths of the schemas of which nothing is said: kubectl explain takes none of them for a schema. */
const unsaid = (properties: Document, path: string): readonly string[] =>
  Object.entries(properties).flatMap(([name, value]) => {
    const schema = value as Document;
    const inner = [schema.items, schema.additionalProperties].filter((one) => one !== undefined) as Document[];
    return [
      ...(Object.keys(schema).length === 0 ? [`${path}.${name}`] : []),
      ...inner.flatMap((one) => unsaid({ '[]': one }, `${path}.${name}`)),
    ];
  });

test('every field says what it is', () => {
  const { schemas } = fixture().ask('GET', '/openapi/v3/api/v1').json.components as unknown as {
    readonly schemas: Readonly<Record<string, { readonly properties?: Document }>>;
  };
  const empty = Object.entries(schemas).flatMap(([name, { properties = {} }]) => unsaid(properties, name));
  assert.deepEqual(empty, []);
  const fields = Object.values(schemas).flatMap(({ properties = {} }) => properties.fieldsV1 ?? []);
  assert.deepEqual(fields, [{ type: 'object' }]);
});

test('what has to be there is named', () => {
  const { ask } = fixture({ definitions: definitions() });
  const { schemas } = ask('GET', '/openapi/v3/api/v1').json.components as unknown as {
    readonly schemas: Readonly<Record<string, Document>>;
  };
  const requiredOf = ['Container', 'ContainerPort', 'PodSpec', 'Pod', 'Taint', 'SecretReference'].map(
    (name) => schemas[`io.k8s.api.core.v1.${name}`]?.required,
  );
  assert.deepEqual(requiredOf, [['name'], ['containerPort'], ['containers'], undefined, ['key', 'effect'], undefined]);
});

test('what may be of any type has none, in schemas of custom resources', () => {
  for (const wraps of [true, false]) {
    const components = new Components('#/', wraps);
    const properties = { default: { type: 'any' }, enum: { type: 'array', items: { type: 'any' } } } as const;
    components.struct({ type: 'object', properties }, 'apiextensions', 'v1.JSONSchemaProps');
    const written = components.schemas['io.k8s.api.apiextensions.v1.JSONSchemaProps']?.properties as Document;
    assert.deepEqual(unsaid(written, ''), []);
    assert.equal((written.default as Document).type, undefined);
    assert.equal(((written.enum as Document).items as Document).type, undefined);
  }
});
