import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { plan } from './judge.js';
import { RunThread } from './run-thread.js';

const SHARE = { given: undefined, parameters: undefined, evidence: undefined };
const threadsOf = async (selection: Parameters<typeof plan>[0], processors?: number): Promise<readonly RunThread[]> =>
  RunThread.of((await plan(selection)).selected, SHARE, processors);

describe('the threads of a run', () => {
  const divided = async (selection: Parameters<typeof plan>[0], processors: number): Promise<readonly number[]> => {
    const threads = await threadsOf(selection, processors);
    try {
      return threads.map(({ plays }) => plays.size);
    } finally {
      await Promise.all(threads.map((thread) => thread.end()));
    }
  };
  it('are as many as there are processors, and no more than there is work for', async () => {
    const { chosen } = (await plan({})).selected;
    for (const [processors, others] of [
      [1, 0],
      [2, 1],
      [3, 1],
      [4, 3],
      [64, 3],
    ] as const) {
      const sizes = await divided({}, processors);
      assert.equal(sizes.length, others, `${processors} processors`);
      const rest = chosen.size - sizes.reduce((sum, size) => sum + size, 0);
      for (const size of others === 0 ? [] : [rest, ...sizes])
        assert.ok(size > chosen.size / (others + 1) / 3, `${processors} processors: ${size} of ${chosen.size}`);
    }
    assert.deepEqual(await divided({ chapters: ['joining'] }, 4), []);
    assert.deepEqual(await divided({ rules: ['TOK-001', 'CSR-001'] }, 4), []);
    // Work for two, and none for four.
    assert.equal((await divided({ chapters: ['authorization', 'joining'] }, 4)).length, 1);
  });
  it('play each what no other plays, of what is chosen', async () => {
    const { chosen } = (await plan({})).selected;
    const threads = await threadsOf({}, 4);
    try {
      const keys = threads.flatMap(({ plays }) => [...plays]);
      assert.equal(new Set(keys).size, keys.length);
      assert.ok(keys.every((key) => chosen.has(key)));
    } finally {
      await Promise.all(threads.map((thread) => thread.end()));
    }
  });
});

describe('a thread of a run', () => {
  const theThread = async (): Promise<RunThread> => {
    const [thread] = await threadsOf({}, 2);
    assert.ok(thread !== undefined);
    return thread;
  };
  it('stops when the run does, and says of every scenario why', async () => {
    const thread = await theThread();
    const { outcomes } = await thread.outcomes(AbortSignal.abort(new Error('the time limit was over')), () => {});
    assert.deepEqual(new Set(outcomes.keys()), new Set(thread.plays));
    for (const { verdict } of outcomes.values())
      if (verdict.kind === 'error') assert.equal(verdict.reason.text, 'the time limit was over');
    assert.ok([...outcomes.values()].some(({ verdict }) => verdict.kind === 'error'));
  });
  it('that ends before it is done leaves errors, never a verdict', async () => {
    const thread = await theThread();
    await thread.end();
    const { outcomes } = await thread.outcomes(new AbortController().signal, () => {});
    assert.deepEqual(new Set(outcomes.keys()), new Set(thread.plays));
    for (const { verdict } of outcomes.values()) assert.equal(verdict.kind, 'error');
  });
});
