/** What scenarios share, and how they wait. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import type { KubeObject } from '../kubernetes/objects.js';
import { EXPIRES_ANNOTATION, RUN_LABEL } from '../kubernetes/own-objects.js';
import { resources } from '../kubernetes/resources.js';
import { setWorldParameters, type World } from './world.js';
import { endOf, isSo, NOW, run, Told, world } from './world.testing.js';

let told = new Told();
beforeEach(() => {
  told = new Told();
  run(told.target());
});
after(() => setWorldParameters(undefined));

describe('what scenarios share', () => {
  it('is made once, with what was asked and judged for it', async () => {
    let made = 0;
    const make = (one: World) => async (): Promise<number> => {
      await one.admin.ask({ path: '/api' });
      one.grant(isSo, [true]);
      made += 1;
      return made;
    };
    const [one, other] = [world(), world()];
    assert.deepEqual([await one.shared('a', make(one)), await other.shared('a', make(other))], [1, 1]);
    assert.equal(await other.shared('b', make(other)), 2);
    assert.deepEqual([one.judged.length, other.judged.length], [1, 2]);
    other.check(isSo, [true]);
    await other.shared('a', make(other));
    assert.deepEqual([made, other.judged.length], [2, 3]);
  });

  it('is known by the same requests to everybody who looks at it', async () => {
    const requestsOf = (one: World): readonly string[] => {
      one.check(isSo, [true]);
      return one.judged.at(-1)?.exchanges.map(({ request }) => request) ?? [];
    };
    const first = world();
    await first.admin.ask({ path: '/before' });
    await first.shared('a', () => first.admin.ask({ path: '/made' }));
    assert.deepEqual(requestsOf(first), ['GET /before', 'GET /made']);
    const second = world();
    await second.admin.ask({ path: '/own' });
    await second.shared('a', async () => undefined);
    assert.deepEqual(requestsOf(second), ['GET /own', 'GET /made']);
  });

  it('hands on what was judged while it was made, and nothing that was judged before', async () => {
    const first = world();
    first.check(isSo, [true, true]);
    await first.shared('a', async () => first.grant(isSo, [true]));
    const second = world();
    await second.shared('a', async () => undefined);
    assert.deepEqual(
      second.judged.map(({ taken, findings }) => [taken, findings.length]),
      [[true, 1]],
    );
  });

  it('may fail before somebody waits for it', async () => {
    const failing = world().shared('a', () => Promise.reject(new Error('it cannot be made')));
    await new Promise(setImmediate);
    await assert.rejects(failing, /it cannot be made/);
    await assert.rejects(
      world().shared('a', async () => undefined),
      /it cannot be made/,
    );
  });

  it('is made anew for another run', async () => {
    let made = 0;
    const make = async (): Promise<number> => {
      made += 1;
      return made;
    };
    assert.equal(await world().shared('a', make), 1);
    run(told.target());
    assert.equal(await world().shared('a', make), 2);
  });

  it('is made again by who is played again, and fails alike for everybody else', async () => {
    let tries = 0;
    const busy = (): Promise<never> => {
      tries += 1;
      return world().trouble('it is busy');
    };
    for (let time = 0; time < 2; time += 1)
      assert.match(await endOf(() => world().shared('busy', async () => busy())), /busy/);
    assert.equal(tries, 2);
    const broken = async (): Promise<never> => {
      tries += 1;
      return world().unknown('it is broken');
    };
    for (let time = 0; time < 2; time += 1) assert.match(await endOf(() => world().shared('broken', broken)), /broken/);
    assert.equal(tries, 3);
  });

  it('at rest is read once a run, but by who changes something or has to look again', async () => {
    let reads = 0;
    const read = async (): Promise<number> => {
      reads += 1;
      return reads;
    };
    assert.deepEqual([await world().atRest('a', read), await world().atRest('a', read)], [1, 1]);
    assert.equal(await world({ acts: true }).atRest('a', read), 2);
    const again = world();
    again.lookAfresh();
    assert.equal(await again.atRest('a', read), 3);
    assert.equal(await world().atRest('a', read), 1);
  });

  it('of a list leaves out what runs of joinproof have made that may be under way', () => {
    const keep = world().theirs(resources.configMaps);
    const named = (name: string, run: string, hours: number): KubeObject =>
      ({
        metadata: {
          name,
          namespace: 'default',
          labels: { [RUN_LABEL]: run },
          annotations: { [EXPIRES_ANNOTATION]: new Date(NOW + 600_000 + hours * 3_600_000).toISOString() },
          creationTimestamp: new Date(NOW + hours * 3_600_000).toISOString(),
        },
      }) as unknown as KubeObject;
    const all = [
      named('theirs', 'abcdefghij', 0),
      named('jp-abcdef', 'abcdefghij', 0),
      named('jp-abcdef', 'klmnopqrst', 0),
      named('jp-ghijkl', 'klmnopqrst', -5),
    ];
    assert.deepEqual(
      all.map((one) => keep(one) !== undefined),
      [true, false, false, true],
    );
    const names = world().theirs(resources.configMaps, ({ metadata }) => metadata.name);
    assert.equal(names(all[0] as KubeObject), 'theirs');
  });
});

describe('waiting', () => {
  it('takes longer on a slow target, and in a later try', async () => {
    for (const [pace, patience, times] of [
      [undefined, undefined, 1],
      [() => 3, undefined, 3],
      [() => 3, 2, 6],
    ] as const) {
      run(told.target({}, pace === undefined ? {} : { pace }));
      const one = world(patience === undefined ? {} : { patience });
      assert.equal(one.patiently(10), 10 * times);
      const before = one.now();
      assert.equal(await one.eventually(6_000, async () => undefined), undefined);
      assert.equal(one.now() - before, 6_000 * times);
    }
  });

  it('ends with the first thing that is seen, and looks once at least', async () => {
    let looks = 0;
    const one = world();
    const third = await one.eventually(60_000, async () => {
      looks += 1;
      return looks === 3 ? 'it' : undefined;
    });
    assert.deepEqual([third, looks, one.now() - NOW], ['it', 3, 20_000]);
    assert.equal(await one.eventually(0, async () => 'at once'), 'at once');
    assert.equal(await one.eventually(0, async () => undefined), undefined);
  });

  it('looks every tenth of a second where nobody moves the clock', async () => {
    const started = Date.now();
    run(told.target({ abilities: {} }, { now: () => Date.now() }));
    let looks = 0;
    const seen = await world().eventually(10_000, async () => {
      looks += 1;
      return looks === 3 ? looks : undefined;
    });
    assert.equal(seen, 3);
    assert.ok(Date.now() - started >= 150);
  });

  it('moves the clock once what lasts is under way, and no further than it lasts', async () => {
    const moved: number[] = [];
    let end = (_: string): void => undefined;
    const move = async (milliseconds: number): Promise<void> => {
      moved.push(milliseconds);
      end('its time has passed');
    };
    run(told.target({ abilities: { clock: { now: () => NOW, move } } }));
    const lasts = new Promise<string>((resolve) => {
      end = resolve;
    });
    assert.equal(await world().lasting(1_000, lasts), 'its time has passed');
    assert.equal(await world().lasting(5_000, Promise.resolve('over before')), 'over before');
    assert.deepEqual(moved, [1_000, 5_000]);
    await assert.rejects(world().lasting(1_000, Promise.reject(new Error('refused'))), /refused/);
    run(told.target({ abilities: {} }));
    assert.equal(await world().lasting(1_000, Promise.resolve('waited for')), 'waited for');
  });
});
