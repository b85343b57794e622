import assert from 'node:assert/strict';
import { test } from 'node:test';
import { control, demand, type Finding, NO_MORE } from '../model/finding.js';
import { error, skipped } from '../model/verdict.js';
import { TargetUnreachable, UnexpectedAnswer, type Unreachable } from '../targets/errors.js';
import type { Scenario } from './features.js';
import { type Part, type PlayOptions, playAll } from './player.js';
import type { SupportLibrary } from './support-library.js';
import { Ended, type World } from './world.js';

const met = { subject: 'it', demanded: 'sound', seen: 'sound', ok: true };

const part = (key: string, acts: boolean, waits = acts): Part => ({
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
  waits,
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
    keys.map((key) => part(key, key.startsWith('acts'), key.endsWith('waits'))),
    options,
  );
  return { tries, ended, verdicts: [...outcomes.values()].map(({ verdict }) => verdict.kind) };
}

const closed = (): never => {
  throw new TargetUnreachable('closed', 'closed');
};

test('a scenario ends with the step that has found something other than as demanded, or nothing out', async () => {
  for (const [ok, verdict, steps] of [
    [true, 'passed', 2],
    [false, 'failed', 1],
    [undefined, 'error', 1],
  ] as const) {
    let found = 0;
    const findings: Finding[] = [];
    const library: SupportLibrary = {
      definitionOf: (key) => ({
        definition: {
          unwrappedCode() {
            found += 1;
            findings.push(demand({ ...met, ok }));
          },
          pattern: key,
          options: {},
          expression: {},
          matchesStepName: () => true,
          getInvocationParameters: async () => ({ parameters: [] }),
        },
      }),
      newWorld: () => ({ findings, judged: [], more: NO_MORE, nothing: undefined }) as unknown as World,
    };
    const { signal } = new AbortController();
    const one = part('one', false);
    const scenario = { ...one.scenario, steps: [{ text: 'one' }, { text: 'other' }] } as unknown as Scenario;
    const options: PlayOptions = { library, signal, width: 1, now: () => 0, onEnd: () => {} };
    const outcomes = await playAll([{ ...one, scenario }], options);
    assert.deepEqual([outcomes.get('one')?.verdict.kind, outcomes.get('one')?.played, found], [verdict, steps, steps]);
  }
});

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

test('why no answer came says whether another try may get one', async () => {
  const triesOf = async (why: Unreachable) =>
    (
      await played(['acts'], () => {
        throw new TargetUnreachable(why, why);
      })
    ).tries.length;
  for (const why of ['closed', 'timeout', 'refused', 'network', 'dns'] as const)
    assert.equal(await triesOf(why), 3, why);
  for (const why of ['too-large', 'aborted', 'not-http'] as const) assert.equal(await triesOf(why), 1, why);
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

/** Plays one scenario of these steps: what each finds, gives back, throws or says there is nothing of. */
async function stepped(
  steps: Readonly<Record<string, (world: World, ...given: unknown[]) => unknown>>,
  controller = new AbortController(),
) {
  const order: string[] = [];
  const findings: Finding[] = [];
  const world = { patience: 1, findings, judged: [], more: NO_MORE, nothing: undefined } as unknown as World;
  const library: SupportLibrary = {
    definitionOf: (key) => {
      const body = steps[key];
      if (body === undefined) return { problem: `no step is defined for "${key}"` };
      return {
        definition: {
          unwrappedCode(this: World, ...given: unknown[]) {
            order.push(key);
            return body(this, ...given);
          },
          pattern: key,
          options: {},
          expression: {},
          matchesStepName: () => true,
          getInvocationParameters: async () => ({ parameters: [key, 2] }),
        },
      };
    },
    newWorld: () => world,
  };
  let time = 1000;
  const one = part('a', false);
  const scenario = { ...one.scenario, steps: [...Object.keys(steps), 'last'].map((text) => ({ text })) };
  const outcomes = await playAll([{ ...one, scenario } as unknown as Part], {
    library,
    signal: controller.signal,
    width: 1,
    now: () => {
      time += 7;
      return time;
    },
    onEnd: () => {},
  });
  const [outcome] = outcomes.values();
  assert.ok(outcome);
  const { verdict, played: count, milliseconds, passing } = outcome;
  const reason = verdict.kind === 'passed' ? undefined : verdict.reason;
  return { order, verdict: verdict.kind, reason, played: count, milliseconds, passing };
}
const finds =
  (ok: boolean) =>
  (world: World): void => {
    (world.findings as Finding[]).push(demand({ ...met, ok }));
  };

test('a scenario is played step by step, each with its parameters, and ends where something is not met', async () => {
  const given: unknown[] = [];
  const last = (_: World, ...all: unknown[]): void => void given.push(...all);
  const whole = await stepped({ a: finds(true), b: finds(true), last });
  assert.deepEqual([whole.order, whole.verdict, whole.played], [['a', 'b', 'last', 'last'], 'passed', 4]);
  assert.deepEqual([given, whole.milliseconds], [['last', 2, 'last', 2], 7]);
  const unmet = await stepped({ a: finds(true), b: finds(false), c: finds(true), last });
  assert.deepEqual([unmet.order, unmet.verdict, unmet.played], [['a', 'b'], 'failed', 2]);
});

test('a scenario ends with a step that nobody defines, that decides by itself, or that has nothing to look at', async () => {
  const undefinedStep = await stepped({ a: finds(true) });
  assert.deepEqual(
    [undefinedStep.order, undefinedStep.verdict, undefinedStep.reason],
    [['a'], 'error', { kind: 'joinproof', text: 'no step is defined for "last"' }],
  );
  const deciding = await stepped({ a: finds(true), b: () => false, last: () => {} });
  assert.deepEqual(
    [deciding.order, deciding.reason],
    [['a', 'b'], { kind: 'joinproof', text: 'the step "b" returned false; steps judge through the World' }],
  );
  const empty = await stepped({
    a: (world) => Object.assign(world, { nothing: 'there are no toys' }) && undefined,
    last: finds(true),
  });
  assert.deepEqual(
    [empty.order, empty.verdict, empty.reason],
    [['a'], 'skipped', { kind: 'nothing', text: 'there are no toys' }],
  );
});

test('a scenario says how much it has found beyond what it tells', async () => {
  const more = { ...NO_MORE, unmet: 7 };
  const counted = await stepped({
    a: (world) => Object.assign(world, { more }) && finds(false)(world),
    last: finds(true),
  });
  assert.equal(counted.verdict, 'failed');
  assert.match(counted.reason?.text ?? '', /7 more/);
});

test('a scenario lacks what its steps went on without', async () => {
  const lacking = await stepped({
    a: (world) => Object.assign(world, { missing: skipped('ability', 'no tls') }) && undefined,
    last: finds(true),
  });
  assert.deepEqual([lacking.verdict, lacking.reason?.text], ['skipped', 'no tls']);
  const ended = await stepped({
    a: (world) => Object.assign(world, { missing: skipped('ability', 'no tls') }) && undefined,
    last: () => {
      throw new Ended(error('unclear', 'nobody knows'));
    },
  });
  assert.deepEqual([ended.verdict, ended.reason?.text], ['error', 'nobody knows']);
});

const interrupt = (controller: AbortController): void =>
  controller.abort(Object.assign(new Error('the run was interrupted'), { name: 'CannotJudge' }));

test('no step is played once the run has been interrupted, and it says so', async () => {
  const controller = new AbortController();
  interrupt(controller);
  const { order, verdict, reason, passing } = await stepped({ last: finds(true) }, controller);
  assert.deepEqual([order, verdict, reason?.text, passing], [[], 'error', 'the run was interrupted', undefined]);
});

test('a step that is interrupted ends by that, whatever trouble it meets then, and is not played again', async () => {
  const controller = new AbortController();
  const a = (): void => {
    interrupt(controller);
    closed();
  };
  const { order, verdict, reason, passing } = await stepped({ a, last: finds(true) }, controller);
  assert.deepEqual([order, verdict, reason?.text, passing], [['a'], 'error', 'the run was interrupted', undefined]);
  assert.equal((await stepped({ a: closed, last: finds(true) })).passing, true);
});

test('where time is moved what looks is played first, and what waits last; elsewhere what waits begins', async () => {
  const order = async (width: number): Promise<readonly string[]> => {
    const { tries } = await played(['acts', 'looks', 'acts-waits', 'looks-too'], () => {}, width);
    return tries.map((text) => text.replace(' 1', ''));
  };
  assert.deepEqual(await order(1), ['looks', 'looks-too', 'acts', 'acts-waits']);
  assert.deepEqual(await order(8), ['looks', 'looks-too', 'acts-waits', 'acts']);
});
