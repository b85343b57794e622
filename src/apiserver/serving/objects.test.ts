import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definitions } from '../resources/index.js';
import { CONFIG_MAPS, fixture, kinds, MERGE, sink } from './fixture.js';

test('an object is made, read, replaced and deleted', () => {
  const { ask } = fixture();
  const made = ask('POST', CONFIG_MAPS, { metadata: { name: 'a' }, data: { x: '1' } });
  assert.equal(made.code, 201);
  assert.equal(made.json.kind, 'ConfigMap');
  assert.equal(made.json.metadata?.creationTimestamp, '2026-11-20T10:00:00Z');
  assert.equal(ask('POST', CONFIG_MAPS, { metadata: { name: 'a' } }).json.reason, 'AlreadyExists');
  const replaced = ask('PUT', `${CONFIG_MAPS}/a`, { metadata: { name: 'a' }, data: { x: '2' } });
  assert.deepEqual(replaced.json.data, { x: '2' });
  assert.equal(replaced.json.metadata?.uid, made.json.metadata?.uid);
  const stale = ask('PUT', `${CONFIG_MAPS}/a`, {
    metadata: { name: 'a', resourceVersion: made.json.metadata?.resourceVersion },
    data: {},
  });
  assert.equal(stale.code, 409);
  assert.equal(
    stale.json.message,
    'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your ' +
      'changes to the latest version and try again',
  );
  const deleted = ask('DELETE', `${CONFIG_MAPS}/a`);
  assert.deepEqual(deleted.json.details, { name: 'a', kind: 'configmaps', uid: made.json.metadata?.uid });
  assert.equal(ask('GET', `${CONFIG_MAPS}/a`).json.message, 'configmaps "a" not found');
});

test('names are generated from the prefix', () => {
  const { ask } = fixture();
  assert.match(
    String(ask('POST', CONFIG_MAPS, { metadata: { generateName: 'a-' } }).json.metadata?.name),
    /^a-[bcdfghjklmnpqrstvwxz2456789]{5}$/,
  );
});

test('unknown and duplicate fields are warned of, or refused', () => {
  const { ask } = fixture();
  const body = '{"metadata":{"name":"a","bad":1},"data":{"x":"1","x":"2"}}';
  assert.deepEqual(ask('POST', CONFIG_MAPS, body).headers.Warning, [
    '299 - "unknown field \\"metadata.bad\\""',
    '299 - "duplicate field \\"data.x\\""',
  ]);
  const strict = ask('POST', `${CONFIG_MAPS}?fieldValidation=Strict`, body);
  assert.equal(
    strict.json.message,
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field ' +
      '"metadata.bad", duplicate field "data.x"',
  );
});

test('wrong types are refused in the words of Go', () => {
  const { ask } = fixture();
  assert.equal(
    ask('POST', CONFIG_MAPS, { metadata: { name: 'a', labels: { x: 1 } } }).json.message,
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go ' +
      'struct field ObjectMeta.metadata.labels of type string',
  );
  assert.equal(
    ask('POST', CONFIG_MAPS, { kind: 'Secret', data: { a: '1' } }).json.message,
    'Secret in version "v1" cannot be handled as a ConfigMap: illegal base64 data at input byte 0',
  );
  const first = (body: object | string, type = 'application/json'): unknown =>
    String(ask('POST', CONFIG_MAPS, body, { 'content-type': type }).json.message).slice(-1);
  const halves = { kind: 'Secret', data: { b: '!', a: 'x!' } };
  assert.equal(first(halves), '0', 'what stands first in the text');
  assert.equal(first(JSON.stringify(halves), 'application/yaml'), '1', 'YAML is sorted before it is read');
  for (const items of ['x', [], null])
    assert.equal(
      ask('POST', CONFIG_MAPS, { kind: 'List', apiVersion: 'v1', items }).json.message,
      'List in version "v1" cannot be handled as a ConfigMap: ' +
        (items === 'x'
          ? 'json: cannot unmarshal string into Go struct field List.items of type []runtime.RawExtension'
          : 'converting (v1.List) to (core.ConfigMap): unknown conversion'),
    );
});

test('a dry run leaves nothing behind', () => {
  const { ask } = fixture();
  assert.equal(ask('POST', `${CONFIG_MAPS}?dryRun=All`, { metadata: { name: 'a' } }).code, 201);
  assert.equal(ask('GET', `${CONFIG_MAPS}/a`).code, 404);
  assert.equal(
    ask('POST', `${CONFIG_MAPS}?dryRun=x`, { metadata: { name: 'a' } }).json.message,
    'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["x"]: supported values: "All"',
  );
});

test('finalizers keep an object until the last is gone', () => {
  const { ask } = fixture();
  ask('POST', CONFIG_MAPS, { metadata: { name: 'a', finalizers: ['x.example/y'] } });
  const marked = ask('DELETE', `${CONFIG_MAPS}/a`);
  assert.equal(marked.json.kind, 'ConfigMap');
  assert.equal(marked.json.metadata?.deletionGracePeriodSeconds, 0);
  assert.equal(
    ask('POST', CONFIG_MAPS, { metadata: { name: 'a' } }).json.message,
    'object is being deleted: configmaps "a" already exists',
  );
  assert.equal(
    ask('PATCH', `${CONFIG_MAPS}/a`, { metadata: { finalizers: ['x.example/y', 'x.example/z'] } }, MERGE).code,
    422,
  );
  assert.equal(ask('PATCH', `${CONFIG_MAPS}/a`, { metadata: { finalizers: [] } }, MERGE).code, 200);
  assert.equal(ask('GET', `${CONFIG_MAPS}/a`).code, 404);
});

test('preconditions of a deletion are held', () => {
  const { ask } = fixture();
  ask('POST', CONFIG_MAPS, { metadata: { name: 'a' } });
  const refused = ask('DELETE', `${CONFIG_MAPS}/a`, { preconditions: { uid: 'other' } });
  assert.equal(refused.code, 409);
  assert.match(
    String(refused.json.message),
    /^Operation cannot be fulfilled on ConfigMap "a": the UID in the precondition \(other\)/,
  );
  assert.equal(
    ask('DELETE', `${CONFIG_MAPS}/a`, { propagationPolicy: 'Orphan' }).json.metadata?.finalizers?.[0],
    'orphan',
  );
});

test('nothing is made in a namespace that is not there', () => {
  const { ask } = fixture();
  assert.equal(
    ask('POST', '/api/v1/namespaces/none/configmaps', { metadata: { name: 'a' } }).json.message,
    'namespaces "none" not found',
  );
  assert.equal(ask('GET', '/api/v1/namespaces/none/configmaps').code, 200);
  assert.equal(
    ask('DELETE', '/api/v1/namespaces/default').json.message,
    'namespaces "default" is forbidden: this namespace may not be deleted',
  );
});

test('pages of a list hang together although it changes, until history is forgotten', () => {
  const { ask, store } = fixture();
  for (const name of ['a', 'b', 'c']) ask('POST', CONFIG_MAPS, { metadata: { name } });
  const first = ask('GET', `${CONFIG_MAPS}?limit=2`);
  assert.equal(first.json.metadata?.remainingItemCount, 1);
  ask('DELETE', `${CONFIG_MAPS}/c`);
  const token = encodeURIComponent(String(first.json.metadata?.continue));
  const second = ask('GET', `${CONFIG_MAPS}?limit=2&continue=${token}`);
  assert.deepEqual(
    second.json.items?.map((item) => item.metadata?.name),
    ['c'],
  );
  store.compact(store.revision);
  const expired = ask('GET', `${CONFIG_MAPS}?limit=2&continue=${token}`);
  assert.equal(expired.code, 410);
  assert.equal(expired.json.reason, 'Expired');
  // Source: apiserver, pkg/storage/etcd3/errors.go.
  assert.equal(
    expired.json.message,
    'The provided continue parameter is too old to display a consistent list result. You can start a new list ' +
      'without the continue parameter, or use the continue token in this response to retrieve the remainder of the ' +
      'results. Continuing with the provided token results in an inconsistent list - objects that were created, ' +
      'modified, or deleted between the time the first chunk was returned and now may show up in the list.',
  );
  const exact = ask('GET', `${CONFIG_MAPS}?resourceVersion=2&resourceVersionMatch=Exact`);
  assert.deepEqual([exact.code, exact.json.message], [410, 'The resourceVersion for the provided list is too old.']);
  assert.deepEqual(
    ask('GET', `${CONFIG_MAPS}?limit=2&continue=${encodeURIComponent(String(expired.json.metadata?.continue))}`).json
      .items,
    [],
  );
});

test('tables, partial objects and YAML are written when asked for', () => {
  const { ask } = fixture();
  ask('POST', CONFIG_MAPS, { metadata: { name: 'a' }, data: { x: '1' } });
  const table = ask('GET', CONFIG_MAPS, undefined, {
    accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
  });
  assert.deepEqual(
    [table.json.kind, table.json.rows?.[0]?.cells, table.json.rows?.[0]?.object?.kind],
    ['Table', ['a'], 'PartialObjectMetadata'],
  );
  assert.equal(
    ask('GET', `${CONFIG_MAPS}/a`, undefined, {
      accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
    }).json.data,
    undefined,
  );
  assert.match(
    ask('GET', `${CONFIG_MAPS}/a`, undefined, { accept: 'application/yaml' }).text,
    /^apiVersion: v1\ndata:\n {2}x: "1"\nkind: ConfigMap\n/,
  );
  assert.equal(ask('GET', `${CONFIG_MAPS}/a`, undefined, { accept: 'text/html' }).code, 406);
  assert.equal(ask('POST', CONFIG_MAPS, 'metadata: {name: b}\n', { 'content-type': 'application/yaml' }).code, 201);
  assert.equal(ask('POST', CONFIG_MAPS, '{}', { 'content-type': 'text/plain' }).code, 415);
});

test('manners of small things: nameless clients, given generations, depth, patches without a path', () => {
  const { ask } = fixture();
  const nameless = ask(
    'POST',
    CONFIG_MAPS,
    { metadata: { name: 'a', generation: 7 }, data: { k: 'v' } },
    { 'User-Agent': '' },
  ).json;
  assert.equal(String(nameless.metadata?.managedFields?.map(({ manager }) => manager)), 'unknown');
  assert.equal(Number(nameless.metadata?.generation), 7);
  const deep = ask('POST', CONFIG_MAPS, `{"data":${'['.repeat(10_001)}`);
  assert.equal(deep.code, 400);
  assert.match(String(deep.json.message), /invalid character '\[' exceeded max depth \(/);
  const patch = ask('PATCH', `${CONFIG_MAPS}/a`, [{ op: 'add', value: {} }], {
    'content-type': 'application/json-patch+json',
  });
  assert.equal(patch.code, 422);
});

test('a watch that asks for no initial events gets none', () => {
  const { ask, api } = fixture();
  ask('POST', CONFIG_MAPS, { metadata: { name: 'a' } });
  const written: string[] = [];
  const watch = api.handle({
    method: 'GET',
    url: `${CONFIG_MAPS}?watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan`,
    headers: {},
    certificates: [],
    body: Buffer.alloc(0),
  });
  assert.equal(watch.kind, 'stream');
  if (watch.kind !== 'stream') return;
  const stop = watch.open(sink((chunk) => written.push(String(chunk))));
  ask('POST', CONFIG_MAPS, { metadata: { name: 'b' } });
  stop();
  assert.equal(written.length, 1);
  assert.match(written[0] ?? '', /"type":"ADDED".*"name":"b"/);
});

test('a PUT that makes its object takes the UID for a precondition and does not mind a version', () => {
  const definitions = kinds.map((kind) => ({ ...kind, strategy: { ...kind.strategy, allowCreateOnUpdate: true } }));
  const { ask } = fixture({ definitions });
  const put = (metadata: object): ReturnType<typeof ask> =>
    ask('PUT', `${CONFIG_MAPS}/a`, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', ...metadata } });
  const refused = put({ uid: 'x' });
  assert.equal(refused.code, 409);
  assert.match(String(refused.json.message), /Precondition failed: UID in precondition: x, UID in object meta: $/);
  assert.equal(put({ resourceVersion: 'x' }).json.message, 'strconv.ParseUint: parsing "x": invalid syntax');
  assert.equal(put({ resourceVersion: '1' }).code, 201);
});

test('a version that is no number is none', () => {
  const { ask } = fixture();
  const made = (resourceVersion: string) =>
    ask('POST', CONFIG_MAPS, { metadata: { generateName: 'a-', resourceVersion } }).code;
  assert.deepEqual(['', '0', '00', '%2f', 'get'].map(made), [201, 201, 201, 201, 201]);
  assert.deepEqual(['1', '01'].map(made), [500, 500]);
});

test('a value that its own decoder refuses is told of first, then the first of a wrong type', () => {
  const { ask } = fixture({ definitions: definitions() });
  const said = (path: string, body: object): string =>
    String(ask('POST', path, body).json.message).replace(/^.*cannot be handled as an? \w+: /, '');
  const pods = '/api/v1/namespaces/default/pods';
  const wrong =
    'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type map[string]string';
  const containers = (cpu: unknown): object => ({ containers: [{ resources: { limits: { cpu } } }] });
  assert.match(said(pods, { metadata: { labels: 5 }, spec: containers('abc') }), /^quantities must match/);
  assert.equal(said(pods, { metadata: { labels: 5 }, spec: containers('1') }), wrong);
  assert.match(said(pods, { metadata: { labels: 5, creationTimestamp: 'x' } }), /^parsing time "x"/);
  assert.match(said(pods, { metadata: { labels: 5, creationTimestamp: 6 } }), /creationTimestamp of type string$/);
  assert.equal(said(pods, { metadata: { labels: 5 }, spec: 'x' }), wrong);
  assert.equal(
    said('/api/v1/namespaces/default/secrets', { data: { a: '%%' }, type: 5 }),
    'illegal base64 data at input byte 0',
  );
});

test('a watch from no version or from 0 is told when it has been sent what was there, since watches may list', () => {
  const types = (minor: number, query: string): readonly string[] => {
    const { ask, api } = fixture({ minor });
    ask('POST', CONFIG_MAPS, { metadata: { name: 'a' } });
    const written: string[] = [];
    const url = `${CONFIG_MAPS}?watch=1${query}`;
    const watch = api.handle({ method: 'GET', url, headers: {}, certificates: [], body: Buffer.alloc(0) });
    if (watch.kind === 'stream') watch.open(sink((chunk) => written.push(String(chunk))))();
    return written
      .join('')
      .trim()
      .split('\n')
      .map((line) => (line === '' ? '' : (JSON.parse(line) as { readonly type: string }).type));
  };
  const told = ['ADDED', 'BOOKMARK'];
  for (const version of ['', '&resourceVersion=', '&resourceVersion=0'])
    assert.deepEqual(types(36, `&allowWatchBookmarks=true${version}`), told, version);
  assert.deepEqual(types(36, ''), ['ADDED']);
  assert.deepEqual(types(33, '&allowWatchBookmarks=true'), ['ADDED']);
  assert.deepEqual(types(36, '&allowWatchBookmarks=true&resourceVersion=1'), ['ADDED']);
});
