import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mergeApply, mergeDiff } from './merge-patch.js';

const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.string({ maxLength: 3 }),
    fc.integer(),
    fc.boolean(),
    fc.array(fc.integer(), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), tie('value'), { maxKeys: 4 }),
}));

/** Objects without content count as missing, as the API server drops them. */
const compact = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value)
    .map(([key, one]) => [key, compact(one)] as const)
    .filter(([, one]) => one !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
};

test('the difference takes a change back', () => {
  fc.assert(
    fc.property(json.object, json.object, (before, patch) => {
      const after = mergeApply(before, patch);
      const inverse = mergeDiff(after, before);
      assert.deepEqual(compact(mergeApply(after, inverse ?? {})), compact(before));
    }),
  );
});

test('what others put beside our change meanwhile stays', () => {
  const before = { metadata: { name: 'x' }, data: { a: '1' } };
  const after = mergeApply(before, { metadata: { labels: { ours: '1' } }, data: { a: '2' } });
  const inverse = mergeDiff(after, before);
  const later = mergeApply(after, { metadata: { labels: { theirs: '1' } }, data: { b: '3' } });
  assert.deepEqual(mergeApply(later, inverse), {
    metadata: { name: 'x', labels: { theirs: '1' } },
    data: { a: '1', b: '3' },
  });
});
