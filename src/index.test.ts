import assert from 'node:assert/strict';
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
