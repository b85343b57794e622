import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { execCredential } from './exec-plugin.js';
import { Fields } from './kubeconfig-files.js';

const folder = mkdtempSync(path.join(tmpdir(), 'exec-plugin-'));
after(() => rmSync(folder, { recursive: true }));

/** What a plugin that fails is said to have said. */
async function complaintOf(script: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const command = path.join(folder, 'plugin');
  writeFileSync(command, `#!/bin/sh\n${script}\nexit 1\n`);
  chmodSync(command, 0o755);
  const pairs = Object.entries(env).map(([name, value]) => ({ name, value }));
  const exec = { apiVersion: 'client.authentication.k8s.io/v1', command, interactiveMode: 'Never', env: pairs };
  const options = { env: process.env, terminal: false, now: () => 0 };
  const credential = execCredential(new Fields(exec, 'exec of a', folder), { server: 'https://a' }, options);
  const error: unknown = await credential.current(new AbortController().signal).then(
    () => undefined,
    (thrown) => thrown,
  );
  assert.ok(error instanceof Error);
  return error.message;
}

const SECRET = 'canary-Of-The-Plugin/0123';

test('what a plugin complains holds no secret that its kubeconfig gave it, in any form', async () => {
  for (const form of [
    SECRET,
    Buffer.from(SECRET).toString('base64'),
    Buffer.from(SECRET).toString('hex'),
    encodeURIComponent(SECRET),
  ]) {
    const said = await complaintOf(`echo 'cannot log in with ${form} here' >&2`, { PASSWORD: SECRET });
    assert.ok(!said.includes(form.slice(0, 12)), said);
    assert.match(said, /cannot log in with \[redacted\]/);
  }
});

test('nor the token that it gave all the same, nor what looks like one', async () => {
  const status = { token: SECRET };
  const answer = JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status });
  assert.match(await complaintOf(`echo '${answer}'; echo 'bad ${SECRET}' >&2`), /: bad \[redacted\]\.$/);
  assert.match(await complaintOf("echo 'Authorization: Bearer abc.def' >&2"), /Bearer \[redacted\]\.$/);
});

test('is cut after that, not before', async () => {
  for (const before of [380, 390, 395]) {
    const said = await complaintOf(`printf '%${before}s%s' '' ${SECRET} >&2; printf '%500s.' '' >&2`, {
      PASSWORD: SECRET,
    });
    assert.ok(!said.includes('canary'), said);
  }
  const endless = `head -c 300000 /dev/zero | tr '\\0' x >&2`;
  assert.match(await complaintOf(endless), /: its message has no end\.$/);
  assert.match(await complaintOf(`${endless}; echo >&2; echo 'the last word' >&2`), /: the last word\.$/);
});
