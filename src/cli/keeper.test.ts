import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const cli = fileURLToPath(new URL('./joinproof.js', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-keeper-'));
after(() => rmSync(folder, { recursive: true, force: true }));
/** Where commands put what is temporary, and nobody else anything. */
const temporary = path.join(folder, 'temporary');
mkdirSync(temporary);

/** Clean-up takes its time on a busy machine; what hangs takes the test's. */
const SOON_MS = 60_000;

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  readonly milliseconds: number;
}

/**
 * Starts a command whose thread also runs `script`, which says "now" on standard error when the time has come for
 * `act`.
 */
async function during(script: string, act: (child: ChildProcess) => void, ...args: readonly string[]): Promise<Ended> {
  const threads =
    "import { isMainThread } from 'node:worker_threads'; import { existsSync, writeSync } from 'node:fs';";
  const preload = `data:text/javascript,${encodeURIComponent(`${threads} if (!isMainThread) { ${script} }`)}`;
  const child = spawn(process.execPath, ['--import', preload, cli, ...args], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  let told = 0;
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
    if (told > 0 || !err.includes('now\n')) return;
    told = performance.now();
    act(child);
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, out, err: err.replace('now\n', ''), milliseconds: performance.now() - told };
}

const BUSY = "writeSync(2, 'now\\n'); for (;;);";
/** As soon as the command listens to signals. */
const whenRunning = (script: string): string =>
  `const wait = setInterval(() => { if (process.listenerCount('SIGINT') === 0) return; clearInterval(wait); ${script} }, 2)`;

describe('a command whose event loop stands still', () => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    it(`ends at ${signal}, with a sentence and 3`, async () => {
      const ended = await during(whenRunning(BUSY), (child) => child.kill(signal), 'run');
      assert.deepEqual([ended.code, ended.out], [3, ''], ended.err);
      assert.match(
        ended.err,
        new RegExp(`^joinproof: interrupted \\(${signal}\\): the command did not come to an end`),
      );
      assert.ok(ended.milliseconds < SOON_MS, `${ended.milliseconds} ms`);
    });

  it('is broken off at the second signal where it has something to remove, and says that', async () => {
    const act = (child: ChildProcess): void => {
      child.kill('SIGINT');
      child.kill('SIGTERM');
    };
    const ended = await during(whenRunning(BUSY), act, 'run', '--control-plane', folder);
    assert.deepEqual([ended.code, ended.out], [3, ''], ended.err);
    assert.match(ended.err, /^joinproof: interrupted \(SIG(?:INT|TERM)\) again: the command did not come to an end/);
    assert.match(ended.err, /What it had made may be left; "joinproof sweep --all" removes it\.\n$/);
  });

  it('ends when its time is over', async () => {
    const ended = await during(whenRunning(BUSY), () => undefined, 'run', '--timeout', '1');
    assert.deepEqual([ended.code, ended.out], [3, ''], ended.err);
    assert.match(ended.err, /^joinproof: out of time \(--timeout\): the command did not come to an end/);
    assert.ok(ended.milliseconds < SOON_MS, `${ended.milliseconds} ms`);
  });

  it('is not waited for where its thread is inside a system call that does not return', async () => {
    const fifo = path.join(folder, 'fifo');
    const { spawnSync } = await import('node:child_process');
    spawnSync('mkfifo', [fifo]);
    const script = `import('node:fs').then(({ readFileSync }) => {
      writeSync(2, 'now\\n'); readFileSync(${JSON.stringify(fifo)}); });`;
    const ended = await during(whenRunning(script), (child) => child.kill('SIGINT'), 'run');
    assert.notEqual(ended.code, 0);
    assert.ok(ended.milliseconds < SOON_MS, `${ended.milliseconds} ms`);
  });
});

describe('a command that its thread ends otherwise', () => {
  it('is an error where the memory is used up', async () => {
    const script = whenRunning('const all = []; for (;;) all.push(new Array(1e6).fill(all.length));');
    const child = spawn(
      process.execPath,
      [
        '--max-old-space-size=200',
        '--import',
        `data:text/javascript,${encodeURIComponent(
          `import { isMainThread } from 'node:worker_threads'; if (!isMainThread) { ${script} }`,
        )}`,
        cli,
        'run',
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let err = '';
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    child.stdout.resume();
    const code = await new Promise((resolve) => child.on('close', resolve));
    assert.equal(code, 3, err);
    assert.match(err, /joinproof: the memory of this process was used up/);
  });

  it('is an error of joinproof where something else was thrown before it began, whatever code it has', async () => {
    const script = "throw Object.assign(new Error('by nobody'), { code: 'EOTHER' })";
    const { code, err } = await during(script, () => undefined, 'run');
    assert.equal(code, 3, err);
    assert.match(err, /joinproof itself failed: by nobody/);
  });

  it('is an error where nothing is left to wait for', async () => {
    const ended = await during(whenRunning('process.exit(0)'), () => undefined, 'run');
    assert.equal(ended.code, 3);
  });
});

describe('a signal while a target is opened', () => {
  it('is heard while manifests are read, however large', async () => {
    const file = path.join(folder, 'large.yaml');
    const one = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\ndata:\n  key: value\n---\n';
    writeFileSync(file, one.repeat(120_000));
    const script = whenRunning("writeSync(2, 'now\\n')");
    const ended = await during(script, (child) => child.kill('SIGINT'), 'run', '--manifests', file);
    assert.deepEqual([ended.code, ended.out], [3, ''], ended.err);
    assert.match(ended.err, /interrupted \(SIGINT\)/);
    assert.ok(ended.milliseconds < SOON_MS, `${ended.milliseconds} ms`);
  });

  it('leaves no temporary folder of serve', async () => {
    const script = whenRunning("writeSync(2, 'now\\n')");
    const ended = await during(script, (child) => child.kill('SIGINT'), 'serve', '--port', '0');
    assert.ok(ended.milliseconds < SOON_MS, `${ended.milliseconds} ms`);
    assert.deepEqual(readdirSync(temporary), []);
  });

  it('ends a credential plugin that hangs', async () => {
    const mark = `joinproof-hangs-${process.pid}`;
    const began = path.join(folder, 'began');
    const plugin = { apiVersion: 'client.authentication.k8s.io/v1', command: '/bin/sh', interactiveMode: 'Never' };
    const kubeconfig = path.join(folder, 'config');
    writeFileSync(
      kubeconfig,
      JSON.stringify({
        clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }],
        users: [{ name: 'u', user: { exec: { ...plugin, args: ['-c', `: ${mark}; touch ${began}; sleep 600; :`] } } }],
        contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
        'current-context': 'c',
      }),
    );
    const script = `const wait = setInterval(() => { if (!existsSync(${JSON.stringify(began)})) return;
      clearInterval(wait); writeSync(2, 'now\\n'); }, 5)`;
    const ended = await during(script, (child) => child.kill('SIGTERM'), 'run', '--kubeconfig', kubeconfig);
    assert.deepEqual([ended.code, ended.out], [3, ''], ended.err);
    assert.ok(ended.milliseconds < SOON_MS, `${ended.milliseconds} ms`);
    const running = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandLine(pid).includes(mark));
    assert.deepEqual(running, []);
  });
});

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
