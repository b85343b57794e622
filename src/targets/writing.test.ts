import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judge } from '../run/judge.js';
import { openConnection } from './cluster.js';
import { connectionTo } from './connection.testing.js';
import { startReference } from './reference.js';

/**
 * What a machine that is busy may be too slow for is told as such, and is nothing that the client refuses: that is a
 * request, or an answer that was no failure.
 */
const REFUSED_BY_THE_CLIENT = /joinproof (?:makes|deletes|changes|reaches)|answered 2\d\d: /;

test('all that rules write to a cluster, its client lets them write, and a sound cluster meets them', async () => {
  const reference = await startReference({ withNode: true });
  const { signal } = new AbortController();
  try {
    const target = await openConnection(connectionTo(reference), { signal, allowWrites: true });
    try {
      const { report } = await judge({ target, selection: { tags: 'not @waits' }, sentences: 'not passed', signal });
      const told = (kind: string): readonly string[] =>
        report.rules.filter(({ verdict }) => verdict === kind).map(({ id, reason }) => `${id}: ${reason?.text ?? ''}`);
      assert.deepEqual(told('failed'), []);
      assert.deepEqual(
        told('error').filter((text) => REFUSED_BY_THE_CLIENT.test(text)),
        [],
      );
      assert.ok(report.summary.passed > 150, JSON.stringify(report.summary));
    } finally {
      await target.close();
    }
  } finally {
    await reference.close();
  }
});
