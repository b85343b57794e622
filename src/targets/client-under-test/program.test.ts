/** How a program ended, and what it said, whatever it does. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { type Ended, type Program, runProgram } from './program.js';

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'joinproof-program-')));
after(() => rmSync(folder, { recursive: true, force: true }));

const run = (script: string, more: Partial<Program> = {}): Promise<Ended> =>
  runProgram({
    command: ['/bin/sh', '-c', script],
    environment: { PATH: process.env.PATH, OWN: 'own' },
    folder,
    limit: 60_000,
    signal: new AbortController().signal,
    mark: `${folder}/`,
    ...more,
  });
/** What is ended has no command any more, also where nobody has asked how it ended. */
const isGone = (id: string): boolean => {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'latin1') === '';
  } catch {
    return true;
  }
};
/** Looks until it holds: processes begin and end in their own time. */
async function until(holds: () => boolean, otherwise: string): Promise<void> {
  for (let looks = 0; !holds(); looks += 1) {
    assert.ok(looks < 2_000, otherwise);
    await setTimeout(5);
  }
}
/** Starts what goes on for long, and writes its id to this file of the folder of the program. */
const leaving = (file: string): string =>
  `setsid sleep 1000 >/dev/null 2>&1 & echo $! > ${file}.new; mv ${file}.new ${file}`;
const idIn = (file: string): string => {
  try {
    return readFileSync(path.join(folder, file), 'utf8').trim();
  } catch {
    return '';
  }
};
const lines = ({ said }: Ended): readonly string[] => said.filter((line) => line !== '');

describe('a program', () => {
  it('ends with its exit code, and says what it said, standard error last', async () => {
    const well = await run('echo err >&2; echo out; echo more; exit 0');
    assert.deepEqual([well.exit, well.message, lines(well)], [0, '', ['out', 'more', 'err']]);
    assert.ok(well.milliseconds > 0 && well.milliseconds < 60_000);
    assert.equal((await run('exit 7')).exit, 7);
    assert.equal((await run('kill -TERM $$')).exit, 128);
    assert.deepEqual(lines(await run("printf '\\033[1mbold\\n'")), ['\\u001b[1mbold']);
  });

  it('leaves to groups what root leaves to them', async () => {
    const own = process.umask(0o002);
    try {
      assert.deepEqual(lines(await run('umask')), ['0022']);
    } finally {
      process.umask(own);
    }
  });

  it('has ended where there is none', async () => {
    const none = await run('', { command: [path.join(folder, 'none')] });
    assert.equal(none.exit, 127);
  });

  it('ends with its last words: what it called an error, its standard error, or what it said', async () => {
    const message = async (script: string): Promise<string> => (await run(`${script}\nexit 1`)).message;
    assert.equal(await message("printf 'warning\\nerror: one\\nmore\\nerror: two\\nmore\\n' >&2"), 'error: two\nmore');
    assert.equal(await message("printf 'error: one\\nmore\\n' >&2"), 'error: one\nmore');
    assert.equal(await message('echo out; echo an error: inside >&2'), 'an error: inside');
    assert.equal(await message('echo out'), 'out');
    assert.equal(await message(''), '');
    const long = await message('echo begin >&2; head -c 999 /dev/zero | tr "\\0" x >&2; echo >&2');
    assert.equal(long, 'x'.repeat(999));
    const whole = await message('{ printf "error: "; head -c 1999 /dev/zero | tr "\\0" x; } >&2');
    assert.equal(whole, `error: ${'x'.repeat(1999)}`);
  });

  it('has its folder, its environment and no input', async () => {
    const seen = lines(await run('pwd; echo "$OWN$HOME"; read -r line || echo closed; echo "$JOINPROOF_FOLDER"'));
    assert.deepEqual(seen, [folder, 'own', 'closed', `${folder}/`]);
  });

  it('is kept to the last 64 KiB that it says, at whichever byte they begin', async () => {
    const { said } = await run('head -c 70000 /dev/zero | tr "\\0" a; printf b; echo err >&2');
    assert.equal(said[0], `${'a'.repeat(64 * 1024 - 1)}b`);
    assert.deepEqual(said.slice(1), ['err', '']);
    assert.equal((await run("printf 'é'")).said[0], 'é');
  });

  it('is ended at its limit, and by its signal, with what it has started', async () => {
    const late = await run('trap "" TERM; sleep 1000 & wait', { limit: 200 });
    assert.equal(late.exit, undefined);
    const over = new Error('over');
    const controller = new AbortController();
    const running = run(`trap "" TERM; ${leaving('started')}; wait`, { signal: controller.signal });
    await until(() => idIn('started') !== '', 'it has not begun');
    assert.ok(!isGone(idIn('started')));
    controller.abort(over);
    await assert.rejects(running, over);
    await until(() => isGone(idIn('started')), 'what it has started goes on');
    await assert.rejects(run('exit 0', { signal: controller.signal }), over);
  });

  it('does not wait for who holds its outputs open, and ends whom it has left behind', async () => {
    const left = await run(`${leaving('left')}; exit 3`);
    assert.equal(left.exit, 3);
    assert.match(idIn('left'), /^\d+$/);
    await until(() => isGone(idIn('left')), 'what it has left behind goes on');
  });

  it('is ended with its whole group, also with those of it that nothing else tells whose they are', async () => {
    const bare = path.join(folder, 'bare');
    const strip = `(cd / && exec env -i /bin/sleep 1000 >/dev/null 2>&1) & until [ -z "$(tr -d '\\0' < /proc/$!/environ)" ]; do :; done`;
    const ended = await run(`${strip}; echo $! > ${bare}; exit 4`);
    assert.equal(ended.exit, 4);
    assert.match(idIn('bare'), /^\d+$/);
    await until(() => isGone(idIn('bare')), 'it goes on');
  });

  it('names programs that are given a secret, and nobody who is given none', async () => {
    const script = 'sh -c "sleep 0.5; :" sh "$0"; sh -c "sleep 0.2; :" sh other';
    const { given } = await runProgram({
      command: ['/bin/sh', '-c', script, 'Bearer a1b2c3.0123456789abcdef'],
      environment: { PATH: process.env.PATH },
      folder,
      limit: 60_000,
      signal: new AbortController().signal,
      mark: `${folder}/`,
      secrets: ['a1b2c3.0123456789abcdef'],
    });
    assert.equal(given, undefined);
    const told = await run('sh -c "sleep 0.5; :" sh token=a1b2c3.0123456789abcdef', {
      secrets: ['a1b2c3.0123456789abcdef'],
    });
    assert.deepEqual(told.given, ['sh']);
  });
});
