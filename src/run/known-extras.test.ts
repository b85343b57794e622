import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import { knownExtras, readKnownExtras } from './known-extras.js';
import { packageFile } from './package-root.js';

const entry = (more: string): string => `extras:
  - distribution: Some
    source: its source
    binding: ClusterRoleBinding x
    subjects: [Group system:unauthenticated]
    rules:
      - ${more}
`;

test('the known extras of the package are as their schema demands', async () => {
  assert.ok((await knownExtras()).length > 0);
});

test('an entry that explains everything, or nothing, is refused with its place', async () => {
  await readKnownExtras(entry('{ verbs: [get], nonResourceURLs: [/x, /x/*] }'));
  await assert.rejects(
    readKnownExtras(entry('{ verbs: ["*"], apiGroups: [""], resources: [pods] }')),
    /extras\/0\/rules\/0\/verbs/,
  );
  await assert.rejects(readKnownExtras(entry('{ verbs: [get] }')), /known-extras\.yaml is not as its schema demands/);
  await assert.rejects(readKnownExtras('extras: 1'), /it\/extras must be array/);
});

test('the schema of the known extras is a schema', () => {
  const schema: object = JSON.parse(readFileSync(packageFile('schemas/known-extras.schema.json'), 'utf8'));
  assert.equal(new Ajv().validateSchema(schema), true);
});
