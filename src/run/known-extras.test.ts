import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knownExtras, readKnownExtras, textOfExtras } from './known-extras.js';

const entry = (more: string): string => `extras:
  - distribution: Some
    source: its source
    binding: ClusterRoleBinding x
    subjects: [Group system:unauthenticated]
    rules:
      - ${more}
`;

test('the known extras of the package are as their schema demands', () => {
  const extras = readKnownExtras(textOfExtras());
  assert.ok(extras.length > 0);
  assert.deepEqual(knownExtras(), extras);
});

test('an entry that explains everything, or nothing, is refused with its place', () => {
  readKnownExtras(entry('{ verbs: [get], nonResourceURLs: [/x, /x/*] }'));
  assert.throws(
    () => readKnownExtras(entry('{ verbs: ["*"], apiGroups: [""], resources: [pods] }')),
    /extras\[0\]\.rules\[0\]\.verbs/,
  );
  assert.throws(() => readKnownExtras(entry('{ verbs: [get] }')), /known-extras\.yaml is not as its schema demands/);
  assert.throws(() => readKnownExtras('extras: 1'), /extras is no array/);
});
