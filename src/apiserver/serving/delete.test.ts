/** Deletion of what somebody runs: a pod waits for its kubelet. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definitions } from '../resources/index.js';
import { fixture } from './fixture.js';

const PODS = '/api/v1/namespaces/default/pods';

function pods() {
  const made = fixture({ definitions: definitions() });
  const { ask } = made;
  const create = (name: string, spec: object): void => {
    const answer = ask('POST', PODS, {
      metadata: { name },
      spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
    });
    assert.equal(answer.code, 201, answer.text);
  };
  const metadata = (name: string) =>
    ask('GET', `${PODS}/${name}`).json.metadata as unknown as Readonly<Record<string, unknown>> | undefined;
  return { ...made, create, metadata };
}

test('a pod on a node waits for its grace period, which can only be shortened', () => {
  const { ask, create, metadata, clock } = pods();
  create('a', { nodeName: 'n', terminationGracePeriodSeconds: 20 });
  const start = clock.now();
  const inSeconds = (seconds: number): string => new Date(start + seconds * 1000).toISOString().replace('.000', '');
  assert.equal(ask('DELETE', `${PODS}/a`).code, 200);
  assert.deepEqual([metadata('a')?.deletionTimestamp, metadata('a')?.deletionGracePeriodSeconds], [inSeconds(20), 20]);
  assert.equal(ask('DELETE', `${PODS}/a`, { gracePeriodSeconds: 30 }).code, 200);
  assert.equal(metadata('a')?.deletionGracePeriodSeconds, 20);
  ask('DELETE', `${PODS}/a`, { gracePeriodSeconds: 5 });
  assert.deepEqual([metadata('a')?.deletionTimestamp, metadata('a')?.deletionGracePeriodSeconds], [inSeconds(5), 5]);
  assert.equal(ask('DELETE', `${PODS}/a`, { gracePeriodSeconds: 0 }).code, 200);
  assert.equal(ask('GET', `${PODS}/a`).code, 404);
});

test('a pod that runs nowhere goes at once, and so does one that is done for', () => {
  const { ask, create } = pods();
  create('nowhere', {});
  create('ended', { nodeName: 'n' });
  ask(
    'PATCH',
    `${PODS}/ended/status`,
    { status: { phase: 'Succeeded' } },
    { 'content-type': 'application/merge-patch+json' },
  );
  for (const name of ['nowhere', 'ended']) {
    ask('DELETE', `${PODS}/${name}`);
    assert.equal(ask('GET', `${PODS}/${name}`).code, 404, name);
  }
});

test('the answer to the last deletion of a pod shows when it ended', () => {
  const { ask, create } = pods();
  create('a', { nodeName: 'n' });
  const { metadata } = ask('DELETE', `${PODS}/a`, { gracePeriodSeconds: 0 }).json as unknown as {
    readonly metadata: Readonly<Record<string, unknown>>;
  };
  assert.equal(metadata.deletionGracePeriodSeconds, 0);
  assert.equal(typeof metadata.deletionTimestamp, 'string');
});

test('a namespace says in its own words that it is another one', () => {
  const { ask } = fixture({ definitions: definitions() });
  ask('POST', '/api/v1/namespaces', { metadata: { name: 'a' } });
  const { uid, resourceVersion } = ask('GET', '/api/v1/namespaces/a').json.metadata as unknown as Record<
    string,
    string
  >;
  const refused = (preconditions: object): unknown =>
    ask('DELETE', '/api/v1/namespaces/a', { preconditions }).json.message;
  const begin = 'Operation cannot be fulfilled on namespaces "a": Precondition failed: ';
  assert.equal(refused({ uid: 'x' }), `${begin}UID in precondition: x, UID in object meta: ${uid}`);
  assert.equal(
    refused({ resourceVersion: '0' }),
    `${begin}ResourceVersion in precondition: 0, ResourceVersion in object meta: ${resourceVersion}`,
  );
  assert.equal(ask('DELETE', '/api/v1/namespaces/a', { preconditions: { uid } }).code, 200);
});

test('events are never kept for a collector of garbage', () => {
  const { ask } = fixture({ definitions: definitions() });
  const event = { involvedObject: { kind: 'Node', name: 'n', namespace: 'default' }, metadata: { name: 'e' } };
  const events = '/api/v1/namespaces/default/events';
  for (const propagationPolicy of ['Foreground', 'Orphan']) {
    assert.equal(ask('POST', events, event).code, 201);
    assert.equal(ask('DELETE', `${events}/e`, { propagationPolicy }).json.status, 'Success');
    assert.equal(ask('GET', `${events}/e`).code, 404);
  }
});

test('says what its options are, where they are none', () => {
  const { ask } = fixture({ definitions: definitions() });
  const scheme = 'in scheme "pkg/apis/meta/internalversion/scheme/register.go:27"';
  const unread = "couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field";
  for (const [options, message] of [
    [{ kind: 'x' }, `no kind "x" is registered for version "meta.k8s.io/v1" ${scheme}`],
    [{ kind: 'x', apiVersion: 'v1' }, `no kind "x" is registered for version "v1" ${scheme}`],
    [{ kind: 'x', apiVersion: 'a/b/c' }, 'unexpected GroupVersion string: a/b/c'],
    [{ kind: 1 }, `${unread} .kind of type string`],
    [{ apiVersion: 1 }, `${unread} .apiVersion of type string`],
    [{ kind: 'ListOptions' }, 'converting (v1.ListOptions) to (v1.DeleteOptions): unknown conversion'],
    [{ kind: '', apiVersion: '' }, 'configmaps "a" not found'],
    [{ kind: 'DeleteOptions', apiVersion: 'a/b' }, 'configmaps "a" not found'],
  ] as const)
    assert.equal(ask('DELETE', '/api/v1/namespaces/default/configmaps/a', options).json.message, message);
});

test('what enters a namespace that goes is refused by its name, by what its name is made of, or as Unknown', () => {
  const { ask } = fixture({ definitions: definitions() });
  ask('POST', '/api/v1/namespaces', { metadata: { name: 'a', finalizers: ['example.com/kept'] } });
  ask('DELETE', '/api/v1/namespaces/a');
  const refused = (
    [
      ['name', 'b'],
      ['generateName', 'b-'],
      ['labels', {}],
    ] as const
  ).map(([field, value]) => {
    const { code, json } = ask('POST', '/api/v1/namespaces/a/configmaps', { metadata: { [field]: value } });
    const { name, causes } = json.details as {
      readonly name?: string;
      readonly causes?: readonly { reason?: string }[];
    };
    return [code, name, causes?.[0]?.reason, json.message];
  });
  const why = 'is forbidden: unable to create new content in namespace a because it is being terminated';
  assert.deepEqual(
    refused,
    ['b', 'b-', 'Unknown'].map((name) => [403, name, 'NamespaceTerminating', `configmaps "${name}" ${why}`]),
  );
});

test('a deletion that says nothing else leaves the finalizers in their order, and any other puts its own last', () => {
  const { ask } = pods();
  const maps = '/api/v1/namespaces/default/configmaps';
  const after = (finalizers: readonly string[], query: string): unknown => {
    ask('POST', maps, { metadata: { name: 'a', finalizers } });
    const answer = ask('DELETE', `${maps}/a${query}`);
    ask('PATCH', `${maps}/a`, { metadata: { finalizers: null } }, { 'content-type': 'application/merge-patch+json' });
    assert.equal(ask('GET', `${maps}/a`).code, 404);
    return answer.json.metadata?.finalizers;
  };
  for (const own of ['orphan', 'foregroundDeletion']) assert.deepEqual(after([own, 'a/b'], ''), [own, 'a/b']);
  assert.deepEqual(after(['orphan', 'a/b'], '?propagationPolicy=Orphan'), ['orphan', 'a/b']);
  assert.deepEqual(after(['orphan', 'a/b'], '?propagationPolicy=Foreground'), ['a/b', 'foregroundDeletion']);
  assert.deepEqual(after(['orphan', 'a/b'], '?propagationPolicy=Background'), ['a/b']);
});

test('who asks that dependents go too is told where the deletion is not done yet', () => {
  const { ask } = pods();
  const maps = '/api/v1/namespaces/default/configmaps';
  const code = (finalizers: readonly string[], query: string): number => {
    ask('POST', maps, { metadata: { name: `a${finalizers.length}${query.length}`, finalizers } });
    return ask('DELETE', `${maps}/a${finalizers.length}${query.length}${query}`).code;
  };
  assert.deepEqual(
    ['', '?orphanDependents=false', '?orphanDependents=true'].map((query) => [code([], query), code(['a/b'], query)]),
    [
      [200, 200],
      [200, 202],
      [200, 200],
    ],
  );
});
