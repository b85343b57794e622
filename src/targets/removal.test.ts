import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import type { KubeObject } from '../kubernetes/objects.js';
import { resources } from '../kubernetes/resources.js';
import { TargetUnreachable, UnexpectedAnswer } from './errors.js';
import type { JournalAccess, Place } from './journal-access.js';
import { type Batch, insisted, leftOf, nameOf, placeOf, Removal } from './removal.js';

const { signal } = new AbortController();
const answered = (code: number): Error => new UnexpectedAnswer('GET', '/a', code, undefined, 'no');

describe('what is asked until its answer is final', () => {
  /** How often it was asked that fails once so. */
  const asked = async (error: unknown): Promise<number> => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      let count = 0;
      const act = async (): Promise<string> => {
        count += 1;
        if (count === 1) throw error;
        return 'there';
      };
      let done = false;
      const asking = insisted(act, signal)
        .catch((thrown: unknown) => assert.equal(thrown, error))
        .finally(() => {
          done = true;
        });
      while (!done) {
        await new Promise((resolve) => setImmediate(resolve));
        mock.timers.tick(100);
      }
      await asking;
      return count;
    } finally {
      mock.timers.reset();
    }
  };

  it('is asked again where the next one may be another', async () => {
    for (const code of [200, 302, 399, 408, 410, 429, 500, 503])
      assert.equal(await asked(answered(code)), 2, String(code));
    for (const code of [400, 401, 403, 404, 407, 409, 411, 422, 428, 430, 499])
      assert.equal(await asked(answered(code)), 1, String(code));
    for (const [why, times] of [
      ['closed', 2],
      ['timeout', 2],
      ['other', 2],
      ['aborted', 1],
    ] as const)
      assert.equal(await asked(new TargetUnreachable('it is not there', why)), times, why);
    assert.equal(await asked(new Error('a bug')), 1);
  });

  it('ends with the run, in whose words', async () => {
    const reason = new Error('SIGINT');
    const run = new AbortController();
    const act = (): Promise<never> => {
      run.abort(reason);
      return Promise.reject(answered(500));
    };
    await assert.rejects(insisted(act, run.signal), reason);
  });
});

describe('what is left', () => {
  const { secrets: resource } = resources;
  const place = (name: string) => ({ resource, namespace: 'a', name });

  it('has a name, and why it is there', () => {
    const known = new Map([
      ['u1', place('b')],
      ['u2', place('c')],
    ]);
    assert.deepEqual(
      leftOf({ resource, namespace: 'a', known }, new Error('it stays'), new Map([['u2', 'it is held']])),
      [
        { kind: 'Secret', what: 'Secret a/b', why: 'it stays' },
        { kind: 'Secret', what: 'Secret a/c', why: 'it is held' },
      ],
    );
    assert.deepEqual(leftOf({ resource, namespace: undefined, known: new Map() }, 'not to be seen'), [
      { kind: 'Secret', what: 'Secret *', why: 'not to be seen' },
    ]);
    assert.equal(nameOf({ resource: resources.nodes, name: 'n' }), 'Node n');
    assert.deepEqual(placeOf({ resource, namespace: 'a' }, { metadata: { name: 'b' } }), place('b'));
    assert.deepEqual(placeOf({ resource: resources.nodes, namespace: undefined }, { metadata: {} }), {
      resource: resources.nodes,
      name: '',
    });
  });
});

describe('a removal', () => {
  const { configMaps, secrets, nodes } = resources;
  const thing = (name: string, more: Partial<KubeObject['metadata']> = {}): KubeObject => ({
    metadata: { name, uid: `u-${name}`, ...more },
  });
  let waits: number[] = [];
  beforeEach(() => {
    waits = [];
    mock.method(globalThis, 'setTimeout', (act: () => void, milliseconds: number) => {
      waits.push(milliseconds);
      return setImmediate(act);
    });
  });
  afterEach(() => mock.restoreAll());

  interface World {
    /** By name, of whatever kind. */
    readonly there: Map<string, KubeObject>;
    readonly asked: string[];
    readonly access: JournalAccess;
  }
  /** A server that does what it is asked, unless `act` does something else: what that throws is answered. */
  function world(
    objects: readonly KubeObject[],
    act: Partial<JournalAccess> & { others?: number; version?: string } = {},
  ): World {
    const there = new Map(objects.map((one) => [one.metadata.name ?? '', one]));
    const asked: string[] = [];
    const gone = (name: string): void => {
      const object = there.get(name);
      if (object === undefined) return;
      if ((object.metadata.finalizers ?? []).length === 0) there.delete(name);
      else there.set(name, { metadata: { ...object.metadata, deletionTimestamp: 'now' } });
    };
    const access: JournalAccess = {
      find: async (selected) => {
        asked.push(`find ${selected.resource.kind}`);
        const items = [...there.values()];
        return (await act.find?.(selected)) ?? { items, others: act.others ?? 0, resourceVersion: act.version ?? '7' };
      },
      read: async (place) => {
        asked.push(`read ${place.name}`);
        return act.read === undefined ? there.get(place.name) : act.read(place);
      },
      remove: async (place, uid) => {
        asked.push(`remove ${place.name} ${uid}`);
        if (act.remove !== undefined) await act.remove(place, uid);
        gone(place.name);
      },
      heedsQuery: async (place, uid) => {
        asked.push(`try ${place.name}`);
        return act.heedsQuery === undefined ? true : act.heedsQuery(place, uid);
      },
      removeAll: async (selected, version) => {
        asked.push(`all of ${version}`);
        if (act.removeAll !== undefined) await act.removeAll(selected, version);
        for (const name of [...there.keys()]) gone(name);
      },
      release: async (place, object) => {
        asked.push(`release ${place.name}`);
        const finalizers = (object.metadata.finalizers ?? []).filter((one) => !one.startsWith('joinproof.io/'));
        there.set(place.name, { metadata: { ...object.metadata, finalizers } });
        if (object.metadata.deletionTimestamp !== undefined) gone(place.name);
      },
    };
    return { there, asked, access };
  }
  const batchOf = (more: Partial<Batch> = {}): Batch => ({
    ...{ resource: configMaps, namespace: 'default', selector: 's', known: new Map<string, Place>(), mine: () => true },
    ...more,
  });
  const knownOf = (...names: readonly string[]): Map<string, Place> =>
    new Map(names.map((name) => [`u-${name}`, { resource: configMaps, namespace: 'default', name }]));
  async function removed({ access }: World, batches: readonly Batch[] = [batchOf()], stop: AbortSignal = signal) {
    const progress: string[] = [];
    const onProgress = (gone: number, known: number): void => void progress.push(`${gone}/${known}`);
    const left = await new Removal(access, { signal: stop, onProgress }).run(batches);
    return { left: left.map(({ what, why }) => `${what}: ${why}`), progress };
  }

  it('is in bulk where there are several, all are mine, and a query is heeded', async () => {
    const one = world([thing('a'), thing('b')]);
    const { left, progress } = await removed(one);
    assert.deepEqual(left, []);
    assert.deepEqual(one.asked, ['find ConfigMap', 'try a', 'all of 7', 'find ConfigMap']);
    assert.equal(progress.at(-1), '2/2');
  });

  it('is one by one otherwise', async () => {
    const both = ['remove a u-a', 'remove b u-b'];
    const of = async (given: World, more: Partial<Batch> = {}): Promise<readonly string[]> => {
      await removed(given, [batchOf(more)]);
      return given.asked.filter((line) => !line.startsWith('find'));
    };
    const two = [thing('a'), thing('b')];
    assert.deepEqual(await of(world([thing('a')])), ['remove a u-a']);
    assert.deepEqual(await of(world(two, { others: 1 })), both);
    assert.deepEqual(await of(world(two, { version: '' })), both);
    assert.deepEqual(await of(world(two, { heedsQuery: async () => false })), ['try a', ...both]);
    const strange = world([...two, thing('c')]);
    assert.deepEqual(await of(strange, { mine: ({ metadata }) => metadata.name !== 'c' }), both);
    assert.deepEqual([...strange.there.keys()], ['c']);
    const going = [thing('a', { deletionTimestamp: 'now', finalizers: ['joinproof.io/x'] }), thing('b')];
    assert.deepEqual((await of(world(going))).slice(0, 1), ['read a']);
  });

  it('is tried in bulk once more where no answer came, and one by one where that is refused', async () => {
    const failing = (...errors: (Error | undefined)[]) => ({
      removeAll: async () => {
        const error = errors.shift();
        if (error !== undefined) throw error;
      },
    });
    const two = [thing('a'), thing('b')];
    const of = async (act: Partial<JournalAccess>): Promise<readonly string[]> => {
      const one = world(two, act);
      assert.deepEqual((await removed(one)).left, []);
      return one.asked.filter((line) => /^(all|remove)/.test(line));
    };
    const one = ['remove a u-a', 'remove b u-b'];
    assert.deepEqual(await of(failing(answered(503))), ['all of 7', 'all of 7']);
    assert.deepEqual(await of(failing(answered(503), answered(503))), ['all of 7', 'all of 7', ...one]);
    assert.deepEqual(await of(failing(answered(403))), ['all of 7', ...one]);
    // accepted, and still there
    const staying = world(two, { removeAll: async () => void staying.there.clear() });
    const again = [...two];
    staying.access.find = async () => ({
      items: again.splice(0, again.length > 0 ? 2 : 0),
      others: 0,
      resourceVersion: '7',
    });
    assert.deepEqual((await removed(staying)).left, []);
  });

  it('asks by name for what stays though its deletion in bulk was accepted', async () => {
    let lists = 0;
    const one = world([], {
      find: async () => {
        lists += 1;
        return { items: lists > 2 ? [] : [thing('a'), thing('b')], others: 0, resourceVersion: '7' };
      },
    });
    assert.deepEqual((await removed(one)).left, []);
    assert.deepEqual(
      one.asked.filter((line) => !line.startsWith('find')),
      ['try a', 'all of 7', 'remove a u-a', 'remove b u-b'],
    );
  });

  it('tries only once whether queries are heeded', async () => {
    const batches = [batchOf(), batchOf({ resource: secrets })];
    const one = world([thing('a'), thing('b')], { heedsQuery: async () => false });
    one.access.remove = async () => {
      throw answered(403);
    };
    await removed(one, batches);
    assert.equal(one.asked.filter((line) => line.startsWith('try')).length, 1);
  });

  it('takes finalizers of its own away, of the same object, and leaves what others hold', async () => {
    const own = world([thing('a', { finalizers: ['joinproof.io/x'] })]);
    assert.deepEqual((await removed(own)).left, []);
    assert.deepEqual(own.asked, ['find ConfigMap', 'remove a u-a', 'read a', 'release a', 'find ConfigMap']);
    const ending = world([thing('a', { finalizers: ['joinproof.io/x'], deletionTimestamp: 'now' })]);
    assert.deepEqual((await removed(ending)).left, []);
    assert.ok(!ending.asked.some((line) => line.startsWith('remove')));
    const held = world([thing('a', { finalizers: ['joinproof.io/x', 'example.com/y'] })]);
    const { left } = await removed(held);
    assert.equal(left.length, 1);
    assert.match(
      left[0] ?? '',
      /^ConfigMap default\/a: the finalizer example\.com\/y holds it, which is not joinproof's/,
    );
    assert.deepEqual(held.asked, ['find ConfigMap', 'remove a u-a', 'read a', 'release a']);
    const another = world([thing('a', { finalizers: ['joinproof.io/x'] })], {
      read: async () => thing('a', { uid: 'another' }),
    });
    another.access.find = async () => {
      const items = another.asked.length === 0 ? [thing('a', { finalizers: ['joinproof.io/x'] })] : [];
      return { items, others: 0, resourceVersion: '7' };
    };
    await removed(another);
    assert.deepEqual(another.asked, ['remove a u-a', 'read a']);
  });

  it('looks by name for what is known and in no list, and takes another one of the name for none', async () => {
    const known = knownOf('a', 'b', 'c');
    const hidden = world([thing('a'), thing('b', { uid: 'another' })], {
      find: async () => ({ items: [], others: 0, resourceVersion: '7' }),
    });
    const { left, progress } = await removed(hidden, [batchOf({ known })]);
    assert.deepEqual(left, []);
    const reads = hidden.asked.filter((line) => !line.startsWith('find'));
    assert.deepEqual(reads, ['read a', 'read b', 'read c', 'remove a u-a', 'read a']);
    assert.deepEqual([...hidden.there.keys()], ['b']);
    assert.equal(progress.at(-1), '3/3');
    assert.equal(known.size, 0);
  });

  it('is of one kind after the other', async () => {
    const one = world([]);
    const place = (resource: Place['resource'], name: string) => new Map([[`u-${name}`, { resource, name }]]);
    await removed(one, [
      batchOf({ resource: nodes, namespace: undefined, known: place(nodes, 'n') }),
      batchOf({ resource: secrets, known: place(secrets, 's') }),
      batchOf({ resource: nodes, namespace: undefined, known: place(nodes, 'm') }),
    ]);
    assert.deepEqual(
      one.asked.map((line) => line.split(' ').at(-1)),
      ['Node', 'Node', 'n', 'm', 'Secret', 's'],
    );
  });

  it('goes on with other kinds where one does not get on, and comes back to it', async () => {
    const place = (resource: Place['resource'], name: string) => new Map([[`u-${name}`, { resource, name }]]);
    const batches = () => [
      batchOf({ resource: secrets, known: place(secrets, 's') }),
      batchOf({ resource: nodes, namespace: undefined, known: place(nodes, 'n') }),
    ];
    const objects = new Map([
      ['Secret', thing('s')],
      ['Node', thing('n')],
    ]);
    const stop = new AbortController();
    const removes = (refusals: number): World => {
      let tries = 0;
      const find: JournalAccess['find'] = async ({ resource: { kind } }) => {
        const items = [objects.get(kind)].flatMap((one) => (one !== undefined && there.has(kind) ? [one] : []));
        return { items, others: 0, resourceVersion: '' };
      };
      const there = new Set(objects.keys());
      return world([], {
        find,
        remove: async ({ resource: { kind } }) => {
          tries += 1;
          if (kind === 'Secret' && tries === 30) stop.abort(new Error('Nothing got on.'));
          if (kind === 'Secret' && tries <= refusals) throw answered(500);
          there.delete(kind);
        },
      });
    };
    const late = removes(9);
    assert.deepEqual((await removed(late, batches())).left, []);
    const order = late.asked.filter((line) => line.startsWith('remove')).map((line) => line.split(' ')[1]);
    assert.equal(order.join(''), 'ssssssnsss');
    const never = await removed(removes(100), batches(), stop.signal);
    assert.deepEqual(never.left.length, 1);
    assert.match(never.left.join(), /^Secret s: Nothing got on\. GET \/a answered 500/);
  });

  it('says what stays and why, and goes on with the others', async () => {
    const one = world([thing('a'), thing('b')], {
      version: '',
      remove: async ({ name }) => {
        if (name === 'a') throw answered(403);
      },
    });
    const { left } = await removed(one);
    assert.deepEqual([left.length, [...one.there.keys()]], [1, ['a']]);
    assert.match(left[0] ?? '', /^ConfigMap default\/a: GET \/a answered 403/);
    const unlisted = world([], { find: () => Promise.reject(answered(403)) });
    const known = knownOf('k');
    assert.match((await removed(unlisted, [batchOf({ known })])).left.join(), /^ConfigMap default\/k: .*403/);
    assert.match((await removed(unlisted)).left.join(), /^ConfigMap default\/\*: .*403/);
  });

  it('waits longer and longer while nothing gets on, and is broken off in the words of the signal', async () => {
    const stop = new AbortController();
    const reason = new Error('The clean-up was broken off.');
    let looks = 0;
    const one = world([], {
      find: async () => {
        looks += 1;
        if (looks === 9) stop.abort(reason);
        throw answered(503);
      },
    });
    const broken = await removed(one, [batchOf({ known: knownOf('k') })], stop.signal);
    assert.match(broken.left.join(), /^ConfigMap default\/k: The clean-up was broken off\. GET \/a answered 503/);
    assert.deepEqual(waits, [100, 200, 400, 800, 1600, 3200, 5000, 5000]);
    const late = new AbortController();
    const breaking = world([thing('a')], {
      remove: async () => {
        setImmediate(() => late.abort(reason));
        throw answered(503);
      },
    });
    mock.restoreAll();
    const { left } = await removed(breaking, [batchOf()], late.signal);
    assert.match(left.join(), /^ConfigMap default\/a: The clean-up was broken off\. GET \/a answered 503/);
  });

  it('begins to wait anew whenever a deletion more is accepted', async () => {
    const all = [thing('a'), thing('b')];
    let looks = 0;
    const one = world([], {
      version: '',
      find: async () => {
        looks += 1;
        return { items: looks < 4 ? all.slice(1) : looks < 7 ? all : [], others: 1, resourceVersion: '' };
      },
    });
    assert.deepEqual((await removed(one)).left, []);
    assert.deepEqual(waits, [100, 200, 400, 100, 200, 400]);
  });

  it('leaves the rest of a round where many in a row could not be removed', async () => {
    const many = Array.from({ length: 60 }, (_, at) => thing(`n${at}`));
    let refused = 0;
    const one = world(many, {
      version: '',
      remove: async () => {
        refused += 1;
        if (refused <= 16 || (refused > 17 && refused < 24)) throw answered(500);
      },
    });
    assert.deepEqual((await removed(one)).left, []);
    const rounds = one.asked.join('\n').split('find ConfigMap');
    assert.deepEqual(
      rounds.map((round) => round.split('remove').length - 1),
      [0, 16, 60, 6, 0],
    );
  });

  it('has no more than eight requests for objects under way', async () => {
    let [now, most] = [0, 0];
    const many = Array.from({ length: 20 }, (_, at) => thing(`n${at}`));
    const one = world(many, {
      version: '',
      remove: async () => {
        now += 1;
        most = Math.max(most, now);
        await new Promise((resolve) => setImmediate(resolve));
        now -= 1;
      },
    });
    assert.deepEqual((await removed(one)).left, []);
    assert.equal(most, 8);
  });
});
