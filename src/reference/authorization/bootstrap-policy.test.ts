/**
 * The policy that an API server makes for itself, held to what upstream records of it for each minor: bootstrap-policy.txt
 * has a line for each object, with the minors in which it is so and the beginning of the SHA-256 of its JSON (keys
 * sorted; rules, and the lists in them, as sets). Source: plugin/pkg/auth/authorizer/rbac/bootstrappolicy/testdata.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { KubeObject } from '../../kubernetes/objects.js';
import { fingerprint, jsonInOrder, MINORS, recordedOf } from '../../kubernetes/upstream-record.testing.js';
import { packageFile } from '../../run/package-root.js';
import { bootstrapPolicy } from './bootstrap-policy.js';

const RECORD = readFileSync(packageFile('src/reference/authorization/bootstrap-policy.txt'), 'utf8');

const asSets = (rule: unknown): string =>
  jsonInOrder(
    Object.fromEntries(Object.entries(rule as object).map(([key, list]) => [key, [...(list as string[])].sort()])),
  );
const printOf = (object: KubeObject): string => {
  const { rules, ...rest } = object as KubeObject & { readonly rules?: readonly unknown[] | null };
  return fingerprint({ ...rest, rules: (rules ?? []).map(asSets).sort() }, 12);
};

for (const minor of MINORS)
  test(`the policy of 1.${minor} is upstream's`, () => {
    const ours = bootstrapPolicy(minor).map(
      ({ resource, object }) =>
        `${resource.resource} ${[object.metadata.namespace, object.metadata.name].filter(Boolean).join(' ')} ${printOf(object)}`,
    );
    assert.deepEqual(ours.sort(), [...recordedOf(RECORD, minor)].sort());
  });
