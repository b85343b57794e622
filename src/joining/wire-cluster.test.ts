import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { WireAnswer, WireQuestion } from '../kubernetes/wire.js';
import { Calls } from './calls.js';
import { type JoiningDecisions, joiningDecisions } from './decisions/index.js';
import type { Identity, Question } from './ports.js';
import { clusterOver } from './wire-cluster.js';

const said = (status: number, body = '', headers: Readonly<Record<string, string>> = {}): WireAnswer => ({
  kind: 'answer',
  status,
  headers,
  body: Buffer.from(body),
});
const TOKEN: Identity = { kind: 'token', token: 'a.b' };
const TRUST = { caPem: 'ca' };

/** What goes over a wire that answers so, one after the other. */
function world(...answers: readonly WireAnswer[]) {
  return deciding(joiningDecisions, ...answers);
}

function deciding(decisions: JoiningDecisions, ...answers: readonly WireAnswer[]) {
  const left = [...answers];
  const asked: WireQuestion[] = [];
  const slept: number[] = [];
  let now = 0;
  const clock = {
    now: () => now,
    sleep: async (milliseconds: number) => {
      slept.push(milliseconds);
      now += milliseconds;
    },
  };
  const wire = {
    exchange: async (question: WireQuestion) => {
      asked.push(question);
      return (left.length > 1 ? left.shift() : left[0]) ?? said(200);
    },
  };
  const cluster = clusterOver(new Calls({ wire, clock }, decisions), clock, {
    server: 'https://192.0.2.1:6443/a',
    trust: TRUST,
    token: 'not this one',
  });
  const ask = (question: Question, identity = TOKEN) => cluster.as(identity).ask(question);
  return { cluster, asked, slept, ask };
}

describe('a cluster over the wire', () => {
  it('is asked for a path, with its query', async () => {
    const { asked, ask, cluster } = world();
    await ask({ path: '/b' });
    await ask({ path: '/b', query: { c: 'd e', f: ['g', 'h'] } });
    assert.deepEqual(
      asked.map(({ url }) => url),
      ['https://192.0.2.1:6443/a/b?timeout=10s', 'https://192.0.2.1:6443/a/b?c=d+e&f=g&f=h&timeout=10s'],
    );
    assert.equal(cluster.server, 'https://192.0.2.1:6443/a');
  });

  it('is asked as whoever is named, and believed as is told', async () => {
    const { asked, ask } = world();
    await ask({ path: '/b' });
    await ask({ method: 'POST', path: '/b', body: { c: 1 } }, { kind: 'certificate', certificate: 'c', key: 'k' });
    await ask({ method: 'PATCH', path: '/b', body: [], contentType: 'application/json-patch+json' });
    const common = { trust: TRUST, within: 10_000, largest: joiningDecisions.largestAnswer() };
    const url = 'https://192.0.2.1:6443/a/b?timeout=10s';
    const accept = { accept: 'application/json' };
    assert.deepEqual(asked, [
      { ...common, url, method: 'GET', headers: { ...accept, authorization: 'Bearer a.b' } },
      {
        ...common,
        url,
        method: 'POST',
        headers: { ...accept, 'content-type': 'application/json' },
        body: '{"c":1}',
        certificate: { certificate: 'c', key: 'k' },
      },
      {
        ...common,
        url,
        method: 'PATCH',
        headers: { ...accept, 'content-type': 'application/json-patch+json', authorization: 'Bearer a.b' },
        body: '[]',
      },
    ]);
  });

  it('answers with what came, parsed where it is JSON', async () => {
    const tries: readonly (readonly [WireAnswer, number, string, unknown])[] = [
      [said(201, '{"a":1}', { b: 'c' }), 201, '{"a":1}', { a: 1 }],
      [said(403, 'no'), 403, 'no', undefined],
    ];
    for (const [given, status, text, body] of tries) {
      const answer = await world(given).ask({ path: '/b' });
      assert.deepEqual([answer.status, answer.text, answer.body], [status, text, body]);
    }
    assert.deepEqual((await world(said(200, '', { b: 'c' })).ask({ path: '/b' })).headers, { b: 'c' });
  });

  it('answers with 0 and the reason where nothing came', async () => {
    const { ask } = world({ kind: 'failure', failure: { cause: 'refused' } });
    const { status, text, body } = await ask({ path: '/b' });
    assert.deepEqual([status, body], [0, undefined]);
    assert.match(text, /connection refused/);
  });
});

describe('a call', () => {
  const redirect = (location: string, status = 302): WireAnswer => said(status, '', { location });

  it('follows where it is sent, as long as it only reads', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const { asked, ask } = world(redirect('/c', status), said(200, '{}'));
      assert.equal((await ask({ path: '/b' })).status, 200);
      assert.equal(asked[1]?.url, 'https://192.0.2.1:6443/c');
    }
    for (const given of [redirect('/c', 304), said(302)]) {
      const { asked, ask } = world(given);
      await ask({ path: '/b' });
      assert.equal(asked.length, 1);
    }
    const { asked, ask } = world(redirect('/c'));
    assert.equal((await ask({ method: 'POST', path: '/b', body: {} })).status, 302);
    assert.equal(asked.length, 1);
  });

  it('tells its token wherever it is sent, as client-go does, or where its decisions say', async () => {
    const elsewhere = [redirect('https://other.example/c'), said(200, '{}')] as const;
    const own = { ...joiningDecisions, redirectsCredentials: () => false };
    for (const [decisions, then] of [
      [joiningDecisions, 'Bearer a.b'],
      [own, undefined],
    ] as const) {
      const { asked, ask } = deciding(decisions, ...elsewhere);
      await ask({ path: '/b' });
      const told = asked.map(({ headers }) => headers.authorization);
      assert.deepEqual(told, ['Bearer a.b', then]);
    }
  });

  it('ends where it is sent round and round, or nowhere', async () => {
    const { asked, ask } = world(redirect('/c'));
    assert.match((await ask({ path: '/b' })).text, /stopped after 10 redirects$/);
    assert.equal(asked.length, 10);
    assert.match((await world(redirect('http://[')).ask({ path: '/b' })).text, /failed to parse Location header/);
  });

  it('is made again where it is told when, and not without an end', async () => {
    const busy = said(429, '', { 'retry-after': '1' });
    const { asked, slept, ask } = world(busy, busy, said(200, '{}'));
    assert.equal((await ask({ path: '/b' })).status, 200);
    assert.deepEqual([asked.length, slept], [3, [1000, 1000]]);
    assert.deepEqual(
      asked.map(({ within }) => within),
      [10_000, 9000, 8000],
    );
    const never = world(busy);
    const { status, text } = await never.ask({ path: '/b' });
    assert.ok(status === 429 || /rate limiter/.test(text));
    assert.ok(never.asked.length <= 11);
  });
});
