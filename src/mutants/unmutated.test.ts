import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { joiningDecisions } from '../joining/decisions/index.js';
import { kubeadmDecisions } from '../kubeadm/decisions/index.js';
import { collectMutants } from '../matrix/collect.js';
import { upstream } from '../reference/decisions.js';
import { unmutated, unmutatedJoining } from './unmutated.js';

const replaced = new Set((await collectMutants()).flatMap(({ options }) => Object.keys(options?.decisions ?? {})));

const rooms: readonly {
  readonly room: string;
  readonly decisions: object;
  readonly reasons: Readonly<Record<string, string>>;
  /** Whether mutants can replace a decision of that room. */
  readonly isMutated: boolean;
}[] = [
  { room: 'the reference and kubeadm', decisions: upstream, reasons: unmutated, isMutated: true },
  { room: 'joining', decisions: joiningDecisions, reasons: unmutatedJoining, isMutated: false },
];

for (const { room, decisions, reasons, isMutated } of rooms)
  describe(`the decisions of ${room}`, () => {
    const names = Object.keys(decisions);
    const isReplaced = (name: string): boolean => isMutated && replaced.has(name);

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
