import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { joiningDecisions } from '../joining/decisions/index.js';
import { kubeadmDecisions } from '../kubeadm/decisions/index.js';
import { preflightDecisions } from '../kubeadm/preflight/decisions.js';
import { collectMutants } from '../matrix/collect.js';
import { upstream } from '../reference/decisions.js';
import { unmutated, unmutatedJoining } from './unmutated.js';

const mutants = await collectMutants();
const replaced = new Set(mutants.flatMap(({ options }) => Object.keys(options?.decisions ?? {})));
const replacedPreflight = new Set(mutants.flatMap(({ client }) => Object.keys(client?.preflight?.decisions ?? {})));
const replacedJoining = new Set(mutants.flatMap(({ client }) => Object.keys(client?.decisions ?? {})));

const rooms: readonly {
  readonly room: string;
  readonly decisions: object;
  readonly reasons: Readonly<Record<string, string>>;
  /** Names of decisions that some mutant replaces. */
  readonly mutated: ReadonlySet<string>;
}[] = [
  { room: 'the reference and kubeadm', decisions: upstream, reasons: unmutated, mutated: replaced },
  { room: 'joining', decisions: joiningDecisions, reasons: unmutatedJoining, mutated: replacedJoining },
  { room: 'preflight', decisions: preflightDecisions, reasons: {}, mutated: replacedPreflight },
];

for (const { room, decisions, reasons, mutated } of rooms)
  describe(`the decisions of ${room}`, () => {
    const names = Object.keys(decisions);
    const isReplaced = (name: string): boolean => mutated.has(name);

    test('each have a mutant or a written reason, and none has both', () => {
      assert.deepEqual(
        names.filter((name) => !isReplaced(name) && !(name in reasons)),
        [],
        'these have neither a mutant nor a reason in src/mutants/unmutated.ts',
      );
      assert.deepEqual(Object.keys(reasons).filter(isReplaced), [], 'these have a mutant by now: their reasons can go');
    });

    test('are all there that a reason names', () => {
      assert.deepEqual(
        Object.keys(reasons).filter((name) => !names.includes(name)),
        [],
      );
    });
  });

test('no mutant replaces a decision that there is not', () => {
  assert.deepEqual(
    [...replaced].filter((name) => !(name in upstream)),
    [],
  );
});

test('mutants reach every decision of kubeadm', () => {
  assert.deepEqual(
    Object.keys(kubeadmDecisions).filter((name) => !(name in upstream)),
    [],
  );
});
