/** What a real API server (1.36.1) answers to requests that few clients make: names, selectors, options, causes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { record } from '../../kubernetes/json.js';
import { definitions } from '../resources/index.js';
import { fixture } from './fixture.js';

const MAPS = '/api/v1/namespaces/default/configmaps';
const ROLES = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles';
const BINDINGS = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings';
const MERGE = { 'content-type': 'application/merge-patch+json' };

type Answered = Readonly<Record<string, unknown>>;

function server() {
  const { ask } = fixture({ definitions: definitions() });
  const json = (...request: Parameters<typeof ask>): Answered => ask(...request).json as unknown as Answered;
  const made = (path: string, body: object): void => {
    const { code, text } = ask('POST', path, body);
    assert.equal(code, 201, text);
  };
  return { ask, json, made };
}

const fieldsOf = ({ details }: Answered): readonly string[] =>
  (details as { readonly causes: readonly { readonly field: string }[] }).causes.map(({ field }) => field);

test('a name that no path can hold is refused before it is looked for, by every method', () => {
  const { ask, json } = server();
  const apply = { 'content-type': 'application/apply-patch+yaml' };
  for (const [name, why] of [
    ['a%25b', `"a%b": may not contain '%'`],
    ['.', `".": may not be '.'`],
    ['..', `"..": may not be '..'`],
  ] as const)
    for (const answer of [
      json('GET', `${MAPS}/${name}`),
      json('DELETE', `${MAPS}/${name}`),
      json('PATCH', `${MAPS}/${name}`, {}, MERGE),
      json('PATCH', `${MAPS}/${name}?fieldManager=m`, { apiVersion: 'v1', kind: 'ConfigMap' }, apply),
      json('PUT', `${MAPS}/${name}`, { metadata: { name: decodeURIComponent(name) } }),
    ])
      assert.deepEqual(
        [answer.code, answer.reason, answer.message],
        [400, 'BadRequest', `Name parameter invalid: ${why}`],
      );
  assert.equal(ask('GET', `${MAPS}/...`).code, 404);
});

test('a group has a name, and so has a document', () => {
  const { ask } = server();
  assert.equal(ask('GET', '/apis/').code, 200);
  for (const path of ['/apis//', '/apis//v1', '/apis//v1/configmaps', '/apis//v1/namespaces/default/configmaps'])
    assert.equal(ask('GET', path).text, '404 page not found\n', path);
  const { code, text } = ask('GET', '/openapi/v3/');
  assert.deepEqual([code, text], [404, '']);
  assert.equal(ask('GET', '/openapi/v3').code, 200);
});

test('what lies in namespaces is in none that has no name: it is listed, and nothing else is done with it', () => {
  const { ask, json, made } = server();
  made(MAPS, { metadata: { name: 'a' } });
  const nowhere = MAPS.replace('default', '');
  for (const answer of [
    json('GET', `${nowhere}/a`),
    json('DELETE', `${nowhere}/a`),
    json('PATCH', `${nowhere}/a`, {}, MERGE),
    json('DELETE', nowhere),
  ])
    assert.deepEqual(
      [answer.code, answer.reason, answer.message],
      [400, 'BadRequest', 'Namespace parameter required.'],
    );
  assert.equal(ask('GET', nowhere).code, 200);
  assert.equal(ask('GET', `${MAPS}/a`).code, 200);
});

test('a subresource of nothing wants a name, where there is such a subresource and such a method', () => {
  const { json } = server();
  for (const [method, path, code, message] of [
    ['GET', '/api/v1/nodes//proxy', 400, 'name must be provided'],
    ['GET', '/api/v1/nodes//status', 400, 'name must be provided'],
    ['PUT', '/api/v1/nodes//status', 400, 'name must be provided'],
    ['POST', '/api/v1/namespaces/default/serviceaccounts//token', 400, 'name must be provided'],
    ['DELETE', '/api/v1/nodes//status', 405, 'the server does not allow this method on the requested resource'],
    ['GET', '/api/v1/nodes//nope', 404, 'the server could not find the requested resource'],
  ] as const) {
    const answer = json(method, path, method === 'GET' || method === 'DELETE' ? undefined : {});
    assert.deepEqual([answer.code, answer.message], [code, message], `${method} ${path}`);
  }
});

test('owners that are named twice with all they say are kept once, with a warning that tells when it was seen', () => {
  const { ask, made } = server();
  const owner = (more: object = {}): object => ({ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u', ...more });
  const named = (name: string, ownerReferences: readonly object[]): object => ({ metadata: { name, ownerReferences } });
  const kept = ({ code, headers, json }: ReturnType<typeof ask>): readonly unknown[] => [
    code,
    String(headers.Warning ?? '')
      .match(/entries(.*?); API.*observed: (.*)"$/)
      ?.slice(1),
    (json.metadata?.ownerReferences as readonly unknown[] | undefined)?.length,
  ];
  const twice = [owner(), owner(), owner({ controller: true }), owner()];
  assert.deepEqual(kept(ask('POST', MAPS, named('a', twice))), [201, ['', 'u, u'], 2]);
  assert.deepEqual(kept(ask('PUT', `${MAPS}/a`, named('a', twice))), [200, ['', 'u, u'], 2]);
  assert.deepEqual(kept(ask('PATCH', `${MAPS}/a`, named('a', twice), MERGE)), [
    200,
    [' after mutating admission happens', 'u, u'],
    2,
  ]);
  assert.deepEqual(kept(ask('PUT', `${MAPS}/a`, named('a', twice.slice(1, 3)))), [200, undefined, 2]);
  made(MAPS, named('once', [owner()]));
  const missing = '/api/v1/namespaces/default/serviceaccounts/c';
  assert.deepEqual(kept(ask('PUT', missing, named('c', twice))), [404, ['', 'u, u'], undefined]);
});

test('what is not there has no UID to be held against, but until 1.33', () => {
  const missing = '/api/v1/namespaces/default/serviceaccounts/c';
  const put = (minor: number, metadata: object): number =>
    fixture({ definitions: definitions(), minor }).ask('PUT', missing, { metadata: { name: 'c', ...metadata } }).code;
  assert.deepEqual(
    [33, 34].map((minor) => [put(minor, { uid: 'u' }), put(minor, {})]),
    [
      [409, 404],
      [404, 404],
    ],
  );
});

test('what an update makes keeps that it is being deleted, which a creation does not', () => {
  const { ask } = server();
  const deletion = { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 5 };
  const role = (name: string): object => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name, uid: undefined, ...deletion, creationTimestamp: '2020-01-01T00:00:00Z' },
  });
  const apply = { 'content-type': 'application/apply-patch+yaml' };
  for (const [answer, kept] of [
    [ask('POST', ROLES, role('a')), false],
    [ask('PUT', `${ROLES}/b`, role('b')), true],
    [ask('PATCH', `${ROLES}/c?fieldManager=m`, role('c'), apply), true],
  ] as const) {
    const { deletionTimestamp, deletionGracePeriodSeconds, creationTimestamp } = record(answer.json.metadata);
    assert.deepEqual(
      [answer.code, deletionTimestamp, deletionGracePeriodSeconds, String(creationTimestamp).slice(0, 4)],
      [201, kept ? '2026-01-01T00:00:00Z' : undefined, kept ? 5 : undefined, '2026'],
    );
  }
});

test('a term of a field selector without both sides says nothing, and the first fault is that of the first term', () => {
  const { ask, json, made } = server();
  for (const name of ['a', 'b']) made(MAPS, { metadata: { name } });
  const names = (selector: string): readonly (string | undefined)[] =>
    (
      ask('GET', `${MAPS}?fieldSelector=${encodeURIComponent(selector)}`).json as unknown as {
        readonly items: readonly { readonly metadata: { readonly name?: string } }[];
      }
    ).items.map(({ metadata }) => metadata.name);
  for (const selector of ['=', '!=', '==', '=,,!=']) assert.deepEqual(names(selector), ['a', 'b'], selector);
  assert.deepEqual(names('=,metadata.name=b'), ['b']);
  const { message } = json('GET', `${MAPS}?fieldSelector=zz,yy`);
  assert.match(String(message), /can't understand 'yy'$/);
});

test('the query of a deletion may hold preconditions, which a body replaces', () => {
  const { ask, json, made } = server();
  made(MAPS, { metadata: { name: 'a' } });
  const { uid, resourceVersion } = json('GET', `${MAPS}/a`).metadata as Record<string, string>;
  for (const query of ['uid=x', `uid=x&resourceVersion=${resourceVersion}`, 'resourceVersion=1'])
    assert.equal(ask('DELETE', `${MAPS}/a?${query}`).code, 409, query);
  assert.equal(ask('DELETE', `${MAPS}/a?uid=&resourceVersion=&dryRun=All`).code, 200);
  assert.equal(ask('DELETE', `${MAPS}/a?uid=x`, { dryRun: ['All'] }).code, 200);
  assert.equal(ask('DELETE', `${MAPS}/a?uid=${uid}&resourceVersion=${resourceVersion}`).code, 200);
  assert.equal(ask('GET', `${MAPS}/a`).code, 404);
});

test('the deletion of a collection answers with the list as it was before', () => {
  const { json, made } = server();
  made(MAPS, { metadata: { name: 'gone' } });
  made(MAPS, { metadata: { name: 'held', finalizers: ['example.com/hold'] } });
  const before = json('GET', MAPS);
  const answer = json('DELETE', MAPS);
  assert.deepEqual(answer.items, before.items);
  assert.deepEqual(
    (json('GET', MAPS).items as readonly { readonly metadata: object }[]).map(({ metadata }) => [
      (metadata as { readonly name?: string }).name,
      'deletionTimestamp' in metadata,
    ]),
    [['held', true]],
  );
});

test('a Node has one range of Pods for each family of addresses at most', () => {
  const { json } = server();
  const messages = (podCIDRs: readonly string[]): unknown =>
    (
      json('POST', '/api/v1/nodes?dryRun=All', { metadata: { name: 'n' }, spec: { podCIDRs } }).details as
        | { readonly causes?: readonly { readonly message: string }[] }
        | undefined
    )?.causes?.map(({ message }) => message);
  const twice = (shown: string): string =>
    `Invalid value: ${shown}: may specify no more than one CIDR for each IP family`;
  assert.equal(messages(['10.1.0.0/24', 'fd00::/64']), undefined);
  assert.deepEqual(messages(['10.1.0.0/24', '10.2.0.0/24']), [twice('["10.1.0.0/24","10.2.0.0/24"]')]);
  assert.deepEqual(messages(['fd00::/64', 'fd01::/64']), [twice('["fd00::/64","fd01::/64"]')]);
  assert.deepEqual(messages(['10.1.0.0/24', 'fd00::/64', '10.2.0.0/24']), [
    twice('["10.1.0.0/24","fd00::/64","10.2.0.0/24"]'),
  ]);
  const invalid = messages(['10.1.0.0/24', 'x']) as readonly string[];
  assert.equal(invalid.length, 3);
  assert.equal(
    invalid[1],
    'Internal error: invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR address: x',
  );
});

test('an empty Table of a kind without a printer has no rows at all', () => {
  const { json } = server();
  const table = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' };
  assert.equal(json('GET', ROLES, undefined, table).rows, null);
  assert.deepEqual(json('GET', MAPS, undefined, table).rows, []);
});

test('who sends an empty list of rules owns them, and an empty list of managed fields lets go of all', () => {
  const { json, made } = server();
  const managed = (path: string): unknown => (json('GET', path).metadata as Answered).managedFields;
  const owned = (path: string): unknown => (managed(path) as readonly Answered[]).map(({ fieldsV1 }) => fieldsV1);
  made(ROLES, { metadata: { name: 'r' }, rules: [] });
  assert.equal(json('GET', `${ROLES}/r`).rules, null);
  assert.deepEqual(owned(`${ROLES}/r`), [{ 'f:rules': {} }]);
  made(ROLES, { metadata: { name: 's' } });
  assert.equal(managed(`${ROLES}/s`), undefined);
  made(MAPS, { metadata: { name: 'a', managedFields: [] }, data: { k: 'v' } });
  assert.deepEqual(owned(`${MAPS}/a`), [{ 'f:data': { '.': {}, 'f:k': {} } }]);
  json('PATCH', `${MAPS}/a`, { metadata: { managedFields: [] } }, MERGE);
  assert.equal(managed(`${MAPS}/a`), undefined);
});

test('the causes of a refused update stand in the order of each kind', () => {
  const { json, made } = server();
  const labels = { 'a b': 'c' };
  const L = 'metadata.labels';
  const F = 'metadata.finalizers[0]';
  const meta = (name: string): object => ({ name, labels, finalizers: ['x'] });
  made(MAPS, { metadata: { name: 'a' }, immutable: true, data: { k: 'v' } });
  assert.deepEqual(fieldsOf(json('PUT', `${MAPS}/a`, { metadata: meta('a'), data: { 'a b': 'c' } })), [
    ...[L, L, L],
    ...[F, 'immutable', 'data'],
    ...[L, F, 'data[a b]'],
  ]);
  made(ROLES, { metadata: { name: 'r' } });
  assert.deepEqual(
    fieldsOf(json('PUT', `${ROLES}/r`, { metadata: meta('r'), rules: [{ verbs: [], nonResourceURLs: ['/'] }] })),
    [L, L, L, F, 'rules[0].verbs', 'rules[0].nonResourceURLs', L, F],
  );
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' };
  made(BINDINGS, { metadata: { name: 'b' }, roleRef });
  assert.deepEqual(
    fieldsOf(
      json('PUT', `${BINDINGS}/b`, {
        metadata: { name: 'b', labels },
        roleRef: { ...roleRef, name: 's' },
        subjects: [{ kind: 'User' }],
      }),
    ),
    [L, L, L, 'subjects[0].name', L, 'roleRef'],
  );
});

test('HEAD is told how long a short answer would be; what a filter refuses is not to be sniffed, what a handler does is', () => {
  const { ask } = server();
  const { headers, text } = ask('HEAD', '/api/v1/nodes');
  assert.deepEqual(
    [headers['Content-Length'], text],
    [String(Buffer.byteLength(ask('PUT', '/api/v1/nodes').text)), ''],
  );
  assert.equal(ask('HEAD', '/openapi/v2').headers['Content-Length'], undefined);
  const sniffing = (path: string): unknown => ask('GET', path).headers['X-Content-Type-Options'];
  assert.deepEqual(['/healthz', '/healthz/ping', '/nope', `${MAPS}/nope`].map(sniffing), [
    'nosniff',
    undefined,
    'nosniff',
    undefined,
  ]);
});

test('JSON is escaped as Go escapes it, in objects, Tables, messages and with pretty lines', () => {
  const { ask, made } = server();
  made(MAPS, { metadata: { name: 'a', labels: {} }, data: { k: '<a>&\u2028\u2029é' } });
  const escaped = '\\u003ca\\u003e\\u0026\\u2028\\u2029é';
  for (const path of [`${MAPS}/a`, `${MAPS}/a?pretty=true`, MAPS])
    assert.ok(ask('GET', path).text.includes(escaped), path);
  assert.equal((ask('GET', `${MAPS}/a`).json.data as unknown as Answered).k, '<a>&\u2028\u2029é');
  assert.ok(ask('GET', `${MAPS}?labelSelector=%3C`).text.includes('\\u003c'));
});

test('the aggregated discovery has a tag, by which who knows it is told that nothing changed', () => {
  const { ask } = server();
  const accept = 'application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io';
  const first = ask('GET', '/apis', undefined, { accept });
  const { ETag: tag = '', 'Cache-Control': kept } = first.headers;
  assert.match(String(tag), /^"[0-9A-F]{128}"$/);
  assert.equal(kept, 'public');
  const again = (known: string) => ask('GET', '/apis', undefined, { accept, 'if-none-match': known });
  assert.deepEqual([again(String(tag)).code, again(String(tag)).text], [304, '']);
  assert.equal(again(String(tag).slice(1, -1)).code, 200);
  assert.notEqual(ask('GET', '/api', undefined, { accept }).headers.ETag, tag);
});

test('what is listed in no namespace has no path there, and a proxy takes every method', () => {
  const { ask } = server();
  assert.deepEqual(
    [
      ask('POST', '/api/v1/bindings', {}).code,
      ask('GET', '/api/v1/bindings').code,
      ask('POST', '/apis/authorization.k8s.io/v1/localsubjectaccessreviews', {}).code,
      ask('POST', '/api/v1/configmaps', {}).code,
    ],
    [404, 404, 404, 405],
  );
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'PATCH'])
    assert.equal(
      ask(method, '/api/v1/nodes/none/proxy/metrics', undefined, { 'content-type': 'x/y' }).code,
      404,
      method,
    );
  assert.equal(ask('OPTIONS', `${MAPS}/a`).code, 405);
});

test('what is passed on to a node is not looked at: its body, its type and its options are of another', () => {
  const { json, made } = server();
  made('/api/v1/nodes', { metadata: { name: 'a' } });
  made('/api/v1/nodes', { metadata: { name: 'b' }, status: { addresses: [{ type: 'Odd', address: 'x' }] } });
  const said = (name: string, method: string, query = '', type = 'application/json'): unknown => {
    const { code, reason, message } = json(method, `/api/v1/nodes/${name}/proxy${query}`, 'x', {
      'content-type': type,
    });
    return [code, reason, message];
  };
  const unknown = [500, undefined, 'no preferred addresses found; known addresses: []'];
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
    for (const [query, type] of [
      ['', 'x/y'],
      [`?fieldManager=${'m'.repeat(129)}&fieldValidation=x`, 'application/json'],
    ] as const)
      assert.deepEqual(said('a', method, query, type), unknown, `${method} ${type}`);
  assert.deepEqual(said('b', 'GET'), [500, undefined, 'no preferred addresses found; known addresses: [{Odd x}]']);
  assert.deepEqual(said('a', 'POST', '?dryRun=All'), [400, 'BadRequest', 'dryRun is not supported']);
});

test('health is told check by check, in the words of the release', () => {
  const { ask } = server();
  const lines = ask('GET', '/livez?verbose').text.split('\n');
  assert.deepEqual(lines.slice(0, 2), ['[+]ping ok', '[+]log ok']);
  assert.equal(lines.at(-2), 'livez check passed');
  const first = (kind: string): readonly string[] => ask('GET', `/${kind}?verbose`).text.split('\n').slice(0, 5);
  const alive = ['ping', 'log', 'loopback-serving-certificate', 'etcd'].map((name) => `[+]${name} ok`);
  for (const kind of ['healthz', 'livez']) assert.deepEqual(first(kind).slice(0, 4), alive, kind);
  assert.deepEqual(
    first('readyz'),
    ['ping', 'log', 'etcd', 'etcd-readiness', 'informer-sync'].map((name) => `[+]${name} ok`),
  );
  for (const line of lines.filter((one) => one.startsWith('[+]')))
    assert.equal(ask('GET', `/livez/${line.slice(3, -3)}`).text, 'ok', line);
  const of = (minor: number): string =>
    fixture({ definitions: definitions(), minor }).ask('GET', '/healthz?verbose').text;
  const cidrs = 'poststarthook/start-kubernetes-service-cidr-controller';
  assert.deepEqual([of(32).includes(cidrs), of(33).includes(cidrs)], [false, true]);
  assert.match(ask('GET', '/statusz').text, /^\napiserver statusz\nWarning: /);
});
