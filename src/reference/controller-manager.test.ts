import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Controller } from '../apiserver/types.js';
import { createAuthority } from '../pki/authority.js';
import { createControllers, settled } from './controller-manager.js';
import { harness, START } from './controllers/testing/harness.js';

describe('the controllers of a cluster', () => {
  const ca = createAuthority({ commonName: 'kubernetes', key: 'ECDSA-P256', now: START });
  const namesOf = (runs: (name: string) => boolean): readonly string[] => {
    const { context } = harness();
    return createControllers({
      context,
      minor: 36,
      ca,
      runs,
      longestLifetime: undefined,
      tokens: { client: context.as('manager'), sign: () => '' },
      server: context.as('server'),
      nodeName: 'cp-1',
      address: '192.0.2.1:6443',
    }).map(({ name }) => name);
  };

  it('are those that always run, and those that are switched on', () => {
    const always = namesOf(() => false);
    assert.equal(always.length, 9);
    assert.equal(new Set(always).size, 9);
    for (const switched of ['bootstrapsigner', 'tokencleaner', 'csrapproving', 'csrsigning', 'csrcleaner']) {
      const more = namesOf((name) => name === switched);
      assert.deepEqual(more.slice(0, 9), always);
      assert.equal(more.length, 10, switched);
    }
    assert.equal(namesOf(() => true).length, 14);
  });
});

describe('controllers have nothing to do', () => {
  /** Is idle when it is asked for these times, and ever after. */
  const busyUntil = (
    ...answers: readonly boolean[]
  ): { readonly controller: Controller; readonly asked: () => number } => {
    let asked = 0;
    const controller = {
      name: 'x',
      start: () => undefined,
      stop: () => undefined,
      idle: () => {
        asked += 1;
        return answers[asked - 1] ?? true;
      },
    };
    return { controller, asked: () => asked };
  };

  it('when all are idle in two turns, one after the other', async () => {
    for (const [answers, turns] of [
      [[], 2],
      [[true, false], 4],
      [[false, true, false, true, true], 5],
    ] as const) {
      const { controller, asked } = busyUntil(...answers);
      await settled([busyUntil().controller, controller]);
      assert.equal(asked(), turns);
    }
    await settled([]);
  });
});
