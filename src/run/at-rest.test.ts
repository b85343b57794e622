import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { openCluster } from '../targets/cluster.js';
import { startReference } from '../targets/reference.js';
import { judge } from './judge.js';

test('a run that only reads lists each kind of object once', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-test-'));
  const reference = await startReference({ port: 0, keyAlgorithm: 'ECDSA-P256' });
  try {
    const kubeconfig = path.join(folder, 'kubeconfig');
    writeFileSync(kubeconfig, reference.kubeconfig);
    const target = await openCluster({ kubeconfig, env: {}, terminal: false });
    try {
      const { report } = await judge({ target, selection: {}, signal: new AbortController().signal });
      assert.equal(report.summary.error, 0);
      const lists = target
        .exchanges()
        .filter(({ as, method, path: asked }) => as === 'admin' && method === 'GET' && /[?&]limit=500/.test(asked))
        .map(({ path: asked }) => asked);
      assert.ok(lists.some((asked) => asked.includes('/secrets')));
      assert.deepEqual(lists.toSorted(), [...new Set(lists)].sort());
    } finally {
      await target.close();
    }
  } finally {
    await reference.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
