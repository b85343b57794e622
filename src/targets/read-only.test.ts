import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { judge } from '../run/judge.js';
import { openConnection } from './cluster.js';
import { connectionTo } from './connection.testing.js';
import { startReference } from './reference.js';

test('a run that may not write sends GETs and access reviews only, whoever asks', async () => {
  const reference = await startReference({ withNode: true });
  const [methods, others] = [new Set<string>(), new Set<string>()];
  const record = (message: unknown): void => {
    const { method = '', url = '' } = (message as { request: IncomingMessage }).request;
    methods.add(method);
    if (method !== 'GET' && !/^\/apis\/authorization\.k8s\.io\/v1\/[a-z]*accessreviews$/.test(url))
      others.add(`${method} ${url}`);
  };
  subscribe('http.server.request.start', record);
  try {
    const target = await openConnection(connectionTo(reference));
    try {
      const { report } = await judge({
        target,
        selection: {},
        sentences: 'not passed',
        signal: new AbortController().signal,
      });
      assert.ok(report.summary.passed > 50, JSON.stringify(report.summary));
      assert.equal(report.summary.failed + report.summary.error, 0);
    } finally {
      await target.close();
    }
  } finally {
    unsubscribe('http.server.request.start', record);
    await reference.close();
  }
  assert.deepEqual([...methods].sort(), ['GET', 'POST']);
  assert.deepEqual([...others], []);
});
