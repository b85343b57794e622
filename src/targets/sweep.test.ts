import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import type { KubeObject } from '../kubernetes/objects.js';
import { EXPIRES_ANNOTATION, LIFETIME_MS, RUN_LABEL } from '../kubernetes/own-objects.js';
import { pathOf, type Resource, resources } from '../kubernetes/resources.js';
import { at, configMap, type FakeApi, fakeApi, openOn } from './fake-api.testing.js';
import { type Choice, type Swept, sweep } from './sweep.js';

let api: FakeApi;
beforeEach(async () => {
  api = await fakeApi();
});
afterEach(() => api.close());

const ago = (milliseconds: number): string => new Date(Date.now() - milliseconds).toISOString();
const marks = (run: string, age: number): Partial<KubeObject['metadata']> => ({
  labels: { [RUN_LABEL]: run },
  annotations: { [EXPIRES_ANNOTATION]: ago(age - LIFETIME_MS) },
  creationTimestamp: ago(age),
});
const put = (resource: Resource, { metadata, ...object }: KubeObject): void => {
  const { name = '', namespace } = metadata;
  api.put(pathOf(resource, { name, namespace }), { ...object, metadata });
};
const swept = async (choice: Choice, dryRun = false): Promise<Swept> => {
  const readOnly = dryRun ? { readOnly: 'the cluster is read only' } : {};
  const target = openOn(api, readOnly);
  try {
    return await sweep(target, { choice, dryRun, signal: new AbortController().signal });
  } finally {
    await target.close();
  }
};
const all: Choice = { kind: 'all' };
const names = ({ removed }: Swept): readonly string[] => removed.map(({ what }) => what);

test('a killed run is swept when it is over, one that may be under way is not', async () => {
  put(resources.configMaps, configMap('jp-dead1', marks('deadbeef00', 2 * LIFETIME_MS)));
  put(resources.configMaps, configMap('jp-dead2', marks('deadbeef00', 1.5 * LIFETIME_MS)));
  put(resources.configMaps, configMap('jp-old11', marks('stillgoing', 2 * LIFETIME_MS)));
  put(resources.configMaps, configMap('jp-new11', marks('stillgoing', 1_000)));
  put(resources.configMaps, configMap('other'));
  const planned = await swept({ kind: 'expired' }, true);
  assert.equal(api.objects.size, 5);
  assert.ok(api.asked.every((line) => line.startsWith('GET ')));
  const done = await swept({ kind: 'expired' });
  assert.deepEqual(done, planned);
  assert.deepEqual(names(done), ['ConfigMap default/jp-dead1', 'ConfigMap default/jp-dead2']);
  assert.deepEqual([done.spared.objects, done.spared.runs], [2, 1]);
  assert.ok(done.spared.until > Date.now());
  assert.deepEqual(
    [...api.objects.keys()].sort(),
    ['jp-new11', 'jp-old11', 'other'].map((name) => at(name)),
  );
  assert.deepEqual(names(await swept({ kind: 'older', seconds: 3600 })), []);
  assert.equal(names(await swept(all)).length, 2);
  assert.deepEqual([...api.objects.keys()], [at('other')]);
});

test('an object is not spared for longer than an hour because it says so', async () => {
  const metadata = marks('forevermor', 2 * LIFETIME_MS);
  put(resources.configMaps, configMap('jp-aaaaa', { ...metadata, annotations: { [EXPIRES_ANNOTATION]: ago(-1e12) } }));
  assert.equal(names(await swept({ kind: 'expired' })).length, 1);
});

test('what only says that it is of a run stays, whatever it is', async () => {
  const said = marks('abcdefghij', 2 * LIFETIME_MS);
  const { annotations: _, ...labelled } = said;
  const admin = {
    roleRef: { kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'Group', name: 'system:masters' }],
  };
  const token = (data: Record<string, string>): KubeObject => ({
    metadata: { ...said, name: 'bootstrap-token-abcdef', namespace: 'kube-system' },
    type: 'bootstrap.kubernetes.io/token',
    data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')])),
  });
  const foreign: readonly (readonly [Resource, KubeObject])[] = [
    [resources.clusterRoleBindings, { ...admin, metadata: { ...said, name: 'cluster-admin' } }],
    [resources.clusterRoleBindings, { ...admin, metadata: { ...said, name: 'jp-abcdefghij' } }],
    [resources.secrets, token({ description: 'of the administrator' })],
    [resources.secrets, { metadata: { ...said, name: 'etcd-encryption', namespace: 'kube-system' } }],
    [resources.configMaps, { ...configMap('cluster-info', { ...said, namespace: 'kube-public' }), data: {} }],
    [resources.configMaps, { ...configMap('jp-abcde', said), data: { important: 'yes' } }],
    [resources.configMaps, configMap('jp-bbbbb', { ...said, ownerReferences: [{ ...OWNER }] })],
    [resources.configMaps, configMap('jp-ccccc', labelled)],
    [resources.configMaps, configMap('jp-ddddd', { ...said, labels: { [RUN_LABEL]: 'a) or (b' } })],
    [resources.configMaps, configMap('jp-eeeee', { ...said, namespace: 'production' })],
    [resources.nodes, { metadata: { ...said, name: 'jp-worker1' }, status: { nodeInfo: { kubeletVersion: 'v1.36' } } }],
    [
      resources.pods,
      {
        metadata: { ...said, name: 'jp-abcde', namespace: 'default' },
        spec: { containers: [{ image: 'registry/app' }] },
      },
    ],
    [resources.services, { metadata: { ...said, name: 'jp-abcde', namespace: 'default' } }],
    [resources.namespaces, { metadata: { ...said, name: 'jp-abcde' } }],
  ];
  for (const [resource, object] of foreign) put(resource, object);
  put(resources.configMaps, configMap('jp-mmmmm', said));
  const before = api.objects.size;
  const done = await swept(all);
  assert.deepEqual(names(done), ['ConfigMap default/jp-mmmmm']);
  assert.equal(api.objects.size, before - 1);
  assert.ok(done.foreign.some(({ what }) => what === 'ClusterRoleBinding cluster-admin'));
  assert.ok(!api.asked.some((line) => line.startsWith('PATCH')));
});

const OWNER = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'app', uid: 'u' };

test('no patch that lies in a cluster is applied', async () => {
  const inverse = { rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] };
  const disturbance = { resource: resources.clusterRoles, name: 'system:basic-user', inverse };
  const record = configMap('joinproof-journal-abcdefghij', { ...marks('abcdefghij', 1), namespace: 'kube-system' });
  put(resources.configMaps, { ...record, data: { '0000': JSON.stringify(disturbance) } });
  put(resources.clusterRoles, { metadata: { name: 'system:basic-user' }, rules: [] });
  await swept(all);
  assert.deepEqual(api.objects.get(pathOf(resources.clusterRoles, { name: 'system:basic-user' }))?.rules, []);
});

test('what could not be looked at or removed is left, with the reason', async () => {
  for (const name of ['jp-aaaaa', 'jp-bbbbb']) put(resources.configMaps, configMap(name, marks('abcdefghij', 1)));
  api.before = (request, response) => {
    const secrets = /\/secrets/.test(request.url ?? '');
    if (!secrets && (request.method !== 'DELETE' || !/jp-bbbbb|\?/.test(request.url ?? ''))) return false;
    response.writeHead(403, { 'content-type': 'application/json' }).end('{"kind":"Status","code":403}');
    return true;
  };
  const done = await swept(all);
  assert.deepEqual(names(done), ['ConfigMap default/jp-aaaaa']);
  assert.deepEqual(
    done.left.map(({ what }) => what),
    ['Secret kube-system/*', 'Secret default/*', 'Secret kube-public/*', 'ConfigMap default/jp-bbbbb'],
  );
});

test('it ends when its signal does', async () => {
  put(resources.configMaps, configMap('jp-aaaaa', marks('abcdefghij', 1)));
  const over = new AbortController();
  api.before = (request, response) => {
    if (request.method !== 'DELETE') return false;
    response.writeHead(503, { 'content-type': 'application/json' }).end('{"kind":"Status","code":503}');
    over.abort(new Error('the time was over'));
    return true;
  };
  const target = openOn(api);
  const { left } = await sweep(target, { choice: all, signal: over.signal });
  await target.close();
  assert.equal(left.length, 1);
  assert.match(left[0]?.why ?? '', /the time was over/);
});

test('runs are asked for by their names, up to fifty of them', async () => {
  for (const [count, isNamed] of [
    [50, true],
    [51, false],
  ] as const) {
    api.objects.clear();
    for (let one = 0; one < count; one += 1) {
      const run = `run${String(one).padStart(7, '0')}`;
      put(resources.configMaps, configMap(`jp-r${String(one).padStart(4, '0')}`, marks(run, 2 * LIFETIME_MS)));
    }
    const selectors: string[] = [];
    api.before = ({ url = '' }) => {
      const selector = new URLSearchParams(url.split('?')[1] ?? '').get('labelSelector');
      if (selector?.includes(' in ') === true) selectors.push(selector);
      return false;
    };
    assert.equal(names(await swept(all)).length, count);
    assert.equal(api.objects.size, 0);
    assert.equal(selectors.length > 0, isNamed, String(count));
    for (const selector of selectors) assert.equal(selector.split(',').length, 50);
  }
});
