/** What came and went with the minors of Kubernetes, as clients see it. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Answer, CONFIG_MAPS, fixture } from './serving/fixture.js';

type Ask = ReturnType<typeof fixture>['ask'];
const codes = (minors: readonly number[], act: (ask: Ask) => Answer): readonly number[] =>
  minors.map((minor) => act(fixture({ minor }).ask).code);

it('watches begin with what is there since 1.32, but for 1.33', () => {
  const watch = `${CONFIG_MAPS}?watch=1&sendInitialEvents=1&resourceVersionMatch=NotOlderThan`;
  assert.deepEqual(
    codes([31, 32, 33, 34, 35], (ask) => ask('GET', watch)),
    [422, 200, 422, 200, 200],
  );
});

it('versions and options that cannot be read are the fault of the client', () => {
  assert.deepEqual(
    codes([31, 32], (ask) => ask('GET', `${CONFIG_MAPS}?resourceVersion=x`)),
    [500, 400],
  );
  const odd = (ask: Ask): Answer => {
    ask('POST', CONFIG_MAPS, { metadata: { name: 'a' } });
    return ask('DELETE', `${CONFIG_MAPS}/a`, '[]');
  };
  assert.deepEqual(codes([34, 35], odd), [500, 400]);
});

it('pages of a process came with 1.36', () => {
  assert.deepEqual(
    codes([35, 36], (ask) => ask('GET', '/statusz')),
    [404, 200],
  );
});

it('the version says what it is compatible with, and figures how their names are escaped, since 1.33', () => {
  const [before, now] = [32, 33].map((minor) => fixture({ minor }).ask);
  const emulated = [before, now].map((ask) => ask?.('GET', '/version').json.emulationMajor);
  assert.deepEqual(emulated, [undefined, '1']);
  const escaped = [before, now].map((ask) =>
    String(ask?.('GET', '/metrics').headers['Content-Type']).split('=').at(-1),
  );
  assert.deepEqual(escaped, ['values', 'underscores']);
});

it('times that are not set are written as null until 1.33', () => {
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  const read = (minor: number): unknown => {
    const { json } = fixture({ minor }).ask('GET', '/api', undefined, { accept });
    return json.items?.map(({ metadata }) => metadata);
  };
  assert.deepEqual(read(33), [{ creationTimestamp: null }]);
  assert.deepEqual(read(34), [{}]);
});

it('discovery is aggregated since 1.27, in its last form since 1.30, and in the form before until 1.32', () => {
  const forms = (minor: number): readonly unknown[] =>
    ['v2beta1', 'v2'].map((version) => {
      const accept = `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList,application/json`;
      return fixture({ minor }).ask('GET', '/apis', undefined, { accept }).json.kind;
    });
  const [old, aggregated] = ['APIGroupList', 'APIGroupDiscoveryList'];
  assert.deepEqual([26, 27, 29, 30, 32, 33].map(forms), [
    [old, old],
    [aggregated, old],
    [aggregated, old],
    [aggregated, aggregated],
    [aggregated, aggregated],
    [old, aggregated],
  ]);
});

it('a list of a version that is yet to come is left to etcd until 1.33', () => {
  const list = `${CONFIG_MAPS}?resourceVersion=9999&resourceVersionMatch=Exact&limit=1`;
  assert.deepEqual(
    codes([33, 34], (ask) => ask('GET', list)),
    [500, 504],
  );
});

it('the document of the API names the minor that is emulated since 1.31, the release before', () => {
  const named = [30, 31].map((minor) => fixture({ minor }).ask('GET', '/openapi/v2').json.info?.version);
  assert.deepEqual(named, ['v1.30.0', '1.31']);
});
