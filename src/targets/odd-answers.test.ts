/**
 * What is sent, and what becomes of answers that no sound API server gives: src/targets/recorded/answers.txt has, answer by answer, what
 * each way of asking makes of it, and how often it asked. Whoever takes a refusal for an object, half a list for a whole
 * one or a broken server for an opinion tells otherwise. `node dist/src/targets/odd-answers.test.js --write` writes it
 * anew.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { KubeObject } from '../kubernetes/objects.js';
import { resources } from '../kubernetes/resources.js';
import { testRecorded } from '../report/recorded.testing.js';
import { packageFile } from '../run/package-root.js';
import { RUN } from './fake-api.testing.js';
import { HttpTarget } from './http-target.js';
import { bodyOf, connectionTo, serve } from './local-server.testing.js';
import type { Answer } from './types.js';

const named = (name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', uid: 'u' },
});
const status = (code: number, reason: string, message?: string): object => ({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  reason,
  code,
  ...(message === undefined ? {} : { message }),
});
const list = (items: unknown, metadata: unknown = { resourceVersion: '1' }): object => ({
  kind: 'ConfigMapList',
  apiVersion: 'v1',
  metadata,
  items,
});
const two = [named('a'), named('b')];

const BODIES: Readonly<Record<string, unknown>> = {
  'the object': named('jp-abcde'),
  'a list': list(two),
  'a list without items': list(null),
  'a list of no objects': list([named('a'), 'b']),
  'a list with an item of another type': list([named('a'), { ...named('b'), data: 'none' }]),
  'a list whose items are none': list({ a: 1 }),
  'a Table': { kind: 'Table', rows: [] },
  'the object of another name': named('jp-other'),
  'an object of another kind': { ...named('jp-abcde'), kind: 'Secret' },
  'an object without a kind': { ...named('jp-abcde'), kind: undefined },
  'an object of another type': { ...named('jp-abcde'), data: { a: 1 } },
  'an object without metadata': { kind: 'ConfigMap', apiVersion: 'v1' },
  'a Status': status(0, 'Odd', 'so it is'),
  'a Status without a message': status(0, 'Odd'),
  'an empty object': {},
  'an array': [named('jp-abcde')],
  'a number': 7,
  nothing: '',
  'no JSON': 'so it is',
  'an HTML page': '<!doctype html><title>Login</title>',
};
const STATUSES = [200, 201, 203, 301, 401, 403, 404, 410, 422] as const;

/** What is said to the nth question of the object or the list; the others are answered as a sound server does. */
type Answers = (response: ServerResponse, nth: number, query: URLSearchParams) => void;
const say = (response: ServerResponse, code: number, body: unknown, headers: Record<string, string> = {}): void =>
  void response
    .writeHead(code, { 'content-type': typeof body === 'string' ? 'text/plain' : 'application/json', ...headers })
    .end(typeof body === 'string' ? body : JSON.stringify(body));
const later =
  (first: Answers, others: Answers): Answers =>
  (response, nth, query) =>
    (nth === 1 ? first : others)(response, nth, query);
const always =
  (code: number, body: unknown, headers?: Record<string, string>): Answers =>
  (response) =>
    say(response, code, body, headers);
const closed: Answers = (response) => void response.destroy();
/** As a sound server: a list where one is asked for, which is by pages. */
const sound: Answers = (response, _, query) => say(response, 200, query.has('limit') ? list(two) : named('jp-abcde'));
const halfway: Answers = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write(JSON.stringify(list(two)).slice(0, -9), () => response.destroy());
};
/** Pages of a list, by the token of each. */
const pages =
  (all: Readonly<Record<string, Answers>>): Answers =>
  (response, nth, query) =>
    (all[query.get('continue') ?? ''] ?? always(400, status(400, 'BadRequest', 'no such page')))(response, nth, query);
const page = (items: unknown, next?: unknown): Answers =>
  always(200, list(items, next === undefined ? {} : { continue: next }));
const expired = always(410, status(410, 'Expired', 'too old'));

const textHalfway: Answers = (response) => {
  response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '100' });
  response.write('so it is', () => response.destroy());
};
const cutOff: Answers = (response) =>
  say(response, 200, JSON.stringify(list(two)).slice(0, -9), { 'content-type': 'application/json' });
const GATEWAY = always(503, '<html>no server</html>');
const ODD: Readonly<Record<string, Answers>> = {
  'closed, always': closed,
  'closed, once': later(closed, sound),
  'closed halfway, once': later(halfway, sound),
  'closed halfway through a text, once': later(textHalfway, always(200, 'so it is, to its end')),
  'cut off, once': later(cutOff, sound),
  'cut off, always': cutOff,
  'broken, once': later(GATEWAY, sound),
  '500, always': always(500, status(500, 'InternalError', 'it broke')),
  '504 once, then the object': later(always(504, ''), sound),
  'busy, always': always(429, status(429, 'TooManyRequests', 'later'), { 'retry-after': '0' }),
  'busy, for longer than is waited': always(429, status(429, 'TooManyRequests', 'later'), { 'retry-after': '11' }),
  'busy, once': later(always(429, '', { 'retry-after': '0' }), sound),
  'busy until a day that is over': later(always(429, '', { 'retry-after': 'Wed, 25 Nov 2020 12:00:00 GMT' }), sound),
  'a redirect': always(302, '', { location: 'https://192.0.2.1/login' }),
  'two pages': pages({ '': page([named('a')], 'x'), x: page([named('b')]) }),
  'a last page without items': pages({ '': page([named('a')], 'x'), x: page(null) }),
  'a first page without items': pages({ '': page([], 'x'), x: page([named('b')]) }),
  'a page that names itself': pages({ '': page([named('a')], 'x'), x: page([named('b')], 'x') }),
  'a page that names none by a number': pages({ '': page([named('a')], 7) }),
  'a second page that is none': pages({ '': page([named('a')], 'x'), x: always(200, named('b')) }),
  'a second page that is refused': pages({
    '': page([named('a')], 'x'),
    x: always(403, status(403, 'Forbidden', 'no')),
  }),
  'a second page that is not found': pages({
    '': page([named('a')], 'x'),
    x: always(404, status(404, 'NotFound', 'no')),
  }),
  'a second page that is too old, once': pages({
    '': (response, nth) => page([named(`of-${nth}`)], nth === 1 ? 'old' : 'x')(response, nth, new URLSearchParams()),
    old: expired,
    x: page([named('b')]),
  }),
  'a second page that is too old, always': pages({ '': page([named('a')], 'x'), x: expired }),
  'a first page that is too old': expired,
  'a second page that is closed, once': pages({
    '': page([named('a')], 'x'),
    x: (response, nth) => (nth === 2 ? halfway : page([named('b')]))(response, nth, new URLSearchParams()),
  }),
  'a token that is too long': pages({ '': page([named('a')], 'x'.repeat(8_193)) }),
  'pages without items, one after the other': (response, _, query) =>
    page([], `${Number(query.get('continue') ?? 0) + 1}`)(response, 1, query),
};
const names = (all: readonly KubeObject[]): string => all.map(({ metadata }) => metadata?.name).join(' ');
/** Of every status each body, without what is asked again. */
const PLAIN = STATUSES.flatMap((code) =>
  Object.entries(BODIES).map(([what, body]) => [`${code}, ${what}`, always(code, body)] as const),
);

const brief = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
const answered = ({ status: code, body, text }: Answer): string =>
  `${code}, ${body === undefined ? `no JSON, ${brief(text)}` : brief(JSON.stringify(body))}`;

/** Ways of asking, and what each makes of the answer. */
const WAYS: Readonly<Record<string, (target: HttpTarget) => Promise<string>>> = {
  get: async ({ admin }) => {
    const found = await admin.get<KubeObject>(resources.configMaps, 'jp-abcde', 'default');
    return found === undefined ? 'absent' : brief(JSON.stringify(found));
  },
  list: async ({ admin }) => `[${names(await admin.list(resources.configMaps, { namespace: 'default' }))}]`,
  ask: async ({ admin }) => answered(await admin.ask({ path: OBJECT })),
  'ask, expecting that': async ({ admin }) => answered(await admin.ask({ path: OBJECT, expects: () => true })),
  create: async ({ admin }) => names([await admin.create(resources.configMaps, named('jp-abcde'))]),
};
const COLLECTION = '/api/v1/namespaces/default/configmaps';
const OBJECT = `${COLLECTION}/jp-abcde`;

/** Who asks what, of which all that is sent is recorded. */
const SENT: Readonly<Record<string, (target: HttpTarget) => Promise<unknown>>> = {
  'of nobody': (target) => target.as({ kind: 'anonymous' }).ask({ path: OBJECT }),
  'of a bearer': (target) => target.as({ kind: 'token', token: 'abcdef.0123456789abcdef' }).ask({ path: OBJECT }),
  'with no Authorization': (target) => target.as({ kind: 'header', authorization: [] }).ask({ path: OBJECT }),
  'with an odd Authorization': (target) =>
    target.as({ kind: 'header', authorization: ['Bearer'] }).ask({ path: OBJECT }),
  'with two': (target) =>
    target.as({ kind: 'header', authorization: ['Bearer of-one', 'Basic b2Y6dHdv'] }).ask({ path: OBJECT }),
  'with headers, some of them twice': ({ admin }) =>
    admin.ask({ path: OBJECT, headers: { Accept: 'a/b', 'Impersonate-Group': ['one', 'two'] } }),
  'with a query': ({ admin }) =>
    admin.ask({ path: OBJECT, query: { dryRun: 'All', fieldSelector: 'a=b,c!=d', of: ['1', '2'] } }),
  'with a body': ({ admin }) => admin.ask({ method: 'PUT', path: OBJECT, body: named('jp-abcde') }),
  'with a text': ({ admin }) =>
    admin.ask({ method: 'PUT', path: OBJECT, body: '{"a":', contentType: 'application/yaml' }),
  'of a list': ({ admin }) => admin.list(resources.configMaps),
  'of a list of a namespace': ({ admin }) => admin.list(resources.configMaps, { namespace: 'default' }),
  'of a list of some': ({ admin }) => admin.list(resources.configMaps, { labelSelector: 'a=b', fieldSelector: 'c=d' }),
  'of a creation': ({ admin }) => admin.create(resources.configMaps, named('jp-abcde')),
  'of a creation for the sake of its answer': ({ admin }) =>
    admin.create(resources.configMaps, named('jp-abcde'), { dryRun: 'All' }),
  ...Object.fromEntries(
    (['merge', 'json', 'strategic'] as const).map((type) => [
      `of a ${type} patch`,
      ({ admin }: HttpTarget) => admin.patch(resources.configMaps, 'jp-abcde', 'default', { a: 1 }, { type }),
    ]),
  ),
  'of a patch of a part': ({ admin }) =>
    admin.patch(resources.nodes, 'jp-abcde', undefined, '{"status":1}', { subresource: 'status' }),
  'of a deletion': ({ admin }) => admin.delete(resources.configMaps, 'jp-abcde', 'default'),
};
/** Neither where it goes nor when. */
const sentIn = ({ method, url, rawHeaders }: IncomingMessage, body: string): string => {
  const names = rawHeaders.filter((_, at) => at % 2 === 0);
  const headers = names.flatMap((name, at) =>
    ['host', 'connection', 'user-agent'].includes(name.toLowerCase()) ? [] : [`${name}: ${rawHeaders[2 * at + 1]}`],
  );
  return [`${method} ${url}`, ...headers, body.replace(/\d{4}-\d\d-\d\dT[^"]*/g, '…')].join(' | ');
};

let of: Answers = () => {};
const sent: string[] = [];
let asked = 0;
const server = await serve(
  async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://x');
    sent.push(sentIn(request, await bodyOf(request)));
    if (url.pathname === '/version') say(response, 200, { major: '1', minor: '36', gitVersion: 'v1.36.0' });
    else of(response, ++asked, url.searchParams);
  },
  { plain: true },
);
const DISPOSABLE = { disposable: true } as const;
const OF_OTHERS = { readOnly: 'it is read only' } as const;
/** It has answered before, so that it is known to be there. */
async function open(whose: typeof DISPOSABLE | typeof OF_OTHERS): Promise<HttpTarget> {
  const connection = connectionTo(server);
  const target = new HttpTarget({
    kind: 'cluster',
    connection,
    signal: AbortSignal.timeout(120_000),
    run: RUN,
    ...whose,
  });
  await target.admin.ask({ path: '/version' });
  return target;
}
async function outcome(way: string, target: HttpTarget): Promise<string> {
  asked = 0;
  const said = await WAYS[way]?.(target).catch((error: unknown) =>
    error instanceof Error ? `${error.name}: ${error.message}` : String(error),
  );
  return `${asked === 1 ? '' : `asked ${asked} times: `}${said?.replaceAll(server.url, '…')}`;
}

const lines: string[] = [];
const [ours, theirs] = [await open(DISPOSABLE), await open(OF_OTHERS)];
try {
  // how long one goes on asking follows from what it was answered before
  for (const [what, answers] of Object.entries(ODD)) {
    of = answers;
    lines.push(what);
    for (const way of what.endsWith('always') ? ['get'] : Object.keys(WAYS)) {
      const fresh = await open(DISPOSABLE);
      lines.push(`  ${way}: ${await outcome(way, fresh)}`);
      await fresh.close();
    }
  }
  for (const [what, answers] of PLAIN) {
    of = answers;
    lines.push(what);
    for (const way of ['get', 'list', 'ask', 'create']) lines.push(`  ${way}: ${await outcome(way, ours)}`);
    // a cluster that is not ours may forbid to read
    lines.push(`  get, of others: ${await outcome('get', theirs)}`);
  }
  for (const [what, asks] of Object.entries(SENT)) {
    const there = what.endsWith('of a part') ? { ...named('jp-abcde'), kind: 'Node' } : named('jp-abcde');
    of = (response, _, query) => say(response, 200, query.has('limit') ? list([]) : there);
    sent.length = 0;
    await asks(ours).catch((error: unknown) => sent.push(String(error)));
    lines.push(`what is sent ${what}`, ...sent.map((one) => `  ${one}`));
  }
} finally {
  await Promise.all([ours.close(), theirs.close()]);
  await server.close();
}
testRecorded(
  'what becomes of odd answers',
  packageFile('src/targets/recorded'),
  new Map([['answers.txt', `${lines.join('\n').replaceAll(`:${server.port}`, ':…')}\n`]]),
);
