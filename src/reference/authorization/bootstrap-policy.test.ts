/**
 * The policy that an API server makes for itself, held to what upstream records of it for each minor: bootstrap-policy.txt
 * has a line for each object, with the minors in which it is so and the beginning of the SHA-256 of its JSON (keys
 * sorted; rules, and the lists in them, as sets). Source: plugin/pkg/auth/authorizer/rbac/bootstrappolicy/testdata.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isRecord } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import { packageFile } from '../../run/package-root.js';
import { bootstrapPolicy } from './bootstrap-policy.js';

const MINORS = [31, 32, 33, 34, 35, 36];
const RECORD = readFileSync(packageFile('src/reference/authorization/bootstrap-policy.txt'), 'utf8');

const inOrder = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, inOrder(value[key])]),
  );
};
const asSets = (rule: unknown): string =>
  JSON.stringify(
    inOrder(
      Object.fromEntries(Object.entries(rule as object).map(([key, list]) => [key, [...(list as string[])].sort()])),
    ),
  );
const fingerprint = (object: KubeObject): string => {
  const { rules, ...rest } = object as KubeObject & { readonly rules?: readonly unknown[] | null };
  const text = JSON.stringify(inOrder({ ...rest, rules: (rules ?? []).map(asSets).sort() }));
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
};

for (const minor of MINORS)
  test(`the policy of 1.${minor} is upstream's`, () => {
    const lines = RECORD.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    const recorded = lines.flatMap((line) => {
      const [, since, until, rest = ''] = /^(\d+)-(\d+) (.*)$/.exec(line) ?? [];
      return minor >= Number(since) && minor <= Number(until) ? [rest] : [];
    });
    const ours = bootstrapPolicy(minor).map(
      ({ resource, object }) =>
        `${resource.resource} ${[object.metadata.namespace, object.metadata.name].filter(Boolean).join(' ')} ${fingerprint(object)}`,
    );
    assert.deepEqual(ours.sort(), recorded.sort());
  });
