import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { endStale, identityOf } from './process-record.js';
import { endedEarly, lastWords, Processes } from './processes.js';

/** As joinproof starts a control plane and the API servers beside it: three programs, two of them side by side. */
const OWNER = `
const { Processes } = await import('${new URL('./processes.js', import.meta.url).href}');
const { makeFolder } = await import('${new URL('./process-record.js', import.meta.url).href}');
const processes = new Processes(await makeFolder());
const start = (name) => processes.start(name, process.execPath, ['-e', 'setInterval(() => {}, 1e6)', processes.folder], process.env);
const first = await start('etcd');
const others = await Promise.all(['kube-apiserver-1', 'kube-apiserver-2'].map(start));
console.log(JSON.stringify({ folder: processes.folder, ids: [first, ...others].map(({ child }) => child.pid) }));
process.stdin.on('data', (text) => {
  for (const id of String(text).trim().split(' ')) processes.watch(Number(id));
  console.log('watched');
});
setInterval(() => {}, 1e6);
`;

interface Started {
  readonly folder: string;
  readonly ids: readonly number[];
}

async function startOwner(root: string): Promise<{ readonly owner: ChildProcess; readonly started: Started }> {
  const owner = spawn(process.execPath, ['--input-type=module', '-e', OWNER], {
    env: { ...process.env, TMPDIR: root },
    stdio: ['pipe', 'pipe', 'inherit'],
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

test(
  'a program is started in the folder, with what it is given, and its words are kept for their owner only',
  linux,
  async () => {
    const processes = new Processes(await mkdtemp(join(tmpdir(), 'joinproof-processes-')));
    const { folder } = processes;
    try {
      const script = 'pwd; echo "$A $JOINPROOF_FOLDER $1"; echo no >&2; exit 3';
      const running = await processes.start('etcd', '/bin/sh', ['-c', script, 'sh', folder], { A: 'b' });
      assert.equal(running.program, 'etcd');
      assert.equal(await running.ended, 'ended with exit code 3');
      assert.equal(running.log, join(folder, 'etcd.log'));
      assert.equal(readFileSync(running.log, 'utf8'), `${folder}\nb ${folder}/ ${folder}\nno\n`);
      assert.equal(statSync(running.log).mode & 0o777, 0o600);
      assert.equal(
        String(await endedEarly(running, 'ended')),
        `ConfigurationError: etcd ended before it was ready: ${folder} | b ${folder}/ ${folder} | no`,
      );
      const none = await processes.start('none', join(folder, 'none'), [folder], {});
      assert.equal(await none.ended, 'could not be started (ENOENT)');
      const killed = await processes.start('killed', '/bin/sh', ['-c', 'kill -TERM $$', 'sh', folder], {});
      assert.equal(await killed.ended, 'was ended by SIGTERM');
      const [sleeping, other] = [
        await processes.start('a', '/bin/sleep', ['600'], {}),
        await processes.start('b', '/bin/sleep', ['600'], {}),
      ];
      const closed = processes.close();
      assert.equal(processes.close(), closed);
      await closed;
      assert.deepEqual(await Promise.all([sleeping, other].map(({ ended }) => ended)), [
        'was ended by SIGKILL',
        'was ended by SIGKILL',
      ]);
      assert.equal(existsSync(folder), false);
    } finally {
      await processes.close();
    }
  },
);

/** Its process group, by proc(5). */
const groupOf = (id: number): number => {
  const stat = readFileSync(`/proc/${id}/stat`, 'latin1');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);
};

test('what Ctrl-C reaches is joinproof alone, and a program started again adds to what it said', linux, async () => {
  const processes = new Processes(await mkdtemp(join(tmpdir(), 'joinproof-groups-')));
  const { folder } = processes;
  try {
    const running = await processes.start('a', '/bin/sleep', ['600'], {});
    for (const id of [running.child.pid ?? 0, ...watchdogOf(folder)]) assert.equal(groupOf(id), id);
    assert.equal(watchdogOf(folder).length, 1);
    for (const word of ['one', 'two']) await (await processes.start('b', '/bin/echo', [word], {})).ended;
    assert.equal(readFileSync(join(folder, 'b.log'), 'utf8'), 'one\ntwo\n');
  } finally {
    await processes.close();
  }
  while (watchdogOf(folder).length > 0) await wait(20);
});

test('of what was watched only what names the folder is ended with a killed joinproof', linux, async () => {
  const root = await mkdtemp(join(tmpdir(), 'jp-watched-'));
  const { owner, started } = await startOwner(root);
  const stranger = spawn('/bin/sleep', ['600'], { stdio: 'ignore' });
  const ours = spawn('/bin/sh', ['-c', 'sleep 600; :', started.folder], { stdio: 'ignore' });
  try {
    const over = once(ours, 'exit');
    owner.stdin?.end(`${stranger.pid} ${ours.pid}\n`);
    await once(owner.stdout ?? owner, 'data');
    await killed(owner);
    assert.deepEqual(await over, [null, 'SIGKILL']);
    while (existsSync(started.folder)) await wait(20);
    assert.notEqual(identityOf(stranger.pid ?? 0), undefined);
  } finally {
    for (const one of [stranger, ours]) one.kill('SIGKILL');
    for (const id of living(started.ids)) process.kill(id, 'SIGKILL');
    await rm(root, { recursive: true });
  }
});

test('the last words of a program are those that say what went wrong', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'jp-words-'));
  const log = join(folder, 'log');
  try {
    for (const [text, words] of [
      ['', 'its log is empty'],
      ['\n \n', 'its log is empty'],
      ['a\nb\nc\nd\n', 'b | c | d'],
      ['E0102 bad\nhello\n', 'E0102 bad'],
      ['F0102 worse\nhello\n', 'F0102 worse'],
      ['I0102 good\nW0102 odd\nhello\n', 'I0102 good | W0102 odd | hello'],
      ['E010 short\nhello', 'E010 short | hello'],
      ['Error: no\nhello', 'Error: no'],
      ['an Error: no\nhello', 'an Error: no | hello'],
      ['{"level":"error","msg":"x"}\n{"level":"info"}', '{"level":"error","msg":"x"}'],
      ['{"level":"fatal"}\n{"level":"panic"}\nx', '{"level":"fatal"} | {"level":"panic"}'],
      ['panic: at\nx', 'panic: at'],
      ['E0001 a\nE0002 b\nE0003 c\nE0004 d', 'E0002 b | E0003 c | E0004 d'],
      ['x'.repeat(300), 'x'.repeat(300)],
      ['x'.repeat(301), `${'x'.repeat(300)}…`],
      [`Error: lost\n${'y\n'.repeat(40_000)}`, 'y | y | y'],
      [`Error: kept\n${'y\n'.repeat(30_000)}`, 'Error: kept'],
      [`Error: kept\n${'y\n'.repeat((64 * 1024 - 12) / 2)}`, 'Error: kept'],
      [`\nError: kept\n${'y\n'.repeat((64 * 1024 - 12) / 2)}`, 'Error: kept'],
      [`Error: lost\n${'y\n'.repeat((64 * 1024 - 12) / 2)}y`, 'y | y | y'],
    ] as const) {
      writeFileSync(log, text);
      assert.equal(await lastWords(log), words, text.slice(0, 50));
    }
    assert.equal(await lastWords(join(folder, 'none')), 'it wrote no log');
  } finally {
    await rm(folder, { recursive: true });
  }
});
