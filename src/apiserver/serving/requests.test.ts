import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuthorizationAttributes } from '../access.js';
import { definitions } from '../resources/index.js';
import { CONFIG_MAPS, fixture, sink } from './fixture.js';

const INITIAL = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';

test('who is not known gets 401 without a cause', () => {
  const { ask } = fixture({
    authenticator: { authenticate: () => ({ kind: 'refused', cause: 'the token has expired' }), review: () => ({}) },
  });
  const answer = ask('GET', '/version');
  assert.deepEqual(answer.json, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'Unauthorized',
    reason: 'Unauthorized',
    code: 401,
  });
});

test('who may not gets 403 before anything is looked at, escaped for HTML', () => {
  const user = { username: '<b>&', groups: [] };
  const { ask } = fixture({
    authenticator: { authenticate: () => ({ kind: 'user', user, via: 'token' }), review: () => ({}) },
    authorizer: {
      authorize: ({ user: { username } }) => ({ decision: username === 'admin' ? 'allow' : 'no-opinion', reason: '' }),
    },
  });
  const answer = ask('POST', CONFIG_MAPS, 'garbage');
  assert.equal(
    answer.json.message,
    'configmaps is forbidden: User "&lt;b&gt;&amp;" cannot create resource "configmaps" in API group "" ' +
      'in the namespace "default"',
  );
  assert.equal(answer.headers['X-Content-Type-Options'], 'nosniff');
  assert.equal(ask('GET', '/nope').json.message, 'forbidden: User "&lt;b&gt;&amp;" cannot get path "/nope"');
});

test('a request acts as the user that impersonation answers', () => {
  const asked: AuthorizationAttributes[] = [];
  const { ask } = fixture({
    authorizer: {
      authorize(attributes) {
        asked.push(attributes);
        return { decision: 'allow', reason: '' };
      },
    },
    impersonate: (headers, { user, verb }) =>
      headers['impersonate-user'] === undefined ? user : { username: `jane, who wants to ${verb}`, groups: ['dev'] },
  });
  asked.length = 0;
  assert.equal(ask('GET', CONFIG_MAPS, undefined, { 'Impersonate-User': 'jane' }).code, 200);
  assert.equal(ask('GET', CONFIG_MAPS).code, 200);
  assert.deepEqual(
    asked.map(({ user }) => user.username),
    ['jane, who wants to list', 'admin'],
  );
});

test('paths and methods that are not served', () => {
  const { ask } = fixture();
  assert.equal(ask('GET', '/nope').text, '404 page not found\n');
  assert.equal(ask('GET', '/api/v1/nopes').json.message, 'the server could not find the requested resource');
  assert.equal(ask('PUT', CONFIG_MAPS).json.message, 'the server does not allow this method on the requested resource');
  assert.equal(ask('POST', '/api/v1/configmaps', {}).code, 405);
  assert.deepEqual([ask('HEAD', `${CONFIG_MAPS}/a`).code, ask('HEAD', `${CONFIG_MAPS}/a`).text], [405, '']);
  assert.equal(ask('GET', '/apis/none.example/v1/x').text, '404 page not found\n');
});

test('discovery, health and documents', () => {
  const { ask } = fixture();
  assert.deepEqual(ask('GET', '/api').json.versions, ['v1']);
  assert.ok(ask('GET', '/api/v1').json.resources?.some(({ name }) => String(name) === 'configmaps'));
  const aggregated = ask('GET', '/api', undefined, {
    accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json',
  });
  assert.equal(aggregated.json.items?.map(({ metadata }) => metadata?.name).join(), '');
  assert.equal(aggregated.json.items?.[0]?.versions?.map(({ version }) => version).join(), 'v1');
  assert.equal(aggregated.json.items?.[0]?.versions?.[0]?.resources?.length, 4);
  assert.equal(ask('GET', '/readyz').text, 'ok');
  assert.match(ask('GET', '/livez?verbose').text, /\[\+\]ping ok\n[\s\S]*livez check passed\n$/);
  assert.equal(ask('GET', '/version').json.gitVersion, 'v1.36.0');
  const document = ask('GET', '/openapi/v3/api/v1').json;
  assert.equal(
    document.components?.schemas?.['io.k8s.api.core.v1.ConfigMap']?.['x-kubernetes-group-version-kind']?.[0]?.kind,
    'ConfigMap',
  );
  assert.ok(
    document.paths?.['/api/v1/namespaces/{namespace}/configmaps/{name}']?.patch?.parameters?.some(
      ({ name }) => String(name) === 'fieldValidation',
    ),
  );
});

test('plug-ins change and refuse, in that order around validation', () => {
  const order: string[] = [];
  const { ask } = fixture({
    admission: [
      {
        name: 'test',
        mutate({ object }) {
          order.push('mutate');
          return object === undefined ? undefined : { ...object, data: { from: 'plugin' } };
        },
        validate: () => void order.push('validate'),
      },
    ],
  });
  order.length = 0;
  assert.equal(ask('POST', CONFIG_MAPS, { metadata: { name: 'A_' } }).code, 422);
  assert.deepEqual(order, ['mutate']);
  assert.deepEqual(ask('POST', CONFIG_MAPS, { metadata: { name: 'a' } }).json.data, { from: 'plugin' });
});

test('a watch tells what was and what happens, by selector', () => {
  const { api, ask } = fixture();
  ask('POST', CONFIG_MAPS, { metadata: { name: 'a', labels: { x: '1' } } });
  const events: { type: string; object: { metadata: { name?: string; annotations?: object } } }[] = [];
  const response = api.handle({
    method: 'GET',
    url: `${CONFIG_MAPS}?watch=1&labelSelector=x%3D1&${INITIAL}`,
    headers: {},
    certificates: [],
    body: Buffer.alloc(0),
  });
  assert.equal(response.kind, 'stream');
  let ended = false;
  const stop =
    response.kind === 'stream'
      ? response.open(
          sink(
            (line) => events.push(JSON.parse(String(line))),
            () => {
              ended = true;
            },
          ),
        )
      : () => undefined;
  ask('POST', CONFIG_MAPS, { metadata: { name: 'b' } });
  ask('PUT', `${CONFIG_MAPS}/b`, { metadata: { name: 'b', labels: { x: '1' } } });
  ask('PUT', `${CONFIG_MAPS}/a`, { metadata: { name: 'a' } });
  ask('DELETE', `${CONFIG_MAPS}/b`);
  assert.deepEqual(
    events.map(({ type, object }) => [type, object.metadata.name]),
    [
      ['ADDED', 'a'],
      ['BOOKMARK', undefined],
      ['ADDED', 'b'],
      ['DELETED', 'a'],
      ['DELETED', 'b'],
    ],
  );
  assert.deepEqual(events[1]?.object.metadata.annotations, { 'k8s.io/initial-events-end': 'true' });
  api.close();
  assert.equal(ended, true);
  stop();
});

test('a watch from before what is remembered ends with Expired', () => {
  const { api, ask, store } = fixture();
  ask('POST', CONFIG_MAPS, { metadata: { name: 'a' } });
  store.compact(store.revision);
  const lines: string[] = [];
  const response = api.handle({
    method: 'GET',
    url: `${CONFIG_MAPS}?watch=1&resourceVersion=1`,
    headers: {},
    certificates: [],
    body: Buffer.alloc(0),
  });
  if (response.kind === 'stream') response.open(sink((line) => lines.push(String(line))));
  assert.equal(JSON.parse(lines[0] ?? '{}').object.reason, 'Expired');
});

test('older minors word, refuse and serve what they did', () => {
  const before = fixture({ minor: 31 }).ask;
  const now = fixture().ask;
  const message = (ask: typeof now, url: string): unknown => ask('POST', url, { metadata: { name: 'a' } }).json.message;
  const dryRun = `${CONFIG_MAPS}?dryRun=all`;
  const invalid = 'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ';
  assert.equal(message(now, dryRun), `${invalid}["all"]: supported values: "All"`);
  assert.equal(message(before, dryRun), `${invalid}[]string{"all"}: supported values: "All"`);
  const watch = `${CONFIG_MAPS}?watch=1&sendInitialEvents=1&resourceVersionMatch=NotOlderThan`;
  assert.deepEqual([before('GET', watch).code, now('GET', watch).code], [422, 200]);
  const garbage = `${CONFIG_MAPS}?resourceVersion=x`;
  assert.deepEqual([before('GET', garbage).code, now('GET', garbage).code], [500, 400]);
  const json = { accept: 'application/json' };
  assert.deepEqual(
    [before('GET', '/statusz').code, now('GET', '/statusz').code, now('GET', '/statusz', undefined, json).code],
    [404, 200, 406],
  );
  assert.equal(before('GET', '/version').json.emulationMinor, undefined);
  assert.equal(String(now('GET', '/version').json.emulationMinor), '36');
});

test('a timeout that is no duration is refused before anybody is asked who asks, but where a request is to last', () => {
  const { ask } = fixture({
    authenticator: { authenticate: () => ({ kind: 'refused', cause: 'unknown' }), review: () => ({}) },
  });
  for (const [timeout, why] of [
    ['x', 'invalid duration "x"'],
    ['-', 'invalid duration "-"'],
    ['5', 'missing unit in duration "5"'],
    ['1.5h3', 'missing unit in duration "1.5h3"'],
    ['5x', 'unknown unit "x" in duration "5x"'],
    ['.s', 'invalid duration ".s"'],
    ['9999999999h', 'invalid duration "9999999999h"'],
  ] as const) {
    const { code, json } = ask('GET', `/healthz?timeout=${timeout}`);
    assert.deepEqual([code, json.message], [400, `invalid timeout specified in the request URL - time: ${why}`]);
  }
  for (const timeout of ['0', '-1s', '1.5h', '1h30m5.5s', '.5s', '%2B5ms', ''])
    assert.equal(ask('GET', `${CONFIG_MAPS}?timeout=${timeout}`).code, 401, timeout);
  assert.equal(ask('GET', `${CONFIG_MAPS}?watch=1&timeout=x`).code, 401);
});

test('an export is refused, a path with two slashes is none', () => {
  const { ask } = fixture();
  ask('POST', CONFIG_MAPS, { metadata: { name: 'a' } });
  for (const query of ['export=true', 'export=', 'export=1'])
    assert.equal(
      ask('GET', `${CONFIG_MAPS}/a?${query}`).json.message,
      'the export parameter, deprecated since v1.14, is no longer supported',
    );
  assert.equal(ask('GET', `${CONFIG_MAPS}/a?export=false`).code, 200);
  assert.equal(ask('GET', `/${CONFIG_MAPS}`).code, 404);
  assert.equal(ask('GET', '/index.html').code, 200);
});

test('a dry run takes an object that says its version, the store does not', () => {
  const { ask } = fixture();
  const object = { metadata: { name: 'a', resourceVersion: '5' } };
  assert.equal(ask('POST', CONFIG_MAPS, object).code, 500);
  assert.equal(ask('POST', `${CONFIG_MAPS}?dryRun=All`, object).code, 201);
});

test('a patch that replaces a map that is not there leaves it out', () => {
  const { ask } = fixture();
  ask('POST', CONFIG_MAPS, { metadata: { name: 'a' } });
  const patch = { metadata: { annotations: { $patch: 'replace', a: 'b' } } };
  const type = { 'content-type': 'application/strategic-merge-patch+json' };
  const { metadata } = ask('PATCH', `${CONFIG_MAPS}/a`, patch, type).json as unknown as { readonly metadata: object };
  assert.equal('annotations' in metadata, false);
});

test('a version that is no number is refused by who reads it: by storage up to 1.31 where exactly one is listed', () => {
  const codes = (minor: number): readonly number[] => {
    const { ask } = fixture({ minor });
    const of = (method: string, query: string): number => ask(method, `${CONFIG_MAPS}?resourceVersion=x${query}`).code;
    return [
      of('GET', ''),
      of('GET', '&resourceVersionMatch=NotOlderThan'),
      of('GET', '&limit=5&resourceVersionMatch=NotOlderThan'),
      of('GET', '&limit=5'),
      of('GET', '&resourceVersionMatch=Exact'),
      of('DELETE', ''),
      of('DELETE', '&limit=5'),
      of('DELETE', '&resourceVersionMatch=NotOlderThan'),
    ];
  };
  assert.deepEqual(codes(31), [500, 500, 500, 400, 400, 400, 400, 500]);
  assert.deepEqual(codes(32), [400, 400, 400, 400, 400, 400, 400, 400]);
});

test('what is deleted together is all of it, however much there is', () => {
  const { ask } = fixture({});
  for (const name of ['a', 'b', 'c']) ask('POST', CONFIG_MAPS, { metadata: { name } });
  const answered = ask('DELETE', CONFIG_MAPS).json;
  const items: unknown = answered.items;
  assert.ok(Array.isArray(items) && items.length === 3);
  assert.deepEqual(Object.keys(answered.metadata as object), ['resourceVersion']);
  assert.deepEqual(ask('GET', CONFIG_MAPS).json.items, []);
});

test('older minors say the same in words of their own', () => {
  const labels = { a: 'x'.repeat(64) };
  const says = (minor: number, object: object): string => {
    const { json } = fixture({ minor }).ask('POST', CONFIG_MAPS, object);
    const causes = json.details?.causes?.map(({ message }) => String(message)) ?? [];
    assert.ok(causes.length === 1 && String(json.message).endsWith(String(causes[0])), String(json.message));
    return String(json.message);
  };
  const long = { metadata: { name: 'a', labels } };
  assert.match(says(35, long), /must be no more than 63 bytes$/);
  assert.match(says(34, long), /must be no more than 63 characters$/);
  const owned = (owner: object): object => ({ metadata: { name: 'a', ownerReferences: [owner] } });
  const nameless = owned({ apiVersion: 'v1', kind: 'Pod', uid: 'u' });
  assert.match(says(34, nameless), /name: Invalid value: "": must not be empty$/);
  assert.match(says(33, nameless), /name: Invalid value: "": name must not be empty$/);
  const event = owned({ apiVersion: 'v1', kind: 'Event', name: 'p', uid: 'u' });
  assert.match(says(34, event), /Invalid value: \{"apiVersion":"v1"/);
  assert.match(
    says(33, event),
    /Invalid value: v1\.OwnerReference\{APIVersion:"v1", Kind:"Event", Name:"p", UID:"u", /,
  );
});

test('options of a deletion that cannot be read are the fault of whom the minor says', () => {
  for (const [minor, code] of [
    [35, 400],
    [34, 500],
  ] as const) {
    const { ask } = fixture({ minor });
    ask('POST', CONFIG_MAPS, { metadata: { name: 'a' } });
    assert.equal(ask('DELETE', `${CONFIG_MAPS}/a`, { kind: 'Pod', apiVersion: 'v1' }).code, code);
    assert.equal(ask('DELETE', `${CONFIG_MAPS}/a`, { gracePeriodSeconds: 'x' }).code, code);
  }
});

test('older minors list twice what they find wrong in a role that is updated, and print taints in the syntax of Go', () => {
  const said = (minor: number, path: string, object: object): readonly unknown[] => {
    const { ask } = fixture({ definitions: definitions(), minor });
    if ('rules' in object) ask('POST', path, { ...object, rules: [] });
    const { json } = 'rules' in object ? ask('PUT', `${path}/a`, object) : ask('POST', path, object);
    const { causes } = json.details as unknown as { readonly causes: readonly { field: string; message: string }[] };
    return causes.map(({ field, message }) => [field, message]);
  };
  const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
  const role = { metadata: { name: 'a' }, rules: [{ apiGroups: [], resources: ['pods'], verbs: ['get'] }] };
  const cause = ['rules[0].apiGroups', 'Required value: resource rules must supply at least one api group'];
  assert.deepEqual(said(34, roles, role), [cause, cause]);
  assert.deepEqual(said(35, roles, role), [cause]);

  const taint = { key: 'a', effect: 'NoSchedule' };
  const node = { metadata: { name: 'a' }, spec: { taints: [taint, taint] } };
  const why = 'taints must be unique by key and effect pair';
  assert.deepEqual(said(33, '/api/v1/nodes', node), [
    [
      'metadata.taints[1]',
      `Duplicate value: core.Taint{Key:"a", Value:"", Effect:"NoSchedule", TimeAdded:<nil>}: ${why}`,
    ],
  ]);
  assert.deepEqual(said(34, '/api/v1/nodes', node), [
    ['metadata.taints[1]', `Duplicate value: {"Key":"a","Value":"","Effect":"NoSchedule","TimeAdded":null}: ${why}`],
  ]);
});
