/** A client without a server: what it writes down, counts and registers of whatever is answered. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '../kubernetes/objects.js';
import { resources } from '../kubernetes/resources.js';
import { HttpClient, type Shared } from './client.js';
import { TargetUnreachable } from './errors.js';
import { at, configMap, RUN } from './fake-api.testing.js';
import { Journal } from './journal.js';
import { KeptLists } from './kept-lists.js';
import { Redactor } from './redaction.js';
import type { Sent } from './transport.js';
import type { Answer, Identity } from './types.js';

type Answering = (sent: Sent) => Partial<Answer> | Error;
interface Alone {
  readonly client: HttpClient;
  readonly told: string[];
  readonly sent: { sent: Sent; signal: AbortSignal }[];
  readonly shared: Shared;
}
/** What its journal was told: "created", "refused", "lost". */
function alone(answering: Answering, more: Partial<Shared> = {}, identity: Identity = { kind: 'admin' }): Alone {
  const told: string[] = [];
  const sent: Alone['sent'] = [];
  class Told extends Journal {
    override created(...given: Parameters<Journal['created']>): void {
      told.push('created');
      super.created(...given);
    }
    override refused(entry: Parameters<Journal['refused']>[0]): void {
      told.push('refused');
      super.refused(entry);
    }
    override lost(entry: Parameters<Journal['lost']>[0]): void {
      told.push('lost');
      super.lost(entry);
    }
    override owns(): boolean {
      return true;
    }
  }
  const shared = {
    transport: {
      send: async (_: Identity, one: Sent, signal: AbortSignal): Promise<Answer> => {
        sent.push({ sent: one, signal });
        const answer = answering(one);
        if (answer instanceof Error) throw answer;
        return { status: 200, headers: {}, text: JSON.stringify(answer.body ?? ''), body: undefined, ...answer };
      },
    },
    exchanges: { add: (exchange: unknown) => exchange },
    redactor: new Redactor(),
    lost: { send: ({ send }: { send(): Promise<Answer> }) => send() },
    lists: new KeptLists(),
    run: RUN,
    journal: new Told(RUN),
    readOnly: undefined,
    signal: new AbortController().signal,
    lateSignal: new AbortController().signal,
    heard: () => undefined,
    now: () => Date.now(),
    admin: () => client,
    dryRuns: async () => undefined,
    reads: { granted: 0, refused: 0 },
    ...more,
  } as unknown as Shared;
  const client = new HttpClient(identity, 'somebody', shared);
  return { client, told, sent, shared };
}
const made: KubeObject = { ...configMap('jp-aaaaa'), metadata: { name: 'jp-aaaaa', namespace: 'default', uid: '1' } };
const STATUS = { kind: 'Status', message: 'so it is' };
const answersOf = async (act: () => Promise<unknown>): Promise<string> =>
  act().then(
    () => 'done',
    ({ name, message }: Error) => `${name}: ${message}`,
  );

describe('a creation', () => {
  it('is written down by its answer: made, refused, or nobody knows', async () => {
    for (const [status, body, expected] of [
      [200, made, 'created'],
      [201, made, 'created'],
      [299, made, 'created'],
      [201, STATUS, 'lost'],
      [201, undefined, 'lost'],
      [300, made, 'lost'],
      [302, undefined, 'lost'],
      [400, STATUS, 'refused'],
      [403, made, 'refused'],
      [407, STATUS, 'refused'],
      [408, STATUS, 'lost'],
      [409, STATUS, 'refused'],
      [429, STATUS, 'refused'],
      [499, STATUS, 'refused'],
      [500, STATUS, 'lost'],
      [504, made, 'lost'],
    ] as const) {
      const { client, told } = alone(() => ({ status, body }));
      await answersOf(() => client.create(resources.configMaps, configMap('jp-aaaaa')));
      assert.deepEqual(told, [expected], String(status));
    }
  });

  it('is lost where no answer comes, and not even begun once the run is over', async () => {
    const failure = new TargetUnreachable('It is gone.', 'closed');
    const { client, told, sent, shared } = alone(() => failure);
    await assert.rejects(client.create(resources.configMaps, configMap('jp-aaaaa')), failure);
    assert.deepEqual(told, ['lost']);
    assert.equal(sent[0]?.signal, shared.lateSignal);
    const over = new Error('over');
    const late = alone(() => ({ status: 201, body: made }), { signal: AbortSignal.abort(over) });
    await assert.rejects(late.client.create(resources.configMaps, configMap('jp-aaaaa')), over);
    assert.deepEqual([late.told, late.sent], [[], []]);
  });
});

describe('what is answered', () => {
  it('to a deletion is that it is done, or gone already; anything else is an error', async () => {
    for (const [status, expected] of [
      [200, 'done'],
      [202, 'done'],
      [404, 'done'],
      [201, 'UnexpectedAnswer'],
      [403, 'UnexpectedAnswer'],
      [409, 'UnexpectedAnswer'],
      [500, 'UnexpectedAnswer'],
      [503, 'UnexpectedAnswer'],
    ] as const) {
      const { client } = alone(({ method }) => (method === 'GET' ? { body: made } : { status, body: STATUS }));
      const done = await answersOf(() => client.delete(resources.configMaps, 'jp-aaaaa', 'default'));
      assert.equal(done.split(':')[0], expected, String(status));
    }
    const { client } = alone(({ method }) => (method === 'GET' ? { body: made } : { status: 200, text: 'well' }));
    const done = await answersOf(() => client.delete(resources.configMaps, 'jp-aaaaa', 'default'));
    assert.match(done, /^UnexpectedAnswer: DELETE .* answered 200: well$/);
  });

  it('to a creation and a change is the object', async () => {
    const by = async (status: number, body: unknown = made): Promise<readonly boolean[]> => {
      const { client } = alone(({ method }) => (method === 'GET' ? { body: made } : { status, body }));
      const all = [
        () => client.create(resources.configMaps, configMap('jp-aaaaa')),
        () => client.patch(resources.configMaps, 'jp-aaaaa', 'default', {}),
      ];
      return Promise.all(all.map(async (act) => (await answersOf(act)) === 'done'));
    };
    assert.deepEqual(await by(200), [true, true]);
    assert.deepEqual(await by(201), [true, true]);
    assert.deepEqual(await by(202), [true, false]);
    assert.deepEqual(await by(204), [false, false]);
    assert.deepEqual(await by(409), [false, false]);
    assert.deepEqual(await by(200, STATUS), [false, false]);
  });

  it('to a read counts as granted or refused', async () => {
    for (const [status, body, granted, refused] of [
      [200, made, 1, 0],
      [404, STATUS, 1, 0],
      [403, STATUS, 0, 1],
      [403, undefined, 0, 0],
      [401, STATUS, 0, 0],
      [500, STATUS, 0, 0],
    ] as const) {
      const { client, shared } = alone(() => ({ status, body }));
      await answersOf(() => client.get(resources.configMaps, 'jp-aaaaa', 'default'));
      assert.deepEqual(shared.reads, { granted, refused }, String(status));
    }
    const ours = alone(() => ({ status: 403, body: STATUS }), { journal: undefined });
    await answersOf(() => ours.client.get(resources.configMaps, 'jp-aaaaa', 'default'));
    assert.deepEqual(ours.shared.reads, { granted: 0, refused: 0 }, 'a cluster of ours may be read');
    const written = alone(() => ({ status: 403, body: STATUS }));
    await answersOf(() => written.client.create(resources.configMaps, configMap('jp-aaaaa')));
    assert.deepEqual(written.shared.reads, { granted: 0, refused: 0 });
  });

  it('is kept with what was asked, also where it is none', async () => {
    const kept: unknown[] = [];
    const exchanges = { add: (...given: unknown[]) => kept.push(given) } as unknown as Shared['exchanges'];
    const heard: unknown[] = [];
    const { client } = alone(() => ({ status: 418, text: '{"a":1}', body: { a: 1 } }), {
      exchanges,
      heard: (answer, sentAt) => heard.push(answer.status, Math.abs(Date.now() - sentAt) < 60_000),
    });
    const body = { kind: 'SubjectAccessReview', metadata: {} };
    const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
    await client.ask({ method: 'POST', path, query: { pretty: 'a b' }, body });
    const failing = alone(() => new Error('nobody'), { exchanges });
    await answersOf(() => failing.client.ask({ path: '/healthz' }));
    const lines = kept.map((given) => {
      const [{ at, milliseconds, ...line }, read, headers] = given as [
        Record<string, unknown>,
        unknown,
        () => readonly string[],
      ];
      assert.ok(Math.abs(Date.parse(String(at)) - Date.now()) < 60_000 && Number(milliseconds) >= 0);
      return [line, read, headers()];
    });
    const written = { ...{ method: 'POST', path: `${path}?pretty=a%20b`, requestBody: JSON.stringify(body) } };
    assert.deepEqual(lines, [
      [{ as: 'somebody', ...written, status: 418, responseBody: '{"a":1}' }, { a: 1 }, []],
      [{ as: 'somebody', method: 'GET', path: '/healthz', status: undefined, error: 'nobody' }, undefined, []],
    ]);
    assert.deepEqual(heard, [418, true]);
  });

  it('teaches what is secret, as what is sent does', async () => {
    const value = (text: string): string => Buffer.from(text).toString('base64');
    const type = 'bootstrap.kubernetes.io/token';
    const secret = (half: string, name = 'bootstrap-token-abcdef'): KubeObject =>
      ({
        kind: 'Secret',
        apiVersion: 'v1',
        metadata: { name, namespace: 'kube-system', uid: '1' },
        type,
        data: { 'token-id': value(name.slice(-6)), 'token-secret': value(half) },
      }) as unknown as KubeObject;
    const [sent, received, listed] = ['5ent0123456789ab', 'g0t0123456789abc', 'l15t0123456789ab'];
    const { client, shared } = alone(
      ({ method, path }) =>
        method === 'POST' ? { status: 403, body: STATUS } : { body: secret(received, path.slice(-22)) },
      { journal: undefined },
    );
    await answersOf(() => client.create(resources.secrets, secret(sent)));
    await client.get(resources.secrets, 'bootstrap-token-abcdef', 'kube-system');
    for (const half of [sent, received]) assert.equal(shared.redactor.redact(`x ${half} y`), 'x [redacted] y');
    assert.equal(shared.redactor.redact(listed), listed);
  });
});

describe('what is sent', () => {
  it('says whether it may be sent twice, how long it is waited for, and that it is worth a try', async () => {
    const { client, sent, shared } = alone(() => ({ body: made }));
    const review = '/apis/authentication.k8s.io/v1/tokenreviews';
    const expects = (): boolean => true;
    const { signal } = new AbortController();
    await client.ask({ path: '/a', expects, timeoutMs: 77 });
    await client.ask({ method: 'POST', path: review, body: {} });
    await client.ask({ method: 'PUT', path: '/api/v1/nodes/a', query: { dryRun: 'All' }, body: '{}' });
    await client.ask({ method: 'DELETE', path: at('jp-aaaaa') });
    await client.raw({ path: '/b' }, signal, [200]);
    assert.deepEqual(
      sent.map(({ sent: { method, path, repeatable, timeoutMs, stubborn, expects: is } }) => [
        ...[method, path, repeatable, timeoutMs, stubborn, is],
      ]),
      [
        ['GET', '/a', true, 77, undefined, expects],
        ['POST', review, true, 15_000, undefined, undefined],
        ['PUT', '/api/v1/nodes/a?dryRun=All', true, 15_000, undefined, undefined],
        ['GET', at('jp-aaaaa'), true, 15_000, undefined, undefined],
        ['DELETE', at('jp-aaaaa'), false, 15_000, undefined, undefined],
        ['GET', '/b', true, 15_000, true, undefined],
      ],
    );
    assert.deepEqual(
      sent.map((one) => one.signal === shared.signal),
      [true, true, true, true, true, false],
    );
    assert.equal(sent.at(-1)?.signal, signal);
  });
});
