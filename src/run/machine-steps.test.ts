/** What steps about kubeadm on machines share: machines that it cannot be put on, or that were too busy for it. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { PreflightRun } from '../kubernetes/preflight-run.js';
import { prepareSteps } from './execute.js';
import { setWorldParameters } from './world.js';
import { endOf, run, Told, world } from './world.testing.js';

// cucumber loads what defines sentences; what is imported then is the same
await prepareSteps();
const { possible, runOn } = await import('../../steps/preflight/machines.js');

after(() => setWorldParameters(undefined));

const rows = (...machines: readonly string[]) => machines.map((machine) => ({ machine, check: 'Swap' }));

/** kubeadm on machines: "none" is no machine, "no …" lacks that, "slow" is too busy. */
function onMachines(looks: string[] = []) {
  const preflight = {
    lacks: (machine: string) => (machine.startsWith('no ') ? `it has no ${machine.slice(3)}` : undefined),
    look: async (machine: string, look: string): Promise<PreflightRun | undefined> => {
      looks.push(`${look} on ${machine}`);
      if (machine === 'none') return undefined;
      const ended = { machine, look: 'init', exit: 0, said: [], written: [] } as const;
      return machine === 'slow' ? { ...ended, overtaken: 'its runtime answered too late' } : ended;
    },
  };
  run(new Told().target({ abilities: { preflight } }));
  return world();
}

describe('machines that kubeadm is put on', () => {
  it('are those that it can be put on; of the others it is said why', () => {
    const some = onMachines();
    assert.deepEqual(possible(some, rows('plain', 'no kernel', 'other', 'no memory')), rows('plain', 'other'));
    assert.deepEqual(some.missing, {
      kind: 'skipped',
      reason: { kind: 'ability', text: 'it has no kernel; it has no memory' },
    });
  });
  it('are all of them where none lacks anything', () => {
    const all = onMachines();
    assert.deepEqual(possible(all, rows('plain', 'other')), rows('plain', 'other'));
    assert.equal(all.missing, undefined);
  });
  it('end the scenario where there is none of them', async () => {
    const none = onMachines();
    assert.equal(
      await endOf(() => possible(none, rows('no kernel', 'no kernel'))),
      'skipped, ability: it has no kernel',
    );
  });
});

describe('a look at a machine', () => {
  it('is taken once', async () => {
    const looks: string[] = [];
    const some = onMachines(looks);
    assert.equal((await runOn(some, 'init', 'plain')).machine, 'plain');
    await runOn(some, 'init', 'plain');
    await runOn(some, 'join', 'plain');
    await runOn(some, 'init', 'other');
    assert.deepEqual(looks, ['init on plain', 'join on plain', 'init on other']);
  });
  it('is not judged where there is no such machine, and where its machine was too busy', async () => {
    const some = onMachines();
    assert.match(await endOf(() => runOn(some, 'init', 'none')), /^error, unclear: there is no machine "none"/);
    assert.match(await endOf(() => runOn(some, 'init', 'slow')), /^error, unclear: its runtime answered too late/);
  });
});
