import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { endMarked, endWithin, MARK } from './marked-processes.js';

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'joinproof-marked-')));
const all: ChildProcess[] = [];
after(() => {
  for (const child of all) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

/** A program that goes on, once it does. */
async function goesOn(env: NodeJS.ProcessEnv, cwd = '/') {
  const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1000)'], {
    ...{ env, cwd },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  all.push(child);
  const ended = new Promise<string | null>((resolve) => child.once('exit', (_, signal) => resolve(signal)));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return { id: child.pid ?? 0, ended, isThere: () => child.exitCode === null && child.signalCode === null };
}

describe('programs that a run has started', {
  skip: process.platform === 'linux' ? false : 'Linux alone tells',
}, () => {
  it('are ended where they carry its mark, and only seen where nothing is to be ended', async () => {
    const mark = path.join(folder, 'one');
    const own = await goesOn({ [MARK]: mark });
    const later = await goesOn({ A: 'b', [MARK]: `${mark}/below` });
    const others = [
      await goesOn({}),
      await goesOn({ [MARK]: path.join(folder, 'other') }),
      await goesOn({ [`NO_${MARK}`]: mark }),
      await goesOn({ A: mark }, folder),
    ];
    const ids = [own.id, later.id].sort();
    assert.deepEqual([...endMarked(mark, true)].sort(), ids);
    assert.ok(own.isThere());
    assert.deepEqual([...endMarked(mark)].sort(), ids);
    assert.deepEqual([await own.ended, await later.ended], ['SIGKILL', 'SIGKILL']);
    assert.ok(others.every((one) => one.isThere()));
    assert.deepEqual(endMarked(mark), []);
  });

  it('are ended where they work below its folder, whatever they have made of their environment', async () => {
    const below = path.join(folder, 'run');
    const [within, beside] = [path.join(below, 'a'), path.join(folder, 'beside')];
    for (const one of [within, beside]) mkdirSync(one, { recursive: true });
    const [working, marked, other] = [
      await goesOn({}, within),
      await goesOn({ [MARK]: `${below}/` }, '/'),
      await goesOn({}, beside),
    ];
    assert.deepEqual([...endWithin(`${below}/`)].sort(), [working.id, marked.id].sort());
    assert.deepEqual([await working.ended, await marked.ended], ['SIGKILL', 'SIGKILL']);
    assert.ok(other.isThere());
  });
});
