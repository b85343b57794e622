import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import type { Lie } from '../../liars/lie.js';
import { lies } from '../../liars/lies/index.js';
import { plainGround, together } from './ground.js';

const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-ground-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const HONEST = lies.find(({ name }) => name === 'ok-pin') as Lie;
const { signal } = new AbortController();

describe('the plain ground', () => {
  it('has folders of its own for each program, and nothing of them once they are closed', async () => {
    const ground = plainGround(folder);
    const place = await ground.open('1', HONEST);
    const home = path.join(folder, '1');
    const own = ['root', 'work', 'services'].map((name) => path.join(home, name));
    assert.deepEqual([place.root, place.work, place.services], own);
    for (const one of [place.root, place.work]) assert.equal(statSync(one).mode & 0o777, 0o700);
    assert.deepEqual([place.isMachine, place.configuration, place.inside('/a/b')], [false, {}, '/a/b']);
    assert.deepEqual([place.path, place.standIns], [process.env.PATH ?? '', path.join(folder, 'bin')]);
    assert.equal(statSync(path.join(folder, 'bin/systemctl')).mode & 0o777, 0o755);
    assert.deepEqual([ground.close, ground.kept], [undefined, undefined]);
    const { exit, said } = await place.run({
      command: ['/bin/sh', '-c', 'pwd; echo "$JOINPROOF_FOLDER $A"; exit 4'],
      environment: { A: 'b', PATH: '/usr/bin:/bin' },
      limit: 30_000,
      signal,
    });
    assert.deepEqual([exit, said.slice(0, 2)], [4, [place.work, `${home}/ b`]]);
    let before = 0;
    place.before(() => {
      before += 1;
    });
    const [host = '', port = ''] = place.liar.scene.endpoint.split(':');
    const socket = connect(Number(port), host);
    socket.on('error', () => {});
    while (before === 0) await new Promise((resolve) => setImmediate(resolve));
    await place.close();
    socket.destroy();
    assert.equal(existsSync(home), false);
    await new Promise((resolve) => connect(Number(port), host).once('error', resolve));
  });

  it('ends a program before its time is over', { skip: process.platform !== 'linux' }, async () => {
    const place = await plainGround(folder).open('2', HONEST);
    try {
      const running = place.run({
        command: ['/bin/sh', '-c', 'touch begun; exec sleep 600'],
        environment: { PATH: '/usr/bin:/bin' },
        limit: 60_000,
        signal,
      });
      while (!existsSync(path.join(place.work, 'begun'))) await new Promise((resolve) => setTimeout(resolve, 5));
      place.end();
      assert.notEqual((await running).exit, 0);
    } finally {
      await place.close();
    }
  });
});

describe('what is put before a command', () => {
  it('is nothing for who is not root', async () => {
    const { getuid } = process;
    try {
      process.getuid = () => 1000;
      assert.deepEqual(await together(), []);
    } finally {
      if (getuid !== undefined) process.getuid = getuid;
    }
  });

  const { status } = spawnSync('/usr/bin/unshare', ['--mount', '--pid', '--fork', '--kill-child', 'true']);
  const skip = process.getuid?.() === 0 && status === 0 ? false : 'this host does not allow it';

  it('gives it ids and mounts of its own, and ends as it does', { skip }, async () => {
    const [file = '', ...given] = await together();
    const ran = (script: string): string =>
      execFileSync(file, [...given, '/bin/sh', '-c', script], { encoding: 'utf8' });
    assert.ok(Number(ran('echo $$')) < 20);
    assert.notEqual(
      ran('readlink /proc/self/ns/mnt'),
      execFileSync('readlink', ['/proc/self/ns/mnt'], { encoding: 'utf8' }),
    );
    assert.throws(() => ran('exit 7'), { status: 7 });
  });

  it('is ended with all that it has started, let go of or not', { skip }, async () => {
    const [file = '', ...given] = await together();
    const script = 'setsid sh -c "echo begun; exec sleep 600" & wait';
    const child = spawn(file, [...given, '/bin/sh', '-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
    await once(child.stdout, 'data');
    // held open by whatever still runs
    const over = once(child.stdout.resume(), 'end');
    child.kill('SIGKILL');
    await over;
  });
});
