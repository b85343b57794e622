import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { endStale, identityOf } from './process-record.js';

/** As joinproof starts a control plane and the API servers beside it: three programs, two of them side by side. */
const OWNER = `
const { Processes } = await import('${new URL('./processes.js', import.meta.url).href}');
const { makeFolder } = await import('${new URL('./process-record.js', import.meta.url).href}');
const processes = new Processes(await makeFolder());
const start = (name) => processes.start(name, process.execPath, ['-e', 'setInterval(() => {}, 1e6)', processes.folder], process.env);
const first = await start('etcd');
const others = await Promise.all(['kube-apiserver-1', 'kube-apiserver-2'].map(start));
console.log(JSON.stringify({ folder: processes.folder, ids: [first, ...others].map(({ child }) => child.pid) }));
setInterval(() => {}, 1e6);
`;

interface Started {
  readonly folder: string;
  readonly ids: readonly number[];
}

async function startOwner(root: string): Promise<{ readonly owner: ChildProcess; readonly started: Started }> {
  const owner = spawn(process.execPath, ['--input-type=module', '-e', OWNER], {
    env: { ...process.env, TMPDIR: root },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(owner.stdout ?? owner, 'data')) as [Buffer];
  return { owner, started: JSON.parse(line.toString()) as Started };
}

async function killed(owner: ChildProcess): Promise<void> {
  const ended = once(owner, 'exit');
  owner.kill('SIGKILL');
  await ended;
}

const living = (ids: readonly number[]): number[] => ids.filter((id) => identityOf(id) !== undefined);

/** The shell that ends them where joinproof is killed; it ends by itself once they are. */
const watchdogOf = (folder: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((id) => {
      try {
        const line = readFileSync(`/proc/${id}/cmdline`, 'utf8');
        return line.includes('joinproof-watchdog') && line.includes(folder);
      } catch {
        return false;
      }
    });

const linux = { skip: process.platform !== 'linux' };

test('of a control plane whose joinproof is killed no process and no folder is left', linux, async () => {
  const root = await mkdtemp(join(tmpdir(), 'jp-killed-'));
  const { owner, started } = await startOwner(root);
  try {
    assert.equal(living(started.ids).length, 3);
    await killed(owner);
    while (living(started.ids).length > 0 || existsSync(started.folder)) await wait(20);
    assert.deepEqual(await endStale({ root }), []);
  } finally {
    for (const id of living(started.ids)) process.kill(id, 'SIGKILL');
    await rm(root, { recursive: true });
  }
});

test('where the watchdog is killed as well, the next start ends them, written down or not', linux, async () => {
  const root = await mkdtemp(join(tmpdir(), 'jp-killed-'));
  const { owner, started } = await startOwner(root);
  const { folder, ids } = started;
  try {
    const record = JSON.parse(readFileSync(join(folder, 'processes.json'), 'utf8')) as { children: unknown[] };
    assert.equal(record.children.length, 3);
    // killed before it could write down the last two
    writeFileSync(join(folder, 'processes.json'), JSON.stringify({ ...record, children: record.children.slice(0, 1) }));
    for (const id of watchdogOf(folder)) process.kill(id, 'SIGKILL');
    await killed(owner);
    for (const dryRun of [true, false]) {
      const [stale] = await endStale({ root, dryRun });
      assert.deepEqual([stale?.folder, [...(stale?.killed ?? [])].sort()], [folder, [...ids].sort()]);
    }
    while (living(ids).length > 0) await wait(20);
    assert.equal(existsSync(folder), false);
  } finally {
    for (const id of living(ids)) process.kill(id, 'SIGKILL');
    await rm(root, { recursive: true });
  }
});
