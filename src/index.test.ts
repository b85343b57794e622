import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { FORMATS, formatted, judge, UsageError } from './index.js';
import { conforms } from './run/schemas.js';

describe('the library', () => {
  it('judges the bundled reference, tells how far it is, and gives a report as the schema says', async () => {
    const seen: number[] = [];
    const report = await judge({ rules: ['RBAC-001', 'RBAC-002'], onProgress: (done) => seen.push(done) });
    assert.deepEqual(conforms('report', JSON.parse(JSON.stringify(report))), []);
    assert.deepEqual(
      report.rules.map(({ id, verdict }) => [id, verdict]),
      [
        ['RBAC-001', 'passed'],
        ['RBAC-002', 'passed'],
      ],
    );
    assert.equal(report.summary.exitCode, 0);
    assert.equal(seen.at(-1), report.summary.scenarios);
    for (const format of FORMATS) assert.ok((await formatted(report, format)).length > 0, format);
  });

  it('refuses what cannot be used before anything is opened', async () => {
    await assert.rejects(judge({ rules: ['RBAC-0'] }), UsageError);
    await assert.rejects(judge({ target: { kubeconfig: {}, manifests: 'x' } }), UsageError);
    await assert.rejects(judge({ gate: { require: ['foo'] } }), UsageError);
    await assert.rejects(
      judge({ target: { kubeconfig: { kind: 'Config' } } }),
      /the given kubeconfig has no current-context/,
    );
  });

  it('judges a folder that is laid out like a node, and refuses one that is none', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'joinproof-library-'));
    try {
      const none = await judge({ target: { node: folder }, chapters: ['node-files'] });
      assert.equal(none.summary.exitCode, 3);
      mkdirSync(join(folder, 'etc/kubernetes'), { recursive: true });
      writeFileSync(join(folder, 'etc/kubernetes/kubelet.conf'), 'apiVersion: v1\nkind: Config\n', { mode: 0o644 });
      const { summary, target } = await judge({ target: { node: folder }, chapters: ['node-files'] });
      assert.equal(target.kind, 'node');
      assert.equal(summary.exitCode, 1);
    } finally {
      rmSync(folder, { recursive: true });
    }
    await assert.rejects(judge({ target: { node: '' } }), UsageError);
    await assert.rejects(judge({ target: { client: join(folder, 'gone.yaml') } }), UsageError);
    await assert.rejects(judge({ target: { kubelet: 'kubelet' } }), UsageError);
  });

  it('reaches the cluster of a kubeconfig that is an object', async () => {
    const kubeconfig = {
      'current-context': 'a',
      contexts: [{ name: 'a', context: { cluster: 'a', user: '' } }],
      clusters: [{ name: 'a', cluster: { server: 'https://127.0.0.1:1' } }],
    };
    await assert.rejects(judge({ target: { kubeconfig } }), (error: Error) => {
      assert.equal(error.name, 'TargetUnreachable');
      assert.match(error.message, /127\.0\.0\.1:1/);
      return true;
    });
  });
});
