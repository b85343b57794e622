import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, it } from 'node:test';
import { MARK } from '../marked-processes.js';
import { plainGround } from './ground.js';
import { openProgram, type ProgramTargetOptions } from './program-target.js';

const description = { name: 'a client', timeLimit: 1000, environment: {}, files: {}, ways: {} };
const { signal } = new AbortController();

/** What is opened beside the client, and what of it has been closed. */
function beside() {
  const closed: string[] = [];
  const seen: { folder: string } = { folder: '' };
  let left: ChildProcess | undefined;
  const options = {
    description,
    signal,
    preflight: (folder: string) => {
      seen.folder = folder;
      // a program of a join that nobody has ended
      left = spawn('sleep', ['600'], {
        env: { PATH: process.env.PATH ?? '', [MARK]: `${folder}/1/` },
        stdio: 'ignore',
      });
      return { name: 'looks', close: () => void closed.push('preflight') };
    },
    uploads: () => ({ name: 'uploads', close: async () => void closed.push('uploads') }),
    ground: async (folder: string) => ({ ...plainGround(folder), close: () => void closed.push('ground') }),
  } as unknown as ProgramTargetOptions;
  const ended = (): Promise<unknown> => {
    const child = left;
    assert.ok(child !== undefined);
    if (child.signalCode !== null) return Promise.resolve(child.signalCode);
    return new Promise((resolve) => {
      child.once('exit', (_, name) => resolve(name));
    });
  };
  return { closed, seen, options, ended };
}

describe('a program as a target', () => {
  it('has what is beside it, and leaves nothing: neither folder nor process', async () => {
    const { closed, seen, options, ended } = beside();
    const { abilities, close } = await openProgram(options);
    assert.deepEqual(
      ['preflight', 'uploads'].map((name) => (abilities as Record<string, unknown>)[name] !== undefined),
      [true, true],
    );
    assert.ok(existsSync(seen.folder));
    assert.deepEqual(closed, []);
    await close();
    assert.deepEqual(closed, ['ground', 'preflight', 'uploads']);
    assert.equal(existsSync(seen.folder), false);
    assert.equal(await ended(), 'SIGKILL');
  });

  it('leaves nothing where its ground cannot be made', async () => {
    const { closed, seen, options, ended } = beside();
    const ground = async (): Promise<never> => {
      throw new Error('there is no ground');
    };
    await assert.rejects(openProgram({ ...options, ground }), /there is no ground/);
    assert.deepEqual(closed, ['preflight', 'uploads']);
    assert.equal(existsSync(seen.folder), false);
    assert.equal(await ended(), 'SIGKILL');
  });

  it('has nothing beside it that is not given', async () => {
    const { abilities, close } = await openProgram({ description, signal });
    await close();
    assert.deepEqual(
      ['preflight', 'uploads', 'files'].filter((name) => name in abilities),
      [],
    );
  });
});
