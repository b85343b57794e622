/** What steps share where a target is slow, unclear, or a program that is described in part. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import type { Made } from '../../steps/common/tokens.js';
import type { KubeObject } from '../kubernetes/objects.js';
import { type Resource, resources } from '../kubernetes/resources.js';
import type { ClientRun } from '../kubernetes/transcript.js';
import { prepareSteps } from './execute.js';
import { setWorldParameters, type World } from './world.js';
import { answered, endOf, isSo, NOW, run, Told, world } from './world.testing.js';

// cucumber loads what defines sentences; what is imported then is the same
await prepareSteps();
const { checkNotApproved } = await import('../../steps/common/csr-requests.js');
const { forEach } = await import('../../steps/common/each.js');
const { KEPT } = await import('../../steps/common/searched.js');
const { isMet, settled, soon } = await import('../../steps/common/soon.js');
const { loginSoon } = await import('../../steps/common/tokens.js');
const { honestRuns, lacksFile, possible, soundServer } = await import('../../steps/joining-clients/runs.js');

let told = new Told();
beforeEach(() => {
  told = new Told();
  run(told.target());
});
after(() => setWorldParameters(undefined));

describe('what is done for each of several', () => {
  it('fails as the first in their order does, whichever was quicker', async () => {
    const begun: string[] = [];
    const work = async (name: string): Promise<string> => {
      begun.push(name);
      if (name === 'fine') return name;
      if (name === 'slow') await new Promise((resolve) => setImmediate(resolve));
      throw new Error(name);
    };
    for (const names of [
      ['fine', 'slow', 'quick'],
      ['quick', 'fine', 'slow'],
    ])
      await assert.rejects(forEach(world(), names, work), { message: names.find((name) => name !== 'fine') });
    assert.equal(begun.length, 6, 'they are done side by side');
    assert.deepEqual(await forEach(world(), ['fine', 'fine'], work), ['fine', 'fine']);
  });
});

describe('what is kept of each kind', () => {
  it("is of that kind, and its own objects are told from joinproof's by it", () => {
    const theirs: string[] = [];
    const some = {
      now: () => NOW,
      theirs: (resource: Resource, keep: (object: KubeObject) => unknown) => {
        theirs.push(resource.resource);
        return keep;
      },
    } as unknown as World;
    for (const [name, make] of Object.entries(KEPT)) {
      theirs.length = 0;
      const keep = make(some) as (object: object) => unknown;
      assert.deepEqual(
        theirs.filter((plural) => plural !== name.toLowerCase()),
        [],
        name,
      );
      if (!/^(?:api|flow|mutating|priority|validating)/.test(name)) continue;
      const kind = Object.values(resources).find(({ resource }) => resource === name.toLowerCase())?.kind;
      assert.deepEqual(keep({ metadata: { name: 'a' } }), { metadata: { name: 'a' }, kind }, name);
    }
  });
});

describe('what is waited for', () => {
  it('is not there while anything is unmet or unclear', () => {
    assert.deepEqual(
      [[true], [], [true, undefined], [true, false], [undefined]].map((seen) => isMet(isSo, seen, undefined)),
      [true, true, false, false, false],
    );
  });
  it('is looked at until it is met, or the time is over', async () => {
    const seen = [[undefined], [false], [true], [false]];
    let looks = 0;
    const look = async () => seen[looks++] ?? [];
    assert.deepEqual(await soon(world(), { check: isSo, within: 60_000 }, look), [true]);
    assert.equal(looks, 3);
    const started = told.time;
    assert.deepEqual(await soon(world(), { check: isSo, within: 6_000 }, async () => [false]), [false]);
    assert.equal(told.time - started, 6_000);
  });
  it('is looked at once where it is written down', async () => {
    run(told.target({ kind: 'dump' }));
    let looks = 0;
    await soon(world(), { check: isSo, within: 60_000 }, async () => [looks++ > 5]);
    assert.equal(looks, 1);
  });
  it('is looked at once more where it was put together, and is wanting', async () => {
    const again = async () => [true];
    assert.deepEqual(await settled(world(), { check: isSo, parameters: undefined }, [false], again), [true]);
    assert.deepEqual(await settled(world(), { check: isSo, parameters: undefined }, [undefined], again), [true]);
    const first = [true];
    assert.equal(await settled(world(), { check: isSo, parameters: undefined }, first, again), first);
  });
});

describe('a login that is waited for', () => {
  const made = (until: number): Made => ({
    label: 'the token',
    id: 'a1b2c3',
    half: 'x',
    token: 'a1b2c3.0123456789abcdef',
    tokens: [],
    name: 'bootstrap-token-a1b2c3',
    namespace: 'kube-system',
    until,
  });
  it('is not judged by what is answered when its time is over', async () => {
    told.answer = answered(401, { kind: 'Status', reason: 'Unauthorized' });
    assert.match(await endOf(() => loginSoon(world(), made(NOW - 1))), /^again: error, unclear: the token had expired/);
    const { heard } = await loginSoon(world(), made(NOW + 3_000));
    assert.equal(heard.status, 401);
  });
  it('is judged by what was good, however late', async () => {
    told.answer = answered(201, { kind: 'SelfSubjectReview', status: { userInfo: { username: 'somebody' } } });
    const { heard } = await loginSoon(world(), made(NOW - 1));
    assert.equal(heard.status, 201);
  });
});

it('what must not be approved is watched for ten seconds before it is judged', async () => {
  let readAt = 0;
  const objects = {
    get: async () => {
      readAt = told.time;
      return undefined;
    },
  };
  const { abilities } = told.target();
  run(told.target({ abilities: { ...abilities, objects } }));
  const request = { metadata: { name: 'a' }, spec: { request: '', signerName: '', usages: [] } };
  const asked = { what: 'a node', name: 'a', sent: request, created: request, answer: undefined };
  await checkNotApproved(world(), asked);
  assert.equal(readAt, NOW + 10_000);
});

describe('a program that is described in part', () => {
  const ran: string[] = [];
  const program = {
    lacks: (server: string) => (server.startsWith('no ') ? `it knows no ${server.slice(3)}` : undefined),
    honest: (server: string) => ({ liar: 'honest', 'no file': 'honest', 'other liar': 'honest' })[server],
    telling: [],
    lacksFile: (role: string) => (role === 'ca' ? 'nobody says where the CA is' : undefined),
  };
  const join = async (server: string) => {
    ran.push(server);
    return { server } as unknown as ClientRun;
  };
  const withClient = (client: object) => {
    ran.length = 0;
    run(told.target({ abilities: { client: { name: 'it', join, ...client } } }));
    return world();
  };

  it('is before those servers that it can be before, and says why not before others', async () => {
    const one = withClient({ program });
    assert.deepEqual(possible(one, ['liar', 'no file', 'honest']), ['liar', 'honest']);
    assert.equal(one.missing?.reason.text, 'it knows no file');
    assert.equal(
      await endOf(() => possible(withClient({ program }), ['no file'])),
      'skipped, ability: it knows no file',
    );
    const own = withClient({});
    assert.deepEqual(possible(own, ['no file', 'liar']), ['no file', 'liar']);
    assert.equal(own.missing, undefined);
  });
  it('joins the honest twin of each of them first, once', async () => {
    await honestRuns(withClient({ program }), ['liar', 'other liar', 'somebody']);
    assert.deepEqual(ran, ['honest']);
    await honestRuns(withClient({}), ['liar']);
    assert.deepEqual(ran, []);
  });
  it('shows that it joins before a server that it can be before', async () => {
    assert.equal(soundServer(withClient({ program }), 'no file'), 'honest');
    assert.equal(soundServer(withClient({ program }), 'honest'), 'honest');
    assert.equal(soundServer(withClient({}), 'no file'), 'no file');
    assert.equal(
      await endOf(() => soundServer(withClient({ program }), 'no way')),
      'skipped, ability: it knows no way',
    );
  });
  it('is not asked for a file of which nobody says where it is', () => {
    const one = withClient({ program });
    assert.deepEqual([lacksFile(one, 'pki'), one.missing], [false, undefined]);
    assert.deepEqual([lacksFile(one, 'ca'), one.missing?.reason.kind], [true, 'ability']);
    assert.equal(lacksFile(withClient({}), 'ca'), false);
  });
});
