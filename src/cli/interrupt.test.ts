/** What a command's thread tells who keeps it. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import type { Order, Terminal, Word } from './keeper.js';

/** The words that a thread says which does that. */
function said(script: string): Promise<readonly unknown[]> {
  const from = JSON.stringify(new URL('./interrupt.js', import.meta.url).href);
  const worker = new Worker(`import(${from}).then(({ Interrupt }) => { ${script} })`, { eval: true });
  const words: unknown[] = [];
  worker.on('message', (word) => words.push(word));
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', () => resolve(words));
  });
}

describe('an interrupt', () => {
  it('tells that its run makes something, and when its time is over', async () => {
    assert.deepEqual(await said('new Interrupt(5, true).end(); process.exit()'), [{ holds: true }, { deadline: 5000 }]);
    assert.deepEqual(await said('new Interrupt(0.5).end(); process.exit()'), [{ deadline: 500 }]);
    assert.deepEqual(await said('new Interrupt(undefined, true).end(); process.exit()'), [{ holds: true }]);
    assert.deepEqual(await said('new Interrupt(undefined).end(); process.exit()'), []);
  });

  it('ends its run at the first signal, whatever comes later, and breaks its clean-up off at the second', async () => {
    const tell = "const tell = (word) => require('node:worker_threads').parentPort.postMessage(word);";
    const act = "one.onSecond(() => tell('second')); const now = () => tell([one.by, one.signal.reason?.message]);";
    const signals = "now(); for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) { process.emit(name, name); now(); }";
    const first = ['SIGTERM', 'interrupted by SIGTERM'];
    assert.deepEqual(await said(`${tell} const one = new Interrupt(); ${act} ${signals} one.end();`), [
      [undefined, undefined],
      first,
      ...['second', first],
      ...['second', first],
    ]);
  });

  it('is over when its command is: nothing listens to signals, and no time is waited for', async () => {
    const counted = "['SIGINT', 'SIGTERM', 'SIGHUP'].map((name) => process.listenerCount(name))";
    const tell = `require('node:worker_threads').parentPort.postMessage(${counted})`;
    const before = `const one = new Interrupt(3600); ${tell}; one.end(); ${tell}`;
    assert.deepEqual(await said(before), [{ deadline: 3_600_000 }, [1, 1, 1], [0, 0, 0]]);
  });
});

const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-interrupt-'));
after(() => rmSync(folder, { recursive: true }));
const dump = path.join(folder, 'dump.json');
writeFileSync(dump, JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'b' } }));

/** What a whole command says to who keeps it, and what for people. */
function kept(args: readonly string[], ...orders: readonly Order[]) {
  return keptOn({ stdin: false, stdout: false, stderr: false }, args, ...orders);
}
function keptOn(terminal: Terminal, args: readonly string[], ...orders: readonly Order[]) {
  const worker = new Worker(new URL('./kept.js', import.meta.url), {
    argv: [...args],
    workerData: terminal,
    stdout: true,
    stderr: true,
  });
  const words: Word[] = [];
  let err = '';
  worker.stdout.resume();
  worker.stderr.on('data', (chunk) => {
    err += chunk;
  });
  worker.on('message', (word: Word) => words.push(word));
  for (const order of orders) worker.postMessage(order);
  return new Promise<{ words: readonly Word[]; err: string }>((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', () => resolve({ words, err }));
  });
}

describe('a command in its thread', () => {
  const run = ['run', '--no-config', '--manifests', dump, '--rule', 'TOK-001', '--timeout', '50'];

  it('tells its time, when it is about to write, and how it ends', async () => {
    assert.deepEqual((await kept(run)).words, [{ deadline: 50_000 }, { writes: true }, { code: 3 }]);
    assert.deepEqual((await kept(['sweep', '--dry-run'])).words, [{ deadline: 300_000 }, { code: 0 }]);
  });

  it('knows which of its streams is a terminal', async () => {
    const { TERM, NO_COLOR } = process.env;
    delete process.env.NO_COLOR;
    process.env.TERM = 'xterm';
    try {
      const judge = (stderr: boolean) =>
        keptOn({ stdin: false, stdout: false, stderr }, [...run, '--out', 'json=-', '--quiet']);
      assert.ok((await judge(true)).err.includes('\u001b[1m'));
      assert.ok(!(await judge(false)).err.includes('\u001b'));
    } finally {
      Object.assign(process.env, TERM === undefined ? {} : { TERM }, NO_COLOR === undefined ? {} : { NO_COLOR });
    }
  });

  it('is alive where it is asked, and ends with 3 at a signal that it does not listen to', async () => {
    assert.deepEqual((await kept(['rules'], { ping: true })).words, [{ alive: true }, { code: 0 }]);
    const { words, err } = await kept(['rules'], { signal: 'SIGTERM' });
    assert.deepEqual(words, [{ alive: true }, { code: 3 }]);
    assert.equal(err, 'joinproof: interrupted (SIGTERM); nothing is reported.\n');
  });
});
