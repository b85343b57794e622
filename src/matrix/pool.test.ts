import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { playAll } from './pool.js';

interface Job {
  readonly name: string;
}
interface Played {
  readonly name: string;
  readonly process: number;
}

/** Processes that answer with their number, fail, end, or take no more. */
const WORKER = `
process.on('message', ({ name }) => {
  if (name === 'fails') process.send({ failure: 'it cannot' });
  else if (name === 'says nothing') process.send({});
  else if (name === 'ends') process.exit(3);
  else process.send({ played: { name, process: process.pid }, full: name === 'fills' });
});
process.on('disconnect', () => process.exit(0));
`;

async function play(processes: number, ...names: readonly string[]) {
  const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-pool-'));
  try {
    const worker = path.join(folder, 'worker.mjs');
    writeFileSync(worker, WORKER);
    const done: number[] = [];
    const jobs = names.map((name) => ({ name }));
    const results = await playAll<Job, Played>(jobs, processes, (count) => done.push(count), pathToFileURL(worker));
    return { results, done };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
const processesOf = (results: readonly object[]): number =>
  new Set(results.flatMap((result) => ('process' in result ? [result.process] : []))).size;

describe('a few processes', () => {
  it('play every job, and tell how many are done', async () => {
    const { results, done } = await play(1, 'a', 'b', 'c');
    assert.deepEqual(
      results.map((result) => ('name' in result ? result.name : '')),
      ['a', 'b', 'c'],
    );
    assert.deepEqual(done, [1, 2, 3]);
    assert.equal(processesOf(results), 1);
  });

  it('tell what could not be played, and go on', async () => {
    const { results } = await play(1, 'fails', 'says nothing', 'ends', 'a');
    assert.deepEqual(
      results.map((result) => ('failure' in result ? [result.job.name, result.failure] : result.name)),
      [['fails', 'it cannot'], ['says nothing', 'no answer'], ['ends', 'its process ended with 3'], 'a'],
    );
  });

  it('are new ones where one takes no more', async () => {
    const { results } = await play(1, 'fills', 'a', 'b');
    assert.equal(results.length, 3);
    assert.equal(processesOf(results), 2);
  });

  it('are no more than there are jobs', async () => {
    assert.deepEqual((await play(4)).results, []);
    assert.ok(processesOf((await play(2, 'a', 'b', 'c')).results) <= 2);
  });
});
