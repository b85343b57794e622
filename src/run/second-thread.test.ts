import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { describe, it } from 'node:test';
import { plan } from './judge.js';
import { SecondThread } from './second-thread.js';

const SHARE = { given: undefined, parameters: undefined, evidence: undefined };
const threadOf = async (selection: Parameters<typeof plan>[0]): Promise<SecondThread | undefined> =>
  SecondThread.of((await plan(selection)).selected, SHARE);

describe('the second thread of a run', { skip: availableParallelism() < 2 }, () => {
  it('is for runs of which either half is large', async () => {
    assert.equal(await threadOf({ chapters: ['joining'] }), undefined);
    assert.equal(await threadOf({ rules: ['TOK-001', 'CSR-001'] }), undefined);
    const { selected } = await plan({});
    const second = SecondThread.of(selected, SHARE);
    try {
      assert.ok(second !== undefined);
      assert.ok(second.plays.size > 100 && second.plays.size < selected.chosen.size - 100);
      assert.ok([...second.plays].every((key) => selected.chosen.has(key)));
    } finally {
      await second?.end();
    }
  });
  it('stops when the run does, and says of every scenario why', async () => {
    const second = await threadOf({});
    assert.ok(second !== undefined);
    const { outcomes } = await second.outcomes(AbortSignal.abort(new Error('the time limit was over')), () => {});
    assert.deepEqual(new Set(outcomes.keys()), new Set(second.plays));
    for (const { verdict } of outcomes.values())
      if (verdict.kind === 'error') assert.equal(verdict.reason.text, 'the time limit was over');
    assert.ok([...outcomes.values()].some(({ verdict }) => verdict.kind === 'error'));
  });
  it('that ends before it is done leaves errors, never a verdict', async () => {
    const second = await threadOf({});
    assert.ok(second !== undefined);
    await second.end();
    const { outcomes } = await second.outcomes(new AbortController().signal, () => {});
    assert.deepEqual(new Set(outcomes.keys()), new Set(second.plays));
    for (const { verdict } of outcomes.values()) assert.equal(verdict.kind, 'error');
  });
});
