import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { mock, test } from 'node:test';
import { TargetUnreachable, type Unreachable } from './errors.js';
import { connectionTo, type LocalServer, serve } from './local-server.testing.js';
import { pause } from './pause.js';
import { Retries, type Sending, type Trying } from './retries.js';
import type { Transport } from './transport.js';
import { kept, never, question, transport } from './transport.testing.js';

const to = (server: LocalServer): Transport => transport(connectionTo(server));
const admin = { kind: 'admin' } as const;

/** Answers the n-th request (from 1) as `answers` says. */
async function nth(
  answers: (n: number, request: IncomingMessage, response: ServerResponse) => void,
): Promise<LocalServer & { asked(): number }> {
  let asked = 0;
  const server = kept(
    await serve((request, response) => {
      asked += 1;
      answers(asked, request, response);
    }),
  );
  return { ...server, asked: () => asked };
}

test('429 is waited out for every method, with and without Retry-After; one that is too long is an answer', async () => {
  let header: Record<string, string> = { 'retry-after': '0' };
  const busy = await nth((n, _request, response) => {
    response.writeHead(n % 3 === 0 ? 201 : 429, header).end();
  });
  const one = to(busy);
  assert.equal((await one.send(admin, question({ method: 'POST', body: '{}' }), never)).status, 201);
  assert.equal(busy.asked(), 3);
  header = {};
  assert.equal((await one.send(admin, question({ method: 'DELETE' }), never)).status, 201);
  assert.equal(busy.asked(), 6);
  header = { 'retry-after': '3600' };
  assert.equal((await one.send(admin, question(), never)).status, 429);
  assert.equal(busy.asked(), 7);
});

test('5xx and JSON that is cut off are asked for again where that changes nothing, and not elsewhere', async () => {
  const broken = await nth((n, _request, response) => {
    if (n % 3 === 1) response.writeHead(503).end();
    else {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(n % 3 === 2 ? '{"kind":"Ver' : '{"kind":"Version"}');
    }
  });
  const one = to(broken);
  const answer = await one.send(admin, question(), never);
  assert.deepEqual(answer.body, { kind: 'Version' });
  assert.equal(answer.resent, true, 'how long that took says nothing of the server');
  assert.equal(broken.asked(), 3);
  assert.equal((await one.send(admin, question({ method: 'POST', body: '{}' }), never)).status, 503);
  assert.equal(broken.asked(), 4);
});

test('a server that stays busy or broken is not waited for at every request', async () => {
  const broken = await nth((_n, _request, response) => {
    response.writeHead(500).end();
  });
  const one = to(broken);
  await Promise.all([1, 2, 3].map(() => one.send(admin, question(), never)));
  const before = broken.asked();
  for (const _turn of [1, 2, 3]) assert.equal((await one.send(admin, question(), never)).status, 500);
  assert.equal(broken.asked(), before + 3);
});

test('a truncated body of a safe request is asked for again', async () => {
  const flaky = await nth((n, request, response) => {
    if (n > 2) response.end('{"kind":"Version"}');
    else {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '18' });
      response.write('{"kind":');
      setTimeout(() => request.socket.destroy(), 5);
    }
  });
  assert.deepEqual((await to(flaky).send(admin, question(), never)).body, { kind: 'Version' });
  assert.equal(flaky.asked(), 3);
});

test('a server that is started again is waited for, one that stays away is gone for every later request', async () => {
  const first = await serve((_request, response) => response.end('{}'));
  const one = to(first);
  const asking = question({ method: 'POST', body: '{}' });
  await one.send(admin, asking, never);
  await first.close();
  const later = one.send(admin, asking, never);
  await pause(500, never);
  const again = await serve((_request, response) => response.end('{}'), { port: first.port, ca: first.ca });
  assert.equal((await later).status, 200);
  await again.close();
  const failures = await Promise.allSettled([1, 2, 3, 4, 5].map(() => one.send(admin, asking, never)));
  assert.ok(failures.every(({ status }) => status === 'rejected'));
  assert.ok(one.gone.aborted);
  await assert.rejects(one.send(admin, asking, never), (error) => {
    assert.ok(error instanceof TargetUnreachable && error.why === 'refused');
    assert.match(error.message, /refused.*There has been no answer for 8 s, so it is not asked any more\.$/);
    return true;
  });
});

test('of a watch the first event is read, and a status that is expected is an answer', async () => {
  const server = await nth((_n, request, response) => {
    const watch = request.url?.includes('watch=') === true;
    response.writeHead(watch ? 200 : 500, { 'content-type': 'application/json' });
    response.end(watch ? '{"type":"ADDED"}\n{"type":"MODIFIED"}\n' : '{}');
  });
  const one = to(server);
  const watch = await one.send(admin, question({ path: '/api/v1/configmaps?watch=1' }), never);
  assert.deepEqual([watch.status, watch.body], [200, { type: 'ADDED' }]);
  assert.equal((await one.send(admin, question({ expects: ({ status }) => status === 500 }), never)).status, 500);
  assert.equal(server.asked(), 2);
});

test('many requests at a time under one signal are nothing that Node warns of', async () => {
  const warned: string[] = [];
  const hear = ({ name }: Error): void => void warned.push(name);
  process.on('warning', hear);
  try {
    const slow = await nth((_n, _request, response) => setTimeout(() => response.end(), 20));
    const one = to(slow);
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 16 }, () => one.send(admin, question(), signal)));
    await pause(1, signal);
    assert.deepEqual(warned, []);
  } finally {
    process.off('warning', hear);
  }
});

test('what says nothing of whether a server is there never makes it gone', () => {
  let time = 0;
  const asking: Trying = { attempt: 6, since: 0, repeatable: true, expects: undefined };
  const answered: Sending = { answer: { status: 200, headers: {}, text: '', body: undefined } };
  const failing = (why: Unreachable): Sending => ({ failure: new TargetUnreachable('no', why) });
  const isGoneAfter = (whys: readonly Unreachable[]): boolean => {
    const retries = new Retries(() => time);
    assert.equal(retries.next(answered, asking), undefined);
    time += 9_000;
    for (const why of whys) retries.next(failing(why), asking);
    return retries.gone.aborted;
  };
  const times = (count: number, why: Unreachable): Unreachable[] => Array<Unreachable>(count).fill(why);
  for (const why of ['too-large', 'aborted'] as const) assert.ok(!isGoneAfter(times(20, why)), why);
  for (const why of ['timeout', 'closed', 'refused', 'dns', 'network'] as const) {
    assert.ok(!isGoneAfter(times(4, why)), why);
    assert.ok(isGoneAfter(times(5, why)), why);
  }
  assert.ok(!isGoneAfter([...times(4, 'timeout'), ...times(4, 'too-large')]));
});

test('a server that answers in between, or was silent for a moment only, is there', () => {
  let time = 0;
  const asking: Trying = { attempt: 6, since: 0, repeatable: true, expects: undefined };
  const answered: Sending = { answer: { status: 500, headers: {}, text: '', body: undefined } };
  const failed: Sending = { failure: new TargetUnreachable('no', 'timeout') };
  const retries = new Retries(() => time);
  const silent = (milliseconds: number, failures: number): boolean => {
    time += milliseconds;
    for (let one = 0; one < failures; one += 1) retries.next(failed, asking);
    return retries.gone.aborted;
  };
  assert.ok(!silent(60_000, 20), 'it has never answered: it may be another one altogether');
  retries.next(answered, asking);
  assert.ok(!silent(7_999, 20));
  retries.next(answered, asking);
  assert.ok(!silent(9_000, 4));
  retries.next(answered, asking);
  assert.ok(!silent(9_000, 4));
  assert.ok(silent(0, 1));
});

test('what a busy server asks for is waited, in seconds or up to a date, and no longer than ten seconds', () => {
  const now = Date.parse('2026-01-31T12:00:00Z');
  mock.timers.enable({ apis: ['Date'], now });
  try {
    const wait = (headers: Record<string, string | readonly string[]>, attempt = 1): number | undefined => {
      const trying: Trying = { attempt, since: 0, repeatable: false, expects: undefined };
      return new Retries(() => 0).next({ answer: { status: 429, headers, text: '', body: undefined } }, trying);
    };
    for (const [after, expected] of [
      ['0', 0],
      ['3', 3_000],
      ['10', 10_000],
      ['11', undefined],
      [new Date(now + 4_000).toUTCString(), 4_000],
      [new Date(now - 4_000).toUTCString(), 0],
      [new Date(now + 10_000).toUTCString(), 10_000],
      [new Date(now + 11_000).toUTCString(), undefined],
    ] as const)
      assert.equal(wait({ 'retry-after': after }), expected, after);
    const backsOff = (given: number | undefined, attempt: number): void => {
      const around = Math.min(1000, 25 * 2 ** attempt);
      assert.ok(given !== undefined && given >= 0.75 * around && given <= 1.25 * around, `${attempt}: ${given}`);
    };
    for (const headers of [{}, { 'retry-after': 'soon' }, { 'retry-after': '-1x' }, { 'retry-after': ['1', '2'] }])
      for (const attempt of [1, 3, 5, 6, 10]) backsOff(wait(headers, attempt), attempt);
  } finally {
    mock.timers.reset();
  }
});

test('how often a request is sent again is told by what became of it', () => {
  const statuses = (status: number): Sending => ({ answer: { status, headers: {}, text: '', body: undefined } });
  const failing = (why: Unreachable): Sending => ({ failure: new TargetUnreachable('no', why) });
  /** Sendings of one request, each of which comes to the same, a millisecond after the other. */
  const sendings = (sending: Sending, more: Partial<Trying> = {}, before?: Sending, each = 1): number => {
    let time = 1_000;
    const retries = new Retries(() => time);
    const trying = { since: 1_000, repeatable: true, expects: undefined, ...more };
    if (before !== undefined) retries.next(before, { ...trying, attempt: 1 });
    for (let attempt = 1; ; attempt += 1) {
      if (retries.next(sending, { ...trying, attempt }) === undefined) return attempt;
      time += each;
    }
  };
  const well = statuses(200);
  assert.equal(sendings(well), 1);
  for (const status of [200, 301, 404, 409, 499]) assert.equal(sendings(statuses(status)), 1, String(status));
  for (const status of [500, 503, 599]) {
    assert.equal(sendings(statuses(status)), 6, String(status));
    assert.equal(sendings(statuses(status), { repeatable: false }), 1);
    assert.equal(sendings(statuses(status), { expects: (answer) => answer.status === status }), 1);
    assert.equal(sendings(statuses(status), { expects: () => false }), 6);
  }
  for (const repeatable of [true, false]) {
    assert.equal(sendings(statuses(429), { repeatable }), 20);
    assert.equal(sendings(statuses(429), { repeatable }, undefined, 10_000), 4, 'thirty seconds for all of them');
  }
  assert.equal(sendings(failing('closed')), 4);
  assert.equal(sendings(failing('closed'), {}, well), 6);
  assert.equal(sendings(failing('closed'), { repeatable: false }, well), 1);
  for (const why of ['refused', 'dns', 'network'] as const) {
    assert.equal(sendings(failing(why)), 1, 'it may be another one altogether');
    for (const repeatable of [true, false]) assert.equal(sendings(failing(why), { repeatable }, well, 250), 33);
  }
  for (const why of ['timeout', 'too-large', 'tls-expired', 'aborted', 'other'] as const)
    assert.equal(sendings(failing(why), {}, well), 1, why);
});

test('after three requests that stayed busy or broken nothing is waited out, until one is answered', () => {
  const statuses = (status: number): Sending => ({ answer: { status, headers: {}, text: '', body: undefined } });
  const retries = new Retries(() => 0);
  const sendings = (status: number): number => {
    for (let attempt = 1; ; attempt += 1) {
      const wait = retries.next(statuses(status), { attempt, since: 0, repeatable: true, expects: undefined });
      if (wait === undefined) return attempt;
    }
  };
  assert.deepEqual([503, 429, 500, 503, 429, 200, 503].map(sendings), [6, 20, 6, 1, 1, 1, 6]);
});
