import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import type { KubeObject } from '../kubernetes/objects.js';
import { resources } from '../kubernetes/resources.js';
import { NotAllowed, UnexpectedAnswer } from './errors.js';
import { type FakeApi, fakeApi } from './fake-api.testing.js';
import { HttpTarget } from './http-target.js';
import { EXPIRES_ANNOTATION, RUN_LABEL } from './journal.js';
import { connectionTo } from './local-server.testing.js';
import { sweep } from './sweep.js';

let api: FakeApi;
const targets: HttpTarget[] = [];
beforeEach(async () => {
  api = await fakeApi();
});
afterEach(async () => {
  await Promise.all(targets.splice(0).map((target) => target.close()));
  await api.close();
});
const open = (more: Partial<ConstructorParameters<typeof HttpTarget>[0]> = {}): HttpTarget => {
  const target = new HttpTarget({
    kind: 'cluster',
    connection: connectionTo(api, { authorization: 'Bearer admin-secret-token' }),
    signal: new AbortController().signal,
    run: 'run1',
    ...more,
  });
  targets.push(target);
  return target;
};
const configMap = (name: string, more: Partial<KubeObject['metadata']> = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', ...more },
});
const at = (name: string, namespace = 'default'): string => `/api/v1/namespaces/${namespace}/configmaps/${name}`;

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

test('what a run creates is marked, and close() removes it in reverse, finalizers and all', async () => {
  const target = open();
  await target.admin.create(resources.namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'jp' } });
  const made = await target.admin.create(
    resources.configMaps,
    configMap('a', { finalizers: ['example.org/hold'], labels: { own: 'yes' } }),
  );
  assert.equal(made.metadata.labels?.[RUN_LABEL], 'run1');
  assert.equal(made.metadata.labels?.own, 'yes');
  assert.match(made.metadata.annotations?.[EXPIRES_ANNOTATION] ?? '', /^\d{4}-.*Z$/);
  await target.as({ kind: 'token', token: 't' }).create<KubeObject>(resources.configMaps, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { generateName: 'g-', namespace: 'default' },
  });
  await target
    .as({ kind: 'anonymous' })
    .ask({ method: 'POST', path: '/api/v1/namespaces/default/configmaps', body: configMap('raw') });
  api.put(at('foreign'), configMap('foreign'));
  assert.equal(api.objects.size, 5);
  await target.close();
  await target.close();
  assert.deepEqual([...api.objects.keys()], [at('foreign')]);
  assert.deepEqual(target.leftovers, []);
  assert.equal(api.asked.filter((line) => line.startsWith('DELETE')).at(-1), 'DELETE /api/v1/namespaces/jp');
});

test('a refused creation is not ours to delete; one without an answer is looked for', async () => {
  api.put(at('taken'), configMap('taken'));
  const target = open();
  await assert.rejects(target.admin.create(resources.configMaps, configMap('taken')), { code: 409 });
  api.before = (request) => {
    if (request.method !== 'POST') return false;
    // Stored, but the answer is lost.
    api.put(at('lost'), configMap('lost', { labels: { [RUN_LABEL]: 'run1' } }));
    request.socket.destroy();
    return true;
  };
  await assert.rejects(target.admin.create(resources.configMaps, configMap('lost')), { name: 'TargetUnreachable' });
  await target.close();
  assert.deepEqual([...api.objects.keys()], [at('taken')]);
});

test('what somebody else made under the same name meanwhile is left alone', async () => {
  const target = open();
  await target.admin.create(resources.configMaps, configMap('a'));
  api.objects.delete(at('a'));
  api.put(at('a'), configMap('a'));
  await target.close();
  assert.deepEqual([...api.objects.keys()], [at('a')]);
});

test('foreign objects are put back, never deleted, and foreign Secrets not even changed', async () => {
  const before: KubeObject = { ...configMap('foreign'), data: { kept: '1', changed: 'old' } };
  api.put(at('foreign'), before);
  api.put('/api/v1/namespaces/kube-system/secrets/s', { metadata: { name: 's', namespace: 'kube-system' } });
  const target = open();
  const { admin } = target;
  await admin.patch(resources.configMaps, 'foreign', 'default', { data: { changed: 'new', added: 'x' } });
  await admin.patch(resources.configMaps, 'foreign', 'default', { data: { changed: 'newer' } });
  assert.ok(api.objects.has(at('joinproof-journal-run1', 'kube-system')), 'recorded on the cluster');
  await assert.rejects(
    admin.delete(resources.configMaps, 'foreign', 'default'),
    /deletes nothing that it did not make/,
  );
  await assert.rejects(admin.patch(resources.secrets, 's', 'kube-system', { data: {} }), /changes no Secret/);
  await target.close();
  assert.deepEqual(api.objects.get(at('foreign'))?.data, { kept: '1', changed: 'old' });
  assert.equal(api.objects.size, 2);
});

test('raw changes reach only what the run made, others as dry runs', async () => {
  api.put(at('foreign'), configMap('foreign'));
  const target = open();
  await target.admin.create(resources.configMaps, configMap('ours'));
  const anonymous = target.as({ kind: 'anonymous' });
  for (const method of ['PUT', 'PATCH', 'DELETE'] as const)
    await assert.rejects(anonymous.ask({ method, path: at('foreign') }), /dryRun=All/);
  await assert.rejects(anonymous.ask({ method: 'DELETE', path: '/api/v1/namespaces/default/configmaps' }), NotAllowed);
  await assert.rejects(anonymous.ask({ method: 'PATCH', path: `${at('foreign')}/status`, body: {} }), NotAllowed);
  assert.equal(
    (await anonymous.ask({ method: 'PATCH', path: at('foreign'), query: { dryRun: 'All' }, body: {} })).status,
    200,
  );
  assert.equal((await anonymous.ask({ method: 'PATCH', path: at('ours'), body: {} })).status, 200);
  assert.equal((await anonymous.ask({ method: 'DELETE', path: at('nobody') })).status, 404);
  const lost = anonymous.ask({
    method: 'POST',
    path: '/api/v1/namespaces/default/configmaps',
    body: configMap('ours'),
  });
  assert.equal((await lost).status, 409);
  await target.close();
  assert.deepEqual([...api.objects.keys()], [at('foreign')]);
});

test('nothing foreign is tried as a dry run where dry runs are carried out', async () => {
  api.put(at('foreign'), configMap('foreign'));
  const target = open();
  const deed = configMap('jp-dry-run1', { namespace: 'kube-system', labels: { [RUN_LABEL]: 'run1' } });
  api.before = (request, response) => {
    if (request.method !== 'POST') return false;
    api.put(at('jp-dry-run1', 'kube-system'), deed);
    response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(deed));
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
  await target.admin.create(resources.configMaps, configMap('a'));
  assert.ok(api.objects.has(at('a')));
  await target.close();
  assert.equal(api.objects.size, 0);
});

test('a killed run is swept: put back, removed, nothing else touched', async () => {
  api.put(at('foreign'), { ...configMap('foreign'), data: { a: '1' } });
  api.put(at('other'), configMap('other', { labels: { app: 'x' } }));
  const killed = open({ run: 'killed' });
  await killed.admin.create(resources.configMaps, configMap('ours'));
  await killed.admin.patch(resources.configMaps, 'foreign', 'default', { data: { a: '2', b: '3' } });
  const sweeper = open({ run: 'sweeper' });
  const planned = await sweep(sweeper, { dryRun: true });
  assert.equal(api.objects.size, 4);
  assert.deepEqual(await sweep(sweeper, { olderThanSeconds: 3600 }), []);
  assert.deepEqual(await sweep(sweeper, { expiredOnly: true }), []);
  const done = await sweep(sweeper);
  assert.deepEqual(done, planned);
  assert.deepEqual(
    done.map(({ action, what }) => `${action} ${what}`),
    [
      'restored ConfigMap default/foreign',
      'removed ConfigMap default/ours',
      'removed ConfigMap kube-system/joinproof-journal-killed',
    ],
  );
  assert.deepEqual(api.objects.get(at('foreign'))?.data, { a: '1' });
  assert.deepEqual([...api.objects.keys()], [at('foreign'), at('other')]);
  assert.deepEqual(await sweep(sweeper), []);
});

test('the clean-up has a time limit and says what it left', async () => {
  const target = open({ cleanMs: 80 });
  await target.admin.create(resources.configMaps, configMap('a'));
  api.before = (request) => request.method === 'DELETE';
  const started = Date.now();
  await target.close();
  assert.ok(Date.now() - started < 5_000);
  assert.equal(target.leftovers.length, 1);
  assert.equal(target.leftovers[0]?.what, 'ConfigMap default/a');
});

test('an aborted run still cleans up', async () => {
  const run = new AbortController();
  const target = open({ signal: run.signal });
  await target.admin.create(resources.configMaps, configMap('a'));
  run.abort(new Error('SIGINT'));
  await assert.rejects(target.admin.get(resources.configMaps, 'a', 'default'), /SIGINT/);
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
    ...configMap('a'),
    data: { note: 'token abcdef.0123456789abcdef' },
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

test('the clock follows a server that is more than 2 s off, and only then', async () => {
  let ahead = 0;
  api.before = (_request, response) => {
    response.writeHead(200, { date: new Date(Date.now() + ahead).toUTCString() }).end('{}');
    return true;
  };
  const near = open();
  await near.admin.ask({ path: '/version' });
  assert.ok(Math.abs(near.facts.now() - Date.now()) < 50);
  ahead = 3_600_000;
  const far = open();
  await far.admin.ask({ path: '/version' });
  assert.ok(Math.abs(far.facts.now() - Date.now() - 3_600_000) < 1_500);
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
