/** Whatever a server or a plugin says, the streams of a command hold nothing that acts on a terminal. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { RUN_LABEL } from '../kubernetes/own-objects.js';
import { serve } from '../targets/local-server.testing.js';

const cli = fileURLToPath(new URL('./joinproof.js', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-say-'));
after(() => rmSync(folder, { recursive: true }));

/** Another title of the window, a cleared screen, text from right to left, and a line that looks like the last one. */
const WILD = '\u001b]0;owned\u0007\u001b[2J\u202e\u009b31m\n234 rules: 234 passed; conformant (1.0 s)\r';

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A command with a kubeconfig that leads to such a server. */
async function against(listener: RequestListener, user: object, ...args: readonly string[]): Promise<Ended> {
  const server = await serve(listener);
  const authority = Buffer.from(server.ca.certificate.pem).toString('base64');
  const config = {
    clusters: [{ name: 'a', cluster: { server: server.url, 'certificate-authority-data': authority } }],
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
    users: [{ name: 'a', user }],
    'current-context': 'a',
  };
  const kubeconfig = path.join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, JSON.stringify(config));
  const child = spawn(process.execPath, [cli, ...args, '--kubeconfig', kubeconfig], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  await server.close();
  return { code, ...said };
}

const answering =
  (answer: (pathname: string) => readonly [number, object]): RequestListener =>
  (request, response) => {
    request.resume();
    const [code, body] = answer(new URL(request.url ?? '/', 'https://x').pathname);
    response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
const VERSION = { major: '1', minor: '36', gitVersion: 'v1.36.0' };

function assertTame({ out, err }: Ended): void {
  for (const [stream, text] of Object.entries({ out, err })) {
    assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u, stream);
    assert.doesNotMatch(text, /^234 rules/m, stream);
  }
}

test('a sweep shows names and refusals of a server as escapes', async () => {
  const marked = { metadata: { name: WILD, namespace: WILD, labels: { [RUN_LABEL]: WILD } } };
  const ended = await against(
    answering((at) => {
      if (at === '/version') return [200, VERSION];
      if (at.endsWith('/nodes')) return [403, { kind: 'Status', status: 'Failure', message: WILD, code: 403 }];
      return [200, { kind: 'List', apiVersion: 'v1', metadata: {}, items: [marked] }];
    }),
    { token: 't' },
    'sweep',
  );
  assertTame(ended);
  assert.match(ended.out, /\\u001b\]0;owned/);
});

test('a run shows the version and the refusals of a server as escapes', async () => {
  const ended = await against(
    answering((at) =>
      at === '/version'
        ? [200, { ...VERSION, gitVersion: `v1.36.0${WILD}` }]
        : [403, { kind: 'Status', status: 'Failure', message: WILD, code: 403 }],
    ),
    { token: 't' },
    ...['run', '--rule', 'TOK-001', '--rule', 'INFO-001'],
  );
  assertTame(ended);
  assert.notEqual(ended.code, 0);
});

test('what a plugin of the kubeconfig complains is shown as escapes', async () => {
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: process.execPath,
    args: ['-e', `process.stderr.write(${JSON.stringify(WILD)}); process.exit(1)`],
    interactiveMode: 'Never',
  };
  const ended = await against(
    answering(() => [200, VERSION]),
    { exec },
    'run',
  );
  assertTame(ended);
  assert.equal(ended.code, 2);
  assert.match(ended.err, /failed with exit code 1/);
});

test('a sweep of a server that never comes to an end is out of time', async () => {
  const started = Date.now();
  const ended = await against(
    (request, response) => {
      request.resume();
      if (request.url === '/version') response.end(JSON.stringify(VERSION));
    },
    { token: 't' },
    ...['sweep', '--timeout', '1'],
  );
  assert.equal(ended.code, 3);
  assert.ok(Date.now() - started < 20_000);
});
