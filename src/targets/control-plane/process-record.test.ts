import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { test } from 'node:test';
import { endStale, identityOf, makeFolder, record, removeRecorded } from './process-record.js';

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

const linux = { skip: process.platform !== 'linux' };

test('what is written down is for its owner only, whole, and of processes that live', linux, async () => {
  const folder = await makeFolder();
  const child = spawn('/bin/sleep', ['600'], { stdio: 'ignore' });
  try {
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    record(folder, []);
    record(folder, [child.pid ?? 0, 999_999_999]);
    assert.deepEqual(readdirSync(folder), ['processes.json']);
    const file = join(folder, 'processes.json');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), {
      owner: identityOf(process.pid),
      children: [identityOf(child.pid ?? 0)],
    });
  } finally {
    child.kill('SIGKILL');
    await removeRecorded(folder);
  }
  assert.equal(existsSync(folder), false);
  await removeRecorded(folder);
});

test('a process is known by when it started, whatever it is called, until it is dead', linux, async () => {
  const root = await mkdtemp(join(tmpdir(), 'jp-identity-'));
  const odd = join(root, 'a) S 1 (b');
  await symlink('/bin/sleep', odd);
  const child = spawn(odd, ['600'], { stdio: 'ignore' });
  // nobody asks how its child has ended: that ends with what it reads, when its parent is no shell any more
  const parent = spawn('/bin/sh', ['-c', 'cat <&3 >/dev/null & echo $!; exec sleep 600 3<&-'], {
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
  });
  try {
    const pid = child.pid ?? 0;
    const started = (): string =>
      /^.*\) \S(?: \S+){18} (\d+) /s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1] ?? '';
    while (!readFileSync(`/proc/${pid}/stat`, 'latin1').includes('a) S 1')) await new Promise(setImmediate);
    assert.deepEqual(identityOf(pid), { pid, started: started() });
    assert.ok(Number(started()) > 0);
    const [line] = (await once(parent.stdout ?? parent, 'data')) as [Buffer];
    const dead = Number(line.toString());
    const stat = (of: number): string => readFileSync(`/proc/${of}/stat`, 'latin1');
    while (!stat(parent.pid ?? 0).includes('(sleep)')) await new Promise(setImmediate);
    (parent.stdio[3] as Writable).end();
    while (!/\) Z /.test(stat(dead))) await new Promise(setImmediate);
    assert.equal(identityOf(dead), undefined);
  } finally {
    for (const one of [child, parent]) one.kill('SIGKILL');
    await rm(root, { recursive: true });
  }
});

test('a folder that is a link, and a record that is too large, count as nobody wrote them', async () => {
  const root = await mkdtemp(join(tmpdir(), 'jp-strange-'));
  try {
    const text = JSON.stringify({ owner: { pid: 999_999_999, started: '1' }, children: [] });
    const folder = async (name: string, written: string): Promise<string> => {
      const path = join(root, name);
      await mkdir(path);
      await writeFile(join(path, 'processes.json'), written);
      return path;
    };
    const elsewhere = await folder('elsewhere', text);
    const link = join(root, 'joinproof-a-link');
    await symlink(elsewhere, link);
    const large = await folder('joinproof-large', text.padEnd(64 * 1024 + 1));
    const last = await folder('joinproof-b', text.padEnd(64 * 1024));
    const first = await folder('joinproof-a', text);
    assert.deepEqual(
      (await endStale({ root })).map((one) => one.folder),
      [first, last],
    );
    assert.deepEqual([elsewhere, large, first, last].map(existsSync), [true, true, false, false]);
    assert.ok(lstatSync(link).isSymbolicLink());
  } finally {
    await rm(root, { recursive: true });
  }
});
