import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { endStale, identityOf } from './process-record.js';

test('what a killed joinproof left is ended; strangers with a recycled pid and living runs are not', {
  skip: process.platform !== 'linux',
}, async () => {
  const root = await mkdtemp(join(tmpdir(), 'jp-stale-'));
  const folder = async (name: string, record: unknown): Promise<string> => {
    const path = join(root, `joinproof-${name}`);
    await mkdir(path, { recursive: true });
    if (record !== undefined)
      await writeFile(join(path, 'processes.json'), typeof record === 'string' ? record : JSON.stringify(record));
    return path;
  };
  const dead = { pid: 999_999_999, started: '1' };
  const child = (argument: string): ReturnType<typeof spawn> =>
    spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)', argument], { stdio: 'ignore' });
  const ours = child(join(root, 'joinproof-gone'));
  const stranger = child('something-else');
  const recycled = child(join(root, 'joinproof-gone'));
  try {
    const identity = (pid: number | undefined): unknown => identityOf(pid ?? 0);
    const gone = await folder('gone', {
      owner: dead,
      children: [identity(ours.pid), identity(stranger.pid), { pid: recycled.pid, started: '1' }, dead],
    });
    const alive = await folder('alive', { owner: identity(process.pid), children: [identity(stranger.pid)] });
    const unwritten = await folder('unwritten', undefined);
    const garbled = await folder('garbled', '{"owner":');
    const halves = await Promise.all(
      [
        { owner: dead, children: [null] },
        { owner: dead, children: [identity(stranger.pid), { pid: 1.5, started: '1' }] },
        { owner: dead, children: [{ pid: dead.pid }] },
        { owner: dead, children: [{ pid: dead.pid, started: 1 }] },
        { owner: dead, children: [{ started: '1' }] },
        { owner: dead, children: ['dead'] },
        { owner: dead },
        { owner: 'dead', children: [] },
        { owner: { pid: dead.pid }, children: [] },
        { owner: dead, children: dead },
        { children: [] },
        null,
      ].map((written, at) => folder(`half-${at}`, written ?? 'null')),
    );
    const named = join(root, 'another-joinproof-gone');
    await mkdir(named);
    await writeFile(join(named, 'processes.json'), JSON.stringify({ owner: dead, children: [identity(stranger.pid)] }));
    assert.deepEqual(await endStale({ root, dryRun: true }), [{ folder: gone, killed: [ours.pid] }]);
    assert.equal(ours.exitCode, null);
    const ended = once(ours, 'exit');
    assert.deepEqual(await endStale({ root }), [{ folder: gone, killed: [ours.pid] }]);
    assert.deepEqual(await ended, [null, 'SIGKILL']);
    assert.deepEqual(
      [gone, alive, unwritten, garbled, named, ...halves].map((one) => existsSync(one)),
      [false, true, true, true, true, ...halves.map(() => true)],
    );
    assert.deepEqual([stranger.signalCode, recycled.signalCode], [null, null]);
    assert.deepEqual(await endStale({ root }), []);
  } finally {
    for (const one of [ours, stranger, recycled]) one.kill('SIGKILL');
    await rm(root, { recursive: true });
  }
});
