import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joiningDecisions } from './decisions/index.js';
import { JoinFailed } from './failures.js';
import type { Kubelet } from './kubelet.js';
import { goOn } from './kubelet-life.js';
import { restartKubelet, stopKubelet } from './kubelet-service.js';
import type { Machine } from './ports.js';

/** A kubelet whose registrations and renewals come to this, one after the other; what it did, and when. */
async function lived(
  within: number,
  {
    registers = [201],
    renewals = [],
    deadlines = [],
    renews = true,
    servings,
  }: {
    readonly registers?: readonly number[];
    readonly renewals?: readonly string[];
    readonly deadlines?: readonly number[];
    readonly renews?: boolean;
    /** What becomes of each request for what it serves with; left out: it is not told to ask. */
    readonly servings?: readonly string[];
  } = {},
): Promise<readonly string[]> {
  const did: string[] = [];
  let now = 0;
  const clock = {
    now: () => now,
    sleep: async (milliseconds: number) => {
      now += milliseconds;
    },
  };
  const [statuses, kinds, due] = [[...registers], [...renewals], [...deadlines]];
  const served = [...(servings ?? [])];
  const serves = servings !== undefined;
  const kubelet = {
    nodeName: 'a',
    registerNode: async () => {
      did.push(`registers at ${now}`);
      return { status: (statuses.length > 1 ? statuses.shift() : statuses[0]) ?? 0 };
    },
    renewalDeadline: () => due.shift() ?? Number.POSITIVE_INFINITY,
    askForServing: async ({ dns }: { readonly dns: readonly string[] }, limit: number) => {
      did.push(`asks to serve as ${dns} at ${now} within ${limit}`);
      return { kind: served.shift() ?? 'issued' };
    },
    renew: async (limit: number) => {
      did.push(`renews at ${now} within ${limit}`);
      return { kind: kinds.shift() ?? 'issued' };
    },
  } as unknown as Kubelet;
  await goOn(kubelet, { clock, decisions: joiningDecisions, within, renews, serves });
  did.push(`ends at ${now}`);
  return did;
}

describe('a kubelet that has joined', () => {
  it('registers its Node, and lives as long as it is looked at', async () => {
    assert.deepEqual(await lived(1000), ['registers at 0', 'ends at 1000']);
    assert.deepEqual(await lived(0), ['ends at 0']);
  });

  it('asks for what it serves with where it is told to, and again when that is due or nobody has approved it', async () => {
    const hour = 3_600_000;
    assert.deepEqual(await lived(hour, { servings: ['issued', 'waiting', 'denied'], deadlines: [2 * hour, 1000] }), [
      'registers at 0',
      'asks to serve as a at 0 within 900000',
      'asks to serve as a at 1000 within 900000',
      'asks to serve as a at 901000 within 900000',
      'asks to serve as a at 903000 within 900000',
      'ends at 3600000',
    ]);
  });

  it('registers again after a pause that doubles up to seven seconds', async () => {
    const at = (await lived(40_000, { registers: [403] })).filter((line) => line.startsWith('registers'));
    const times = at.map((line) => Number(line.split(' ').at(-1)));
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    assert.deepEqual(pauses, [100, 200, 400, 800, 1600, 3200, 6400, 7000, 7000, 7000]);
    assert.deepEqual(await lived(500, { registers: [403, 409] }), [
      'registers at 0',
      'registers at 100',
      'ends at 500',
    ]);
  });

  it('renews when it is time, if it renews at all', async () => {
    const deadlines = [300, 700, 2000];
    assert.deepEqual(await lived(1000, { deadlines }), [
      'registers at 0',
      'renews at 300 within 700',
      'renews at 700 within 300',
      'ends at 1000',
    ]);
    assert.deepEqual(await lived(1000, { deadlines, renews: false }), ['registers at 0', 'ends at 1000']);
    assert.deepEqual((await lived(2_000_000, { deadlines: [300] }))[1], 'renews at 300 within 900000');
    assert.deepEqual(await lived(1000, { deadlines: [1000] }), ['registers at 0', 'ends at 1000']);
  });

  it('pauses after a renewal that failed, the longer the more of them', async () => {
    const [one, two] = [1, 2].map((failed) => joiningDecisions.bootstrapPause(failed)) as [number, number];
    const renewals = ['denied', 'waiting', 'issued'];
    const did = await lived(100_000, { renewals, deadlines: [0, 0, 0] });
    assert.deepEqual(
      did.slice(1, 4).map((line) => Number(line.split(' ')[2])),
      [0, one, one + two],
    );
  });
});

describe('the service of a kubelet', () => {
  /** What is run of a service manager whose commands fail so, and what is told. */
  function world(fails: Readonly<Record<string, string>> | undefined, knows = true) {
    const [ran, told]: [string[], string[]] = [[], []];
    const services = fails && {
      hasKubelet: () => knows,
      run: (command: string) => {
        ran.push(command);
        return fails[command];
      },
    };
    const machine = { services, tell: (line: string) => told.push(line) } as unknown as Machine;
    return { machine, ran, told };
  }

  it('is stopped where there is one; what cannot be stopped is told', () => {
    const [stop = ''] = joiningDecisions.stopCommands();
    const sound = world({});
    stopKubelet(sound.machine, joiningDecisions);
    assert.deepEqual([sound.ran, sound.told], [joiningDecisions.stopCommands(), []]);
    const failing = world({ [stop]: 'why' });
    stopKubelet(failing.machine, joiningDecisions);
    assert.match(failing.told.join(), /unable to stop the kubelet service momentarily: \[why\]$/);
    for (const none of [world(undefined), world({}, false)]) {
      stopKubelet(none.machine, joiningDecisions);
      assert.deepEqual([none.ran, none.told], [[], []]);
    }
  });

  it('is restarted; what cannot be done is told, and what comes after it left', () => {
    const commands = joiningDecisions.restartCommands();
    const sound = world({});
    restartKubelet(sound.machine, joiningDecisions);
    assert.deepEqual([sound.ran, sound.told], [commands, []]);
    const failing = world(Object.fromEntries(commands.map((command) => [command, 'why'])));
    restartKubelet(failing.machine, joiningDecisions);
    assert.equal(failing.ran.length, 1);
    assert.match(failing.told.join(' '), /unable to start the kubelet service: \[why\] .*manually\.$/);
  });

  it('is left to people where nobody knows it', () => {
    const none = world(undefined);
    restartKubelet(none.machine, joiningDecisions);
    assert.match(none.told.join(), /No supported init system detected/);
    const unknown = world({}, false);
    restartKubelet(unknown.machine, joiningDecisions);
    assert.match(unknown.told.join(), /Couldn't detect a kubelet service/);
    assert.equal(unknown.ran.length > 0, joiningDecisions.restartsUnknownService());
  });

  it('ends the join where a client decides so', () => {
    const strict = { ...joiningDecisions, goesOnWithoutService: () => false, goesOnWithoutRestart: () => false };
    assert.throws(() => restartKubelet(world(undefined).machine, strict), JoinFailed);
    const [first = ''] = joiningDecisions.restartCommands();
    assert.throws(() => restartKubelet(world({ [first]: 'why' }).machine, strict), JoinFailed);
  });
});
