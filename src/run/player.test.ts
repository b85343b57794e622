import assert from 'node:assert/strict';
import { test } from 'node:test';
import { control, demand, NO_MORE } from '../model/finding.js';
import { error } from '../model/verdict.js';
import { TargetUnreachable, UnexpectedAnswer } from '../targets/errors.js';
import type { Scenario } from './features.js';
import { type Part, type PlayOptions, playAll } from './player.js';
import type { SupportLibrary } from './support-library.js';
import { Ended, type World } from './world.js';

const met = { subject: 'it', demanded: 'sound', seen: 'sound', ok: true };

const part = (key: string, acts: boolean): Part => ({
  scenario: {
    key,
    id: key,
    name: key,
    tags: [],
    range: {},
    steps: [{ text: key }],
    problems: [],
  } as unknown as Scenario,
  acts,
  waits: acts,
  exclusive: [],
});

/** Plays parts of one step each, which does what is said of its key; tells the patience of every try. */
async function played(keys: readonly string[], body: (key: string, patience: number) => void, width = 8) {
  const tries: string[] = [];
  const ended: string[] = [];
  const library: SupportLibrary = {
    definitionOf: (key) => ({
      definition: {
        unwrappedCode(this: World) {
          tries.push(`${key} ${this.patience}`);
          body(key, this.patience);
        },
        pattern: key,
        options: {},
        expression: {},
        matchesStepName: () => true,
        getInvocationParameters: async () => ({ parameters: [] }),
      },
    }),
    newWorld: (_acts, patience) => {
      const findings = [control(met), demand(met)];
      return { patience, findings, judged: [], more: NO_MORE, nothing: undefined } as unknown as World;
    },
  };
  const { signal } = new AbortController();
  const options: PlayOptions = { library, signal, width, now: () => 0, onEnd: ({ key }) => ended.push(key) };
  const outcomes = await playAll(
    keys.map((key) => part(key, key.startsWith('acts'))),
    options,
  );
  return { tries, ended, verdicts: [...outcomes.values()].map(({ verdict }) => verdict.kind) };
}

const closed = (): never => {
  throw new TargetUnreachable('closed', 'closed');
};

test('what met trouble that may be over is played again, with more patience, before others change anything', async () => {
  const { tries, ended, verdicts } = await played(['looks', 'acts'], (key, patience) => {
    if (key === 'looks' && patience < 2) closed();
    if (key === 'acts' && patience < 4) throw new Ended(error('unclear', 'it had expired'), true);
  });
  assert.deepEqual(tries, ['looks 1', 'looks 2', 'acts 1', 'acts 2', 'acts 4']);
  assert.deepEqual(
    [ended, verdicts],
    [
      ['looks', 'acts'],
      ['passed', 'passed'],
    ],
  );
});

test('what stays in trouble is an error in the end', async () => {
  const { tries, verdicts } = await played(['acts'], () => {
    throw new UnexpectedAnswer('GET', '/', 503, undefined, '');
  });
  assert.deepEqual([tries.length, verdicts], [3, ['error']]);
});

test('an answer that says something is no trouble, nor is an own mistake, or a target that is gone', async () => {
  const thrown = [
    new UnexpectedAnswer('GET', '/', 403, 'Forbidden', ''),
    new TypeError('undefined'),
    new TargetUnreachable('tls', 'tls-unknown-ca'),
    new Ended(error('unclear', 'nobody knows')),
  ];
  for (const one of thrown) {
    const { tries } = await played(['acts'], () => {
      throw one;
    });
    assert.equal(tries.length, 1, one.message);
  }
});

test('where most are in trouble nothing is played again, and where time is moved neither', async () => {
  const many = Array.from({ length: 25 }, (_, n) => `acts ${n}`);
  assert.equal((await played(many, closed)).tries.length, 25);
  assert.equal((await played(['acts'], closed, 1)).tries.length, 1);
});
