import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { KubeObject } from '../kubernetes/objects.js';
import { pathOf, resources } from '../kubernetes/resources.js';
import { TargetUnreachable } from './errors.js';
import { configMap, type FakeApi, fakeApi, openOn } from './fake-api.testing.js';
import type { HttpTarget } from './http-target.js';
import { LostAnswers, shows } from './lost-answers.js';
import type { Question } from './types.js';

let api: FakeApi;
let target: HttpTarget;
beforeEach(async () => {
  api = await fakeApi();
  target = openOn(api, { cleaning: { lateMs: 0 } });
});
afterEach(async () => {
  api.before = () => false;
  await target.close();
  await api.close();
});

const collection = pathOf(resources.configMaps, { namespace: 'default' });

/** The next `times` requests of the method are carried out and their answers lost. */
function lose(method: string, times: number, how: (response: ServerResponse) => void): void {
  let left = times;
  api.before = (request, response) => {
    if (request.method !== method || left === 0) return false;
    left -= 1;
    const { writeHead } = response;
    response.writeHead = () => response;
    response.end = () => {
      response.writeHead = writeHead;
      how(response);
      return response;
    };
    return false;
  };
}
const reset = (response: ServerResponse): void => void response.socket?.destroy();
const broken = (response: ServerResponse): void => {
  const { end } = Object.getPrototypeOf(response) as ServerResponse;
  response.writeHead(504, { 'content-length': '0' });
  end.call(response, '', 'utf8');
};

for (const [name, how] of Object.entries({ reset, broken })) {
  test(`${name}: a creation that was carried out counts as created, once`, async () => {
    lose('POST', 1, how);
    assert.equal((await target.admin.create(resources.configMaps, configMap('jp-aaaaa'))).metadata.uid, 'uid-1');
    assert.equal(api.objects.size, 1);
    lose('POST', 1, how);
    const answer = await target
      .as({ kind: 'anonymous' })
      .ask({ method: 'POST', path: collection, body: configMap('jp-bbbbb') });
    assert.equal(answer.status, 201);
    await target.close();
    assert.equal(api.objects.size, 0);
  });

  test(`${name}: a deletion and a change that were carried out count as done`, async () => {
    await target.admin.create(resources.configMaps, configMap('jp-aaaaa'));
    lose('PATCH', 1, how);
    const changed = await target.admin.patch(resources.configMaps, 'jp-aaaaa', 'default', { data: { a: '1' } });
    assert.deepEqual((changed as { data?: unknown }).data, { a: '1' });
    lose('DELETE', 1, how);
    await target.admin.delete(resources.configMaps, 'jp-aaaaa', 'default');
    assert.equal(api.objects.size, 0);
  });
}

test('what a creation without an answer has made is of this run, and may be changed', async () => {
  const there = pathOf(resources.configMaps, { namespace: 'default', name: 'jp-aaaaa' });
  lose('POST', 1, reset);
  const { before } = api;
  // nor can be looked whether it is there
  api.before = (request, response) => {
    if (request.method !== 'GET') return before(request, response);
    response.writeHead(500, { 'content-length': '0' }).end();
    return true;
  };
  await assert.rejects(target.admin.create(resources.configMaps, configMap('jp-aaaaa')));
  api.before = () => false;
  const node = target.as({ kind: 'anonymous' });
  const again = await node.ask({ method: 'POST', path: collection, body: configMap('jp-aaaaa') });
  assert.equal(again.status, 409);
  const contentType = 'application/merge-patch+json';
  const changed = await node.ask({ method: 'PATCH', path: there, contentType, body: { data: { a: '1' } } });
  assert.equal(changed.status, 200);
});

test('what is being made is of this run before its answer has come', async () => {
  let answer = (): void => undefined;
  api.before = (request, response) => {
    if (request.method !== 'POST') return false;
    const end = response.end.bind(response) as (body?: string) => ServerResponse;
    response.end = ((body?: string) => {
      answer = () => void end(body);
      return response;
    }) as typeof response.end;
    return false;
  };
  const made = target.admin.create(resources.configMaps, configMap('jp-aaaaa'));
  while (api.objects.size === 0) await pause(1);
  await target.admin.patch(resources.configMaps, 'jp-aaaaa', 'default', { data: { a: '1' } });
  answer();
  assert.equal((await made).metadata.uid, 'uid-1');
  await target.close();
  assert.equal(api.objects.size, 0);
});

test('a creation below a generated name is looked for, and made once', async () => {
  lose('POST', 1, reset);
  const object: KubeObject = {
    ...configMap(''),
    metadata: { generateName: 'jp-dry-', namespace: 'default' },
  };
  const made = await target.admin.create(resources.configMaps, object);
  assert.match(made.metadata.name ?? '', /^jp-dry-/);
  assert.equal(api.objects.size, 1);
});

test('what is there already, and was known to be, is not taken for what was just made', async () => {
  const ask = () => target.admin.ask({ method: 'POST', path: collection, body: configMap('jp-aaaaa') });
  assert.equal((await ask()).status, 201);
  assert.equal((await ask()).status, 409);
  // the times at which what is sent expires differ by then
  await new Promise((resolve) => setTimeout(resolve, 1100));
  lose('POST', 1, reset);
  assert.equal((await ask()).status, 409);
});

test('a refusal that comes the second time is the answer; what stays lost is an error', async () => {
  let asked = 0;
  api.before = (request, response) => {
    if (request.method !== 'POST') return false;
    asked += 1;
    if (asked === 1) request.socket.destroy();
    else response.writeHead(403, { 'content-type': 'application/json' }).end('{"kind":"Status","code":403}');
    return true;
  };
  const question = { method: 'POST', path: collection, body: configMap('jp-aaaaa') } as const;
  assert.equal((await target.as({ kind: 'anonymous' }).ask(question)).status, 403);
  api.before = (request) => {
    if (request.method === 'POST') request.socket.destroy();
    return request.method === 'POST';
  };
  await assert.rejects(target.admin.ask(question), { why: 'closed' });
});

test('what the server writes itself, or otherwise, is no other object', async () => {
  const sentBy = async (own: object, there: object): Promise<number> => {
    const metadata = { name: 'jp-a', labels: { 'joinproof.io/run': 'r' } };
    const body = {
      apiVersion: 'v1',
      kind: 'Secret',
      ...own,
      metadata: { ...metadata, ...('metadata' in own ? (own.metadata as object) : {}) },
    };
    const stored = {
      ...body,
      ...there,
      metadata: { ...metadata, uid: 'u1', ...('metadata' in there ? (there.metadata as object) : {}) },
    };
    let sent = 0;
    const answer = await new LostAnswers().send({
      question: { method: 'POST', path: '/api/v1/namespaces/default/secrets', body },
      asAdmin: true,
      signal: new AbortController().signal,
      send: async () => {
        sent += 1;
        return { status: sent === 1 ? 500 : 409, headers: {}, text: '', body: undefined };
      },
      look: async () => ({ status: 200, headers: {}, text: '', body: stored }),
    });
    return answer.status;
  };
  assert.equal(await sentBy({ data: { a: 'b' } }, {}), 201);
  assert.equal(await sentBy({ data: { a: 'b' } }, { data: { a: 'c' } }), 500);
  assert.equal(await sentBy({ stringData: { a: 'b' } }, { stringData: undefined, data: { a: 'Yg==' } }), 201);
  for (const field of ['resourceVersion', 'creationTimestamp', 'managedFields', 'generation', 'uid'])
    assert.equal(await sentBy({ metadata: { [field]: 'sent' } }, { metadata: { [field]: 'stored' } }), 201, field);
  assert.equal(await sentBy({ metadata: { annotations: { a: 'b' } } }, { metadata: { annotations: {} } }), 500);
});

test('what is stored shows what was sent where it holds all of it, whatever the server adds', () => {
  const rows: readonly (readonly [unknown, unknown, boolean])[] = [
    ['a', 'a', true],
    ['a', 'b', false],
    [1, '1', false],
    [undefined, null, true],
    [null, null, true],
    ['a', null, false],
    [{ a: 1, more: 2 }, { a: 1 }, true],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: 1, b: 3 }, { a: 1, b: 2 }, false],
    [{ a: { b: 1, more: 2 } }, { a: { b: 1, c: null } }, true],
    [{ a: { b: 1, c: 2 } }, { a: { b: 1, c: null } }, false],
    ['a', { a: 1 }, false],
    [[1, 2], [1, 2], true],
    [[1, 2], [1, 3], false],
    [[1, 2], [3, 2], false],
    [[1, 2, 3], [1, 2], false],
    [[1], [1, 2], false],
    [{ 0: 1, length: 1 }, [1], false],
    [[{ a: 1, more: 2 }], [{ a: 1 }], true],
  ];
  for (const [stored, sent, shown] of rows) assert.equal(shows(stored, sent), shown, JSON.stringify({ stored, sent }));
});

test('an answer that was lost is known by the second one, and by what is there, method by method', async () => {
  const metadata = { name: 'jp-a', labels: { 'joinproof.io/run': 'r' } };
  const body = { kind: 'ConfigMap', metadata, data: { a: 'b' } };
  const stored = { ...body, metadata: { ...metadata, uid: 'u1' } };
  const path = '/api/v1/namespaces/default/configmaps/jp-a';
  interface Case {
    readonly question: Question;
    /** Status of each answer; undefined: it is lost, or is late. */
    readonly sent: readonly (number | 'closed' | 'timeout' | 'refused')[];
    readonly there?: object;
    readonly seen?: number;
    readonly asAdmin?: boolean;
    readonly expected: string;
  }
  const change: Question = { method: 'PATCH', path, body: JSON.stringify({ data: { a: 'b' } }) };
  const creation: Question = { method: 'POST', path: '/api/v1/namespaces/default/configmaps', body };
  const removal: Question = { method: 'DELETE', path };
  const { labels } = metadata;
  const generated: Question = { ...creation, body: { ...body, metadata: { generateName: 'jp-', labels } } };
  const named = { ...stored, metadata: { generateName: 'jp-', ...stored.metadata } };
  const [all, made] = [creation.path, JSON.stringify(named)];
  const cases: readonly Case[] = [
    { question: removal, sent: [404], expected: '404 sent 1' },
    { question: removal, sent: ['closed', 404], expected: '200 {"kind":"Status"} sent 2' },
    { question: removal, sent: [500, 404], expected: '200 {"kind":"Status"} sent 2' },
    { question: removal, sent: ['closed', 404], asAdmin: false, expected: 'closed sent 2' },
    { question: removal, sent: ['closed', 200], expected: '200 sent 2' },
    { question: removal, sent: ['closed', 403], expected: '403 sent 2' },
    { question: change, sent: ['closed', 409], expected: `200 ${JSON.stringify(stored)} looked ${path} sent 2` },
    { question: change, sent: ['closed', 422], expected: `200 ${JSON.stringify(stored)} looked ${path} sent 2` },
    { question: change, sent: [503, 410], seen: 404, expected: `503 looked ${path} sent 2` },
    { question: change, sent: ['closed', 400], expected: '400 sent 2' },
    {
      question: { ...change, path: `${path}/status` },
      sent: ['closed', 409],
      expected: `200 ${JSON.stringify(stored)} looked ${path} sent 2`,
    },
    {
      question: { ...change, path: `${path}/approval` },
      sent: ['closed', 409],
      expected: `200 ${JSON.stringify(stored)} looked ${path} sent 2`,
    },
    {
      question: { ...change, path: `${path}/scale` },
      sent: ['closed', 409],
      expected: `200 ${JSON.stringify(stored)} looked ${path}/scale sent 2`,
    },
    { question: { ...change, body: '[1]' }, sent: ['closed', 409], expected: 'closed sent 2' },
    {
      question: change,
      sent: ['closed', 409],
      there: { ...stored, data: { a: 'c' } },
      expected: `closed looked ${path} sent 2`,
    },
    { question: creation, sent: ['closed', 409], expected: `201 ${JSON.stringify(stored)} looked ${path} sent 2` },
    { question: creation, sent: ['closed', 409], seen: 404, expected: `closed looked ${path} sent 2` },
    {
      question: creation,
      sent: ['closed', 409],
      there: { ...stored, metadata: { ...metadata } },
      expected: `closed looked ${path} sent 2`,
    },
    {
      question: creation,
      sent: ['closed', 409],
      there: { ...stored, metadata: { name: 'jp-a', uid: 'u1' } },
      expected: `closed looked ${path} sent 2`,
    },
    {
      question: { ...creation, body: { ...body, metadata: { name: 'jp-a' } } },
      sent: ['closed', 409],
      expected: 'closed sent 2',
    },
    {
      question: { ...creation, body: { ...body, metadata: { generateName: 'jp-' } } },
      sent: ['closed', 201],
      expected: 'closed sent 1',
    },
    { question: generated, sent: ['closed'], there: { items: [named] }, expected: `201 ${made} looked ${all} sent 1` },
    ...[
      [],
      [named, { ...named, metadata: { ...named.metadata, name: 'jp-b', uid: 'u2' } }],
      [{ ...named, data: { a: 'c' } }],
      [{ ...named, metadata: { ...named.metadata, labels: { 'joinproof.io/run': 's' }, uid: 'u1' } }],
      [{ ...named, metadata: { ...metadata, generateName: 'jp-' } }],
    ].map((items) => ({
      ...{ question: generated, sent: ['closed', 202] as const, there: { items } },
      expected: `202 looked ${all} sent 2`,
    })),
    { question: generated, sent: ['closed', 202], seen: 403, expected: `202 looked ${all} sent 2` },
    { question: removal, sent: ['timeout', 'timeout', 200], expected: 'timeout sent 2' },
    { question: removal, sent: ['timeout', 200], expected: '200 sent 2' },
    { question: removal, sent: ['refused', 200], expected: 'refused sent 1' },
  ];
  const tried = async ({
    question,
    sent,
    there = stored,
    seen = 200,
    asAdmin = true,
    expected,
  }: Case): Promise<void> => {
    const left = [...sent];
    let count = 0;
    let looked = '';
    const outcome = await new LostAnswers()
      .send({
        question,
        asAdmin,
        signal: new AbortController().signal,
        send: async () => {
          count += 1;
          const next = left.shift();
          if (typeof next === 'number') return { status: next, headers: {}, text: '', body: undefined };
          throw new TargetUnreachable(String(next), next ?? 'other');
        },
        look: async (one) => {
          looked = ` looked ${one.path}`;
          return { status: seen, headers: {}, text: '', body: there };
        },
      })
      .then(
        ({ status, body: got }) => `${status}${got === undefined ? '' : ` ${JSON.stringify(got)}`}`,
        (error: Error) => error.message,
      );
    assert.equal(`${outcome}${looked} sent ${count}`, expected, JSON.stringify({ question, sent }));
  };
  await Promise.all(cases.map(tried));
});
