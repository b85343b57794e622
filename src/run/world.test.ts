import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import type { Check } from '../model/check.js';
import { demand, refusal } from '../model/finding.js';
import type { Answer, Exchange } from '../targets/types.js';
import { slot } from './slot.js';
import { setWorldParameters, World } from './world.js';
import { answered, endOf, isSo, look, run, Told, world } from './world.testing.js';

const isRefused: Check<boolean, { readonly status: number }> = {
  id: 'it/is-refused',
  source: 'none',
  judge: (ok, { status }) => [refusal({ ...look(ok), seen: String(status) })],
};

let told = new Told();
beforeEach(() => {
  told = new Told();
  run(told.target());
});
after(() => setWorldParameters(undefined));

describe('what a scenario judges', () => {
  it('is met where every finding is, as a demand or as a control', () => {
    const one = world();
    assert.deepEqual(
      [[true], [true, true], [true, false], [undefined], []].map((seen) => one.check(isSo, seen)),
      [true, true, false, false, true],
    );
    assert.deepEqual(
      [one.grant(isSo, [true]), one.grant(isSo, [true, false]), one.grant(isSo, [undefined])],
      [true, false, false],
    );
    assert.deepEqual(one.findings.map(({ role, result }) => `${role} ${result}`).slice(-4), [
      'control met',
      'control met',
      'control unmet',
      'control unclear',
    ]);
    assert.equal(one.findings.filter(({ role }) => role === 'demand').length, 6);
  });

  it('is kept with its parameters and with the requests since what was judged before', async () => {
    const one = world();
    await one.admin.ask({ path: '/api' });
    await one.as({ kind: 'anonymous' }).ask({ path: '/version' });
    one.check(isRefused, true, { status: 403 });
    one.check(isSo, [true]);
    const [first, second] = one.judged;
    assert.deepEqual(first?.parameters, { status: 403 });
    assert.deepEqual(
      first?.exchanges.map(({ as, request }) => `${as} ${request}`),
      ['admin GET /api', 'anonymous GET /version'],
    );
    assert.deepEqual(
      [first.check, first.taken, second?.check, second?.exchanges],
      ['it/is-refused', false, 'it/is-so', []],
    );
  });

  it('was nothing where a check found nothing, which it says, and the first of them counts', () => {
    const one = world();
    one.check(isRefused, true, { status: 403 });
    assert.equal(one.nothing, undefined);
    one.check(isSo, []);
    one.check({ ...isSo, nothing: 'nothing else' }, []);
    assert.equal(one.nothing, 'there is nothing');
  });

  it('is skipped in part for the first thing that is lacking', () => {
    const one = world();
    one.partly('ability', 'the first');
    one.partly('fact', 'the second');
    assert.deepEqual(one.missing, { kind: 'skipped', reason: { kind: 'ability', text: 'the first' } });
  });
});

describe('a scenario ends', () => {
  it('skipped where the target lacks an ability', async () => {
    assert.equal(await endOf(() => world().ability('tls')), 'skipped, ability: it has no tls');
    assert.equal(await endOf(() => world().writes), 'skipped, ability: it has no writes');
    assert.equal(await endOf(() => world().ability('requests')), 'it goes on');
  });

  it('as error where nobody has made what it looks at', async () => {
    const place = slot<number>('a toy');
    const one = world();
    assert.equal(await endOf(() => one.get(place)), 'error, joinproof: no earlier step of this scenario made a toy');
    assert.deepEqual([one.has(place), one.put(place, 0), one.get(place), one.has(place)], [false, 0, 0, true]);
    assert.equal(world().has(place), false);
  });

  it('as error where a server shows no release, skipped where a dump shows none', async () => {
    const version = { unreadable: 'no release' };
    for (const [kind, end] of [
      ['cluster', 'error, unclear: no release'],
      ['dump', 'skipped, version: no release'],
    ] as const) {
      run(told.target({ kind }, { version }));
      assert.equal(await endOf(() => world().version), end);
    }
  });

  it('as error where an answer says nothing of any rule, played again where it may say more later', async () => {
    for (const [answer, end] of [
      [answered(200, { kind: 'APIVersions' }), /^it goes on$/],
      [answered(403, { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 403 }), /^it goes on$/],
      [answered(503, {}), /^again: error, unclear: GET \/api is answered with 503 however often it is asked$/],
      [answered(429, {}), /^again: error, unclear: GET \/api is answered with 429 /],
      [answered(403, '<html>'), /^error, unclear: GET \/api is answered with 403 by something that is no API/],
    ] as const) {
      told.answer = answer;
      assert.match(await endOf(() => world().admin.ask({ path: '/api' })), end);
      const expects = (heard: Answer): boolean => heard.status === answer.status;
      assert.equal(await endOf(() => world().admin.ask({ path: '/api', expects })), 'it goes on');
    }
  });

  it('skipped where the credential of the run may not ask as another, and no stranger is asked about', async () => {
    const message = 'users "jane" is forbidden: User "kate" cannot impersonate resource "users" at the cluster scope';
    told.answer = answered(403, { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 403, message });
    const question = { path: '/api', headers: { 'Impersonate-User': 'jane' } };
    assert.match(await endOf(() => world().admin.ask(question)), /^skipped, ability: the credential of the run lacks/);
    assert.equal(await endOf(() => world().as({ kind: 'anonymous' }).ask(question)), 'it goes on');
  });
});

describe('the evidence of a scenario', () => {
  const many = Array.from({ length: 300 }, (_, at) => `Toy t${at}`);
  const areToys: Check<readonly string[]> = {
    id: 'it/are-toys',
    source: 'none',
    judge: (all) => all.map((subject) => demand({ ...look(true), subject })),
  };
  const heard = (): Exchange =>
    ({
      ...{ as: 'admin', method: 'GET', path: '/api?continue=x', status: 200 },
      ...{ requestBody: 'sent', responseBody: 'received' },
    }) as Exchange;
  /** A target of which one request is seen, with what was sent and answered. */
  const seen = (evidence?: 'full' | 'examples') => {
    let tell = (_: Exchange): void => {};
    const target = told.target({
      observed: (listener: (exchange: Exchange) => void) => {
        tell = listener;
        return told.target();
      },
    });
    run(target, undefined, evidence === undefined ? {} : { evidence });
    const one = world();
    tell(heard());
    return one;
  };

  it('are examples of much that was found, and the number of the others, or all of it', () => {
    const [usual, whole] = [seen(), seen('full')];
    assert.equal(usual.check(areToys, many), true);
    assert.ok(usual.findings.length < 300);
    assert.equal(usual.findings.length + usual.more.met, 300);
    assert.equal(whole.check(areToys, many), true);
    assert.deepEqual([whole.findings.length, whole.more.met], [300, 0]);
  });

  it('are further pages of lists where all is kept, with what was sent', () => {
    const [usual, whole] = [seen('examples'), seen('full')];
    for (const one of [usual, whole]) one.check(isSo, [true]);
    assert.deepEqual(usual.judged[0]?.exchanges, []);
    const request = { as: 'admin', request: 'GET /api?continue=x', status: 200 };
    assert.deepEqual(whole.judged[0]?.exchanges, [{ ...request, sent: 'sent' }]);
  });

  it('is what was answered where something is not met', () => {
    for (const [results, isTold] of [
      [[true, false], true],
      [[undefined], true],
      [[true], false],
      [[true, true], false],
    ] as const) {
      const one = seen('full');
      one.check(isSo, results);
      assert.equal(one.judged[0]?.exchanges[0]?.received, isTold ? 'received' : undefined, JSON.stringify(results));
    }
  });

  it('says that there was nothing to look at, where a check says so', () => {
    const silent: Check<readonly boolean[]> = { id: 'it/silent', source: 'none', judge: isSo.judge };
    const nothing = (check: Check<readonly boolean[]>, observation: readonly boolean[]): string | undefined => {
      const one = world();
      one.check(check, observation);
      return one.nothing;
    };
    assert.deepEqual(
      [nothing(isSo, []), nothing(isSo, [true]), nothing(silent, []), nothing(silent, [true])],
      ['there is nothing', undefined, undefined, undefined],
    );
  });
});

it('a scenario goes on with the version of a target that shows one, and ends by one that does not', async () => {
  assert.equal(world().version.minor, 36);
  run(told.target({}, { version: { unreadable: 'no version' } }));
  assert.equal(await endOf(() => world().version), 'error, unclear: no version');
  run(told.target({ kind: 'dump' }, { version: { unreadable: 'no version' } }));
  assert.equal(await endOf(() => world().version), 'skipped, version: no version');
});

it('a scenario is played in a run alone', () => {
  setWorldParameters(undefined);
  assert.throws(
    () => new World({ parameters: {} }),
    /^Error: No target is set: steps run only inside joinproof run\.$/,
  );
});

it('a scenario knows of its target what it holds, is held to and plays', () => {
  const one = world();
  assert.deepEqual([one.holds('kubeadm'), one.holds('fresh')], [true, false]);
  assert.equal(one.profile.name, 'plain');
  assert.deepEqual([one.plays('it is so'), one.plays('it is not')], [true, false]);
  one.secret('hidden');
  assert.deepEqual(told.secrets, ['hidden']);
  assert.match(one.random(10), /^[a-z0-9]{10}$/);
  const variant = told.target({ name: 'another' });
  one.moveTo(variant);
  assert.deepEqual(
    [one.target.name, one.main.name, one.cluster.server],
    ['another', 'told', 'https://192.0.2.10:6443'],
  );
});
