import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import type { KubeObject } from '../kubernetes/objects.js';
import { EXPIRES_ANNOTATION, LIFETIME_MS, RUN_LABEL } from '../kubernetes/own-objects.js';
import { type Resource, resources } from '../kubernetes/resources.js';
import { at, configMap, type FakeApi, fakeApi, openOn, RUN } from './fake-api.testing.js';
import { Journal } from './journal.js';

const cleaning = { idleMs: 30_000, lateMs: 0 };
const { configMaps } = resources;
/** What shows how long it is needed. */
const OURS = {
  creationTimestamp: new Date().toISOString(),
  annotations: { [EXPIRES_ANNOTATION]: new Date(Date.now() + LIFETIME_MS).toISOString() },
};
let api: FakeApi;
beforeEach(async () => {
  api = await fakeApi();
});
afterEach(() => api.close());

const deletions = (): readonly string[] => api.asked.filter((line) => line.startsWith('DELETE'));
/** Answers every deletion with an error, and nothing else. */
const refuse = (code: number): void => {
  api.before = (request, response) => {
    if (request.method !== 'DELETE') return false;
    response.writeHead(code, { 'content-type': 'application/json' }).end(`{"kind":"Status","code":${code}}`);
    return true;
  };
};

test('what a run creates is marked, and close() removes it, in bulk where there are several', async () => {
  const target = openOn(api);
  const before = Date.now();
  const made = await target.admin.create(configMaps, configMap('jp-aaaaa', { labels: { own: 'yes' } }));
  assert.deepEqual(made.metadata.labels, { own: 'yes', [RUN_LABEL]: RUN });
  const expires = Date.parse(made.metadata.annotations?.[EXPIRES_ANNOTATION] ?? '');
  assert.ok(expires > before + LIFETIME_MS - 60_000 && expires < Date.now() + LIFETIME_MS + 60_000);
  const path = '/api/v1/namespaces/default/configmaps';
  for (const name of ['jp-bbbbb', 'jp-ccccc'])
    await target.as({ kind: 'anonymous' }).ask({ method: 'POST', path, body: configMap(name) });
  await target.admin.create(resources.nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'jp-nnnnn' } });
  api.put(at('foreign'), configMap('foreign'));
  const told: string[] = [];
  target.onCleaning((gone, known) => told.push(`${gone} of ${known}`));
  await target.close();
  await target.close();
  assert.deepEqual([...api.objects.keys()], [at('foreign')]);
  assert.deepEqual(target.leftovers, []);
  // the first is a dry run
  assert.deepEqual(deletions(), [`DELETE ${path}/jp-aaaaa`, `DELETE ${path}`, 'DELETE /api/v1/nodes/jp-nnnnn']);
  assert.equal(told.at(-1), '4 of 4');
});

test('what grants goes before what it grants to', async () => {
  const target = openOn(api);
  const binding = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'jp-bbbbb' },
    subjects: [{ kind: 'Group', name: 'system:bootstrappers:jp-abcde' }],
    roleRef: { kind: 'ClusterRole', name: 'system:node-bootstrapper' },
  };
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'jp-sssss', namespace: 'kube-system' } };
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'jp-nnnnn' } };
  const request = { apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest' };
  const made: readonly (readonly [Resource, KubeObject])[] = [
    [resources.nodes, node],
    [resources.certificateSigningRequests, { ...request, metadata: { name: 'jp-csr-abcde' } }],
    [resources.secrets, secret],
    [resources.clusterRoleBindings, binding],
  ];
  for (const [resource, object] of made) await target.admin.create(resource, object);
  await target.close();
  assert.deepEqual(
    deletions().map((line) => line.split('/').at(-1)),
    ['jp-bbbbb', 'jp-sssss', 'jp-csr-abcde', 'jp-nnnnn'],
  );
});

test('what carries the label of the run, but was not made by it, is left alone', async () => {
  const target = openOn(api);
  const marks = { labels: { [RUN_LABEL]: RUN }, annotations: { [EXPIRES_ANNOTATION]: '2026-01-01T00:00:00Z' } };
  for (const name of ['jp-aaaaa', 'jp-bbbbb']) await target.admin.create(configMaps, configMap(name));
  api.put(at('jp-ccccc'), configMap('jp-ccccc', marks));
  await target.close();
  assert.deepEqual([...api.objects.keys()], [at('jp-ccccc')]);
  assert.deepEqual(target.leftovers, []);
});

test('what lost its label is removed all the same, what bears its name now is not', async () => {
  const target = openOn(api);
  for (const name of ['jp-aaaaa', 'jp-bbbbb']) await target.admin.create(configMaps, configMap(name));
  const { uid = '' } = api.objects.get(at('jp-aaaaa'))?.metadata ?? {};
  api.put(at('jp-aaaaa'), configMap('jp-aaaaa', { uid }));
  api.objects.delete(at('jp-bbbbb'));
  api.put(at('jp-bbbbb'), configMap('jp-bbbbb'));
  await target.close();
  assert.deepEqual([...api.objects.keys()], [at('jp-bbbbb')]);
});

test('a refused creation is not ours to delete; one without an answer is found, also where it comes late', async () => {
  api.put(at('jp-taken'), configMap('jp-taken'));
  const target = openOn(api, { cleaning: { lateMs: 1_000 } });
  await assert.rejects(target.admin.create(configMaps, configMap('jp-taken')), { code: 409 });
  const marks = { labels: { [RUN_LABEL]: RUN }, annotations: { [EXPIRES_ANNOTATION]: '2026-01-01T00:00:00Z' } };
  let looks = 0;
  api.before = (request) => {
    if (request.method === 'GET' && ++looks === 2) api.put(at('jp-late1'), configMap('jp-late1', marks));
    if (request.method !== 'POST') return false;
    request.socket.destroy();
    return true;
  };
  await assert.rejects(target.admin.create(configMaps, configMap('jp-late1')), { name: 'TargetUnreachable' });
  await target.close();
  assert.deepEqual([...api.objects.keys()], [at('jp-taken')]);
  assert.deepEqual(target.leftovers, []);
});

test('where deletion in bulk is refused, or does nothing, objects are removed one by one', async () => {
  for (const code of [403, 405, 200, 503]) {
    const target = openOn(api, { cleaning });
    for (const name of ['jp-aaaaa', 'jp-bbbbb']) await target.admin.create(configMaps, configMap(name));
    api.before = (request, response) => {
      if (request.method !== 'DELETE' || !/configmaps(\?|$)/.test(request.url ?? '')) return false;
      response.writeHead(code, { 'content-type': 'application/json' }).end('{"kind":"Status"}');
      return true;
    };
    await target.close();
    assert.equal(api.objects.size, 0, String(code));
    assert.deepEqual(target.leftovers, []);
    api.before = () => false;
  }
});

test('nothing is deleted in bulk where what stands before the server drops the query of a request', async () => {
  const target = openOn(api, { cleaning });
  for (const name of ['jp-aaaaa', 'jp-bbbbb', 'jp-ccccc']) await target.admin.create(configMaps, configMap(name));
  api.put(at('foreign'), configMap('foreign'));
  api.before = (request) => {
    if (request.method === 'DELETE') request.url = (request.url ?? '').replace(/\?.*/, '');
    return false;
  };
  await target.close();
  assert.deepEqual([...api.objects.keys()], [at('foreign')]);
  assert.deepEqual(target.leftovers, []);
  assert.ok(deletions().every((line) => line.includes('/jp-')));
});

test('it goes on for as long as it gets on, whatever fails meanwhile', async () => {
  const target = openOn(api, { cleaning });
  for (const name of ['jp-aaaaa', 'jp-bbbbb', 'jp-ccccc']) await target.admin.create(configMaps, configMap(name));
  let answers = 0;
  api.before = (request, response) => {
    answers += 1;
    if (answers % 3 !== 0) return false;
    if (answers % 2 === 0) request.socket.destroy();
    else response.writeHead(503, { 'content-type': 'application/json' }).end('{"kind":"Status","code":503}');
    return true;
  };
  await target.close();
  assert.equal(api.objects.size, 0);
  assert.deepEqual(target.leftovers, []);
});

test('it gives up when nothing gets on, and says what is left and why', async () => {
  const target = openOn(api, { cleaning: { idleMs: 300 } });
  for (const name of ['jp-aaaaa', 'jp-bbbbb']) await target.admin.create(configMaps, configMap(name));
  refuse(503);
  await target.close();
  assert.deepEqual(
    target.leftovers.map(({ kind, what }) => [kind, what]),
    [
      ['ConfigMap', 'ConfigMap default/jp-aaaaa'],
      ['ConfigMap', 'ConfigMap default/jp-bbbbb'],
    ],
  );
  assert.match(target.leftovers[0]?.why ?? '', /Nothing got on for 0\.3 s\./);
});

test('what is gone is not among what is left, whoever chose its name', async () => {
  const target = openOn(api, { cleaning: { idleMs: 300 } });
  const metadata = { generateName: 'jp-', namespace: 'default' };
  await target.admin.create(configMaps, { ...configMap(''), metadata });
  await target.admin.create(resources.nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'jp-nnnnn' } });
  api.before = (request, response) => {
    if (request.method !== 'DELETE' || !/nodes/.test(request.url ?? '')) return false;
    response.writeHead(503, { 'content-type': 'application/json' }).end('{"kind":"Status","code":503}');
    return true;
  };
  await target.close();
  assert.deepEqual(
    target.leftovers.map(({ what }) => what),
    ['Node jp-nnnnn'],
  );
});

test('it is patient anew whenever something got on', async () => {
  const counted: (number | string)[] = [];
  const idle = (_: () => void, milliseconds: number) => {
    counted.push(milliseconds);
    return { refresh: () => counted.push('anew'), close: () => counted.push('over') };
  };
  const target = openOn(api, { cleaning: { ...cleaning, idle } });
  for (const name of ['jp-aaaaa', 'jp-bbbbb']) await target.admin.create(configMaps, configMap(name));
  await target.close();
  assert.equal(counted[0], 30_000);
  assert.equal(counted.at(-1), 'over');
  // each is accepted, and then gone
  assert.deepEqual(counted.slice(1, -1), ['anew', 'anew', 'anew', 'anew']);
});

test('what may not be deleted is not asked for for ever', async () => {
  const target = openOn(api, { cleaning });
  await target.admin.create(configMaps, configMap('jp-aaaaa'));
  refuse(403);
  await target.close();
  assert.deepEqual(
    target.leftovers.map(({ what }) => what),
    ['ConfigMap default/jp-aaaaa'],
  );
  assert.match(target.leftovers[0]?.why ?? '', /answered 403/);
  assert.equal(deletions().length, 1);
});

test('only finalizers of our own are taken away', async () => {
  const target = openOn(api, { cleaning });
  await target.admin.create(configMaps, configMap('jp-aaaaa', { finalizers: ['joinproof.io/held'] }));
  const held = await target.admin.create(configMaps, configMap('jp-bbbbb'));
  const finalizers = ['example.org/hold'];
  api.put(at('jp-bbbbb'), { ...held, metadata: { ...held.metadata, finalizers } });
  await target.close();
  assert.deepEqual([...api.objects.keys()], [at('jp-bbbbb')]);
  assert.deepEqual(api.objects.get(at('jp-bbbbb'))?.metadata.finalizers, finalizers);
  assert.match(target.leftovers[0]?.why ?? '', /example\.org\/hold holds it, which is not joinproof's/);
});

test('a list without end is left as it is, with a sentence', async () => {
  for (const next of [() => 'same', (page: number) => `page-${page}`]) {
    const target = openOn(api, { cleaning: { idleMs: 500 } });
    await target.admin.create(configMaps, configMap('jp-aaaaa'));
    let page = 0;
    api.before = (request, response) => {
      if (request.method !== 'GET') return false;
      page += 1;
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ kind: 'List', metadata: { continue: next(page) }, items: [] }));
      return true;
    };
    await target.close();
    assert.match(target.leftovers[0]?.why ?? '', /Nothing got on for 0\.5 s\./);
    api.before = () => false;
    api.objects.clear();
  }
});

test('an aborted run still cleans up, and knows what was being made', async () => {
  const run = new AbortController();
  const target = openOn(api, { signal: run.signal });
  await target.admin.create(configMaps, configMap('jp-aaaaa'));
  const making = target.admin.create(configMaps, configMap('jp-bbbbb'));
  run.abort(new Error('SIGINT'));
  assert.equal((await making).metadata.name, 'jp-bbbbb');
  await assert.rejects(target.admin.get(configMaps, 'jp-aaaaa', 'default'), /SIGINT/);
  await target.close();
  assert.equal(api.objects.size, 0);
});

test('a second signal breaks the clean-up off', async () => {
  const target = openOn(api);
  await target.admin.create(configMaps, configMap('jp-aaaaa'));
  api.before = (request) => request.method === 'DELETE';
  const closing = target.close();
  target.abort();
  await closing;
  assert.match(target.leftovers[0]?.why ?? '', /broken off/);
});

test('what is of a run is what it made, and what a creation without an answer can have made', () => {
  const labels = { [RUN_LABEL]: RUN };
  const place = { resource: configMaps, namespace: 'default' };
  const object = (name: string, more: Partial<KubeObject['metadata']> = {}): KubeObject =>
    configMap(name, { ...OURS, labels, uid: `uid of ${name}`, ...more });
  const made = (metadata: KubeObject['metadata']) => {
    const journal = new Journal(RUN);
    return { journal, entry: journal.creating(configMaps, 'default', { metadata }) };
  };
  const { journal, entry } = made({ name: 'jp-aaaaa' });
  for (const [where, one] of [
    [place, object('jp-bbbbb')],
    [{ ...place, namespace: 'kube-public' }, object('jp-aaaaa', { namespace: 'kube-public' })],
    [{ ...place, namespace: undefined }, object('jp-aaaaa')],
    [{ ...place, resource: resources.serviceAccounts }, object('jp-aaaaa')],
    [{ ...place, resource: { ...configMaps, group: 'other' } }, object('jp-aaaaa')],
    [place, object('jp-aaaaa', { labels: { [RUN_LABEL]: 'another-run' } })],
    [place, object('jp-aaaaa', { labels: {} })],
    [place, { ...object('jp-aaaaa'), data: { a: 'of somebody else' } }],
  ] as const)
    assert.equal(journal.owns(where, one), false, JSON.stringify([where, one]));
  assert.equal(journal.owns(place, object('jp-aaaaa')), true);
  const known = configMap('other-name', { uid: 'uid of jp-aaaaa' });
  assert.equal(journal.owns(place, known), true, 'it may have lost its label');
  assert.equal(journal.owns(place, object('jp-aaaaa', { uid: 'another' })), false, 'it has made the one');
  assert.equal(journal.owns(place, configMap('jp-aaaaa')), false);
  journal.refused(entry);
  assert.equal(made({ name: 'jp-aaaaa' }).journal.owns(place, object('jp-aaaaa')), true);
  const refused = made({ name: 'jp-aaaaa' });
  refused.journal.refused(refused.entry);
  assert.equal(refused.journal.owns(place, object('jp-aaaaa')), false);
  const answered = made({ name: 'jp-aaaaa' });
  answered.journal.created(answered.entry, object('jp-aaaaa'));
  assert.equal(answered.journal.owns(place, object('jp-aaaaa')), true);
  assert.equal(answered.journal.owns(place, object('jp-aaaaa', { uid: 'another' })), false);
});

test('what a creation below a generated name can have made is so named, and not without end', () => {
  const labels = { [RUN_LABEL]: RUN };
  const place = { resource: configMaps, namespace: 'default' };
  const journal = new Journal(RUN);
  journal.creating(configMaps, 'default', { metadata: { generateName: 'jp-csr-' } });
  const owns = (name: string, uid = name): boolean => journal.owns(place, configMap(name, { ...OURS, labels, uid }));
  assert.equal(owns('jp-other-aaaaa'), false);
  for (const end of [1, 2, 3, 4, 5, 6]) assert.equal(owns(`jp-csr-aaaa${end}`), true, String(end));
  assert.equal(owns('jp-csr-aaaa7'), false);
  assert.equal(owns('jp-csr-aaaa6'), true, 'what was found is known');
});

test('a clean-up that left nothing has nothing to do again, and one that left something has', async () => {
  const { signal } = new AbortController();
  const journal = new Journal(RUN);
  const entry = journal.creating(configMaps, 'default', configMap('jp-aaaaa'));
  journal.created(entry, configMap('jp-aaaaa', { uid: 'u' }));
  let finds = 0;
  let removes: () => void = () => {
    throw new Error('not now');
  };
  const there = configMap('jp-aaaaa', { ...OURS, uid: 'u', labels: { [RUN_LABEL]: RUN } });
  let items = [there];
  const access = {
    find: async () => {
      finds += 1;
      return { items, others: 0, resourceVersion: '1' };
    },
    read: async () => items[0],
    remove: async () => removes(),
    heedsQuery: async () => false,
    removeAll: async () => assert.fail('in bulk'),
    release: async () => undefined,
  };
  const clean = () => journal.clean({ signal, access: () => access, lateMs: 0 });
  const left = await clean();
  assert.deepEqual(
    left.map(({ what, why }) => [what, why]),
    [['ConfigMap default/jp-aaaaa', 'not now']],
  );
  removes = () => {
    items = [];
  };
  const before = finds;
  assert.deepEqual(await clean(), []);
  assert.ok(finds > before);
  const after = finds;
  assert.deepEqual(await clean(), []);
  assert.equal(finds, after);
  const over = new Journal(RUN);
  over.created(over.creating(configMaps, 'default', configMap('jp-aaaaa')), there);
  items = [there];
  const reason = new Error('broken off');
  const stays = await over.clean({ signal: AbortSignal.abort(reason), access: () => access, lateMs: 0 });
  assert.deepEqual(
    stays.map(({ why }) => why),
    ['broken off'],
  );
});
