import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import type { KubeObject } from '../kubernetes/objects.js';
import { RUN_LABEL } from '../kubernetes/own-objects.js';
import { resources } from '../kubernetes/resources.js';
import { NotAllowed, UnexpectedAnswer } from './errors.js';
import { at, configMap, type FakeApi, fakeApi, openOn, RUN } from './fake-api.testing.js';
import type { HttpTarget, HttpTargetOptions } from './http-target.js';
import type { Question } from './types.js';

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
  const target = openOn(api, more);
  targets.push(target);
  return target;
};

test('lists follow every page and begin again after 410', async () => {
  for (let index = 0; index < 1203; index += 1) api.put(at(`cm-${index}`), configMap(`cm-${index}`));
  const { admin } = open();
  assert.equal((await admin.list(resources.configMaps)).length, 1203);
  assert.equal(api.asked.length, 3);
  let expired = 0;
  api.before = (request, response) => {
    if (!request.url?.includes('continue') || expired++ > 0) return false;
    response
      .writeHead(410, { 'content-type': 'application/json' })
      .end('{"kind":"Status","reason":"Expired","code":410}');
    return true;
  };
  assert.equal((await admin.list(resources.configMaps)).length, 1203);
  api.before = (request, response) => {
    if (!request.url?.includes('continue')) return false;
    response.writeHead(410).end('{"kind":"Status","reason":"Expired","code":410}');
    return true;
  };
  await assert.rejects(admin.list(resources.configMaps), { name: 'UnexpectedAnswer', code: 410 });
});

test('who is refused everything reads nothing, whichever way it is asked, and whoever reads a list reads something', async () => {
  const forbidden = open();
  api.before = (_request, response) => {
    response
      .writeHead(403, { 'content-type': 'application/json' })
      .end('{"kind":"Status","reason":"Forbidden","code":403,"message":"no"}');
    return true;
  };
  const nothing = (target: HttpTarget) => target.facts.readsNothing?.();
  assert.equal(nothing(forbidden), false, 'nothing was asked');
  await assert.rejects(forbidden.admin.list(resources.configMaps));
  assert.equal(nothing(forbidden), true);
  await assert.rejects(forbidden.admin.get(resources.configMaps, 'a', 'default'));
  assert.equal(nothing(forbidden), true);
  api.before = () => false;
  await forbidden.admin.list(resources.configMaps);
  assert.equal(nothing(forbidden), false);
});

test('get: the object, undefined for 404, an error in a sentence otherwise', async () => {
  api.put(at('a'), configMap('a'));
  const { admin } = open();
  assert.equal((await admin.get(resources.configMaps, 'a', 'default'))?.metadata.name, 'a');
  assert.equal(await admin.get(resources.configMaps, 'b', 'default'), undefined);
  let body = '<html><title>Login</title></html>';
  let code = 200;
  const headers: Record<string, string> = {};
  api.before = (_request, response) => {
    response.writeHead(code, headers).end(body);
    return true;
  };
  await assert.rejects(
    admin.get(resources.configMaps, 'a', 'default'),
    /answered 200: an HTML page instead of an API object/,
  );
  code = 404;
  await assert.rejects(admin.get(resources.configMaps, 'a', 'default'), /answered 404: an HTML page/);
  code = 302;
  headers.location = 'https://login.example';
  await assert.rejects(
    admin.get(resources.configMaps, 'a', 'default'),
    /a redirect to https:\/\/login\.example; joinproof follows none/,
  );
  code = 403;
  body = '{"kind":"Status","reason":"Forbidden","message":"no admin-secret-token here","code":403}';
  await assert.rejects(admin.get(resources.configMaps, 'a', 'default'), (error) => {
    assert.ok(error instanceof UnexpectedAnswer);
    assert.deepEqual([error.method, error.path, error.code, error.reason], ['GET', at('a'), 403, 'Forbidden']);
    assert.ok(!error.message.includes('admin-secret-token'));
    return true;
  });
});

test('an object that is none of its kind is refused, alone and in a list; null is nothing', async () => {
  const odd = (data: unknown): KubeObject => ({ ...configMap('a'), data });
  api.put(at('a'), odd(null));
  const { admin } = open();
  assert.ok(!('data' in ((await admin.get(resources.configMaps, 'a', 'default')) ?? {})));
  assert.deepEqual(
    (await admin.list(resources.configMaps)).map((one) => 'data' in one),
    [false],
  );
  api.put(at('a'), odd({ port: 80 }));
  await assert.rejects(admin.get(resources.configMaps, 'a', 'default'), {
    name: 'UnexpectedAnswer',
    message: `GET ${at('a')} answered 200: no ConfigMap: its data[port] is not a text`,
  });
  await assert.rejects(admin.list(resources.configMaps), {
    name: 'UnexpectedAnswer',
    message:
      'GET /api/v1/configmaps answered 200: the list is not read: an item of it, "a", is no ConfigMap: its data[port] is not a text',
  });
});

test('a read-only target lets nothing out that writes, dry runs and token reviews included; access reviews are let out', async () => {
  const target = open({ readOnly: 'the cluster is read only' });
  const { admin } = target;
  await assert.rejects(admin.create(resources.configMaps, configMap('a')), NotAllowed);
  await assert.rejects(admin.patch(resources.configMaps, 'a', 'default', {}), NotAllowed);
  await assert.rejects(admin.delete(resources.configMaps, 'a', 'default'), NotAllowed);
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const)
    for (const query of [{}, { dryRun: 'All' }])
      await assert.rejects(target.as({ kind: 'anonymous' }).ask({ method, path: at('a'), query }), NotAllowed);
  const whoAmI = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  await assert.rejects(admin.ask({ method: 'POST', path: whoAmI, body: {} }), NotAllowed);
  await assert.rejects(admin.create(resources.selfSubjectReviews, configMap('a')), NotAllowed);
  assert.deepEqual(api.asked, []);
  await admin.ask({ method: 'POST', path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', body: {} });
  await admin.ask({
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/namespaces/default/localsubjectaccessreviews',
    body: {},
  });
  assert.equal(api.asked.length, 2);
});

test('what a run did not make it neither changes nor deletes', async () => {
  api.put(at('foreign'), { ...configMap('foreign', { labels: { [RUN_LABEL]: RUN } }), data: { kept: '1' } });
  const { admin } = open();
  const patch = { data: { kept: '2' } };
  await assert.rejects(admin.patch(resources.configMaps, 'foreign', 'default', patch), NotAllowed);
  await assert.rejects(
    admin.delete(resources.configMaps, 'foreign', 'default'),
    /deletes nothing that it did not make/,
  );
  assert.deepEqual(api.objects.get(at('foreign'))?.data, { kept: '1' });
});

test('a run makes nothing that a sweep would not know for its own', async () => {
  const { admin } = open();
  await assert.rejects(admin.create(resources.configMaps, configMap('settings')), NotAllowed);
  await assert.rejects(admin.create(resources.services, { ...configMap('jp-abcde'), kind: 'Service' }), NotAllowed);
  const path = '/api/v1/namespaces/production/configmaps';
  await assert.rejects(admin.ask({ method: 'POST', path, body: configMap('jp-abcde') }), NotAllowed);
  assert.deepEqual(api.asked, []);
});

test('raw changes reach only what the run made, others as dry runs', async () => {
  api.put(at('foreign'), configMap('foreign'));
  const target = open();
  await target.admin.create(resources.configMaps, configMap('jp-ours1'));
  const anonymous = target.as({ kind: 'anonymous' });
  for (const method of ['PUT', 'PATCH', 'DELETE'] as const)
    await assert.rejects(anonymous.ask({ method, path: at('foreign') }), /dryRun=All/);
  await assert.rejects(anonymous.ask({ method: 'DELETE', path: '/api/v1/namespaces/default/configmaps' }), NotAllowed);
  await assert.rejects(anonymous.ask({ method: 'PATCH', path: `${at('foreign')}/status`, body: {} }), NotAllowed);
  assert.equal(
    (await anonymous.ask({ method: 'PATCH', path: at('foreign'), query: { dryRun: 'All' }, body: {} })).status,
    200,
  );
  assert.equal((await anonymous.ask({ method: 'PATCH', path: at('jp-ours1'), body: {} })).status, 200);
  assert.equal((await anonymous.ask({ method: 'DELETE', path: at('nobody') })).status, 404);
  const lost = anonymous.ask({
    method: 'POST',
    path: '/api/v1/namespaces/default/configmaps',
    body: configMap('jp-ours1'),
  });
  assert.equal((await lost).status, 409);
  await target.close();
  assert.deepEqual([...api.objects.keys()], [at('foreign')]);
});

test('what is sent to a part of an object may be of another kind than the object', async () => {
  const target = open();
  await target.admin.create(resources.configMaps, configMap('jp-ours1'));
  const { status } = await target.admin.ask({
    method: 'POST',
    path: `${at('jp-ours1')}/token`,
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: {}, spec: {} },
  });
  assert.notEqual(status, 0);
  api.put(at('foreign'), configMap('foreign'));
  const body = { apiVersion: 'v1', kind: 'Binding', metadata: {} };
  await assert.rejects(target.admin.ask({ method: 'POST', path: `${at('foreign')}/binding`, body }), NotAllowed);
});

test('nothing foreign is tried as a dry run where it cannot be seen what becomes of one', async () => {
  api.put(at('foreign'), configMap('foreign'));
  for (const status of [400, 403, 404, 422]) {
    const { admin } = open();
    api.asked.length = 0;
    api.before = (request, response) => {
      if (request.method !== 'POST') return false;
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify({ kind: 'Status', reason: 'No', message: 'not here', code: status }));
      return true;
    };
    const dryRun = { query: { dryRun: 'All' } };
    await assert.rejects(admin.ask({ method: 'DELETE', path: at('foreign'), ...dryRun }), {
      name: 'CannotTry',
      message: /^whether dry runs change nothing cannot be seen \(.*not here\)/,
    });
    assert.deepEqual(
      api.asked.filter((asked) => !asked.startsWith('POST')),
      [],
    );
    api.before = () => false;
  }
});

test('nothing foreign is tried as a dry run where dry runs are carried out', async () => {
  api.put(at('foreign'), configMap('foreign'));
  const target = open();
  const name = `jp-dry-${RUN}`;
  api.before = (request, response) => {
    if (request.method !== 'POST') return false;
    api.put(at(name, 'kube-system'), configMap(name, { namespace: 'kube-system' }));
    const made = JSON.stringify(api.objects.get(at(name, 'kube-system')));
    response.writeHead(201, { 'content-type': 'application/json' }).end(made);
    return true;
  };
  const dryRun = { query: { dryRun: 'All' } };
  for (const ask of [target.as({ kind: 'anonymous' }), target.admin])
    await assert.rejects(ask.ask({ method: 'DELETE', path: at('foreign'), ...dryRun }), {
      name: 'CannotTry',
      message: /carried out/,
    });
  await target.close();
  assert.deepEqual([...api.objects.keys()], [at('foreign')]);
});

test('a server that says when to come again is asked again, whatever was asked', async () => {
  let busy = 2;
  api.before = (_request, response) => {
    busy -= 1;
    if (busy < 0) return false;
    response.writeHead(429, { 'retry-after': '0', 'content-type': 'application/json' }).end('{}');
    return true;
  };
  const target = open();
  await target.admin.create(resources.configMaps, configMap('jp-aaaaa'));
  assert.ok(api.objects.has(at('jp-aaaaa')));
  await target.close();
  assert.equal(api.objects.size, 0);
});

test('evidence: every exchange, secrets gone, other Secrets without data', async () => {
  const token: KubeObject = {
    kind: 'Secret',
    metadata: { name: 'bootstrap-token-abcdef', namespace: 'kube-system' },
    type: 'bootstrap.kubernetes.io/token',
    data: {
      'token-id': Buffer.from('abcdef').toString('base64'),
      'token-secret': Buffer.from('0123456789abcdef').toString('base64'),
    },
  };
  api.put('/api/v1/namespaces/kube-system/secrets/bootstrap-token-abcdef', token);
  api.put('/api/v1/namespaces/kube-system/secrets/db', {
    kind: 'Secret',
    metadata: { name: 'db', namespace: 'kube-system' },
    type: 'Opaque',
    data: { password: 'aHVudGVyMg==' },
  });
  const target = open();
  const token2 = target.as({ kind: 'token', token: 'abcdef.0123456789abcdef' });
  await token2.ask({ path: '/version' });
  await target.admin.get(resources.secrets, 'bootstrap-token-abcdef', 'kube-system');
  const mark = target.exchanges().length;
  await target.admin.get(resources.secrets, 'db', 'kube-system');
  await target.admin.create(resources.configMaps, {
    ...configMap('jp-aaaaa'),
    data: { kubeconfig: 'kind: Config\n', 'jws-kubeconfig-note': 'token abcdef.0123456789abcdef' },
  });
  const all = JSON.stringify(target.exchanges());
  for (const secret of ['0123456789abcdef', 'MDEyMzQ1Njc4OWFiY2RlZg', 'aHVudGVyMg', 'admin-secret-token'])
    assert.ok(!all.includes(secret), secret);
  assert.ok(all.includes('bootstrap-token-abcdef'));
  assert.deepEqual(
    target
      .exchanges()
      .map(({ as, method, path, status }) => [as, method, path, status])
      .slice(0, 2),
    [
      ['system:bootstrap:abcdef', 'GET', '/version', 200],
      ['admin', 'GET', '/api/v1/namespaces/kube-system/secrets/bootstrap-token-abcdef', 200],
    ],
  );
  assert.equal(target.exchanges(mark).length, 2);
  assert.match(target.exchanges(mark)[1]?.requestBody ?? '', /token abcdef\.\[redacted\]/);
});

test('evidence has the headers that are not the usual ones, and no credential in them', async () => {
  const target = open();
  const { admin } = target;
  await admin.ask({ path: '/version', headers: { 'Impersonate-User': 'a', 'Impersonate-Group': ['b', 'c'] } });
  await admin.ask({ path: '/version', headers: { Accept: 'text/plain', 'X-Auth-Token': 'abcdef.0123456789abcdef' } });
  await target.as({ kind: 'header', authorization: ['Token abcdef.0123456789abcdef'] }).ask({ path: '/version' });
  await admin.ask({ path: '/version' });
  assert.deepEqual(
    target.exchanges().map(({ requestHeaders }) => requestHeaders),
    [
      ['impersonate-user: a', 'impersonate-group: b', 'impersonate-group: c'],
      ['accept: text/plain', 'x-auth-token: xxxxxx.xxxxxxxxxxxxxxxx'],
      ['authorization: Token␣xxxxxx.xxxxxxxxxxxxxxxx'],
      [],
    ],
  );
});

test('the clock follows a server that is more than 2 s off, and only then', async () => {
  let ahead = 0;
  api.before = (_request, response) => {
    response.writeHead(200, { date: new Date(Date.now() + ahead).toUTCString() }).end('{}');
    return true;
  };
  const near = open();
  await near.admin.ask({ path: '/version' });
  assert.ok(Math.abs(near.facts.now() - Date.now()) < 1_000);
  ahead = 3_600_000;
  const far = open();
  await far.admin.ask({ path: '/version' });
  assert.ok(Math.abs(far.facts.now() - Date.now() - 3_600_000) < 10_000);
});

test('TLS is looked at without asking anything', async () => {
  const target = open();
  const { tls } = target.abilities;
  assert.ok(tls);
  const [leaf] = await tls.presented();
  assert.match(leaf ?? '', /BEGIN CERTIFICATE/);
  assert.deepEqual(await tls.trusts(api.ca.certificate.pem), { ok: true });
  const { authority } = await import('./local-server.testing.js');
  const no = await tls.trusts(authority('else').certificate.pem);
  assert.equal(no.ok, false);
  assert.deepEqual(api.asked, []);
});

test('what may be sent twice is answered by its second answer where the server broke down, and nothing else', async () => {
  const path = at('a');
  const collection = '/api/v1/namespaces/default/configmaps';
  const dryRun = { dryRun: 'All' };
  const reviews = ['selfsubjectaccessreviews', 'subjectaccessreviews'].map(
    (name) => `/apis/authorization.k8s.io/v1/${name}`,
  );
  const again: readonly Question[] = [
    { path },
    ...(['GET', 'HEAD', 'OPTIONS'] as const).map((method) => ({ method, path })),
    ...[...reviews, '/apis/authentication.k8s.io/v1/tokenreviews'].map((one) => ({
      method: 'POST' as const,
      path: one,
      body: {},
    })),
    { method: 'POST', path: '/apis/authorization.k8s.io/v1/namespaces/a/localsubjectaccessreviews', body: {} },
    ...(['POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method) => ({ method, path, query: dryRun, body: {} })),
  ];
  const once: readonly Question[] = [
    ...(['PUT', 'PATCH', 'DELETE'] as const).map((method) => ({ method, path, body: {} })),
    { method: 'POST', path: collection, body: {} },
    { method: 'DELETE', path, query: { dryRun: 'None' } },
    { method: 'POST', path: '/apis/example.com/v1/tokenreviews', body: {} },
    { method: 'POST', path: `${reviews[0]}x`, body: {} },
  ];
  const { admin } = open({ disposable: true });
  for (const [questions, status] of [
    [again, 409],
    [once, 503],
  ] as const)
    for (const question of questions) {
      let broken = 1;
      api.before = (_request, response) => {
        broken -= 1;
        response.writeHead(broken === 0 ? 503 : 409, { 'content-type': 'application/json' }).end('{}');
        return true;
      };
      const { status: answered } = await admin.ask(question);
      assert.equal(answered, status, JSON.stringify(question));
    }
});

test('a question is sent with its method, query, headers and body, and is no more than that', async () => {
  const heard: (readonly [string | undefined, string | undefined, string, string | undefined, string])[] = [];
  const { admin } = open({ disposable: true });
  api.before = (request, response) => {
    const { accept, 'content-type': type, 'x-a': own } = request.headers;
    heard.push([request.method, request.url, String(accept), type, String(own)]);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    return true;
  };
  await admin.ask({ path: '/a' });
  await admin.ask({ path: '/a', query: {} });
  await admin.ask({
    method: 'PUT',
    path: '/a',
    query: { b: 'c d', e: ['&', 'g'] },
    body: { h: 1 },
    headers: { 'X-A': ['1', '2'] },
  });
  await admin.ask({ method: 'PATCH', path: '/a', body: 'text', contentType: 'application/apply-patch+yaml' });
  await admin.ask({ path: '/a', headers: { Accept: 'text/plain', 'CONTENT-TYPE': 'x/y' }, body: 'b' });
  assert.deepEqual(heard, [
    ['GET', '/a', 'application/json', undefined, 'undefined'],
    ['GET', '/a', 'application/json', undefined, 'undefined'],
    ['PUT', '/a?b=c%20d&e=%26&e=g', 'application/json', 'application/json', '1, 2'],
    ['PATCH', '/a', 'application/json', 'application/apply-patch+yaml', 'undefined'],
    ['GET', '/a', 'text/plain', 'x/y', 'undefined'],
  ]);
});

test('what is changed is changed as its kind of patch, and told by what was answered', async () => {
  const target = open();
  const { admin } = target;
  await admin.create(resources.configMaps, configMap('jp-aaaaa'));
  const types: (string | undefined)[] = [];
  const paths: (string | undefined)[] = [];
  api.before = (request) => {
    if (request.method === 'PATCH') {
      types.push(request.headers['content-type']);
      paths.push(request.url);
    }
    return false;
  };
  for (const type of [undefined, 'merge', 'strategic', 'json'] as const)
    await admin.patch(resources.configMaps, 'jp-aaaaa', 'default', '{}', type === undefined ? {} : { type });
  assert.deepEqual(types, [
    ...['merge', 'merge', 'strategic-merge', 'json'].map((type) => `application/${type}-patch+json`),
  ]);
  const sub = admin.patch(resources.configMaps, 'jp-aaaaa', 'default', { a: 1 }, { subresource: 'status' });
  await assert.rejects(sub, /^UnexpectedAnswer: PATCH .*\/jp-aaaaa\/status answered 404 NotFound: /);
  assert.equal(paths.at(-1), `${at('jp-aaaaa')}/status`);
  await admin.delete(resources.configMaps, 'jp-nobody', 'default');
  await admin.delete(resources.configMaps, 'jp-aaaaa', 'default');
  assert.deepEqual([...api.objects.keys()], []);
});

test('what is answered instead of what was asked for is said', async () => {
  let [code, body, kind] = [200, '', 'application/json'];
  const headers: Record<string, string> = {};
  const { admin } = open({ disposable: true });
  const written = open({ readOnly: 'it is read only' });
  api.before = (_request, response) => {
    response.writeHead(code, { 'content-type': kind, ...headers }).end(body);
    return true;
  };
  const path = at('a');
  const said = async (act: () => Promise<unknown>): Promise<string> => {
    const error = await act().then(
      () => assert.fail('it was taken'),
      (thrown: Error) => thrown,
    );
    return `${error.name}: ${error.message}`;
  };
  const get = () => admin.get(resources.configMaps, 'a', 'default');
  const object = (more: object): string =>
    JSON.stringify({ kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' }, ...more });
  for (const [answer, words] of [
    [[200, ''], 'an empty body'],
    [[200, object({ metadata: { name: 'b' } })], 'the ConfigMap "b" instead of it'],
    [[200, object({ kind: 'Table' })], 'a Table instead of the ConfigMap'],
    [[200, object({ kind: undefined })], 'something without a kind instead of the ConfigMap'],
    [[201, object({})], object({})],
    [[404, '{}'], '{}'],
    [[404, 'no such page'], 'no such page'],
    [[404, ' <p>'], 'an HTML page instead of an API object'],
    [[409, '{"kind":"Status","message":"it is there"}'], 'it is there'],
  ] as const) {
    [code, body] = answer;
    kind = /^\{/.test(body) ? 'application/json' : 'text/plain';
    assert.equal(
      await said(get),
      `UnexpectedAnswer: GET ${path} answered ${code}: ${words}`.trimEnd(),
      JSON.stringify(answer),
    );
  }
  [code, body] = [403, '{"kind":"Status","message":"you may not","reason":"Forbidden"}'];
  assert.match(await said(get), /^UnexpectedAnswer: .*: you may not$/);
  const forbidden = await said(() => written.admin.get(resources.configMaps, 'a', 'default'));
  assert.match(forbidden, /you may not/);
  assert.ok(!forbidden.startsWith('UnexpectedAnswer'), forbidden);
  [code, body] = [302, ''];
  headers.location = 'https://else.example';
  assert.match(await said(get), /a redirect to https:\/\/else\.example; joinproof follows none$/);
  [code, body, kind] = [200, object({}), 'application/json'];
  delete headers.location;
  assert.equal((await get())?.metadata.name, 'a');
  assert.equal(await admin.get(resources.configMaps, '', 'default'), undefined);
});

test('who cleans up is told what came instead, and writes nothing where nothing may be written', async () => {
  const { signal } = new AbortController();
  const target = open({ disposable: true });
  api.put(at('a'), configMap('a'));
  assert.equal((await target.admin.raw({ path: at('a') }, signal, [200])).status, 200);
  assert.equal((await target.admin.raw({ path: at('b') }, signal, [200, 404])).status, 404);
  await assert.rejects(target.admin.raw({ method: 'DELETE', path: at('b') }, signal, [200]), {
    name: 'UnexpectedAnswer',
    method: 'DELETE',
    path: at('b'),
    code: 404,
  });
  const { admin } = open({ readOnly: 'the cluster is read only' });
  assert.equal((await admin.raw({ path: at('a') }, signal, [200])).status, 200);
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const)
    await assert.rejects(
      admin.raw({ method, path: at('a') }, signal, [200]),
      new NotAllowed(`${method} ${at('a')} would write, but the cluster is read only.`),
    );
  assert.ok(api.objects.has(at('a')));
});
