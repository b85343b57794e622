import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpClient } from './client.js';
import { demandDryRuns, dryRunOf } from './dry-runs.js';
import { CannotTry, UnexpectedAnswer } from './errors.js';

/** An administrator of a server that does with dry runs what `create` does, and what was asked of it. */
function adminOf(create: () => unknown, isThere: boolean) {
  const asked: unknown[] = [];
  const admin = {
    create: async (...given: readonly unknown[]) => {
      asked.push(given);
      return create();
    },
    get: async ({ resource }: { readonly resource: string }, name: string, namespace: string) => {
      asked.push(`${resource} ${namespace}/${name}`);
      return isThere ? {} : undefined;
    },
  };
  return { admin: admin as unknown as HttpClient, asked };
}

test('a dry run is one, of a ConfigMap of ours, and gives what is answered', async () => {
  const answer = { metadata: {} };
  const { admin, asked } = adminOf(() => answer, false);
  assert.equal(await dryRunOf(admin, 'jp-dry-a'), answer);
  const [[{ resource }, object, options]] = asked as [[{ readonly resource: string }, unknown, unknown]];
  assert.deepEqual(
    [resource, object, options],
    [
      'configmaps',
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'jp-dry-a', namespace: 'kube-system' } },
      { dryRun: 'All' },
    ],
  );
});

test('dry runs are trusted where what one was made of is not there', async () => {
  const { admin, asked } = adminOf(() => ({}), false);
  await demandDryRuns(admin, 'abc');
  assert.equal(asked[1], 'configmaps kube-system/jp-dry-abc');
});

test('nothing is tried where a dry run was carried out, or refused', async () => {
  const carriedOut = adminOf(() => ({}), true);
  await assert.rejects(demandDryRuns(carriedOut.admin, 'abc'), (error) => {
    assert.ok(error instanceof CannotTry);
    assert.match(error.message, /^dry runs are carried out: /);
    return true;
  });
  const refused = adminOf(() => {
    throw new UnexpectedAnswer('POST', '/a', 403, 'Forbidden', 'no');
  }, false);
  await assert.rejects(demandDryRuns(refused.admin, 'abc'), (error) => {
    assert.ok(error instanceof CannotTry);
    assert.equal(error.message, 'whether dry runs change nothing cannot be seen (POST /a answered 403 Forbidden: no)');
    return true;
  });
  assert.equal(refused.asked.length, 1);
});

test('whoever does not answer says nothing of dry runs', async () => {
  const lost = new Error('lost');
  const { admin } = adminOf(() => {
    throw lost;
  }, false);
  await assert.rejects(demandDryRuns(admin, 'abc'), (error) => error === lost);
});
