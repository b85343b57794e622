import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { judge } from '../index.js';

const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-clients-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const JOINPROOF = fileURLToPath(new URL('../cli/joinproof.js', import.meta.url));
const JOINS = [process.execPath, JOINPROOF, 'join', '--root', '{root}', '--ignore-preflight-errors', 'all'];
const BY_FILE = [...JOINS, '--discovery-file', '{discovery-file}', '--tls-bootstrap-token', '{token}'];
/** It ends with an error whatever it is told: it asks nobody, or for cluster-info alone. */
const ASKS_NOBODY = ['/bin/sh', '-c', 'exit 1', 'sh', '{endpoint}', '{token}', '{ca-hash}'];
const ONLY_LOOKS = `
  const path = '/api/v1/namespaces/kube-public/configmaps/cluster-info';
  const end = () => process.exit(1);
  require('https').get('https://' + process.argv[1] + path, { rejectUnauthorized: false }, end).on('error', end);`;

async function judged(name: string, ways: Readonly<Record<string, readonly string[]>>): Promise<unknown> {
  const client = path.join(folder, `${name}.yaml`);
  const files = { 'bootstrap-kubeconfig': 'etc/kubernetes/bootstrap-kubelet.conf' };
  writeFileSync(client, JSON.stringify({ name, timeLimit: 30, ways, files }));
  const { rules, summary } = await judge({ target: { client }, rules: ['PIN-002'] });
  return [rules[0]?.scenarios.map(({ verdict }) => verdict), summary.exitCode];
}

describe('a client that refuses the right cluster', () => {
  it('fails where it joins in another way, and what it refuses besides says nothing', async () => {
    assert.deepEqual(await judged('half', { token: ASKS_NOBODY, file: BY_FILE }), [['failed', 'skipped'], 1]);
  });

  it('is none where it joins in no way, whether it looks at cluster-info or not', async () => {
    const looks = [process.execPath, '-e', ONLY_LOOKS, '{endpoint}', '{token}', '{ca-hash}'];
    for (const token of [ASKS_NOBODY, looks])
      assert.deepEqual(await judged('none', { token }), [['error', 'error'], 3]);
  });
});
