import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { resources } from '../kubernetes/resources.js';
import { TargetUnreachable } from './errors.js';
import { at, configMap, type FakeApi, fakeApi, openOn } from './fake-api.testing.js';
import type { Found, HttpTarget, HttpTargetOptions } from './http-target.js';
import { authority, clientCertificate, connectionTo, serve } from './local-server.testing.js';
import type { Abilities, Ability, Exchange, Fact, Identity } from './types.js';

let api: FakeApi;
const targets: HttpTarget[] = [];
beforeEach(async () => {
  api = await fakeApi();
});
afterEach(async () => {
  await Promise.all(targets.splice(0).map((target) => target.close()));
  await api.close();
});
const open = (more: Partial<HttpTargetOptions> = {}): HttpTarget => {
  const target = openOn(api, { disposable: true, ...more });
  targets.push(target);
  return target;
};
const facts = (told: Partial<Record<Fact, true | string>> = {}): Found['facts'] => ({
  ...{ anonymous: 'a?', controllers: 'c?', kubeadm: 'k?', fresh: 'f?', ours: 'o?', inProcess: 'i?' },
  ...told,
});
const version = { gitVersion: 'v1.36.0', minor: 36 };
const given = {
  ...{ variants: {}, init: {}, client: {}, files: {}, preflight: {}, uploads: {} },
  clock: { now: () => 7, move: async () => {} },
} as unknown as Partial<HttpTargetOptions>;

describe('a target over HTTP', () => {
  it('has what it was given, but for what it lacks, and says why', () => {
    const OVER: readonly Ability[] = ['objects', 'requests', 'writes', 'reviews', 'tls'];
    const GIVEN: readonly Ability[] = ['clock', 'variants', 'init', 'client', 'files', 'preflight', 'uploads'];
    const plain = open();
    assert.deepEqual(Object.keys(plain.abilities).sort(), [...OVER].sort());
    for (const [ability, why] of [
      ['clock', 'the clock of a real cluster cannot be moved'],
      ['variants', 'the switches of a running cluster cannot be changed'],
      ['init', 'this target cannot run the phases of kubeadm init again'],
      ['client', 'a cluster is no joining client; "joinproof run" without a target judges the one that comes with it'],
      ['files', 'no disk of a node was given; "joinproof run --node DIR" judges one'],
      ['preflight', 'a cluster is no kubeadm; "joinproof run --kubeadm FILE" judges what one says of machines'],
      ['uploads', 'a cluster is no kubeadm; "joinproof run --kubeadm FILE" judges what one hands on to those who join'],
    ] as const)
      assert.equal(plain.why(ability), why);
    const whole = open(given);
    assert.deepEqual(Object.keys(whole.abilities).sort(), [...OVER, ...GIVEN].sort());
    for (const ability of GIVEN)
      assert.equal(whole.abilities[ability], (given as unknown as Partial<Abilities>)[ability]);
    for (const ability of [...OVER, ...GIVEN]) {
      whole.declare({ facts: facts(), lacks: { [ability]: `no ${ability}` }, version });
      assert.ok(!(ability in whole.abilities), ability);
      assert.equal(Object.keys(whole.abilities).length, 11);
      assert.equal(whole.why(ability), `no ${ability}`);
    }
    assert.ok(!('writes' in open({ readOnly: 'it is read only' }).abilities));
  });

  it('is so as was found out, and unknown before', () => {
    const target = open();
    assert.deepEqual([...target.facts.holds], []);
    assert.equal(target.why('anonymous'), 'unknown');
    assert.deepEqual(target.facts.version, { unreadable: 'the target was not asked for its version' });
    assert.deepEqual([target.facts.server, target.facts.caPem], [api.url, api.ca.certificate.pem]);
    const found = { facts: facts({ anonymous: true, ours: true }), lacks: {}, version } as const;
    target.declare({ ...found, absent: ['controllers'], signs: ['a sign'], account: 'an account' });
    assert.deepEqual([...target.facts.holds].sort(), ['anonymous', 'ours']);
    assert.deepEqual([...(target.facts.absent ?? [])], ['controllers']);
    assert.deepEqual([target.facts.signs, target.facts.account], [['a sign'], 'an account']);
    assert.equal(target.facts.version, version);
    assert.equal(target.why('controllers'), 'c?');
    assert.equal(target.why('ours'), `${target.name} is so: ours`);
    target.declare(found);
    assert.deepEqual([target.facts.signs, target.facts.account, target.facts.absent?.size], [[], undefined, 0]);
    assert.ok(!('account' in target.facts));
  });

  it('has a time of its own, or that of its clock, where nobody waits', () => {
    const target = open();
    assert.ok(Math.abs(target.facts.now() - Date.now()) < 5_000);
    assert.equal(target.facts.pace?.(), 1);
    const moved = open(given);
    assert.deepEqual([moved.facts.now(), moved.facts.pace], [7, undefined]);
  });

  it('asks as anybody, by a name that is no secret, and shows nothing that is one', async () => {
    const ca = authority();
    const { certificate, key } = clientCertificate(ca, 'system:node:a');
    for (const [identity, as, secrets] of [
      [{ kind: 'admin' }, 'admin', []],
      [{ kind: 'anonymous' }, 'anonymous', []],
      [{ kind: 'token', token: 'abcdef.0123456789abcdef' }, 'system:bootstrap:abcdef', ['0123456789abcdef']],
      [{ kind: 'token', token: 'some-other-token' }, 'a bearer token', ['some-other-token']],
      [{ kind: 'token', token: 'a-public-name', isPublic: true }, 'a bearer token', []],
      [{ kind: 'header', authorization: ['Basic c2VjcmV0', 'x'] }, 'raw Authorization (2)', ['c2VjcmV0']],
      [{ kind: 'certificate', certificate, key }, 'system:node:a', []],
      [
        { kind: 'certificate', certificate, key, token: 'with-a-token' },
        'system:node:a and a bearer token',
        ['with-a-token'],
      ],
    ] as const) {
      const target = open();
      const seen: Exchange[] = [];
      const observed = target.observed((one) => seen.push(one));
      await observed.abilities.requests?.as(identity as Identity).ask({ path: '/version' });
      assert.deepEqual(
        seen.map((one) => [one.as, one.path]),
        [[as, '/version']],
      );
      for (const secret of secrets) assert.ok(!target.redactor.redact(`is ${secret}!`).includes(secret), secret);
      assert.equal(target.redactor.redact('a-public-name'), 'a-public-name');
    }
    const unreadable = open();
    const broken: Identity = { kind: 'certificate', certificate: 'none', key: 'none', token: 'with-a-token' };
    await unreadable
      .as(broken)
      .ask({ path: '/version' })
      .catch(() => undefined);
    assert.equal(unreadable.exchanges()[0]?.as, 'an unreadable certificate');
  });

  it('reads nothing where all that it asks for is forbidden, and one answer is enough to know better', async () => {
    let status = 403;
    api.before = (_request, response) => {
      const body = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Forbidden', code: status };
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      return true;
    };
    const asked = async (...statuses: readonly number[]): Promise<boolean> => {
      const target = open({ disposable: false });
      for (const one of statuses) {
        status = one;
        await target.admin.get(resources.configMaps, 'a', 'default').catch(() => undefined);
      }
      return target.facts.readsNothing?.() === true;
    };
    try {
      assert.deepEqual(
        [await asked(), await asked(403), await asked(403, 403), await asked(404)],
        [false, true, true, false],
      );
      assert.deepEqual([await asked(403, 404), await asked(404, 403)], [false, false]);
    } finally {
      api.before = () => false;
    }
  });

  it('is told of as one scenario sees it, and closed as a whole', async () => {
    let closed = 0;
    const target = open({
      onClose: async () => {
        closed += 1;
      },
    });
    const seen: Exchange[] = [];
    const observed = target.observed((one) => seen.push(one));
    await target.admin.ask({ path: '/version' });
    await observed.abilities.objects?.get(resources.configMaps, 'a', 'default');
    assert.deepEqual(
      seen.map(({ path }) => path),
      [at('a')],
    );
    assert.deepEqual(
      target.exchanges().map(({ path }) => path),
      ['/version', at('a')],
    );
    assert.deepEqual([observed.kind, observed.name, observed.run], [target.kind, target.name, target.run]);
    assert.equal(observed.facts, target.facts);
    assert.equal(observed.why('clock'), target.why('clock'));
    await observed.close();
    await target.close();
    assert.equal(closed, 1);
  });

  it('says how far its clean-up is, and what stays where that is broken off', async () => {
    const target = open({ disposable: false });
    await target.admin.create(resources.configMaps, configMap('jp-aaaaa'));
    const told: string[] = [];
    target.onCleaning((gone, known) => told.push(`${gone} of ${known}`));
    assert.deepEqual(target.leftovers, []);
    await target.close();
    assert.deepEqual([told.at(-1), target.leftovers], ['1 of 1', []]);
    const stopped = open({ disposable: false });
    await stopped.admin.create(resources.configMaps, configMap('jp-bbbbb'));
    api.before = (request, response) => {
      if (request.method !== 'DELETE' && !request.url?.includes('labelSelector')) return false;
      response.writeHead(503).end();
      stopped.abort();
      return true;
    };
    await stopped.close();
    assert.equal(stopped.leftovers.length, 1);
    assert.equal(stopped.leftovers[0]?.what, 'ConfigMap default/jp-bbbbb');
    assert.match(stopped.leftovers[0]?.why ?? '', /The clean-up was broken off\./);
    api.before = () => false;
  });

  it('has no connection left once it is closed, after which it says so', async () => {
    let ends = 0;
    const server = await serve((request, response) => {
      request.socket.once('close', () => {
        ends += 1;
      });
      response.end('{}');
    });
    const target = openOn(api, {
      disposable: true,
      connection: connectionTo(server),
      onClose: async () => {
        for (let at = 0; ends === 0 && at < 10_000; at += 1) await turn();
      },
    });
    await target.admin.ask({ path: '/version' });
    assert.deepEqual([server.connections(), ends], [1, 0]);
    await target.close();
    assert.equal(ends, 1);
    await server.close();
  });

  it('looks at certificates of its own address, by its name there, and of others by theirs', async () => {
    const [ca, other] = [authority(), authority('other-ca')];
    const own = await serve(() => {}, { ca, names: { dns: ['kubernetes.test'], ip: [] } });
    const beside = await serve((_request, response) => response.end(), { ca: other });
    const connection = connectionTo(own, {}, { serverName: 'kubernetes.test' });
    const { tls } = openOn(api, { disposable: true, connection }).abilities;
    assert.ok(tls !== undefined);
    const trusts = async (pem: string, url?: string): Promise<boolean> => (await tls.trusts(pem, url)).ok;
    const [pem, otherPem] = [ca.certificate.pem, other.certificate.pem];
    assert.deepEqual([await trusts(pem), await trusts(otherPem)], [true, false]);
    assert.deepEqual([await trusts(pem, beside.url), await trusts(otherPem, beside.url)], [false, true]);
    assert.equal(await trusts(pem, own.url), false, 'the name is that of its own address alone');
    assert.equal((await tls.presented()).length, 1);
    assert.equal(own.connections(), 4);
    for (const one of [own, beside]) await one.close();
  });

  it('is gone for nobody while it answers', () => {
    const target = open();
    assert.equal(target.gone.aborted, false);
    assert.ok(!(target.gone.reason instanceof TargetUnreachable));
  });
});
